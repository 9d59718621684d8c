/** Gold at one revision in the browser: the same edits, inverses and refusals as store/edits.py. */

const LARGEST_ROW_SPAN = 65534;
const LARGEST_COL_SPAN = 1000;
const LARGEST_GRID = 1_000_000;
const HEADERS = ["", "column", "row"];
const MARKS = ["", "confirmed", "unreadable", "absent"];

/** An edit that does not fit its sheet; nothing was changed. */
export class EditError extends Error {}

/** An edit that expected something else than the sheet holds; nothing was changed. */
export class Conflict extends EditError {
  constructor(row, col, expected, found) {
    super(`Row ${row + 1}, column ${col + 1} holds "${found}", the edit expected "${expected}".`);
    Object.assign(this, { row, col, expected, found });
  }
}

/** A cell with every part present, from the short form in which parts at their default are left out. */
export function cell(short) {
  return {
    row: short.row,
    col: short.col,
    text: short.text ?? "",
    row_span: short.row_span ?? 1,
    col_span: short.col_span ?? 1,
    header: short.header ?? "",
    box: short.box ?? null,
    confidence: short.confidence ?? [],
  };
}

/** The short form of a cell, as the server writes it. */
export function shortCell(full) {
  const short = { row: full.row, col: full.col, text: full.text };
  if (full.row_span !== 1) short.row_span = full.row_span;
  if (full.col_span !== 1) short.col_span = full.col_span;
  if (full.header) short.header = full.header;
  if (full.box) short.box = full.box;
  if (full.confidence.length) short.confidence = full.confidence;
  return short;
}

/** The sheet that the server wrote; marks are kept by row id and column id, so that they move with their cell. */
export function sheetFromJson(json) {
  const marks = new Map();
  for (const { row, col, mark } of json.marks ?? []) {
    marks.set(keyOf(json.row_ids[row], json.col_ids[col]), mark);
  }
  const cells = json.cells.map(cell);
  return checked({ n_rows: json.n_rows, n_cols: json.n_cols, cells, row_ids: json.row_ids, col_ids: json.col_ids, marks });
}

/** The plain mapping that `sheetFromJson` reads; marks stand at the positions they have now. */
export function sheetToJson(sheet) {
  const marks = [];
  for (let row = 0; row < sheet.n_rows; row += 1) {
    for (let col = 0; col < sheet.n_cols; col += 1) {
      const mark = markAt(sheet, row, col);
      if (mark) marks.push({ row, col, mark });
    }
  }
  const { n_rows, n_cols, row_ids, col_ids } = sheet;
  return { n_rows, n_cols, cells: sheet.cells.map(shortCell), row_ids, col_ids, marks };
}

/** One text for a row id and a column id together. */
export const keyOf = (rowId, colId) => `${rowId}\n${colId}`;

/** The lasting name of the cell anchored at a position. */
export const keyAt = (sheet, row, col) => keyOf(sheet.row_ids[row], sheet.col_ids[col]);

/** The mark of the cell anchored at a position; "" where there is none. */
export const markAt = (sheet, row, col) => sheet.marks.get(keyAt(sheet, row, col)) ?? "";

const grids = new WeakMap();

/** The cell that covers a position, or null for a hole or a position off the grid. */
export function at(table, row, col) {
  if (row < 0 || col < 0 || row >= table.n_rows || col >= table.n_cols) return null;
  return gridOf(table)[row * table.n_cols + col] ?? null;
}

function gridOf(table) {
  let grid = grids.get(table);
  if (!grid) {
    grid = new Array(table.n_rows * table.n_cols);
    for (const one of table.cells) cover(grid, table.n_cols, one);
    grids.set(table, grid);
  }
  return grid;
}

function cover(grid, nCols, one) {
  for (let row = one.row; row < one.row + one.row_span; row += 1) grid.fill(one, row * nCols + one.col, row * nCols + one.col + one.col_span);
}

function withGrid(table, grid) {
  grids.set(table, grid);
  return table;
}

