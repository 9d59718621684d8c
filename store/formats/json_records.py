"""JSON records: fields to a table of one row, lists of objects to tables, with the confidence that stands beside."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.table import LARGEST_GRID, Cell, Table
from store.formats import json_text
from store.formats.annotations import Annotations, Said, box_in, boxed, said_in
from store.formats.contract import FormatError, Read, ReadTable, some
from store.formats.failed_answer import failure_in
from store.formats.mirrors import WRAPPERS, at, mirrored
from store.pages import PageSize

FORM = "fields"
# Where the form stands among the tables; no key of a file is so placed.
_FORM_KEYS = ("", FORM)
# The key of the value in an object that stands for one value.
_VALUE = ("value", "_value")
_CURRENCY = {"currency_code", "currency", "currencyCode", "currency_symbol", "currencySymbol"}
# What stands beside a value to speak of it, and is not data itself.
_ABOUT = {"confidence", "_confidence", "score", "box", "bbox", "bounding_box", "page", "page_number"}
_ABOUT |= {"granular_confidence", "parsing_confidence", "extraction_confidence", "geometry"}
_ABOUT |= {"reason", "confidence_reason", "explanation", "reasoning", "rationale", "evidence", "citation", "citations"}
# What programs write beside the answer about the work, not about the document.
_BESIDE = {"usage", "usage_info", "metadata"}
# A program that reasons first gives these two, the answer perhaps as a text.
_REASONED = ("reasoning", "rationale")

Path = tuple[str | int, ...]


def sniff(raw: bytes, name: str) -> bool:
    """Whether the text begins as a JSON object or list."""
    return json_text.looks_like(raw)


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """Fields and lists of records, each text as the JSON prints it, under a header row of the keys.

    Single values become the one row of a table: ``fields``, or one table per group where the top
    of the file holds groups only (``{"invoice": {...}, "line_items": [...]}``). A list of objects
    becomes a table named by its key, or by its path where two lists share the key. Keys of nested
    objects are joined by a dot; an amount with a currency keeps the name of its object. null is an
    empty cell, an absent key a hole. Confidence is read from ``{"value", "confidence", "box"}``,
    ``{"_value", "_confidence"}``, a sibling ``x_confidence``, a ``confidence`` inside a row, and
    from an object that mirrors the values (``explainability_info``, ``field_metadata`` ...).
    """
    value, notes = json_text.load(raw, lines=True)
    if failure := failure_in(value):
        raise FormatError(f"/: {failure}; expected what was read from the document: ask for it again")
    extractor = value.get("extractor") if isinstance(value, dict) else None
    if isinstance(extractor, dict):
        producer, version = (json_text.text_of(extractor.get(key)) for key in ("name", "version"))
    else:
        producer, version = json_text.text_of(extractor) if isinstance(extractor, str) else "", ""
    if producer:
        value = {key: entry for key, entry in value.items() if key != "extractor"}
    reading = _Reading()
    _document(value, (), (), reading)
    if not reading.records and not reading.grids:
        raise FormatError(f"/: {_described(value)}, expected fields or a list of records")
    said = Annotations(producer, tuple(reading.numbers), pages)
    names = _names([*reading.records, *reading.grids])
    tables = [_table(names[keys], records, said) for keys, records in reading.records.items()]
    tables += (_grid(names[keys], rows) for keys, rows in reading.grids.items())
    return Read(tuple(tables), (*notes, *reading.notes, *said.notes()), producer, version)


@dataclass(frozen=True)
class _Leaf:
    """One value as printed, and what is said about it."""

    text: str
    said: tuple[Said, ...] = ()
    box: Any = None


@dataclass
class _Records:
    """The rows found under one sequence of keys, each a mapping from column to value."""

    rows: list[dict[str, _Leaf]] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)


@dataclass
class _Reading:
    """What has been found so far, in order."""

    records: dict[tuple[str, ...], _Records] = field(default_factory=dict)
    grids: dict[tuple[str, ...], list[list[_Leaf]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)

    def rows_of(self, keys: tuple[str, ...]) -> _Records:
        return self.records.setdefault(keys, _Records())


def _document(value: Any, path: Path, mirrors: tuple[Any, ...], reading: _Reading) -> None:
    """Read the top of a file, below its wrappers."""
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], dict) and any(map(_is_nested, value[0].values())):
            _document(value[0], (*path, 0), at(mirrors, 0), reading)
        elif value:
            _list(value, (), path, mirrors, reading)
        return
    if not isinstance(value, dict):
        return
    mirrors, data = mirrored(_answered(value), mirrors)
    wrapper = next((key for key in WRAPPERS if isinstance(data.get(key), dict | list)), None)
    others = (entry for key, entry in data.items() if key != wrapper and key not in _BESIDE)
    if wrapper is not None and not any(map(_is_nested, others)):
        beside = [key for key in data if key != wrapper]
        if beside:
            reading.notes.append(f"{some('key', [repr(key) for key in beside])} beside {wrapper!r} left out")
        # A mirror may repeat the wrapper or only what is in it.
        _document(data[wrapper], (*path, wrapper), (*at(mirrors, wrapper), *mirrors), reading)
        return
    groups = {key: entry for key, entry in data.items() if _is_group(entry)}
    lone = [key for key, entry in data.items() if key not in groups and not _is_list_of(entry, dict | list)]
    if groups and not lone:
        for key, entry in data.items():
            if key in groups:
                _form((key,), entry, (*path, key), at(mirrors, key), reading)
            else:
                _list(_bare(entry), (key,), (*path, key), at(mirrors, key), reading)
    else:
        _form(_FORM_KEYS, value, path, mirrors, reading)


def _form(
    keys: tuple[str, ...], value: Mapping[str, Any], path: Path, mirrors: tuple[Any, ...], reading: _Reading
) -> None:
    held = reading.rows_of(keys)  # taken first, so that the form stands before its lists
    leaves = dict(_flat(value, "", () if keys == _FORM_KEYS else keys, path, mirrors, reading))
    if leaves:
        held.rows.append(leaves)
    else:
        del reading.records[keys]


def _list(value: list[Any], keys: tuple[str, ...], path: Path, mirrors: tuple[Any, ...], reading: _Reading) -> None:
    """Read a list of objects as records, a list of lists as a grid of cells."""
    if all(isinstance(entry, list) for entry in value):
        rows = [[_leaf(cell, (), reading) for cell in row] for row in value]
        if sum(map(len, rows)) <= LARGEST_GRID:
            reading.grids[keys] = rows
            return
        raise FormatError(f"{json_text.pointer(path)}: more than {LARGEST_GRID:,} cells")
    held = reading.rows_of(keys)
    for mirror in mirrors:  # one leaf for all rows
        held.said += said_in(mirror, "table")
        reading.numbers += (number for said in said_in(mirror, "table") if (number := said.number) is not None)
    for index, entry in enumerate(value):
        about = at(mirrors, index)
        row = _bare(entry)
        if isinstance(row, dict) and isinstance(_answered(row).get("answer"), dict):
            row = _answered(row)["answer"]
        if not isinstance(row, dict):
            held.notes.append(f"row {len(held.rows) + 1} is not an object: its value stands in the column 'value'")
            row = {"value": row}
        leaves = dict(_flat(row, "", keys, (*path, index), about, reading))
        if entry is not row and isinstance(entry, dict):  # {"value": {...}, "confidence": ...} round a row
            leaves = _with_row_said(leaves, said_in(entry, "row"), reading)
        held.rows.append(leaves)
        held.parents.append(json_text.pointer(path[:-1]))


def _flat(
    value: Mapping[str, Any],
    prefix: str,
    keys: tuple[str, ...],
    path: Path,
    mirrors: tuple[Any, ...],
    reading: _Reading,
) -> Iterator[tuple[str, _Leaf]]:
    """The single values of an object by column; its lists go to tables of their own."""
    mirrors, data = mirrored(value, mirrors)
    whole = [said for said in said_in(value, "row") if not isinstance(value.get(said.key), dict | list)]
    for said in whole:
        data.pop(said.key, None)
    for mirror in mirrors:
        if not whole and isinstance(mirror, dict):
            whole = [said for said in said_in(mirror, "row") if said.key not in value]
    for key, entry in data.items():
        column = f"{prefix}{key}"
        about = at(mirrors, key)
        inner = _bare(entry)
        if _is_list_of(inner, dict | list):
            _list(inner, (*keys, *prefix.split(".")[:-1], key), (*path, key), about, reading)
        elif inner == [] and not prefix and keys == ():
            reading.notes.append(f"{json_text.pointer((*path, key))} is an empty list: there is no table of it")
        elif _is_group(entry):
            yield from _flat(entry, f"{column}.", keys, (*path, key), about, reading)
        else:
            yield from _values(column, entry, about, value, key, whole, reading)


def _values(
    column: str,
    entry: Any,
    mirrors: tuple[Any, ...],
    siblings: Mapping[str, Any],
    key: str,
    whole: Sequence[Said],
    reading: _Reading,
) -> Iterator[tuple[str, _Leaf]]:
    """One value under its column, and what belongs to it (a currency, a unit) under columns of their own."""
    said = list(said_in(entry, "field")) if isinstance(entry, dict) else []
    beside = siblings.get(f"{key}_confidence")
    if not said and beside is not None:
        said = [Said(f"{key}_confidence", beside, "field")]
    # A leaf of a mirror is an object, the bare confidence, or a list of places in the document.
    leaves = [mirror[0] if isinstance(mirror, list) and mirror else mirror for mirror in mirrors]
    for mirror in leaves:
        if not said:
            said = list(said_in(mirror if isinstance(mirror, dict) else {"confidence": mirror}, "field"))
    box = next(filter(None, map(box_in, (entry, *leaves))), None)
    main, extras = _parts(entry)
    leaf = _leaf(main, tuple(said or whole), reading)
    yield column, replace(leaf, box=box)
    for name, extra in extras.items():
        yield f"{column}.{name}", _leaf(extra, leaf.said, reading)


def _answered(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object as it is, but for the answer of a program that reasons, where that is JSON as a text."""
    answer = value.get("answer")
    if value.keys() - {"answer"} <= set(_REASONED) and isinstance(answer, str) and answer.lstrip()[:1] in ("{", "["):
        with suppress(FormatError):
            return {**value, "answer": json_text.load(answer.encode())[0]}
    return value


