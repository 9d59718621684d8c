/** From what a person means to one edit: typing, paste, fill, marks, merge, split, taking a value. Pure. */

import { at, markAt, shortCell } from "./sheet.js";
import { cellsIn } from "./moves.js";
import { around } from "./words.js";

/** Why nothing was done, in words for the person. */
export const refused = (why) => ({ refused: why });

/** New texts for cells as one edit; targets `[{row, col, text}]` name positions, a hole gets a cell. */
export function setTexts(sheet, targets, source) {
  const changes = [];
  const holes = [];
  for (const { row, col, text } of targets) {
    const cell = at(sheet, row, col);
    if (!cell) text && holes.push({ row, col, text });
    else if (cell.text !== text) changes.push({ row: cell.row, col: cell.col, old: cell.text, new: text });
  }
  if (!changes.length && !holes.length) return refused("Nothing changed.");
  if (!holes.length) return { source, edit: { kind: "set_text", changes } };
  const old = changes.map(({ row, col }) => shortCell(at(sheet, row, col)));
  const fresh = old.map((cell, index) => ({ ...cell, text: changes[index].new }));
  return { source, edit: { kind: "replace_cells", old, new: [...fresh, ...holes] } };
}

/** Empty the cells of a rectangle. */
export function clear(sheet, rect) {
  return setTexts(sheet, cellsIn(sheet, rect).map(({ row, col }) => ({ row, col, text: "" })), "key");
}

/** A block from the clipboard over a rectangle: one value fills it all, a block starts at its corner. */
export function paste(sheet, rect, rows) {
  if (rows.length === 1 && rows[0].length === 1) {
    const targets = cellsIn(sheet, rect).map(({ row, col }) => ({ row, col, text: rows[0][0] }));
    return { ...setTexts(sheet, targets.length ? targets : [{ row: rect.top, col: rect.left, text: rows[0][0] }], "paste"), rect };
  }
  const targets = [];
  let left = 0;
  rows.forEach((texts, down) =>
    texts.forEach((text, right) => {
      const [row, col] = [rect.top + down, rect.left + right];
      const cell = at(sheet, row, col);
      const inside = row < sheet.n_rows && col < sheet.n_cols;
      if (inside && (!cell || (cell.row === row && cell.col === col))) targets.push({ row, col, text });
      else if (text) left += 1;
    }),
  );
  const bottom = Math.min(rect.top + rows.length, sheet.n_rows) - 1;
  const right = Math.min(rect.left + Math.max(...rows.map((texts) => texts.length)), sheet.n_cols) - 1;
  const note = left ? `${left} of the pasted values found no cell of their own and were left out.` : "";
  return { ...setTexts(sheet, targets, "paste"), note, rect: { ...rect, bottom, right } };
}

/** Copy the first row down or the first column right over a rectangle; a single cell takes from its neighbour. */
export function fill(sheet, rect, axis) {
  const [start, end] = axis === "row" ? ["top", "bottom"] : ["left", "right"];
  const from = rect[start] === rect[end] ? rect[start] - 1 : rect[start];
  if (from < 0) return refused("There is nothing to fill from.");
  const targets = cellsIn(sheet, { ...rect, [start]: from + 1 })
    .filter((cell) => cell[axis] > from)
    .map(({ row, col }) => {
      const model = axis === "row" ? at(sheet, from, col) : at(sheet, row, from);
      return { row, col, text: model?.text ?? "" };
    });
  return setTexts(sheet, targets, "fill");
}

/** Set a mark on cells; where all have it already, take it back. */
export function setMark(sheet, cells, mark) {
  if (!cells.length) return refused("There is no cell to mark.");
  const next = cells.every(({ row, col }) => markAt(sheet, row, col) === mark) ? "" : mark;
  const changes = cells
    .map(({ row, col }) => ({ row, col, old: markAt(sheet, row, col), new: next }))
    .filter((change) => change.old !== change.new);
  return { source: "key", edit: { kind: "mark", changes } };
}

/** One cell in the place of a rectangle; texts are joined by spaces, boxes of one page are united. */
export function merge(sheet, rect) {
  const old = cellsIn(sheet, rect);
  if (old.length < 2) return refused("Select two or more cells to merge them.");
  const boxes = old.map(({ box }) => box).filter(Boolean);
  const merged = {
    row: rect.top,
    col: rect.left,
    text: old.map(({ text }) => text).filter(Boolean).join(" "),
    row_span: rect.bottom - rect.top + 1,
    col_span: rect.right - rect.left + 1,
    header: old[0].header,
  };
  if (boxes.length && boxes.every(([page]) => page === boxes[0][0])) merged.box = around(boxes[0][0], boxes);
  return { source: "key", edit: { kind: "replace_cells", old: old.map(shortCell), new: [merged] } };
}

/** A merged cell into single ones; the text stays in the first. */
export function split(sheet, cell) {
  if (!cell || (cell.row_span === 1 && cell.col_span === 1)) return refused("This cell is not merged.");
  const fresh = [];
  for (let row = cell.row; row < cell.row + cell.row_span; row += 1) {
    for (let col = cell.col; col < cell.col + cell.col_span; col += 1) {
      const anchor = row === cell.row && col === cell.col;
      const one = { row, col, text: anchor ? cell.text : "" };
      if (cell.header) one.header = cell.header;
      if (anchor && cell.box) one.box = cell.box;
      fresh.push(one);
    }
  }
  return { source: "key", edit: { kind: "replace_cells", old: [shortCell(cell)], new: fresh } };
}

/** The words dragged over on the page become the cell's text and box; the extractor's confidence no longer speaks. */
export function takeFromPage(sheet, row, col, text, box) {
  const cell = at(sheet, row, col);
  const fresh = { ...(cell ? shortCell(cell) : { row, col }), text, box };
  delete fresh.confidence;
  return { source: "page", edit: { kind: "replace_cells", old: cell ? [shortCell(cell)] : [], new: [fresh] } };
}

/** What the page says at cells becomes their text and box, as `readAt` found it; cells that say the same stay as they are. */
export function takeReading(sheet, reading) {
  const changed = reading.filter(({ row, col, text }) => (at(sheet, row, col)?.text ?? "") !== text);
  if (!changed.length) return refused(reading.length === 1 ? "The page says the same." : "The page says the same in all selected cells.");
  const old = changed.map(({ row, col }) => at(sheet, row, col)).filter(Boolean).map(shortCell);
  const fresh = changed.map(({ row, col, text, box }) => {
    const { confidence, box: before, ...rest } = at(sheet, row, col) ? shortCell(at(sheet, row, col)) : { row, col };
    return { ...rest, text, ...(box ? { box } : {}) };
  });
  const count = changed.length === 1 ? "1 cell" : `${changed.length} cells`;
  const emptied = changed.filter(({ text }) => !text).length;
  const more = emptied ? `, ${emptied} of them emptied` : "";
  return { source: "page", edit: { kind: "replace_cells", old, new: fresh }, note: `Read from the page: ${count} changed${more}.` };
}
