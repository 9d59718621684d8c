/** Small sheets and boards for the tests. */

import { boardOf } from "../../review_app/frontend/board.js";
import { sheetFromJson } from "../../review_app/frontend/sheet.js";

const ids = (name, count) => Array.from({ length: count }, (_, index) => `${name}${index}`);

/** A sheet of rows of texts; null is a hole or lies under a span, `spans` gives parts of cells by "row,col". */
export function sheetOf(rows, spans = {}) {
  const cells = rows.flatMap((texts, row) =>
    texts.flatMap((text, col) => (text === null ? [] : [{ row, col, text, ...spans[`${row},${col}`] }])));
  const [n_rows, n_cols] = [rows.length, rows[0].length];
  return sheetFromJson({ n_rows, n_cols, cells, row_ids: ids("r", n_rows), col_ids: ids("c", n_cols), marks: [] });
}

/** The aligned view of a sheet; `rows` is the row alignment. */
export function boardFor(sheet, first, rows, more = {}) {
  const cols = Array.from({ length: sheet.n_cols }, (_, col) => ({ gold: col, first: col }));
  const table = { first, columns: [], doubts: [], findings: [], aligned: { rows, cols }, ...more };
  return boardOf({ table, sheet, mode: "aligned", edited: new Set(), seen: new Set() });
}

/** A cursor on gold. */
export const gold = (row, col) => ({ row, first: null, col });

/** Texts by row, holes and what a span covers as null. */
export const textsOf = (sheet) =>
  Array.from({ length: sheet.n_rows }, (_, row) =>
    Array.from({ length: sheet.n_cols }, (_, col) => sheet.cells.find((one) => one.row === row && one.col === col)?.text ?? null));

/** Numbers below a bound, the same for the same seed. */
export function randomOf(seed) {
  let state = seed;
  return (below) => (state = (state * 48271) % 2147483647) % below;
}
