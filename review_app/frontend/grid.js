/** The table on the screen: gold with the first values; of a large one only what is in sight is drawn. */

import { h } from "./dom.js";
import { columnLabel, columnNotes } from "./board.js";
import { cellUnder, lineIndex } from "./moves.js";
import { createCells, gaps, goesOn, keyOfLine, settle } from "./cells.js";
import { inSight, isLarge, isWide, placeAt, runsOut, trackOf, widened, withPlace } from "./stretches.js";
import { LEVELS, STATES } from "./looks.js";
import { createWidths } from "./widths.js";

const MARGIN_LINES = 12;
const MARGIN_COLUMNS = 6;
const MOST_FROZEN = 6;
const USUAL_HEIGHT_PX = 26;
const ROOM_PX = 12; // between the selected cell and the edge of the pane

/** `onTakeRow(firstRow)` when a person takes a row of the first extraction into gold by mouse. */
export function createGrid({ onTakeRow }) {
  const table = h("table", { role: "grid", class: "grid", "aria-label": "Gold table", "aria-multiselectable": "true" });
  // The style sheet writes the signs: a text taken from an attribute would be styled anew with every attribute.
  for (const [level, { sign }] of Object.entries(LEVELS)) table.style.setProperty(`--level-${level}`, JSON.stringify(sign));
  for (const [state, { sign }] of Object.entries(STATES)) table.style.setProperty(`--state-${state}`, JSON.stringify(sign));
  const [columns, head, body] = [h("colgroup"), h("thead", { role: "rowgroup" }), h("tbody", { role: "rowgroup" })];
  table.append(head, body);
  const element = h("div", { class: "grid-pane", "data-area": "table", "data-testid": "grid" }, table);
  const cells = createCells({ onTakeRow });
  const widths = createWidths(element);
  let board = null;
  let form = false;
  let plan = { large: false, wide: false, frozen: 0 };
  let heights = new Map(); // key of a line -> its height, of those that were drawn once
  let drawn = { lines: [0, 0], cols: [0, 0], stretches: [] }; // the window of a large table, and the lines in the page
  let cursor = null;
  let chosen = new Set(); // the selected cells, drawn or not
  let marked = new Set(); // tds that show the selection
  let tabStop = null;
  let here = null; // the number of the selected row
  let letters = null;
  let plannedFor = []; // what the plan depends on

  // --- where everything stands, in a large table ---------------------------------------------------------------

  const keyAt = (index) => keyOfLine(board, board.lines[index]);

  function planned(isRtl) {
    const [count, cols] = [board.lines.length, board.nCols];
    const large = !form && isLarge(count, cols);
    plan = { large, wide: large && isWide(count, cols), frozen: form ? 0 : frozenLines() };
    table.dir = element.dir = isRtl ? "rtl" : "ltr";
    table.classList.toggle("form", form);
    table.classList.toggle("windowed", large);
    element.classList.toggle("steady", large);
    table.setAttribute("aria-rowcount", form ? cols : count);
    table.setAttribute("aria-colcount", form ? count : cols + 1);
    if (board.mode === "first" || board.table.status !== "open") table.setAttribute("aria-readonly", "true");
    else table.removeAttribute("aria-readonly");
    if (large) return columnsPlanned();
    columns.remove();
    table.style.width = "";
    return undefined;
  }

  function columnsPlanned() {
    const all = widths.of(board);
    plan.gutter = all[0];
    plan.colStarts = trackOf(board.nCols, (col) => all[col + 1]);
    track();
    if (columns.isConnected && String(all) === columns.dataset.widths) return;
    columns.dataset.widths = all;
    columns.replaceChildren(...all.map((width) => h("col", { style: `width:${width}px` })));
    table.prepend(columns);
    table.style.width = `max(100%, ${plan.gutter + plan.colStarts[board.nCols]}px)`;
  }

  function track() {
    plan.rowStarts = trackOf(board.lines.length - plan.frozen, (at) => heights.get(keyAt(at + plan.frozen)) ?? USUAL_HEIGHT_PX);
  }

  // Header rows stay in sight while the rest scrolls, unless a merged cell goes on from them into the data.
  function frozenLines() {
    let count = 0;
    while (count < Math.min(board.lines.length, MOST_FROZEN) && board.lines[count].kind === "header") count += 1;
    return count && !goesOn(board, count) ? count : 0;
  }

  /** The lines and columns that can be seen now, as stretches of the whole table. */
  function seen() {
    const room = Math.min(element.clientHeight, innerHeight) - head.offsetHeight;
    const lines = inSight(plan.rowStarts, element.scrollTop, element.scrollTop + room);
    const start = Math.abs(element.scrollLeft);
    const across = Math.min(element.clientWidth, innerWidth) - plan.gutter;
    return { lines: lines.map((at) => at + plan.frozen), cols: plan.wide ? inSight(plan.colStarts, start, start + across) : [0, board.nCols] };
  }

  const isShort = () => {
    const { lines, cols } = seen();
    return runsOut(lines, drawn.lines, MARGIN_LINES, plan.frozen, board.lines.length) || (plan.wide && runsOut(cols, drawn.cols, MARGIN_COLUMNS, 0, board.nCols));
  };

  // --- drawing -------------------------------------------------------------------------------------------------

  function drawAll() {
    cells.begin(board, form);
    if (form) {
      const names = board.lines.some(({ gold }) => gold === null) && board.mode !== "first";
      head.replaceChildren(...(names ? [h("tr", { class: "letters", role: "row" }, cells.headOfForm())] : []));
      settle(body, Array.from({ length: board.nCols }, (_, col) => cells.fieldOf(col)));
    } else {
      drawStretches([[plan.frozen, board.lines.length]], [[0, board.nCols]]);
    }
    mark();
  }

  function drawStretches(stretches, cols) {
    const { frozen } = plan;
    const lines = ([from, to]) => board.lines.slice(from, to).map((line, at) => cells.lineOf(line, from + at, [from, to], cols));
    settle(head, [board.headers ? null : namesOf(cols), ...lines([0, frozen])].filter(Boolean));
    const parts = [];
    let end = frozen;
    for (const stretch of stretches) {
      if (stretch[0] > end) parts.push(spacer(end, stretch[0]));
      parts.push(...lines(stretch));
      end = stretch[1];
    }
    if (end < board.lines.length) parts.push(spacer(end, board.lines.length));
    settle(body, parts);
  }

  function spacer(from, to) {
    const height = plan.rowStarts[to - plan.frozen] - plan.rowStarts[from - plan.frozen];
    return h("tr", { class: "gap-row", "aria-hidden": "true", style: `height:${height}px` }, gaps("td", board.nCols + 1));
  }

  // What is drawn may be higher or lower than was thought: the line at the top of the pane stays where it is.
  function drawWindow() {
    const focused = tabStop !== null && tabStop.getRootNode().activeElement === tabStop;
    for (let turn = 0; turn < 3; turn += 1) {
      const anchor = seen().lines[0];
      const above = element.scrollTop - plan.rowStarts[anchor - plan.frozen];
      const lines = widened(seen().lines, MARGIN_LINES, plan.frozen, board.lines.length);
      const cols = plan.wide ? widened(seen().cols, MARGIN_COLUMNS, 0, board.nCols) : [0, board.nCols];
      const pinned = cursor && lineIndex(board, cursor) >= 0 ? lineIndex(board, cursor) : null;
      const stretches = withPlace(lines, pinned, plan.frozen, board.lines.length);
      drawn = { lines, cols, stretches };
      cells.begin(board, false);
      drawStretches(stretches, withPlace(cols, cursor?.col ?? null, 0, board.nCols));
      if (measured(stretches.flatMap(([from, to]) => board.lines.slice(from, to)))) {
        track();
        drawSpacers(stretches);
        const top = plan.rowStarts[anchor - plan.frozen] + above;
        if (element.scrollTop > 0 && Math.abs(top - element.scrollTop) >= 1) element.scrollTop = top;
      }
      if (!isShort()) break;
    }
    mark();
    // The part of a merged cell that had the focus may have been drawn anew.
    if (focused && tabStop?.getRootNode().activeElement !== tabStop) tabStop?.focus({ preventScroll: true });
  }

  /** Other texts and looks in the cells that are drawn: no line and no column comes or goes. */
  function refresh() {
    const wider = plan.large && widths.changed(board);
    const lines = cells.refresh(board).filter((index) => index >= plan.frozen);
    if (wider) {
      columnsPlanned();
      return drawWindow();
    }
    if (!plan.large || !lines.length) return undefined;
    const top = placeOfTop();
    if (!measured(lines.map((index) => board.lines[index]))) return undefined;
    track();
    drawSpacers(drawn.stretches);
    backTo(top);
    return isShort() && drawWindow();
  }

  function measured(lines) {
    let changed = false;
    for (const line of lines) {
      const key = keyOfLine(board, line);
      const { height } = cells.rowAt(line).getBoundingClientRect();
      if (height === (heights.get(key) ?? USUAL_HEIGHT_PX)) continue;
      heights.set(key, height);
      changed = true;
    }
    return changed;
  }

  function drawSpacers(stretches) {
    const ends = [plan.frozen, ...stretches.flat(), board.lines.length];
    const rooms = [];
    for (let at = 0; at < ends.length; at += 2) if (ends[at + 1] > ends[at]) rooms.push(plan.rowStarts[ends[at + 1] - plan.frozen] - plan.rowStarts[ends[at] - plan.frozen]);
    body.querySelectorAll(":scope > .gap-row").forEach((tr, index) => (tr.style.height = `${rooms[index]}px`));
  }

  /** The line at the top of the pane, and how far it is scrolled: lines above it may come and go. */
  function placeOfTop() {
    const index = placeAt(plan.rowStarts, element.scrollTop);
    return { key: keyAt(index + plan.frozen), above: element.scrollTop - plan.rowStarts[index] };
  }

  function backTo({ key, above }) {
    const index = plan.large ? board.lines.findIndex((line) => keyOfLine(board, line) === key) - plan.frozen : -1;
    if (index >= 0 && element.scrollTop > 0 && Math.abs(plan.rowStarts[index] + above - element.scrollTop) >= 1) element.scrollTop = plan.rowStarts[index] + above;
  }

  // A table without a header of its own is headed by the schema's names, else by letters.
  function namesOf(stretches) {
    const labels = stretches.map(([from, to]) => Array.from({ length: to - from }, (_, at) => columnLabel(board, from + at)));
    const said = JSON.stringify([stretches, labels, board.table.columns]);
    if (letters?.said === said) return letters.tr;
    const parts = [h("th", { class: "gutter" })];
    let end = 0;
    stretches.forEach(([from, to], index) => {
      parts.push(...gaps("th", from - end));
      parts.push(...labels[index].map((label, at) => h("th", { class: "letter", scope: "col", dir: "auto", title: columnNotes(board, from + at) }, label)));
      end = to;
    });
    letters = { said, tr: h("tr", { class: "letters", "aria-hidden": "true" }, parts, gaps("th", board.nCols - end)) };
    return letters.tr;
  }

  // --- the selection -------------------------------------------------------------------------------------------

  function mark() {
    const next = new Set();
    if (chosen.size) for (const { td, anchor } of cells.all()) if (anchor.row !== null && chosen.has(cellUnder(board, anchor))) next.add(td);
    const now = cursor && cells.find(cursor, lineIndex(board, cursor))?.td;
    if (now) next.add(now);
    for (const td of marked) {
      if (next.has(td)) continue;
      td.classList.remove("ranged");
      td.setAttribute("aria-selected", "false");
    }
    for (const td of next) {
      td.classList.toggle("ranged", chosen.size > 1);
      if (!marked.has(td)) td.setAttribute("aria-selected", "true");
    }
    marked = next;
    if (tabStop !== now) {
      tabStop?.classList.remove("selected");
      if (tabStop) tabStop.tabIndex = -1;
      tabStop = now ?? null;
    }
    if (!tabStop) return;
    tabStop.classList.add("selected");
    tabStop.tabIndex = 0;
    const number = form ? null : cells.rowAt(board.lines[lineIndex(board, cursor)])?.querySelector(".gutter");
    if (number === here) return;
    here?.classList.remove("here");
    number?.classList.add("here");
    here = number;
  }

  /** Scroll a large table so far that the cursor's line and column are drawn. */
  function bring(index) {
    const { frozen, rowStarts, colStarts } = plan;
    if (index >= frozen) {
      const [top, bottom] = [rowStarts[index - frozen], rowStarts[index - frozen + 1]];
      const room = element.clientHeight - head.offsetHeight - ROOM_PX;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (bottom > element.scrollTop + room) element.scrollTop = bottom - room;
    }
    if (!plan.wide) return;
    const way = element.dir === "rtl" ? -1 : 1;
    const start = Math.abs(element.scrollLeft);
    const room = element.clientWidth - plan.gutter - ROOM_PX;
    if (colStarts[cursor.col] < start) element.scrollLeft = way * colStarts[cursor.col];
    else if (colStarts[cursor.col + 1] > start + room) element.scrollLeft = way * (colStarts[cursor.col + 1] - room);
  }

  // scrollIntoView would also scroll the page around the component, and hides the cell under the sticky header.
  function reveal(td) {
    const { left: edge, top: roof } = element.getBoundingClientRect();
    const pane = { left: edge + element.clientLeft, right: edge + element.clientLeft + element.clientWidth, top: roof, bottom: roof + element.clientHeight };
    const above = td.closest("thead") ? 0 : head.offsetHeight;
    const gutterWide = table.querySelector("th.gutter:not(.turned)")?.offsetWidth ?? 0;
    const [left, right] = table.dir === "rtl" ? [0, gutterWide] : [gutterWide, 0];
    const whole = td.getBoundingClientRect();
    // Of a merged cell that is larger than the pane the row counts in which the cursor stands.
    const isTall = whole.height > pane.bottom - pane.top - above;
    const box = (isTall && !form && cells.rowAt(board.lines[lineIndex(board, cursor)]) || td).getBoundingClientRect();
    if (box.top < pane.top + above) element.scrollTop -= pane.top + above - box.top;
    else if (box.bottom > pane.bottom - ROOM_PX) element.scrollTop += Math.min(box.bottom - pane.bottom + ROOM_PX, box.top - pane.top - above);
    if (whole.width > pane.right - pane.left - gutterWide) return;
    if (whole.left < pane.left + left) element.scrollLeft -= pane.left + left - whole.left;
    else if (whole.right > pane.right - right - ROOM_PX) element.scrollLeft += Math.min(whole.right - pane.right + right + ROOM_PX, whole.left - pane.left - left);
  }

  element.addEventListener("scroll", () => plan.large && isShort() && drawWindow(), { passive: true });
  new ResizeObserver(() => {
    if (!plan.large) return;
    columnsPlanned();
    drawWindow();
  }).observe(element);

  return {
    element,

    /** Bring the table up to the board. A cell that is being edited stays as it is until the next call. */
    draw(next, { form: isForm, rtl, editing }) {
      const other = board?.table.gold !== next.table.gold || board.mode !== next.mode;
      if (other) {
        heights = new Map();
        [cursor, chosen] = [null, new Set()];
      }
      const { sheet, lines, numeric, short, table: { gold, columns: named, status } } = next;
      const wanted = [gold, next.mode, sheet.shape, lines, numeric, short, named, status, isForm, rtl];
      const same = wanted.every((part, index) => part === plannedFor[index]);
      const place = plan.large && !other && !same ? placeOfTop() : null;
      board = next;
      form = isForm;
      table.classList.toggle("plain", board.plain);
      if (same) return void refresh();
      planned(rtl);
      plannedFor = editing ? [] : wanted; // a cell that is being edited stays as it is, and is brought up to this later
      if (form && editing) return;
      if (place) backTo(place);
      if (plan.large) drawWindow();
      else drawAll();
    },

    repaint: cells.repaint,

    /** Show the selection; the selected cell becomes the tab stop, is scrolled into view and takes the focus. */
    select(next, some, { focus }) {
      cursor = next;
      chosen = new Set(some);
      const index = lineIndex(board, cursor);
      if (plan.large && index >= 0) {
        if (!cells.find(cursor, index)) bring(index);
        if (!cells.find(cursor, index)) drawWindow();
      }
      if (index === 0 && cursor.col === 0) element.scrollTo(0, 0); // frozen, it is always in sight: Ctrl+Home means the start
      mark();
      if (!tabStop) return;
      if (focus) tabStop.focus({ preventScroll: true });
      reveal(tabStop);
    },

    tdAt: (at) => cells.find(at, lineIndex(board, at))?.td ?? null,

    cursorAt: cells.cursorAt,

    /** How many lines one press of a page key passes. */
    linesInSight() {
      const height = body.offsetHeight / Math.max(1, form ? board.nCols : board.lines.length - plan.frozen);
      return Math.max(1, Math.floor((element.clientHeight - head.offsetHeight) / Math.max(1, height)) - 1);
    },
  };
}
