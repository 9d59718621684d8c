"""Edits as plain mappings, as they are stored and sent: to_json, from_json."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from itertools import starmap
from typing import Any, get_args

from scoring.table import Cell, TableError
from store.edits import (
    KINDS,
    NAMES,
    Axis,
    Delete,
    Edit,
    EditError,
    Insert,
    Mark,
    MarkChange,
    Move,
    ReplaceCells,
    SetText,
    Several,
    Step,
    TextChange,
)


def to_json(edit: Edit) -> dict[str, Any]:
    """A plain mapping with its ``kind``, which ``from_json`` reads back to an equal edit."""
    plain: dict[str, Any] = {"kind": NAMES[type(edit)]}
    for part in dataclasses.fields(edit):
        value = getattr(edit, part.name)
        if isinstance(value, tuple):
            value = [_plain(entry) for entry in value]
        plain[part.name] = value
    return plain


def _plain(entry: Cell | TextChange | MarkChange | Step | str) -> Any:
    if isinstance(entry, Cell):
        return entry.to_json()
    if isinstance(entry, Step):
        return to_json(entry)
    return entry if isinstance(entry, str) else dataclasses.asdict(entry)


def from_json(value: Mapping[str, Any]) -> Edit:
    """The edit that ``to_json`` wrote; raises EditError for an unknown kind, and a missing or mistyped part."""
    kind = value.get("kind")
    try:
        match kind:
            case "set_text":
                return SetText(tuple(starmap(TextChange, _changes(value["changes"]))))
            case "mark":
                return Mark(tuple(starmap(MarkChange, _changes(value["changes"]))))
            case "replace_cells":
                return ReplaceCells(_cells(value["old"]), _cells(value["new"]))
            case "insert" | "delete":
                line = Insert if kind == "insert" else Delete
                return line(*_lines(value), _cells(value["cells"]))
            case "move":
                return Move(*_lines(value), _whole(value["to"]))
            case "several":
                return Several(tuple(_step(step) for step in value["edits"]))
    except KeyError as missing:
        raise EditError(f"{kind} has no {missing.args[0]!r}: {dict(value)!r}") from None
    except (TableError, TypeError, AttributeError) as wrong:
        raise EditError(f"{kind}: {wrong}") from None
    raise EditError(f"edit of kind {kind!r}, expected one of {sorted(KINDS)}")


def _lines(value: Mapping[str, Any]) -> tuple[Axis, int, tuple[str, ...]]:
    axis, ids = value["axis"], value["ids"]
    if axis not in get_args(Axis) or not all(isinstance(one, str) for one in ids):
        raise EditError(f"axis {axis!r} and ids {ids!r}, expected row or col, and a list of texts")
    return axis, _whole(value["at"]), tuple(ids)


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise EditError(f"position {value!r}, expected a whole number")
    return value


def _step(value: Any) -> Step:
    if not isinstance(value, Mapping) or value.get("kind") == "several":
        raise EditError(f"step {value!r}, expected an edit of another kind than several")
    step = from_json(value)
    assert not isinstance(step, Several)
    return step


def _changes(values: list[Mapping[str, Any]]) -> Iterator[tuple[int, int, Any, Any]]:
    if not values:
        raise EditError(f"changes {values!r}, expected a list of at least one change")
    for value in values:
        row, col, old, new = value["row"], value["col"], value["old"], value["new"]
        if type(row) is not int or type(col) is not int or not isinstance(old, str) or not isinstance(new, str):
            raise EditError(f"change {value!r}, expected whole numbers for row and col, and texts for old and new")
        yield row, col, old, new


def _cells(value: Iterable[Mapping[str, Any]]) -> tuple[Cell, ...]:
    return tuple(Cell.from_json(cell) for cell in value)
