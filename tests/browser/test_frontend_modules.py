"""The pure modules of the review component, run in the browser that will run them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

Run = Callable[..., Any]

BOARD = """
const { sheetFromJson, cell } = await import("/sheet.js");
const { boardOf, shifted } = await import("/board.js");
const moves = await import("/moves.js");
const sheetOf = (rows, spans = {}) => {
  const cells = rows.flatMap((texts, row) => texts.flatMap((text, col) =>
    text === null ? [] : [{ row, col, text, ...(spans[`${row},${col}`] ?? {}) }]));
  const ids = (name, count) => Array.from({ length: count }, (_, index) => `${name}${index}`);
  const [n_rows, n_cols] = [rows.length, rows[0].length];
  return sheetFromJson({ n_rows, n_cols, cells, row_ids: ids("b", n_rows), col_ids: ids("b", n_cols), marks: [] });
};
const boardFor = (sheet, first, rows, more = {}) => boardOf({
  table: { first, columns: [], doubts: [], findings: [],
    aligned: { rows, cols: Array.from({ length: sheet.n_cols }, (_, col) => ({ gold: col, first: col })) }, ...more },
  sheet, mode: "aligned", edited: new Set(), seen: new Set() });
const gold = (row, col) => ({ row, first: null, col });
"""


@pytest.fixture(scope="module")
def run(chromium: Browser, modules: str) -> Iterator[Run]:
    with chromium.new_page() as page:
        page.goto(modules)
        yield lambda script, argument=None: page.evaluate("async (argument) => {" + script + "}", argument)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a\tb\nc\td\n", [["a", "b"], ["c", "d"]]),
        ("23,4\r\n0012\r\n", [["23,4"], ["0012"]]),
        ('"two\nlines"\tnext', [["two\nlines", "next"]]),
        ('"say ""yes"""\t5" pipe', [['say "yes"', '5" pipe']]),
        ('"open', [['"open']]),
        ("\t\n\t", [["", ""], ["", ""]]),
        ("", [[""]]),
    ],
)
def test_a_pasted_block_is_read_as_text(run: Run, text: str, rows: list[list[str]]) -> None:
    assert run('return (await import("/tsv.js")).readTsv(argument)', text) == rows


def test_a_copied_block_reads_back(run: Run) -> None:
    rows = [["a", '"b"', "c\td"], ["line\nbreak", "", "é"]]
    script = 'const { readTsv, writeTsv } = await import("/tsv.js"); return readTsv(writeTsv(argument))'
    assert run(script, rows) == rows


def test_the_cursor_walks_through_merged_cells_in_the_row_in_which_it_came(run: Run) -> None:
    script = (
        BOARD
        + """
    const sheet = sheetOf([["tall", "a", "wide", null], [null, "b", "c", "d"], ["e", "f", "g", "h"]],
      { "0,0": { row_span: 2 }, "0,2": { col_span: 2 } });
    const board = boardFor(sheet, null, []);
    const path = (from, ...steps) => steps.reduce((cursor, [down, right]) =>
      moves.step(board, cursor, down, right), from);
    const name = (cursor) => moves.cellUnder(board, cursor).text;
    return [
      name(path(gold(1, 1), [0, -1])), name(path(gold(1, 1), [0, -1], [0, 1])),
      name(path(gold(0, 1), [0, 1])), name(path(gold(0, 1), [0, 1], [1, 0])), name(path(gold(1, 3), [-1, 0], [1, 0])),
      name(path(gold(0, 0), [1, 0])), name(path(gold(0, 2), [0, 1])), name(moves.stepWrapping(board, gold(0, 3), 1)),
      moves.stepWrapping(board, gold(2, 3), 1),
      moves.rectBetween(sheet, gold(1, 0), gold(1, 2)),
      moves.textsIn(sheet, moves.rectBetween(sheet, gold(0, 2), gold(1, 3))),
    ];
    """
    )
    assert run(script) == [
        *("tall", "b", "wide", "c", "d", "e", "wide", "tall"),
        None,
        {"top": 0, "left": 0, "bottom": 1, "right": 3},
        [["wide", ""], ["c", "d"]],
    ]


def test_an_extra_first_row_waits_for_the_end_of_a_merged_cell(run: Run) -> None:
    script = (
        BOARD
        + """
    const sheet = sheetOf([["tall", "a"], [null, "b"], ["c", "d"]], { "0,0": { row_span: 2 } });
    const first = { n_rows: 4, n_cols: 2, badges: [], cells: [["tall", "a"], ["x", "y"], ["q", "b"], ["c", "d"]]
      .flatMap((texts, row) => texts.map((text, col) => cell({ row, col, text }))) };
    const rows = [{ gold: 0, first: 0, kind: "matched" }, { gold: null, first: 1, kind: "extra" },
      { gold: 1, first: 2, kind: "matched" }, { gold: 2, first: 3, kind: "matched" }];
    return boardFor(sheet, first, rows).lines.map((line) => [line.gold, line.first]);
    """
    )
    assert run(script) == [[0, 0], [1, 2], [None, 1], [2, 3]]


