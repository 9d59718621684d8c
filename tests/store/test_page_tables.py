from __future__ import annotations

from collections.abc import Callable
from importlib import util
from pathlib import Path

import pytest

from scoring.table import Cell, Table
from store.formats.contract import ReadTable
from store.page_tables import models
from store.page_tables.agreement import agreements, likeness
from store.page_tables.captions import without_captions
from store.page_tables.grid import Grid, GridCell, cell_text, with_words, without_empty_lines
from store.page_tables.reading import PageTables, read_tables
from store.page_tables.word_grid import word_grid
from store.page_text import Word
from store.pages import words

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_docs"
WITHOUT_MODELS = {"models": False, "img2table": True}

needs_img2table = pytest.mark.skipif(util.find_spec("img2table") is None, reason="img2table is not installed")


def texts(table: Table) -> list[list[str]]:
    return [[table.text_at(row, col) for col in range(table.n_cols)] for row in range(table.n_rows)]


def sample(folder: str, page: int = 1) -> tuple[Path, PageTables]:
    (file,) = (SAMPLES / folder).glob("*.pdf")
    return file, read_tables(file, page, WITHOUT_MODELS)


def placed(*lines: tuple[float, list[tuple[float, float, str]]]) -> list[Word]:
    """Words of ten points height, each line at its upper edge."""
    return [Word(text, x0, y, x1, y + 10) for y, line in lines for x0, x1, text in line]


@needs_img2table
def test_the_table_of_an_invoice_is_found_with_the_texts_of_the_text_layer() -> None:
    file, read = sample("invoice-laboratory")
    found = max(read.tables, key=lambda entry: entry.table.n_rows)
    printed = {word.text for word in words(file, 1)}
    told = [word for line in texts(found.table) for text in line for word in text.split()]
    assert found.table.n_cols >= 4
    assert len(told) > 20
    assert set(told) <= printed


@needs_img2table
def test_the_box_of_each_cell_lies_on_its_words() -> None:
    file, read = sample("invoice-laboratory")
    there: dict[str, list[Word]] = {}
    for word in words(file, 1):
        there.setdefault(word.text, []).append(word)
    checked = 0
    for entry in read.tables:
        for cell in entry.table.cells:
            if not cell.text or " " in cell.text:
                continue
            box = cell.box
            assert box is not None
            assert any(abs(box.x0 - word.x0) < 1e-6 and abs(box.y1 - word.y1) < 1e-6 for word in there[cell.text])
            checked += 1
    assert checked > 10


@needs_img2table
def test_a_page_that_runs_leftward_has_its_first_column_at_the_right() -> None:
    _, read = sample("price-list-arabic")
    table = max(read.tables, key=lambda entry: entry.table.n_rows).table
    row = next(cell.row for cell in table.cells if cell.text == "1001")
    first, last = table.at(row, 0), table.at(row, table.n_cols - 1)
    assert first is not None
    assert last is not None
    assert (first.text, last.text) == ("ورق", "10")
    assert first.box is not None
    assert last.box is not None
    assert first.box.x0 > last.box.x1


@needs_img2table
def test_a_scan_without_text_is_told_as_such() -> None:
    _, read = sample("water-analysis-scan")
    assert (read.kind, read.tables) == ("scan", ())
    assert read.unread.startswith("is a picture without readable text")


@needs_img2table
@pytest.mark.corpus
@pytest.mark.parametrize("name", ["rotate_90.pdf", "rotate_180.pdf", "rotate_270.pdf", "cropbox_and_rotate90.pdf"])
def test_a_turned_page_has_the_same_table_as_others(corpus_file: Callable[[str], Path], name: str) -> None:
    turned = read_tables(corpus_file(f"corpora/hazards/{name}"), 1, WITHOUT_MODELS)
    other = read_tables(corpus_file("corpora/hazards/rotate_minus90.pdf"), 1, WITHOUT_MODELS)
    assert [texts(entry.table)[-1] for entry in turned.tables] == [texts(entry.table)[-1] for entry in other.tables]
    (entry,) = turned.tables
    there = {word.text: word for word in words(corpus_file(f"corpora/hazards/{name}"), 1)}
    on_words = [
        abs(cell.box.x0 - word.x0) < 1e-5 and abs(cell.box.y1 - word.y1) < 1e-5
        for cell in entry.table.cells
        if cell.box and (word := there.get(cell.text))
    ]
    assert len(on_words) > 10
    assert sum(on_words) > 0.8 * len(on_words)  # of equal texts one word is looked at


