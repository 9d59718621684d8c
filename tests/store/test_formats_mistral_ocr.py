from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box, Table
from store.formats import FormatError, Read, mistral_ocr, recognise

PIPE = "| item | price |\n| --- | --- |\n| M4 bolt | 1.20 |\n"


def answer(markdown: str, **more: Any) -> dict[str, Any]:
    page = {
        "index": 2,
        "markdown": markdown,
        "images": [],
        "dimensions": {"dpi": 200, "width": 1000, "height": 2000},
        **more,
    }
    return {"pages": [page], "model": "mistral-ocr-latest", "usage_info": {}}


def read(value: Any) -> Read:
    raw = json.dumps(value).encode()
    assert recognise(raw, "a.json") == "mistral-ocr"
    return mistral_ocr.read(raw, name="a.json")


def texts(table: Table) -> list[list[str]]:
    return [[table.text_at(row, col) for col in range(table.n_cols)] for row in range(table.n_rows)]


def scores(text: str, *words: tuple[str, float]) -> list[dict[str, Any]]:
    found, at = [], 0
    for word, confidence in words:
        at = text.index(word, at)
        found.append({"text": f" {word}", "confidence": confidence, "start_index": at})
        at += len(word)
    return found


WORDS = (("item", 0.9), ("price", 0.8), ("M4", 0.7), ("bolt", 0.6), ("1.20", 0.5))


def test_tables_in_the_markdown_are_read_with_the_page_that_counts_from_zero() -> None:
    found = read(answer(f"# Stock\n\n{PIPE}"))
    assert (found.extractor, found.version) == ("Mistral OCR", "mistral-ocr-latest")
    (table,) = found.tables
    assert texts(table.table) == [["item", "price"], ["M4 bolt", "1.20"]]
    assert table.place == "/pages/0/markdown, line 3, page 3"


def test_words_are_joined_to_their_cells() -> None:
    text = f"a prose item\n\n{PIPE}"
    told = {"average_page_confidence_score": 0.95, "minimum_page_confidence_score": 0.5}
    words = scores(text, ("prose", 0.1), ("item", 0.2), *WORDS)
    (table,) = read(answer(text, confidence_scores={**told, "word_confidence_scores": words})).tables
    assert [cell.confidence[0].value for cell in table.table.cells] == [0.9, 0.8, 0.6, 0.5]
    assert [(said.value, said.kind, said.unit) for said in table.confidence] == [
        (0.95, "text", "page"),
        (0.5, "text", "page"),
    ]


def test_words_that_are_not_the_texts_of_the_cells_say_nothing() -> None:
    words = scores(PIPE, *WORDS[:3], ("1.20", 0.5))
    (table,) = read(answer(PIPE, confidence_scores={"word_confidence_scores": words})).tables
    assert all(cell.confidence == () for cell in table.table.cells)


def test_tables_that_are_given_apart_are_read_with_their_boxes() -> None:
    html = "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>"
    block = {"type": "table", "table_id": "tbl-0.html", "top_left_x": 100, "top_left_y": 200}
    found = read(
        answer(
            "[tbl-0.html](tbl-0.html)\n\n[tbl-1.md](tbl-1.md)",
            tables=[
                {"id": "tbl-0.html", "content": html, "format": "html"},
                {
                    "id": "tbl-1.md",
                    "content": PIPE,
                    "format": "markdown",
                    "word_confidence_scores": scores(PIPE, *WORDS),
                },
                {"id": "tbl-2.md", "content": "", "format": "markdown"},
            ],
            blocks=[{**block, "bottom_right_x": 600, "bottom_right_y": 400}, {"type": "text"}],
        )
    )
    first, second = found.tables
    assert (texts(first.table), first.boxes) == ([["a"], ["1"]], (Box(3, 0.1, 0.1, 0.6, 0.2),))
    assert first.place == "/pages/0/tables/0"
    assert (second.boxes, second.place) == ((), "/pages/0/tables/1, page 3")
    assert [cell.confidence[0].value for cell in second.table.cells] == [0.9, 0.8, 0.6, 0.5]
    assert second.confidence[0].source == "Mistral word confidence, lowest of 5"
    assert found.notes == ("/pages/0/tables/2: tbl-2.md has no rows",)


@pytest.mark.parametrize("corner", [{"top_left_x": 700}, {"top_left_x": "x"}, {"top_left_x": None}])
def test_a_block_without_a_whole_box_gives_none(corner: Any) -> None:
    block = {"type": "table", "top_left_x": 0, "top_left_y": 0, "bottom_right_x": 600, "bottom_right_y": 400}
    assert read(answer(PIPE, blocks=[block])).tables[0].boxes == (Box(3, 0, 0, 0.6, 0.2),)
    assert read(answer(PIPE, blocks=[{**block, **corner}])).tables[0].boxes == ()


def test_a_wrong_part_is_named_by_its_pointer() -> None:
    value = answer(PIPE)
    value["pages"][0]["index"] = "x"
    with pytest.raises(FormatError, match=r"^/pages/0/index: 'x', expected a whole number from 0 on"):
        read(value)


@pytest.mark.corpus
def test_the_samples_have_their_tables_and_each_cell_its_words(corpus_file: Callable[[str], Path]) -> None:
    raw = corpus_file("formats/mistral-ocr/mistral7b_ocr_response_images_trimmed.json").read_bytes()
    assert recognise(raw, "a.json") == "mistral-ocr"
    tables = mistral_ocr.read(raw, name="a.json").tables
    assert [(table.table.n_rows, table.table.n_cols) for table in tables] == [
        (10, 2),
        (4, 13),
        (5, 14),
        (8, 3),
        (4, 2),
        (3, 2),
    ]
    assert all(bool(cell.text) == bool(cell.confidence) for table in tables for cell in table.table.cells)
    raw = corpus_file("formats/mistral-ocr/mistral7b_ocr_response.json").read_bytes()
    assert len(mistral_ocr.read(raw, name="a.json").tables) == 6
