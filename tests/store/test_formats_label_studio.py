from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.table import Box
from store.formats import FormatError, Read, docling, label_studio, recognise
from store.formats.grid_from_boxes import laid_out


def box(id: str, label: str, sides: tuple[float, ...], *, text: Any = "", **more: Any) -> dict[str, Any]:
    x, y, width, height = sides
    value = {"x": x, "y": y, "width": width, "height": height, "rectanglelabels": [label], "text": text}
    inner = {key: more.pop(key) for key in ("parentId", "rotation") if key in more}
    return {"id": id, "type": "rectanglelabels", "value": value | inner, **more}


def task(*results: Any, kind: str = "predictions", file: str = "/data/upload/1/a%20b.png", **more: Any) -> Any:
    return {"id": 1, "data": {"image": file}, kind: [{"result": results, **more}]}


def read(value: Any, name: str = "export.json") -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, name) == "label-studio"
    return label_studio.read(raw, name=name, pages=())


GRID = [
    box("a", "column_header", (10, 10, 40, 4), text="head"),
    box("b", "table_cell", (10, 20, 15, 4), text="1"),
    box("c", "table_cell", (30, 20, 20, 4), text="2"),
]


def test_rows_columns_and_spans_follow_from_where_cells_lie() -> None:
    found = read([task(*reversed(GRID))])
    (table,) = found.tables
    assert [(cell.text, cell.row, cell.col, cell.col_span, cell.header) for cell in table.table.cells] == [
        ("head", 0, 0, 2, "column"),
        ("1", 1, 0, 1, ""),
        ("2", 1, 1, 1, ""),
    ]
    assert table.table.cells[1].box == Box(1, 0.1, 0.2, 0.25, 0.24)
    assert found.notes == ("rows and columns were rebuilt from the boxes of cells",)


def test_a_cell_at_the_middle_of_two_rows_spans_both() -> None:
    sides = [(0.0, 10.0, 5.0, 14.0), (0.0, 15.0, 5.0, 19.0), (10.0, 12.4, 15.0, 16.6), (10.0, 25.0, 15.0, 29.0)]
    assert laid_out(sides) == [(0, 0, 1, 1), (1, 0, 1, 1), (0, 1, 2, 1), (2, 1, 1, 1)]


