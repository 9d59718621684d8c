from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.table import Box
from store.formats import FormatError, Read, mineru, recognise

HTML = "<table><tr><td>bolt</td><td>1.20</td></tr></table>"
BOX = Box(2, 0.1, 0.2, 0.5, 0.4)


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "out.json") == "mineru"
    return mineru.read(raw, name="out.json", pages=())


def test_boxes_of_a_content_list_run_to_a_thousand_and_its_pages_from_0() -> None:
    entry = {"type": "table", "page_idx": 1, "bbox": [100, 200, 500, 400], "table_body": HTML}
    words = {"table_caption": ["Parts"], "table_footnote": "net"}
    (found,) = read([{"type": "text", "page_idx": 0, "text": "a"}, entry | words]).tables
    assert found.boxes == (BOX,)
    assert found.notes == ("caption: Parts", "footnote: net")
    assert found.place == "/1"


def test_the_second_kind_of_content_list_is_read() -> None:
    content = {"html": HTML, "table_caption": [{"type": "text", "content": "Parts"}]}
    table = {"type": "table", "bbox": [100, 200, 500, 400], "content": content}
    (found,) = read([[{"type": "text", "content": {}}], [table]]).tables
    assert (found.boxes, found.notes) == ((BOX,), ("caption: Parts",))


@pytest.mark.parametrize("bounds", [[60, 160, 300, 320], [0.1, 0.2, 0.5, 0.4]])
def test_boxes_of_the_middle_file_are_points_or_fractions(bounds: list[float]) -> None:
    span = {"type": "table", "html": HTML, "score": 0.9}
    caption = {"type": "table_caption", "lines": [{"spans": [{"content": "Parts"}]}]}
    body = {"type": "table_body", "lines": [{"spans": [span]}]}
    block = {"type": "table", "bbox": bounds, "blocks": [caption, body]}
    page = {"page_idx": 1, "page_size": [600, 800], "para_blocks": [{"type": "text"}, block]}
    found = read({"pdf_info": [page], "_version_name": "2.1.0"})
    (table,) = found.tables
    assert (table.boxes, table.notes, found.version) == ((BOX,), ("caption: Parts",), "2.1.0")
    assert [(said.value, said.kind, said.unit) for said in table.confidence] == [(0.9, "detection", "table")]


def test_the_model_file_is_read() -> None:
    detection = {"category_id": 5, "html": HTML, "score": 0.8, "poly": [60, 160, 300, 160, 300, 320, 60, 320]}
    page = {"page_info": {"page_no": 1, "width": 600, "height": 800}, "layout_dets": [{"category_id": 1}, detection]}
    (found,) = read([page]).tables
    assert found.boxes == (BOX,)
    assert found.place == "/0/layout_dets/1"


def test_a_table_that_is_only_a_picture_and_a_wild_box_are_told() -> None:
    picture = {"type": "table", "page_idx": 0, "img_path": "a.jpg"}
    wild = {"type": "table", "page_idx": 0, "table_body": HTML, "bbox": ["x", 1, 2, 3]}
    found = read([picture, wild])
    assert found.notes == ("/0: no table in its HTML",)
    assert found.tables[0].notes == ("its box was left out: it is no rectangle on a page of known size",)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([{"type": "table", "page_idx": -2, "table_body": HTML}], r"^/0/page_idx: '-2'"),
        ({"pdf_info": [7]}, r"^/pdf_info/0: '7', expected an object"),
        ({"pdf_info": [{"para_blocks": [{"type": "table", "blocks": 5}]}]}, r"^/pdf_info/0/para_blocks/0/blocks: '5'"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(value)
