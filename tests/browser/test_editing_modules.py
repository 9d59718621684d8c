"""The pure modules of editing, run in the browser that will run them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

Run = Callable[..., Any]

SHEET = """
const { apply, at, inverse, sheetFromJson, sheetToJson, headerRows } = await import("/sheet.js");
const sheetOf = (rows, more = {}) => {
  const cells = rows.flatMap((texts, row) => texts.flatMap((text, col) =>
    text === null ? [] : [{ row, col, text, ...(more[`${row},${col}`] ?? {}) }]));
  const ids = (name, count) => Array.from({ length: count }, (_, index) => `${name}${index}`);
  const [n_rows, n_cols] = [rows.length, rows[0].length];
  return sheetFromJson({ n_rows, n_cols, cells, row_ids: ids("b", n_rows), col_ids: ids("b", n_cols), marks: [] });
};
const textsOf = (sheet) => Array.from({ length: sheet.n_rows }, (_, row) =>
  Array.from({ length: sheet.n_cols }, (_, col) => at(sheet, row, col)?.text ?? null));
const made = (sheet, action) => {
  if (action.refused) return action.refused;
  const after = apply(sheet, action.edit);
  const back = apply(after, inverse(action.edit, after));
  if (JSON.stringify(sheetToJson(back)) !== JSON.stringify(sheetToJson(sheet))) throw new Error("not undone");
  return after;
};
let count = 0;
const newId = () => `n${count++}`;
"""


@pytest.fixture(scope="module")
def run(chromium: Browser, modules: str) -> Iterator[Run]:
    with chromium.new_page() as page:
        page.goto(modules)
        yield lambda script, argument=None: page.evaluate("async (argument) => {" + script + "}", argument)


KIN = """
const { kinOf } = await import("/kin.js");
const [old, fresh, others, numeric] = argument;
const cells = [{ row: 0, col: 0, text: fresh, numeric, settled: true },
  ...others.map((text, index) => ({ row: index + 1, col: 0, text, numeric, settled: false }))];