/** How many leading rows consist of column headers only. */
export function headerRows(table) {
  let count = 0;
  for (let row = 0; row < table.n_rows; row += 1) {
    const cells = [];
    for (let col = 0; col < table.n_cols; col += 1) if (at(table, row, col)) cells.push(at(table, row, col));
    if (!cells.length || cells.some((one) => one.header !== "column")) break;
    count = row + 1;
  }
  return count;
}

/** All cells that cover a position in `count` rows or columns from `start` on, in reading order. */
export function touching(table, axis, start, count) {
  return table.cells.filter((one) => one[axis] < start + count && start < one[axis] + spanOf(one, axis));
}

/** The sheet after an edit; throws Conflict or EditError and changes nothing. */
export function apply(before, edit) {
  switch (edit.kind) {
    case "set_text": return setText(before, edit.changes);
    case "mark": return mark(before, edit.changes);
    case "replace_cells": return replaceCells(before, edit.old.map(cell), edit.new.map(cell));
    case "insert": return insert(before, edit);
    case "delete": return remove(before, edit);
    case "move": return move(before, edit);
    case "several": return edit.edits.reduce(apply, before);
    default: throw new EditError(`Edit of kind "${edit.kind}", expected set_text, mark, replace_cells, insert, delete, move or several.`);
  }
}

/** The edit that takes `after` back to what was before `edit`: the before-state itself is not needed. */
export function inverse(edit, after) {
  // Backwards, so that two changes of one cell are undone in turn.
  const swapped = () => edit.changes.map((change) => ({ ...change, old: change.new, new: change.old })).reverse();
  switch (edit.kind) {
    case "set_text":
    case "mark": return { kind: edit.kind, changes: swapped() };
    case "replace_cells": return { kind: "replace_cells", old: edit.new, new: edit.old };
    case "insert": {
      const cells = touching(after, edit.axis, edit.at, edit.ids.length).map(shortCell);
      return { kind: "delete", axis: edit.axis, at: edit.at, ids: edit.ids, cells };
    }
    case "move": return { ...edit, at: edit.to, to: edit.at };
    case "several": {
      const edits = [];
      for (const step of [...edit.edits].reverse()) {
        edits.push(inverse(step, after));
        after = apply(after, edits.at(-1));
      }
      return { kind: "several", edits };
    }
    // A delete was only accepted because its cells were all the cells that touched the lines.
    default: return { kind: "insert", axis: edit.axis, at: edit.at, ids: edit.ids, cells: inOrder(edit.cells) };
  }
}

function setText(before, changes) {
  const texts = new Map();
  for (const change of changes) {
    const found = anchored(before, change, "set_text");
    const text = texts.get(found) ?? found.text;
    if (text !== change.old) throw new Conflict(change.row, change.col, change.old, text);
    texts.set(found, change.new);
  }
  const fresh = new Map([...texts].map(([one, text]) => [one, { ...one, text }]));
  const grid = gridOf(before).slice();
  for (const one of fresh.values()) cover(grid, before.n_cols, one);
  return withGrid({ ...before, cells: before.cells.map((one) => fresh.get(one) ?? one) }, grid);
}

function mark(before, changes) {
  const marks = new Map(before.marks);
  for (const change of changes) {
    anchored(before, change, "mark");
    if (!MARKS.includes(change.new)) throw new EditError(`Mark "${change.new}", expected one of ${MARKS.join(", ")}.`);
    const key = keyAt(before, change.row, change.col);
    const found = marks.get(key) ?? "";
    if (found !== change.old) throw new Conflict(change.row, change.col, change.old || "no mark", found || "no mark");
    if (change.new) marks.set(key, change.new);
    else marks.delete(key);
  }
  return withGrid({ ...before, marks }, gridOf(before));
}

function anchored(sheet, { row, col }, kind) {
  const found = at(sheet, row, col);
  if (!found || found.row !== row || found.col !== col) {
    throw new EditError(`${kind}: no cell is anchored at row ${row + 1}, column ${col + 1}.`);
  }
  return found;
}