def _leaf(value: Any, said: tuple[Said, ...], reading: _Reading) -> _Leaf:
    reading.numbers += (number for entry in said if (number := entry.number) is not None)
    if isinstance(value, dict):
        main, extras = _parts(value)
        if extras or isinstance(main, dict):
            return _Leaf(json.dumps(value, ensure_ascii=False) if value else "", said)
        return _leaf(main, said or said_in(value, "field"), reading)
    if isinstance(value, list):
        return _Leaf("\n".join(json_text.text_of(entry) for entry in value), said)
    return _Leaf(json_text.text_of(value), said)


def _parts(entry: Any) -> tuple[Any, dict[str, Any]]:
    """The value proper of an object that stands for one value, and the other values in it."""
    extras: dict[str, Any] = {}
    while isinstance(entry, dict):
        main = _main_key(entry)
        if main is None:
            break
        extras |= {key: value for key, value in entry.items() if key != main and key not in _ABOUT}
        entry = entry[main]
    return entry, extras


def _main_key(entry: Mapping[str, Any]) -> str | None:
    """The key of the value in an object that stands for one value; None for any other object."""
    if any(isinstance(value, dict | list) for key, value in entry.items() if key not in (*_VALUE, *_ABOUT)):
        return None
    main = next((key for key in _VALUE if key in entry), None)
    if main is None and "amount" in entry and entry.keys() - _ABOUT - {"amount"} <= _CURRENCY:
        main = "amount" if entry.keys() & _CURRENCY else None
    return main


