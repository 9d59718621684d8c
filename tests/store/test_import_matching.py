from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import from_rows
from store import archives, documents, extractions
from store import gold as golds
from store.db import Db, StoreError
from store.documents import Document
from store.exporting import export
from store.extractions import Extraction
from store.extractors.fixtures import pdf
from store.formats import FORMATS, Read, ReadTable, proofgrid_json
from store.home import Home
from store.ingest import ingest
from store.ingested import Entry, Ingested

RECORDS = {"rows": [{"item": "bolt", "price": 16.620}]}
Run = Callable[..., Ingested]


def put(folder: Path, **files: Any) -> Path:
    """Write files named like ``a__pdf``; a list is written as JSON Lines, what is no bytes as JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        lines = content if isinstance(content, list) else [content]
        raw = content if isinstance(content, bytes) else "\n".join(map(json.dumps, lines)).encode()
        (folder / name.replace("__", ".")).write_bytes(raw)
    return folder


def only(result: Ingested, name: str) -> Entry:
    (found,) = (entry for entry in result.entries if entry.path.name == name)
    return found


def document(db: Db, name: str) -> Document:
    with db.read() as reader:
        (found,) = (entry for entry in documents.documents(reader) if entry.name == name)
    return found


def extracted(db: Db, name: str) -> list[Extraction]:
    key = document(db, name).id
    with db.read() as reader:
        return [
            extractions.extraction(reader, entry["id"])
            for entry in reader.query("select id from extraction where document = ? order by id", (key,))
        ]


def sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


# --- to which document -----------------------------------------------------------------------------------------


def test_a_hash_in_the_file_or_in_its_name_finds_the_document_whatever_they_are_called(
    db: Db, run: Run, tmp_path: Path
) -> None:
    put(tmp_path / "docs", a__pdf=pdf(["a"]), b__pdf=pdf(["b"]))
    put(tmp_path / "out", x__json={**RECORDS, "document_sha256": sha256(pdf(["a"]))})
    put(tmp_path / "out", **{f"{sha256(pdf('b'))}__json": RECORDS})
    result = run(tmp_path / "docs", tmp_path / "out")
    assert result.refused == ()
    assert "of a.pdf" in only(result, "x.json").message
    assert [len(extracted(db, name)) for name in ("a.pdf", "b.pdf")] == [1, 1]


def test_a_name_in_the_file_finds_the_document_where_its_own_name_does_not(run: Run, tmp_path: Path) -> None:
    folder = put(tmp_path, a__pdf=pdf(["a"]), b__pdf=pdf(["b"]), x__json={**RECORDS, "file": "C:\\in\\b.pdf"})
    assert "of b.pdf" in only(run(folder), "x.json").message


def test_a_name_to_which_a_tool_added_words_finds_its_document_but_not_one_with_another_number(
    run: Run, tmp_path: Path
) -> None:
    put(tmp_path, a__pdf=pdf(["a"]), **{"a-str__pdf": pdf(["s"]), "a-str_page-1-table-1__json": RECORDS})
    result = run(put(tmp_path, **{"a_tables__json": RECORDS, "a-2__json": RECORDS}))
    assert "of a-str.pdf" in only(result, "a-str_page-1-table-1.json").message
    assert "of a.pdf" in only(result, "a_tables.json").message
    assert "belongs to an unknown document" in only(result, "a-2.json").message


def test_a_mapping_file_overrules_names_and_tells_what_did_not_come(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "in", a__pdf=pdf(["a"]), b__pdf=pdf(["b"]), a__json=RECORDS)
    lines = f"extraction,document\nin/a.json,b.pdf\nlater.json,{sha256(pdf('a'))}\n"
    (tmp_path / "map.csv").write_text(lines)
    result = run(tmp_path / "in", mapping=tmp_path / "map.csv")
    assert "of b.pdf" in only(result, "a.json").message
    assert only(result, "map.csv").message == "names files that did not come: later.json"
    with pytest.raises(StoreError, match=r"map\.csv, line 2: .* expected a file of tables and its document"):
        (tmp_path / "map.csv").write_text("a.json,b.pdf\nb.json,\n")
        run(tmp_path / "in", mapping=tmp_path / "map.csv")


class TwoDocuments:
    """A made-up format whose tables each name a document."""

    def sniff(self, raw: bytes, name: str) -> bool:
        return raw.startswith(b"TWO")

    def read(self, raw: bytes, *, name: str, pages: Any) -> Read:
        names = raw.decode().split()[1:]
        return Read(tuple(ReadTable("table 1", from_rows([[name]]), document=name) for name in names))


def test_a_file_that_speaks_of_several_documents_is_stored_with_each_that_is_known(
    db: Db, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMATS, "two", TwoDocuments())  # type: ignore[arg-type]
    folder = put(tmp_path, a__pdf=pdf(["a"]), b__pdf=pdf(["b"]), all__csv=b"TWO a.pdf b.pdf c.pdf")
    result = run(folder, format_name="two")
    new, refused = (entry for entry in result.entries if entry.path.name == "all.csv")
    assert (new.outcome, new.count, new.message) == (
        "new",
        2,
        "of documents a.pdf and b.pdf: 2 tables in 2 documents",
    )
    assert refused.message == "1 of 3 documents: no document is called 'c.pdf', here or in the store"
    assert result.summary() == "New: 2 documents, 2 extractions; refused: 1."
    (a,), (b,) = extracted(db, "a.pdf"), extracted(db, "b.pdf")
    assert (a.tables[0].table.text_at(0, 0), b.tables[0].table.text_at(0, 0)) == ("a.pdf", "b.pdf")
    assert a.received_sha256 == b.received_sha256 == sha256(b"TWO a.pdf b.pdf c.pdf")
    assert only(run(folder / "a.pdf", folder / "b.pdf", format_name="two"), "a.pdf").outcome == "known"


# --- JSON Lines ------------------------------------------------------------------------------------------------


def test_each_json_line_that_names_a_document_is_an_extraction_of_it(db: Db, run: Run, tmp_path: Path) -> None:
    lines = [
        {"document": "a.pdf", "model": "acme", "answer": RECORDS},
        {"sha256": sha256(pdf(["b"])), **RECORDS},
        {"document": "gone.pdf", **RECORDS},
        {"document": "a.pdf", "answer": {}},
    ]
    folder = put(tmp_path, a__pdf=pdf(["a"]), b__pdf=pdf(["b"]), out__jsonl=lines)
    result = run(folder)
    new, refused = (entry for entry in result.entries if entry.path.name == "out.jsonl")
    assert (new.outcome, new.count, new.took_for) == ("new", 2, "lines of json-records")
    assert refused.message == (
        "2 of 4 lines: line 3: no document is called 'gone.pdf', here or in the store; "
        "line 4: /: an empty object, expected fields or a list of records"
    )
    (of_a,) = extracted(db, "a.pdf")
    assert of_a.tables[0].table.text_at(1, 1) == "16.62"
    with db.read() as reader:
        assert json.loads(extractions.received(reader, of_a.received_sha256)) == lines[0]
        assert len(golds.gold_tables(reader, document(db, "b.pdf").id)) == 1
    again = run(folder)
    assert [entry.outcome for entry in again.entries if entry.path.name == "out.jsonl"] == ["known", "refused"]


def test_a_number_in_a_json_line_is_kept_as_printed(db: Db, run: Run, tmp_path: Path) -> None:
    line = b'{"document": "a.pdf", "answer": {"rows": [{"price": 16.620, "ok": true, "none": null}]}}\n'
    run(put(tmp_path, a__pdf=pdf(["a"]), b__pdf=pdf(["b"]), out__jsonl=line))
    table = extracted(db, "a.pdf")[0].tables[0].table
    assert [table.text_at(1, col) for col in range(3)] == ["16.620", "true", ""]


def test_json_lines_of_one_document_are_the_rows_of_one_table(db: Db, run: Run, tmp_path: Path) -> None:
    rows = [{"item": "bolt", "source": "a.pdf"}, {"item": "nut", "source": "a.pdf"}]
    run(put(tmp_path, a__pdf=pdf(["a"]), a__jsonl=rows))
    (found,) = extracted(db, "a.pdf")
    assert found.tables[0].table.n_rows == 3


def test_a_broken_json_line_is_told_by_its_number_and_the_others_are_stored(db: Db, run: Run, tmp_path: Path) -> None:
    good = json.dumps({"document": "a.pdf", **RECORDS}).encode()
    other = json.dumps({"document": "b.pdf", **RECORDS}).encode()
    raw = good + b"\n" + other + b'\n\n{"document": "b.pdf", "rows": [\n'
    result = run(put(tmp_path, a__pdf=pdf(["a"]), b__pdf=pdf(["b"]), out__jsonl=raw))
    assert "1 of 3 lines: line 4: column " in result.refused[0].message
    assert len(extracted(db, "b.pdf")) == 1


def test_gold_exported_as_json_lines_imports_again(db: Db, run: Run, tmp_path: Path, home: Home) -> None:
    table = from_rows([["item", "price"], ["bolt", "1.20"]], header_rows=1)
    gold = proofgrid_json.write_gold([("x", "", table), ("y", "", table)])
    run(put(tmp_path / "in", a__pdf=pdf(["a"]), a__gold__json=gold))
    with db.read() as reader:
        (file,) = export(db, home, reader, person="ann", to="jsonl")
    again = put(tmp_path / "again", other__pdf=pdf(["a"]), z__pdf=pdf(["z"]))
    (again / "all.jsonl").write_bytes(file.body)
    other = Db(tmp_path / "other" / "proofgrid.db")
    result = ingest(other, Home(tmp_path / "other"), [again], person="ann")
    assert (result.refused, only(result, "all.jsonl").count) == ((), 2)
    with other.read() as reader:
        found = golds.gold_tables(reader, document(other, "other.pdf").id)
        assert [
            (entry.name, golds.base_table(reader, entry.id), golds.status(reader, entry.id)) for entry in found
        ] == [
            ("x", table, "accepted"),
            ("y", table, "accepted"),
        ]
    other.close()


# --- archives --------------------------------------------------------------------------------------------------


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
    return path


@pytest.mark.parametrize("to", ["markdown", "otsl"])
def test_a_folder_of_an_export_imports_again(db: Db, run: Run, tmp_path: Path, home: Home, to: str) -> None:
    run(put(tmp_path / "in", a__pdf=pdf(["a"]), a__json=RECORDS))
    with db.read() as reader:
        files = list(export(db, home, reader, person="ann", to=to, accepted_only=False))
    folder = put(tmp_path / "out", README__md=b"# nothing")
    for file in files:
        (folder / file.name).write_bytes(file.body)
    result = run(folder)
    assert [entry.took_for for entry in result.entries] == [to]
    assert result.entries[0].message.startswith("of a.pdf: ")
    assert [path.name for path in result.passed_over] == ["README.md"]


def test_an_archive_is_imported_as_a_folder_is_and_one_inside_it_too(db: Db, run: Run, tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner", {"b.pdf": pdf(["b"]), "b.json": json.dumps(RECORDS).encode()})
    files = {"x/a.pdf": pdf(["a"]), "x/a.json": json.dumps(RECORDS).encode(), "x/make.py": b"", "more.zip": b""}
    path = zipped(tmp_path / "all.zip", files | {"more.zip": inner.read_bytes()})
    result = run(path)
    assert result.summary() == "New: 2 documents, 2 extractions."
    assert {entry.path for entry in result.entries} == {
        path / "x/a.pdf",
        path / "x/a.json",
        path / "more.zip/b.pdf",
        path / "more.zip/b.json",
    }
    assert run(path).summary() == "New: nothing; already there: 4."


def test_an_archive_without_anything_to_import_is_refused(run: Run, tmp_path: Path) -> None:
    (refused,) = run(zipped(tmp_path / "none.zip", {"make.py": b"", ".hidden.pdf": b""})).refused
    assert refused.message == "is an archive without documents or tables"


def test_nothing_leaves_an_archive(db: Db, run: Run, tmp_path: Path) -> None:
    names = ["../out.json", "/tmp/out.json", "..\\out.json", "C:\\out.json"]
    path = zipped(tmp_path / "bad.zip", dict.fromkeys(names, b"{}") | {"a.pdf": pdf(["a"])})
    with zipfile.ZipFile(path, "a") as archive:
        link = zipfile.ZipInfo("link.json")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    result = run(path)
    assert [entry.path.name for entry in result.stored] == ["a.pdf"]
    assert [entry.message for entry in result.refused] == [
        *["its name leads out of the archive; it was not unpacked"] * 4,
        "is a link; put the file itself into the archive",
    ]
    assert sorted(tmp_path.rglob("out.json")) == []


def test_a_bomb_is_refused_before_anything_is_written(run: Run, tmp_path: Path) -> None:
    path = zipped(tmp_path / "bomb.zip", {"a.json": b"0" * (archives.SMALL + 1)})
    (refused,) = run(path).refused
    assert "times larger unpacked (20 MB), expected at most 200 times" in refused.message


def test_a_cut_off_archive_or_one_too_deep_is_refused(run: Run, tmp_path: Path) -> None:
    third = zipped(tmp_path / "third", {"a.pdf": pdf(["a"])}).read_bytes()
    second = zipped(tmp_path / "second", {"third.zip": third}).read_bytes()
    path = zipped(tmp_path / "first.zip", {"second.zip": second})
    (refused,) = run(path).refused
    assert (refused.path, refused.message) == (
        path / "second.zip" / "third.zip",
        "is an archive inside an archive inside an archive; unpack it first",
    )
    (tmp_path / "cut.zip").write_bytes(path.read_bytes()[:60])
    assert "is a ZIP archive that cannot be opened" in run(tmp_path / "cut.zip").refused[0].message


def test_a_damaged_or_encrypted_file_of_an_archive_is_refused_and_the_rest_goes_on(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.json", json.dumps(RECORDS))
        archive.writestr("a.pdf", pdf(["a"]))
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"bolt")] ^= 1
    path.write_bytes(raw)
    result = run(path)
    assert [entry.path.name for entry in result.stored] == ["a.pdf"]
    assert "cannot be unpacked: Bad CRC-32" in only(result, "a.json").message


# --- stopping --------------------------------------------------------------------------------------------------


def test_a_stopped_import_keeps_what_was_stored_and_the_next_one_goes_on(db: Db, run: Run, tmp_path: Path) -> None:
    folder = put(tmp_path, a__pdf=pdf(["a"]), b__pdf=pdf(["b"]), a__json=RECORDS, b__json=RECORDS)

    def stop(done: int, of: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    result = run(folder, progress=stop)
    assert result.summary() == "New: 2 documents, 1 extraction; stopped before 1 file; import again to go on."
    with db.read() as reader:
        assert len(golds.gold_tables(reader, document(db, "a.pdf").id)) == 1
    assert run(folder).summary() == "New: 1 extraction; already there: 3."


def test_a_name_too_long_for_the_disk_leaves_out_that_file_of_an_archive_alone(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("a.pdf", pdf(["a"]))
        archive.writestr("x" * 300 + ".csv", "a,b")
    result = run(tmp_path / "all.zip")
    assert result.summary() == "New: 1 document; refused: 1."
    assert result.refused[0].message == "cannot be unpacked: File name too long"


def test_flat_json_lines_of_several_documents_are_rows_of_each(db: Db, run: Run, tmp_path: Path) -> None:
    named = ("a.pdf", "a.pdf", "b.pdf", "gone.pdf")
    rows = [{"file": name, "item": f"bolt {n}", "price": 16.620} for n, name in enumerate(named)]
    result = run(put(tmp_path, a__pdf=pdf(["a"]), b__pdf=pdf(["b"]), out__jsonl=rows))
    tables = [extracted(db, name)[0].tables[0].table for name in ("a.pdf", "b.pdf")]
    assert [table.n_rows for table in tables] == [3, 2]
    assert [tables[0].text_at(2, col) for col in range(2)] == ["bolt 1", "16.62"]
    assert "no document is called 'gone.pdf'" in result.refused[0].message


def test_a_name_that_may_be_of_another_document_is_told_where_it_goes_to_the_only_one(run: Run, tmp_path: Path) -> None:
    folder = put(tmp_path, march__pdf=pdf(["a"]), output__json=RECORDS)
    (folder / "march-2.json").write_text(json.dumps({"rows": [{"item": "nut"}]}))
    result = run(folder)
    assert only(result, "march-2.json").notes[-1] == (
        "taken for march.pdf, the only document of the folder, but 'march-2' may be another document"
    )
    assert only(result, "output.json").notes == ()


def test_a_mapping_that_gives_one_file_two_documents_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "map.csv").write_text("out.json,a.pdf\nout.json,a.pdf\nout.json,b.pdf\n")
    with pytest.raises(StoreError, match=r"line 3: out\.json stands there twice, of a\.pdf and of b\.pdf"):
        run(tmp_path, mapping=tmp_path / "map.csv")


def test_gold_of_a_table_type_that_is_not_known_says_so(run: Run, tmp_path: Path) -> None:
    gold = proofgrid_json.write_gold([("items", "nope", from_rows([["item"], ["bolt"]]))])
    result = run(put(tmp_path, a__pdf=pdf(["a"]), a__gold__json=gold))
    assert only(result, "a.gold.json").notes[0].startswith("items: table type 'nope' is not in the project")


@pytest.mark.parametrize("number", ["NaN", "1000", "-1"])
def test_a_confidence_that_is_no_share_is_told(run: Run, tmp_path: Path, number: str) -> None:
    raw = f'{{"rows": [{{"item": {{"value": "bolt", "confidence": {number}}}}}]}}'.encode()
    result = run(put(tmp_path, a__pdf=pdf(["a"]), a__json=raw))
    assert any("1 confidence numbers are off the scale" in note for note in only(result, "a.json").notes)