const kin = kinOf({ row: 0, col: 0, old, new: fresh, numeric }, cells);
return kin && [kin.pattern, Object.fromEntries(kin.cells.map((one) => [one.old, one.new]))];
"""


@pytest.mark.parametrize(
    ("old", "new", "others", "pattern", "fits"),
    [
        ("(1,234)", "-1,234", ["(5)", "(see 4)", "7"], "negative", {"(5)": "-5"}),
        ("1,234-", "-1,234", ["5-", "-5"], "negative", {"5-": "-5"}),
        ("12*", "12", ["13*", "14†", "15"], "footnote", {"13*": "13", "14†": "14"}),
        ("12a", "12", ["13b", "x"], "footnote", {"13b": "13"}),
        ("3,50", "3.50", ["1.234,00", "4.20", "7"], "decimal", {"1.234,00": "1,234.00"}),
        ("1,234", "1234", ["5,678,901", "1,2"], "thousands", {"5,678,901": "5678901"}),
        ("1 234", "1,234", ["5 678", "2 5"], "thousands", {"5 678": "5,678"}),
        ("1234", "1,234", ["1234567.5", "12"], "thousands", {"1234567.5": "1,234,567.5"}),
        ("1O0", "100", ["2O", "3l", "OO5"], "confusion", {"2O": "20", "OO5": "005"}),
        ("€ 12.00", "12.00", ["€ 3.00", "€"], "currency", {"€ 3.00": "3.00"}),
        ("12 kg", "12", ["4kg", "5 g"], "unit", {"4kg": "4"}),
        ("1.00", "1.10", ["1.00", "2.00"], None, {}),
        ("120", "12", ["130", "140"], None, {}),
    ],
)
def test_the_change_of_a_number_finds_its_kin(
    run: Run, old: str, new: str, others: list[str], pattern: str | None, fits: dict[str, str]
) -> None:
    assert run(KIN, [old, new, others, True]) == (pattern and [pattern, fits])


@pytest.mark.parametrize(
    ("old", "new", "others", "pattern", "fits"),
    [
        ("BF-O2O58", "BF-02058", ["BF-O1111", "FOO-BAR"], "confusion", {"BF-O1111": "BF-01111"}),
        ("03/04/2024", "2024-04-03", ["25/12/2023", "1.2.2023"], "date order", {"25/12/2023": "2023-12-25"}),
        ("03/03/2024", "03/03/2025", ["04/05/2024"], None, {}),
        ("03/03/2024", "2024-03-03", ["04/05/2024"], None, {}),
        ("infor-\nmation", "information", ["docu-\nment", "well-known"], "hyphen", {"docu-\nment": "document"}),
        ("a  b", "a b", ["c  d", "e"], "spaces", {"c  d": "c d"}),
        ("BOLT", "Bolt", ["LONG NUT", "Pin"], "letter case", {"LONG NUT": "Long nut"}),
        ("Bolt", "Bolts", ["Bolt", "Nut"], "same value", {"Bolt": "Bolts"}),
        ("No. 12", "12", ["No. 13", "Note"], "leading text", {"No. 13": "13"}),
        ("Bolt (old)", "Bolt", ["Nut (old)", "old"], "trailing text", {"Nut (old)": "Nut"}),
        ("Bolt", "Screw", ["Bolts"], None, {}),
        ("", "new", ["", "x"], None, {}),
    ],
)
def test_the_change_of_a_text_finds_its_kin(
    run: Run, old: str, new: str, others: list[str], pattern: str | None, fits: dict[str, str]
) -> None:
    assert run(KIN, [old, new, others, False]) == (pattern and [pattern, fits])


def test_kin_of_the_same_column_come_first_and_settled_cells_are_left_alone(run: Run) -> None:
    script = """
    const { kinOf } = await import("/kin.js");
    const one = (row, col, text, numeric = true, settled = false) => ({ row, col, text, numeric, settled });
    const cells = [one(1, 0, "4 kg"), one(1, 1, "5 kg"), one(2, 1, "6 kg", true, true),
      one(3, 1, "7 kg"), one(1, 2, "8 kg", false)];
    return kinOf({ row: 0, col: 1, old: "3 kg", new: "3", numeric: true }, cells).cells.map(({ old }) => old);
    """
    assert run(script) == ["5 kg", "7 kg", "4 kg"]


@pytest.mark.parametrize(
    ("query", "replacement", "new"),
    [
        ({"text": "a.c"}, "x", [None, "x", None]),
        ({"text": "A.C", "exact": True}, "x", [None, None, None]),
        ({"text": "abc", "whole": True}, "$&$1", ["$&$1", None, None]),
        ({"text": r"(\w)b(\w)", "regex": True}, "$2b$1", ["cba", None, "cba cbA"]),
        ({"text": "b", "regex": True}, r"\n", ["a\nc", None, "a\nc A\nc"]),
    ],
)
def test_texts_are_found_and_replaced_as_asked(
    run: Run, query: dict[str, object], replacement: str, new: list[str | None]
) -> None:
    script = """
    const { hitsOf } = await import("/finding.js");
    const [query, replacement] = argument;
    const texts = ["abc", "a.c", "abc Abc"];
    const hits = hitsOf(texts, query, replacement);
    return texts.map((_, index) => hits.find((hit) => hit.index === index)?.new ?? null);
    """
    assert run(script, [query, replacement]) == new


def test_an_expression_that_never_ends_is_ended_and_one_that_cannot_be_read_is_told(run: Run) -> None:
    script = """
    const { createSearch } = await import("/search.js");
    const search = createSearch();
    const find = (text, cell) => search.find([cell], { text, regex: true }, null);
    return [await find("(x+x+)+y", "x".repeat(60)), await find("(", "x"), (await find("x$", "xx")).hits.length];
    """
    endless, unreadable, hits = run(script)
    assert "takes too long" in endless["wrong"]
    assert unreadable["wrong"].startswith("The expression cannot be read: ")
    assert hits == 1


@pytest.mark.parametrize(
    ("way", "old", "new"),
    [
        ("trim", "  a  b ", "a  b"),
        ("collapse", " a\n  b\u00a0c ", "a b c"),
        ("footnotes", "12.5 *", "12.5"),
        ("footnotes", "Nitrate [2]", "Nitrate"),
        ("footnotes", "*", None),
        ("swap", "1.234,56", "1,234.56"),
        ("swap", "e.g. 1.5", None),
        ("dashes", "−12", "-12"),
        ("dashes", "6.5–9.5", "6.5-9.5"),
    ],
)
def test_a_text_is_tidied(run: Run, way: str, old: str, new: str | None) -> None:
    script = 'return (await import("/finding.js")).tidied([argument[1]], argument[0])[0]?.new ?? null'
    assert run(script, [way, old]) == new


def test_a_span_of_twelve_columns_is_set_and_undone_and_never_cuts_another(run: Run) -> None:
    script = (
        SHEET
        + """
    const { setShape } = await import("/shape.js");
    const row = (name) => Array.from({ length: 13 }, (_, col) => `${name}${col}`);
    const sheet = sheetOf([row("h"), row("a"), row("b")], {});
    const here = (top, left) => ({ top, left, bottom: top, right: left });
    const wide = made(sheet, setShape(sheet, here(0, 0), { cols: 12 }));
    const back = made(wide, setShape(wide, here(0, 0), { cols: 2, headerRows: 1 }));
    return [at(wide, 0, 11).col_span, at(wide, 0, 11).text.split(" ").length, at(wide, 0, 12).text,
      at(back, 0, 1).col_span, at(back, 0, 5).text, headerRows(back),
      setShape(wide, here(1, 3), { rows: 3 }).refused, setShape(wide, here(0, 12), { cols: 2 }).refused,
      setShape(made(wide, setShape(wide, here(1, 5), { rows: 2 })), here(1, 4), { cols: 2 }).refused];
    """
    )
    found = run(script)
    assert found[:6] == [12, 12, "h12", 2, "", 1]
    assert found[6] == "Rows: a number from 1 to 2, since the table ends there."
    assert found[7] == "Columns: a number from 1 to 1, since the table ends there."
    assert "would be cut" in found[8]


def test_lines_move_and_are_duplicated_whole_or_not_at_all(run: Run) -> None:
    script = (
        SHEET
        + """
    const { moveLines, duplicateLines } = await import("/lines.js");
    const sheet = sheetOf([["a", "b"], ["c", "d"], [null, "e"], ["f", "g"]], { "1,0": { row_span: 2 } });
    const rows = (top, bottom) => ({ top, bottom, left: 0, right: 1 });
    return [
      textsOf(made(sheet, moveLines(sheet, "row", rows(1, 2), -1))),
      moveLines(sheet, "row", rows(0, 0), 1).refused,
      moveLines(sheet, "row", rows(0, 0), -1).refused,
      textsOf(made(sheet, moveLines(sheet, "col", { left: 1, right: 1 }, -1))),
      textsOf(made(sheet, duplicateLines(sheet, "row", rows(1, 2), newId))),
      duplicateLines(sheet, "row", rows(2, 2), newId).refused,
    ];
    """
    )
    moved, torn, first, columns, doubled, half = run(script)
    assert moved == [["c", "d"], ["c", "e"], ["a", "b"], ["f", "g"]]
    assert "“c” is in the way" in torn
    assert first == "This is the first row already."
    assert columns == [["b", "a"], ["d", "c"], ["e", "c"], ["g", "f"]]
    assert doubled == [["a", "b"], ["c", "d"], ["c", "e"], ["c", "d"], ["c", "e"], ["f", "g"]]
    assert "is in the way" in half


def test_a_larger_block_brings_its_rows_and_columns_in_one_edit(run: Run) -> None:
    script = (
        SHEET
        + """
    const { pasteGrowing, overflow } = await import("/lines.js");
    const sheet = sheetOf([["h", "i"], ["a", "b"]], { "0,0": { header: "column" }, "0,1": { header: "column" } });
    const rect = { top: 1, bottom: 1, left: 1, right: 1 };
    const block = [["1", "2"], ["3", "4"], ["5"]];
    const after = made(sheet, pasteGrowing(sheet, rect, block, newId));
    return [overflow(sheet, rect, block), textsOf(after), after.n_cols, headerRows(after)];
    """
    )
    assert run(script) == [
        {"rows": 2, "cols": 1},
        [["h", "i", ""], ["a", "1", "2"], ["", "3", "4"], ["", "5", ""]],
        3,
        1,
    ]


def test_a_text_is_split_into_cells_or_rows_and_overwrites_nothing(run: Run) -> None:
    script = (
        SHEET
        + """
    const { splitText, joinTexts, partsOf, likelySeparator } = await import("/parting.js");
    const sheet = sheetOf([["1 | 2", "", "x"], ["3", "4", ""]]);
    const parts = partsOf("1 | 2", { separator: likelySeparator("1 | 2") });
    return [
      textsOf(made(sheet, splitText(sheet, { row: 0, col: 0 }, parts, "cells", newId))),
      textsOf(made(sheet, splitText(sheet, { row: 0, col: 0 }, parts, "rows", newId))),
      splitText(sheet, { row: 0, col: 0 }, ["1", "2", "3"], "cells", newId).refused,
      splitText(sheet, { row: 0, col: 2 }, ["1", "2"], "cells", newId).refused,
      textsOf(made(sheet, joinTexts(sheet, [at(sheet, 1, 0)]))),
      partsOf("one two", { caret: 3 }),
    ];
    """
    )
    assert run(script) == [
        [["1", "2", "x"], ["3", "4", ""]],
        [["1", "", "x"], ["2", "", ""], ["3", "4", ""]],
        "The next cell holds “x”. Empty it first, or insert a column.",
        "There are 2 parts, but only 1 cell up to the table's edge. Insert columns first.",
        [["1 | 2", "", "x"], ["3 4", "", ""]],
        ["one", "two"],
    ]


def test_the_stored_history_of_a_moved_row_knows_its_edited_cells_and_marks(run: Run) -> None:
    script = (
        SHEET
        + """
    const { editedKeys, withAllMarks } = await import("/history.js");
    const start = sheetOf([["a"], ["b"], ["c"]]);
    const edits = [
      { kind: "set_text", changes: [{ row: 0, col: 0, old: "a", new: "A" }] },
      { kind: "mark", changes: [{ row: 2, col: 0, old: "", new: "confirmed" }] },
      { kind: "several", edits: [
        { kind: "move", axis: "row", at: 0, ids: ["b0"], to: 2 },
        { kind: "delete", axis: "row", at: 1, ids: ["b2"], cells: [{ row: 1, col: 0, text: "c" }] } ] },
    ];
    const after = edits.reduce(apply, start);
    const history = edits.map((edit, index) => ({ id: `e${index}`, edit, undoes: null }));
    const plain = sheetFromJson(sheetToJson(after));
    return [[...editedKeys(plain, history)], [...withAllMarks(plain, history).marks.keys()]];
    """
    )
    assert run(script) == [["b0\nb0"], ["b2\nb0"]]


def test_moved_rows_keep_their_first_values_until_the_server_answers(run: Run) -> None:
    script = """
    const { shifted } = await import("/board.js");
    const row = (gold, first, kind = "matched") => ({ gold, first, kind });
    const table = { aligned: { rows: [row(0, 0), row(null, 1, "extra"), row(1, 2), row(2, 3)], cols: [] }, columns: [],
      doubts: [{ row: 1, col: 0 }],
      findings: [{ row: null, col: 0, message: "all" }, { row: 2, col: 0, message: "one" }] };
    const after = shifted(table, { kind: "move", axis: "row", at: 1, ids: ["b1"], to: 2 });
    const top = shifted(table, { kind: "move", axis: "row", at: 1, ids: ["b1"], to: 0 });
    return [after.aligned.rows.map(({ gold, first }) => [gold, first]),
      after.doubts[0].row, after.findings.map(({ row }) => row), top.findings.map(({ row }) => row)];
    """
    assert run(script) == [[[0, 0], [None, 1], [1, 3], [2, 2]], 2, [None, 1], [None, 2]]


@pytest.mark.parametrize(
    ("press", "says"),
    [
        ("Mod+W", "belongs to the browser"),
        ("Mod+Shift+N", "belongs to the browser"),
        ("F11", "belongs to the browser"),
        ("Mod+C", "always does"),
        ("A", "types into the cell"),
        ("Shift+A", "types into the cell"),
        ("Alt+A", "is taken: Confirm the cell"),
        ("Alt+7", ""),
        ("F7", ""),
    ],
)
def test_a_key_that_a_command_cannot_have_is_refused_in_words(run: Run, press: str, says: str) -> None:
    script = """
    const { changeKey, resetKeys } = await import("/keymap.js");
    const told = changeKey("order", argument);
    resetKeys();
    return told;
    """
    told = run(script, press)
    assert says in told
    assert bool(told) == bool(says)
