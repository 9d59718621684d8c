/** Whole rows and columns: insert, delete, take, duplicate, move, and a pasted block that needs more of them. Pure. */

import { apply, at, headerRows, movedPlace, shortCell, touching } from "./sheet.js";
import { refused, setTexts } from "./actions.js";

const WORDS = { row: ["row", "rows"], col: ["column", "columns"] };
const sizeOf = (sheet, axis) => (axis === "row" ? sheet.n_rows : sheet.n_cols);
const cellAt = (sheet, axis, line, place) => (axis === "row" ? at(sheet, line, place) : at(sheet, place, line));
const spanOf = (cell, axis) => (axis === "row" ? cell.row_span : cell.col_span);

/** The first and last line of a rectangle along an axis. */
export const edgesOf = (axis, rect) => (axis === "row" ? [rect.top, rect.bottom] : [rect.left, rect.right]);

/**
 * Rows or columns before position `start`, one per id; merged cells that cross it grow, elsewhere they get cells, each
 * with what `filled(place, index)` gives for its place along the line. Headers go on as their neighbours are.
 */
export function insertLines(sheet, axis, start, ids, filled = () => ({})) {
  const across = axis === "row" ? "col" : "row";
  const header = axis === "row" ? "row" : "column";
  const cells = [];
  ids.forEach((_, index) => {
    for (let place = 0; place < sizeOf(sheet, across); place += 1) {
      const before = cellAt(sheet, axis, start - 1, place);
      const after = cellAt(sheet, axis, start, place);
      if (before && before === after) continue;
      const cell = { [axis]: start + index, [across]: place, text: "", ...filled(place, index) };
      if (axis === "row" && start < headerRows(sheet)) cell.header = "column";
      else if (before?.header === header || after?.header === header) cell.header = header;
      cells.push(cell);
    }
  });
  return { source: "key", edit: { kind: "insert", axis, at: start, ids, cells } };
}

/** Delete the rows or columns of a rectangle. */
export function deleteLines(sheet, axis, rect) {
  const [start, end, ids] = axis === "row" ? [rect.top, rect.bottom, sheet.row_ids] : [rect.left, rect.right, sheet.col_ids];
  const count = end - start + 1;
  if (count >= ids.length) return refused(axis === "row" ? "The last row cannot be deleted." : "The last column cannot be deleted.");
  const cells = touching(sheet, axis, start, count).map(shortCell);
  return { source: "key", edit: { kind: "delete", axis, at: start, ids: ids.slice(start, start + count), cells } };
}

/** A row of the first extraction that gold lacks, taken into gold below the gold row that stands above it. */
export function takeFirstRow(board, firstRow, id) {
  const index = board.lineOfFirst.get(firstRow);
  const above = board.lines.slice(0, index).filter(({ gold }) => gold !== null);
  const start = above.length ? above.at(-1).gold + 1 : board.headers;
  const made = insertLines(board.sheet, "row", start, [id], (col) => {
    const firstCol = board.firstCol.get(col);
    const model = firstCol === undefined ? null : at(board.first, firstRow, firstCol);
    if (!model) return {};
    const taken = { text: model.text };
    if (model.box) taken.box = model.box;
    if (model.confidence?.length) taken.confidence = model.confidence;
    return taken;
  });
  return { ...made, source: "first", row: start };
}

/** The lines of a rectangle once more, right after themselves: texts and headers, but no boxes, which name one place. */
export function duplicateLines(sheet, axis, rect, newId) {
  const [start, end] = edgesOf(axis, rect);
  const cells = touching(sheet, axis, start, end - start + 1);
  const torn = cells.find((one) => one[axis] < start || one[axis] + spanOf(one, axis) - 1 > end);
  if (torn) return refused(inTheWay(torn, axis, "duplicated"));
  const ids = Array.from({ length: end - start + 1 }, newId);
  const copies = cells.map((one) => {
    const copy = { row: one.row, col: one.col, text: one.text };
    for (const part of ["row_span", "col_span"]) if (one[part] > 1) copy[part] = one[part];
    if (one.header) copy.header = one.header;
    return { ...copy, [axis]: one[axis] + ids.length };
  });
  return { source: "key", edit: { kind: "insert", axis, at: end + 1, ids, cells: copies }, moved: ids.length };
}

/** The lines of a rectangle one place on (`by` 1) or back (`by` -1). */
export function moveLines(sheet, axis, rect, by) {
  const [start, end] = edgesOf(axis, rect);
  const to = start + by;
  const size = sizeOf(sheet, axis);
  const count = end - start + 1;
  if (to < 0 || to + count > size) {
    const [line, lines] = WORDS[axis];
    return refused(count > 1 ? `The ${lines} stand at the ${by < 0 ? "start" : "end"} already.` : `This is the ${by < 0 ? "first" : "last"} ${line} already.`);
  }
  const ids = (axis === "row" ? sheet.row_ids : sheet.col_ids).slice(start, end + 1);
  const edit = { kind: "move", axis, at: start, ids, to };
  const place = movedPlace(edit);
  const torn = sheet.cells.find((one) => {
    const span = spanOf(one, axis);
    return span > 1 && Array.from({ length: span }, (_, index) => place(one[axis] + index)).some((line, index, all) => line !== all[0] + index);
  });
  return torn ? refused(inTheWay(torn, axis, "moved")) : { source: "key", edit, moved: by };
}

const inTheWay = (cell, axis, done) =>
  `The merged cell ${cell.text ? `“${short(cell.text)}” ` : ""}is in the way: select all its ${WORDS[axis][1]}, or split it first; nothing was ${done}.`;

const short = (text) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

/** How many rows and columns a pasted block needs beyond the table: `{rows, cols}`. */
export function overflow(sheet, rect, block) {
  const width = Math.max(...block.map((texts) => texts.length));
  return { rows: Math.max(0, rect.top + block.length - sheet.n_rows), cols: Math.max(0, rect.left + width - sheet.n_cols) };
}

/** A block pasted from the corner of a rectangle on, with the rows and columns that it needs, as one edit. */
export function pasteGrowing(sheet, rect, block, newId) {
  const { rows, cols } = overflow(sheet, rect, block);
  const steps = [];
  let now = sheet;
  const step = (edit) => {
    steps.push(edit);
    now = apply(now, edit);
  };
  const ids = (count) => Array.from({ length: count }, newId);
  if (cols) step(insertLines(now, "col", now.n_cols, ids(cols)).edit);
  if (rows) {
    const text = (place, index) => ({ text: block[sheet.n_rows - rect.top + index]?.[place - rect.left] ?? "" });
    step(insertLines(now, "row", now.n_rows, ids(rows), text).edit);
  }
  let left = 0;
  const targets = [];
  block.forEach((texts, down) => texts.forEach((text, right) => {
    const [row, col] = [rect.top + down, rect.left + right];
    const cell = at(now, row, col);
    if (!cell || (cell.row === row && cell.col === col)) targets.push({ row, col, text });
    else if (text) left += 1;
  }));
  const texts = setTexts(now, targets, "paste");
  if (!texts.refused) step(texts.edit);
  const note = left ? `${left} of the pasted values found no cell of their own and were left out.` : "";
  const bottom = rect.top + block.length - 1;
  const right = rect.left + Math.max(...block.map((one) => one.length)) - 1;
  return { source: "paste", edit: steps.length === 1 ? steps[0] : { kind: "several", edits: steps }, note, rect: { ...rect, bottom, right } };
}
