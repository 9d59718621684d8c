/** Makes and paints the rows and cells of the grid; what is there already is kept and repainted only where it changed. */

import { counted, h } from "./dom.js";
import { keyOf } from "./keymap.js";
import { at } from "./sheet.js";
import { cellUnder, cursorOn } from "./moves.js";
import { partAt } from "./stretches.js";
import { lookOf } from "./looks.js";

const ROW_TAGS = { missed: "missed", extra: "extra", duplicate: "duplicate" };
const MOST_COLUMNS_OF_GAP = 1000; // HTML's own limit of a colspan

const nameOf = ({ row, first, col }) => (row === null ? `f:${first},${col}` : `g:${row},${col}`);

/** The lasting name of a line: its row id, or the number of a row of the first extraction. */
export const keyOfLine = (board, { gold, first }) => (gold === null ? first : board.sheet.row_ids[gold]);

/** Bring the children of an element to those wanted: what stays is not moved, so that it keeps the focus. */
export function settle(parent, wanted) {
  const staying = new Set(wanted);
  for (const child of [...parent.children]) if (!staying.has(child)) child.remove();
  wanted.forEach((child, index) => parent.children[index] === child || parent.insertBefore(child, parent.children[index] ?? null));
}

/** `onTakeRow(firstRow)` when a person takes a row of the first extraction into gold by mouse. */
export function createCells({ onTakeRow }) {
  let board = null;
  let form = false;
  let rows = new Map(); // key -> {tr, gutter, words, cells: column or line -> entry}
  let old = rows;
  let entries = new Map(); // name of a cell's anchor -> its entries: two, where it is drawn in two stretches
  const entryOfTd = new WeakMap();

  const anchorOf = (line, one, col) => (one ? cursorOn(line.gold === null ? { gold: null, first: one.row } : { gold: one.row }, one.col) : cursorOn(line, col));

  function rowOf(key, index, kind) {
    const row = old.get(key) ?? { tr: h("tr", { role: "row" }), gutter: null, words: "", cells: new Map() };
    rows.set(key, row);
    const name = `line${kind && ` line-${kind}`}`;
    if (row.tr.className !== name) row.tr.className = name;
    if (row.index !== index) row.tr.setAttribute("aria-rowindex", (row.index = index) + 1);
    return row;
  }

  /** The row of a line. `lines` is the stretch of lines that it stands in, `stretches` those of the columns. */
  function lineOf(line, index, lines, stretches) {
    const row = rowOf(keyOfLine(board, line), index, board.first ? line.kind : "matched");
    if (line.gold === null) row.tr.dataset.firstRow = line.first;
    const before = row.cells;
    row.cells = new Map();
    const children = [gutterOf(row, line)];
    let end = 0;
    for (const cols of stretches) {
      children.push(...gaps("td", cols[0] - end));
      for (let col = cols[0]; col < cols[1]; col += 1) {
        const entry = entryAt(row.cells, before, { line, index, lines, col, cols });
        if (entry) children.push(entry.td);
      }
      end = cols[1];
    }
    settle(row.tr, [...children, ...gaps("td", board.nCols - end)]);
    return row.tr;
  }

  /** The entry of a position; null where a merged cell covers it that another position draws. */
  function entryAt(cells, before, place) {
    const { line, index, col } = place;
    const one = cellUnder(board, cursorOn(line, col));
    const top = one ? index - ((line.gold ?? line.first) - one.row) : index;
    const part = partAt({ ...place, line: index }, { top, height: one?.row_span ?? 1, left: one?.col ?? col, width: one?.col_span ?? 1 });
    if (!part) return null;
    const here = form ? index : col;
    const [down, across] = form ? [part[1], part[0]] : part;
    const header = one?.header || (line.kind === "header" ? "column" : "");
    const single = line.gold === null && board.mode !== "first" ? true : one?.col_span === 1;
    const looks = [header, board.numeric[col] && single, board.short[col] && header !== "column"];
    const shape = [line.gold === null, down, across, here, looks, board.table.status].join();
    let entry = before.get(here);
    // A cell that is being edited stays as it is until the editor closes.
    if (!entry || (entry.shape !== shape && !entry.td.classList.contains("editing"))) entry = { td: tdOf(line, here, [down, across], looks), shape, painted: null };
    Object.assign(entry, { line: index, down: part[0], col, across: part[1], place: cursorOn(line, col), anchor: anchorOf(line, one, col) });
    if (line.gold !== null) Object.assign(entry.td.dataset, { row: entry.anchor.row, col: entry.anchor.col });
    entryOfTd.set(entry.td, entry);
    cells.set(here, entry);
    const name = nameOf(entry.anchor);
    entries.set(name, [...(entries.get(name) ?? []), entry]);
    if (entry.board !== board) paint(entry);
    return entry;
  }

  function tdOf(line, here, [down, across], [header, number, short]) {
    const role = header === "column" ? "columnheader" : header === "row" ? "rowheader" : "gridcell";
    const locked = line.gold === null || board.table.status !== "open";
    const td = h("td", { role, tabindex: "-1", "aria-colindex": here + (form ? 1 : 2), "aria-selected": "false", "aria-readonly": locked ? "true" : null, dir: "auto" });
    if (down > 1) td.rowSpan = down;
    if (across > 1) td.colSpan = across;
    td.className = [header && "header", number && "number", short && "short", header === "column" && across > 1 && "across"].filter(Boolean).join(" ");
    return td;
  }

  /** True where anything is painted anew. */
  function paint(entry) {
    entry.board = board;
    const { td } = entry;
    if (td.classList.contains("editing")) return false;
    const look = lookOf(board, entry.anchor);
    const painted = JSON.stringify(look);
    if (painted === entry.painted) return false;
    entry.painted = painted;
    td.textContent = look.text;
    if (look.label) td.append(h("span", { class: "label", dir: "auto" }, look.label));
    if (look.under !== null) {
      const empty = look.under === "";
      td.append(h("del", { class: empty ? "first empty" : "first", title: "First extraction", dir: "auto" }, empty ? "empty" : look.under));
    }
    if (look.comments) td.append(h("span", { class: "talk-mark", title: `${counted(look.comments, "open comment")} (${keyOf("comment")})` }));
    td.dataset.level = look.level;
    td.dataset.state = look.state;
    if (look.title) td.title = look.title;
    else td.removeAttribute("title");
    td.classList.toggle("doubt", look.doubt);
    td.classList.toggle("wrong", look.wrong);
    td.classList.toggle("hole", look.hole);
    return true;
  }

  const numberOf = (line) => (line.kind === "header" ? "" : String((line.gold ?? line.first) - board.headers + 1));

  function gutterOf(row, line) {
    const tag = board.first ? ROW_TAGS[line.kind] ?? "" : "";
    const takes = line.gold === null && board.mode === "aligned" && board.table.status === "open";
    const number = line.gold !== null || board.mode === "first" ? numberOf(line) : "";
    const words = [line.kind === "header", number, tag, takes].join();
    if (row.gutter && row.words === words) return row.gutter;
    const th = h("th", { role: "rowheader", class: "gutter", scope: "row", "aria-colindex": "1", "aria-label": line.kind === "header" ? "Header" : null }, number);
    if (tag) th.append(h("span", { class: "tag" }, tag));
    if (takes) th.append(h("button", { class: "take", tabindex: "-1", title: `Take this row into gold (${keyOf("takeFirst")})`, onclick: () => onTakeRow(line.first) }, "take"));
    Object.assign(row, { gutter: th, words });
    return th;
  }

  /** A form lies on its side: one row per field, its label first; edits keep the true rows and columns. */
  function fieldOf(col) {
    const row = rowOf(`field ${col}`, col, "");
    const before = row.cells;
    row.cells = new Map();
    const whole = { lines: [0, board.lines.length], cols: [0, board.nCols] };
    const drawn = board.lines.map((line, index) => entryAt(row.cells, before, { line, index, col, ...whole })).filter(Boolean);
    for (const { td, place } of drawn) td.classList.toggle("alone", place.row === null);
    settle(row.tr, drawn.map(({ td }) => td));
    return row.tr;
  }

  function headOfForm() {
    return board.lines.map((line) => {
      const th = gutterOf({}, line);
      th.className = "gutter turned";
      th.setAttribute("scope", "col");
      th.setAttribute("role", "columnheader");
      if (line.gold !== null) th.replaceChildren(line.kind === "header" ? "Field" : "Value");
      return th;
    });
  }

  return {
    lineOf,
    fieldOf,
    headOfForm,

    /** A new drawing begins: rows that are not asked for in it are forgotten. */
    begin(next, isForm) {
      if (isForm !== form || (board && next.table.gold !== board.table.gold)) rows = new Map();
      board = next;
      form = isForm;
      old = rows;
      rows = new Map();
      entries = new Map();
    },

    /** The row of a line of the drawing; undefined where it is not drawn. */
    rowAt: (line) => rows.get(keyOfLine(board, line))?.tr,

    /** All entries of the drawing: `{td, line, down, col, across, place, anchor}`. */
    *all() {
      for (const same of entries.values()) yield* same;
    },

    /** The entry that draws a position of the cell under a cursor; else one of the same cell; null where none is drawn. */
    find(cursor, index) {
      const one = cellUnder(board, cursor);
      const line = cursor.row === null ? { gold: null, first: cursor.first } : { gold: cursor.row };
      const same = entries.get(nameOf(anchorOf(line, one, cursor.col))) ?? [];
      const within = ({ line: top, down, col, across }) => top <= index && index < top + down && col <= cursor.col && cursor.col < col + across;
      return same.find(within) ?? null;
    },

    /** The same rows and cells with other texts and looks; the numbers of the lines in which something was painted. */
    refresh(next) {
      board = next;
      const lines = new Set();
      for (const same of entries.values()) for (const entry of same) if (paint(entry)) lines.add(entry.line);
      return [...lines];
    },

    repaint(cursor) {
      for (const entry of entries.get(nameOf(cursor)) ?? []) paint(entry);
    },

    /** The cursor of the cell in which an event happened; null outside of cells. */
    cursorAt: (event) => entryOfTd.get(event.target.closest?.("td"))?.place ?? null,
  };
}

/** Stand-ins for columns that are not drawn. */
export function gaps(tag, columns) {
  const made = [];
  for (let left = columns; left > 0; left -= MOST_COLUMNS_OF_GAP) {
    made.push(h(tag, { class: "gap", "aria-hidden": "true", colspan: Math.min(left, MOST_COLUMNS_OF_GAP) }));
  }
  return made;
}

/** Whether a merged cell goes on from the first `count` lines into those below. */
export function goesOn(board, count) {
  const last = board.lines[count - 1];
  const row = board.mode === "first" ? last.first : last.gold;
  for (let col = 0; col < board.nCols; col += 1) {
    const one = at(board.shown, row, col);
    if (one && one.row + one.row_span - 1 > row) return true;
  }
  return false;
}
