/** What stands where on the screen: gold rows with their matched first rows, first rows alone, and each cell's story. */

import { at, headerRows, keyAt, markAt, movedPlace } from "./sheet.js";

const NUMERIC = new Set(["integer", "number", "currency", "percent", "quantity"]);
const SHORT = 16;
const LOOKS_NUMERIC = /^[\s(+\-−]*[\p{Sc}]?[\s\d.,'’٠-٩]*[\d٠-٩][\s\d.,'’٠-٩)%‰\-]*[\p{Sc}]?(?:\s?[A-Z]{3})?$/u;

/**
 * Everything that drawing and moving need, worked out anew after each change.
 * `table` is what the server told (first, aligned, columns, doubts, findings), `sheet` gold now,
 * `mode` "aligned", "gold" or "first", `edited` and `seen` sets of cell keys.
 */
export function boardOf({ table, sheet, mode, edited, seen }) {
  const first = table.first;
  const shown = mode === "first" ? first : sheet;
  const lines = mode === "first" ? linesOfFirst(first) : linesOfGold(table, sheet, mode);
  const lineOfGold = new Map();
  const lineOfFirst = new Map();
  const firstRow = new Map();
  lines.forEach((line, index) => {
    if (line.gold !== null) {
      lineOfGold.set(line.gold, index);
      if (line.first !== null) firstRow.set(line.gold, line.first);
    } else {
      lineOfFirst.set(line.first, index);
    }
  });
  const firstCol = new Map();
  for (const { gold, first: col } of table.aligned.cols) if (gold !== null && col !== null) firstCol.set(gold, col);
  const badges = new Map((first?.badges ?? []).map((badge) => [`${badge.row},${badge.col}`, badge]));
  const doubts = new Map(table.doubts.map((doubt) => [`${doubt.row},${doubt.col}`, doubt]));
  const board = { table, sheet, first, mode, shown, lines, lineOfGold, lineOfFirst, firstRow, firstCol, badges, doubts };
  Object.assign(board, { edited, seen, nCols: shown.n_cols, headers: headerRows(shown) });
  board.numeric = Array.from({ length: shown.n_cols }, (_, col) => isNumeric(board, col));
  board.short = shortOf(board);
  board.plain = !doubts.size && !(first?.badges ?? []).some(({ level }) => level !== "none");
  return board;
}

function linesOfFirst(first) {
  const headers = headerRows(first);
  return Array.from({ length: first.n_rows }, (_, row) => ({ gold: null, first: row, kind: row < headers ? "header" : "first" }));
}

function linesOfGold(table, sheet, mode) {
  const known = new Map();
  for (const row of table.aligned.rows) if (row.gold !== null) known.set(row.gold, row);
  const lines = [];
  const waiting = [];
  let placed = 0;
  const goldUpTo = (end) => {
    for (; placed < end; placed += 1) {
      lines.push(known.get(placed) ?? { gold: placed, first: null, kind: "matched" });
      // A first row that would stand inside a merged cell waits until that cell ends: a row cannot cut a span.
      if (waiting.length && !crosses(sheet, placed)) lines.push(...waiting.splice(0));
    }
  };
  for (const row of table.aligned.rows) {
    if (row.gold !== null) {
      goldUpTo(Math.min(row.gold + 1, sheet.n_rows));
    } else if (mode === "aligned" && table.first) {
      if (placed && crosses(sheet, placed - 1)) waiting.push(row);
      else lines.push(row);
    }
  }
  goldUpTo(sheet.n_rows);
  return [...lines, ...waiting];
}

/** Whether a merged cell goes on from a row into the next. */
function crosses(sheet, row) {
  for (let col = 0; col < sheet.n_cols; col += 1) {
    const one = at(sheet, row, col);
    if (one && one === at(sheet, row + 1, col)) return true;
  }
  return false;
}

function isNumeric(board, col) {
  const goldCol = board.mode === "first" ? [...board.firstCol].find(([, first]) => first === col)?.[0] : col;
  const type = board.table.columns[goldCol]?.type;
  if (type) return NUMERIC.has(type);
  let filled = 0;
  let numbers = 0;
  for (const { row, col: anchor, text, header } of board.shown.cells) {
    if (anchor !== col || header || row < board.headers || !text.trim()) continue;
    filled += 1;
    if (LOOKS_NUMERIC.test(text.trim())) numbers += 1;
  }
  return filled > 0 && numbers >= 0.8 * filled;
}

/** Which columns hold short texts alone: those are not broken into lines. */
function shortOf({ shown }) {
  const short = Array(shown.n_cols).fill(true);
  for (const { col, text, header } of shown.cells) if (header !== "column" && text.length > SHORT) short[col] = false;
  return short;
}

/** A column's letter as in spreadsheets: A, B, ... Z, AA. */
export function letterOf(col) {
  const last = String.fromCharCode(65 + (col % 26));
  return col < 26 ? last : letterOf(Math.floor(col / 26) - 1) + last;
}

/** How to call a column: its label in the schema, else the text of its headers, else its letter. */
export function columnLabel(board, col) {
  const named = board.mode === "first" ? null : board.table.columns[col];
  if (named) return named.label || named.name;
  const texts = [];
  for (let row = 0; row < board.headers; row += 1) {
    const text = at(board.shown, row, col)?.text.trim();
    if (text && text !== texts.at(-1)) texts.push(text);
  }
  return texts.join(" ") || letterOf(col);
}

