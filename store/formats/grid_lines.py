"""Cells by their boxes: the rows and columns that begin where cells begin, and how many of them each cell covers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

Sides = tuple[float, float, float, float]  # left, top, right, bottom in one unit


def starts(values: Iterable[float], tolerance: float) -> tuple[float, ...]:
    """Where lines begin, in order; values closer than the tolerance to the one before are of one line."""
    found: list[float] = []
    last = float("-inf")
    for value in sorted(values):
        if value - last > tolerance:
            found.append(value)
        last = value
    return tuple(found)


def line_of(lines: Sequence[float], value: float, tolerance: float) -> int:
    """The line that begins at a value or last before it."""
    return max(0, bisect_right(lines, value + tolerance) - 1)


def reach(lines: Sequence[float], start: int, end: float, tolerance: float) -> int:
    """How many lines from ``start`` on begin before ``end``, at least 1."""
    return max(1, bisect_left(lines, end - tolerance) - start)
