"""Threads, history, revert and guidelines: their pure modules, run in the browser that will run them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

Run = Callable[..., Any]

# A log is built by real edits, so that no test can ask for a history that could not have come about.
LOG = """
const { sheetFromJson, apply, at, shortCell, inverse, touching } = await import("/sheet.js");
const { deleteLines, duplicateLines, insertLines, moveLines } = await import("/lines.js");
const actions = await import("/actions.js");
const insertLine = (sheet, axis, start, id) => insertLines(sheet, axis, start, [id]);
const { planRevert } = await import("/revert.js");
const { trailOf, touches, structureOf, placesOf } = await import("/trail.js");
const { stacks, editedKeys } = await import("/history.js");
const threads = await import("/threads.js");
const base = (rows, spans = {}) => sheetFromJson({ n_rows: rows.length, n_cols: rows[0].length, marks: [],
  row_ids: rows.map((_, row) => `b${row}`), col_ids: rows[0].map((_, col) => `b${col}`),
  cells: rows.flatMap((texts, row) => texts.flatMap((text, col) =>
    text === null ? [] : [{ row, col, text, ...(spans[`${row},${col}`] ?? {}) }])) });
const log = (start) => ({ sheet: start, history: [],
  make(action, { person = "ann", undoes = null, source } = {}) {
    const edit = action.edit ?? action;
    if (action.refused) throw new Error(action.refused);
    const id = `e${this.history.length + 1}`;
    this.sheet = apply(this.sheet, edit);
    const at = "2026-11-30T09:00:00Z";
    this.history = [...this.history, { id, edit, undoes, source: source ?? action.source ?? "key", person, at }];
    return id;
  },
  type(row, col, text, by) { return this.make(actions.setTexts(this.sheet, [{ row, col, text }], "typed"), by); },
  plan(id) { return planRevert(this.sheet, this.history, id); },
  texts() { return Array.from({ length: this.sheet.n_rows }, (_, row) =>
    Array.from({ length: this.sheet.n_cols }, (_, col) => at(this.sheet, row, col)?.text ?? null)); } });
const rect = (top, left, bottom = top, right = left) => ({ top, left, bottom, right });
"""
ROWS = [["item", "price"], ["bolt", "1"], ["nut", "2"], ["pin", "3"]]


@pytest.fixture(scope="module")
def run(chromium: Browser, modules: str) -> Iterator[Run]:
    with chromium.new_page() as page:
        page.goto(modules)
        yield lambda script, argument=None: page.evaluate("async (argument) => {" + LOG + script + "}", argument)


def test_an_old_edit_is_reverted_at_its_cell_though_rows_were_inserted_above(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const old = one.type(2, 1, "20");
        one.make(insertLine(one.sheet, "row", 1, "new"));
        one.type(4, 0, "pins");
        const plan = one.plan(old);
        one.make(plan.clean, { undoes: old, source: "revert" });
        return [plan.exact, plan.why, one.texts()];""",
        ROWS,
    )
    assert found == [True, "", [["item", "price"], ["", ""], ["bolt", "1"], ["nut", "2"], ["pins", "3"]]]


def test_a_cell_changed_since_is_told_with_who_changed_it_and_never_reverted_silently(run: Run) -> None:
    plan = run(
        """const one = log(base(argument));
        const targets = [{ row: 1, col: 1, text: "10" }, { row: 2, col: 1, text: "20" }];
        const old = one.make(actions.setTexts(one.sheet, targets, "paste"));
        one.type(2, 1, "21", { person: "bob" });
        const plan = one.plan(old);
        return { ...plan, cells: plan.cells.map((cell) => ({ ...cell, by: cell.by?.person ?? null })) };""",
        ROWS,
    )
    assert plan["exact"] is False
    assert plan["clean"] == {"kind": "set_text", "changes": [{"row": 1, "col": 1, "old": "10", "new": "1"}]}
    assert [(cell["wrote"], cell["now"], cell["then"], cell["by"]) for cell in plan["cells"]] == [
        ("10", "10", "1", None),
        ("20", "21", "2", "bob"),
    ]
    assert [change["new"] for change in plan["anyway"]["changes"]] == ["1", "2"]


def test_one_undo_takes_a_revert_back_and_a_second_the_edit_before_it(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const first = one.type(1, 1, "10");
        const second = one.type(2, 1, "20");
        const revert = one.make(one.plan(first).clean, { undoes: first, source: "revert" });
        const edited = editedKeys(one.sheet, one.history).size;
        const top = stacks(one.history, "ann").undo.at(-1);
        one.make(inverse(top.edit, one.sheet), { undoes: top.id, source: "undo" });
        return [top.id === revert, edited, one.texts()[1][1], stacks(one.history, "ann").undo.at(-1).id === second,
          editedKeys(one.sheet, one.history).size];""",
        ROWS,
    )
    assert found == [True, 1, "10", True, 2]


def test_an_edit_of_someone_else_can_be_reverted(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const theirs = one.type(1, 1, "10", { person: "bob" });
        one.make(one.plan(theirs).clean, { undoes: theirs, source: "revert" });
        return [one.texts()[1][1], stacks(one.history, "ann").undo.length];""",
        ROWS,
    )
    assert found == ["1", 1]


