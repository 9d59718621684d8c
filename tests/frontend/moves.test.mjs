import assert from "node:assert/strict";
import { test } from "node:test";

import * as moves from "../../review_app/frontend/moves.js";
import { boardFor, gold, sheetOf } from "./boards.mjs";

const sheet = sheetOf([["tall", "a", "wide", null], [null, "b", "c", "d"], ["e", "f", "g", "h"]],
  { "0,0": { row_span: 2 }, "0,2": { col_span: 2 } });
const board = boardFor(sheet, null, []);
const path = (from, ...steps) => steps.reduce((cursor, [down, right]) => moves.step(board, cursor, down, right), from);
const name = (cursor) => moves.cellUnder(board, cursor).text;

test("the cursor walks through merged cells in the row in which it came", () => {
  assert.equal(name(path(gold(1, 1), [0, -1])), "tall");
  assert.equal(name(path(gold(1, 1), [0, -1], [0, 1])), "b");
  assert.equal(name(path(gold(0, 1), [0, 1])), "wide");
  assert.equal(name(path(gold(0, 1), [0, 1], [1, 0])), "c");
  assert.equal(name(path(gold(1, 3), [-1, 0], [1, 0])), "d");
  assert.equal(name(path(gold(0, 0), [1, 0])), "e");
  assert.equal(name(path(gold(0, 2), [0, 1])), "wide");
});

test("Tab goes on in the next row and ends after the last cell", () => {
  assert.equal(name(moves.stepWrapping(board, gold(0, 3), 1)), "tall");
  assert.equal(moves.stepWrapping(board, gold(2, 3), 1), null);
});

test("a selected range never cuts a merged cell and copies its text once", () => {
  assert.deepEqual(moves.rectBetween(sheet, gold(1, 0), gold(1, 2)), { top: 0, left: 0, bottom: 1, right: 3 });
  assert.deepEqual(moves.textsIn(sheet, moves.rectBetween(sheet, gold(0, 2), gold(1, 3))), [["wide", ""], ["c", "d"]]);
});

test("a jump ends at the end of a filled run, or after the gap", () => {
  const gaps = boardFor(sheetOf([["a", "b", "", "", "c"]]), null, []);
  const jumped = (col, by) => moves.jump(gaps, gold(0, col), 0, by).col;
  assert.deepEqual([jumped(0, 1), jumped(1, 1), jumped(4, -1), jumped(1, -1)], [1, 4, 1, 0]);
});
