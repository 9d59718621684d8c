"""Slow and obvious implementations that the fast ones are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from scoring.alignment.align import Alignment
from scoring.metrics.tlag import normalise
from scoring.reading.html_grid import Placed, parse, running_spans, tree_walk, whole_number
from scoring.table import Table


def distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Levenshtein distance by the textbook recurrence."""
    before = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        now = [i]
        for j, right in enumerate(other, 1):
            now.append(min(before[j] + 1, now[j - 1] + 1, before[j - 1] + (left != right)))
        before = now
    return before[-1]


def similarity(one: Sequence[str], other: Sequence[str]) -> float:
    longest = max(len(one), len(other))
    return 1.0 if not longest else 1 - distance(one, other) / longest


def row_similarity(gold: Sequence[str], pred: Sequence[str]) -> float:
    """The mean of the squared similarities over columns in which either side has a text."""
    told = [(g, p) for g, p in zip(gold, pred, strict=True) if g or p]
    return sum(similarity(g, p) ** 2 for g, p in told) / len(told) if told else 1.0


def best_total(gold: Sequence[Sequence[str]], pred: Sequence[Sequence[str]], least: float) -> float:
    """The largest sum of allowed row similarities over all ways to pair rows; tries every one."""
    if len(gold) > len(pred):
        gold, pred = pred, gold
    best = 0.0
    for chosen in permutations(range(len(pred)), len(gold)):
        values = [row_similarity(row, pred[at]) for row, at in zip(gold, chosen, strict=True)]
        best = max(best, sum(value for value in values if value >= least))
    return best


def counts(gold: Table, pred: Table, alignment: Alignment) -> tuple[int, int, int, int]:
    """Matched, predicted, expected and verbatim cells of tables of plain texts, cell by cell."""

    def values(table: Table) -> dict[tuple[int, int], str]:
        return {(cell.row, cell.col): cell.text for cell in table.cells if cell.text.split()}

    expected, predicted = values(gold), values(pred)
    rows, cols = dict(alignment.rows), dict(alignment.cols)
    matched = verbatim = 0
    for (row, col), text in expected.items():
        other = predicted.get((rows.get(row, -1), cols.get(col, -1)))
        matched += other is not None and " ".join(other.split()) == " ".join(text.split())
        verbatim += other == text
    return matched, len(predicted), len(expected), verbatim


def tlag_f1(gold: str, pred: str) -> float:
    """T-LAG with every pair of edges in one assignment; the positions are those of ``running_spans``."""

    def edges(html: str) -> list[tuple[str, str, str]]:
        covering, texts = running_spans(html)
        found = {
            (source, target, direction)
            for (row, col), source in covering.items()
            for direction, place in (("right", (row, col + 1)), ("below", (row + 1, col)))
            if (target := covering.get(place)) is not None and target != source
        }
        return [(normalise(texts[source]), normalise(texts[target]), way) for source, target, way in found]

    def first(html: str) -> str:
        texts = running_spans(html)[1]
        return normalise(texts[0]) if texts else ""

    def psi(one: str, other: str) -> float:
        return similarity(one, other) ** 7

    expected, predicted = edges(gold), edges(pred)
    if not expected and not predicted:
        return psi(first(gold), first(pred))
    if not expected or not predicted:
        return 0.0
    weights = np.array(
        [[psi(a, c) * psi(b, d) if way == other else 0.0 for c, d, other in predicted] for a, b, way in expected]
    )
    total = weights[linear_sum_assignment(weights, maximize=True)].sum()
    return float(2 * total / (len(expected) + len(predicted)))


def teds(gold: str, pred: str) -> float:
    """TEDS as IBM's program computes it, with the tree distance by the plain recurrence over forests."""

    def tree(node: Any) -> tuple[Any, ...]:
        if node.tag == "td":
            return ("td", node.get("colspan", "1"), node.get("rowspan", "1"), tuple(tokens(node))[1:-1]), ()
        return (node.tag, "1", "1", ()), tuple(tree(child) for child in node)

    def tokens(node: Any) -> list[str]:
        found = [f"<{node.tag}>", *(node.text or "")]
        for child in node:
            found += tokens(child)
        return [*found, f"</{node.tag}>", *((node.tail or "") if node.tag != "td" else "")]

    def rename(one: Any, other: Any) -> float:
        spans = [[whole_number(each) for each in label[1:3]] for label in (one, other)]
        if one[0] != other[0] or spans[0] != spans[1]:
            return 1.0
        return 1 - similarity(one[3], other[3])

    @cache
    def between(one: tuple[Any, ...], other: tuple[Any, ...]) -> float:
        if not one or not other:
            return float(sum(size(each) for each in one + other))
        (*before, (label, inside)), (*beside, (name, within)) = one, other
        return min(
            between((*before, *inside), other) + 1,
            between(one, (*beside, *within)) + 1,
            between(tuple(before), tuple(beside)) + between(inside, within) + rename(label, name),
        )

    def size(node: tuple[Any, ...]) -> int:
        return 1 + sum(size(child) for child in node[1])

    tables = [parse(each).find("body/table") for each in (gold, pred)]
    if None in tables:
        return 0.0
    nodes = max(len(each.xpath(".//*")) for each in tables)
    return 1 - between((tree(tables[0]),), (tree(tables[1]),)) / nodes if nodes else 1.0