def test_what_was_taken_back_already_is_not_reverted_again(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const old = one.type(1, 1, "10");
        one.make(inverse(one.history[0].edit, one.sheet), { undoes: old, source: "undo" });
        return one.plan(old).why;""",
        ROWS,
    )
    assert found == "This edit was taken back already."


def test_a_cell_that_is_gone_is_left_out_of_the_revert(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const targets = [{ row: 1, col: 1, text: "10" }, { row: 2, col: 1, text: "20" }];
        const old = one.make(actions.setTexts(one.sheet, targets, "paste"));
        const gone = one.type(3, 0, "pins");
        one.make(deleteLines(one.sheet, "row", rect(1, 0)), { person: "bob" });
        one.make(deleteLines(one.sheet, "row", rect(2, 0)));
        const plan = one.plan(old);
        const cells = plan.cells.map(({ gone, by }) => [gone, by?.person ?? null]);
        return [plan.exact, cells, plan.clean.changes, one.plan(gone).why];""",
        ROWS,
    )
    assert found == [
        False,
        [[True, "bob"], [False, None]],
        [{"row": 1, "col": 1, "old": "20", "new": "2"}],
        "The cells of this edit are gone.",
    ]


def test_a_mark_is_reverted_to_the_mark_before(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const cells = [at(one.sheet, 1, 1)];
        one.make(actions.setMark(one.sheet, cells, "unreadable"));
        const confirm = one.make(actions.setMark(one.sheet, cells, "confirmed"));
        const plan = one.plan(confirm);
        one.make(plan.clean);
        return [plan.cells[0].wrote, plan.cells[0].then, one.sheet.marks.get("b1\\nb1")];""",
        ROWS,
    )
    assert found == ["confirmed", "unreadable", "unreadable"]


def test_a_merge_is_reverted_after_rows_above_it_moved(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const merge = one.make(actions.merge(one.sheet, rect(2, 0, 2, 1)));
        one.make(insertLine(one.sheet, "row", 1, "new"));
        const plan = one.plan(merge);
        one.make(plan.clean);
        return [plan.exact, one.texts()[3]];""",
        ROWS,
    )
    assert found == [True, ["nut", "2"]]


def test_a_merge_whose_text_was_changed_since_is_reverted_only_when_asked(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const merge = one.make(actions.merge(one.sheet, rect(2, 0, 2, 1)));
        one.type(2, 0, "nuts", { person: "bob" });
        const plan = one.plan(merge);
        one.make(plan.anyway);
        return [plan.clean, plan.cells.map(({ wrote, now, by }) => [wrote, now, by.person]), one.texts()[2]];""",
        ROWS,
    )
    assert found == [None, [["nut 2", "nuts", "bob"]], ["nut", "2"]]


def test_a_merge_that_was_split_since_is_refused_in_words(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const merge = one.make(actions.merge(one.sheet, rect(2, 0, 2, 1)));
        one.make(actions.split(one.sheet, at(one.sheet, 2, 0)), { person: "bob" });
        one.type(2, 1, "two");
        const { why, by, clean, anyway } = one.plan(merge);
        return [why, clean, anyway];""",
        ROWS,
    )
    assert found == ["Its cells were merged, split or deleted since. Revert that first.", None, None]


def test_an_inserted_row_is_taken_out_again_and_asks_where_it_was_filled_since(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const empty = one.make(insertLine(one.sheet, "row", 2, "n1"));
        const filled = one.make(insertLine(one.sheet, "row", 1, "n2"));
        one.type(1, 0, "washer", { person: "bob" });
        const asked = one.plan(filled);
        one.make(one.plan(empty).clean);
        return [asked.clean, asked.cells.map(({ now, by }) => [now, by.person]), asked.anyway.kind, one.texts()];""",
        ROWS,
    )
    assert found == [None, [["washer", "bob"]], "delete", [ROWS[0], ["washer", ""], *ROWS[1:]]]


def test_a_deleted_row_comes_back_below_the_row_it_stood_under(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        one.make(actions.setMark(one.sheet, [at(one.sheet, 2, 1)], "confirmed"));
        const gone = one.make(deleteLines(one.sheet, "row", rect(2, 0)));
        one.make(insertLine(one.sheet, "row", 1, "new"));
        one.make(insertLine(one.sheet, "col", 2, "wide"));
        one.make(one.plan(gone).clean, { undoes: gone, source: "revert" });
        return [one.texts(), one.sheet.row_ids, one.sheet.marks.get("b2\\nb1"), one.plan(gone).why];""",
        ROWS,
    )
    assert found == [
        [["item", "price", ""], ["", "", ""], ["bolt", "1", ""], ["nut", "2", ""], ["pin", "3", ""]],
        ["b0", "new", "b1", "b2", "b3"],
        "confirmed",
        "This edit was taken back already.",
    ]