function replaceCells(before, old, fresh) {
  expect(before, old);
  const anchors = new Set(old.map((one) => `${one.row},${one.col}`));
  const kept = before.cells.filter((one) => !anchors.has(`${one.row},${one.col}`));
  return checked({ ...before, cells: [...kept, ...fresh] });
}

function insert(before, edit) {
  const { axis, at: start, ids } = edit;
  const size = axis === "row" ? before.n_rows : before.n_cols;
  if (start < 0 || start > size || !ids.length) {
    throw new EditError(`Insert of ${ids.length} ${axis}s before position ${start}, the table has ${size}.`);
  }
  const cells = edit.cells.map(cell);
  const placed = new Set(cells.flatMap(positions));
  for (const one of before.cells) {
    let moved = one;
    if (one[axis] >= start) moved = { ...one, [axis]: one[axis] + ids.length };
    else if (one[axis] + spanOf(one, axis) > start) moved = grown(one, axis, ids.length);
    if (!positions(moved).some((position) => placed.has(position))) cells.push(moved);
  }
  return resized(before, axis, cells, spliced(idsOf(before, axis), start, 0, ids));
}

function remove(before, edit) {
  const { axis, at: start, ids } = edit;
  const found = start < 0 ? [] : idsOf(before, axis).slice(start, start + ids.length);
  if (!ids.length || found.length !== ids.length || found.some((id, index) => id !== ids[index])) {
    throw new EditError(`Delete of ${axis}s ${ids.join(", ")} from position ${start}, found ${found.join(", ")}.`);
  }
  const expected = edit.cells.map(cell);
  const touched = touching(before, axis, start, ids.length);
  expect(before, expected);
  const missed = touched.find((one) => !expected.some((other) => sameCell(one, other)));
  if (missed) throw new Conflict(missed.row, missed.col, "nothing", missed.text);
  if (touched.length !== expected.length) throw new EditError("Delete names cells that do not touch its lines.");
  const cells = [];
  for (const one of before.cells) {
    const first = one[axis];
    const end = first + spanOf(one, axis);
    const lost = Math.max(0, Math.min(end, start + ids.length) - Math.max(first, start));
    if (lost === end - first) continue;
    let left = lost ? grown(one, axis, -lost) : one;
    if (first >= start) left = { ...left, [axis]: left[axis] - Math.min(ids.length, first - start) };
    cells.push(left);
  }
  return resized(before, axis, cells, spliced(idsOf(before, axis), start, ids.length, []));
}

function move(before, edit) {
  const { axis, at: start, ids, to } = edit;
  const all = idsOf(before, axis);
  const count = ids.length;
  if (!count || start < 0 || ids.some((id, index) => id !== all[start + index]) || !(to >= 0 && to <= all.length - count)) {
    throw new EditError(`Move of ${axis}s ${ids.join(", ")} from position ${start} to ${to}, found ${all.slice(Math.max(0, start), start + count).join(", ")}.`);
  }
  const place = movedPlace(edit);
  const cells = before.cells.map((one) => {
    const places = Array.from({ length: spanOf(one, axis) }, (_, index) => place(one[axis] + index));
    const first = Math.min(...places);
    if (Math.max(...places) - first >= places.length) throw new EditError(`A merged cell at row ${one.row + 1}, column ${one.col + 1} would be torn.`);
    return first === one[axis] ? one : { ...one, [axis]: first };
  });
  const order = [];
  all.forEach((id, index) => (order[place(index)] = id));
  return resized(before, axis, cells, order);
}

/** Where each line stands after a move, as a function of where it stood. */
export function movedPlace({ at: start, ids, to }) {
  const end = start + ids.length;
  return (line) => {
    if (line >= start && line < end) return line - start + to;
    if (line >= end && line < to + ids.length) return line - ids.length;
    return line < start && line >= to ? line + ids.length : line;
  };
}

/** The steps of an edit: those of several, else itself. */
export const stepsOf = (edit) => (edit.kind === "several" ? edit.edits : [edit]);

