from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Table, from_rows
from store.db import Db
from store.documents import Document, add_document
from store.gold import Gold, add_gold
from store.home import Home
from store.ingest import ingest
from store.ingested import Ingested
from store.pages import PageSize


@pytest.fixture
def table() -> Table:
    return from_rows([["item", "price"], ["bolt", "1.20"], ["nut", "O.40"], ["washer", "0.10"]], header_rows=1)


@pytest.fixture
def document(db: Db, home: Home) -> Document:
    added, _ = add_document(
        db,
        home,
        b"%PDF-1.7 parts",
        name="parts.pdf",
        media_type="application/pdf",
        pages=[PageSize(1, 595, 842)],
        person="ann",
        project="default",
    )
    return added


@pytest.fixture
def gold(db: Db, document: Document, table: Table) -> Gold:
    added, _ = add_gold(db, document.id, table, name="parts", base="blank", person="ann")
    return added


@pytest.fixture(scope="session")
def corpus_file() -> Callable[[str], Path]:
    """A file of the larger corpora, which are not part of the project."""

    def find(name: str) -> Path:
        folder = Path(os.environ.get("PROOFGRID_CORPORA", Path(__file__).parents[3] / "shared"))
        if not (folder / name).exists():
            pytest.skip(f"the corpora folder has no {name}; PROOFGRID_CORPORA names the folder")
        return folder / name

    return find


@pytest.fixture
def run(db: Db, home: Home) -> Callable[..., Ingested]:
    """Import files as ann."""

    def run(*paths: Path, **options: Any) -> Ingested:
        return ingest(db, home, paths, person="ann", **options)

    return run