@pytest.mark.parametrize("row", [1, 2, 3])
def test_a_deleted_row_grows_a_merged_cell_that_reached_into_it_with_its_text_of_now(run: Run, row: int) -> None:
    found = run(
        """const { rows, row } = argument;
        const one = log(base(rows, { "1,0": { row_span: 3 } }));
        const gone = one.make(deleteLines(one.sheet, "row", rect(row, 1)));
        one.type(1, 0, "parts");
        one.make(insertLine(one.sheet, "row", 0, "top"));
        const plan = one.plan(gone);
        one.make(plan.clean);
        return [at(one.sheet, 2, 0).row_span, one.texts().slice(2)];""",
        {"rows": [["kind", "no"], ["all", "1"], [None, "2"], [None, "3"]], "row": row},
    )
    assert found == [3, [["parts", "1"], ["parts", "2"], ["parts", "3"]]]


def test_a_moved_row_goes_back_below_the_row_it_stood_under_and_asks_where_it_was_moved_again(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const move = one.make(moveLines(one.sheet, "row", rect(1, 0), 2));
        one.make(insertLine(one.sheet, "row", 1, "new"));
        const plan = one.plan(move);
        const back = apply(one.sheet, plan.clean).row_ids;
        one.make(moveLines(one.sheet, "row", rect(4, 0), -1), { person: "bob" });
        const asked = one.plan(move);
        return [plan.exact, back, asked.clean, asked.note, apply(one.sheet, asked.anyway).row_ids];""",
        ROWS,
    )
    home = ["b0", "b1", "new", "b2", "b3"]
    assert found == [True, home, None, "This row was moved again since, by bob.", home]


def test_an_edit_of_several_steps_is_reverted_as_one(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const text = actions.setTexts(one.sheet, [{ row: 1, col: 0, text: "left" }], "paste").edit;
        const several = one.make({ kind: "several", edits: [text, insertLine(one.sheet, "row", 2, "n").edit] });
        one.type(3, 1, "20");
        const exact = one.plan(several);
        const back = apply(one.sheet, exact.clean);
        one.type(2, 0, "right", { person: "bob" });
        const asked = one.plan(several);
        return [exact.exact, back.row_ids, at(back, 1, 0).text, at(back, 2, 1).text, exact.clean.kind,
          asked.clean, asked.cells.map(({ now, by }) => [now, by.person]), trailOf(one.sheet, one.history).length];""",
        ROWS,
    )
    assert found == [True, ["b0", "b1", "b2", "b3"], "bolt", "20", "several", None, [["right", "bob"]], 3]


def test_every_revert_of_every_edit_either_fits_the_table_or_says_why(run: Run) -> None:
    """Random logs; what a plan offers must apply, and an exact revert gives its cells back."""
    faults = run(
        """let seed = 7;
        const random = (below) => ((seed = (seed * 1103515245 + 12345) % 2147483648) >> 8) % below;
        const faults = [];
        let offered = 0;
        for (let round = 0; round < 120; round += 1) {
          const one = log(base(argument));
          for (let step = 0; step < 12; step += 1) {
            const { n_rows, n_cols } = one.sheet;
            const [row, col] = [random(n_rows), random(n_cols)];
            const box = rect(row, col, Math.min(n_rows - 1, row + random(2)), Math.min(n_cols - 1, col + random(2)));
            const kinds = [
              () => actions.setTexts(one.sheet, [{ row, col, text: `t${random(4)}` }], "typed"),
              () => actions.setMark(one.sheet, one.sheet.cells.slice(0, 1 + random(3)), "confirmed"),
              () => actions.merge(one.sheet, box), () => actions.split(one.sheet, at(one.sheet, row, col)),
              () => insertLine(one.sheet, random(2) ? "row" : "col", random(2), `n${round}.${step}`),
              () => deleteLines(one.sheet, "row", rect(row, col)),
              () => deleteLines(one.sheet, "col", rect(row, col)),
              () => moveLines(one.sheet, random(2) ? "row" : "col", rect(row, col), random(2) || -1),
              () => duplicateLines(one.sheet, random(2) ? "row" : "col", rect(row, col), () => `d${round}.${step}`),
              () => ({ source: "replace", edit: { kind: "several", edits: [
                actions.setTexts(one.sheet, [{ row, col, text: `s${random(3)}` }], "typed").edit,
                insertLine(one.sheet, "row", random(2), `m${round}.${step}`).edit].filter(Boolean) } }),
            ];
            try { one.make(kinds[random(kinds.length)]()); } catch { continue; }
          }
          trailOf(one.sheet, one.history);
          for (const { id } of one.history) {
            const plan = one.plan(id);
            if (!plan.why && !plan.clean && !plan.anyway) faults.push([round, id, "nothing offered, nothing said"]);
            for (const edit of [plan.clean, plan.anyway].filter(Boolean)) {
              offered += 1;
              const back = inverse(edit, apply(one.sheet, edit));
              const round_trip = JSON.stringify(apply(apply(one.sheet, edit), back).cells);
              if (round_trip !== JSON.stringify(one.sheet.cells)) faults.push([round, id, "undo of the revert"]);
            }
          }
        }
        return { faults, offered };""",
        ROWS,
    )
    assert faults["faults"] == []
    assert faults["offered"] > 300


