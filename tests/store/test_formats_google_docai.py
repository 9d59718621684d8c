from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box, Table
from store.formats import FormatError, Read, google_docai, recognise

SAMPLES = "formats/google-docai"
TEXT = "item\nprice\nbolt\n1.20\nLange\nZeile\n"


def anchor(piece: str) -> dict[str, Any]:
    """Segments as protocol buffers print them: numbers as texts, zeros left out."""
    start = TEXT.index(piece)
    segment = {"endIndex": str(start + len(piece) + 1)}
    return {"textSegments": [{"startIndex": str(start), **segment} if start else segment]}


def layout(piece: str = "", confidence: float = 0.99, polygon: Any = None) -> dict[str, Any]:
    poly = {"boundingPoly": {"normalizedVertices": polygon}} if polygon else {}
    return {"layout": {"textAnchor": anchor(piece) if piece else {}, "confidence": confidence, **poly}}


CORNER = [{}, {"x": 0.25}, {"x": 0.25, "y": 0.125}, {"y": 0.125}]


def page(**more: Any) -> dict[str, Any]:
    table = {
        **layout("item", 0.97, CORNER),
        "headerRows": [{"cells": [layout("item", 0.9, CORNER), layout("price")]}],
        "bodyRows": [{"cells": [layout("bolt"), {**layout("1.20"), "rowSpan": 2}]}, {"cells": [layout()]}],
    }
    tokens = [layout("item", 0.8), layout("bolt", 0.7), layout("1.20", 0.6)]
    dimension = {"width": 1000, "height": 2000, "unit": "pixels"}
    return {"pageNumber": 1, "dimension": dimension, **layout("item"), "tables": [table], "tokens": tokens, **more}


def document(*entities: Any, **more: Any) -> dict[str, Any]:
    return {"mimeType": "application/pdf", "text": TEXT, "pages": [page()], "entities": list(entities), **more}


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "google-docai"
    return google_docai.read(raw, name="a.json")


def texts(table: Table) -> list[list[str]]:
    return [[table.text_at(row, col) for col in range(table.n_cols)] for row in range(table.n_rows)]


def test_cells_are_cut_from_the_text_and_laid_out_by_their_spans() -> None:
    (found,) = read(document()).tables
    assert texts(found.table) == [["item", "price"], ["bolt", "1.20"], ["", "1.20"]]
    assert found.table.header_rows == 1
    assert (found.name, found.place, found.repairs) == ("table 1", "/pages/0/tables/0", ())


def test_absent_numbers_are_zero() -> None:
    (found,) = read(document()).tables
    item = found.table.at(0, 0)
    assert item is not None
    assert (item.text, item.box) == ("item", Box(1, 0, 0, 0.25, 0.125))


def test_structure_reading_and_table_have_their_own_confidence() -> None:
    (found,) = read(document()).tables
    item = found.table.at(0, 0)
    assert item is not None
    assert [(said.value, said.kind, said.unit) for said in item.confidence] == [
        (0.9, "structure", "cell"),
        (0.8, "text", "word"),
    ]
    assert [(said.value, said.unit) for said in found.confidence] == [(0.97, "table")]


def test_pixels_are_fractions_of_the_page_in_the_file() -> None:
    pixels = {"boundingPoly": {"vertices": [{"x": 100}, {"x": 500, "y": 500}]}}
    value = document()
    cell = value["pages"][0]["tables"][0]["headerRows"][0]["cells"][1]
    cell["layout"].update(pixels)
    assert read(value).tables[0].table.cells[1].box == Box(1, 0.1, 0, 0.5, 0.25)
    del value["pages"][0]["dimension"]
    (repair,) = read(value).tables[0].repairs
    assert str(repair) == "row 1, column 2: its box is no polygon on a page of known size and was left out"


def entity(kind: str, text: str, confidence: float, *properties: Any, **more: Any) -> dict[str, Any]:
    return {"type": kind, "mentionText": text, "confidence": confidence, "properties": list(properties), **more}


