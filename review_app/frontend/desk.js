/** One open table: gold now, its history, the cursor, and how an edit changes them. No DOM. */

import { apply, at, cell, headerRows, inverse, keyAt, keyOf, sheetFromJson, stepsOf } from "./sheet.js";
import { boardOf, openDoubts, shifted } from "./board.js";
import { editedKeys, stacks, whereOf, withAllMarks } from "./history.js";
import { anchorOf, cellsIn, lineIndex, rectBetween } from "./moves.js";
import { newId } from "./outbox.js";
import { openAt } from "./threads.js";

/**
 * `json` is the answer of `GET /api/table`. `keep(entry)` puts an edit into the outbox, `spent()` gives the active
 * milliseconds since the edit before, `changed()` is called after every change, `made(entry)` after an edit of this
 * person, `say(text)` speaks to the person.
 */
export function createDesk(json, { person, mode, keep, spent, changed, made, say }) {
  const first = json.first && { ...json.first, cells: json.first.cells.map(cell) };
  let table = { ...json, first, aligned: json.aligned ?? { rows: [], cols: [] } };
  let history = [...json.history];
  let sheet = withAllMarks(sheetFromJson(json.sheet), history);
  const seen = new Set((json.review?.seen ?? []).map(([row, col]) => keyOf(row, col)));
  let pending = []; // edits that the server has not acknowledged, in order
  let revision = json.revision;
  let shownAs = mode === "first" && !first ? "aligned" : mode;
  let board = null;
  let cursor = { row: Math.min(headerRows(sheet), Math.max(0, sheet.n_rows - 1)), first: null, col: 0 };
  let corner = null; // the other end of a selected range
  let byRisk = true;
  let talk = []; // comment threads
  let held = null; // what has changed and is not told yet

  function rebuild() {
    board = boardOf({ table, sheet, mode: shownAs, edited: editedKeys(sheet, history), seen, comments: openAt(sheet, talk) }, board);
    if (lineIndex(board, cursor) < 0 || cursor.col >= board.nCols) {
      const last = board.lines.at(-1) ?? { gold: 0, first: null };
      const line = cursor.row === null ? board.lines[0] ?? last : last;
      cursor = { row: line.gold, first: line.gold === null ? line.first : null, col: Math.min(cursor.col, Math.max(0, board.nCols - 1)) };
      corner = null;
    }
  }

  function place(whole) {
    const [edit] = stepsOf(whole);
    if (edit.kind === "move") return { row: cursor.row ?? 0, first: null, col: cursor.col, [edit.axis]: edit.to };
    const spot = (edit.changes ?? edit.new ?? edit.cells)?.[0];
    if (edit.kind === "insert" || edit.kind === "delete") {
      const line = { row: cursor.row ?? 0, col: cursor.col, [edit.axis]: edit.at };
      const clamp = (value, size) => Math.max(0, Math.min(value, size - 1));
      return { row: clamp(line.row, sheet.n_rows), first: null, col: clamp(line.col, sheet.n_cols) };
    }
    return spot ? { row: spot.row, first: null, col: spot.col } : cursor;
  }

  // The first extraction and gold are walked in turn: the cursor goes to the matched cell of the other.
  function crossOver(toFirst) {
    const alone = cursor.row === null;
    if (alone && toFirst) return;
    const [from, to] = toFirst ? ["gold", "first"] : ["first", "gold"];
    const match = (pairs, place) => pairs.find((pair) => pair[from] === place && pair[to] !== null)?.[to];
    const line = match(table.aligned.rows, alone ? cursor.first : cursor.row);
    const col = match(table.aligned.cols, cursor.col) ?? 0;
    corner = null;
    if (line !== undefined) cursor = toFirst ? { row: null, first: line, col } : { row: line, first: null, col };
    else if (toFirst) cursor = { row: null, first: Math.min(headerRows(first), first.n_rows - 1), col };
  }

  function enter(entry) {
    sheet = apply(sheet, entry.edit);
    history = [...history, entry];
    table = shifted(table, entry.edit);
    pending = [...pending, entry.edit];
  }

  // Told once at the end where several changes are one thing to the person: each telling draws the table.
  function tell(what) {
    if (held) held.add(what);
    else changed(what);
  }

  const desk = {
    /** Do several changes and tell of them once; gives what `act` gives. */
    together(act) {
      if (held) return act();
      held = new Set();
      try {
        return act();
      } finally {
        const told = held;
        held = null;
        if (told.size) changed(told.has("board") ? "board" : [...told][0], { moved: told.has("cursor") });
      }
    },

    get table() { return table; },
    get sheet() { return sheet; },
    get board() { return board; },
    get cursor() { return cursor; },
    get corner() { return corner; },
    get revision() { return revision; },
    get mode() { return shownAs; },
    get byRisk() { return byRisk; },
    get readOnly() { return Boolean(desk.whyReadOnly); },
    /** Why nothing can be changed now, and what to do; "" where it can. */
    get whyReadOnly() {
      if (table.status !== "open") return "This table is accepted. Reopen it to change it.";
      return table.lease ? `${table.lease.person} has this table. Take it over to change it.` : "";
    },
    get history() { return history; },

    /** The anchor of the selected cell. */
    get selected() { return anchorOf(board, cursor); },

    /** The selected rectangle in gold; null while the cursor stands on a row of the first extraction. */
    get rect() {
      return cursor.row === null ? null : rectBetween(sheet, corner?.row != null ? corner : cursor, cursor);
    },

    get selectedCells() { return desk.rect ? cellsIn(sheet, desk.rect) : []; },

    select(next, { extend = false } = {}) {
      corner = extend && next.row !== null && cursor.row !== null ? corner ?? cursor : null;
      cursor = next;
      tell("cursor");
    },

    show(next) {
      if (next === "first" && !first) return say("There is no first extraction for this table.");
      if ((next === "first") !== (shownAs === "first")) crossOver(next === "first");
      shownAs = next;
      rebuild();
      tell("board");
      return undefined;
    },

    order(next) {
      byRisk = next;
      tell("board");
    },

    doubts: () => openDoubts(board, byRisk),

    /** Make an edit: at once here, and into the outbox. False, with words to the person, where it does not fit. */
    commit(action, { undoes = null, follow = false } = {}) {
      if (action.refused) return say(action.refused), false;
      if (desk.readOnly) return say(desk.whyReadOnly), false;
      say("");
      const where = whereOf(sheet, action.edit);
      const after = revision + pending.length;
      const prior = history.at(-1)?.id ?? null;
      const entry = { id: newId(), edit: action.edit, undoes, source: action.source, person, at: new Date().toISOString() };
      try {
        enter(entry);
      } catch (wrong) {
        say(wrong.message);
        return false;
      }
      if (follow) {
        cursor = place(action.edit);
        corner = null;
      }
      keep({ ...entry, after, prior, where, active_ms: spent() });
      rebuild();
      made(entry);
      tell("board");
      if (action.note) say(action.note);
      return true;
    },

    undo() {
      const entry = stacks(history, person).undo.at(-1);
      if (!entry) return say("There is nothing to undo.");
      return desk.commit({ source: "undo", edit: inverse(entry.edit, sheet) }, { undoes: entry.id, follow: true });
    },

    redo() {
      const entry = stacks(history, person).redo.at(-1);
      if (!entry) return say("There is nothing to redo.");
      return desk.commit({ source: "redo", edit: inverse(entry.edit, sheet) }, { undoes: entry.id, follow: true });
    },

    /** Edits of the outbox that the server has not seen, made again after a reload; throws where one does not fit. */
    replay(entries) {
      const before = { sheet, history, table, pending };
      try {
        entries.forEach((entry, index) => {
          // Its number alone does not tell: an edit of somebody else may have come in the place of one that was refused.
          const follows = entry.prior === undefined || entry.prior === (history.at(-1)?.id ?? null);
          if (entry.after !== revision + index || !follows) throw new Error("The table was changed since these edits were made.");
          enter({ ...entry, person });
        });
      } catch (wrong) {
        ({ sheet, history, table, pending } = before);
        throw wrong;
      } finally {
        rebuild();
      }
    },

    /** The server stored a batch: its row alignment, doubts and checks replace ours, moved by what is still waiting. */
    acknowledge(answer) {
      pending = pending.slice(answer.revision - revision);
      revision = answer.revision;
      const now = { aligned: answer.aligned ?? { rows: [], cols: [] }, columns: answer.columns, doubts: answer.doubts, findings: answer.findings };
      const told = pending.reduce(shifted, { ...table, ...now });
      // What says the same stays the same value, so that nothing is drawn for it.
      for (const part of Object.keys(now)) if (JSON.stringify(told[part]) === JSON.stringify(table[part])) told[part] = table[part];
      table = told;
      rebuild();
      tell("board");
    },

    status(next) {
      const tables = table.tables.map((one) => (one.gold === table.gold ? { ...one, status: next } : one));
      table = { ...table, tables, status: next };
      tell("board");
    },

    /** Another person has the table now, `{person, since}`. */
    hold(lease) {
      table = { ...table, lease };
      tell("board");
    },

    /** What people say about this table: how many open threads stand where. */
    discuss(threads) {
      talk = threads;
      const comments = threads.filter(({ open }) => open).length;
      table = { ...table, tables: table.tables.map((one) => (one.gold === table.gold ? { ...one, comments } : one)) };
      rebuild();
    },

    /** True the first time that a cell counts as seen. */
    see(anchor) {
      const key = keyAt(sheet, anchor.row, anchor.col);
      if (seen.has(key)) return false;
      seen.add(key);
      tell("seen");
      return true;
    },

    isSeen: ({ row, col }) => seen.has(keyAt(sheet, row, col)),

    /** A cursor on the cell with these ids; null where it is gone. */
    find(rowId, colId) {
      const [row, col] = [sheet.row_ids.indexOf(rowId), sheet.col_ids.indexOf(colId)];
      return row < 0 || col < 0 || !at(sheet, row, col) ? null : { row, first: null, col };
    },
  };
  rebuild();
  return desk;
}
