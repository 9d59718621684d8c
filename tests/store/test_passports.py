from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Cell, Confidence, Table
from store import edits
from store.activity import add_activity
from store.db import Db, NotFound
from store.documents import Document
from store.exporting import EXPORTS, export
from store.extractions import Run, add_extraction
from store.formats import ReadTable
from store.gold import NewEdit, add_edits, add_gold
from store.home import Home
from store.ingest import ingest
from store.passports import Passport, passport
from store.releases import make_release, release, released_tables
from store.reviews import add_verdict
from store.thresholds import Basis, set_threshold

TEXTS = [["item", "price"], ["bolt", "1.20"], ["nut", "O.40"]]


@pytest.fixture
def key(db: Db, document: Document) -> int:
    """A table that was extracted, in which a text was corrected, one confirmed, one seen; released as "first"."""
    cells = tuple(
        Cell(
            row,
            col,
            text,
            header="column" if row == 0 else "",
            confidence=(Confidence(0.3 if text == "O.40" else 0.85, "text", "word", "acme"),),
        )
        for row, line in enumerate(TEXTS)
        for col, text in enumerate(line)
    )
    stored, _ = add_extraction(
        db,
        document.id,
        b"raw",
        file_name="x.json",
        run=Run("acme", "2"),
        format_name="json",
        tables=[ReadTable("parts", Table(3, 2, cells))],
        notes=(),
        person="ann",
    )
    (first,) = stored.tables
    gold, _ = add_gold(
        db, document.id, first.table, name="parts", base="extraction", person="ann", extracted_table=first.id
    )
    new = [
        NewEdit("edit-0001", edits.SetText((edits.TextChange(2, 1, "O.40", "0.4"),)), made_at="2026-11-30T09:00:00Z"),
        NewEdit("edit-0002", edits.SetText((edits.TextChange(2, 1, "0.4", "0.40"),)), source="page"),
        NewEdit("edit-0003", edits.Mark((edits.MarkChange(1, 1, "", "confirmed"),)), source="key"),
        NewEdit("edit-0004", edits.Insert("row", 3, ("new",), (Cell(3, 0, "washer"), Cell(3, 1, "")))),
    ]
    add_edits(db, gold.id, new, person="bob", after=0)
    add_activity(db, gold.id, [], person="bob", seen=[("b1", "b0"), ("b1", "b1")])
    add_verdict(db, gold.id, verdict="accept", person="eve", id="accept-1", at_revision=4)
    make_release(db, project="default", name="first", person="ann")
    return gold.id


def passport_of(db: Db, name: str = "first") -> Passport:
    with db.read() as reader:
        made = release(reader, name)
        (table,) = released_tables(reader, made.id)
        return passport(reader, made, table)


def files(db: Db, home: Home, to: str, **options: Any) -> dict[str, bytes]:
    with db.read() as reader:
        written = export(db, home, reader, person="ann", to=to, **options)
        return {file.name: sheets(file.body) if to == "xlsx" else file.body for file in written}


def sheets(body: bytes) -> bytes:
    """What a workbook holds beside the time at which it was written; other files as they are."""
    if not body.startswith(b"PK"):
        return body
    with zipfile.ZipFile(io.BytesIO(body)) as parts:
        return b"".join(parts.read(name) for name in sorted(parts.namelist()) if name != "docProps/core.xml")


