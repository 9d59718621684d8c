"""The API for programs: documents, extractions, gold and scores, read and added by key (docs/api.md)."""

from __future__ import annotations

import csv
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlite_utils import Database
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from review_app import openapi, rest_schemas, score_report
from review_app.opening import expect_known
from review_app.rest_operation import Asked, Operation, Parameter, Unclear, endpoint
from review_app.settings import database, settings
from store import audit, blind, documents, extractions, gold, hiding, ingest, releases
from store.attempts import completions
from store.db import LARGEST_NUMBER, NotFound, StoreError
from store.documents import Document
from store.extractions import Extraction
from store.hiding import Withheld, keys_blind
from store.incoming import shown
from store.repeats import repeated
from store.scores import compared_documents

LARGEST_FILE = 200_000_000
PER_PAGE = 100

_PROJECT = Parameter("project", "only this project; by default all", most=80)
_FROM = Parameter("from", "how many to leave out", kind="number", most=LARGEST_NUMBER, otherwise=0)
_COUNT = Parameter("count", "how many at most", kind="number", least=1, most=1000, otherwise=PER_PAGE)


def _number(name: str, meaning: str) -> Parameter:
    return Parameter(name, meaning, kind="number", least=1, most=LARGEST_NUMBER, required=True)


def _documents(asked: Asked) -> dict[str, Any]:
    with database().read() as reader:
        _expect_known(reader, asked.parts["project"])
        found = documents.documents(reader, project=asked.parts["project"])
    first, count = asked.parts["from"], asked.parts["count"]
    return {"total": len(found), "documents": [_document_json(each) for each in found[first : first + count]]}


def _document(asked: Asked) -> dict[str, Any]:
    key = asked.parts["document"]
    with database().read() as reader:
        found = documents.document(reader, key)
        pages = [asdict(page) for page in documents.pages(reader, key)]
        given = extractions.numbers(reader, key)
        withheld = hiding.withheld(reader, asked.person)
        tables = [
            {"gold": table.id, "name": table.name, "status": gold.status(reader, table.id)}
            for table in gold.gold_tables(reader, key)
            if table.id not in withheld
        ]
    return {**_document_json(found), "pages": pages, "extractions": list(given), "gold": tables}


def _document_json(found: Document) -> dict[str, Any]:
    return {**asdict(found), "conditions": list(found.conditions)}


def _extraction(asked: Asked) -> dict[str, Any]:
    with database().read() as reader:
        found = _shown(reader, asked)
        audit.note_hourly(database(), reader, asked.person, "read", f"extraction {found.id}")
    tables = [
        {"id": each.id, "name": each.name, "remarks": list(each.remarks), "table": each.table.to_json()}
        for each in found.tables
    ]
    return {**asdict(found), "notes": list(found.notes), "tables": tables}


def _shown(reader: Database, asked: Asked) -> Extraction:
    """The extraction that is asked for; raises Withheld where somebody keys without it now."""
    found = extractions.extraction(reader, asked.parts["extraction"])
    _expect_not_keying(asked.person)
    if blind.hides_in(reader, found.document):
        raise Withheld("A table of this document is keyed without its extraction; it is shown when that is accepted.")
    return found


def _received(asked: Asked) -> bytes:
    with database().read() as reader:
        found = _shown(reader, asked)
        audit.note_hourly(database(), reader, asked.person, "read", f"extraction {found.id}")
        return extractions.received(reader, found.received_sha256)


def _gold(asked: Asked) -> dict[str, Any]:
    db, key = database(), asked.parts["gold"]
    with db.read() as reader:
        found = gold.gold(reader, key)
        hiding.expect_shown(reader, key, asked.person)
        revision, sheet = gold.current(db, reader, key)
        audit.note_hourly(db, reader, asked.person, "read", f"table {key}")
        return {
            "gold": key,
            "document": found.document,
            "name": found.name,
            "table_type": found.table_type,
            "base": found.base,
            "status": gold.status(reader, key),
            "revision": revision,
            "sheet": sheet.to_json(),
        }


def _scores(asked: Asked) -> dict[str, Any]:
    db, project, run = database(), asked.parts["project"], asked.parts["run"]
    _expect_not_keying(asked.person)
    with db.read() as reader:
        _expect_known(reader, project, run)
        runs = completions(reader, project=project, run=run)
        repeats = [entry for entry in repeated(db, reader, project=project) if run in (None, *entry.runs)]
        return score_report.to_json(compared_documents(db, reader, project=project, run=run), runs, repeats)


def _releases(asked: Asked) -> dict[str, Any]:
    with database().read() as reader:
        _expect_known(reader, asked.parts["project"])
        found = [
            {**asdict(each), "tables": len(releases.released_tables(reader, each.id))}
            for each in releases.releases(reader, project=asked.parts["project"])
        ]
    return {"releases": found}


