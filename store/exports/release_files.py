"""What goes with the tables of a release: what it is, and the passport of each table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from sqlite_utils import Database

from store.exports.written import ByDocument, Export, with_ids
from store.passports import passport
from store.releases import Release, released_tables


def write(documents: ByDocument, reader: Database, made: Release) -> Iterator[Export]:
    """``release-SIGNATURE.json``, and a ``.passport.json`` for each table; an import passes them over."""
    members = released_tables(reader, made.id)
    by_gold = {table.gold: table for table in members}
    for tables in documents:
        for id, entry in with_ids(tables):
            yield _file(f"{id}.passport.json", passport(reader, made, by_gold[entry.gold.id]).to_json())
    told = {"proofgrid": "release/1", **asdict(made), "tables": [table.to_json() for table in members]}
    yield _file(f"release-{made.signature[:8]}.json", told)


def _file(name: str, value: dict[str, Any]) -> Export:
    return Export(name, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())
