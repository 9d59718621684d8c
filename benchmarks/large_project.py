"""A generated project of thousands of reviewed documents: python -m benchmarks.large_project FOLDER"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import time
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks import documents
from benchmarks.documents import COLUMNS, TABLE_TYPES
from scoring.schema import TableType
from store import edit_json
from store.db import Db
from store.edits import SetText, TextChange
from store.extractors.fixtures import pdf
from store.home import Home
from store.queue import Filter, listing
from store.table_types import add_table_type

PROJECT = "large"
DOCUMENTS = 10_000
LINES, SUMS = 7, 8  # 8 columns and 4: with the headers, 100 cells of gold in a document
SUM_COLUMNS = ("rate", "net", "tax", "gross")
DOC_TYPES = ("invoice", "order", "delivery note")
CONDITIONS = ((), ("scan",), ("scan", "rotated"), ("photo",))
PEOPLE = ("ann", "bob", "eve")
# The extractors of the two runs: how often one reads a cell wrongly, and leaves out a line.
RUNS = (("steady", 0.03, 0.02), ("hasty", 0.06, 0.05))
ACCEPTED, EDITED, TIMED, UNANSWERED = 0.95, 0.1, 0.5, 0.01
WRITTEN_AT_ONCE = 500
START = datetime(2026, 4, 1, 8, tzinfo=UTC)

Texts = list[list[str]]


@dataclass
class _Rows:
    """The rows of each table of the database that wait to be written."""

    tables: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    received: set[str] = field(default_factory=set)

    def add(self, table: str, *values: Any) -> None:
        self.tables.setdefault(table, []).append(values)

    def receive(self, digest: str, name: str, raw: bytes) -> None:
        """The same bytes are kept once."""
        if digest not in self.received:
            self.received.add(digest)
            self.add("received", digest, name, raw)

    def write(self, db: Db) -> None:
        with db.write() as writer:
            for table, rows in self.tables.items():
                marks = ", ".join("?" * len(rows[0]))
                writer.conn.executemany(f"insert into {table} ({_COLUMNS[table]}) values ({marks})", rows)
        self.tables = {}


_COLUMNS = {
    "document": "id, project, sha256, name, media_type, bytes, doc_type, conditions, added_at, added_by",
    "page": "document, number, width, height",
    "received": "sha256, name, body",
    "extraction": "id, document, run, received, format, notes, received_at, received_by",
    "extracted_table": "id, extraction, position, name, body, sha256, notes",
    "attempt": "run, document, number, outcome, reason, seconds, received, extraction, made_at, made_by",
    "gold": "id, document, position, name, table_type, base, extracted_table, body, sha256, added_at, added_by",
    "edit": "id, gold, revision, body, undoes, source, person, made_at, stored_at, active_ms",
    "verdict": "id, gold, revision, verdict, reason, person, at",
    "activity": "id, gold, person, client, phase, started_at, active_ms, idle_ms, hidden_ms, gaps, cells, seen, "
    "stored_at, began_ms, pauses, away",
}


def make(folder: Path, *, count: int = DOCUMENTS) -> Path:
    """The home of so many documents in a folder; one that was made there before is taken as it is.

    The rows are those that an import, an extraction and a review would have written, so that ``proofgrid verify``
    finds nothing wrong; they are written in bulk, without parsing what was just made.
    """
    home = folder / f"large-{count}"
    if (home / "made").exists():
        return home
    home.mkdir(parents=True)
    db = Db(Home(home).database)
    sums = {"name": "sums", "columns": [{"name": name, "type": "currency"} for name in SUM_COLUMNS]}
    for kind in (*TABLE_TYPES["table_types"], sums):  # type: ignore[misc]  # a literal of plain JSON
        add_table_type(db, TableType.from_json(kind), project=PROJECT)
    with db.write() as writer:
        for name, _, _ in RUNS:
            writer.execute(
                "insert into run (project, extractor, version, started_at) values (?, ?, '1', ?)",
                (PROJECT, name, _at(0)),
            )
    rows = _Rows()
    for number in range(count):
        _document(rows, Home(home), number)
        if number % WRITTEN_AT_ONCE == WRITTEN_AT_ONCE - 1 or number == count - 1:
            rows.write(db)
    with db.read() as reader:
        listing(db, reader, Filter())  # as an import does: the queue is ready
    db.close()
    (home / "made").touch()
    return home


def _document(rows: _Rows, home: Home, number: int) -> None:
    chance, name, key = random.Random(number), f"order-{number:05}", number + 1
    items = [[heading for heading, _, _ in COLUMNS], *documents.texts(chance, number, LINES)]
    truth = {"line_items": items, "sums": list(_sums(chance))}
    raw = pdf([name, *(" ".join(line) for table in truth.values() for line in table)])
    digest = hashlib.sha256(raw).hexdigest()
    file = home.document_file(digest)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(raw)
    kind, conditions = DOC_TYPES[number % 3], json.dumps(CONDITIONS[number % 4])
    at = _at(number)
    rows.add(
        "document", key, PROJECT, digest, f"{name}.pdf", "application/pdf", len(raw), kind, conditions, at, "import"
    )
    rows.add("page", key, 1, 595.0, 842.0)
    read, _ = (_extracted(rows, chance, key, run, truth, at) for run in range(len(RUNS)))
    accepted = chance.random() < ACCEPTED
    for position, (title, texts) in enumerate(truth.items()):
        _gold(rows, chance, key, position, title, texts, read.get(title), at, accepted)


def _sums(chance: random.Random) -> Iterable[list[str]]:
    yield list(SUM_COLUMNS)
    for row in range(1, SUMS + 1):
        net = chance.randrange(100, 500_000)
        tax = net * row // 100
        yield [f"{row}.00", *(f"{value / 100:,.2f}" for value in (net, tax, net + tax))]


def _extracted(
    rows: _Rows, chance: random.Random, key: int, run: int, truth: dict[str, Texts], at: str
) -> dict[str, tuple[int, Texts]]:
    """What a run returned for a document: id and texts of each table; nothing where it gave no answer."""
    name, wrong, lost = RUNS[run]
    if run and chance.random() < UNANSWERED:
        rows.add("attempt", run + 1, key, 1, "no answer", "timed out after 60 s", 60.0, None, None, at, "extract")
        return {}
    tables = {title: [list(line) for line in texts] for title, texts in truth.items()}
    misread: dict[str, set[tuple[int, int]]] = {title: set() for title in tables}
    for title, texts in tables.items():
        for row, line in enumerate(texts[1:], start=1):
            for col, text in enumerate(line):
                if text and chance.random() < wrong:
                    line[col] = _misread(chance, text)
                    misread[title].add((row, col))
        if chance.random() < lost:
            del texts[-1]
    records = {title: [dict(zip(texts[0], line, strict=True)) for line in texts[1:]] for title, texts in tables.items()}
    raw = json.dumps(records).encode()
    digest, extraction = hashlib.sha256(raw).hexdigest(), len(RUNS) * key + run
    rows.receive(digest, f"{name}-{key}.json", raw)
    rows.add("extraction", extraction, key, run + 1, digest, "json-records", "[]", at, "extract")
    found = {}
    for position, (title, texts) in enumerate(tables.items()):
        table = 2 * extraction + position
        rows.add("extracted_table", table, extraction, position, title, *_body(texts, chance, misread[title]), "[]")
        found[title] = (table, texts)
    if run:
        rows.add("attempt", run + 1, key, 1, "read", "", chance.uniform(1, 9), digest, extraction, at, "extract")
    return found


def _gold(
    rows: _Rows,
    chance: random.Random,
    document: int,
    position: int,
    title: str,
    texts: Texts,
    read: tuple[int, Texts] | None,
    at: str,
    accepted: bool,
) -> None:
    key, person = 2 * document + position, chance.choice(PEOPLE)
    edits: list[TextChange] = []
    if read and len(read[1]) == len(texts) and chance.random() < EDITED:
        edits = [
            TextChange(row, col, read[1][row][col], text)
            for row, line in enumerate(texts)
            for col, text in enumerate(line)
            if text != read[1][row][col]
        ]
    base, extracted, begun = ("extraction", read[0], read[1]) if edits and read else ("import", None, texts)
    rows.add("gold", key, document, position, title, title, base, extracted, *_body(begun), at, "import")
    for revision, change in enumerate(edits, start=1):
        body = json.dumps(edit_json.to_json(SetText((change,))), ensure_ascii=False)
        rows.add("edit", f"edit-{key}-{revision}", key, revision, body, None, "typed", person, at, at, 2_000)
    if accepted:
        rows.add("verdict", f"accept-{key}", key, len(edits), "accept", "", person, at)
    if chance.random() < TIMED:
        began = START + timedelta(seconds=document * 300 + position * 140)
        for part, phase in enumerate(("orientation", "correction")):
            since, active = began + timedelta(seconds=60 * part), chance.randrange(5_000, 60_000)
            rows.add(
                "activity",
                f"work-{key}-{part}",
                key,
                person,
                f"tab-{document}",
                phase,
                since.isoformat(),
                active,
                0,
                0,
                "[]",
                "[]",
                "[]",
                at,
                round(since.timestamp() * 1000),
                "[]",
                "[]",
            )


def _misread(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice("0123456789") + text[at + 1 :] if chance.random() < 0.9 else ""


def _body(
    texts: Sequence[Sequence[str]], chance: random.Random | None = None, misread: Container[tuple[int, int]] = ()
) -> tuple[str, str]:
    """A table as ``store.extractions.dump`` writes it, and its hash; with boxes and confidence if chance is given.

    The confidence of cells that were misread is lower, as a rule.
    """
    width = len(texts[0])
    cells: list[dict[str, Any]] = []
    for row, line in enumerate(texts):
        for col, text in enumerate(line):
            cell: dict[str, Any] = {"row": row, "col": col, "text": text}
            if not row:
                cell["header"] = "column"
            if chance:
                left, top = round(0.08 + 0.84 * col / width, 4), round(0.1 + 0.02 * row, 4)
                cell["box"] = [1, left, top, round(left + 0.09, 4), round(top + 0.018, 4)]
                sure = round(1 - chance.random() ** (0.6 if (row, col) in misread else 4) / 2, 3)
                cell["confidence"] = [{"value": sure, "kind": "text", "unit": "cell", "source": "generated"}]
            cells.append(cell)
    plain = {"n_rows": len(texts), "n_cols": width, "cells": cells}
    body = json.dumps(plain, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return body, hashlib.sha256(body.encode()).hexdigest()


def _at(number: int) -> str:
    return (START + timedelta(seconds=number * 300)).isoformat(timespec="milliseconds")


def main() -> int:
    """Make the home and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where homes are kept")
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    chosen = parser.parse_args()
    start = time.perf_counter()
    print(f"{make(chosen.folder, count=chosen.documents)} in {time.perf_counter() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
