from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from scoring.table import Table, from_rows
from store import gold as golds
from store import queue, scores
from store.comparison import compare
from store.db import Db, StoreError
from store.documents import Document, documents
from store.edits import SetText, TextChange
from store.extractions import Extraction, first_extraction, table_for
from store.formats import FORMATS, proofgrid_json
from store.guidelines import guidelines
from store.home import Home
from store.ingest import ingest
from store.ingested import Entry, Ingested
from store.table_types import table_types

SAMPLES = Path(__file__).parents[2] / "sample_docs"
ITEMS = {"name": "line_items", "columns": [{"name": "item"}, {"name": "qty", "type": "integer"}]}
RECORDS = {"number": "17", "rows": [{"item": "bolt", "qty": 2}]}


def pdf(text: str = "one", n_pages: int = 1) -> bytes:
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=(300, 200), invariant=True)
    for _ in range(n_pages):
        canvas.drawString(20, 100, text)
        canvas.showPage()
    canvas.save()
    return held.getvalue()


def put(folder: Path, **files: Any) -> Path:
    """Write files named like ``a__pdf``; what is no bytes is written as JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        (folder / name.replace("__", ".")).write_bytes(raw)
    return folder


def gold_file(*tables: tuple[str, Table]) -> bytes:
    return proofgrid_json.write_gold([(name, "", table) for name, table in tables], author="ann", how="by hand")


def only(result: Ingested, name: str) -> Entry:
    (found,) = (entry for entry in result.entries if entry.path.name == name)
    return found


def stored(db: Db) -> tuple[Document, ...]:
    with db.read() as reader:
        return documents(reader)


def first(db: Db, document: Document) -> Extraction:
    with db.read() as reader:
        found = first_extraction(reader, document.id)
    assert found is not None
    return found


def state(db: Db) -> dict[str, int]:
    with db.read() as reader:
        return {name: reader.table(name).count for name in ("document", "table_type", "extraction", "gold", "verdict")}


def test_a_folder_becomes_documents_types_extractions_and_gold(db: Db, run: Any, tmp_path: Path) -> None:
    types = {"proofgrid": "table-types/1", "table_types": [ITEMS]}
    put(tmp_path / "in", march__pdf=pdf(n_pages=2), march__json=RECORDS, types__json=types)
    result = run(tmp_path / "in")
    assert result.summary() == "New: 1 table types file, 1 document, 1 extraction."
    assert only(result, "march.pdf").message == "2 pages"
    extraction = first(db, stored(db)[0])
    assert [entry.name for entry in extraction.tables] == ["fields", "line_items"]
    assert extraction.tables[1].notes == ("rows was taken for line_items by its header",)
    with db.read() as reader:
        opened = golds.gold_tables(reader, stored(db)[0].id)
        assert [(entry.name, entry.table_type, entry.base) for entry in opened] == [
            ("fields", "", "extraction"),
            ("line_items", "line_items", "extraction"),
        ]
        assert golds.status(reader, opened[0].id) == "open"


def test_imported_gold_is_accepted_and_a_table_that_it_lacks_is_offered(db: Db, run: Any, tmp_path: Path) -> None:
    table = from_rows([["item", "qty"], ["bolt", "3"]], header_rows=1)
    put(tmp_path / "in", a__pdf=pdf(), a__json=RECORDS, gold__json=gold_file(("rows", table)))
    run(tmp_path / "in")
    with db.read() as reader:
        found, offered = golds.gold_tables(reader, stored(db)[0].id)
        assert (found.name, found.base, golds.status(reader, found.id)) == ("rows", "import", "accepted")
        assert golds.base_table(reader, found.id) == table
        assert (offered.name, offered.base, golds.status(reader, offered.id)) == ("fields", "extraction", "open")
        (entry,) = queue.entries(db, reader, queue.Filter())
        assert entry.why.startswith("The imported gold has no such table.")
        assert scores.scored_document(db, reader, found.document).open_tables == 0
    change = SetText((TextChange(1, 0, golds.base_table(reader, offered.id).text_at(1, 0), "mine"),))
    golds.add_edits(db, offered.id, [golds.NewEdit("edit-0001", change)], person="ann", after=0)
    with db.read() as reader:  # somebody works on it: the document waits for them
        assert scores.scored_document(db, reader, found.document).open_tables == 1


def test_the_same_files_again_are_already_there_and_store_nothing(db: Db, run: Any, tmp_path: Path) -> None:
    table = from_rows([["item"], ["bolt"]])
    types = {"proofgrid": "table-types/1", "table_types": [ITEMS]}
    folder = put(
        tmp_path / "in", a__pdf=pdf(), a__json=RECORDS, a__gold__json=gold_file(("rows", table)), types__json=types
    )
    run(folder)
    before = state(db)
    result = run(folder, folder / "a.pdf")
    assert [entry.outcome for entry in result.entries] == ["known"] * 4
    assert result.summary() == "New: nothing; already there: 4."
    assert state(db) == before


def test_a_dry_run_tells_the_same_and_stores_nothing(db: Db, home: Home, run: Any, tmp_path: Path) -> None:
    types = {"proofgrid": "table-types/1", "table_types": [ITEMS]}
    leaf = {"item": {"value": "bolt", "box": [15, 20, 150, 100]}, "qty": "2"}
    folder = put(tmp_path / "in", a__pdf=pdf(), a__json={"rows": [leaf]}, types__json=types)
    before = state(db)
    dry = run(folder, dry_run=True)
    assert state(db) == before
    assert not (home.folder / "documents").exists()
    assert dry.entries == run(folder).entries
    box = first(db, stored(db)[0]).tables[0].table.cells[2].box
    assert box is not None
    assert box.to_json() == [1, 0.05, 0.1, 0.5, 0.5]


def test_an_extraction_finds_its_document_by_name_then_by_folder_then_in_the_store(
    db: Db, run: Any, tmp_path: Path
) -> None:
    put(tmp_path / "two", a__pdf=pdf("a"), b__pdf=pdf("b"), a__rows__csv=b"x,y\n1,2\n", b__json=RECORDS)
    put(tmp_path / "one", c__pdf=pdf("c"), output__html=b"<table><tr><td>1</table>")
    run(tmp_path)
    a, b, c = stored(db)
    assert [entry.name for entry in first(db, a).tables] == ["rows"]
    assert first(db, b).format == "json-records"
    assert first(db, c).format == "html"
    later = put(tmp_path / "later", a__v2__json=RECORDS)
    assert "of a.pdf" in only(run(later), "a.v2.json").message


def test_an_extraction_of_an_unknown_document_is_refused(run: Any, tmp_path: Path) -> None:
    result = run(put(tmp_path / "in", a__pdf=pdf("a"), b__pdf=pdf("b"), c__json=RECORDS))
    assert only(result, "c.json").outcome == "refused"
    assert "belongs to an unknown document: expected one named 'c'" in only(result, "c.json").message
    assert len(result.stored) == 2


def test_two_documents_of_one_name_are_not_guessed_between(run: Any, tmp_path: Path) -> None:
    result = run(put(tmp_path / "in", a__pdf=pdf("a"), a__v2__pdf=pdf("b"), a__json=RECORDS))
    assert "may belong to a.pdf, a.v2.pdf" in only(result, "a.json").message


@pytest.mark.parametrize(
    ("name", "raw", "message"),
    [
        ("bad.json", b'{"a": 1,\n "b": ', "line 2, column 7: the JSON ends too early"),
        ("bad.html", b"no table here", "no <table> in the text"),
        ("bad.csv", b"a,b\n1,\x002\n", "line 2: a zero byte"),
        ("bad.csv", b"", "the file is empty"),
        ("bad.json", b"a\nb", "line 1, column 1: not JSON (Expecting value), found 'a"),
        ("bad.json", b'{"proofgrid": "gold/1", "tables": 3}', "/tables: 3, expected a list"),
        ("bad.json", b'{"proofgrid": "table-types/1", "table_types": [{}]}', "/table_types/0: "),
        ("bad.pdf", b"%PDF-1.4 cut", "is a PDF that is cut off"),
    ],
)
def test_a_bad_file_is_refused_with_its_place_and_the_rest_goes_on(
    db: Db, run: Any, tmp_path: Path, name: str, raw: bytes, message: str
) -> None:
    folder = put(tmp_path / "in", good__pdf=pdf(), good__json=RECORDS)
    (folder / name).write_bytes(raw)
    result = run(folder)
    (refused,) = result.refused
    assert refused.path.name == name
    assert message in refused.message
    assert len(result.stored) == 2
    assert state(db)["extraction"] == 1


def test_an_extraction_of_a_refused_document_names_it(run: Any, tmp_path: Path) -> None:
    result = run(put(tmp_path / "in", a__pdf=b"%PDF-1.4 cut", a__json=RECORDS))
    assert only(result, "a.json").message == "belongs to a.pdf, which was refused"


def test_gold_with_one_bad_table_stores_none_of_its_tables(db: Db, run: Any, tmp_path: Path) -> None:
    one, other = from_rows([["a"]]), from_rows([["b"]])
    folder = put(tmp_path / "in", a__pdf=pdf(), gold__json=gold_file(("x", one)))
    run(folder)
    put(folder, gold__json=gold_file(("new", one), ("x", other)))
    (refused,) = run(folder).refused
    assert "gold table 'x' of a.pdf is in the store with other contents" in refused.message
    assert state(db)["gold"] == 1


def test_gold_may_come_in_any_format(db: Db, run: Any, tmp_path: Path) -> None:
    run(put(tmp_path / "in", a__pdf=pdf(), a__items__gold__csv=b"item,qty\nbolt,2\n"))
    with db.read() as reader:
        (found,) = golds.gold_tables(reader, stored(db)[0].id)
    assert (found.name, found.base) == ("items", "import")


def test_notes_programs_and_hidden_files_in_a_folder_are_passed_over(run: Any, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", a__pdf=pdf(), README__md=b"<table><tr><td>x</table>", make__py=b"", OFL__txt=b"x")
    put(folder / ".cache", b__pdf=pdf("b"))
    result = run(folder)
    assert [entry.path.name for entry in result.entries] == ["a.pdf"]
    assert result.passed() == "Passed over, by their names no documents or tables: OFL.txt, README.md, make.py."


def test_markdown_beside_its_document_is_an_extraction(run: Any, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", a__pdf=pdf(), a__md=b"# A\n<table><tr><td>x</table>")
    assert only(run(folder), "a.md").took_for == "markdown"


def test_a_table_type_that_is_named_goes_to_tables_that_tell_none(db: Db, run: Any, tmp_path: Path) -> None:
    types = {"proofgrid": "table-types/1", "table_types": [ITEMS, {**ITEMS, "name": "other"}]}
    folder = put(tmp_path / "in", a__pdf=pdf(), a__csv=b"Artikel;Menge\nBolzen;2\n", types__json=types)
    run(folder, table_type="other")
    with db.read() as reader:
        (found,) = golds.gold_tables(reader, stored(db)[0].id)
    assert (found.name, found.table_type) == ("other", "other")


def test_other_guidelines_are_a_new_version_and_a_file_without_them_leaves_them(
    db: Db, run: Any, tmp_path: Path
) -> None:
    def imported(**more: Any) -> tuple[str, str | None]:
        kinds = {"proofgrid": "table-types/1", "table_types": [ITEMS | more]}
        outcome = only(run(put(tmp_path, table_types__json=kinds)), "table_types.json").outcome
        with db.read() as reader:
            found = guidelines(reader, "line_items", project="default")
            assert len(table_types(reader, project="default")) == 1
        return outcome, found.text if found else None

    assert imported(guidelines="One") == ("new", "One")
    assert imported(guidelines="One") == ("known", "One")
    assert imported(guidelines="Two") == ("new", "Two")
    assert imported() == ("known", "Two")
    assert imported(guidelines="") == ("new", None)


def test_an_unknown_table_type_or_format_stores_nothing(db: Db, run: Any, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", a__pdf=pdf())
    with pytest.raises(StoreError, match="table type 'x' is not in project 'default'; expected one of: none yet"):
        run(folder, table_type="x")
    with pytest.raises(StoreError, match="format 'pdf', expected auto or one of: "):
        run(folder, format_name="pdf")
    assert set(state(db).values()) == {0}


def test_a_format_that_is_named_overrules_the_content(db: Db, run: Any, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", a__pdf=pdf(), a__txt=b"<table>,x\n1,2\n")
    run(folder, format_name="csv")
    assert first(db, stored(db)[0]).tables[0].table.text_at(0, 0) == "<table>"


def test_a_name_that_contradicts_the_bytes_is_told_of_a_document_that_is_taken_and_of_one_that_is_not(
    db: Db, home: Home, tmp_path: Path
) -> None:
    for name, raw in (("whole.png", pdf()), ("cut.exe", pdf()[:200]), ("cut.pdf", pdf()[:200]), ("plain", pdf("two"))):
        (tmp_path / name).write_bytes(raw)
    files = [tmp_path / name for name in ("whole.png", "cut.exe", "cut.pdf", "plain")]
    told = {entry.path.name: entry.message for entry in ingest(db, home, files, person="ann").entries}
    assert told["whole.png"] == "1 page; its name ends in .png, but its bytes are those of a PDF file"
    assert told["cut.exe"].startswith("is a PDF that is cut off")
    assert told["cut.exe"].endswith("(its name ends in .exe, but its bytes are those of a PDF file)")
    assert "its name ends in" not in told["cut.pdf"] + told["plain"]


def test_files_that_cannot_be_opened_are_refused(run: Any, tmp_path: Path) -> None:
    (entry,) = run(tmp_path / "gone.pdf").entries
    assert (entry.outcome, entry.message) == ("refused", "cannot be read: No such file or directory")


def test_projects_do_not_share_documents(db: Db, run: Any, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", a__pdf=pdf())
    run(folder, project="one")
    assert run(folder, project="two").entries[0].outcome == "new"
    assert {entry.project for entry in stored(db)} == {"one", "two"}


def test_progress_counts_to_the_end(run: Any, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    run(put(tmp_path / "in", a__pdf=pdf(), a__json=RECORDS), progress=lambda done, of: seen.append((done, of)))
    assert seen == [(0, 2), (1, 2), (2, 2)]


def test_the_sample_documents_are_imported_whole(db: Db, run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "samples"
    shutil.copytree(SAMPLES, folder, ignore=shutil.ignore_patterns("generator", "fonts"))
    result = run(folder)
    assert result.refused == ()
    with db.read() as reader:
        kinds = {kind.name for kind in table_types(reader, project="default")}
        for document in documents(reader):
            found = first_extraction(reader, document.id)
            assert found is not None, document
            for entry in golds.gold_tables(reader, document.id):
                assert entry.table_type in kinds | {""}, entry
                assert table_for(found, entry.name, entry.position) is not None, entry


def test_half_a_character_in_json_is_replaced_and_noted(db: Db, home: Home, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", lab__pdf=pdf(), lab__json=b'{"rows": [{"item": "half \\ud83d"}]}')
    done = ingest(db, home, [folder], person="ann")
    assert done.refused == ()
    assert any("lone surrogates" in note for entry in done.entries for note in entry.notes)
    with db.read() as reader:
        found = first_extraction(reader, documents(reader)[0].id)
    assert found is not None
    assert found.tables[0].table.text_at(1, 0) == "half \ufffd"


def test_what_is_no_regular_file_or_a_link_in_a_circle_is_refused_and_the_rest_goes_on(
    db: Db, home: Home, tmp_path: Path
) -> None:
    folder = put(tmp_path / "in", lab__pdf=pdf())
    pipe, one, other = folder / "pipe", folder / "one", folder / "other"
    os.mkfifo(pipe)
    one.symlink_to(other)
    other.symlink_to(one)
    done = ingest(db, home, [pipe, one, folder], person="ann")
    assert {entry.path.name for entry in done.refused} == {"pipe", "one"}
    assert [entry.path.name for entry in done.stored] == ["lab.pdf"]


def test_a_csv_with_tags_in_its_cells_is_csv(db: Db, home: Home, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", lab__pdf=pdf(), lab__csv=b'a,b\n"<td>","</td>"\n')
    [_, entry] = ingest(db, home, [folder], person="ann").entries
    assert (entry.took_for, entry.outcome) == ("csv", "new")


def test_an_answer_that_is_still_being_made_is_refused(db: Db, home: Home, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", lab__pdf=pdf(), lab__json={"status": "running"})
    [refused] = ingest(db, home, [folder], person="ann").refused
    assert "running" in refused.message


def test_a_short_file_of_western_letters_is_read_as_windows_1252(db: Db, home: Home, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", lab__pdf=pdf(), lab__json=b'{"rows": [{"a": "\xe9"}]}')
    ingest(db, home, [folder], person="ann")
    with db.read() as reader:
        found = first_extraction(reader, documents(reader)[0].id)
    assert found is not None
    assert found.tables[0].table.text_at(1, 0) == "\u00e9"


def test_what_was_repaired_at_a_cell_makes_it_a_doubt_with_the_reason(db: Db, run: Any, tmp_path: Path) -> None:
    page = b"<table><tr><th>item<th>qty</tr><tr><td colspan=oops>bolt<td>2</tr></table>"
    entry = only(run(put(tmp_path / "in", a__pdf=pdf(), a__html=page)), "a.html")
    assert entry.notes == ("table 1: row 2, column 1: has colspan='oops': taken as 1",)
    (read,) = first(db, stored(db)[0]).tables
    assert (read.notes, [str(repair) for repair in read.repairs]) == (
        (),
        ["row 2, column 1: has colspan='oops': taken as 1"],
    )
    with db.read() as reader:
        (doubt,) = compare(db, reader, golds.gold_tables(reader, stored(db)[0].id)[0].id).doubts
        assert (doubt.row, doubt.col) == (1, 0)
        assert doubt.reasons == ("reading repaired: has colspan='oops': taken as 1",)
        (listed,) = queue.entries(db, reader, queue.Filter(reason="repaired"))
    assert listed.why == "Row 1, item: reading repaired: has colspan='oops': taken as 1"


@pytest.mark.parametrize("broken", ["sniff", "read"])
def test_a_fault_of_a_reader_refuses_its_file_in_words_and_the_rest_goes_on(
    db: Db, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, broken: str
) -> None:
    def fails(raw: bytes, *_: object, **__: object) -> bool:
        if b"bolt" in raw:
            raise IndexError("list index out of range")
        return True

    monkeypatch.setattr(FORMATS["csv"], broken, fails if broken == "sniff" else lambda raw, **_: fails(raw))
    folder = put(
        tmp_path / "in", a__pdf=pdf("a"), a__csv=b"item\nbolt\n", b__pdf=pdf("b"), b__html=b"<table><td>x</table>"
    )
    result = run(folder)
    assert only(result, "a.csv").outcome == "refused"
    assert "a fault of Proofgrid itself (IndexError: list index out of range)" in only(result, "a.csv").message
    assert only(result, "b.html").outcome == "new"
    assert "Traceback" in caplog.text


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "the name of the project is blank"),
        ("  ", "the name of the project is blank"),
        (" invoices", "expected a name without spaces around it"),
        ("in\nvoices", r"the project is called 'in\\nvoices'"),
        ("x" * 81, "the name of the project has 81 characters, expected at most 80"),
    ],
)
def test_a_project_has_a_name_that_can_be_read_and_typed(
    db: Db, home: Home, tmp_path: Path, name: str, reason: str
) -> None:
    with pytest.raises(StoreError, match=reason):
        ingest(db, home, [put(tmp_path / "in", a__pdf=pdf())], person="ann", project=name)
    assert stored(db) == ()


def test_projects_are_named_in_any_language(db: Db, home: Home, tmp_path: Path) -> None:
    for name in ("فواتير", "請求書 2024", "AP/DE-Köln"):
        ingest(db, home, [put(tmp_path / "in", a__pdf=pdf())], person="ann", project=name)
    assert {document.project for document in stored(db)} == {"فواتير", "請求書 2024", "AP/DE-Köln"}
