"""Rows and columns of cells that are known by their boxes only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from store.formats.grid_lines import Sides

# A cell belongs to the lines that it covers by this share of them, or that cover it so.
_COVERED = 0.5
_TOUCHED = 0.1
MOST_CELLS = 4000


@dataclass
class _Line:
    """A row or column: the stretch of the cells that are in it alone."""

    start: float
    end: float

    def overlap(self, start: float, end: float) -> float:
        return max(0.0, min(self.end, end) - max(self.start, start))

    def distance(self, start: float, end: float) -> float:
        return max(0.0, self.start - end, start - self.end)


def laid_out(boxes: Sequence[Sides]) -> list[tuple[int, int, int, int]]:
    """Row, column, row span and column span of each box; at most MOST_CELLS of them.

    Short cells make the rows and columns; a longer one that covers two of them by half spans both.
    """
    across = _placed([(left, right) for left, _, right, _ in boxes])
    down = _placed([(top, bottom) for _, top, _, bottom in boxes])
    return [(row, col, tall, wide) for (row, tall), (col, wide) in zip(down, across, strict=True)]


def _placed(stretches: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """First line and number of lines of each stretch."""
    lines: list[_Line] = []
    for start, end in sorted(stretches, key=lambda stretch: stretch[1] - stretch[0]):
        hits = [line for line in lines if _meet(line, start, end)]
        if not hits:
            lines.append(_Line(start, end))
        elif len(hits) == 1:
            (line,) = hits
            others = [other for other in lines if other is not line and other.overlap(start, end) > 0]
            if not others:
                line.start, line.end = min(line.start, start), max(line.end, end)
    lines.sort(key=lambda line: line.start + line.end)
    kept: list[_Line] = []
    for line, after in zip(lines, [*lines[1:], None], strict=True):
        # Beside what is left: of a chain of lines that overlap a little not each may be between its neighbours.
        if not (kept and after and _is_between(kept[-1], line, after)):
            kept.append(line)
    lines = kept
    placed = []
    for start, end in stretches:
        numbers = [number for number, line in enumerate(lines) if _meet(line, start, end)]
        if not numbers:
            numbers = [number for number, line in enumerate(lines) if line.overlap(start, end) > 0]
        if not numbers:  # its line was between two others that it does not reach itself
            numbers = [min(range(len(lines)), key=lambda number: lines[number].distance(start, end))]
        placed.append((numbers[0], numbers[-1] - numbers[0] + 1))
    return placed


def _is_between(before: _Line, line: _Line, after: _Line) -> bool:
    """Whether a line reaches into both its neighbours, which are apart: its cells stand at the middle of the two."""
    reach = _TOUCHED * (line.end - line.start)
    return (
        before.end <= after.start
        and before.overlap(line.start, line.end) > reach
        and after.overlap(line.start, line.end) > reach
    )


def _meet(line: _Line, start: float, end: float) -> bool:
    shorter = min(line.end - line.start, end - start)
    return line.overlap(start, end) >= _COVERED * shorter and line.start <= end and start <= line.end
