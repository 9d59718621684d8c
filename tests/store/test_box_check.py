from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from scoring.table import Box, Cell, Table
from store.box_check import checked
from store.formats import ReadTable
from store.page_text import Word
from store.pages import PageSize

PAGES = (PageSize(1, 600, 800), PageSize(2, 600, 800))
Sides = tuple[float, float, float, float]


def word(row: int, col: int) -> Word:
    left, top = 0.08 + 0.21 * col, 0.1 + 0.045 * row
    return Word(f"{row * 37 % 101}.{col}{row}", left, top, left + 0.06, top + 0.015)


WORDS = [word(row, col) for row in range(15) for col in range(4)] + [Word("Total", 0.1, 0.9, 0.2, 0.92)]


def table(moved: Callable[[Sides], Sides], *, page: int = 1, wrong: int = 0) -> ReadTable:
    """The table of the words with its boxes moved; so many cells were misread."""
    cells = []
    for row in range(15):
        for col in range(4):
            at = word(row, col)
            x0, y0, x1, y1 = moved((at.x0 - 0.002, at.y0 - 0.002, at.x1 + 0.05, at.y1 + 0.002))
            box = Box(page, min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
            cells.append(Cell(row, col, at.text, box=box))
    for cell in random.Random(1).sample(range(len(cells)), wrong):
        cells[cell] = replace(cells[cell], text="misread")
    return ReadTable("t", Table(15, 4, tuple(cells)))


def words_of(page: int) -> list[Word]:
    return WORDS if page == 1 else []


def said(read: ReadTable) -> tuple[str, ...]:
    return checked([read], words_of, PAGES)[1]


def test_boxes_that_lie_on_their_words_are_passed_without_a_word() -> None:
    assert said(table(lambda box: box)) == ()
    assert said(table(lambda box: box, wrong=25)) == ()


@pytest.mark.parametrize(
    ("moved", "told"),
    [
        (lambda b: (b[0], 1 - b[3], b[2], 1 - b[1]), "with the origin at the bottom left of the page, 100%"),
        (lambda b: (1 - b[2], 1 - b[3], 1 - b[0], 1 - b[1]), "with the origin at the bottom right of the page"),
        (lambda b: (b[1], b[0], b[3], b[2]), "with across and down exchanged, 100%"),
        (lambda b: (b[1], 1 - b[2], b[3], 1 - b[0]), "on the page turned by a quarter to the right"),
        (lambda b: tuple(side * 0.75 for side in b), "scaled by 1.33 across and 1.33 down"),
        (lambda b: (b[0] + 0.07, b[1] - 0.02, b[2] + 0.07, b[3] - 0.02), "% of the page across and +2.0% down"),
    ],
)
def test_a_frame_that_fits_better_is_told_and_nothing_is_moved(moved: Callable[[Sides], Sides], told: str) -> None:
    read = table(moved, wrong=6)
    (tables, (note,)) = checked([read], words_of, PAGES)
    assert told.split(", 100%")[0] in note
    assert "Nothing was changed" in note
    assert tables == (read,)


def test_pages_that_are_counted_from_another_number_are_told() -> None:
    assert "with pages counted one too high" in said(table(lambda box: box, page=2))[0]


def test_boxes_of_another_document_are_no_frame() -> None:
    chance = random.Random(3)
    cells = [replace(cell, text=str(chance.random())) for cell in table(lambda box: box).table.cells]
    assert said(ReadTable("t", Table(15, 4, tuple(cells)))) == ()


def test_a_page_without_text_and_a_few_boxes_tell_nothing() -> None:
    read = table(lambda b: (b[0], 1 - b[3], b[2], 1 - b[1]))
    assert checked([read], lambda page: [], PAGES)[1] == ()
    few = replace(read, table=Table(15, 4, read.table.cells[:4]))
    assert said(few) == ()


def test_boxes_outside_the_page_are_noted_at_their_table() -> None:
    cells = (Cell(0, 0, "a", box=Box(1, 0.9, 0.1, 1.2, 0.2)), Cell(0, 1, "b", box=Box(7, 0, 0, 1, 1)))
    ((noted,), _) = checked([ReadTable("t", Table(1, 2, cells), ("first",))], words_of, PAGES)
    assert noted.notes == (
        "first",
        "the boxes of cells (row 1, column 1) and (row 1, column 2) lie outside the page (2 in the document)",
    )
    inside = Cell(0, 0, "a", box=Box(1, -0.001, 0.0, 1.001, 0.2))
    assert checked([ReadTable("t", Table(1, 1, (inside,)))], words_of, PAGES)[0][0].notes == ()
