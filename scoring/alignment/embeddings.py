"""Text similarity by a language model that the caller brings: what it may compare, and checks of what it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.schema import Column, TableType


class EmbeddingError(ValueError):
    """Embeddings are asked to compare what they cannot, or answered with something else than similarities."""


@dataclass(frozen=True, slots=True)
class Embeddings:
    """A row cost by the meaning of texts.

    ``similarity(gold_texts, pred_texts)`` returns a matrix with a row for each gold text and a column for each
    predicted one; below 0 counts as 0, above 1 as 1. It is called with different texts, in pieces for large tables,
    and must answer the same each time. ``name`` says which model it is and becomes part of the signature of a score.
    ``columns`` are the names of the schema columns to compare so, all where it is empty; the others are compared by
    Levenshtein.
    """

    name: str
    similarity: Callable[[list[str], list[str]], Any]
    columns: tuple[str, ...] = ()

    def expect_text(self, table_type: TableType | None) -> None:
        """Raise EmbeddingError unless each column to compare is one of the table type and holds text.

        A model finds "456" and "123" alike and "1,234.56" and "1234.56" different, so that typed columns are refused.
        """
        known = {column.name: column for column in table_type.columns} if table_type else {}
        if table_type is None and self.columns:
            raise EmbeddingError(
                f"embeddings {self.name!r} name the columns {_listed(self.columns)}, but there is no table type; "
                "score with a table type, or leave the columns out"
            )
        for name in self.columns:
            if name not in known:
                raise EmbeddingError(
                    f"embeddings {self.name!r} name the column {name!r}, expected one of {_listed(list(known))}"
                )
        refused = [column for name, column in known.items() if self.covers(column) and column.type != "text"]
        if refused:
            told = _listed([f"{column.name} ({column.type})" for column in refused])
            text = [name for name, column in known.items() if column.type == "text"]
            advice = f"name the text columns: columns={tuple(text)!r}" if text else "use the cost 'cells'"
            raise EmbeddingError(
                f"embeddings {self.name!r} cannot compare {told}, expected text columns only; {advice}"
            )

    def covers(self, column: Column) -> bool:
        """Whether the texts of this column are compared by embeddings."""
        return not self.columns or column.name in self.columns

    def matrix(self, gold: Sequence[str], pred: Sequence[str]) -> NDArray[np.float32]:
        """The similarity 0..1 of every gold text with every predicted one; raises EmbeddingError for a wrong answer."""
        if not gold or not pred:
            return np.zeros((len(gold), len(pred)), np.float32)
        found = np.asarray(self.similarity(list(gold), list(pred)))
        if found.shape != (len(gold), len(pred)) or found.dtype.kind not in "fiu":
            raise EmbeddingError(
                f"embeddings {self.name!r} answered {found.dtype} of shape {found.shape} for {len(gold)} gold and "
                f"{len(pred)} predicted texts, expected numbers of shape {(len(gold), len(pred))}"
            )
        if not np.isfinite(found).all():
            raise EmbeddingError(f"embeddings {self.name!r} answered a similarity that is not a finite number")
        similarities: NDArray[np.float32] = np.clip(found, 0, 1).astype(np.float32)
        return similarities


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
