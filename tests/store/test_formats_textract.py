from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box, Cell
from store.formats import FormatError, Read, recognise, textract

SAMPLES = "formats/aws-textract"


def box(left: float, top: float, width: float, height: float) -> dict[str, Any]:
    return {"BoundingBox": {"Left": left, "Top": top, "Width": width, "Height": height}}


def block(kind: str, name: str, confidence: float = 99.0, children: str = "", **more: Any) -> dict[str, Any]:
    relations = [{"Type": "CHILD", "Ids": children.split()}] if children else []
    return {"BlockType": kind, "Id": name, "Confidence": confidence, "Relationships": relations, **more}


def cell(name: str, row: int, col: int, children: str = "", **more: Any) -> dict[str, Any]:
    place = {"RowIndex": row, "ColumnIndex": col, "RowSpan": 1, "ColumnSpan": 1}
    return block("CELL", name, 80.0, children, **{**place, **more})


def word(text: str, confidence: float = 99.0) -> dict[str, Any]:
    return block("WORD", f"w-{text}", confidence, Text=text)


def answer(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"DocumentMetadata": {"Pages": 1}, "Blocks": list(blocks), "AnalyzeDocumentModelVersion": "1.0", **more}


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "textract"
    return textract.read(raw, name="a.json")


TABLE = block("TABLE", "t", 95.0, "c11 c12 c21 c22", Geometry=box(0.1, 0.2, 0.5, 0.25))
CELLS = [
    cell("c11", 1, 1, "w-Total", EntityTypes=["COLUMN_HEADER"]),
    cell("c12", 1, 2, "w-due", EntityTypes=["COLUMN_HEADER"]),
    cell("c21", 2, 1, "w-bolt w-M4", Geometry=box(0.25, 0.5, 0.25, 0.125)),
    cell("c22", 2, 2),
]
WORDS = [word("Total"), word("due", 42.5), word("bolt", 97.0), word("M4", 61.0)]
MERGED = {"Type": "MERGED_CELL", "Ids": ["m"]}


def test_cells_have_the_words_that_they_name_and_both_confidences() -> None:
    found = read(answer(TABLE, *CELLS, *WORDS))
    assert (found.extractor, found.version, found.notes) == ("Amazon Textract", "1.0", ())
    (entry,) = found.tables
    assert (entry.place, entry.boxes) == ("/Blocks/0", (Box(1, 0.1, 0.2, 0.6, 0.45),))
    assert [(said.value, said.kind, said.unit) for said in entry.confidence] == [(0.95, "detection", "table")]
    bolt = entry.table.at(1, 0)
    assert bolt is not None
    assert (bolt.text, bolt.box) == ("bolt M4", Box(1, 0.25, 0.5, 0.5, 0.625))
    assert [(said.value, said.kind, said.unit, said.raw) for said in bolt.confidence] == [
        (0.8, "structure", "cell", "80.0"),
        (0.61, "text", "word", "61.0"),
    ]
    assert bolt.confidence[1].source == "Textract word confidence, lowest of 2"
    assert entry.table.header_rows == 1


def test_a_merged_cell_holds_the_words_of_all_its_parts_once() -> None:
    merged = block("MERGED_CELL", "m", 66.0, "c12 c11", RowIndex=1, ColumnIndex=1, RowSpan=1, ColumnSpan=2)
    table = {**TABLE, "Relationships": [*TABLE["Relationships"], MERGED]}
    (entry,) = read(answer(table, merged, *CELLS, *WORDS)).tables
    assert [(one.text, one.col_span) for one in entry.table.cells] == [("Total due", 2), ("bolt M4", 1), ("", 1)]
    assert entry.table.cells[0].confidence[0].value == 0.66
    assert entry.repairs == ()


