"""The units that confidence is measured on: each predicted cell with its score, and the gold cells without one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scoring.cells import Outcome
from scoring.confidence.badges import weakest
from scoring.report import EXTRA_COLUMN
from scoring.schema import TableType

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class ScoredCell:
    """A predicted cell: its confidence 0..1 (None: no score), whether it is right, its document and column.

    Raises ValueError for a confidence outside 0..1, or a verdict that is neither true nor false. Units
    of many documents are their concatenation.
    """

    confidence: float | None
    right: bool
    document: str
    column: str

    def __post_init__(self) -> None:
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            where = f"document {self.document!r}, column {self.column!r}"
            raise ValueError(f"confidence {self.confidence!r} in {where}, expected 0 to 1, or None for no score")
        if self.right not in (True, False):
            where = f"document {self.document!r}, column {self.column!r}"
            raise ValueError(f"verdict {self.right!r} in {where}, expected True or False")


@dataclass(frozen=True, slots=True)
class Omissions:
    """How many of the ``gold`` cells of a document's column were never predicted; no threshold can see those."""

    document: str
    column: str
    omitted: int
    gold: int

    def __post_init__(self) -> None:
        if not 0 <= self.omitted <= self.gold:
            where = f"document {self.document!r}, column {self.column!r}"
            raise ValueError(f"{self.omitted} of {self.gold} gold cells omitted in {where}, expected 0 to {self.gold}")


def scored_cells(
    found: Iterable[Outcome], *, document: str, table_type: TableType | None = None
) -> tuple[ScoredCell, ...]:
    """A unit for each predicted value, in the order of the outcomes; the weakest of its confidences counts.

    A value in a row or column without a match is wrong. A blank cell makes no claim and is no unit:
    where gold has a value, that is an omission (see ``omissions``).
    """
    return tuple(
        ScoredCell(
            None if (said := weakest(outcome.pred)) is None else said.value,
            outcome.verdict == "right",
            document,
            column_name(outcome, table_type),
        )
        for outcome in found
        if outcome.verdict in ("right", "wrong", "spurious")
    )


def omissions(found: Iterable[Outcome], *, document: str, table_type: TableType | None = None) -> tuple[Omissions, ...]:
    """For each column the gold values of a document, and how many of them have no predicted value."""
    gold: Counter[str] = Counter()
    omitted: Counter[str] = Counter()
    for outcome in found:
        name = column_name(outcome, table_type)
        gold[name] += outcome.verdict in ("right", "wrong", "missing")
        omitted[name] += outcome.verdict == "missing"
    return tuple(Omissions(document, name, omitted[name], count) for name, count in gold.items() if count)


def column_name(outcome: Outcome, table_type: TableType | None = None) -> str:
    """The name of the schema column of an outcome; without one its position, "column 2" or "extra column 1"."""
    if table_type is not None and outcome.column is not None:
        return table_type.columns[outcome.column].name
    if outcome.gold_col is not None:
        return f"column {outcome.gold_col + 1}"
    return f"{EXTRA_COLUMN}{(outcome.pred_col or 0) + 1}"


def columns_of(cells: Iterable[ScoredCell]) -> tuple[Floats, Bools, Integers]:
    """Three arrays of one length: confidence (NaN for no score), right, and the document as a number from 0 on."""
    units = list(cells)
    number: dict[str, int] = {}
    confidence = np.array([np.nan if cell.confidence is None else cell.confidence for cell in units], dtype=float)
    right = np.array([cell.right for cell in units], dtype=bool)
    document = np.array([number.setdefault(cell.document, len(number)) for cell in units], dtype=np.intp)
    return confidence, right, document


def checked(
    confidence: npt.ArrayLike, right: npt.ArrayLike, document: npt.ArrayLike | None = None
) -> tuple[Floats, Bools, Integers]:
    """The units as arrays, documents numbered from 0 on; without ``document`` each cell is one of its own.

    Raises ValueError unless all are flat and of one length, each confidence is 0..1 or NaN (no
    score), and each verdict is true or false (1 or 0).
    """
    scores = np.asarray(confidence, dtype=float)
    verdicts = np.asarray(right)
    places = np.arange(len(scores)) if document is None else np.asarray(document)
    if not scores.shape == verdicts.shape == places.shape or scores.ndim != 1:
        shapes = f"{scores.shape}, {verdicts.shape} and {places.shape}"
        raise ValueError(f"confidence, right and document have the shapes {shapes}, expected flat and of one length")
    wild = scores[(scores < 0) | (scores > 1)]
    if wild.size:
        raise ValueError(f"confidence {float(wild[0])}, expected 0 to 1, or NaN for no score")
    if verdicts.dtype != bool and not np.isin(verdicts, (0, 1)).all():
        raise ValueError("a verdict in right is neither true nor false, expected one of the two for each cell")
    if document is not None and places.size:
        places = np.unique(places, return_inverse=True)[1]
    return scores, verdicts.astype(bool, copy=False), places.astype(np.intp, copy=False)
