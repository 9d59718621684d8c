import assert from "node:assert/strict";
import test from "node:test";

import { replaceTable } from "../../review_app/frontend/replacing.js";
import { nudged } from "../../review_app/frontend/regions.js";
import { apply, inverse, sheetFromJson, sheetToJson } from "../../review_app/frontend/sheet.js";

const ids = () => {
  let number = 0;
  return () => `new-${(number += 1)}`;
};

const sheet = (rows, cols, marks = []) => sheetFromJson({
  n_rows: rows,
  n_cols: cols,
  cells: Array.from({ length: rows * cols }, (_, at) => ({ row: Math.floor(at / cols), col: at % cols, text: `old ${at}`, ...(at < cols && { header: "column" }) })),
  row_ids: Array.from({ length: rows }, (_, row) => `b${row}`),
  col_ids: Array.from({ length: cols }, (_, col) => `b${col}`),
  marks,
});
const found = (rows, cols) => ({
  n_rows: rows,
  n_cols: cols,
  cells: [{ row: 0, col: 0, text: "wide", col_span: cols, header: "column" }, ...Array.from({ length: (rows - 1) * cols }, (_, at) => ({ row: 1 + Math.floor(at / cols), col: at % cols, text: `new ${at}`, box: [1, 0, 0, 0.5, 0.5] }))],
});

for (const [rows, cols] of [[2, 2], [3, 3], [5, 4], [2, 5], [6, 1]]) {
  test(`a sheet of 3 x 3 holds just what was read, ${rows} x ${cols}, and one undo brings it back`, () => {
    const before = sheet(3, 3, [{ row: 2, col: 1, mark: "confirmed" }]);
    const { edit, source } = replaceTable(before, found(rows, cols), ids());
    const after = sheetToJson(apply(before, edit));
    assert.equal(source, "region");
    assert.deepEqual([after.n_rows, after.n_cols, after.marks], [rows, cols, []]);
    assert.deepEqual(after.cells, found(rows, cols).cells.map(({ row, col, text, col_span, ...more }) => ({ row, col, text, ...(col_span > 1 && { col_span }), ...more })));
    assert.deepEqual(sheetToJson(apply(apply(before, edit), inverse(edit, apply(before, edit)))), sheetToJson(before));
  });
}

test("a merged cell that crosses the new end is no obstacle", () => {
  const before = sheetFromJson({ n_rows: 3, n_cols: 1, cells: [{ row: 0, col: 0, text: "a" }, { row: 1, col: 0, text: "tall", row_span: 2 }], row_ids: ["b0", "b1", "b2"], col_ids: ["b0"] });
  const { edit } = replaceTable(before, { n_rows: 2, n_cols: 1, cells: [{ row: 0, col: 0, text: "x" }, { row: 1, col: 0, text: "y" }] }, ids());
  assert.deepEqual(sheetToJson(apply(before, edit)).cells.map(({ text }) => text), ["x", "y"]);
  assert.deepEqual(sheetToJson(apply(apply(before, edit), inverse(edit, apply(before, edit)))), sheetToJson(before));
});

test("a box stays on the page and keeps its size while it is moved, and is never smaller than can be seen", () => {
  const near = ([, ...sides]) => sides.map((side) => Math.round(side * 1000) / 1000);
  assert.deepEqual(near(nudged([1, 0.1, 0.1, 0.3, 0.4], [-0.5, 0.02], false)), [0, 0.12, 0.2, 0.42]);
  assert.deepEqual(near(nudged([1, 0.1, 0.1, 0.3, 0.4], [0.9, 0.9], false)), [0.8, 0.7, 1, 1]);
  assert.deepEqual(near(nudged([1, 0.1, 0.1, 0.3, 0.4], [0.9, -0.9], true)), [0.1, 0.1, 1, 0.11]);
});
