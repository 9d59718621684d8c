"""GriTS: similarity of two grids by content, topology or location, rows and columns aligned one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from rapidfuzz.distance import LCSseq

from scoring.metrics.kernels import align_lines, expect_affordable, run
from scoring.metrics.overlap import Overlap
from scoring.metrics.ratcliff import similarities
from scoring.reading.html_grid import Grid, tree_walk
from scoring.text_pairs import Matrix, all_pairs, expect_few

Mode = Literal["ms-2023", "kg"]
Rectangle = tuple[float, float, float, float]
Ids = np.ndarray[tuple[int, int], np.dtype[np.int64]]
_HOLE_TEXT, _HOLE_SPAN, _HOLE_BOX = "", (0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Grits:
    """Similarity of the aligned positions, and what aligns: pairs of (gold, prediction) rows and columns.

    The alignment is found row-wise and column-wise apart, so that the value is a lower bound of the best one;
    ``upper`` is an upper bound.
    """

    overlap: Overlap
    upper: Overlap
    rows: tuple[tuple[int, int], ...]
    cols: tuple[tuple[int, int], ...]

    @property
    def precision(self) -> float:
        """Similarity / positions of the prediction, 0..1; 1 where it has none."""
        return self.overlap.precision

    @property
    def recall(self) -> float:
        """Similarity / positions of gold, 0..1; 1 where it has none."""
        return self.overlap.recall

    @property
    def f1(self) -> float:
        """2PR / (P + R), 0..1."""
        return self.overlap.f1

    def to_json(self) -> dict[str, Any]:
        """The three ratios."""
        return self.overlap.to_json()


@dataclass(frozen=True, slots=True)
class LocatedCell:
    """The rows and columns that a cell covers, and its box x0, y0, x1, y1 in any unit."""

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    box: Rectangle


def grits_con(gold: str, pred: str, *, mode: Mode = "ms-2023") -> Grits:
    """GriTS-Con of the first tables of two HTML documents: how alike the texts at aligned positions are.

    ``mode="ms-2023"`` gives the values of Microsoft's ``grits.py`` of 2023 (Smock et al., arXiv:2203.12555): texts
    are compared by difflib, which depends on their order and leaves out frequent characters of long ones.
    ``mode="kg"`` gives those of grits-metric 0.7 (2026): longest common subsequence, and alignment ends early where
    it cannot gain. A document without a table is a table without cells, a hole an empty cell; Microsoft's program
    fails on both. Raises TooLargeError.
    """
    return _of_html(gold, pred, _contents, mode)


def grits_texts(gold: Sequence[Sequence[str]], pred: Sequence[Sequence[str]], *, mode: Mode = "kg") -> Grits:
    """GriTS-Con of two grids of texts, each a list of rows of one length; a position without a text is "".

    Raises TooLargeError.
    """
    (ids_gold, texts_gold), (ids_pred, texts_pred) = _numbered(gold), _numbered(pred)
    if texts_gold == texts_pred and np.array_equal(ids_gold, ids_pred):
        return _result(ids_gold, ids_pred, ids_gold.size, ids_gold.size, *map(_same, ids_gold.shape))
    expect_affordable(ids_gold.size * ids_pred.size)
    return _aligned(ids_gold, ids_pred, _alike(texts_gold, texts_pred, mode), mode)


def grits_top(gold: str, pred: str, *, mode: Mode = "ms-2023") -> Grits:
    """GriTS-Top of the first tables of two HTML documents: how alike the spans around aligned positions are.

    Each position has the rectangle of its cell relative to it. Two rectangles are compared by their intersection
    over the hull of both (ms-2023) or over their union (kg); else as ``grits_con``. Raises TooLargeError.
    """
    return _of_html(gold, pred, _spans, mode)


def grits_loc(gold: Iterable[LocatedCell], pred: Iterable[LocatedCell], *, mode: Mode = "ms-2023") -> Grits:
    """GriTS-Loc of two tables with boxes: how alike the boxes of the cells at aligned positions are.

    Boxes are compared as in ``grits_top``; in mode ms-2023 coordinates are rounded to 32 bits as PyMuPDF does.
    Raises TooLargeError.
    """
    (ids_gold, boxes_gold), (ids_pred, boxes_pred) = _located(gold), _located(pred)
    expect_affordable(ids_gold.size * ids_pred.size)
    return _aligned(ids_gold, ids_pred, _overlaps(boxes_gold, boxes_pred, mode=mode, single=mode == "ms-2023"), mode)


def _of_html(gold: str, pred: str, part: Callable[[Grid], tuple[Ids, list[Any]]], mode: Mode) -> Grits:
    (ids_gold, entries_gold), (ids_pred, entries_pred) = (
        part(tree_walk(html, browser_spans=mode == "kg") or Grid(0, 0, ())) for html in (gold, pred)
    )
    if entries_gold == entries_pred and np.array_equal(ids_gold, ids_pred):  # the identity alone aligns all
        return _result(ids_gold, ids_pred, ids_gold.size, ids_gold.size, *map(_same, ids_gold.shape))
    expect_affordable(ids_gold.size * ids_pred.size)
    if part is _spans:
        return _aligned(ids_gold, ids_pred, _overlaps(entries_gold, entries_pred, mode=mode), mode)
    return _aligned(ids_gold, ids_pred, _alike(entries_gold, entries_pred, mode), mode)


def _contents(grid: Grid) -> tuple[Ids, list[str]]:
    texts = {_HOLE_TEXT: 0}
    number = [texts.setdefault(" ".join(cell.texts), len(texts)) for cell in grid.cells]
    ids = [[number[cell] if cell >= 0 else 0 for cell in row] for row in grid.covering]
    return _array(ids, grid.n_cols), list(texts)


def _numbered(rows: Sequence[Sequence[str]]) -> tuple[Ids, list[str]]:
    texts = {_HOLE_TEXT: 0}
    ids = [[texts.setdefault(text, len(texts)) for text in row] for row in rows]
    return _array(ids, len(rows[0]) if rows else 0), list(texts)


def _spans(grid: Grid) -> tuple[Ids, list[Rectangle]]:
    spans: dict[Rectangle, int] = {_HOLE_SPAN: 0}
    ids = []
    for row, line in enumerate(grid.covering):
        numbers = []
        for col, index in enumerate(line):
            cell = grid.cells[index]
            if index < 0 or cell.row_span == cell.col_span == 1:
                numbers.append(0)
                continue
            left, top = cell.col - col, cell.row - row
            numbers.append(spans.setdefault((left, top, left + cell.col_span, top + cell.row_span), len(spans)))
        ids.append(numbers)
    return _array(ids, grid.n_cols), list(spans)


def _located(cells: Iterable[LocatedCell]) -> tuple[Ids, list[Rectangle]]:
    cells = list(cells)
    boxes: dict[Rectangle, int] = {_HOLE_BOX: 0}
    n_rows = max((max(cell.rows) + 1 for cell in cells), default=0)
    n_cols = max((max(cell.cols) + 1 for cell in cells), default=0)
    ids = np.zeros((n_rows, n_cols), np.int64)
    for cell in cells:
        ids[np.ix_(cell.rows, cell.cols)] = boxes.setdefault(cell.box, len(boxes))
    return ids, list(boxes)


def _array(ids: Sequence[Sequence[int]], n_cols: int) -> Ids:
    return np.array(ids, dtype=np.int64).reshape(len(ids), n_cols)


def _alike(gold: Sequence[str], pred: Sequence[str], mode: Mode) -> Matrix:
    if mode == "ms-2023":
        return similarities(gold, pred)
    common = all_pairs(gold, pred, LCSseq.similarity)
    lengths = np.add.outer([len(text) for text in gold], [len(text) for text in pred])
    return np.divide(2.0 * common, lengths, out=np.ones_like(common), where=lengths > 0)


def _overlaps(gold: Sequence[Rectangle], pred: Sequence[Rectangle], *, mode: Mode, single: bool = False) -> Matrix:
    """Intersection of rectangles over the hull (ms-2023) or the union (kg) of both; 0 where they do not overlap."""
    expect_few(gold, pred)
    kind = np.float32 if single else np.float64
    one, other = np.array(gold, kind)[:, None, :], np.array(pred, kind)[None, :, :]
    low, high = np.maximum(one[..., :2], other[..., :2]), np.minimum(one[..., 2:], other[..., 2:])
    common = np.where((high > low).all(axis=-1), _area(low, high), 0.0)
    if mode == "kg":
        whole = _area(one[..., :2], one[..., 2:]) + _area(other[..., :2], other[..., 2:]) - common
    else:
        hull = np.minimum(one[..., :2], other[..., :2]), np.maximum(one[..., 2:], other[..., 2:])
        whole = _area(*hull)
    shares: Matrix = np.divide(common, whole, out=np.zeros_like(common), where=common > 0)
    return shares


def _area(low: Any, high: Any) -> Any:
    sides = high.astype(np.float64) - low.astype(np.float64)
    return sides[..., 0] * sides[..., 1]


def _aligned(gold: Ids, pred: Ids, similarity: Matrix, mode: Mode) -> Grits:
    if mode == "kg" and gold.shape == pred.shape:
        matched = _total(similarity[gold, pred])
        if matched >= (max(gold.shape) - 1) * min(gold.shape):
            return _result(gold, pred, matched, matched, _same(len(gold)), _same(gold.shape[1]))
    by_rows, rows = _align(gold, pred, similarity)
    if mode == "kg" and gold.shape[1] == pred.shape[1]:
        matched = _total(similarity[gold[[row for row, _ in rows]], pred[[row for _, row in rows]]])
        if matched >= len(rows) * gold.shape[1] - 1:
            return _result(gold, pred, matched, matched, rows, _same(gold.shape[1]))
    by_cols, cols = _align(gold.T, pred.T, similarity)
    of_gold = gold[np.ix_([row for row, _ in rows], [col for col, _ in cols])]
    of_pred = pred[np.ix_([row for _, row in rows], [col for _, col in cols])]
    return _result(gold, pred, _total(similarity[of_gold, of_pred]), min(by_rows, by_cols), rows, cols)


def _result(
    gold: Ids, pred: Ids, matched: float, most: float, rows: Sequence[tuple[int, int]], cols: Sequence[tuple[int, int]]
) -> Grits:
    def overlap(value: float) -> Overlap:
        return Overlap(value, pred.size, gold.size, of_nothing=1.0)

    return Grits(overlap(matched), overlap(most), tuple(rows), tuple(cols))


def _same(length: int) -> list[tuple[int, int]]:
    return [(at, at) for at in range(length)]


def _total(values: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """The sum, added up one after the other as the reference programs do; ``sum`` rounds otherwise."""
    return float(np.cumsum(values)[-1]) if values.size else 0.0


def _align(gold: Ids, pred: Ids, similarity: Matrix) -> tuple[float, list[tuple[int, int]]]:
    """The score of the best alignment of rows, each pair by its best alignment of cells, and the pairs of rows."""
    (lines_gold, wide_gold), (lines_pred, wide_pred) = gold.shape, pred.shape
    most = min(lines_gold, lines_pred)
    score, count, of_gold, of_pred = run(
        align_lines,
        gold.size * pred.size,
        lines_gold,
        wide_gold,
        lines_pred,
        wide_pred,
        np.ascontiguousarray(gold).ravel(),
        np.ascontiguousarray(pred).ravel(),
        similarity.ravel(),
        similarity.shape[1],
        np.zeros((lines_gold + 1) * (lines_pred + 1)),
        np.zeros(lines_gold * lines_pred, np.int64),
        np.zeros(wide_pred + 1),
        np.zeros(wide_pred + 1),
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
    )
    pairs = [(int(of_gold[at]), int(of_pred[at])) for at in range(count)]
    return float(score), pairs[::-1]
