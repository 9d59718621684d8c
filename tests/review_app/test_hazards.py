"""PDFs that break programs, through the routes of the review: table, page image, tile and words of each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from review_app.settings import settings
from scoring.table import from_rows
from store.documents import documents
from store.gold import add_gold
from store.ingest import ingest

if TYPE_CHECKING:
    from conftest import Server

SMALL = Path(__file__).parents[1] / "store" / "hazards"
CORPORA = Path(os.environ.get("PROOFGRID_CORPORA", Path(__file__).parents[3] / "shared"))


@pytest.mark.parametrize(
    ("folder", "least"),
    [(SMALL, 22), pytest.param(CORPORA / "corpora" / "hazards", 62, marks=pytest.mark.corpus)],
    ids=["small", "corpus"],
)
def test_each_hazard_is_opened_by_the_routes_of_the_review(server: Server, folder: Path, least: int) -> None:
    if not folder.is_dir():
        pytest.skip(f"there is no {folder}; PROOFGRID_CORPORA names the folder of the corpora")
    ingest(
        server.db, settings().home, [folder], person="ann", project="hazards", passwords=lambda _: ["secret", "test"]
    )
    with server.db.read() as reader:
        found = documents(reader, project="hazards")
    assert len(found) == least
    for document in found:
        table = from_rows([["item"], ["bolt"]], header_rows=1)
        gold, _ = add_gold(server.db, document.id, table, name="table 1", base="blank", person="ann")
        status, answer = server.get(f"/api/table/{gold.id}", server.token(gold=gold.id))
        assert (status, answer["document"]["name"]) == (200, document.name)
        page = answer["document"]["pages"][-1]
        status, image = server.get(page["image"])
        assert (status, image[8:12]) == (200, b"WEBP"), document.name
        status, tile = server.get(f"{page['tiles']}@{min(288, page['sharpest'])}-0-0.webp")
        assert (status, tile[8:12]) == (200, b"WEBP"), document.name
        status, words = server.get(page["words"])
        assert (status, isinstance(words["words"], list)) == (200, True), document.name
