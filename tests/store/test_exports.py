from __future__ import annotations

import io
import json
import unicodedata
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import openpyxl
import pyarrow.parquet as pq
import pytest
from PIL import Image

from review_app.cli import EXPORT_NAMES
from scoring.table import Box, Cell, Table
from store import documents
from store import gold as golds
from store.db import Db
from store.edits import SetText, TextChange
from store.exporting import EXPORTS, export
from store.exports import otsl as otsl_export
from store.extractors.fixtures import pdf
from store.formats import FORMATS, ReadTable, html, proofgrid_json, recognise
from store.home import Home
from store.ingest import ingest
from store.pages import PageSize

NASTY = ["=1+2", "a|b", "<b>&amp;", "back\\slash `code`", "first\nsecond", "-5", "+cmd|x", "007", "**x**", "{1,234.50}"]


def at(row: int, col: int, width: int = 1, height: int = 1) -> Box:
    left, top = 0.1 + 0.2 * col, 0.1 + 0.05 * row
    return Box(1, left, top, round(left + 0.2 * width - 0.01, 4), round(top + 0.05 * height - 0.01, 4))


# Two header rows with a span each way, a row header, an empty cell, and texts that formats trip over.
SPANS = Table(
    7,
    3,
    (
        Cell(0, 0, "item", row_span=2, header="column", box=at(0, 0, 1, 2)),
        Cell(0, 1, "price", col_span=2, header="column", box=at(0, 1, 2)),
        Cell(1, 1, "net", header="column", box=at(1, 1)),
        Cell(1, 2, "gross", header="column", box=at(1, 2)),
        Cell(2, 0, "bolt", row_span=2, header="row", box=at(2, 0, 1, 2)),
        *(Cell(2 + n // 2, 1 + n % 2, text, box=at(2 + n // 2, 1 + n % 2)) for n, text in enumerate(NASTY[:4])),
        Cell(4, 0, "all", row_span=2, col_span=2, box=at(4, 0, 2, 2)),
        Cell(4, 2, NASTY[5], box=at(4, 2)),
        Cell(5, 2, "", box=at(5, 2)),
        *(Cell(6, col, NASTY[7 + col], box=at(6, col)) for col in range(3)),
    ),
)
PLAIN = Table(
    6,
    2,
    tuple(Cell(0, col, text, header="column") for col, text in enumerate(("item", "price")))
    + tuple(Cell(1 + n // 2, n % 2, text) for n, text in enumerate(NASTY)),
)


@pytest.fixture
def filled(db: Db, home: Home, tmp_path: Path) -> Db:
    """A home with one document, an extraction of it, and two accepted tables."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "march.pdf").write_bytes(pdf(["March"], size=(300, 200)))
    (folder / "march.json").write_text(json.dumps({"spans": [{"item": "bolt", "price": "1"}]}))
    (folder / "march.gold.json").write_bytes(proofgrid_json.write_gold([("spans", "", SPANS), ("plain", "", PLAIN)]))
    assert ingest(db, home, [folder], person="ann").refused == ()
    return db


def exported(db: Db, home: Home, to: str) -> dict[str, bytes]:
    with db.read() as reader:
        return {file.name: file.body for file in export(db, home, reader, person="ann", to=to)}


def only(files: dict[str, bytes], ending: str) -> bytes:
    (found,) = (body for name, body in files.items() if name.endswith(ending))
    return found


def read_back(raw: bytes, name: str, *, expected: str) -> tuple[ReadTable, ...]:
    found = recognise(raw, name)
    assert found == expected
    return FORMATS[found].read(raw, name=name, pages=[PageSize(1, 300, 200)]).tables


def bare(table: Table) -> list[tuple[object, ...]]:
    """The cells with their spans and headers, without boxes and confidence."""
    return [(cell.row, cell.col, cell.text, cell.row_span, cell.col_span, cell.header) for cell in table.cells]


def test_the_command_line_offers_each_export() -> None:
    assert list(EXPORTS) == EXPORT_NAMES


def test_html_is_read_back_whole(filled: Db, home: Home) -> None:
    tables = read_back(only(exported(filled, home, "html"), ".html"), "x.html", expected="html")
    assert [(table.name, bare(table.table)) for table in tables] == [("spans", bare(SPANS)), ("plain", bare(PLAIN))]


def test_markdown_is_read_back_whole_as_pipes_or_as_html(filled: Db, home: Home) -> None:
    raw = only(exported(filled, home, "markdown"), ".md")
    assert "| first<br>second | -5 |" in raw.decode()
    tables = read_back(raw, "x.md", expected="markdown")
    assert [bare(table.table) for table in tables] == [bare(SPANS), bare(PLAIN)]
    assert [table.name for table in tables] == ["spans", "plain"]


def test_a_workbook_is_read_back_with_its_spans_and_every_text_is_a_text(filled: Db, home: Home) -> None:
    raw = only(exported(filled, home, "xlsx"), ".xlsx")
    spans, plain = read_back(raw, "x.xlsx", expected="xlsx")
    assert [(cell.row, cell.col, cell.text, cell.row_span, cell.col_span) for cell in spans.table.cells] == [
        (cell.row, cell.col, cell.text, cell.row_span, cell.col_span) for cell in SPANS.cells
    ]
    assert plain.table == PLAIN
    sheet = openpyxl.load_workbook(io.BytesIO(raw))["plain"]
    assert {place.data_type for row in sheet.iter_rows() for place in row} == {"s"}
    assert sheet["A2"].value == "=1+2"
    assert sheet["A2"].quotePrefix
    with zipfile.ZipFile(io.BytesIO(raw)) as parts:
        assert not any(b"<f>" in parts.read(name) for name in parts.namelist())


def test_a_workbook_holds_any_name_and_any_text(db: Db, home: Home, filled: Db) -> None:
    texts = ["_x0041_", "a\x00\x01\ufffe\uffffb", "a\rb\r\nc", "_x005F_x0041_", "x_x"]
    table = Table(5, 1, tuple(Cell(row, 0, text) for row, text in enumerate(texts)))
    with db.read() as reader:
        (document,) = documents.documents(reader)
    for name in ("a\x01\ufffe", "a\x02\uffff"):
        golds.add_gold(db, document.id, table, name=name, base="blank", person="ann")
    with db.read() as reader:
        (file,) = export(db, home, reader, person="ann", to="xlsx", accepted_only=False)
    tables = read_back(file.body, "x.xlsx", expected="xlsx")
    assert [cell.text for cell in tables[-1].table.cells] == texts
    assert openpyxl.load_workbook(io.BytesIO(file.body)).sheetnames[-2:] == ["a__", "a__ (2)"]


def test_csv_is_read_back_with_texts_that_would_run_made_harmless(filled: Db, home: Home) -> None:
    raw = only(exported(filled, home, "csv"), "plain.csv")
    assert b"'=1+2" in raw
    assert b"'+cmd|x" in raw
    (plain,) = read_back(raw, "x.plain.csv", expected="csv")
    texts = [cell.text for cell in plain.table.cells][2:]
    assert texts == NASTY


def test_json_lines_tell_who_changed_which_cell(db: Db, home: Home, filled: Db) -> None:
    with db.read() as reader:
        (document,) = documents.documents(reader)
        key = golds.add_gold(db, document.id, PLAIN, name="mine", base="blank", person="ann")[0].id
    for number, (old, new) in enumerate([("=1+2", "2"), ("2", "3")]):
        change = SetText((TextChange(1, 0, old, new),))
        golds.add_edits(db, key, [golds.NewEdit(f"edit-000{number}", change)], person="bob", after=number)
    with db.read() as reader:
        files = {
            file.name: file.body for file in export(db, home, reader, person="ann", to="jsonl", accepted_only=False)
        }
    lines = [json.loads(line) for line in only(files, ".jsonl").splitlines()]
    (mine,) = (line for line in lines if line["name"] == "mine")
    ((cell),) = mine["edited_cells"]
    assert (cell["row"], cell["col"], cell["person"], cell["was"], cell["edit"]) == (1, 0, "bob", "=1+2", "edit-0001")
    assert lines[0]["edited_cells"] == []


def test_pubtabnet_is_read_back_with_boxes_in_pixels_of_its_image(filled: Db, home: Home) -> None:
    files = exported(filled, home, "pubtabnet")
    raw = only(files, ".jsonl")
    first, second = (json.loads(line) for line in raw.splitlines())
    with Image.open(io.BytesIO(files[f"train/{first['filename']}"])) as picture:
        assert (picture.format, picture.width < 625, picture.height < 417) == ("PNG", True, True)  # a part of the page
        x0, _, x1, _ = first["html"]["cells"][1]["bbox"]
        assert 0 < x0 < x1 < picture.width
    tables = read_back(raw, "x.jsonl", expected="pubtabnet")
    one_line = [(row, col, " ".join(text.split()), *spans) for row, col, text, *spans in bare(PLAIN)]
    found = [(row, col, " ".join(text.split()), *spans) for row, col, text, *spans in bare(tables[1].table)]
    assert found == one_line
    assert [cell[:5] for cell in bare(tables[0].table)] == [cell[:5] for cell in bare(SPANS)]
    assert second["filename"].endswith(".plain.png")


def test_pubtabnet_imports_again_as_gold_of_its_document(filled: Db, home: Home, tmp_path: Path) -> None:
    (tmp_path / "again.gold.jsonl").write_bytes(only(exported(filled, home, "pubtabnet"), ".jsonl"))
    result = ingest(filled, home, [tmp_path / "again.gold.jsonl"], person="ann")
    assert [entry.line().partition(": ")[2] for entry in result.refused] == []
    assert result.entries[0].message == "of march.pdf: table 1 (7 x 3), table 2 (6 x 2)"
    assert result.entries[0].what == "gold"


def test_the_folders_for_pulsebench_hold_gold_and_prediction_under_one_name(filled: Db, home: Home) -> None:
    files = exported(filled, home, "pulsebench")
    folders = {Path(name).parent.name for name in files}
    assert folders == {"ground_truth", "predictions"}
    truth = {Path(name).name: body for name, body in files.items() if name.startswith("ground_truth")}
    assert {Path(name).name for name in files if name.startswith("predictions")} <= set(truth)
    (spans,) = html.tables_in(next(body.decode() for name, body in truth.items() if name.endswith("spans.html")))
    assert bare(spans.table) == bare(SPANS)


def test_label_studio_tasks_are_read_back_with_their_grid(filled: Db, home: Home) -> None:
    files = exported(filled, home, "label-studio")
    raw = files["tasks.gold.json"]
    (table,) = read_back(raw, "tasks.gold.json", expected="label-studio")
    assert [cell[:5] for cell in bare(table.table)] == [cell[:5] for cell in bare(SPANS)]
    (task,) = json.loads(raw)
    with Image.open(io.BytesIO(files[task["data"]["image"]])) as picture:
        shown = task["annotations"][0]["result"][0]
        assert (shown["original_width"], shown["original_height"]) == picture.size
    labels = {label.get("value") for label in ET.fromstring(files["config.xml"]).iter("Label")}
    results = task["annotations"][0]["result"]
    assert {label for result in results for label in result["value"].get("rectanglelabels", ())} <= labels


@pytest.mark.parametrize(
    ("to", "told"),
    [("label-studio", "of march.pdf: spans (7 x 3)"), ("pubtabnet", "of document march.pdf: 2 tables in 2 lines")],
)
def test_a_folder_of_an_export_is_of_the_documents_it_was_made_from_and_not_of_its_pictures(
    filled: Db, home: Home, tmp_path: Path, to: str, told: str
) -> None:
    for name, body in exported(filled, home, to).items():
        path = tmp_path / "out" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    elsewhere = ingest(filled, home, [tmp_path / "in" / "march.pdf", tmp_path / "out"], person="ann", project="new")
    assert [entry.line().partition(": ")[2].partition(", ")[2] for entry in elsewhere.entries] == ["1 page", told]


def test_tasks_of_several_pages_are_of_one_document_and_keep_its_pages(filled: Db, home: Home, tmp_path: Path) -> None:
    (first,) = json.loads(exported(filled, home, "label-studio")["tasks.gold.json"])
    second = first | {"data": first["data"] | {"image": "images/x.page-3.png", "page": 3}}
    (tmp_path / "tasks.gold.json").write_text(json.dumps([first, second]))
    (tmp_path / "one.png").write_bytes(exported(filled, home, "label-studio")[first["data"]["image"]])
    files = [tmp_path / "in" / "march.pdf", tmp_path / "one.png", tmp_path / "tasks.gold.json"]
    assert ingest(filled, home, files, person="ann", project="new").entries[2].message == (
        "of march.pdf: spans (7 x 3), table 2 (7 x 3)"
    )
    with filled.read() as reader:
        (march,) = (entry for entry in documents.documents(reader, project="new") if entry.name == "march.pdf")
        stored = [golds.base_table(reader, entry.id) for entry in golds.gold_tables(reader, march.id)]
    assert [{cell.box.page for cell in table.cells if cell.box} for table in stored] == [{1}, {3}]


def test_otsl_is_read_back_with_spans_and_headers(filled: Db, home: Home) -> None:
    raw = only(exported(filled, home, "otsl"), ".otsl.txt")
    tables = read_back(raw, "x.otsl.txt", expected="otsl")
    assert [table.name for table in tables] == ["spans", "plain"]
    assert [bare(table.table) for table in tables] == [bare(SPANS), bare(PLAIN)]


def test_a_text_that_looks_like_a_token_of_otsl_is_no_token() -> None:
    table = Table(1, 2, (Cell(0, 0, "a<nl>b</otsl>"), Cell(0, 1, "c")))
    (found,) = FORMATS["otsl"].read(otsl_export.written(table).encode(), name="x", pages=()).tables
    assert [cell.text for cell in found.table.cells] == ["a<nl>b</otsl>", "c"]


# Line ends and spaces of many kinds, texts that look like marks of a format, and what some cannot hold at all.
HARD = ["a\rb", "a\r\nb", "a\u2028b", "a\x85b", "a\x0bb", "a\x0cb", "\N{NO-BREAK SPACE}", " a", "<loc_1>", "&lt;fcel>"]
HARD += ["&amp;lt;nl>", "-1,204.50 €", "'=1", "_x0041_", "x" * 33_000, "---", "|", "&#124;", "# a", "a  b"]
CHANGED = {
    "html": ["a\rb", "a\r\nb", "a\x0cb", " a", "a  b"],
    "markdown": ["a\x85b", "a\x0bb", "\N{NO-BREAK SPACE}", " a"],
    "csv": ["a\rb", "a\r\nb"],
    "xlsx": ["x" * 33_000],
    "otsl": [" a"],
}


def opened(db: Db, tables: dict[str, Table]) -> None:
    with db.read() as reader:
        (document,) = documents.documents(reader)
    for name, table in tables.items():
        golds.add_gold(db, document.id, table, name=name, base="blank", person="ann")


@pytest.mark.parametrize("to", CHANGED)
def test_each_text_comes_back_or_the_export_tells_that_it_does_not(filled: Db, home: Home, to: str) -> None:
    head = [Cell(0, col, text, header="column") for col, text in enumerate(("key", "text"))]
    opened(
        filled,
        {f"t{n}": Table(2, 2, (*head, Cell(1, 0, "k"), Cell(1, 1, text))) for n, text in enumerate(HARD)},
    )
    with filled.read() as reader:
        files = list(export(filled, home, reader, person="ann", to=to, accepted_only=False))
    found = {
        table.name: table.table
        for file in files
        for table in FORMATS[to].read(file.body, name=file.name, pages=()).tables
    }
    told = [note for file in files for note in file.notes if "other texts" in note]
    assert [text for n, text in enumerate(HARD) if found[f"t{n}"].text_at(1, 1) != text] == CHANGED[to]
    assert [note.split("'")[1] for note in told] == [f"t{HARD.index(text)}" for text in CHANGED[to]]


@pytest.mark.parametrize(
    ("to", "told"),
    [
        ("html", ["'holes' comes back with empty cells in place of none: 1"]),
        ("markdown", ["'holes' comes back with empty cells in place of none: 1"]),
        ("otsl", ["'holes' comes back with empty cells in place of none: 6"]),
        (
            "xlsx",
            [
                "'holes' comes back with 2 x 2 in place of 3 x 3 rows and columns; empty cells in place of none: 1",
                "'Any name' comes back with the name 'table 5'",
                "'spans' comes back with other header cells: 1",
            ],
        ),
        (
            "csv",
            [
                "'fields 2' comes back with the name 'fields_2'",
                "'holes' comes back with empty cells in place of none: 6",
                "cannot be imported again: line 2: a zero byte, expected text",
                "cannot be imported again: the file is empty, expected rows of text",
                "'spans' comes back with other merged cells: 4; other header cells: 3",
            ],
        ),
    ],
)
def test_names_sizes_and_spans_come_back_or_the_export_tells_that_they_do_not(
    filled: Db, home: Home, to: str, told: list[str]
) -> None:
    heads = (Cell(0, 0, "a", header="column"), Cell(0, 1, "b", header="column"))
    tables = {"fields 2": PLAIN, "holes": Table(3, 3, (*heads, Cell(1, 0, "1")))}
    if to == "csv":
        tables["zero"] = Table(2, 2, (*heads, Cell(1, 0, "\0"), Cell(1, 1, "c")))
        tables["empty"] = Table(0, 0, ())
    if to == "xlsx":
        tables["Any name"] = PLAIN
    opened(filled, tables)
    with filled.read() as reader:
        notes = [
            note
            for file in export(filled, home, reader, person="ann", to=to, accepted_only=False)
            for note in file.notes
        ]
    assert sorted(notes) == sorted(told)


@pytest.mark.parametrize("to", ["csv", "pubtabnet", "pulsebench", "label-studio"])
def test_names_that_differ_in_case_or_in_signs_alone_make_files_apart_on_every_system(
    filled: Db, home: Home, to: str
) -> None:
    opened(filled, dict.fromkeys(("Ta", "tA", "a b", "a/b", "\u00e9", "e\u0301"), SPANS))
    with filled.read() as reader:
        files = {
            file.name: file.body for file in export(filled, home, reader, person="ann", to=to, accepted_only=False)
        }
    if to == "label-studio":
        names = [result["id"] for result in json.loads(files["tasks.gold.json"])[0]["annotations"][0]["result"]]
        names = [name for name in names if name.endswith("-0-0")][::2]
    else:
        names = [name for name in files if not name.startswith("predictions") and not name.endswith(".jsonl")]
    assert len(names) == (7 if to == "label-studio" else 8)
    assert len({unicodedata.normalize("NFC", name).casefold() for name in names}) == len(names)


def test_a_document_in_two_projects_is_not_replaced_in_silence(filled: Db, home: Home, tmp_path: Path) -> None:
    ingest(filled, home, [tmp_path / "in"], person="ann", project="other")
    with filled.read() as reader:
        first, second = export(filled, home, reader, person="ann", to="gold")
        (alone,) = export(filled, home, reader, person="ann", to="gold", project="other")
    assert (first.notes, alone.notes) == ((), ())
    assert second.notes == ("replaces a file of this name, of another project: export each with --project",)


def test_a_data_set_is_read_back_by_pyarrow_with_images_and_html(filled: Db, home: Home) -> None:
    files = exported(filled, home, "dataset")
    assert set(files) == {"data/train-00000.parquet", "README.md"}
    assert "path: data/train-*.parquet" in files["README.md"].decode()
    table = pq.read_table(io.BytesIO(files["data/train-00000.parquet"]))
    features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert list(features) == table.schema.names
    assert features["image"] == {"_type": "Image"}
    first, second = table.to_pylist()
    with Image.open(io.BytesIO(first["image"]["bytes"])) as picture:
        assert picture.format == "PNG"
    (spans,) = html.tables_in(first["html"])
    assert bare(spans.table) == bare(SPANS)
    cells = tuple(
        Cell(
            cell["row"],
            cell["col"],
            cell["text"],
            cell["row_span"],
            cell["col_span"],
            cell["header"],
            Box(cell["page"], *cell["box"]) if cell["box"] else None,
        )
        for cell in first["cells"]
    )
    assert Table(first["rows"], first["cols"], cells) == SPANS
    assert second["document"] == "march.pdf"
