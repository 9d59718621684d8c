import assert from "node:assert/strict";
import { test } from "node:test";

import { boardOf, shifted } from "../../review_app/frontend/board.js";
import { apply, at, shortCell, sheetFromJson, sheetToJson } from "../../review_app/frontend/sheet.js";
import { randomOf, sheetOf } from "./boards.mjs";

const TEXTS = ["", "12", "1,250.00", "box", "a text of more than sixteen letters", "-3"];
const cols = [0, 1, 2].map((col) => ({ gold: col, first: col }));

function randomEdit(sheet, below) {
  const row = below(sheet.n_rows);
  const one = at(sheet, row, below(sheet.n_cols));
  const kind = below(8);
  if (kind === 0) return { kind: "insert", axis: "row", at: row, ids: [`n${below(1e9)}`], cells: [{ row, col: 0, text: TEXTS[below(6)] }, { row, col: 1, text: "" }] };
  if (kind === 1 && sheet.n_rows > 4) return { kind: "delete", axis: "row", at: row, ids: [sheet.row_ids[row]], cells: sheet.cells.filter((cell) => cell.row === row).map(shortCell) };
  if (!one) return null;
  if (kind === 2) return { kind: "replace_cells", old: [shortCell(one)], new: [{ ...shortCell(one), header: "row" }] };
  if (kind === 3) return { kind: "mark", changes: [{ row: one.row, col: one.col, old: sheet.marks.get(`${sheet.row_ids[one.row]}\n${sheet.col_ids[one.col]}`) ?? "", new: "confirmed" }] };
  return { kind: "set_text", changes: [{ row: one.row, col: one.col, old: one.text, new: TEXTS[below(6)] }] };
}

test("a board made from the one before is the board that would be made anew", () => {
  const below = randomOf(7);
  for (const mode of ["aligned", "gold", "first"]) {
    let sheet = sheetOf([["item", "amount", "unit"], ["bolt", "12", "box"], ["nut", "3.50", "box"], ["gear", "", "a"], ["cog", "1", ""]]);
    const first = { ...sheetOf([["item", "amount", "unit"], ["bolt", "l2", "box"], ["nut", "3.50", "box"]]), badges: [] };
    const rows = sheet.row_ids.map((_, row) => ({ gold: row, first: row < 3 ? row : null, kind: row < 3 ? "matched" : "missed" }));
    let table = { first, columns: [null, null, { type: "text" }], doubts: [{ row: 1, col: 1, reasons: [] }], findings: [], aligned: { rows, cols } };
    let before = null;
    for (let turn = 0; turn < 300; turn += 1) {
      const edit = randomEdit(sheet, below);
      if (!edit) continue;
      sheet = apply(sheet, edit);
      table = shifted(table, edit);
      if (!below(9)) table = { ...table, doubts: [], aligned: { ...table.aligned } };
      const parts = { table, sheet, mode, edited: new Set(), seen: new Set() };
      const now = boardOf(parts, before);
      assert.deepEqual(now, { ...boardOf(parts), sheet: now.sheet });
      before = now;
    }
  }
});

test("what a change cannot touch stays the same value", () => {
  const sheet = sheetOf([["item", "amount"], ["bolt", "12"], ["nut", "3"]], { "0,0": { header: "column" }, "0,1": { header: "column" } });
  const rows = [0, 1, 2].map((row) => ({ gold: row, first: null, kind: "matched" }));
  const table = { first: null, columns: [], doubts: [], findings: [], aligned: { rows, cols: [] } };
  const parts = { table, mode: "gold", edited: new Set(), seen: new Set() };
  const before = boardOf({ ...parts, sheet });
  const typed = boardOf({ ...parts, sheet: apply(sheet, { kind: "set_text", changes: [{ row: 1, col: 1, old: "12", new: "13" }] }) }, before);
  for (const part of ["lines", "numeric", "short", "doubts", "findings"]) assert.equal(typed[part], before[part], part);
  const words = boardOf({ ...parts, sheet: apply(sheet, { kind: "set_text", changes: [{ row: 1, col: 1, old: "12", new: "twelve and some more letters" }] }) }, before);
  assert.deepEqual([before.numeric, words.numeric], [[false, true], [false, false]]);
  assert.deepEqual([before.short, words.short], [[true, true], [true, false]]);
});

test("the cells of a sheet with another text stand where a sheet read anew has them", () => {
  const below = randomOf(3);
  let sheet = sheetOf([["wide", null, "a"], ["b", "c", "d"], ["tall", "e", "f"], [null, "g", "h"]], { "0,0": { col_span: 2 }, "2,0": { row_span: 2 } });
  const { shape } = sheet;
  for (let turn = 0; turn < 40; turn += 1) {
    const one = sheet.cells[below(sheet.cells.length)];
    sheet = apply(sheet, { kind: "set_text", changes: [{ row: one.row, col: one.col, old: one.text, new: TEXTS[below(6)] }] });
    const anew = sheetFromJson(sheetToJson(sheet));
    for (let row = 0; row < 4; row += 1) for (let col = 0; col < 3; col += 1) assert.deepEqual(at(sheet, row, col), at(anew, row, col));
    assert.equal(sheet.shape, shape);
  }
  assert.notEqual(apply(sheet, { kind: "insert", axis: "row", at: 1, ids: ["n"], cells: [] }).shape, shape);
});