def test_merged_cells_that_overlap_are_repaired() -> None:
    first = block("MERGED_CELL", "m", 66.0, "c11 c12", RowIndex=1, ColumnIndex=1, RowSpan=1, ColumnSpan=2)
    second = block("MERGED_CELL", "n", 66.0, "c12 c22", RowIndex=1, ColumnIndex=2, RowSpan=2, ColumnSpan=1)
    table = {**TABLE, "Relationships": [*TABLE["Relationships"], {"Type": "MERGED_CELL", "Ids": ["m", "n"]}]}
    (entry,) = read(answer(table, first, second, *CELLS, *WORDS)).tables
    assert [one.text for one in entry.table.cells] == ["Total due", "bolt M4"]
    # The words of the shared cell are in the first one.
    assert str(entry.repairs[0]).startswith("row 1, column 2: '' was left out: the cell 'Total due'")


def test_a_word_that_a_cell_names_twice_is_read_once() -> None:
    (entry,) = read(answer(TABLE, cell("c11", 1, 1, "w-Total w-due w-Total"), *CELLS[1:], *WORDS)).tables
    assert entry.table.text_at(0, 0) == "Total due"


def test_selection_elements_are_shown_with_a_confidence_of_their_own() -> None:
    cells = [cell("c11", 1, 1, "s w-Total"), cell("c12", 1, 2, "n")]
    marks = [
        block("SELECTION_ELEMENT", "s", 70.0, SelectionStatus="SELECTED"),
        block("SELECTION_ELEMENT", "n", 90.0, SelectionStatus="NOT_SELECTED"),
    ]
    (entry,) = read(answer(TABLE, *cells, *marks, *WORDS)).tables
    assert [one.text for one in entry.table.cells] == ["☒ Total", "☐"]
    assert [(said.value, said.kind) for said in entry.table.cells[0].confidence] == [
        (0.8, "structure"),
        (0.99, "text"),
        (0.7, "detection"),
    ]
    assert entry.notes == ("selection elements shown as ☒ and ☐: 2",)


def test_a_title_is_told_unless_it_stands_in_a_cell() -> None:
    title = block("TABLE_TITLE", "title", 90.0, "w-Stock")
    footer = block("TABLE_FOOTER", "footer", 90.0, "w-Total")
    more = [{"Type": "TABLE_TITLE", "Ids": ["title"]}, {"Type": "TABLE_FOOTER", "Ids": ["footer"]}]
    table = {**TABLE, "Relationships": [*TABLE["Relationships"], *more]}
    (entry,) = read(answer(table, title, footer, word("Stock"), *CELLS, *WORDS)).tables
    assert entry.notes == ("title: Stock",)


def test_parts_of_one_job_are_put_together() -> None:
    blocks = [{**part, "Page": 2} for part in (TABLE, *CELLS, *WORDS)]
    found = read([answer(*blocks[:3], NextToken="x"), answer(*blocks[2:])])
    assert found.notes == ()
    assert [one.text for one in found.tables[0].table.cells] == ["Total", "due", "bolt M4", ""]
    assert found.tables[0].boxes[0].page == 2
    (note,) = read(answer(TABLE, *CELLS, *WORDS, NextToken="x")).notes
    assert note.startswith("the last answer has a NextToken")


def test_answers_without_pages_are_one_page_each_and_their_ids_are_their_own() -> None:
    other = [{**part, "Text": "OTHER"} if part["BlockType"] == "WORD" else part for part in (TABLE, *CELLS, *WORDS)]
    found = read([answer(TABLE, *CELLS, *WORDS), answer(*other)])
    assert [entry.boxes[0].page for entry in found.tables] == [1, 2]
    assert [entry.table.text_at(0, 0) for entry in found.tables] == ["Total", "OTHER"]
    assert [entry.name for entry in found.tables] == ["table 1", "table 2"]
    assert found.notes[0].startswith("the answers name no pages")


def test_one_answer_for_each_line_of_a_file_is_read() -> None:
    raw = b"\n".join(json.dumps(answer(TABLE, *CELLS, *WORDS)).encode() for _ in range(2))
    assert recognise(raw, "a.jsonl") == "textract"
    assert len(textract.read(raw, name="a.jsonl").tables) == 2


def test_an_answer_without_tables_says_so() -> None:
    assert read(answer(*WORDS)).notes == ("the answer holds no tables",)
    assert read(answer(block("TABLE", "t"))).notes[0] == "table /Blocks/0 without cells left out"


