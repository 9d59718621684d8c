import assert from "node:assert/strict";
import { test } from "node:test";

import * as actions from "../../review_app/frontend/actions.js";
import { deleteLines, insertLines } from "../../review_app/frontend/lines.js";
import { apply, inverse, sheetToJson } from "../../review_app/frontend/sheet.js";
import { cellsIn, rectBetween } from "../../review_app/frontend/moves.js";
import { gold, randomOf, sheetOf, textsOf } from "./boards.mjs";

const rect = (top, left, bottom, right) => ({ top, left, bottom, right });
const done = (sheet, action) => textsOf(apply(sheet, action.edit));

test("one pasted value fills the selection and a block starts at its corner", () => {
  const sheet = sheetOf([["a", "b"], ["c", "d"]]);
  assert.deepEqual(done(sheet, actions.paste(sheet, rect(0, 0, 1, 0), [["1.234,56"]])), [["1.234,56", "b"], ["1.234,56", "d"]]);
  assert.deepEqual(done(sheet, actions.paste(sheet, rect(0, 0, 0, 0), [["1", "2"], ["3", "4"]])), [["1", "2"], ["3", "4"]]);
});

test("what a pasted block has no cell for is counted and told", () => {
  const sheet = sheetOf([["a", "b"]]);
  const pasted = actions.paste(sheet, rect(0, 1, 0, 1), [["1", "2"], ["3", ""]]);
  assert.match(pasted.note, /^2 of the pasted values/);
  assert.deepEqual(done(sheet, pasted), [["a", "1"]]);
});

test("a fill copies the first row down, and a single cell takes from above", () => {
  const sheet = sheetOf([["a", "b"], ["", ""], ["", ""]]);
  assert.deepEqual(done(sheet, actions.fill(sheet, rect(0, 0, 2, 1), "row")), [["a", "b"], ["a", "b"], ["a", "b"]]);
  assert.deepEqual(done(sheet, actions.fill(sheet, rect(1, 1, 1, 1), "row"))[1], ["", "b"]);
  assert.ok(actions.fill(sheet, rect(0, 0, 0, 0), "row").refused);
});

test("a merge joins texts and boxes of one page, and a split leaves the text in the first cell", () => {
  const box = (page, x) => ({ box: [page, x, 0.1, x + 0.1, 0.2] });
  const sheet = sheetOf([["a", "", "c"]], { "0,0": box(1, 0.1), "0,2": box(1, 0.5) });
  const merged = apply(sheet, actions.merge(sheet, rect(0, 0, 0, 2)).edit);
  const [one] = merged.cells;
  assert.deepEqual([one.text, one.col_span, one.box], ["a c", 3, [1, 0.1, 0.1, 0.6, 0.2]]);
  assert.deepEqual(done(merged, actions.split(merged, one)), [["a c", "", ""]]);
});

test("a mark is set on all cells, and taken back where all have it", () => {
  const sheet = sheetOf([["a", "b"]]);
  const cells = cellsIn(sheet, rect(0, 0, 0, 1));
  const marked = apply(sheet, actions.setMark(sheet, cells, "confirmed").edit);
  assert.equal(marked.marks.size, 2);
  assert.equal(apply(marked, actions.setMark(marked, cells, "confirmed").edit).marks.size, 0);
});

test("whatever a person does is taken back whole by its inverse, with spans of 12 columns too", () => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const random = randomOf(seed);
    let sheet = sheetOf(Array.from({ length: 5 }, (_, row) => Array.from({ length: 14 }, (_, col) => `${row}.${col}`)));
    for (let turn = 0; turn < 12; turn += 1) {
      const spot = () => gold(random(sheet.n_rows), random(sheet.n_cols));
      const area = rectBetween(sheet, spot(), spot());
      const line = random(sheet.n_rows + 1);
      const action = [
        () => actions.merge(sheet, area),
        () => actions.merge(sheet, rectBetween(sheet, gold(0, 0), gold(0, Math.min(11, sheet.n_cols - 1)))),
        () => actions.split(sheet, cellsIn(sheet, area)[0]),
        () => actions.clear(sheet, area),
        () => actions.fill(sheet, area, random(2) ? "row" : "col"),
        () => actions.paste(sheet, area, [["x", "y"], ["z", ""]]),
        () => actions.setMark(sheet, cellsIn(sheet, area), "unreadable"),
        () => insertLines(sheet, "row", line, [`n${seed}.${turn}`]),
        () => deleteLines(sheet, random(2) ? "row" : "col", area),
      ][random(9)]();
      if (action.refused || !action.edit) continue;
      const after = apply(sheet, action.edit);
      assert.deepEqual(sheetToJson(apply(after, inverse(action.edit, after))), sheetToJson(sheet), `seed ${seed}, turn ${turn}`);
      sheet = after;
    }
  }
});
