"""Extractions: what extractors returned, as received and as read, never changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from sqlite_utils import Database

from scoring.table import Box, Confidence, Table
from store.db import Db, NotFound, insert, now, row
from store.formats.contract import ReadTable, Repair
from store.parsed import keep, parsed

# So begins the name of a run that read a region which a person drew. What it returned is kept like any other
# extraction, and never is the first one of its document: a person said where the table is.
BY_REGION = "by region, "
OVER_DOCUMENTS = f"substr(run.extractor, 1, {len(BY_REGION)}) <> '{BY_REGION}'"
WHOLE = f"exists (select 1 from run where run.id = extraction.run and {OVER_DOCUMENTS})"
FILES_RECEIVED = b'{"proofgrid": "received-files/1"'


@dataclass(frozen=True)
class Run:
    """One execution of one extractor over documents."""

    extractor: str
    version: str = ""
    parameters: Mapping[str, Any] | None = None
    repeat: int = 1


@dataclass(frozen=True)
class ExtractedTable:
    """One table of an extraction, with what its reader said of it: see ``ReadTable``."""

    id: int
    position: int
    name: str
    table: Table
    notes: tuple[str, ...]
    repairs: tuple[Repair, ...] = ()
    boxes: tuple[Box, ...] = ()
    confidence: tuple[Confidence, ...] = ()
    place: str = ""

    @property
    def repaired(self) -> dict[tuple[int, int], tuple[str, ...]]:
        """What was changed at which position of the table."""
        found: dict[tuple[int, int], tuple[str, ...]] = {}
        for repair in self.repairs:
            found[repair.row, repair.col] = (*found.get((repair.row, repair.col), ()), repair.what)
        return found

    @property
    def remarks(self) -> tuple[str, ...]:
        """Confidence of the table as a whole, notes, and repairs with their place, one sentence each."""
        return (*map(_said, self.confidence), *self.notes, *map(str, self.repairs))


@dataclass(frozen=True)
class Extraction:
    """What one run returned for one document; ``received_sha256`` is the hash of the bytes as received."""

    id: int
    document: int
    run: int
    extractor: str
    format: str
    received_sha256: str
    received_at: str
    notes: tuple[str, ...]
    tables: tuple[ExtractedTable, ...]


def add_extraction(
    db: Db,
    document: int,
    raw: bytes,
    *,
    file_name: str,
    run: Run,
    format_name: str,
    tables: Sequence[ReadTable],
    notes: Sequence[str],
    person: str,
    parts: Sequence[tuple[str, bytes]] = (),
) -> tuple[Extraction, bool]:
    """The stored extraction and whether it is new; the same bytes of one run are stored once per document.

    ``parts``: the files by name in which it came, where ``raw`` is what ``files_received`` makes of them; each is kept.
    One of them alone is no new extraction later.
    """
    digest = sha256(raw).hexdigest()
    with db.write() as writer:
        run_number = run_key(writer, document, run)
        known = row(
            writer,
            "select e.id from extraction e join received r on r.sha256 = e.received where e.document = ? and e.run = ? "
            "and (e.received = ? or (substr(r.body, 1, ?) = ? and instr(r.body, ?))) order by e.id",
            (document, run_number, digest, len(FILES_RECEIVED), FILES_RECEIVED, digest.encode()),
        )
        if known is not None:
            return extraction(writer, known["id"]), False
        keep_received(writer, raw, file_name)
        for part_name, part in parts:
            keep_received(writer, part, part_name)
        key = insert(
            writer,
            "extraction",
            {
                "document": document,
                "run": run_number,
                "received": digest,
                "format": format_name,
                "notes": json.dumps(list(notes), ensure_ascii=False),
                "received_at": now(),
                "received_by": person,
            },
        )
        for position, read in enumerate(tables):
            body = dump(read.table)
            digest_of_table = sha256(body.encode()).hexdigest()
            keep(digest_of_table, read.table)
            insert(
                writer,
                "extracted_table",
                {
                    "extraction": key,
                    "position": position,
                    "name": read.name,
                    "body": body,
                    "sha256": digest_of_table,
                    "notes": json.dumps(read.notes, ensure_ascii=False),
                    "repairs": json.dumps(
                        [[repair.row, repair.col, repair.what] for repair in read.repairs], ensure_ascii=False
                    ),
                    "boxes": json.dumps([box.to_json() for box in read.boxes]),
                    "confidence": json.dumps([said.to_json() for said in read.confidence], ensure_ascii=False),
                    "place": read.place,
                },
            )
        return extraction(writer, key), True


def files_received(parts: Sequence[tuple[str, bytes]]) -> bytes:
    """What is kept as the answer that came in several files (name and bytes): the SHA-256 of each, in order."""
    files = [{"name": name, "sha256": sha256(raw).hexdigest()} for name, raw in parts]
    return FILES_RECEIVED + f', "files": {json.dumps(files, ensure_ascii=False)}}}'.encode()


def keep_received(writer: Database, raw: bytes, file_name: str) -> str:
    """Keep bytes as received and return their hash, in a transaction that is open; the same bytes are kept once."""
    digest = sha256(raw).hexdigest()
    if row(writer, "select 1 from received where sha256 = ?", (digest,)) is None:
        insert(writer, "received", {"sha256": digest, "name": file_name, "body": raw})
    return digest


def extraction(reader: Database, key: int) -> Extraction:
    """The extraction with this id; raises NotFound."""
    found = row(
        reader,
        "select e.*, trim(r.extractor || ' ' || r.version) as producer from extraction e "
        "join run r on r.id = e.run where e.id = ?",
        (key,),
    )
    if found is None:
        raise NotFound(f"extraction {key}: there is none with this number in the database")
    rows = list(
        reader.query(
            "select id, position, name, notes, repairs, boxes, confidence, place, sha256 from extracted_table "
            "where extraction = ? order by position",
            (key,),
        )
    )

    def body(entry: Mapping[str, Any]) -> str:
        stored = row(reader, "select body from extracted_table where id = ?", (entry["id"],))
        return str(stored["body"]) if stored else ""

    return Extraction(
        id=key,
        document=found["document"],
        run=found["run"],
        extractor=found["producer"],
        format=found["format"],
        received_sha256=found["received"],
        received_at=found["received_at"],
        notes=tuple(json.loads(found["notes"])),
        tables=tuple(
            ExtractedTable(
                id=entry["id"],
                position=entry["position"],
                name=entry["name"],
                table=parsed(entry["sha256"], partial(body, entry)),
                notes=tuple(json.loads(entry["notes"])),
                repairs=tuple(Repair(*repair) for repair in json.loads(entry["repairs"])),
                boxes=tuple(map(Box.from_json, json.loads(entry["boxes"]))),
                confidence=tuple(map(Confidence.from_json, json.loads(entry["confidence"]))),
                place=entry["place"],
            )
            for entry in rows
        ),
    )


def numbers(reader: Database, document: int) -> tuple[int, ...]:
    """The numbers of the extractions of a document, in the order in which they came."""
    return tuple(
        key for (key,) in reader.execute("select id from extraction where document = ? order by id", (document,))
    )


def first_extraction(
    reader: Database, document: int, *, run: int | None = None, with_tables: bool = False
) -> Extraction | None:
    """The first extraction of a document, of any run or of one; it is the one that is scored.

    What was read from regions does not count. ``with_tables``: the first in which a table was read, to begin gold with.
    """
    found = row(
        reader,
        f"select min(id) as id from extraction where document = ? and (? is null or run = ?) and {WHOLE} "
        "and (not ? or exists (select 1 from extracted_table t where t.extraction = extraction.id))",
        (document, run, run, with_tables),
    )
    return None if found is None or found["id"] is None else extraction(reader, found["id"])


def without_extraction(reader: Database, *, project: str) -> tuple[int, ...]:
    """The documents of a project of which nothing has been extracted as a whole yet, by name."""
    rows = reader.query(
        f"select id from document where project = ? and not exists "
        f"(select 1 from extraction where extraction.document = document.id and {WHOLE}) order by name, id",
        (project,),
    )
    return tuple(entry["id"] for entry in rows)


def table_for(found: Extraction, name: str, position: int) -> ExtractedTable | None:
    """The table of an extraction that belongs to a gold table: by name, else by place if no name is known."""
    for entry in found.tables:
        if entry.name == name:
            return entry
    unnamed = [entry for entry in found.tables if entry.name.startswith("table ")]
    return next((entry for entry in unnamed if entry.position == position), None)


def received(reader: Database, digest: str) -> bytes:
    """The bytes as received; raises NotFound."""
    found = row(reader, "select body from received where sha256 = ?", (digest,))
    if found is None:
        raise NotFound(f"received file {digest}: not in the database")
    return bytes(found["body"])


def runs(reader: Database, *, project: str) -> tuple[tuple[int, str], ...]:
    """Number and name of each run of a project over whole documents, oldest first.

    Runs of one name that differ in parameters are told apart by those.
    """
    rows = list(
        reader.query(
            "select id, trim(extractor || ' ' || version) as name, parameters, repeat "
            f"from run where project = ? and {OVER_DOCUMENTS} order by id",
            (project,),
        )
    )
    ways: dict[str, list[dict[str, Any]]] = {}
    for entry in rows:
        ways.setdefault(entry["name"], []).append(json.loads(entry["parameters"]))
    return tuple(
        (
            entry["id"],
            entry["name"]
            + _told_apart(json.loads(entry["parameters"]), ways[entry["name"]])
            + (f", repeat {entry['repeat']}" if entry["repeat"] > 1 else ""),
        )
        for entry in rows
    )


def _told_apart(parameters: Mapping[str, Any], among: Sequence[Mapping[str, Any]]) -> str:
    """The parameters in which others differ, as ", dpi 300"; "" where none do."""
    names = sorted({name for other in among for name in other})
    differing = [name for name in names if any(other.get(name) != parameters.get(name) for other in among)]
    return "".join(
        f", {name} {parameters[name] if isinstance(parameters[name], str) else json.dumps(parameters[name])}"
        if name in parameters
        else f", no {name}"
        for name in differing
    )


def dump(table: Table) -> str:
    """The table as the one text that is stored and hashed."""
    return json.dumps(table.to_json(), ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _said(confidence: Confidence) -> str:
    value = "none" if confidence.value is None else f"{confidence.value:.3g}"
    given = f", given as {confidence.raw}" if confidence.raw and confidence.raw != value else ""
    return f"{confidence.kind} confidence of the {confidence.unit}: {value} ({confidence.source}{given})"


def known_run(reader: Database, project: str, run: Run) -> int | None:
    """The number of a run of a project, or None where there is none like it."""
    known = row(reader, f"select id from run where {_LIKE} and repeat = :repeat", _values(project, run))
    return None if known is None else int(known["id"])


def last_repeat(reader: Database, project: str, run: Run) -> int:
    """The highest repeat number among the runs that differ from this one in nothing else; 0 where there is none."""
    found = row(reader, f"select max(repeat) as n from run where {_LIKE}", _values(project, run))
    return int(found["n"] or 0) if found else 0


def run_key(writer: Database, document: int, run: Run) -> int:
    """The number of a run in the project of a document, in a transaction that is open; made where there is none.

    Raises NotFound where there is no such document.
    """
    found = row(writer, "select project from document where id = ?", (document,))
    if found is None:
        raise NotFound(f"document {document}: there is none with this number in the database")
    known = known_run(writer, found["project"], run)
    return known or insert(writer, "run", {**_values(found["project"], run), "started_at": now()})


_LIKE = " and ".join(f"{column} = :{column}" for column in ("project", "extractor", "version", "parameters"))


def _values(project: str, run: Run) -> dict[str, Any]:
    return {
        "project": project,
        "extractor": run.extractor,
        "version": run.version,
        "parameters": json.dumps(dict(run.parameters or {}), sort_keys=True),
        "repeat": run.repeat,
    }
