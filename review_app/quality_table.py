"""The measured error of accepted cells, as rows of a table and lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from review_app.guard_tables import LEVEL_WORDS
from review_app.html_table import Shown
from review_app.result_tables import Rows
from review_app.wording import count, duration
from scoring import percent
from scoring.statistics.stratified import ErrorRate
from store.quality_check import Quality

NUMBERS = ("Accepted cells", "Drawn", "Checked", "Wrong", "Cannot tell", "Error", "95 % interval")


def rows(found: Quality) -> Rows:
    """All cells, then each band."""
    heads = [Shown("Badge", look="strong"), *(Shown(head, look="number") for head in NUMBERS)]
    drawn = {band.level: band.drawn for band in found.sample.bands}
    bands = [_row(LEVEL_WORDS[rate.name], rate, drawn[rate.name]) for rate in found.bands]  # type: ignore[index]
    return heads, [_row("All, by number of cells", found.whole, found.sample.drawn), *bands]


def headline(found: Quality) -> str:
    """The measured error in a sentence, or why there is none yet."""
    whole, of = found.whole, found.sample
    looked = f"{found.looked_at:,} of {count(of.drawn, 'drawn cell')} looked at"
    if whole.rate is None or whole.low is None or whole.high is None:
        return f"The error of accepted cells is not known yet: {looked}; {whole.reason}."
    told = f"{_share(whole.rate)} of the accepted cells are wrong (95 % interval {_share(whole.low)} to "
    told += f"{_share(whole.high)}): {whole.wrong:,} wrong of {whole.checked:,}, {looked}."
    if whole.unclear and whole.worst is not None:
        told += f" Of {whole.unclear:,} nobody could tell; were all of them wrong, it would be {_share(whole.worst)}."
    return told


def drawn_line(found: Quality) -> str:
    """Which sample that is, and how long it took."""
    of = found.sample
    spent = f", {duration(found.active_ms)} of checking" if found.active_ms else ""
    made = f"drawn {of.drawn_at[:10]} by {of.drawn_by} with seed {of.seed}"
    return f"Sample {of.id} of {of.population:,} accepted cells, {made}{spent}."


def lines(found: Quality) -> Iterator[str]:
    """The same as text."""
    yield drawn_line(found)
    yield headline(found)
    for cells in rows(found)[1][1:]:
        name, population, drawn, checked, wrong, unclear, rate, between = (cell.text for cell in cells)
        told = f"{name}: {wrong} wrong of {checked} ({unclear} cannot tell, {drawn} drawn of {population})"
        yield f"{told}, {rate} {f'({between})' if between else ''}".rstrip()


def _row(name: str, rate: ErrorRate, drawn: int) -> list[Shown]:
    known = rate.low is not None and rate.high is not None
    between = f"{_share(rate.low)} to {_share(rate.high)}" if known else ""
    numbers = (rate.population, drawn, rate.checked, rate.wrong, rate.unclear)
    told = _share(rate.rate) if known else "too few"
    return [Shown(name), *(Shown(f"{number:,}") for number in numbers), Shown(told), Shown(between)]


def _share(rate: float | None) -> str:
    """Errors are rare: two decimals under one percent."""
    return f"{100 * rate:.2f} %" if rate is not None and 0 < rate < 0.01 else percent(rate)