def test_a_job_that_is_not_ready_is_refused_and_one_that_failed_in_part_is_told() -> None:
    with pytest.raises(FormatError, match=r"/JobStatus: 'IN_PROGRESS', expected a job that SUCCEEDED"):
        read({"DocumentMetadata": {}, "JobStatus": "IN_PROGRESS"})
    parts = answer(TABLE, *CELLS, JobStatus="PARTIAL_SUCCESS", Warnings=[{"ErrorCode": "x", "Pages": [3, 5]}])
    assert read(parts).notes == ("the job succeeded in part only", "Textract could not analyse pages 3 and 5")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"RowIndex": 0}, r"/Blocks/1/RowIndex: '0', expected a whole number from 1 on"),
        ({"RowIndex": 10**9}, r"/Blocks/0: a table of 1000000000 rows"),
        ({"Relationships": [7]}, r"/Blocks/1/Relationships/0: '7', expected an object"),
        ({"EntityTypes": "COLUMN_HEADER"}, r"/Blocks/1/EntityTypes: 'COLUMN_HEADER', expected a list"),
        ({"Id": None}, r"/Blocks/1/Id: nothing, expected the id of a block"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(change: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(answer(TABLE, {**CELLS[0], **change}, *CELLS[1:], *WORDS))


@pytest.mark.parametrize("geometry", [box(0.1, 0.1, -0.5, 0.1), box(float("nan"), 0, 1, 1), {"BoundingBox": 3}, {}])
def test_a_wild_box_is_left_out_and_told(geometry: Any) -> None:
    (entry,) = read(answer(TABLE, {**CELLS[0], "Geometry": geometry}, *CELLS[1:], *WORDS)).tables
    assert entry.table.cells[0].box is None
    assert list(map(str, entry.repairs)) == ["row 1, column 1: its box is no rectangle and was left out"]


def test_words_that_are_not_in_the_file_are_none() -> None:
    (entry,) = read(answer(TABLE, *CELLS, *WORDS[1:])).tables
    assert entry.table.cells[0] == Cell(0, 0, "", header="column", confidence=entry.table.cells[0].confidence)


@pytest.mark.corpus
def test_the_sample_with_a_title_in_the_table_has_each_word_once(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file(f"{SAMPLES}/analyzedoc_in-table-title.json").read_bytes()
    (entry,) = textract.read(raw, name="a.json").tables
    table = entry.table
    assert (table.n_rows, table.n_cols) == (11, 5)
    total = table.at(9, 0)
    assert total is not None
    assert (total.text, total.col_span) == ("Total Ending Balance", 4)
    assert [said.kind for said in total.confidence] == ["structure", "text"]
    assert sum("Balance Sheet" in one.text for one in table.cells) == 1
    assert (entry.notes, entry.repairs) == ((), ())
    filled = [one for one in table.cells if one.text]
    assert all([said.kind for said in one.confidence] == ["structure", "text"] for one in filled)


@pytest.mark.corpus
def test_the_rotated_sample_keeps_the_order_of_its_rows(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file(f"{SAMPLES}/analyzedoc_rotated_90.json").read_bytes()
    tables = [entry.table for entry in textract.read(raw, name="a.json").tables]
    assert [table.text_at(row, 1) for table in tables for row in range(3)] == [
        f"Value {number}.{row}.2" for number in (3, 2, 1) for row in (1, 2, 3)
    ]


@pytest.mark.corpus
def test_the_sample_of_three_pages_has_four_tables(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file(f"{SAMPLES}/analyzedoc_async_3page_table_continues.json").read_bytes()
    tables = textract.read(raw, name="a.json").tables
    assert [entry.boxes[0].page for entry in tables] == [1, 1, 2, 3]
    assert [(entry.table.n_rows, entry.table.n_cols) for entry in tables] == [(10, 3), (7, 3), (41, 3), (11, 3)]


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["analyzedoc_merged_cells_sample1.json", "analyzedoc_sample-invoice.json"])
def test_the_samples_are_read_without_repair(name: str, corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file(f"{SAMPLES}/{name}").read_bytes()
    assert recognise(raw, name) == "textract"
    found = textract.read(raw, name=name)
    assert [entry.repairs for entry in found.tables] == [()] * 3