@needs_img2table
@pytest.mark.corpus
def test_text_that_cannot_be_seen_is_left_out_and_told(corpus_file: Callable[[str], Path]) -> None:
    read = read_tables(corpus_file("corpora/hazards/hidden_layer_text.pdf"), 1, WITHOUT_MODELS)
    assert any("cannot be seen on the page and were left out" in note for note in read.notes)


@pytest.mark.corpus
def test_the_letters_of_a_ligature_are_not_one_letter_drawn_twice(corpus_file: Callable[[str], Path]) -> None:
    page = words(corpus_file("corpora/synthetic-multilang/syn_en_1.pdf"), 1)
    told = {word.text for word in page}
    assert "Office" in told
    assert "Ofice" not in told


@needs_img2table
@pytest.mark.corpus
def test_values_of_form_fields_are_read(corpus_file: Callable[[str], Path]) -> None:
    read = read_tables(corpus_file("corpora/hazards/form_fields_acroform.pdf"), 1, WITHOUT_MODELS)
    assert any("values were taken from form fields" in note for note in read.notes)


def test_words_without_rules_fall_into_rows_and_columns() -> None:
    page = placed(
        (0, [(0, 20, "item"), (50, 75, "2023"), (100, 125, "2024")]),
        (15, [(0, 40, "bolts"), (50, 75, "1.20"), (100, 125, "1.30")]),
        (30, [(0, 20, "nuts"), (55, 75, "0.4"), (105, 125, "0.5")]),
    )
    grid = word_grid(range(len(page)), page)
    assert (grid.n_rows, grid.n_cols) == (3, 3)
    assert {(cell.row, cell.col): cell_text(cell, page) for cell in grid.cells}[2, 1] == "0.4"


def test_a_heading_over_two_columns_spans_both() -> None:
    body = [(float(y), [(0, 20, "x"), (50, 75, "1"), (100, 125, "2")]) for y in range(15, 165, 15)]
    page = placed((0, [(0, 20, "item"), (55, 85, "both"), (88, 120, "years")]), *body)
    grid = word_grid(range(len(page)), page)
    (heading,) = (cell for cell in grid.cells if cell_text(cell, page) == "both years")
    assert (heading.row, heading.col, heading.col_span) == (0, 1, 2)


def test_a_text_that_is_wrapped_stays_in_its_row() -> None:
    page = placed(
        (0, [(0, 20, "A1"), (50, 90, "steel"), (150, 175, "1.20")]),
        (11, [(50, 90, "galvanised")]),
        (30, [(0, 20, "A2"), (50, 90, "brass"), (150, 175, "2.20")]),
    )
    grid = word_grid(range(len(page)), page)
    assert grid.n_rows == 2
    assert "steel galvanised" in {cell_text(cell, page) for cell in grid.cells}


def test_a_caption_above_and_a_note_below_are_no_rows() -> None:
    body = [(float(y), [(0, 20, "x"), (50, 75, "1"), (100, 125, "2")]) for y in range(30, 90, 15)]
    page = placed(
        (0, [(0, 120, "This is what the table shows")]),
        (12, [(0, 40, "in short.")]),
        *body,
        (100, [(0, 80, "Source: survey")]),
    )
    kept, left_out = without_captions(range(len(page)), page)
    assert len(kept) == 12
    assert left_out == ("This is what the table shows", "in short.", "Source: survey")


