/** Draws the table: gold with the first values, merged cells, badges and states; repaints only what changed. */

import { h } from "./dom.js";
import { keyOf } from "./keymap.js";
import { at } from "./sheet.js";
import { badgeOfFirst, columnLabel, findingsAt, rowLabel, storyOf } from "./board.js";
import { cellUnder, cursorOn, lineIndex } from "./moves.js";

/** What a person reads for a level: a shape and a letter in the cell, a word elsewhere. */
export const LEVELS = {
  high: { sign: "●H", word: "High" },
  medium: { sign: "◐M", word: "Medium" },
  low: { sign: "▲L", word: "Low" },
  none: { sign: "○", word: "No score" },
};
export const STATES = {
  unseen: { sign: "", word: "not looked at" },
  seen: { sign: "", word: "seen" },
  confirmed: { sign: "✓", word: "confirmed" },
  edited: { sign: "✎", word: "edited" },
  unreadable: { sign: "?", word: "unreadable" },
  absent: { sign: "∅", word: "absent on purpose" },
};
const ROW_TAGS = { missed: "missed", extra: "extra", duplicate: "duplicate" };

/** `onTakeRow(firstRow)` when a person takes a row of the first extraction into gold by mouse. */
export function createGrid({ onTakeRow }) {
  const table = h("table", { role: "grid", class: "grid", "aria-label": "Gold table" });
  // The style sheet writes the signs: a text taken from an attribute would be styled anew with every attribute.
  for (const [level, { sign }] of Object.entries(LEVELS)) table.style.setProperty(`--level-${level}`, JSON.stringify(sign));
  for (const [state, { sign }] of Object.entries(STATES)) table.style.setProperty(`--state-${state}`, JSON.stringify(sign));
  const element = h("div", { class: "grid-pane", "data-area": "table", "data-testid": "grid" }, table);
  let board = null;
  let drawnShape = "";
  let tds = new Map(); // "g:row,col" or "f:row,col" -> {td, painted, cursor}
  let rows = new Map(); // row id -> {tr, form}, of tables that do not lie on their side
  const entries = new WeakMap(); // td -> its entry in tds
  let tabStop = null;
  let selected = [];
  let here = null; // the number of the selected row

  const nameOf = ({ row, first, col }) => (row === null ? `f:${first},${col}` : `g:${row},${col}`);

  function shapeOf(next, form, rtl) {
    const cells = next.shown.cells.map((one) => `${one.row},${one.col},${one.row_span},${one.col_span},${one.header}`);
    const lines = next.lines.map(({ gold, first, kind }) => `${gold},${first},${kind}`);
    const columns = next.table.columns.map((column) => column?.label ?? "");
    return [next.mode, form, rtl, next.shown.n_rows, next.nCols, next.table.status, next.numeric, next.short, columns, lines, cells].join(" ");
  }

  function rebuild(form, rtl) {
    tds = new Map();
    table.className = `grid${form ? " form" : ""}`;
    table.dir = rtl ? "rtl" : "ltr";
    table.setAttribute("aria-rowcount", board.lines.length);
    table.setAttribute("aria-colcount", board.nCols);
    table.toggleAttribute("aria-readonly", board.mode === "first");
    const old = rows;
    rows = new Map();
    if (form) return table.replaceChildren(...formParts());
    const frozen = frozenLines();
    const drawn = board.lines.map((line, index) => keptLine(old, line, index) ?? lineOf(line, index));
    if (!table.tHead || !old.size) table.replaceChildren(h("thead"), h("tbody"));
    settle(table.tHead, [board.headers ? null : names(), ...drawn.slice(0, frozen)].filter(Boolean));
    return settle(table.tBodies[0], drawn.slice(frozen));
  }

  // Rows that are there already stay where they are: the browser lays out anew only what came or went.
  function settle(part, wanted) {
    const staying = new Set(wanted);
    for (const tr of [...part.children]) if (!staying.has(tr)) tr.remove();
    wanted.forEach((tr, index) => part.children[index] === tr || part.insertBefore(tr, part.children[index] ?? null));
  }

  const keyOfLine = ({ gold, first }) => (gold === null ? `f:${first}` : `g:${board.sheet.row_ids[gold]}`);

  /** All that a row's elements depend on, beside the texts and the place. */
  function formOf(line) {
    const cells = Array.from({ length: board.nCols }, (_, col) => {
      const one = cellUnder(board, cursorOn(line, col));
      const isAnchor = !one || (one.col === col && one.row === (line.gold ?? line.first));
      return isAnchor ? `${one?.row_span},${one?.col_span},${one?.header},${board.numeric[col]},${board.short[col]}` : "";
    });
    return [board.mode, board.table.gold, board.table.status, line.kind, Boolean(board.first), cells].join(" ");
  }

  /** The row of the drawing before, moved to its present place; null where it has to be drawn anew. */
  function keptLine(old, line, index) {
    const kept = old.get(keyOfLine(line));
    if (!kept || kept.form !== formOf(line)) return null;
    rows.set(keyOfLine(line), kept);
    const { tr } = kept;
    tr.setAttribute("aria-rowindex", index + 1);
    const [number] = tr.firstChild.childNodes;
    if (number instanceof Text) number.data = numberOf(line);
    for (const td of [...tr.children].slice(1)) {
      const entry = entries.get(td);
      entry.cursor = cursorOn(line, entry.cursor.col);
      if (line.gold !== null) td.dataset.row = line.gold;
      tds.set(nameOf(entry.cursor), entry);
      paint(entry.cursor);
    }
    return tr;
  }

  // Header rows stay in sight while the rest scrolls, unless a merged cell goes on from them into the data.
  function frozenLines() {
    let count = 0;
    while (count < board.lines.length && board.lines[count].kind === "header") count += 1;
    const last = board.lines[count - 1];
    if (!last) return 0;
    const lastRow = board.mode === "first" ? last.first : last.gold;
    return board.shown.cells.some((one) => one.row <= lastRow && one.row + one.row_span - 1 > lastRow) ? 0 : Math.min(count, 6);
  }

  // A table without a header of its own is headed by the schema's names, else by letters.
  function names() {
    const cols = Array.from({ length: board.nCols }, (_, col) =>
      h("th", { class: "letter", scope: "col", title: columnNotes(board, col) }, columnLabel(board, col)));
    return h("tr", { class: "letters", "aria-hidden": "true" }, h("th", { class: "gutter" }), cols);
  }

  function lineOf(line, index) {
    const alone = line.gold === null;
    const tr = h("tr", { role: "row", "aria-rowindex": index + 1, class: `line line-${board.first ? line.kind : "matched"}` });
    if (alone) tr.dataset.firstRow = line.first;
    tr.append(gutter(line));
    for (let col = 0; col < board.nCols; col += 1) {
      const td = tdOf(line, col, false);
      if (td) tr.append(td);
    }
    rows.set(keyOfLine(line), { tr, form: formOf(line) });
    return tr;
  }

  const numberOf = (line) => (line.kind === "header" ? "" : String((line.gold ?? line.first) - board.headers + 1));

  function gutter(line) {
    const tag = board.first ? ROW_TAGS[line.kind] : null;
    const th = h("th", { role: "rowheader", class: "gutter", scope: "row", "aria-label": line.kind === "header" ? "Header" : null });
    if (line.gold !== null || board.mode === "first") th.append(numberOf(line));
    if (tag) th.append(h("span", { class: "tag" }, tag));
    if (line.gold === null && board.mode === "aligned" && board.table.status === "open") {
      const take = h("button", { class: "take", tabindex: "-1", title: `Take this row into gold (${keyOf("takeFirst")})` }, "take");
      take.addEventListener("click", () => onTakeRow(line.first));
      th.append(take);
    }
    return th;
  }

  /** The td of a position, or null where a merged cell that is anchored elsewhere covers it. */
  function tdOf(line, col, turned) {
    const cursor = cursorOn(line, col);
    const one = cellUnder(board, cursor);
    if (one && (one.col !== col || one.row !== (line.gold ?? line.first))) return null;
    const header = one?.header || (line.kind === "header" ? "column" : "");
    const role = header === "column" ? "columnheader" : header === "row" ? "rowheader" : "gridcell";
    const td = h("td", { role, tabindex: "-1", "aria-colindex": col + 1, "aria-selected": "false", dir: "auto" });
    const [down, across] = turned ? [one?.col_span, one?.row_span] : [one?.row_span, one?.col_span];
    if (down > 1) td.rowSpan = down;
    if (across > 1) td.colSpan = across;
    if (line.gold !== null) Object.assign(td.dataset, { row: line.gold, col });
    if (line.gold === null) td.setAttribute("aria-readonly", "true");
    td.classList.toggle("header", Boolean(header));
    td.classList.toggle("number", board.numeric[col] && one?.col_span === 1);
    td.classList.toggle("short", board.short[col] && header !== "column");
    td.classList.toggle("across", header === "column" && across > 1);
    const entry = { td, painted: null, cursor };
    tds.set(nameOf(cursor), entry);
    entries.set(td, entry);
    paint(cursor);
    return td;
  }

  // A form lies on its side: one line per field, its label first; edits keep the true rows and columns.
  function formParts() {
    const alone = board.lines.filter(({ gold }) => gold === null);
    const rows = Array.from({ length: board.nCols }, (_, col) => {
      const tr = h("tr", { role: "row", class: "line", "aria-rowindex": col + 1 });
      for (const line of board.lines) {
        const td = tdOf(line, col, true);
        if (td && line.gold === null) td.classList.add("alone");
        if (td) tr.append(td);
      }
      return tr;
    });
    const body = h("tbody", {}, rows);
    if (!alone.length || board.mode === "first") return [body];
    const heads = board.lines.map((line) => {
      const th = gutter(line);
      th.className = "gutter turned";
      if (line.gold !== null) th.replaceChildren(line.kind === "header" ? "Field" : "Value");
      return th;
    });
    return [h("thead", {}, h("tr", { class: "letters" }, heads)), body];
  }

  function lookOf(cursor) {
    if (cursor.row === null) {
      const firstCol = board.mode === "first" ? cursor.col : board.firstCol.get(cursor.col);
      const one = firstCol === undefined ? null : at(board.first, cursor.first, firstCol);
      const badge = one ? badgeOfFirst(board, one.row, one.col) : null;
      const level = one?.header && badge?.level === "none" ? "" : badge?.level ?? "";
      return { text: one?.text ?? "", label: "", under: null, level, title: badge?.reason ?? "", state: "", doubt: false, wrong: false, hole: !one };
    }
    const story = storyOf(board, cursor.row, cursor.col);
    const findings = findingsAt(board, cursor.row, cursor.col);
    const differs = board.mode === "aligned" && story.differs;
    const header = Boolean(story.cell?.header);
    const isLast = header && story.cell.header === "column" && cursor.row + story.cell.row_span === board.headers && story.cell.col_span === 1;
    return {
      text: story.cell?.text ?? "",
      label: isLast ? otherName(board, cursor.col, story.cell.text) : "",
      under: differs ? story.firstText : null,
      level: !board.first || (header && story.level === "none") ? "" : story.level,
      title: [isLast && columnNotes(board, cursor.col), ...story.reasons, ...findings.map(({ message }) => message)].filter(Boolean).join("\n"),
      state: story.state,
      doubt: story.doubtful,
      wrong: findings.some(({ row, col }) => row !== null && col !== null),
      hole: !story.cell,
    };
  }

  function paint(cursor) {
    const entry = tds.get(nameOf(cursor));
    if (!entry || entry.td.classList.contains("editing")) return;
    const look = lookOf(cursor);
    const painted = JSON.stringify(look);
    if (painted === entry.painted) return;
    entry.painted = painted;
    const { td } = entry;
    td.textContent = look.text;
    if (look.label) td.append(h("span", { class: "label", dir: "auto" }, look.label));
    if (look.under !== null) {
      const empty = look.under === "";
      td.append(h("del", { class: empty ? "first empty" : "first", title: "First extraction", dir: "auto" }, empty ? "empty" : look.under));
    }
    td.dataset.level = look.level;
    td.dataset.state = look.state;
    if (look.title) td.title = look.title;
    else td.removeAttribute("title");
    td.classList.toggle("doubt", look.doubt);
    td.classList.toggle("wrong", look.wrong);
    td.classList.toggle("hole", look.hole);
  }

  function entryOf(cursor) {
    const one = cellUnder(board, cursor);
    const anchor = one ? (cursor.row === null ? { ...cursor, first: one.row, col: one.col } : { ...cursor, row: one.row, col: one.col }) : cursor;
    return tds.get(nameOf(anchor)) ?? null;
  }

  return {
    element,

    /** Bring the table up to the board; a change of its shape while a cell is edited waits for the next call. */
    draw(next, { form, rtl, editing }) {
      board = next;
      const shape = shapeOf(next, form, rtl);
      if (shape !== drawnShape && !editing) {
        drawnShape = shape;
        rebuild(form, rtl);
      } else {
        for (const { cursor } of tds.values()) if (lineIndex(board, cursor) >= 0) paint(cursor);
      }
      table.classList.toggle("plain", board.plain);
    },

    repaint: paint,

    /** Show the selection; the selected cell becomes the tab stop, is scrolled into view and takes the focus. */
    select(cursor, cells, { focus }) {
      for (const td of selected) {
        td.classList.remove("selected", "ranged");
        td.setAttribute("aria-selected", "false");
      }
      here?.classList.remove("here");
      selected = cells.map(({ row, col }) => tds.get(`g:${row},${col}`)?.td).filter(Boolean);
      if (selected.length > 1) for (const td of selected) td.classList.add("ranged");
      const entry = entryOf(cursor);
      if (tabStop) tabStop.tabIndex = -1;
      tabStop = entry?.td ?? null;
      if (!tabStop) return;
      if (!selected.includes(tabStop)) selected.push(tabStop);
      for (const td of selected) td.setAttribute("aria-selected", "true");
      tabStop.classList.add("selected");
      here = tabStop.parentElement.querySelector(".gutter");
      here?.classList.add("here");
      tabStop.tabIndex = 0;
      if (focus) tabStop.focus({ preventScroll: true });
      reveal(tabStop);
    },

    tdAt: (cursor) => entryOf(cursor)?.td ?? null,

    /** The cursor of the cell in which an event happened; null outside of cells. */
    cursorAt: (event) => entries.get(event.target.closest?.("td"))?.cursor ?? null,
  };

  // scrollIntoView would also scroll the page around the component, and hides the cell under the sticky header.
  function reveal(td) {
    const pane = element.getBoundingClientRect();
    const box = td.getBoundingClientRect();
    const head = td.closest("thead") ? 0 : table.tHead?.offsetHeight ?? 0;
    const gutterWide = table.querySelector("th.gutter")?.offsetWidth ?? 0;
    const [left, right] = table.dir === "rtl" ? [0, gutterWide] : [gutterWide, 0];
    if (box.top < pane.top + head) element.scrollTop -= pane.top + head - box.top;
    else if (box.bottom > pane.bottom - 12) element.scrollTop += Math.min(box.bottom - pane.bottom + 12, box.top - pane.top - head);
    if (box.left < pane.left + left) element.scrollLeft -= pane.left + left - box.left;
    else if (box.right > pane.right - right - 12) element.scrollLeft += box.right - pane.right + right + 12;
  }
}

/** "Amount: currency, key, required" */
function columnNotes(board, col) {
  const column = board.mode === "first" ? null : board.table.columns[col];
  const notes = [column?.type, column?.key && "key", column?.required && "required"].filter(Boolean).join(", ");
  return column ? `${columnLabel(board, col)}${notes && `: ${notes}`}` : "";
}

/** The schema's label of a column where its header says something else; a key such as `net_amount` says the same. */
function otherName(board, col, header) {
  const folded = (text) => text.toLowerCase().replace(/[\s_-]+/gu, " ").trim();
  const column = board.table.columns[col];
  const label = column?.label || column?.name || "";
  return label && folded(label) !== folded(header) ? label : "";
}

/** "Row 3, Amount" */
export const placeOf = (board, { row, first, col }) =>
  `${row === null ? `First row ${first - board.headers + 1}` : rowLabel(board, row)}, ${columnLabel(board, col)}`;
