"""Rows and columns that an extractor split, put together again where gold says that they are one."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from scoring.fidelity.grid_alignment import Alignment
from scoring.fidelity.sheets import Sheet
from scoring.fidelity.text_recovery import taken_apart

Heads = tuple[list[str], list[str]]

# So much closer to gold must the cells of a line come, all together, for a line to be taken as a part of it.
_GAIN = 0.1


def put_together(gold: Sheet, header_rows: int, pred: Sheet, alignment: Alignment) -> tuple[Sheet, Alignment]:
    """The prediction with each line that stands for none of gold added to its neighbour, if that comes closer to gold.

    A label or text that wraps often becomes two rows, and "1.2 ± 0.3" two columns: a reader puts them together. The
    alignment is that of before, in the rows and columns that are left.
    """
    # Header paths put the lines of a header together themselves.
    rows_joined = _rows_together(gold, pred, alignment.rows, alignment.cols, " ", header_rows)
    rows = _renumbered(alignment.rows, pred.rows, rows_joined.rows)
    # Columns are cut through the words. A column may hold the header alone, beside its values.
    body = min((row for row in rows[header_rows:] if row >= 0), default=0)
    heads = _heads(gold, header_rows), _heads(rows_joined, body)
    joined = _rows_together(gold.across, rows_joined.across, alignment.cols, rows, "", 0, heads).across
    return joined, Alignment(rows, _renumbered(alignment.cols, pred.cols, joined.cols))


def _renumbered(lines: Sequence[int], before: Sequence[int], after: Sequence[int]) -> tuple[int, ...]:
    places = {line: place for place, line in enumerate(after)}
    return tuple(places[before[line]] if line >= 0 else -1 for line in lines)


def _rows_together(
    gold: Sheet,
    pred: Sheet,
    rows: Sequence[int],
    cols: Sequence[int],
    between: str,
    first: int,
    heads: Heads | None = None,
) -> Sheet:
    lines = [list(line) for line in pred.texts]
    owners = [list(line) for line in pred.owners]
    stands_for = {row: line for line, row in enumerate(rows) if row >= 0}
    pairs = [(at_gold, at_pred) for at_gold, at_pred in enumerate(cols) if at_pred >= 0]
    parts = {row: [row] for row in stands_for}
    gone: set[int] = set()
    standing = sorted(stands_for)
    for row in range(pred.n_rows):
        if row in stands_for:
            continue
        place = bisect(standing, row)
        for other in (*standing[max(place - 1, 0) : place], *standing[place : place + 1]):
            if stands_for[other] < first or gold.only_text(stands_for[other]):
                continue
            together = sorted([*parts[other], row])
            both = [
                between.join(filter(None, texts))
                for texts in zip(*(pred.texts[part] for part in together), strict=True)
            ]
            wanted = gold.texts[stands_for[other]]
            gain = sum(
                _alike(wanted[at_gold], both[at_pred]) - _alike(wanted[at_gold], lines[other][at_pred])
                for at_gold, at_pred in pairs
                if pred.texts[row][at_pred]
            )
            if heads and heads[1][row]:
                wanted_head, own = heads[0][stands_for[other]], [heads[1][part] for part in parts[other]]
                gain += _alike(wanted_head, " ".join([*own, heads[1][row]])) - _alike(wanted_head, " ".join(own))
            if gain > _GAIN:
                kept = zip(owners[other], lines[other], owners[row], strict=True)
                owners[other] = [mine if text else its for mine, text, its in kept]
                lines[other], parts[other] = both, together
                gone.add(row)
                break
    if not gone:
        return pred
    stay = [row for row in range(pred.n_rows) if row not in gone]
    return Sheet(
        texts=tuple(tuple(lines[row]) for row in stay),
        owners=tuple(tuple(owners[row]) for row in stay),
        marks=tuple(pred.marks[row] for row in stay),
        lines=pred.lines,
        rows=tuple(pred.rows[row] for row in stay),
        cols=pred.cols,
    )


def _heads(sheet: Sheet, header_rows: int) -> list[str]:
    """The header of each column as one text."""
    return [" ".join(filter(None, dict.fromkeys(col[:header_rows]))) for col in sheet.across.texts]


def _alike(gold: str, pred: str) -> float:
    if not gold:
        return 0.0 if not pred else -0.5
    return Levenshtein.normalized_similarity(taken_apart(gold).key, taken_apart(pred).key)