function expect(sheet, cells) {
  for (const one of cells) {
    const found = at(sheet, one.row, one.col);
    if (!found || !sameCell(found, one)) throw new Conflict(one.row, one.col, one.text, found ? found.text : "nothing");
  }
}

/** Whether two cells are the same in every part. */
export function sameCell(one, other) {
  return (
    one.row === other.row && one.col === other.col && one.text === other.text && one.header === other.header &&
    one.row_span === other.row_span && one.col_span === other.col_span &&
    sameBox(one.box, other.box) && sameConfidence(one.confidence, other.confidence)
  );
}

const sameBox = (one, other) => one === other || Boolean(one && other && one.every((side, i) => side === other[i]));

function sameConfidence(one, other) {
  const parts = ["value", "kind", "unit", "source"];
  return (
    one.length === other.length &&
    one.every((said, i) => parts.every((part) => said[part] === other[i][part]) && (said.raw ?? "") === (other[i].raw ?? ""))
  );
}

/** Cells sorted by row, then by column. */
export const inOrder = (cells) => [...cells].sort((one, other) => one.row - other.row || one.col - other.col);

function positions(one) {
  const all = [];
  for (let row = one.row; row < one.row + one.row_span; row += 1) {
    for (let col = one.col; col < one.col + one.col_span; col += 1) all.push(`${row},${col}`);
  }
  return all;
}

const spanOf = (one, axis) => (axis === "row" ? one.row_span : one.col_span);
const idsOf = (sheet, axis) => (axis === "row" ? sheet.row_ids : sheet.col_ids);
const spliced = (ids, start, gone, fresh) => [...ids.slice(0, start), ...fresh, ...ids.slice(start + gone)];
const grown = (one, axis, by) => ({ ...one, [`${axis}_span`]: spanOf(one, axis) + by });

// Marks of deleted lines stay: an undo brings the ids back, and the marks with them.
function resized(before, axis, cells, ids) {
  const size = axis === "row" ? { n_rows: ids.length, row_ids: ids } : { n_cols: ids.length, col_ids: ids };
  return checked({ ...before, ...size, cells });
}

function checked(sheet) {
  for (const [ids, count, lines] of [[sheet.row_ids, sheet.n_rows, "rows"], [sheet.col_ids, sheet.n_cols, "columns"]]) {
    const different = new Set(ids).size;
    if (ids.length !== count || different !== count) throw new EditError(`${different} different ids for ${count} ${lines}.`);
  }
  if (sheet.n_rows * sheet.n_cols > LARGEST_GRID) throw new EditError(`More than ${LARGEST_GRID} positions.`);
  const cells = inOrder(sheet.cells);
  const covered = new Array(sheet.n_rows * sheet.n_cols);
  for (const one of cells) {
    const where = `row ${one.row + 1}, column ${one.col + 1}`;
    if (one.row < 0 || one.col < 0) throw new EditError(`Cell "${one.text}" lies before the first row or column.`);
    if (!(one.row_span >= 1 && one.row_span <= LARGEST_ROW_SPAN && one.col_span >= 1 && one.col_span <= LARGEST_COL_SPAN)) {
      throw new EditError(`Cell at ${where} spans ${one.row_span} rows and ${one.col_span} columns.`);
    }
    if (!HEADERS.includes(one.header)) throw new EditError(`Header "${one.header}" at ${where}.`);
    if (one.row + one.row_span > sheet.n_rows || one.col + one.col_span > sheet.n_cols) {
      throw new EditError(`Cell "${one.text}" at ${where} leaves the table.`);
    }
    for (let row = one.row; row < one.row + one.row_span; row += 1) {
      for (let col = one.col; col < one.col + one.col_span; col += 1) {
        const place = row * sheet.n_cols + col;
        if (covered[place]) throw new EditError(`Two cells cover row ${row + 1}, column ${col + 1}.`);
        covered[place] = one;
      }
    }
  }
  // `shape` is the same object as long as all cells keep their place, span, header and box, and all lines their ids.
  return withGrid({ ...sheet, cells, shape: {} }, covered);
}
