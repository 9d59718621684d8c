"""The units of confidence as arrays: what a million cells are measured by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from scoring.confidence.scored_cells import Bools, Floats, Integers, Omissions, ScoredCell, columns_of


@dataclass(frozen=True, eq=False, slots=True)
class CellArrays:
    """Predicted cells: ``confidence`` 0..1 (NaN: no score), ``right``, and ``document`` as an index of ``names``.

    ``omitted`` of the ``gold`` cells of each document were never predicted; both None where that is not known.
    """

    confidence: Floats
    right: Bools
    document: Integers
    names: tuple[str, ...]
    omitted: Integers | None = None
    gold: Integers | None = None

    @classmethod
    def of(cls, cells: Iterable[ScoredCell], omitted: Iterable[Omissions] | None = None) -> CellArrays:
        """The arrays of units, in their order; documents in the order in which they are met."""
        units = tuple(cells)
        gaps = None if omitted is None else tuple(omitted)
        number = {name: at for at, name in enumerate(dict.fromkeys(cell.document for cell in units))}
        for part in gaps or ():
            number.setdefault(part.document, len(number))
        counted = None
        if gaps is not None:
            counted = np.zeros((2, len(number)), dtype=np.intp)
            for part in gaps:
                counted[:, number[part.document]] += part.omitted, part.gold
        missed, expected = (None, None) if counted is None else counted
        return cls(*columns_of(units), tuple(number), missed, expected)

    def part(self, chosen: frozenset[str]) -> CellArrays:
        """The cells of these documents alone."""
        kept = np.array([name in chosen for name in self.names], dtype=bool)
        cells = kept[self.document] if len(kept) else np.zeros(0, dtype=bool)
        number = np.cumsum(kept) - 1
        return CellArrays(
            self.confidence[cells],
            self.right[cells],
            number[self.document[cells]] if len(kept) else self.document,
            tuple(name for name in self.names if name in chosen),
            None if self.omitted is None else self.omitted[kept],
            None if self.gold is None else self.gold[kept],
        )
