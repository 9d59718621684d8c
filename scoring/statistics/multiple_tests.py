"""P-values of many tests at once, adjusted: Holm for a gate, Benjamini-Hochberg for a list to look at."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """The p-values adjusted so that any false alarm at all is rarer than the limit, 0..1, in the given order.

    For the question "did any field get worse?". A test without a p-value (None) stays None and counts for none.
    Holm, "A simple sequentially rejective multiple test procedure", 1979. Raises ValueError for a
    p-value outside 0..1.
    """
    ranked = _ranked(p_values)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p_value, place) in enumerate(ranked):
        highest = max(highest, min(1.0, p_value * (len(ranked) - rank)))
        adjusted[place] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """The p-values adjusted so that the share of false alarms among all alarms is expected under the limit.

    For a list of fields to look at; 0..1, in the given order, None as in ``holm``. Benjamini and Hochberg,
    "Controlling the false discovery rate", JRSS B 57, 1995. Raises ValueError for a p-value outside 0..1.
    """
    ranked = _ranked(p_values)
    adjusted: list[float | None] = [None] * len(p_values)
    lowest = 1.0
    for rank, (p_value, place) in reversed(list(enumerate(ranked, start=1))):
        lowest = min(lowest, p_value * len(ranked) / rank)
        adjusted[place] = lowest
    return adjusted


def _ranked(p_values: Sequence[float | None]) -> list[tuple[float, int]]:
    """The p-values that there are with their places, lowest first."""
    ranked = sorted((p_value, place) for place, p_value in enumerate(p_values) if p_value is not None)
    for p_value, place in ranked:
        if not 0 <= p_value <= 1:
            raise ValueError(f"p-value {p_value} at place {place}, expected 0 to 1")
    return ranked