def test_a_heading_over_the_last_columns_is_no_caption() -> None:
    body = [(float(y), [(0, 20, "x"), (50, 75, "1"), (100, 125, "2")]) for y in range(15, 90, 15)]
    page = placed((0, [(60, 115, "both years")]), *body, (90, [(0, 20, "all")]))
    assert without_captions(range(len(page)), page) == (tuple(range(len(page))), ())


def test_words_outside_all_cells_go_to_the_nearest_one_and_count_against_the_coverage() -> None:
    page = placed((0, [(0, 20, "in"), (31, 40, "near")]), (500, [(0, 20, "far")]))
    grid = Grid(1, 2, (GridCell(0, 0, sides=(0, 0, 10, 10)), GridCell(0, 1, sides=(22, 0, 30, 10))), "test")
    filled, coverage = with_words(grid, range(3), page)
    assert [cell.words for cell in filled.cells] == [(0,), (1,)]
    assert coverage == pytest.approx(1 / 3)


def test_empty_rows_and_columns_go_and_spans_over_them_get_shorter() -> None:
    cells = (
        GridCell(0, 0, 2, 1, words=(0,)),
        GridCell(0, 1, 1, 2, words=(1,)),
        GridCell(1, 1),
        GridCell(1, 2),
        GridCell(2, 0, words=(2,)),
        GridCell(2, 1, words=(3,)),
        GridCell(2, 2),
    )
    kept = without_empty_lines(Grid(3, 3, cells, "test"))
    assert (kept.n_rows, kept.n_cols) == (2, 2)
    assert {(cell.row, cell.col, cell.row_span, cell.col_span) for cell in kept.cells} == {
        (0, 0, 1, 1),
        (0, 1, 1, 1),
        (1, 0, 1, 1),
        (1, 1, 1, 1),
    }


def test_two_builders_agree_on_a_cell_with_the_same_words_and_on_its_place_with_the_same_neighbours() -> None:
    ours = Grid(1, 3, (GridCell(0, 0, words=(0,)), GridCell(0, 1, words=(1,)), GridCell(0, 2, words=(2, 3))), "a")
    theirs = Grid(1, 3, (GridCell(0, 0, words=(0,)), GridCell(0, 1, words=(1,)), GridCell(0, 2, words=(2,))), "b")
    assert list(agreements(ours, theirs).values()) == [(True, True), (True, False), (False, False)]


@needs_img2table
def test_cells_of_an_invoice_have_confidence_in_text_and_in_structure_apart() -> None:
    _, read = sample("invoice-laboratory")
    kinds = {
        tuple(confidence.kind for confidence in cell.confidence)
        for entry in read.tables
        for cell in entry.table.cells
        if cell.text
    }
    values = [confidence.value for cell in _cells(read.tables) for confidence in cell.confidence]
    assert kinds == {("text", "structure")}
    assert all(value is None or value < 1 for value in values)


def _cells(tables: tuple[ReadTable, ...]) -> list[Cell]:
    return [cell for entry in tables for cell in entry.table.cells]


@pytest.mark.skipif(bool(models.missing()), reason=models.missing())
def test_with_the_models_three_builders_vote_on_each_cell() -> None:
    (file,) = (SAMPLES / "certificate-steel").glob("*.pdf")
    read = read_tables(file, 1, {"models": True, "img2table": True})
    sources = {confidence.source[:6] for cell in _cells(read.tables) for confidence in cell.confidence}
    assert "2 of 2" in sources
    assert all(entry.confidence[0].kind == "detection" for entry in read.tables if entry.confidence)


def test_grids_that_are_alike_bear_each_other_out() -> None:
    apart = Grid(2, 1, (GridCell(0, 0, words=(0,)), GridCell(1, 0, words=(1,))), "words")
    same = Grid(2, 1, apart.cells, "model")
    ruled = Grid(1, 1, (GridCell(0, 0, words=(0, 1)),), "rules")
    assert likeness([ruled, apart, same]) == [0.0, 1.0, 1.0]
    assert likeness([ruled]) == [0.0]