def test_fields_are_one_row_and_line_items_rows_whose_parents_say_nothing() -> None:
    line = entity(
        "line_item", "bolt 1.20", 1, entity("line_item/item", "bolt", 0.3), entity("line_item/price", "1", 0.9)
    )
    bare = entity("line_item", "nut", 1, entity("line_item/item", "nut", 0.2))
    _, form, lines = read(document(entity("total", "1.20", 0.01), line, entity("total", "2", 0.5), bare)).tables
    assert (form.name, texts(form.table)) == ("fields", [["total", "total 2"], ["1.20", "2"]])
    assert (lines.name, texts(lines.table)) == ("line_item", [["item", "price"], ["bolt", "1"], ["nut", ""]])
    said = [one for cell in lines.table.cells for one in cell.confidence]
    assert [(one.value, one.kind, one.unit) for one in said] == [
        (0.3, "extraction", "field"),
        (0.9, "extraction", "field"),
        (0.2, "extraction", "field"),
    ]
    assert lines.table.at(2, 1) is None


def test_properties_of_properties_keep_both_names() -> None:
    deep = entity("line", "x", 1, entity("line/tax", "y", 1, entity("line/tax/rate", "7 %", 0.5)))
    flat = entity("line", "x", 1, entity("line/tax", "y", 1, entity("rate", "8 %", 0.5)))
    assert texts(read(document(deep, flat)).tables[1].table) == [["tax.rate"], ["7 %"], ["8 %"]]


def test_a_field_without_text_shows_its_normalised_value_and_says_so() -> None:
    silent = {"type": "due", "normalizedValue": {"text": "2025-01-01"}, "confidence": 0.5}
    anchored = {"type": "item", "textAnchor": anchor("bolt"), "confidence": 0.5}
    form = read(document(silent, anchored)).tables[1]
    assert texts(form.table)[1] == ["2025-01-01", "bolt"]
    assert [str(repair) for repair in form.repairs] == [
        "row 2, column 1: has no text on the page: this is its normalised value"
    ]


def test_pages_of_a_shard_count_from_its_first_page() -> None:
    anchor_of = {"pageRefs": [{"boundingPoly": {"normalizedVertices": CORNER}}]}
    second = {"pageRefs": [{"page": "1", "boundingPoly": {"normalizedVertices": CORNER}}]}
    found = document(
        entity("a", "x", 0.5, pageAnchor=anchor_of),
        entity("b", "x", 0.5, pageAnchor=second),
        pages=[page(pageNumber=11), page(pageNumber=12)],
        shardInfo={"shardIndex": "1", "shardCount": "5", "textOffset": "900"},
    )
    result = read(found)
    form = result.tables[2].table
    assert [cell.box.page for cell in form.cells if cell.box] == [11, 12]
    assert [table.boxes[0].page for table in result.tables[:2]] == [11, 12]
    assert result.notes == ("this is part 2 of 5 of the document",)


def test_shards_in_one_file_keep_their_own_text() -> None:
    other = document(text=TEXT.upper(), pages=[page(pageNumber=2)])
    found = read([document(), other])
    assert [table.table.text_at(1, 0) for table in found.tables] == ["bolt", "BOLT"]
    assert [(table.name, table.place) for table in found.tables] == [
        ("table 1", "/0/pages/0/tables/0"),
        ("table 2", "/1/pages/0/tables/0"),
    ]


def test_the_spelling_of_the_python_library_and_the_wrapped_answer_read_alike() -> None:
    def snake(value: Any) -> Any:
        if isinstance(value, dict):
            return {"".join(f"_{c.lower()}" if c.isupper() else c for c in key): snake(v) for key, v in value.items()}
        return [snake(entry) for entry in value] if isinstance(value, list) else value

    value = document(entity("total", "1.20", 0.5))
    assert read({"document": snake(value)}).tables[1].table == read(value).tables[1].table
    assert read(snake(value)).tables[0].table == read(value).tables[0].table


