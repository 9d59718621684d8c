"""Table types: the schemas of a project, each kept in all its versions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache

from sqlite_utils import Database

from scoring.schema import TableType, bind
from scoring.table import Table
from store.db import Db, insert, now, row

# A table is taken for a type without being named so when this share of the type's columns is found by header.
SHARE_OF_COLUMNS_FOUND = 0.6


def add_table_type(db: Db, table_type: TableType, *, project: str) -> bool:
    """Keep a table type as the newest version of its name; False where it is that already."""
    with db.write() as writer:
        newest = _newest(writer, project, table_type.name)
        if newest is not None and newest["signature"] == table_type.signature:
            return False
        # An older version that comes back becomes the newest by a row of its own.
        insert(
            writer,
            "table_type",
            {
                "project": project,
                "name": table_type.name,
                "signature": table_type.signature,
                "body": json.dumps(table_type.to_json(), ensure_ascii=False),
                "added_at": now(),
            },
        )
        return True


def table_type(reader: Database, name: str, *, project: str) -> TableType | None:
    """The newest version of a table type, or None where the project has none of that name."""
    newest = _newest(reader, project, name)
    return None if newest is None else _parsed(newest["body"])


def version_of(reader: Database, signature: str, *, project: str) -> TableType | None:
    """The table type of a project that has this signature, in whichever version; None where none ever had."""
    found = row(reader, "select body from table_type where project = ? and signature = ?", (project, signature))
    return None if found is None else _parsed(found["body"])


def table_types(reader: Database, *, project: str) -> tuple[TableType, ...]:
    """The newest version of each table type of a project, by name."""
    rows = reader.query(
        "select body from table_type where id in "
        "(select max(id) from table_type where project = ? group by name) order by name",
        (project,),
    )
    return tuple(_parsed(entry["body"]) for entry in rows)


def type_labels(reader: Database, *, project: str = "") -> Mapping[str, str]:
    """What each table type of a project, or of all, is called; its name where projects call it differently."""
    rows = reader.query(
        "select name, body from table_type where id in (select max(id) from table_type "
        "where :project = '' or project = :project group by project, name)",
        {"project": project},
    )
    called: dict[str, set[str]] = {}
    for entry in rows:
        called.setdefault(entry["name"], set()).add(_parsed(entry["body"]).shown)
    return {name: min(labels) if len(labels) == 1 else name for name, labels in called.items()}


def fitting(types: Iterable[TableType], table: Table, name: str) -> TableType | None:
    """The table type for a table: the one of its name, else the one whose columns its header names best.

    None where fewer than SHARE_OF_COLUMNS_FOUND of the columns of every type are found.
    """
    best, best_share = None, SHARE_OF_COLUMNS_FOUND
    for candidate in types:
        if candidate.name == name:
            return candidate
        found = {column for column in bind(table, candidate, by_position=False).columns if column is not None}
        share = len(found) / len(candidate.columns) if candidate.columns else 0.0
        if share > best_share or (share == best_share and best is None):
            best, best_share = candidate, share
    return best


# The same value for the same text: what its columns work out once, such as how their numbers are read, is kept with it.
@lru_cache(maxsize=256)
def _parsed(body: str) -> TableType:
    return TableType.from_json(json.loads(body))


def _newest(reader: Database, project: str, name: str) -> dict[str, str] | None:
    return row(reader, "select * from table_type where project = ? and name = ? order by id desc", (project, name))
