"""Slow and obvious row, cell and record metrics that the fast ones are compared with."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import permutations

from rapidfuzz.fuzz import ratio

from scoring.alignment.row_similarity import Texts
from scoring.metrics.record_score import record_text
from scoring.schema import Column
from scoring.table import Table
from scoring.values.reader import is_null, read, same


def cells_similarity(gold: Sequence[str], pred: Sequence[str], columns: Sequence[Column]) -> float:
    """The share by weight of the cells that are equal, of those that either row has."""
    equal = told = 0.0
    for one, other, column in zip(gold, pred, columns, strict=True):
        if one or other:
            told += column.weight
            equal += column.weight * same(read(one, column), read(other, column), column)
    return equal / told if told else 1.0


def every(gold: Texts, pred: Texts, columns: Sequence[Column]) -> list[list[float]]:
    return [[cells_similarity(row, other, columns) for other in pred] for row in gold]


def blanked(rows: Sequence[Sequence[str]], columns: Sequence[Column]) -> Texts:
    """Rows as the alignment holds them: an absent value is the empty text."""
    return tuple(
        tuple("" if is_null(text, column) else text for text, column in zip(row, columns, strict=True)) for row in rows
    )


def line(table: Table, row: int) -> list[str]:
    """The normalised texts of a row without the empty ones at its end; a merged cell at each position."""
    texts = [" ".join(table.text_at(row, col).split()) for col in range(table.n_cols)]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def lines(table: Table) -> list[list[str]]:
    return [found for row in range(table.n_rows) if (found := line(table, row))]


def texts(table: Table) -> list[str]:
    return [text for cell in table.cells if (text := " ".join(cell.text.split()))]


def in_common(gold: Iterable[Hashable | list[str]], pred: Iterable[Hashable | list[str]]) -> tuple[int, int, int]:
    """Matched, predicted, expected: each gold thing takes one away that is equal to it."""
    left, predicted, expected, matched = list(pred), len(list(pred)), len(list(gold)), 0
    for thing in gold:
        if thing in left:
            left.remove(thing)
            matched += 1
    return matched, predicted, expected


def rows_positional(gold: Table, pred: Table) -> tuple[int, int, int]:
    equal = sum(bool(line(gold, row)) and line(gold, row) == line(pred, row) for row in range(gold.n_rows))
    return equal, len(lines(pred)), len(lines(gold))


def cells_positional(gold: Table, pred: Table) -> tuple[int, int, int]:
    equal = sum(
        bool(one.text.split()) and one.text.split() == other.text.split()
        for one in gold.cells
        for other in pred.cells
        if (one.row, one.col) == (other.row, other.col)
    )
    return equal, len(texts(pred)), len(texts(gold))


def relations(table: Table) -> list[Hashable]:
    """Pairs of texts that stand in one row (column) with nothing but blank between them, for every pair of cells."""
    told = [cell for cell in table.cells if cell.text.split()]
    found = []
    for one in told:
        for other in told:
            for direction, across, along in (("right", "rows", "cols"), ("below", "cols", "rows")):
                start, end = getattr(one, along)[-1], getattr(other, along)[0]
                shared = set(getattr(one, across)) & set(getattr(other, across))
                if start < end and any(
                    all(
                        not table.text_at(*((lane, at) if direction == "right" else (at, lane))).split()
                        for at in range(start + 1, end)
                    )
                    for lane in shared
                ):
                    found.append((" ".join(one.text.split()), " ".join(other.text.split()), direction))
    return found


def records(gold: Table, pred: Table, names: tuple[Sequence[str], Sequence[str]], header: int) -> float:
    """The score of records of tables with that many header rows and these names of columns; tries every pairing."""

    def rows(table: Table) -> list[list[str]]:
        found = [
            [record_text(table.text_at(row, col)) for col in range(table.n_cols)] for row in range(header, table.n_rows)
        ]
        return [row for row in found if any(row)]

    def best(many: int, few: int, worth: list[list[float]]) -> tuple[float, list[tuple[int, int]]]:
        choices = [
            [(at, other) for at, other in zip(chosen, range(few), strict=True) if worth[at][other] > 0]
            for chosen in permutations(range(many), few)
        ]
        totals = [sum(worth[at][other] for at, other in choice) for choice in choices]
        return max(totals), choices[totals.index(max(totals))]

    def assigned(worth: list[list[float]]) -> tuple[float, list[tuple[int, int]]]:
        if not worth or not worth[0]:
            return 0.0, []
        if len(worth) >= len(worth[0]):
            return best(len(worth), len(worth[0]), worth)
        total, pairs = best(len(worth[0]), len(worth), [list(lane) for lane in zip(*worth, strict=True)])
        return total, [(one, other) for other, one in pairs]

    alike = [[ratio(one, other) / 100 for other in names[1]] for one in names[0]]
    _, columns = assigned([[value if value >= 0.9 else 0.0 for value in lane] for lane in alike])
    union = gold.n_cols + pred.n_cols - len(columns)
    one, other = rows(gold), rows(pred)
    worth = [[sum(row[g] == found[p] for g, p in columns) / union if union else 0.0 for found in other] for row in one]
    total, _ = assigned(worth)
    return total / max(len(one), len(other)) if one or other else 1.0


def keyed(gold: Sequence[Sequence[str]], pred: Sequence[Sequence[str]], allowed: Sequence[Sequence[bool]]) -> int:
    """The largest number of allowed pairs, trying every pairing."""
    if len(gold) > len(pred):
        return keyed(pred, gold, [list(lane) for lane in zip(*allowed, strict=True)] or [[]] * len(pred))
    return max(
        sum(allowed[row][at] for row, at in enumerate(chosen)) for chosen in permutations(range(len(pred)), len(gold))
    )
