/** What each edit did, told by lasting row and column ids: before and after of every cell, lines that came or went. Pure. */

import { counted } from "./dom.js";
import { at, cell as whole, keyOf } from "./sheet.js";
import { idsThrough, inSteps } from "./history.js";

/** What a person reads for the way in which an edit was made. */
export const WAYS = {
  typed: "typed", paste: "pasted", fill: "filled", replace: "replaced", kin: "the same change as in another cell", first: "first value taken", page: "taken from the page", region: "read from a region", key: "by key",
  undo: "undo", redo: "redo", revert: "reverted",
};

const LINES = { insert: "inserted", delete: "deleted", move: "moved" };
const MARKS = { "": "no mark", confirmed: "confirmed", unreadable: "unreadable", absent: "absent on purpose" };

/**
 * The edits of a table, the oldest first: `{id, person, at, source, undoes, kind, lines, cells}`. `cells` are
 * `{row, col, before, after}` by ids, a text that was not there is null; `lines` are `{axis, ids, way}` for lines that
 * were inserted, deleted or moved. An edit of several steps is told as one.
 */
export function trailOf(sheet, history) {
  const told = new Map();
  for (const step of trailOfSteps(sheet, inSteps(history))) {
    const known = told.get(step.id);
    told.set(step.id, known ? { ...known, kind: "several", lines: [...known.lines, ...step.lines], cells: joined(known.cells, step.cells) } : step);
  }
  return [...told.values()];
}

/** The same with one entry for each step. */
export function trailOfSteps(sheet, steps) {
  const through = idsThrough(sheet, steps);
  return steps.map(({ id, edit, person, at: made, source, undoes }, index) => {
    const told = { id, person, at: made, source, undoes, kind: edit.kind, lines: [], cells: [] };
    if (edit.changes) return { ...told, cells: changed(edit, through[index]) };
    if (edit.kind === "replace_cells") return { ...told, cells: replaced(edit, through[index]) };
    return { ...told, lines: [{ axis: edit.axis, ids: edit.ids, way: LINES[edit.kind] }] };
  });
}

function joined(cells, later) {
  const known = new Map(cells.map((one) => [keyOf(one.row, one.col), one]));
  for (const one of later) {
    const key = keyOf(one.row, one.col);
    known.set(key, known.has(key) ? { ...known.get(key), after: one.after } : one);
  }
  return [...known.values()];
}

function changed({ kind, changes }, ids) {
  const word = (value) => (kind === "mark" ? MARKS[value] : value);
  const cells = new Map();
  for (const { row, col, old, new: next } of changes) {
    const [rowId, colId] = [ids.row[row], ids.col[col]];
    const known = cells.get(keyOf(rowId, colId));
    cells.set(keyOf(rowId, colId), { row: rowId, col: colId, before: known?.before ?? word(old), after: word(next) });
  }
  return [...cells.values()];
}

function replaced({ old, new: fresh }, ids) {
  const anchors = new Map();
  for (const one of [...old, ...fresh]) anchors.set(`${one.row},${one.col}`, one);
  const textOf = (cells, { row, col }) => cells.find((one) => one.row === row && one.col === col)?.text ?? null;
  return [...anchors.values()].map((one) => ({ row: ids.row[one.row], col: ids.col[one.col], before: textOf(old, one), after: textOf(fresh, one) }));
}

/** Whether an edit of the trail touched one of some cells: by their ids, or by their whole row or column. */
export function touches({ cells, lines }, places) {
  return lines.some(({ axis, ids }) => places.some((place) => ids.includes(place[axis]))) || cells.some(({ row, col }) => places.some((place) => place.row === row && place.col === col));
}

/** The ids of all positions that the cell at a position covers. */
export function placesOf(sheet, row, col) {
  const { row: top, col: left, row_span: down, col_span: across } = at(sheet, row, col) ?? whole({ row, col });
  return sheet.row_ids.slice(top, top + down).flatMap((rowId) => sheet.col_ids.slice(left, left + across).map((colId) => ({ row: rowId, col: colId })));
}

/** What an edit that changes the structure did, in words; "" for an edit of texts. */
export function structureOf({ kind, lines, cells }) {
  if (lines.length) return lines.map(({ axis, ids, way }) => `${counted(ids.length, axis === "row" ? "row" : "column")} ${way}`).join(", ");
  if (kind !== "replace_cells") return "";
  const came = cells.filter(({ before }) => before === null).length;
  const went = cells.filter(({ after }) => after === null).length;
  if (went && !came) return `${cells.length} cells merged`;
  return came && cells.length > came ? `a cell split into ${cells.length}` : "";
}