def _import(asked: Asked) -> dict[str, Any]:
    name, key = asked.parts["name"], asked.parts["document"]
    if name in ("", ".", "..") or {"/", "\\"} & set(name) or not name.isprintable():
        raise Unclear(f"name is {name!r}, expected the bare name of a file, such as march.pdf")
    db, project, mapping = database(), asked.parts["project"], None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sent", name)
        file.parent.mkdir()
        try:
            file.write_bytes(asked.body)
        except OSError as wrong:
            raise Unclear(f"name is {name[:50]!r}, which no file can have: {wrong.strerror}") from None
        if key is not None:
            with db.read() as reader:
                of = documents.document(reader, key)
            project, mapping = of.project, Path(folder, "mapping.csv")
            with mapping.open("w", newline="", encoding="utf-8") as lines:
                csv.writer(lines).writerows([("file", "document"), (name, of.sha256)])
        person = asked.person
        done = ingest.ingest(
            db,
            settings().home,
            [file.parent if name.lower().endswith(".zip") else file],
            person=person,
            project=project,
            format_name=asked.parts["format"],
            table_type=asked.parts["table_type"],
            mapping=mapping,
        )
    files = [
        {
            "name": shown(
                entry.path.relative_to(file.parent) if entry.path.is_relative_to(file.parent) else entry.path
            ),
            "outcome": entry.outcome,
            "what": entry.what,
            "took_for": entry.took_for,
            "message": entry.message,
            "notes": list(entry.notes),
        }
        for entry in done.entries
    ]
    if all(entry.outcome == "refused" for entry in done.entries):
        told = "; ".join(entry.message for entry in done.entries) or done.passed()
        raise Unclear(f"{name}: nothing of it could be stored: {told}")
    return {"files": files}


def _expect_known(reader: Database, project: str | None, run: int | None = None) -> None:
    try:
        expect_known(reader, project=project, run=run)
    except StoreError as wrong:
        raise NotFound(str(wrong)) from None


def _expect_not_keying(person: str) -> None:
    with database().read() as reader:
        if keys_blind(reader, person):
            raise Withheld("You key a table a second time, from the page alone; hand it in first.")


OPERATIONS = (
    Operation(
        "GET",
        "/api/v1/documents",
        "listDocuments",
        "The documents, in the order of their names",
        "results",
        _documents,
        rest_schemas.DOCUMENTS,
        (_PROJECT, _FROM, _COUNT),
    ),
    Operation(
        "GET",
        "/api/v1/documents/{document}",
        "readDocument",
        "A document with its pages, and the numbers of its extractions and gold tables",
        "results",
        _document,
        rest_schemas.WHOLE_DOCUMENT,
        (_number("document", "the number of the document"),),
    ),
    Operation(
        "GET",
        "/api/v1/extractions/{extraction}",
        "readExtraction",
        "What a run of an extractor returned for a document, with the tables read from it",
        "results",
        _extraction,
        rest_schemas.EXTRACTION,
        (_number("extraction", "the number of the extraction"),),
    ),
    Operation(
        "GET",
        "/api/v1/extractions/{extraction}/received",
        "readReceived",
        "The same as it was received, byte by byte",
        "results",
        _received,
        None,
        (_number("extraction", "the number of the extraction"),),
    ),
    Operation(
        "GET",
        "/api/v1/gold/{gold}",
        "readGold",
        "A gold table as it stands now",
        "review",
        _gold,
        rest_schemas.GOLD,
        (_number("gold", "the number of the gold table"),),
    ),
    Operation(
        "GET",
        "/api/v1/scores",
        "readScores",
        "Scores of the first extractions, or of a run, against accepted gold: the JSON of proofgrid score --json",
        "results",
        _scores,
        rest_schemas.SCORES,
        (
            _PROJECT,
            Parameter("run", "score this run; by default first extractions", "number", least=1, most=LARGEST_NUMBER),
        ),
    ),
    Operation(
        "GET",
        "/api/v1/releases",
        "listReleases",
        "The releases of gold, oldest first",
        "results",
        _releases,
        rest_schemas.RELEASES,
        (_PROJECT,),
    ),
    Operation(
        "POST",
        "/api/v1/files",
        "addFile",
        "Import a document, what an extractor returned for one, table types, gold, or a ZIP archive of them",
        "import",
        _import,
        rest_schemas.IMPORTED,
        (
            Parameter("name", "the name of the file; without document, it tells the document", required=True, most=255),
            Parameter("project", "the project it belongs to", most=80, otherwise="default"),
            Parameter("document", "the document that was extracted", "number", least=1, most=LARGEST_NUMBER),
            Parameter("format", "the format of an extraction", otherwise="auto"),
            Parameter("table_type", "the type of tables that neither name nor header tell", otherwise=""),
        ),
        largest_body=LARGEST_FILE,
    ),
)


async def _openapi(request: Request) -> Response:
    return JSONResponse(openapi.described(OPERATIONS))


def routes() -> list[Route]:
    """One route for each path, and one for the description of all, which holds nothing that needs a key."""
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
    paths = dict.fromkeys(operation.path for operation in OPERATIONS)
    made = [
        Route(path, endpoint([each for each in OPERATIONS if each.path == path]), methods=methods) for path in paths
    ]
    return [*made, Route("/api/v1/openapi.json", _openapi)]
