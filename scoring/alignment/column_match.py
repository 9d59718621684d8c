"""Which gold column each predicted column stands for: by schema, header text, order, or content."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from scoring.alignment.assignment import best_pairs
from scoring.alignment.row_match import rest
from scoring.schema import header_text
from scoring.table import Table
from scoring.text import fold, whitespace


def match_columns(
    gold: Table,
    pred: Table,
    gold_header: int,
    pred_header: int,
    gold_columns: Sequence[int | None],
    pred_columns: Sequence[int | None],
) -> list[tuple[int, int]]:
    """Pairs of (gold, predicted) columns in order; see ``align`` for the rules.

    ``gold_header`` and ``pred_header`` are the numbers of header rows, ``gold_columns`` and ``pred_columns`` the
    schema column of each column, None where there is none.
    """
    at = {column: col for col, column in enumerate(pred_columns) if column is not None}
    pairs = [(col, at[column]) for col, column in enumerate(gold_columns) if column is not None and column in at]
    by_text: dict[str, list[int]] = defaultdict(list)
    for col in rest(pred.n_cols, (p for _, p in pairs)):
        by_text[fold(header_text(pred, col, pred_header))].append(col)
    for col in rest(gold.n_cols, [g for g, _ in pairs]):
        text = fold(header_text(gold, col, gold_header))
        if text and by_text[text]:
            pairs.append((col, by_text[text].pop(0)))
    gold_rest = rest(gold.n_cols, (g for g, _ in pairs))
    pred_rest = rest(pred.n_cols, (p for _, p in pairs))
    if len(gold_rest) == len(pred_rest):
        pairs += zip(gold_rest, pred_rest, strict=True)
    elif gold_rest and pred_rest:
        pred_contents = _contents(pred, pred_header, pred_rest)
        common = np.array(
            [[_common(texts, other) for other in pred_contents] for texts in _contents(gold, gold_header, gold_rest)]
        )
        least = np.full(len(pred_rest), 1e-6)
        pairs += [(gold_rest[g], pred_rest[p]) for g, p in best_pairs(common, least)]
    return sorted(pairs)


def _contents(table: Table, header_rows: int, cols: Sequence[int]) -> list[Counter[str]]:
    rows = range(header_rows, table.n_rows)
    return [Counter(text for row in rows if (text := whitespace(table.text_at(row, col)))) for col in cols]


def _common(gold: Counter[str], pred: Counter[str]) -> float:
    most = max(gold.total(), pred.total())
    return (gold & pred).total() / most if most else 0.0
