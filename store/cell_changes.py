"""Which edit last gave each cell its text, and which its mark: the edit log as seen from the cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from store.edits import Sheet
from store.gold import StoredEdit

# The ids of the row and the column on which a cell has its anchor.
Key = tuple[str, str]


@dataclass(frozen=True)
class CellChange:
    """The last edit that changed a cell; ``was`` is what it held before anybody changed it, None where it was not."""

    edit: StoredEdit
    was: str | None

    def to_json(self) -> dict[str, Any]:
        """Edit, person, time and source, and what it was before."""
        made = self.edit
        return {"edit": made.id, "person": made.person, "at": made.made_at, "source": made.source, "was": self.was}


def changed_texts(sheets: Sequence[Sheet], log: Sequence[StoredEdit]) -> dict[Key, CellChange]:
    """The cells whose text a person changed; ``sheets`` are all revisions, one more than the log has edits."""
    return _changes(sheets, log, texts)


def changed_marks(sheets: Sequence[Sheet], log: Sequence[StoredEdit]) -> dict[Key, CellChange]:
    """The cells that a person marked: which edit gave each the mark that it has."""
    return _changes(sheets, log, lambda sheet: sheet.marks)


def texts(sheet: Sheet) -> Mapping[Key, str]:
    """The text of each cell."""
    return {(sheet.row_ids[cell.row], sheet.col_ids[cell.col]): cell.text for cell in sheet.table.cells}


def _changes(
    sheets: Sequence[Sheet], log: Sequence[StoredEdit], told: Callable[[Sheet], Mapping[Key, str]]
) -> dict[Key, CellChange]:
    found: dict[Key, CellChange] = {}
    held = [told(sheet) for sheet in sheets]
    for before, after, edit in zip(held[:-1], held[1:], log, strict=True):
        for key, value in after.items():
            if before.get(key) != value:
                found[key] = CellChange(edit, found[key].was if key in found else before.get(key))
    return found
