/** The shape of cells by numbers: how far one spans, which are headers, how many header rows there are. Pure. */

import { at, headerRows, shortCell } from "./sheet.js";
import { cellsIn } from "./moves.js";
import { refused } from "./actions.js";

const same = (one, other) => JSON.stringify(shortCell(one)) === JSON.stringify(shortCell(other));

/**
 * Whatever of `wanted` is named: `rows` and `cols` that the selected cell spans, `header` ("", "column", "row") of all
 * selected cells, and `headerRows` of the table. All of it is one edit.
 */
export function setShape(sheet, rect, wanted) {
  let cells = sheet.cells;
  const anchor = at(sheet, rect.top, rect.left);
  if (wanted.rows !== undefined || wanted.cols !== undefined) {
    const spanned = spannedTo(sheet, anchor, wanted.rows ?? anchor?.row_span, wanted.cols ?? anchor?.col_span);
    if (spanned.refused) return spanned;
    cells = spanned;
  }
  if (wanted.headerRows !== undefined && wanted.headerRows !== headerRows(sheet)) {
    if (!isCount(wanted.headerRows, 0, sheet.n_rows)) return refused(`Header rows: a number from 0 to ${sheet.n_rows}.`);
    const torn = cells.find((one) => one.row < wanted.headerRows && one.row + one.row_span > wanted.headerRows);
    if (torn) return refused(`The merged cell “${torn.text}” goes on from header row ${wanted.headerRows} into the next row: split it first.`);
    cells = cells.map((one) => {
      if (one.row < wanted.headerRows) return { ...one, header: "column" };
      return one.header === "column" ? { ...one, header: "" } : one;
    });
  }
  if (wanted.header !== undefined) {
    const inside = (one) => one.row >= rect.top && one.row <= rect.bottom && one.col >= rect.left && one.col <= rect.right;
    cells = cells.map((one) => (inside(one) ? { ...one, header: wanted.header } : one));
  }
  return changed(sheet, cells);
}

const isCount = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

function spannedTo(sheet, cell, rows, cols) {
  if (!cell) return refused("There is no cell here: type something first.");
  const [down, across] = [sheet.n_rows - cell.row, sheet.n_cols - cell.col];
  if (!isCount(rows, 1, down)) return refused(`Rows: a number from 1 to ${down}, since the table ends there.`);
  if (!isCount(cols, 1, across)) return refused(`Columns: a number from 1 to ${across}, since the table ends there.`);
  const rect = { top: cell.row, left: cell.col, bottom: cell.row + rows - 1, right: cell.col + cols - 1 };
  const taken = cellsIn(sheet, rect);
  const torn = taken.find((one) => one !== cell && (one.row < rect.top || one.col < rect.left || one.row + one.row_span - 1 > rect.bottom || one.col + one.col_span - 1 > rect.right));
  if (torn) return refused(`The merged cell “${torn.text}” would be cut: split it first, or span all of it.`);
  const text = taken.map((one) => one.text).filter(Boolean).join(" ");
  const freed = [];
  for (let row = cell.row; row < cell.row + cell.row_span; row += 1) {
    for (let col = cell.col; col < cell.col + cell.col_span; col += 1) {
      if (row > rect.bottom || col > rect.right) freed.push({ row, col, text: "", row_span: 1, col_span: 1, header: cell.header, box: null, confidence: [] });
    }
  }
  const kept = sheet.cells.filter((one) => !taken.includes(one));
  return [...kept, { ...cell, text, row_span: rows, col_span: cols }, ...freed];
}

function changed(sheet, cells) {
  const before = new Map(sheet.cells.map((one) => [`${one.row},${one.col}`, one]));
  const fresh = cells.filter((one) => {
    const old = before.get(`${one.row},${one.col}`);
    return !old || (old !== one && !same(old, one));
  });
  const places = new Set(cells.map((one) => `${one.row},${one.col}`));
  const freshPlaces = new Set(fresh.map((one) => `${one.row},${one.col}`));
  const old = sheet.cells.filter((one) => !places.has(`${one.row},${one.col}`) || freshPlaces.has(`${one.row},${one.col}`));
  if (!old.length && !fresh.length) return refused("Nothing changed.");
  return { source: "key", edit: { kind: "replace_cells", old: old.map(shortCell), new: fresh.map(shortCell) } };
}
