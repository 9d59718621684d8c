"""What the review shows and tells of seeded errors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from review_app import review_view
from review_app.wording import count
from store.comparison import Comparison
from store.seeded import Outcome, Seed
from store.seeded_edits import Met


def first_text(comparison: Comparison, errors: Mapping[tuple[int, int], Seed]) -> str | None:
    """The first extraction as JSON text; a cell that shows an error shows it there, too, or the two would differ."""
    if not errors or comparison.first is None:
        return review_view.first_text(comparison)
    made = review_view.first_extraction(comparison)
    assert made is not None
    rows, cols = dict(comparison.alignment.rows), dict(comparison.alignment.cols)
    shown = {(rows[row], cols[col]): seed.shown for (row, col), seed in errors.items() if row in rows and col in cols}
    for cell in made["cells"]:
        cell["text"] = shown.get((cell["row"], cell["col"]), cell["text"])
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def met_json(met: Met) -> dict[str, Any]:
    """What some edits met, in words for the person; the table has to be read anew."""
    outcomes = [(seed, outcome) for seed, outcome, _ in met.outcomes.values()]
    return {"words": _words(outcomes), **Counter(outcome for _, outcome in outcomes)}


def missed_json(missed: Sequence[Seed]) -> dict[str, Any]:
    """The errors with which a table was accepted, in words for the person."""
    return {"words": _words([(seed, "missed") for seed in missed]), "missed": len(missed)}


def withdrawn_words(seeds: Sequence[Seed]) -> str:
    """Why edits were refused that rested on errors, and what to do."""
    return (
        f"These edits rested on {count(len(seeds), 'planted error')} ({_values(seeds)}). "
        "The value as read is back: look at it, and make the edit again if it is still right."
    )


def _words(outcomes: Sequence[tuple[Seed, Outcome]]) -> str:
    by: dict[str, list[Seed]] = {}
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
        told.append("The value as read is back: look at it once more.")
    elif missed:
        told.append("Gold holds the value as read; look closer next time.")
    return " ".join(told) or "A value that only a planted error showed was not copied."


def _values(seeds: Sequence[Seed]) -> str:
    return ", ".join(f"\u201c{seed.shown}\u201d for \u201c{seed.truth}\u201d" for seed in seeds[:3])
