"""What the guards found, as rows of tables and lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from review_app.html_table import Shown
from review_app.result_tables import Rows
from review_app.wording import count, duration
from scoring import percent
from scoring.statistics.proportions import proportion_interval
from store.catch_rates import FEWEST_OF_A_PERSON, CatchRate, CatchRates
from store.reviewer_signals import Signal

KIND_WORDS = {
    **{"digit": "a digit for another", "sign": "lost sign", "separator": "moved or lost separator"},
    **{"shifted row": "shifted row", "dropped row": "dropped last row", "merged rows": "last two rows as one"},
}
LEVEL_WORDS = {"high": "badge High", "medium": "badge Medium", "low": "badge Low", "none": "no score"}


def rows(found: CatchRates) -> Rows:
    """The whole, then by kind of error, by badge and by person."""
    heads = [Shown("Planted errors", look="strong"), *(Shown(head, look="number") for head in ("Caught", "Of", "Rate"))]
    heads.append(Shown("95 % interval", look="number"))
    return heads, [
        _row("All", found.whole),
        *(_row(KIND_WORDS.get(one.name, one.name), one) for one in found.kinds),
        *(_row(LEVEL_WORDS.get(one.name, one.name), one) for one in found.levels),
        *(_row(one.name, one) for one in found.people),
    ]


def lines(found: CatchRates) -> Iterator[str]:
    """The same as text."""
    if not found.whole.met:
        yield "Nobody has met a planted error yet."
        return
    for cells in rows(found)[1]:
        name, caught, of, rate, between = (cell.text for cell in cells)
        yield f"{name}: {caught} of {of} caught, {rate} ({between})"
    yield from filter(None, [fewer(found)])


def signal_rows(whole: Signal, people: Sequence[Signal]) -> Rows:
    """How the reviews of each person went, beside those of all."""
    numbers = ("Reviews", "Tables changed", "Active time, median")
    heads = [Shown("Person", look="strong"), *(Shown(head, look="number") for head in numbers), Shown("Look here")]
    rows = [
        [
            Shown(one.person or "All"),
            Shown(f"{one.reviews:,}"),
            Shown(percent(one.edited)),
            Shown(duration(None if one.median_ms is None else round(one.median_ms))),
            Shown(one.look),
        ]
        for one in (whole, *people)
    ]
    return heads, rows


def fewer(found: CatchRates) -> str:
    """Who is left out, in a sentence; "" where nobody is."""
    return (
        f"{count(found.others, 'person')} with fewer than {FEWEST_OF_A_PERSON} planted errors: too few to tell."
        if found.others
        else ""
    )


def _row(name: str, one: CatchRate) -> list[Shown]:
    between = proportion_interval(one.caught, one.met)
    shown = f"{percent(between[0])} to {percent(between[1])}" if between else ""
    return [Shown(name), Shown(f"{one.caught:,}"), Shown(f"{one.met:,}"), Shown(percent(one.rate)), Shown(shown)]