def test_tables_of_the_layout_parser_are_read_at_any_depth() -> None:
    def block(text: str) -> dict[str, Any]:
        return {"blocks": [{"textBlock": {"text": text, "type": "paragraph"}}]}

    rows = {
        "headerRows": [{"cells": [{**block("a"), "colSpan": 2}]}],
        "bodyRows": [{"cells": [block("b"), {"blocks": [*block("c")["blocks"], *block("d")["blocks"]]}]}],
        "caption": "Stock",
    }
    table = {"blockId": "2", "tableBlock": rows, "pageSpan": {"pageStart": 3, "pageEnd": 4}}
    blocks = [
        {
            "textBlock": {
                "text": "H",
                "type": "heading-1",
                "blocks": [{"listBlock": {"listEntries": [{"blocks": [table]}]}}],
            }
        }
    ]
    (found,) = read({"documentLayout": {"blocks": blocks}}).tables
    assert texts(found.table) == [["a", "a"], ["b", "c\nd"]]
    assert found.notes == ("caption: Stock", "the table lies on pages 3 to 4")
    assert found.place.endswith("/listEntries/0/blocks/0/tableBlock, page 3")
    assert found.boxes == ()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("rowSpan", -1, r"/pages/0/tables/0/bodyRows/0/cells/0/rowSpan: '-1', expected a whole number from 0 on"),
        ("layout", 7, r"/cells/0/layout: '7', expected an object"),
        ("layout", {"textAnchor": {"textSegments": [{"endIndex": "x"}]}}, r"textSegments/0/endIndex: 'x', expected"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(key: str, value: Any, message: str) -> None:
    found = document()
    found["pages"][0]["tables"][0]["bodyRows"][0]["cells"][0][key] = value
    with pytest.raises(FormatError, match=message):
        read(found)


def test_wild_spans_and_anchors_are_repaired() -> None:
    found = document()
    cells = found["pages"][0]["tables"][0]["bodyRows"][0]["cells"]
    cells[0].update(rowSpan=10**9, layout={"textAnchor": {"textSegments": [{"endIndex": 10**9}]}})
    (table,) = read(found).tables
    assert [str(repair) for repair in table.repairs] == [
        "row 2, column 1: spans 1000000000 rows and 1 columns: was cut",
        "row 2, column 1: its text anchor reaches past the text of the document",
    ]


def test_anchors_that_repeat_the_text_are_refused() -> None:
    found = document()
    segments = [{"endIndex": len(TEXT)}] * 5000
    found["pages"][0]["tables"][0]["bodyRows"][0]["cells"][0]["layout"] = {"textAnchor": {"textSegments": segments}}
    with pytest.raises(FormatError, match="repeat the text over and over again"):
        read(found)


@pytest.mark.corpus
def test_the_invoice_sample_has_its_table_fields_and_lines(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file(f"{SAMPLES}/invoice_parser_toolbox_invoice_test-0.json").read_bytes()
    assert recognise(raw, "a.json") == "google-docai"
    table, form, _, lines = google_docai.read(raw, name="a.json").tables
    assert (table.table.n_rows, table.table.n_cols, table.table.header_rows) == (7, 4, 1)
    assert texts(lines.table)[1] == ["Tool A", "500", "1.00", "500.00"]
    values = [said.value for cell in lines.table.cells for said in cell.confidence]
    assert (len(values), max(values, key=lambda value: value or 0)) == (12, 0.92716461)
    iban = next(cell for cell in form.table.cells if cell.row and form.table.text_at(0, cell.col) == "supplier_iban")
    assert (iban.text, iban.confidence[0].raw) == ("50", "1.51808e-05")
    assert all(cell.box for cell in (*form.table.cells, *lines.table.cells) if cell.row)


@pytest.mark.corpus
def test_the_other_samples_are_read(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file(f"{SAMPLES}/form_parser_form_with_tables.json").read_bytes()
    (found,) = google_docai.read(raw, name="a.json").tables
    assert texts(found.table)[1] == ["Item 1", "Description 1"]
    assert all(len(cell.confidence) == 2 for cell in found.table.cells)
    raw = corpus_file(f"{SAMPLES}/layout_parser_no_table.json").read_bytes()
    assert recognise(raw, "a.json") == "google-docai"
    assert google_docai.read(raw, name="a.json").notes == ("the document holds no tables and no entities",)
