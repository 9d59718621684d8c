"""The cells of one gold table by column, as the strip shows them: text, place on the page, first value, doubts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlite_utils import Database

from scoring import bind
from scoring.confidence.badges import Level
from scoring.schema import header_text
from scoring.table import Cell, Table
from store import gold
from store.comparison import Comparison
from store.doubt_kinds import reasons_of

LONGEST_LABEL = 40


@dataclass(frozen=True, slots=True)
class Line:
    """One gold cell: its position and lasting ids, its text, and why it may be wrong as (kind, reason) pairs.

    ``first`` is the text of the first extraction where it differs, else None; ``label`` names the row. ``near`` is
    the page and the height (0..1) at which the row stands, for a cell without a box.
    """

    row: int
    col: int
    row_id: str
    col_id: str
    label: str
    text: str
    first: str | None
    box: tuple[float, ...] | None
    near: tuple[float, ...] | None
    mark: str
    edited: bool
    level: Level
    reasons: tuple[tuple[str, str], ...]
    risk: float

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Line:
        """The line that was kept."""
        places = {name: tuple(value[name]) if value[name] else None for name in ("box", "near")}
        reasons = tuple((kind, reason) for kind, reason in value["reasons"])
        return cls(**{**value, **places, "reasons": reasons})

    def to_json(self) -> dict[str, Any]:
        """A plain mapping of its parts."""
        # dataclasses.asdict copies each part deeply, which takes ten times as long.
        return {name: getattr(self, name) for name in _PARTS}


def lines_of(found: Comparison, reader: Database) -> dict[str, Any]:
    """The data cells of a gold table by column, as a plain mapping; columns of the table type have their name."""
    base, keys = gold.base_table(reader, found.gold.id), _key_columns(found)
    return {
        "gold": found.gold.id,
        "revision": found.revision,
        "status": found.status,
        "name": found.label,
        "table_type": found.gold.table_type,
        "columns": [
            {"name": name, "label": label, "cells": [line.to_json() for line in _lines(found, col, base, keys)]}
            for col, (name, label) in enumerate(_columns(found))
        ],
    }


_PARTS = tuple(part.name for part in fields(Line))


def _columns(found: Comparison) -> Iterator[tuple[str, str]]:
    table, kind = found.sheet.table, found.table_type
    bound = bind(table, kind).columns if kind else (None,) * table.n_cols
    for col, at in enumerate(bound):
        if kind and at is not None:
            yield kind.columns[at].name, kind.columns[at].shown
        else:
            yield "", header_text(table, col, table.header_rows) or f"column {col + 1}"


def _lines(found: Comparison, col: int, base: Table, keys: Sequence[int]) -> Iterator[Line]:
    table, rows, cols = found.sheet.table, dict(found.alignment.rows), dict(found.alignment.cols)
    doubts = {(doubt.row, doubt.col): doubt for doubt in found.doubts}
    for row in range(table.header_rows, table.n_rows):
        cell = table.at(row, col)
        if cell is None or (cell.row, cell.col) != (row, col) or cell.header == "column":
            continue
        first = found.first_table.at(rows[row], cols[col]) if row in rows and col in cols else None
        doubt = doubts.get((row, col))
        edited = _is_edited(found, cell, base)
        reasons: list[tuple[str, str]] = [*reasons_of(found, doubt)] if doubt else []
        differs = first is not None and first.text != cell.text
        if first is not None and differs and not edited:
            reasons.append(("differs", f"the first extraction has {first.text or 'nothing'}"))
        yield Line(
            row=row,
            col=col,
            row_id=found.sheet.row_ids[row],
            col_id=found.sheet.col_ids[col],
            label=_row_label(found, row, col, keys),
            text=cell.text,
            first=first.text if first is not None and differs else None,
            box=None if cell.box is None else tuple(cell.box.to_json()),
            near=None if cell.box else _height(table, row),
            mark=found.sheet.mark_at(row, col),
            edited=edited,
            level=doubt.level if doubt else found.confidence_badge(first).level,
            reasons=tuple(reasons),
            risk=doubt.risk if doubt else 0.2 if differs and not edited else 0.0,
        )


def _is_edited(found: Comparison, cell: Cell, base: Table) -> bool:
    """Whether a person gave the cell another text than it began with; base lines are called b0, b1, ..."""
    row_id, col_id = found.sheet.row_ids[cell.row], found.sheet.col_ids[cell.col]
    if not (row_id[:1] == "b" and col_id[:1] == "b" and row_id[1:].isdigit() and col_id[1:].isdigit()):
        return True
    before = base.at(int(row_id[1:]), int(col_id[1:]))
    return before is None or before.text != cell.text


def _height(table: Table, row: int) -> tuple[float, ...] | None:
    boxes = (other.box for col in range(table.n_cols) if (other := table.at(row, col)) is not None)
    return next(((box.page, (box.y0 + box.y1) / 2) for box in boxes if box is not None), None)


def _key_columns(found: Comparison) -> Sequence[int]:
    """The columns that name a row: the keys of the table type, else all of them."""
    table, kind = found.sheet.table, found.table_type
    bound = bind(table, kind).columns if kind else ()
    keys = [at for at, column in enumerate(bound) if column is not None and kind and kind.columns[column].key]
    return keys or range(table.n_cols)


def _row_label(found: Comparison, row: int, col: int, keys: Sequence[int]) -> str:
    """The number of the row, and what names it: its key where the type has one, else its first text."""
    table, kind = found.sheet.table, found.table_type
    if kind is not None and kind.form:
        return ""
    texts = [cell.text for at in keys if at != col and (cell := table.at(row, at))]
    name = next((text for text in texts if text.strip()), "")
    return " · ".join(filter(None, (f"Row {row - table.header_rows + 1}", name[:LONGEST_LABEL])))
