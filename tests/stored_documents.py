"""Documents, answers of extractors and gold, put straight into a store, for homes of which every figure is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring.table import Table
from store.db import Db
from store.documents import Document, add_document
from store.extractions import Extraction, Run, add_extraction
from store.extractors.fixtures import pdf
from store.formats.contract import ReadTable
from store.gold import Base, Gold, add_gold
from store.home import Home
from store.pages import PageSize


def put_document(
    db: Db, home: Home, name: str, lines: Iterable[Sequence[str]], *, project: str, doc_type: str = "", pages: int = 1
) -> Document:
    """A PDF in which its name and these lines stand."""
    document, _ = add_document(
        db,
        home,
        pdf([name, *map(" ".join, lines)]),
        name=name,
        media_type="application/pdf",
        pages=[PageSize(number, 595, 842) for number in range(1, pages + 1)],
        person="ann",
        project=project,
        doc_type=doc_type,
    )
    return document


def put_answer(
    db: Db, document: Document, run: Run, *tables: tuple[str, Table], raw: bytes | None = None
) -> Extraction:
    """What a run returned for a document: tables by their names."""
    answer, _ = add_extraction(
        db,
        document.id,
        repr((run, tables)).encode() if raw is None else raw,
        file_name="answer.json",
        run=run,
        format_name="proofgrid",
        tables=[ReadTable(name, table) for name, table in tables],
        notes=(),
        person="ann",
    )
    return answer


def put_gold(db: Db, document: Document, table: Table, *, base: Base = "blank", person: str = "ann") -> Gold:
    """Gold "lines" of the table type of this name."""
    gold, _ = add_gold(db, document.id, table, name="lines", base=base, person=person, table_type="lines")
    return gold
