"""Documents that stand twice, on six documents whose texts are told in tests/six_documents.py."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.table import from_rows
from store.db import Db
from store.documents import Document, add_document, documents
from store.duplicate_scan import Scan, Twin, of_files, of_project, of_release, scan
from store.formats import proofgrid_json
from store.gold import add_gold
from store.home import Home
from store.pages import PageSize
from store.releases import make_release, release
from tests.released_gold import judge, put
from tests.six_documents import HEAD, ROWS, six_documents


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return six_documents(tmp_path_factory.mktemp("six") / "home").folder


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Home:
    return Home(Path(shutil.copytree(made, tmp_path / "copy")))


@pytest.fixture
def db(home: Home) -> Iterator[Db]:
    """Gold of the six documents: the same six texts in four of them, five of these in one, none in one."""
    opened = Db(home.database)
    make_release(opened, project="hand", name="train", person="ann")
    yield opened
    opened.close()


def add(db: Db, home: Home, raw: bytes, name: str, rows: list[list[str]]) -> Document:
    size = [PageSize(1, 9, 9)]
    found, _ = add_document(
        db, home, raw, name=name, media_type="application/pdf", pages=size, person="ann", project="other"
    )
    key = add_gold(db, found.id, from_rows([HEAD, *rows], header_rows=1), name="lines", base="import", person="ann")
    judge(db, key[0].id, "accept")
    return found


def told(twins: tuple[Twin, ...]) -> list[tuple[str, str, str, float]]:
    return [(twin.by, twin.one.name, twin.other.name, round(twin.share, 3)) for twin in twins]


def scanned(db: Db, least_share: float = 0.8) -> Scan:
    with db.read() as reader:
        return scan(of_release(reader, release(reader, "train")), least_share=least_share)


def test_documents_with_the_same_texts_are_found_within_a_release(db: Db) -> None:
    same = ["duplicate-row.pdf", "no-answer.pdf", "right.pdf", "wrong-value.pdf"]
    found = scanned(db)
    assert told(found.within) == [("texts", one, other, 1.0) for at, one in enumerate(same) for other in same[at + 1 :]]
    # The one with five texts and the one with none.
    assert (found.documents, found.others, found.few_texts, found.across) == (6, 0, 2, ())


def test_the_share_is_the_texts_in_common_by_the_texts_of_either_as_the_release_holds_them(db: Db) -> None:
    put(db, 1, 1, 0, "nail")
    make_release(db, project="hand", name="later", person="ann")
    with db.read() as reader:
        later = scan(of_release(reader, release(reader, "later")), least_share=0.7).within
    # Five texts in common of seven.
    assert [share for _, one, other, share in told(later) if "right.pdf" in (one, other)] == [0.714] * 3
    assert {twin.share for twin in scanned(db, 0.7).within} == {1.0}


def test_a_document_of_a_release_is_found_in_another_project_and_release(db: Db, home: Home) -> None:
    with db.read() as reader:
        right = next(found for found in documents(reader, project="hand") if found.name == "right.pdf")
    raw = home.document_file(right.sha256).read_bytes()
    add(db, home, raw, "copy.pdf", [["something", "else"]])
    add(db, home, b"%PDF scanned again", "scan.pdf", [[" BOLT", "2", "1.20"], ROWS[1]])
    add(db, home, b"%PDF another", "new.pdf", [["screw", "5", "3.33"], ["hook", "7", "8.10"]])
    make_release(db, project="other", name="test", person="ann")
    with db.read() as reader:
        train = of_release(reader, release(reader, "train"))
        for others in (of_release(reader, release(reader, "test")), of_project(reader, "other")):
            found = told(scan(train, others).across)
            assert found[0] == ("bytes", "right.pdf", "copy.pdf", 1.0)
            assert [other for _, _, other, _ in found[1:]] == ["scan.pdf"] * 4


def test_a_document_of_a_release_is_found_among_files(db: Db, home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "training"
    folder.mkdir()
    with db.read() as reader:
        right = next(found for found in documents(reader, project="hand") if found.name == "right.pdf")
    (folder / "a.pdf").write_bytes(home.document_file(right.sha256).read_bytes())
    table = from_rows([HEAD, *ROWS], header_rows=1)
    (folder / "b.gold.json").write_bytes(proofgrid_json.write_gold([("lines", "", table)]))
    (folder / "c.csv").write_text("article,quantity,price\nbolt,2,1.20\nwasher,30,0.10\n")
    line = {"proofgrid": "gold-line/1", "document": "d", "document_sha256": "", "name": "t", "table": table.to_json()}
    (folder / "d.jsonl").write_text(json.dumps(line) + "\n")
    (folder / "broken.json").write_text("{")
    with db.read() as reader:
        found = scan(of_release(reader, release(reader, "train")), of_files([folder]))
    assert found.others == 5
    assert told(found.across)[0][:2] == ("bytes", "right.pdf")
    names = [Path(other).name for by, _, other, _ in told(found.across) if by == "texts"]
    assert {name: names.count(name) for name in names} == {"b.gold.json": 4, "c.csv": 4, "d.jsonl": 4}