def test_the_alignment_keeps_its_places_until_the_server_answers(run: Run) -> None:
    script = (
        BOARD
        + """
    const table = { columns: [], doubts: [{ row: 2, col: 0 }], findings: [{ row: null, col: 0 }, { row: 1, col: 0 }],
      aligned: { rows: [{ gold: 0, first: 0, kind: "header" }, { gold: 1, first: 1, kind: "matched" },
        { gold: 2, first: null, kind: "missed" }], cols: [] } };
    const lines = ({ aligned }) => aligned.rows.map(({ gold, first, kind }) => [gold, first, kind]);
    const grown = shifted(table, { kind: "insert", axis: "row", at: 1, ids: ["n"], cells: [] });
    const shrunk = shifted(table, { kind: "delete", axis: "row", at: 1, ids: ["b1"], cells: [] });
    return [lines(grown), grown.doubts[0].row, lines(shrunk), shrunk.doubts[0].row, shrunk.findings.length];
    """
    )
    assert run(script) == [
        [[0, 0, "header"], [1, None, "missed"], [2, 1, "matched"], [3, None, "missed"]],
        3,
        [[0, 0, "header"], [None, 1, "extra"], [1, None, "missed"]],
        1,
        1,
    ]


def test_undo_and_redo_are_found_again_in_the_stored_history(run: Run) -> None:
    script = """
    const { stacks, editedKeys } = await import("/history.js");
    const { sheetFromJson } = await import("/sheet.js");
    const sheet = sheetFromJson({ n_rows: 1, n_cols: 1, cells: [{ row: 0, col: 0, text: "a" }], row_ids: ["b0"],
      col_ids: ["b0"], marks: [] });
    const set = (old, next) => ({ kind: "set_text", changes: [{ row: 0, col: 0, old, new: next }] });
    const entry = (id, undoes = null, person = "ann") => ({ id, undoes, person, edit: set("a", "b") });
    const ids = (history) => {
      const { undo, redo } = stacks(history, "ann");
      return [undo.map(({ id }) => id), redo.map(({ id }) => id), [...editedKeys(sheet, history)].length];
    };
    return [
      ids([entry("1"), entry("2")]),
      ids([entry("1"), entry("2"), entry("3", "2"), entry("4", "1")]),
      ids([entry("1"), entry("2", "1"), entry("3", "2")]),
      ids([entry("1"), entry("2", "1"), entry("3")]),
      ids([entry("1"), entry("2", null, "bob"), entry("3")]),
    ];
    """
    assert run(script) == [
        [["1", "2"], [], 1],
        [[], ["3", "4"], 0],
        [["3"], [], 1],
        [["3"], [], 1],
        [["3"], [], 1],
    ]


def test_a_refused_edit_finds_its_cell_again_after_rows_moved(run: Run) -> None:
    script = """
    const { remade, whereOf } = await import("/history.js");
    const { apply, sheetFromJson } = await import("/sheet.js");
    const b = { row: 1, col: 0, text: "b" };
    const sheet = sheetFromJson({ n_rows: 2, n_cols: 1, cells: [{ row: 0, col: 0, text: "a" }, b],
      row_ids: ["b0", "b1"], col_ids: ["b0"], marks: [] });
    const edit = { kind: "set_text", changes: [{ row: 1, col: 0, old: "b", new: "mine" }] };
    const where = whereOf(sheet, edit);
    const line = { axis: "row", at: 0, ids: ["n"], cells: [{ row: 0, col: 0, text: "new" }] };
    let moved = apply(sheet, { kind: "insert", ...line });
    moved = apply(moved, { kind: "set_text", changes: [{ row: 2, col: 0, old: "b", new: "theirs" }] });
    const gone = apply(sheet, { kind: "delete", axis: "row", at: 1, ids: ["b1"], cells: [b] });
    return [remade(moved, edit, where), remade(gone, edit, where)];
    """
    assert run(script) == [
        {"kind": "set_text", "changes": [{"row": 2, "col": 0, "old": "theirs", "new": "mine"}]},
        None,
    ]


