from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from store import gold as golds
from store import scores
from store.db import Db
from store.extractions import received
from store.home import Home
from store.verification import verify
from tests.store.test_ingest import first, only, pdf, put, state, stored

FIELDS, ITEMS = b"number,total\n17,3.60\n", b"item,qty\nbolt,2\nnut,1\n"


def test_one_csv_for_each_table_is_one_extraction_and_every_table_is_opened(db: Db, run: Any, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", march__pdf=pdf(), march__line_items__csv=ITEMS, march__fields__csv=FIELDS)
    result = run(folder)
    assert result.summary() == "New: 1 document, 1 extraction."
    assert [entry.name for entry in first(db, stored(db)[0]).tables] == ["fields", "line_items"]
    assert only(result, "march.line_items.csv").message == "of march.pdf: line_items (3 x 2)"
    assert only(result, "march.line_items.csv").notes[0] == (
        "one extraction of 2 files: march.fields.csv, march.line_items.csv"
    )
    with db.read() as reader:
        assert [entry.name for entry in golds.gold_tables(reader, stored(db)[0].id)] == ["fields", "line_items"]


def test_one_csv_for_each_table_is_scored_whole_against_gold(db: Db, run: Any, tmp_path: Path) -> None:
    files = {"a__pdf": pdf(), "a__fields__csv": FIELDS, "a__items__csv": ITEMS}
    run(put(tmp_path / "in", **files, a__fields__gold__csv=FIELDS, a__items__gold__csv=ITEMS))
    with db.read() as reader:
        found = scores.scored_document(db, reader, stored(db)[0].id)
    assert [entry.report.exact.f1 for entry in found.tables] == [1.0, 1.0]


def test_the_bytes_of_each_file_are_kept_with_their_hash(db: Db, home: Home, run: Any, tmp_path: Path) -> None:
    run(put(tmp_path / "in", a__pdf=pdf(), a__fields__csv=FIELDS, a__items__csv=ITEMS))
    with db.read() as reader:
        listing = json.loads(received(reader, first(db, stored(db)[0]).received_sha256))
        digests = {
            name: hashlib.sha256(raw).hexdigest() for name, raw in (("a.fields.csv", FIELDS), ("a.items.csv", ITEMS))
        }
        assert {entry["name"]: entry["sha256"] for entry in listing["files"]} == digests
        assert [received(reader, digest) for digest in digests.values()] == [FIELDS, ITEMS]
        assert list(verify(reader, home)) == []


def test_files_of_one_extraction_are_known_when_they_come_again_together_or_alone(
    db: Db, run: Any, tmp_path: Path
) -> None:
    folder = put(tmp_path / "in", a__pdf=pdf(), a__fields__csv=FIELDS, a__items__csv=ITEMS)
    run(folder)
    before = state(db)
    assert run(folder).summary() == "New: nothing; already there: 3."
    assert run(folder / "a.items.csv").summary() == "New: nothing; already there: 1."
    assert state(db) == before


def test_a_table_that_comes_later_leaves_the_first_extraction_alone_and_says_so(
    db: Db, run: Any, tmp_path: Path
) -> None:
    run(put(tmp_path / "one", a__pdf=pdf(), a__fields__csv=FIELDS))
    result = run(put(tmp_path / "two", a__items__csv=ITEMS))
    assert [entry.name for entry in first(db, stored(db)[0]).tables] == ["fields"]
    assert any("imported together" in note for note in only(result, "a.items.csv").notes)


def test_pages_of_camelot_are_one_extraction_also_where_two_are_the_same(db: Db, run: Any, tmp_path: Path) -> None:
    page = [{"0": "item", "1": "price"}, {"0": "bolt", "1": "1.20"}]
    folder = put(tmp_path / "in", rep__pdf=pdf(n_pages=10))
    for number in (10, 1, 2):
        (folder / f"rep-page-{number}-table-1.json").write_text(json.dumps(page))
    run(folder)
    tables = first(db, stored(db)[0]).tables
    assert [(entry.name, entry.place) for entry in tables] == [
        (f"table {place}", f"rep-page-{page}-table-1.json, page {page}, table 1")
        for place, page in ((1, 1), (2, 2), (3, 10))
    ]


def test_a_file_of_several_that_cannot_be_read_keeps_the_others_out_until_it_is_mended(
    db: Db, run: Any, tmp_path: Path
) -> None:
    folder = put(tmp_path / "in", a__pdf=pdf(), a__fields__csv=FIELDS, a__items__csv=b"a,b\n1,\x002\n")
    (folder / "a.items.csv").write_bytes(b"")
    result = run(folder, format_name="csv")
    assert {entry.outcome for entry in result.refused} == {"refused"}
    assert len(result.refused) == 2
    assert "a.items.csv: the file is empty" in only(result, "a.fields.csv").message
    put(folder, a__items__csv=ITEMS)
    run(folder)
    assert len(first(db, stored(db)[0]).tables) == 2


def test_files_of_one_name_in_two_folders_are_two_extractions(db: Db, run: Any, tmp_path: Path) -> None:
    put(tmp_path / "in" / "one", a__pdf=pdf("a"), a__fields__csv=FIELDS)
    put(tmp_path / "in" / "two", a__pdf=pdf("b"), a__items__csv=ITEMS)
    assert run(tmp_path / "in").summary() == "New: 2 documents, 2 extractions."


def test_the_same_table_in_another_form_is_no_part_that_came_too_late(run: Any, tmp_path: Path) -> None:
    rows = [{"0": "item", "1": "price"}, {"0": "bolt", "1": "1.20"}]
    folder = put(tmp_path / "in", rep__pdf=pdf())
    (folder / "rep-page-1-table-1.csv").write_bytes(ITEMS)
    (folder / "rep-page-1-table-1.json").write_text(json.dumps(rows))
    assert only(run(folder), "rep-page-1-table-1.json").notes == ("table 1: the first row was taken as the header",)
