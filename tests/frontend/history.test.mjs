import assert from "node:assert/strict";
import { test } from "node:test";

import { editedKeys, remade, stacks, whereOf } from "../../review_app/frontend/history.js";
import { apply } from "../../review_app/frontend/sheet.js";
import { sheetOf } from "./boards.mjs";

test("undo and redo are found again in the stored history", () => {
  const sheet = sheetOf([["a"]]);
  const edit = { kind: "set_text", changes: [{ row: 0, col: 0, old: "a", new: "b" }] };
  const entry = (id, undoes = null, person = "ann") => ({ id, undoes, person, edit });
  const ids = (...history) => {
    const { undo, redo } = stacks(history, "ann");
    return [undo.map(({ id }) => id), redo.map(({ id }) => id), [...editedKeys(sheet, history)].length];
  };
  assert.deepEqual(ids(entry("1"), entry("2")), [["1", "2"], [], 1]);
  assert.deepEqual(ids(entry("1"), entry("2"), entry("3", "2"), entry("4", "1")), [[], ["3", "4"], 0]);
  assert.deepEqual(ids(entry("1"), entry("2", "1"), entry("3", "2")), [["3"], [], 1]);
  assert.deepEqual(ids(entry("1"), entry("2", "1"), entry("3")), [["3"], [], 1]);
  assert.deepEqual(ids(entry("1"), entry("2", null, "bob"), entry("3")), [["3"], [], 1]);
});

test("a refused edit finds its cell again after rows moved", () => {
  const sheet = sheetOf([["a"], ["b"]]);
  const edit = { kind: "set_text", changes: [{ row: 1, col: 0, old: "b", new: "mine" }] };
  const where = whereOf(sheet, edit);
  const cells = [{ row: 0, col: 0, text: "new" }];
  let moved = apply(sheet, { kind: "insert", axis: "row", at: 0, ids: ["n"], cells });
  moved = apply(moved, { kind: "set_text", changes: [{ row: 2, col: 0, old: "b", new: "theirs" }] });
  assert.deepEqual(remade(moved, edit, where), { kind: "set_text", changes: [{ row: 2, col: 0, old: "theirs", new: "mine" }] });
  const gone = apply(sheet, { kind: "delete", axis: "row", at: 1, ids: ["r1"], cells: [{ row: 1, col: 0, text: "b" }] });
  assert.equal(remade(gone, edit, where), null);
});

test("a refused row is inserted after the same row as before, wherever that stands now", () => {
  const sheet = sheetOf([["a"], ["b"], ["c"]]);
  const edit = { kind: "insert", axis: "row", at: 2, ids: ["n"], cells: [{ row: 2, col: 0, text: "" }] };
  const where = whereOf(sheet, edit);
  const without = (at, id, text) => apply(sheet, { kind: "delete", axis: "row", at, ids: [id], cells: [{ row: at, col: 0, text }] });
  assert.deepEqual(remade(without(0, "r0", "a"), edit, where), { ...edit, at: 1, cells: [{ row: 1, col: 0, text: "" }] });
  assert.equal(remade(without(1, "r1", "b"), edit, where), null);
  const first = { ...edit, at: 0, cells: [{ row: 0, col: 0, text: "" }] };
  assert.equal(remade(without(0, "r0", "a"), first, whereOf(sheet, first)).at, 0);
});
