/** What the stored edits tell beside the sheet: marks of deleted lines, edited cells, and the undo stack. */

import { at, keyOf, movedPlace, stepsOf } from "./sheet.js";

/** One entry per step, so that an edit of several steps is read step by step. */
export const inSteps = (history) => history.flatMap((entry) => stepsOf(entry.edit).map((edit) => ({ ...entry, edit })));

/** Ids of rows and columns before each step and after the last, walked back from the sheet of now. */
export function idsThrough(sheet, steps) {
  const through = [{ row: sheet.row_ids, col: sheet.col_ids }];
  for (const { edit } of [...steps].reverse()) {
    const after = through[0];
    let before = after;
    if (edit.kind === "insert" || edit.kind === "delete") {
      const ids = [...after[edit.axis]];
      if (edit.kind === "insert") ids.splice(edit.at, edit.ids.length);
      else ids.splice(edit.at, 0, ...edit.ids);
      before = { ...after, [edit.axis]: ids };
    } else if (edit.kind === "move") {
      const place = movedPlace(edit);
      before = { ...after, [edit.axis]: after[edit.axis].map((_, index) => after[edit.axis][place(index)]) };
    }
    through.unshift(before);
  }
  return through;
}

/** The sheet with the marks of deleted lines too, which the server's plain sheet cannot name. */
export function withAllMarks(sheet, history) {
  const steps = inSteps(history);
  const through = idsThrough(sheet, steps);
  const marks = new Map();
  steps.forEach(({ edit }, index) => {
    if (edit.kind !== "mark") return;
    for (const { row, col, new: mark } of edit.changes) {
      const key = keyOf(through[index].row[row], through[index].col[col]);
      if (mark) marks.set(key, mark);
      else marks.delete(key);
    }
  });
  return { ...sheet, marks: new Map([...marks, ...sheet.marks]) };
}

/** Ids of edits that were taken back and not redone. */
export function takenBack(history) {
  const undone = new Set();
  for (const entry of [...history].reverse()) {
    if (entry.undoes && !undone.has(entry.id)) undone.add(entry.undoes);
  }
  return undone;
}

/** Keys of the cells to which people gave another text, box or shape, and did not take it back. */
export function editedKeys(sheet, history) {
  const steps = inSteps(history);
  const through = idsThrough(sheet, steps);
  const undone = takenBack(history);
  const keys = new Set();
  steps.forEach(({ id, undoes, edit }, index) => {
    if (undoes || undone.has(id) || ["mark", "delete", "move"].includes(edit.kind)) return;
    const ids = through[index + (edit.kind === "set_text" ? 0 : 1)];
    for (const { row, col } of edit.changes ?? edit.new ?? edit.cells) keys.add(keyOf(ids.row[row], ids.col[col]));
  });
  return keys;
}

/**
 * What this person can take back and redo, the last one last. Another person's edit ends both stacks:
 * nobody undoes what stands below someone else's work.
 */
export function stacks(history, person) {
  let undo = [];
  let redo = [];
  for (const entry of history) {
    // A revert of an old edit is an action of its own: one undo takes it back.
    const steps = entry.source === "revert" ? null : entry.undoes;
    const undone = undo.find(({ id }) => id === steps);
    const redone = redo.find(({ id }) => id === steps);
    if (entry.person !== person) {
      undo = [];
      redo = [];
    } else if (undone) {
      undo = undo.filter((one) => one !== undone);
      redo.push(entry);
    } else if (redone) {
      redo = redo.filter((one) => one !== redone);
      undo.push(entry);
    } else {
      undo.push(entry);
      redo = [];
    }
  }
  return { undo, redo };
}

/**
 * By what an edit finds its place again: row and column ids of the cells that it changes one by one, and for lines that it
 * inserts the id of the line before them, null at the start. Empty for other changes of the structure.
 */
export function whereOf(sheet, edit) {
  if (edit.kind === "insert") return [[sheet[`${edit.axis}_ids`][edit.at - 1] ?? null]];
  return (edit.changes ?? []).map(({ row, col }) => [sheet.row_ids[row], sheet.col_ids[col]]);
}

/**
 * A refused edit made again on the sheet of now: its cells are found by their ids, and what they hold now becomes the
 * expected old value; lines are inserted after the same line as before. Null where a cell or that line is gone; another
 * change of the structure stays as it was, and is refused again unless it finds what it expects.
 */
export function remade(sheet, edit, where) {
  if (edit.kind === "insert" && where.length) return insertedAfter(sheet, edit, where[0][0]);
  if (!edit.changes) return edit;
  const changes = edit.changes.map((change, index) => {
    const row = sheet.row_ids.indexOf(where[index][0]);
    const col = sheet.col_ids.indexOf(where[index][1]);
    const cell = at(sheet, row, col);
    if (!cell || cell.row !== row || cell.col !== col) return null;
    const old = edit.kind === "mark" ? sheet.marks.get(keyOf(...where[index])) ?? "" : cell.text;
    return { row, col, old, new: change.new };
  });
  return changes.every(Boolean) ? { kind: edit.kind, changes: changes.filter(({ old, new: next }) => old !== next) } : null;
}

function insertedAfter(sheet, edit, before) {
  const place = before === null ? 0 : sheet[`${edit.axis}_ids`].indexOf(before) + 1;
  if (before !== null && place === 0) return null;
  const moved = place - edit.at;
  const inside = edit.cells.every((cell) => edit.at <= cell[edit.axis] && cell[edit.axis] + (cell[`${edit.axis}_span`] ?? 1) <= edit.at + edit.ids.length);
  if (moved && !inside) return null; // a merged cell that grew may be another one now
  return { ...edit, at: place, cells: edit.cells.map((cell) => ({ ...cell, [edit.axis]: cell[edit.axis] + moved })) };
}
