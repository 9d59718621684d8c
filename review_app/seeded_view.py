"""What the review shows and tells of seeded errors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from review_app import review_view
from review_app.wording import count
from store.comparison import Comparison
from store.edits import Sheet
from store.seeded import Outcome, Seed, with_errors
from store.seeded_edits import Met
from store.seeded_rows import RowSeed, Standing

# So many errors are named in a message.
MOST_NAMED = 3
ROW_WORDS = {
    "shifted row": "a row with its values one column further",
    "dropped row": "the last row left out",
    "merged rows": "the last two rows as one",
}


def shown_sheet(sheet: Sheet, errors: Mapping[tuple[int, int], Seed], rows: Standing | None) -> Sheet:
    """The sheet as it is shown."""
    shown = with_errors(sheet, errors)
    return rows.shown(shown) if rows else shown


def refreshed(comparison: Comparison, rows: Standing | None) -> dict[str, Any]:
    """What changes with every edit, without a row that does not show."""
    fresh = review_view.refreshed(comparison)
    if rows is None or rows.hidden is None:
        return fresh
    fresh["aligned"]["rows"] = [line for line in fresh["aligned"]["rows"] if line["gold"] != rows.hidden]
    for part in ("doubts", "findings"):
        fresh[part] = [one for one in fresh[part] if one["row"] != rows.hidden]
    return fresh


def first_text(
    comparison: Comparison, errors: Mapping[tuple[int, int], Seed], rows: Standing | None = None
) -> str | None:
    """The first extraction as JSON text; what shows an error shows it there, too, or the two would differ."""
    if not (errors or rows) or comparison.first is None:
        return review_view.first_text(comparison)
    made = review_view.first_extraction(comparison)
    assert made is not None
    match, cols = dict(comparison.alignment.rows), dict(comparison.alignment.cols)
    shown = {(match[row], cols[col]): seed.shown for (row, col), seed in errors.items() if row in match and col in cols}
    for cell in made["cells"]:
        cell["text"] = shown.get((cell["row"], cell["col"]), cell["text"])
    if rows is not None:
        _show_rows(made, rows, match, cols)
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def _show_rows(made: dict[str, Any], rows: Standing, match: Mapping[int, int], cols: Mapping[int, int]) -> None:
    other = {(match[row], cols[col]): cell.to_json() for (row, col), cell in rows.cells.items()}
    for cell in made["cells"]:
        if found := other.get((cell["row"], cell["col"])):
            cell["text"], cell["box"] = found["text"], found.get("box")
    if rows.hidden is None:
        return
    gone = match[rows.hidden]
    made["n_rows"] -= 1
    for part in ("cells", "badges"):
        made[part] = [one for one in made[part] if one["row"] != gone]


def met_json(met: Met) -> dict[str, Any]:
    """What some edits met, in words for the person; the table has to be read anew."""
    outcomes = [(seed, outcome) for seed, outcome, _ in met.outcomes.values()]
    return {"words": _words(outcomes), **Counter(outcome for _, outcome in outcomes)}


def missed_json(missed: Sequence[Seed | RowSeed]) -> dict[str, Any]:
    """The errors with which a table was accepted, in words for the person."""
    return {"words": _words([(seed, "missed") for seed in missed]), "missed": len(missed)}


def withdrawn_words(seeds: Sequence[Seed | RowSeed]) -> str:
    """Why edits were refused that rested on errors, and what to do."""
    return (
        f"These edits rested on {count(len(seeds), 'planted error')} ({_values(seeds)}). "
        "The table as read is back: look at it, and make the edit again if it is still right."
    )


def _words(outcomes: Sequence[tuple[Seed | RowSeed, Outcome]]) -> str:
    by: dict[str, list[Seed | RowSeed]] = {}
    for seed, outcome in outcomes:
        by.setdefault(outcome, []).append(seed)
    told = []
    if caught := by.get("caught"):
        told.append(f"Well seen: {count(len(caught), 'planted error')} caught ({_values(caught)}).")
    if missed := by.get("missed"):
        told.append(f"{count(len(missed), 'planted error').capitalize()} passed ({_values(missed)}).")
    if withdrawn := by.get("withdrawn"):
        told.append(f"{count(len(withdrawn), 'planted error').capitalize()} stood there ({_values(withdrawn)}).")
    if caught or withdrawn:
        is_row = any(isinstance(seed, RowSeed) for seed, outcome in outcomes if outcome != "missed")
        told.append(f"The {'table' if is_row else 'value'} as read is back: look at it once more.")
    elif missed:
        told.append("Gold holds the value as read; look closer next time.")
    return " ".join(told) or "A value that only a planted error showed was not copied."


def _values(seeds: Sequence[Seed | RowSeed]) -> str:
    """What the errors were: that of rows first, as nothing in the table points to it."""
    ordered = sorted(seeds, key=lambda seed: not isinstance(seed, RowSeed))
    named = [
        ROW_WORDS[seed.kind] if isinstance(seed, RowSeed) else f"\u201c{seed.shown}\u201d for \u201c{seed.truth}\u201d"
        for seed in ordered[:MOST_NAMED]
    ]
    more = len(ordered) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")
