"""Straight-through processing: which share of cells and of documents passes a threshold unseen, and how right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scoring.confidence.scored_cells import Omissions, ScoredCell
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
    if not 0 <= tau <= 1:
        raise ValueError(f"threshold tau {tau}, expected 0 to 1")
    passed = [cell for cell in cells if cell.confidence is not None and cell.confidence >= tau]
    wrong = sum(not cell.right for cell in passed)
    with_cells = {cell.document for cell in cells}
    documents = with_cells | {part.document for part in omitted}
    held = {cell.document for cell in cells if cell.confidence is None or cell.confidence < tau}
    faulty = {cell.document for cell in cells if not cell.right}
    faulty |= {part.document for part in omitted if part.omitted}
    accepted = with_cells - held
    accepted_right = accepted - faulty
    undefined = {}
    if not cells:
        undefined["cell_share"] = "no cell was predicted"
    if not passed:
        undefined["cell_error"] = "no cell is accepted"
    if not documents:
        undefined |= dict.fromkeys(("stp", "stp_correct"), "there is no document")
    if not accepted:
        undefined["escape_rate"] = "no document is accepted"
    return StraightThrough(
        tau=tau,
        cells=len(cells),
        cells_accepted=len(passed),
        cells_accepted_wrong=wrong,
        documents=len(documents),
        documents_accepted=len(accepted),
        documents_accepted_right=len(accepted_right),
        cell_share=ratio(len(passed), len(cells)),
        cell_error=ratio(wrong, len(passed)),
        stp=ratio(len(accepted), len(documents)),
        stp_correct=ratio(len(accepted_right), len(documents)),
        escape_rate=ratio(len(accepted) - len(accepted_right), len(accepted)),
        undefined=undefined,
    )
