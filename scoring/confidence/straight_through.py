"""Straight-through processing: which share of cells and of documents passes a threshold unseen, and how right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from scoring.confidence.cell_arrays import CellArrays
from scoring.confidence.scored_cells import Bools, Omissions, ScoredCell
from scoring.counts import ratio


@dataclass(frozen=True, slots=True)
class StraightThrough:
    """What a threshold ``tau`` lets pass; shares are 0..1, and None is told in ``undefined``.

    ``cell_share`` of the predicted cells is accepted, ``cell_error`` of those is wrong. ``stp`` of
    the documents has every predicted cell accepted, ``stp_correct`` is also fully right, no gold
    cell omitted, and ``escape_rate`` = accepted documents that are not right / accepted documents.
    """

    tau: float
    cells: int
    cells_accepted: int
    cells_accepted_wrong: int
    documents: int
    documents_accepted: int
    documents_accepted_right: int
    cell_share: float | None
    cell_error: float | None
    stp: float | None
    stp_correct: float | None
    escape_rate: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def straight_through(cells: Sequence[ScoredCell], *, tau: float, omitted: Sequence[Omissions] = ()) -> StraightThrough:
    """What passes at ``tau`` (cells with confidence >= tau), for cells and for whole documents.

    A cell without a score is not accepted, nor is a document without a predicted cell. A threshold
    that holds for cells promises nothing for documents: look at ``escape_rate``. Raises ValueError
    for a threshold outside 0..1.
    """
    return let_through(CellArrays.of(cells, omitted), tau=tau)


def let_through(cells: CellArrays, *, tau: float) -> StraightThrough:
    """The same of arrays; gold cells that were never predicted count where the arrays tell of them."""
    if not 0 <= tau <= 1:
        raise ValueError(f"threshold tau {tau}, expected 0 to 1")
    passed = cells.confidence >= tau  # never so for NaN
    accepted = int(passed.sum())
    wrong = int((passed & ~cells.right).sum())
    documents = len(cells.names)

    def among(chosen: Bools) -> Bools:
        return np.bincount(cells.document[chosen], minlength=documents) > 0

    faulty = among(~cells.right)
    if cells.omitted is not None:
        faulty |= cells.omitted > 0
    whole = (np.bincount(cells.document, minlength=documents) > 0) & ~among(~passed)
    through, through_right = int(whole.sum()), int((whole & ~faulty).sum())
    undefined = {}
    if not len(passed):
        undefined["cell_share"] = "no cell was predicted"
    if not accepted:
        undefined["cell_error"] = "no cell is accepted"
    if not documents:
        undefined |= dict.fromkeys(("stp", "stp_correct"), "there is no document")
    if not through:
        undefined["escape_rate"] = "no document is accepted"
    return StraightThrough(
        tau=tau,
        cells=len(passed),
        cells_accepted=accepted,
        cells_accepted_wrong=wrong,
        documents=documents,
        documents_accepted=through,
        documents_accepted_right=through_right,
        cell_share=ratio(accepted, len(passed)),
        cell_error=ratio(wrong, accepted),
        stp=ratio(through, documents),
        stp_correct=ratio(through_right, documents),
        escape_rate=ratio(through - through_right, through),
        undefined=undefined,
    )