/** How to call a row: its number among the data rows, or "Header". */
export function rowLabel(board, row) {
  if (row >= board.headers) return `Row ${row - board.headers + 1}`;
  return board.headers > 1 ? `Header ${row + 1}` : "Header";
}

/** The first extraction's cell that is matched to a gold position; null where there is none. */
export function firstAt(board, row, col) {
  const [firstRow, firstCol] = [board.firstRow.get(row), board.firstCol.get(col)];
  return !board.first || firstRow === undefined || firstCol === undefined ? null : at(board.first, firstRow, firstCol);
}

/** The badge of a cell of the first extraction. */
export function badgeOfFirst(board, row, col) {
  return board.badges.get(`${row},${col}`) ?? { level: "none", reason: "" };
}

/** What is known of one gold cell, by its anchor. */
export function storyOf(board, row, col) {
  const cell = at(board.sheet, row, col);
  const first = firstAt(board, row, col);
  const badge = first ? badgeOfFirst(board, first.row, first.col) : { level: "none", reason: "" };
  const doubt = board.doubts.get(`${row},${col}`);
  const mark = cell ? markAt(board.sheet, row, col) : "";
  const key = keyAt(board.sheet, row, col);
  const firstText = first ? first.text : null;
  return {
    cell,
    first,
    firstText,
    differs: first !== null && firstText !== (cell?.text ?? ""),
    level: doubt?.level ?? badge.level,
    reasons: doubt?.reasons ?? (badge.reason ? [badge.reason] : []),
    doubtful: doubt !== undefined,
    state: mark || (board.edited.has(key) ? "edited" : board.seen.has(key) ? "seen" : "unseen"),
  };
}

/** Failing checks that speak of a cell, its whole row or its whole column. */
export function findingsAt(board, row, col) {
  return board.table.findings.filter(
    (finding) => (finding.row === null || finding.row === row) && (finding.col === null || finding.col === col),
  );
}

/** Doubtful cells that nobody has decided on: neither marked nor edited; riskiest first or in reading order. */
export function openDoubts(board, byRisk) {
  const open = board.table.doubts.filter(({ row, col }) => {
    if (row >= board.sheet.n_rows || col >= board.sheet.n_cols) return false;
    return !markAt(board.sheet, row, col) && !board.edited.has(keyAt(board.sheet, row, col));
  });
  return byRisk ? open : open.sort((one, other) => one.row - other.row || one.col - other.col);
}

/** The server's view after a local edit: rows, columns, doubts and findings keep their places until it answers. */
export function shifted(table, edit) {
  if (edit.kind === "several") return edit.edits.reduce(shifted, table);
  if (edit.kind === "move") return reordered(table, edit);
  if (edit.kind !== "insert" && edit.kind !== "delete") return table;
  const { axis, at: start, ids } = edit;
  const gone = edit.kind === "delete" ? ids.length : 0;
  const by = gone ? -gone : ids.length;
  const moved = (place) => {
    if (place === null || place < start) return place;
    return place < start + gone ? undefined : place + by;
  };
  const kept = (entries) =>
    entries.map((entry) => ({ ...entry, [axis]: moved(entry[axis]) })).filter((entry) => entry[axis] !== undefined);
  const lines = axis === "row" ? "rows" : "cols";
  const pairs = [];
  const fresh = edit.kind === "insert" ? ids.map((_, index) => ({ gold: start + index, first: null, kind: "missed" })) : [];
  for (const pair of table.aligned[lines]) {
    if (pair.gold !== null && pair.gold >= start) pairs.push(...fresh.splice(0));
    const gold = moved(pair.gold);
    if (gold !== undefined) pairs.push({ ...pair, gold });
    else if (pair.first !== null) pairs.push({ ...pair, gold: null, kind: "extra" });
  }
  pairs.push(...fresh);
  const columns = [...table.columns];
  if (axis === "col") columns.splice(start, gone, ...(gone ? [] : ids.map(() => null)));
  const aligned = { ...table.aligned, [lines]: pairs };
  return { ...table, columns, aligned, doubts: kept(table.doubts), findings: kept(table.findings) };
}

// The gold rows change places among themselves; rows of the first extraction alone stay where they stand.
function reordered(table, edit) {
  const place = movedPlace(edit);
  const there = (entries) => entries.map((entry) => (entry[edit.axis] === null ? entry : { ...entry, [edit.axis]: place(entry[edit.axis]) }));
  const lines = edit.axis === "row" ? "rows" : "cols";
  const pairs = table.aligned[lines];
  const moved = pairs.filter(({ gold }) => gold !== null).map((pair) => ({ ...pair, gold: place(pair.gold) })).sort((one, other) => one.gold - other.gold);
  const aligned = { ...table.aligned, [lines]: pairs.map((pair) => (pair.gold === null ? pair : moved.shift())) };
  const columns = [...table.columns];
  if (edit.axis === "col") table.columns.forEach((column, index) => (columns[place(index)] = column));
  return { ...table, columns, aligned, doubts: there(table.doubts), findings: there(table.findings) };
}