def test_dragging_takes_whole_words_in_reading_order(run: Run) -> None:
    words = [["Total", 0.1, 0.1, 0.2, 0.12], ["1,284.50", 0.22, 0.1, 0.32, 0.12], ["EUR", 0.34, 0.1, 0.4, 0.12]]
    script = """
    const { wordsIn, textOf, wordAt } = await import("/words.js");
    const taken = (from, to) => textOf(wordsIn(argument, from, to));
    return [taken([0.25, 0.09], [0.41, 0.13]), taken([0.41, 0.13], [0.09, 0.09]), taken([0.1, 0.11], [0.4, 0.111]),
      taken([0.5, 0.5], [0.6, 0.6]), wordAt(argument, [0.35, 0.11])[0]];
    """
    assert run(script, words) == ["1,284.50 EUR", "Total 1,284.50 EUR", "Total 1,284.50 EUR", "", "EUR"]


def test_a_cell_without_a_box_is_guessed_by_its_text_nearest_to_its_row(run: Run) -> None:
    words = [
        ["12", 0.1, 0.1, 0.2, 0.12],
        ["New", 0.1, 0.5, 0.2, 0.52],
        ["York", 0.2, 0.5, 0.3, 0.52],
        ["12", 0.4, 0.5, 0.5, 0.52],
    ]
    script = """
    const { findText } = await import("/words.js");
    return [findText(1, argument, "12", 0.5), findText(1, argument, "12"), findText(1, argument, "new york"),
      findText(1, argument, "Paris"), findText(1, argument, "")];
    """
    assert run(script, words) == [
        [1, 0.4, 0.5, 0.5, 0.52],
        [1, 0.1, 0.1, 0.2, 0.12],
        [1, 0.1, 0.5, 0.3, 0.52],
        None,
        None,
    ]


def test_a_place_is_seen_turned_and_found_again(run: Run) -> None:
    script = """
    const { turnedPoint, turnedBox, unturnedPoint, unturnedWay } = await import("/turning.js");
    return [0, 1, 2, 3].map((turn) => ({
      point: turnedPoint([0.25, 0.125], turn),
      back: unturnedPoint(turnedPoint([0.25, 0.125], turn), turn),
      box: turnedBox([7, 0, 0, 0.5, 0.25], turn),
      right: unturnedWay([1, 0], turn),
    }));
    """
    found = run(script)
    assert [one["back"] for one in found] == [[0.25, 0.125]] * 4
    assert [one["point"] for one in found] == [[0.25, 0.125], [0.875, 0.25], [0.75, 0.875], [0.125, 0.75]]
    assert [one["box"] for one in found] == [
        [7, 0, 0, 0.5, 0.25],
        [7, 0.75, 0, 1, 0.5],
        [7, 0.5, 0.75, 1, 1],
        [7, 0, 0.5, 0.25, 1],
    ]
    assert [one["right"] for one in found] == [[1, 0], [0, -1], [-1, 0], [0, 1]]


def test_tiles_cover_the_part_that_is_looked_at(run: Run) -> None:
    script = """
    const { sharpnessFor, tilesOver } = await import("/tiles.js");
    const needs = [[100, 150, 576], [180, 150, 576], [300, 150, 576], [700, 150, 576], [200, 20, 72]];
    return {
      needs: needs.map((one) => sharpnessFor(...one)),
      tiles: tilesOver({ width: 600, height: 800 }, 288, [0.4, 0, 0.5, 0.33]),
    };
    """
    found = run(script)
    assert found["needs"] == [None, 288, 288, 576, 72]
    places = [(tile["col"], tile["row"]) for tile in found["tiles"]]
    assert places == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert found["tiles"][1] == {
        "col": 1,
        "row": 0,
        "left": 1024 / 2400,
        "top": 0,
        "width": 1024 / 2400,
        "height": 0.32,
    }


def test_the_arrow_keys_step_from_word_to_word_as_the_eye_goes(run: Run) -> None:
    words = [
        ["one", 0.1, 0.1, 0.2, 0.12],
        ["two", 0.3, 0.1, 0.4, 0.12],
        ["شيء", 0.8, 0.2, 0.9, 0.22],
        ["آخر", 0.6, 0.2, 0.7, 0.22],
        ["end", 0.1, 0.3, 0.2, 0.32],
    ]
    script = """
    const { stepWord, nearestWord } = await import("/words.js");
    const steps = [
      [0, 1, 0], [1, 1, 0], [1, 0, 1], [2, -1, 0], [3, -1, 0], [4, -1, 0], [0, -1, 0], [4, 0, 1],
    ];
    const taken = steps.map(([from, ...way]) => stepWord(argument, from, way));
    return [taken, nearestWord(argument, [0.36, 0.15]), nearestWord([], [0, 0])];
    """
    assert run(script, words) == [[1, 2, 3, 3, 4, 3, 0, 4], 1, -1]