def grits(gold: str, pred: str, *, part: str, mode: str) -> tuple[float, float]:
    """The sum of similarities at aligned positions and its upper bound, every reward computed when it is needed."""

    def lines(html: str) -> list[list[Any]]:
        grid = tree_walk(html, browser_spans=mode == "kg")
        found: list[list[Any]] = []
        for row, line in enumerate(grid.covering if grid else ()):
            found.append([])
            for col, index in enumerate(line):
                cell = grid.cells[index] if grid and index >= 0 else Placed(row, col, 1, 1, ())
                span = (cell.col - col, cell.row - row, cell.col - col + cell.col_span, cell.row - row + cell.row_span)
                found[-1].append(" ".join(cell.texts) if part == "content" else span)
        return found

    def reward(one: Any, other: Any) -> float:
        if part == "content":
            if mode == "ms-2023":
                return SequenceMatcher(None, one, other).ratio()
            return 2 * subsequence(one, other) / len(one + other) if one != other else 1.0
        sides = [(max(one[at], other[at]), min(one[at + 2], other[at + 2])) for at in (0, 1)]
        common = float(np.prod([max(high - low, 0) for low, high in sides]))
        areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
        hull = [max(one[at + 2], other[at + 2]) - min(one[at], other[at]) for at in (0, 1)]
        return common / (hull[0] * hull[1] if mode == "ms-2023" else sum(areas) - common)

    def best(one: Sequence[Any], other: Sequence[Any], score: Any) -> tuple[float, list[tuple[int, int]]]:
        table = [[0.0] * (len(other) + 1) for _ in range(len(one) + 1)]
        kept = {}
        for i, left in enumerate(one):
            for j, right in enumerate(other):
                kept[i, j] = table[i][j] + score(left, right)
                table[i + 1][j + 1] = max(kept[i, j], table[i][j + 1], table[i + 1][j])
        i, j, pairs = len(one), len(other), []
        while i and j:
            if kept[i - 1, j - 1] == table[i][j]:
                i, j = i - 1, j - 1
                pairs.append((i, j))
            elif table[i - 1][j] == table[i][j]:
                i -= 1
            else:
                j -= 1
        return table[-1][-1], pairs[::-1]

    def best_lines(one: list[Any], other: list[Any]) -> tuple[float, list[tuple[int, int]]]:
        return best(one, other, lambda left, right: best(left, right, reward)[0])

    expected, predicted = lines(gold), lines(pred)
    if not expected or not predicted:
        return 0.0, 0.0
    shapes = [(len(each), len(each[0])) for each in (expected, predicted)]
    if mode == "kg" and shapes[0] == shapes[1]:
        flat = sum(
            reward(*cells) for rows in zip(expected, predicted, strict=True) for cells in zip(*rows, strict=True)
        )
        if flat >= (max(shapes[0]) - 1) * min(shapes[0]):
            return flat, flat
    by_rows, rows = best_lines(expected, predicted)
    if mode == "kg" and shapes[0][1] == shapes[1][1]:
        flat = sum(reward(*cells) for i, k in rows for cells in zip(expected[i], predicted[k], strict=True))
        if flat >= len(rows) * shapes[0][1] - 1:
            return flat, flat
    by_cols, cols = best_lines([*zip(*expected, strict=True)], [*zip(*predicted, strict=True)])
    return sum(reward(expected[i][j], predicted[k][m]) for i, k in rows for j, m in cols), min(by_rows, by_cols)


def subsequence(one: str, other: str) -> int:
    """The length of the longest common subsequence, by the textbook recurrence."""
    before = [0] * (len(other) + 1)
    for left in one:
        now = [0]
        for at, right in enumerate(other):
            now.append(before[at] + 1 if left == right else max(now[at], before[at + 1]))
        before = now
    return before[-1]