@st.composite
def jittered(draw: st.DrawFn, by: float) -> tuple[list[tuple[float, ...]], list[tuple[int, int, int, int]]]:
    """Boxes of a grid whose sides lie off by up to so much, where the smallest cell is 1, and their places."""
    n_rows, n_cols = draw(st.integers(1, 7)), draw(st.integers(1, 5))
    off = st.floats(-by, by)
    # In a first row and column that are whole, no line is without a cell.
    bare = draw(st.sets(st.tuples(st.integers(1, 7), st.integers(1, 5))))
    tall, wide = ([0.0, *(draw(st.floats(1, 4)) for _ in range(n))] for n in (n_rows, n_cols))
    boxes, places = [], []
    for row in range(n_rows):
        for col in range(n_cols):
            if (row, col) not in bare:
                sides = sum(wide[: col + 1]), sum(tall[: row + 1]), sum(wide[: col + 2]), sum(tall[: row + 2])
                x0, y0, x1, y1 = (side + draw(off) for side in sides)
                boxes.append((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
                places.append((row, col, 1, 1))
    return boxes, places


@given(jittered(0.02))
def test_a_grid_is_found_again_from_boxes_that_lie_a_little_off(
    grid: tuple[list[Any], list[tuple[int, int, int, int]]],
) -> None:
    boxes, places = grid
    assert laid_out(boxes) == places


@given(jittered(0.9))
def test_boxes_that_overlap_anyhow_get_places_without_gaps(grid: tuple[list[Any], object]) -> None:
    boxes, _ = grid
    found = laid_out(boxes)
    for start, span in ((0, 2), (1, 3)):
        lines = {line for place in found for line in range(place[start], place[start] + place[span])}
        assert lines == set(range(len(lines)))


def test_a_cell_in_the_gap_between_two_rows_is_placed_too() -> None:
    # The second spans the rows of the first and the last; the third lies within it and meets neither of them.
    heights = [(0.0, 11.0), (10.0, 19.0), (13.0, 16.0), (16.5, 29.0)]
    sides = [(10.0 * col, top, 10.0 * col + 9, bottom) for col, (top, bottom) in enumerate(heights)]
    assert [(row, tall) for row, _, tall, _ in laid_out(sides)] == [(0, 1), (0, 2), (1, 1), (1, 1)]


def test_the_text_may_stand_in_a_result_of_the_same_id() -> None:
    text = {"id": "a", "type": "textarea", "value": {"x": 1, "y": 1, "width": 1, "height": 1, "text": ["one", "two"]}}
    (found,) = read([task(text, box("a", "Cell", (10, 10, 40, 4)))]).tables
    assert found.table.cells[0].text == "one\ntwo"


def test_a_turned_rectangle_is_turned_in_pixels() -> None:
    size = {"original_width": 200, "original_height": 100}
    turned = box("a", "table_cell", (50, 20, 10, 10), rotation=90, **size)
    (found,) = read([task(turned)]).tables
    # 20 x 10 pixels at (100, 20), turned by 90 degrees about that corner: 10 wide to its left, 20 tall.
    assert found.table.cells[0].box == Box(1, 0.45, 0.2, 0.5, 0.4)


def test_cells_belong_to_their_parent_or_to_the_table_around_them() -> None:
    outlines = [box("t", "table", (0, 0, 50, 50)), box("u", "table", (50, 50, 50, 50))]
    cells = [
        box("a", "table_cell", (10, 10, 5, 5), text="a"),
        box("b", "table_cell", (60, 60, 5, 5), text="b"),
        box("c", "table_cell", (70, 60, 5, 5), text="c", parentId="t"),
        box("d", "table_cell", (10, 10, 5, 5), text="d", item_index=1),
    ]
    tables = read([task(*outlines, *cells)]).tables
    assert [[cell.text for cell in table.table.cells] for table in tables] == [["a", "c"], ["b"], ["d"]]
    assert tables[0].boxes == (Box(1, 0, 0, 0.5, 0.5),)
    (far,) = tables[2].table.cells
    assert far.box is not None
    assert far.box.page == 2


def test_a_prediction_is_read_as_extraction_and_an_annotation_as_gold() -> None:
    value = task(*GRID, score=0.8, model_version="acme-2")
    value["annotations"] = [
        {"result": [box("z", "table_cell", (0, 0, 9, 9), text="cancelled")], "was_cancelled": True},
        {"result": [box("y", "table_cell", (0, 0, 9, 9), text="right")]},
        {"result": [box("z", "table_cell", (0, 0, 9, 9), text="cancelled")], "was_cancelled": True},
    ]
    found = read([value])
    assert found.extractor == "acme-2"
    assert [(said.value, said.unit) for said in found.tables[0].confidence] == [(0.8, "table")]
    assert found.notes[-1] == "/0: its prediction was read, not its annotation"
    gold = read([value], "a.gold.json")
    assert gold.tables[0].table.cells[0].text == "right"


def test_several_tasks_name_their_documents() -> None:
    tables = read([task(*GRID), task(*GRID, file="https://x.org/f/b.pdf?d=1"), task(*GRID, file="c.png")]).tables
    assert [table.document for table in tables] == ["a b.png", "b.pdf", "c.png"]
    assert read([task(*GRID)]).tables[0].document == ""


def test_what_holds_no_cells_is_told() -> None:
    found = read([task(box("a", "Airplane", (1, 1, 1, 1))), {"id": 2, "data": {}, "annotations": []}])
    assert found.notes == (
        "/0: no rectangles labelled as cells of a table",
        "/1: a task without predictions and annotations",
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([task(*GRID, 7)], r"^/0/predictions/0/result/3: '7', expected an object"),
        ([task(box("a", "cell", (1, 1, 1, 1), item_index=-1))], r"^/0/predictions/0/result/0/item_index: '-1'"),
        ([task(*(box(str(n), "cell", (n, n, 0.5, 0.5)) for n in range(4001)))], "4001 cells in one table"),
    ],
)
def test_a_wrong_part_is_named_by_its_pointer(value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(value)


@pytest.mark.corpus
def test_the_grid_of_the_sample_is_the_one_it_was_made_from(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/label-studio/docling_backend_prediction_2305.03393v1-pg9.json").read_bytes()
    (found,) = label_studio.read(raw, name="a.json").tables
    (plain,) = docling.read(corpus_file("formats/docling/2305.03393v1-pg9.json").read_bytes(), name="a").tables
    assert (found.table.n_rows, found.table.n_cols, found.table.header_rows) == (6, 8, 2)
    wrong = [
        (row, col)
        for row in range(6)
        for col in range(8)
        if found.table.text_at(row, col) != plain.table.text_at(row, col)
    ]
    # "TEDs" spans three columns, but its box is round its text alone.
    assert wrong == [(0, 3), (0, 5)]


def test_a_rectangle_of_negative_width_is_left_out_with_a_note() -> None:
    found = read([task(*GRID, box("bad", "table_cell", (10, 50, -5, 4), text="lost"))])
    place = f"/0/predictions/0/result/{len(GRID)}"
    assert f"{place}: is no rectangle (x, y, width, height) and was left out" in found.notes
