"""Strips: the cells of one column, or of one kind of doubt, across the tables of a project, the oddest first."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlite_utils import Database

from scoring.confidence.oddities import RISKS, oddities, pattern
from scoring.schema import ColumnType, TableType
from store import column_tallies, derived, hiding, leases, table_types
from store.column_tallies import ColumnKey, ColumnTallies
from store.db import Db
from store.strip_lines import Line

# More lines than a person can look at; the oddest come first, and the rest is counted.
MOST_LINES = 5000
# Kinds of doubt that can be looked at across all columns.
KINDS = ("unparsed", "check", "page", "confidence", "no score", "differs", *RISKS)


@dataclass(frozen=True)
class Scope:
    """Which cells: of one column of a table type, or, without a column, all that are odd in one way, or in "any"."""

    project: str
    table_type: str = ""
    column: str = ""
    kind: str = ""


@dataclass(frozen=True)
class StripTable:
    """One open gold table whose cells stand in a strip, with its document and the width and height of its pages."""

    gold: int
    revision: int
    name: str
    document: str
    sha256: str
    is_image: bool
    pages: Mapping[int, tuple[float, float]]


@dataclass(frozen=True)
class StripLine:
    """One cell in a strip: its table, its column with the type of its values, its pattern, and what is odd."""

    gold: int
    column: str
    type: ColumnType
    pattern: str
    line: Line


@dataclass(frozen=True)
class ColumnChoice:
    """A column that can be looked at: how many cells of open tables it has, and how many of them are doubts."""

    table_type: str
    type_label: str
    column: str
    label: str
    cells: int
    doubts: int


@dataclass(frozen=True)
class Strip:
    """The lines of a scope, the oddest first; settled cells stand at the end.

    ``more`` counts the lines beyond MOST_LINES, ``accepted`` the tables that are left out because they are frozen.
    """

    scope: Scope
    choices: tuple[ColumnChoice, ...]
    tables: Mapping[int, StripTable]
    lines: tuple[StripLine, ...]
    more: int
    accepted: int


def strip(db: Db, reader: Database, scope: Scope, *, person: str = "") -> Strip:
    """The strip of a scope, of tables that the person may see and nobody else has now.

    Where it names neither column nor kind, that of the column with most doubts.
    """
    types = {kind.name: kind for kind in table_types.table_types(reader, project=scope.project)}
    without = hiding.withheld(reader, person) | leases.held(reader, apart_from=person).keys()
    with column_tallies.TURN:
        known = column_tallies.column_tallies(db, reader, project=scope.project).apart_from(without)
        choices = _choices(types, known)
        if not scope.column and not scope.kind:
            most = max(choices, key=lambda choice: choice.doubts, default=None)
            if most:
                scope = replace(scope, table_type=most.table_type, column=most.column)
        kept = list(_open_tables(db, reader, scope, known))
        accepted = len(_tables_of(scope, known.accepted))
        found = sorted(_lines(kept, types, scope, known), key=lambda one: (_settled(one.line), -one.line.risk))
    shown = tuple(found[:MOST_LINES])
    on_them = {one.gold for one in shown}
    return Strip(
        scope=scope,
        choices=choices,
        tables=strip_tables(
            reader, {table["gold"]: (table["revision"], table["name"]) for table in kept if table["gold"] in on_them}
        ),
        lines=shown,
        more=len(found) - len(shown),
        accepted=accepted,
    )


def _choices(types: Mapping[str, TableType], known: ColumnTallies) -> tuple[ColumnChoice, ...]:
    return tuple(
        ColumnChoice(kind.name, kind.shown, column.name, column.shown, known.cells[key], known.doubts[key])
        for kind in types.values()
        for column in kind.columns
        if known.cells[key := (kind.name, column.name)]
    )


def _open_tables(db: Db, reader: Database, scope: Scope, known: ColumnTallies) -> Iterator[Mapping[str, Any]]:
    """The open tables of a scope with the columns that it shows; accepted ones are frozen."""
    wanted = json.dumps(sorted(_tables_of(scope, known.open)))
    where = "document.project = ? and g.id in (select value from json_each(?))"
    for table in derived.kept(db, reader, "strip lines", where, [scope.project, wanted]):
        columns = [part for part in table["columns"] if not scope.column or part["name"] == scope.column]
        if columns and table["status"] != "accepted":
            yield {**table, "columns": columns}


def _tables_of(scope: Scope, by_column: Mapping[ColumnKey, set[int]]) -> set[int]:
    return {
        gold
        for (table_type, column), tables in by_column.items()
        if scope.table_type in ("", table_type) and scope.column in ("", column)
        for gold in tables
    }


def _lines(
    kept: Iterable[Mapping[str, Any]], types: Mapping[str, TableType], scope: Scope, known: ColumnTallies
) -> Iterator[StripLine]:
    columns: dict[ColumnKey, list[tuple[Mapping[str, Any], str, list[Line]]]] = defaultdict(list)
    for table in kept:
        for part in table["columns"]:
            lines = [Line.from_json(cell) for cell in part["cells"]]
            columns[table["table_type"], part["name"] or part["label"]].append((table, part["label"], lines))
    for (type_name, name), tables in columns.items():
        kind = types.get(type_name)
        at = kind.index(name) if kind else None
        column = kind.columns[at] if kind is not None and at is not None else None
        # Accepted tables are not shown, but they tell what is usual.
        usual = known.usual[type_name, name]
        odd = oddities([[line.text for line in lines] for _, _, lines in tables], column, usual=usual)
        for (table, label, lines), told in zip(tables, odd, strict=True):
            for line, found in zip(lines, told, strict=True):
                reasons = (*line.reasons, *((oddity.kind, oddity.reason) for oddity in found))
                if not _is_wanted(scope, {kind for kind, _ in reasons}):
                    continue
                left = 1.0 - line.risk
                for oddity in found:
                    left *= 1.0 - oddity.risk
                whole = replace(line, reasons=reasons, risk=1.0 - left)
                yield StripLine(table["gold"], label, column.type if column else "text", pattern(line.text), whole)


def _is_wanted(scope: Scope, kinds: set[str]) -> bool:
    if scope.kind in ("", "any"):
        return bool(scope.column or kinds)
    return scope.kind in kinds


def _settled(line: Line) -> bool:
    return bool(line.mark) or line.edited


def strip_tables(reader: Database, wanted: Mapping[int, tuple[int, str]]) -> dict[int, StripTable]:
    """The gold tables behind some lines, by their number; ``wanted`` has the revision and the name of each."""
    sizes: dict[int, dict[int, tuple[float, float]]] = defaultdict(dict)
    known = {}
    for entry in reader.query(
        "select g.id, d.id as document, d.name, d.sha256, d.media_type from gold g join document d on d.id = g.document"
    ):
        known[entry["id"]] = entry
    documents = {known[key]["document"] for key in wanted}
    for entry in reader.query("select document, number, width, height from page"):
        if entry["document"] in documents:
            sizes[entry["document"]][entry["number"]] = (entry["width"], entry["height"])
    return {
        key: StripTable(
            gold=key,
            revision=revision,
            name=name,
            document=known[key]["name"],
            sha256=known[key]["sha256"],
            is_image=known[key]["media_type"] != "application/pdf",
            pages=sizes[known[key]["document"]],
        )
        for key, (revision, name) in wanted.items()
    }
