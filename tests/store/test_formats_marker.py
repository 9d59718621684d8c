from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.table import Box
from store.formats import FormatError, Read, marker, recognise

HTML = "<table><tr><th>item</th><th>price</th></tr></table>"


def cell(number: int, bbox: list[float], html: str = "<th>x</th>") -> dict[str, Any]:
    return {"id": f"/page/2/TableCell/{number}", "block_type": "TableCell", "html": html, "bbox": bbox}


def tree(*cells: Any, html: str = HTML, kind: str = "Table") -> dict[str, Any]:
    table = {"id": f"/page/2/{kind}/1", "block_type": kind, "html": html, "children": cells}
    group = {"id": "/page/2/TableGroup/9", "block_type": "TableGroup", "html": "<content-ref src='/page/2/Table/1'/>"}
    polygon = [[0, 0], [600, 0], [600, 800], [0, 800]]
    page = {"id": "/page/2/Page/7", "block_type": "Page", "polygon": polygon, "html": ""}
    table["polygon"] = [[60, 80], [300, 80], [300, 160], [60, 160]]
    return {"block_type": "Document", "children": [{**page, "children": [{**group, "children": [table]}]}]}


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "out.json") == "marker"
    return marker.read(raw, name="out.json", pages=())


def test_boxes_of_table_and_cells_are_fractions_of_the_page_in_the_id() -> None:
    (found,) = read(tree(cell(2, [60, 80, 180, 160]), cell(3, [180, 80, 300, 160]))).tables
    assert found.boxes == (Box(3, 0.1, 0.1, 0.5, 0.2),)
    assert [entry.box for entry in found.table.cells] == [Box(3, 0.1, 0.1, 0.3, 0.2), Box(3, 0.3, 0.1, 0.5, 0.2)]
    assert found.place == "/children/0/children/0/children/0"
    assert all(entry.confidence == () for entry in found.table.cells)


def test_specks_are_no_boxes() -> None:
    (found,) = read(tree(cell(2, [60, 80, 61, 81]), cell(3, [60, 80, 61, 81]))).tables
    assert [entry.box for entry in found.table.cells] == [None, None]
    assert found.notes == ("2 of 2 boxes of cells are no more than a point or not usable: left out",)


def test_boxes_that_are_not_one_for_each_cell_are_left_out() -> None:
    (found,) = read(tree(cell(2, [60, 80, 180, 160]))).tables
    assert found.table.cells[0].box is None
    assert found.notes == ("1 boxes for 2 cells: they were left out",)


def test_references_in_the_html_are_filled_from_the_children() -> None:
    html = (
        "<table><tr><content-ref src='/page/2/TableCell/2'></content-ref>"
        "<content-ref src='/page/2/TableCell/3'></content-ref></tr></table>"
    )
    cells = [cell(2, [60, 80, 180, 160], "<th>a</th>"), cell(3, [180, 80, 300, 160], "<th>b</th>")]
    (found,) = read(tree(*cells, html=html)).tables
    assert [entry.text for entry in found.table.cells] == ["a", "b"]


def test_forms_are_told_and_chunk_output_is_read() -> None:
    (form,) = read(tree(kind="Form")).tables
    assert form.notes == ("Marker calls it Form",)
    block = {"id": "/page/0/Table/1", "block_type": "Table", "html": HTML, "bbox": [60, 80, 300, 160], "page": 0}
    (found,) = read({"blocks": [block], "page_info": {"0": {"bbox": [0, 0, 600, 800]}}}).tables
    assert found.boxes == (Box(1, 0.1, 0.1, 0.5, 0.2),)


def test_boxes_belong_to_the_outer_table_where_one_is_nested() -> None:
    html = "<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr></table>"
    outer, inner = read(tree(cell(2, [60, 80, 300, 160]), html=html)).tables
    assert outer.table.cells[0].box == Box(3, 0.1, 0.1, 0.5, 0.2)
    assert (inner.table.cells[0].box, inner.notes, inner.name) == (None, (), "table 2")
    assert inner.boxes == ()


def test_a_wrong_part_is_named_by_its_pointer() -> None:
    with pytest.raises(FormatError, match=r"^/children/0/children: .*expected a list"):
        read({"block_type": "Document", "children": [{"children": {"a": 1}}]})
