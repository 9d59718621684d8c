from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoring.table import Box, Cell, Table
from store.box_check import words_in
from store.box_readings import Places, box_readings
from store.page_text import Word
from store.pages import printed

TEXTS = [["Article", "Amount"], ["bolt M8", "9.45"], ["nut", "1,204.50"], ["washer", "112.0"], ["pin", "-0.40"]]


def words(*changes: tuple[str, str]) -> list[Word]:
    """The page: each text in its place, word by word, with some words changed."""
    other = dict(changes)
    found = []
    for row, texts in enumerate(TEXTS):
        for col, text in enumerate(texts):
            for at, word in enumerate(text.split()):
                left, top = 0.1 + 0.3 * col + 0.07 * at, 0.1 + 0.05 * row
                found.append(Word(other.get(word, word), left, top, left + 0.06, top + 0.02))
    return found


def table(*changes: tuple[str, str], wide: float = 0.15) -> Table:
    """What was extracted: the texts, some of them changed, with boxes around their place."""
    other = dict(changes)
    cells = []
    for row, texts in enumerate(TEXTS):
        for col, text in enumerate(texts):
            left, top = 0.1 + 0.3 * col, 0.1 + 0.05 * row
            box = Box(1, left - 0.005, top - 0.005, left + wide, top + 0.025)
            cells.append(Cell(row, col, other.get(text, text), header="column" if row == 0 else "", box=box))
    return Table(len(TEXTS), 2, tuple(cells))


def told(read: Table, page: Sequence[Word], *, visible: bool = True) -> Places:
    return box_readings(read, lambda number: page if number == 1 else (), lambda _, groups: [visible] * len(groups))


@pytest.mark.parametrize(
    ("text", "extracted"),
    [("9.45", "945"), ("112.0", "l12.0"), ("-0.40", "0.40"), ("1,204.50", "1,204.5O"), ("bolt M8", "bolt MB")],
)
def test_a_text_that_the_page_has_otherwise_in_the_box_is_told(text: str, extracted: str) -> None:
    place = next((row, col) for row, texts in enumerate(TEXTS) for col, own in enumerate(texts) if own == text)
    assert told(table((text, extracted)), words()) == {place: text}


def test_a_value_that_was_left_out_is_told() -> None:
    assert told(table(("9.45", "")), words()) == {(1, 1): "9.45"}


@pytest.mark.parametrize(
    ("extracted", "page"),
    [
        (("9.45", "$ 9.45"), ("9.45", "9.45")),
        (("9.45", "９.４５"), ("9.45", "9.45")),
        (("-0.40", "\u22120.40"), ("-0.40", "-0.40")),
        (("bolt M8", "M8 bolt"), ("bolt", "bolt")),
        (("bolt M8", "boltM8"), ("bolt", "bolt")),
        (("bolt M8", "**bolt** M8"), ("bolt", "bolt")),
        (("nut", "finest nut"), ("nut", "ﬁnest nut")),
        (("nut", "finest nut"), ("nut", "nest nut")),
        (("nut", "Steel nut"), ("nut", "STeel nUt")),
        (("nut", "† nut"), ("nut", "nut†")),
        (("nut", "deliveries"), ("nut", "deliv- eries")),
        (("-0.40", "-0.40"), ("-0.40", "0.40-")),
    ],
)
def test_another_form_of_the_same_text_is_not_told(extracted: tuple[str, str], page: tuple[str, str]) -> None:
    assert told(table(extracted), words(page)) == {}


def test_nothing_is_told_of_a_page_without_text_or_of_words_that_cannot_be_seen() -> None:
    wrong = table(("9.45", "945"))
    assert told(wrong, []) == {}
    assert told(wrong, words(), visible=False) == {}


@pytest.mark.parametrize("garbled", ["9.4\ufffd", "9.4\uf035", "$%&'"])
def test_a_garbled_word_is_not_told(garbled: str) -> None:
    assert told(table(), words(("9.45", garbled))) == {}
    assert told(table(), words(("nut", "qxw"))) == {}


def test_a_garbled_layer_and_boxes_of_another_place_tell_nothing() -> None:
    shifted = [(word.text, "".join(chr(ord(letter) + 1) for letter in word.text)) for word in words()]
    assert told(table(), words(*shifted)) == {}
    moved = [replace(cell, box=Box(1, 0.1, 0.1 + 0.05 * ((cell.row + 1) % 5), 0.3, 0.13 + 0.05 * ((cell.row + 1) % 5)))
             for cell in table().cells]  # fmt: skip
    assert told(Table(5, 2, tuple(moved)), words()) == {}


def test_boxes_of_whole_rows_and_boxes_that_cut_a_word_tell_nothing() -> None:
    wrong = table(("9.45", "945"), ("nut", "nul"))
    rows = [replace(cell, box=Box(1, 0.05, cell.box.y0, 0.9, cell.box.y1)) for cell in wrong.cells if cell.box]
    assert told(Table(5, 2, tuple(rows)), words()) == {}
    box = Box(1, 0.095, 0.145, 0.185, 0.175)
    cut = [replace(cell, text="bolt MB", box=box) if cell.text == "bolt M8" else cell for cell in wrong.cells]
    assert told(Table(5, 2, tuple(cut)), words()) == {(1, 1): "9.45", (2, 0): "nut"}
    shared = [replace(cell, box=Box(1, 0.395, 0.19, 0.55, 0.23)) if cell.text == "945" else cell for cell in cut]
    assert told(Table(5, 2, tuple(shared)), words()) == {(2, 0): "nut"}


def test_words_that_lie_on_each_other_tell_nothing() -> None:
    under = Word("8.10", 0.4, 0.15, 0.46, 0.17)
    assert told(table(), [*words(), under]) == {}


@pytest.mark.parametrize(
    ("file", "unseen"),
    [
        ("hidden_layer_text.pdf", {"HIDDEN", "LAYER", "999.99"}),
        ("white_and_offpage_text.pdf", {"WHITE", "ON", "123.45"}),
        ("scan_with_invisible_text_wrong.pdf", None),
        ("rotate_90.pdf", set()),
    ],
)
def test_what_is_not_printed_on_the_page_is_known(file: str, unseen: set[str] | None, corpus_file: Any) -> None:
    path: Path = corpus_file(f"corpora/hazards/{file}")
    found = words_in(path)(1)
    seen = printed(path, 1, [[word] for word in found])
    assert {word.text for word, there in zip(found, seen, strict=True) if not there} == (
        {word.text for word in found} if unseen is None else unseen
    )