def test_a_passport_tells_of_each_cell_where_it_is_from(db: Db, key: int) -> None:
    found = passport_of(db)
    assert {name: found.began[name] for name in ("base", "run", "extractor")} == {
        "base": "extraction",
        "run": 1,
        "extractor": "acme 2",
    }
    cells = {(cell.row, cell.col): cell.to_json() for cell in found.cells}
    changed = cells[2, 1]
    assert (changed["from"], changed["text"], changed["looked_at"]) == ("edit", "0.40", "edited")
    assert (changed["received"]["text"], changed["received"]["confidence"], changed["received"]["badge"]) == (
        "O.40",
        0.3,
        "low",
    )
    # The last edit, with what stood there before the first.
    edit = changed["edit"]
    assert (edit["edit"], edit["person"], edit["source"], edit["was"]) == ("edit-0002", "bob", "page", "O.40")
    confirmed = cells[1, 1]
    assert (confirmed["from"], confirmed["looked_at"]) == ("extraction", "confirmed")
    assert (confirmed["marked"]["mark"], confirmed["marked"]["person"]) == ("confirmed", "bob")
    assert (cells[1, 0]["looked_at"], cells[2, 0]["looked_at"]) == ("seen", "never")
    added = cells[3, 0]
    assert (added["from"], added["received"], added["edit"]["was"]) == ("edit", None, None)
    assert found.counts == {
        "cells": 8,
        "from edit": 3,
        "from extraction": 5,
        "looked at: confirmed": 1,
        "looked at: edited": 3,
        "looked at: never": 3,
        "looked at: seen": 1,
    }


def test_a_passport_stays_what_it_was_when_the_release_was_made(db: Db, key: int) -> None:
    before = passport_of(db).to_json()
    add_verdict(db, key, verdict="reopen", person="eve", id="reopen-1", at_revision=4)
    change = edits.SetText((edits.TextChange(2, 1, "0.40", "9"), edits.TextChange(1, 0, "bolt", "nail")))
    mark = edits.Mark((edits.MarkChange(1, 1, "confirmed", ""),))
    add_edits(db, key, [NewEdit("edit-0005", change), NewEdit("edit-0006", mark)], person="bob", after=4)
    add_activity(db, key, [], person="bob", seen=[("b2", "b0")])
    basis = Basis(0, 0, 0, "")
    set_threshold(db, project="default", table_type="", tau=0.9, low=0.88, basis=basis, person="ann")
    add_verdict(db, key, verdict="accept", person="eve", id="accept-2", at_revision=6)
    assert passport_of(db).to_json() == before
    make_release(db, project="default", name="second", person="ann")
    after = {(cell.row, cell.col): cell for cell in passport_of(db, "second").cells}
    assert (after[1, 0].looked_at, after[1, 1].looked_at, after[2, 0].looked_at) == ("edited", "seen", "seen")
    # By the threshold that counted when it was accepted again.
    assert after[2, 0].received is not None
    assert after[2, 0].received["badge"] == "low"


@pytest.mark.parametrize("to", sorted(EXPORTS))
def test_a_release_is_exported_as_it_was_with_its_passports(db: Db, home: Home, key: int, to: str) -> None:
    before = files(db, home, to, release="first")
    add_verdict(db, key, verdict="reopen", person="eve", id="reopen-1", at_revision=4)
    change = edits.SetText((edits.TextChange(2, 1, "0.40", "9"),))
    add_edits(db, key, [NewEdit("edit-0005", change)], person="bob", after=4)
    assert files(db, home, to, release="first") == before
    told = next(json.loads(body) for name, body in before.items() if name.startswith("release-"))
    assert (told["name"], [table["revision"] for table in told["tables"]]) == ("first", [4])
    (cells,) = (json.loads(body)["cells"] for name, body in before.items() if name.endswith(".parts.passport.json"))
    assert len(cells) == 8


def test_an_exported_release_imports_again_as_gold(db: Db, home: Home, key: int, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "parts.pdf").write_bytes(b"%PDF-1.7 parts")
    for name, body in files(db, home, "gold", release="first").items():
        (folder / name).write_bytes(body)
    done = ingest(db, home, [folder], person="ann", dry_run=True)
    assert sorted(entry.what for entry in done.entries if entry.path.suffix == ".json") == ["gold"]
    assert done.passed_over == ()


def test_a_release_that_is_not_there_is_not_exported(db: Db, home: Home, key: int) -> None:
    with pytest.raises(NotFound, match="there is no release 'last'; expected one of: first"):
        files(db, home, "gold", release="last")