def test_the_trail_names_cells_by_their_lasting_ids(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        one.type(1, 1, "10");
        one.make(insertLine(one.sheet, "row", 1, "new"));
        one.make(actions.merge(one.sheet, rect(2, 0, 2, 1)));
        one.make(deleteLines(one.sheet, "row", rect(3, 0)));
        const trail = trailOf(one.sheet, one.history);
        const places = placesOf(one.sheet, 2, 0);
        return [trail.map((entry) => [structureOf(entry), touches(entry, places)]), trail[0].cells];""",
        ROWS,
    )
    assert found == [
        [["", True], ["1 row inserted", False], ["2 cells merged", True], ["1 row deleted", False]],
        [{"row": "b1", "col": "b1", "before": "1", "after": "10"}],
    ]


def test_a_thread_moves_with_its_row_is_kept_when_the_row_goes_and_waits_when_not_sent(run: Run) -> None:
    found = run(
        """const one = log(base(argument));
        const nowhere = { row: null, col: null, edit: null };
        const said = (id, more) => ({ id, thread: id, kind: "comment", text: "?", at: "", ...nowhere, ...more });
        const all = threads.withWaiting([], [
          said("t1", { row: "b2", col: "b1" }), said("t2", {}), said("t3", { row: "b1", col: "b0" }),
          said("r3", { thread: "t3", kind: "resolve" }), said("w", { kind: "reason", edit: "e1" })], "ann");
        one.make(insertLine(one.sheet, "row", 1, "new"));
        const moved = threads.spotOf(one.sheet, all[0]);
        const counts = [...threads.openAt(one.sheet, all)];
        one.make(deleteLines(one.sheet, "row", rect(3, 0)));
        const list = threads.listed(one.sheet, all, { row: 0, col: 0 });
        return [moved, counts, list.map(({ thread, gone }) => [thread.id, thread.open, gone]),
          all[0].comments[0].waiting, [...threads.reasonsOf(all).keys()]];""",
        ROWS,
    )
    assert found == [
        {"row": 3, "col": 1},
        [["b2\nb1", 1]],
        [["t1", True, True], ["t2", True, False], ["t3", False, False]],
        True,
        ["e1"],
    ]


RENDER = """const { rendered } = await import("/markdown.js");
const box = document.createElement("div");
box.append(...rendered(argument));
return box.innerHTML;"""


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Title\n\nA **b** *i* `c <x>`", "<h3>Title</h3><p>A <b>b</b> <i>i</i> <code>c &lt;x&gt;</code></p>"),
        ("- one\n- two\n  - deep", '<ul><li>one</li><li>two</li><li class="deeper">deep</li></ul>'),
        ("1. one\n2. two", "<ol><li>one</li><li>two</li></ol>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("![a scan](https://x.example/t.png)", "<p>a scan</p>"),
        ("[here](javascript:alert)", "<p>here</p>"),
        (
            "[here](https://x.example)",
            '<p><a href="https://x.example" target="_blank" rel="noopener noreferrer nofollow">here</a></p>',
        ),
        ("```\n**raw**\n```", "<pre><code>**raw**</code></pre>"),
        ("| a |\n|---|\n| 1 |", "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>"),
        ("2 * 3 * 4 and snake_case_name", "<p>2 * 3 * 4 and snake_case_name</p>"),
        ("", ""),
    ],
)
def test_guidelines_show_a_safe_subset_of_markdown(run: Run, text: str, html: str) -> None:
    assert run(RENDER, text).replace(' dir="auto"', "") == html


def test_markdown_made_to_be_slow_is_shown_all_the_same(run: Run) -> None:
    assert len(run(RENDER, "*a" * 25_000)) > 25_000
    assert len(run(RENDER, "`*_[![" * 800)) > 2_000