def _bare(entry: Any) -> Any:
    """A list or an object without the value-and-confidence object round it."""
    if isinstance(entry, dict) and (key := _main_key(entry)) in _VALUE:
        inner = entry[key]
        if _is_list_of(inner, dict | list) or (isinstance(inner, dict) and _main_key(inner) is None):
            return inner
    return entry


def _is_group(entry: Any) -> bool:
    return isinstance(entry, dict) and _main_key(entry) is None and bool(entry)


def _is_list_of(entry: Any, kind: Any) -> bool:
    bare = entry
    if isinstance(entry, dict) and (key := _main_key(entry)) in _VALUE:
        bare = entry[key]
    return isinstance(bare, list) and any(isinstance(part, kind) for part in bare)


def _is_nested(entry: Any) -> bool:
    return _is_group(entry) or _is_list_of(entry, dict)


def _with_row_said(leaves: dict[str, _Leaf], said: tuple[Said, ...], reading: _Reading) -> dict[str, _Leaf]:
    reading.numbers += (number for entry in said if (number := entry.number) is not None)
    return {column: leaf if leaf.said else replace(leaf, said=said) for column, leaf in leaves.items()}


def _names(found: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    last = Counter(keys[-1] for keys in found if keys)
    names = {}
    for number, keys in enumerate(found, start=1):
        unnamed = not keys or not keys[-1].strip()
        names[keys] = f"table {number}" if unnamed else keys[-1] if last[keys[-1]] == 1 else ".".join(keys)
    return names


def _table(name: str, records: _Records, said: Annotations) -> ReadTable:
    columns = list(dict.fromkeys(column for row in records.rows for column in row))
    if (len(records.rows) + 1) * len(columns) > LARGEST_GRID:
        raise FormatError(
            f"{name}: {len(records.rows)} rows of {len(columns)} columns, expected at most {LARGEST_GRID:,} cells"
        )
    cells = [Cell(0, col, column, header="column") for col, column in enumerate(columns)]
    notes = list(records.notes)
    places = {column: col for col, column in enumerate(columns)}
    for number, row in enumerate(records.rows, start=1):
        for column, leaf in row.items():
            box, problem = boxed(leaf.box, said.pages)
            if problem:
                notes.append(f"row {number}, {column}: {problem}")
            confidence = tuple(entry for one in leaf.said if (entry := said.confidence(one)) is not None)
            cells.append(Cell(number, places[column], leaf.text, box=box, confidence=confidence))
    parents = Counter(records.parents)
    if len(parents) > 1:
        shares = [f"{count} of {parent}" for parent, count in parents.items()]
        notes.append(f"several lists were put together: {some('row', shares)}")
    told = tuple(entry for one in records.said if (entry := said.confidence(one)) is not None)
    table = Table(len(records.rows) + 1, len(columns), tuple(cells))
    return ReadTable(name, table, tuple(notes), confidence=told)


def _grid(name: str, rows: Sequence[Sequence[_Leaf]]) -> ReadTable:
    cells = tuple(Cell(row, col, leaf.text) for row, line in enumerate(rows) for col, leaf in enumerate(line))
    width = max(map(len, rows), default=0)
    if len(rows) * width > LARGEST_GRID:
        raise FormatError(f"{name}: {len(rows)} rows of {width} columns, expected at most {LARGEST_GRID:,} cells")
    return ReadTable(name, Table(len(rows), width, cells))


def _described(value: Any) -> str:
    if isinstance(value, dict):
        return f"an object with {some('key', [repr(key) for key in value])}" if value else "an empty object"
    return f"a list of {len(value)} entries" if isinstance(value, list) else "a single value"
