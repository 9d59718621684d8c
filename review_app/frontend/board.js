/** What stands where on the screen: gold rows with their matched first rows, first rows alone, and each cell's story. */

import { columnsOf } from "./columns.js";
import { at, headerRows, keyAt, markAt, movedPlace } from "./sheet.js";

/**
 * Everything that drawing and moving need, after each change.
 * `table` is what the server told (first, aligned, columns, doubts, findings), `sheet` gold now,
 * `mode` "aligned", "gold" or "first", `edited` and `seen` sets of cell keys,
 * `comments` the number of open comments by cell key. `before` is the board before the change, or null: what cannot have
 * changed since is the same value as there.
 */
export function boardOf({ table, sheet, mode, edited, seen, comments = new Map() }, before = null) {
  const { first } = table;
  const shown = mode === "first" ? first : sheet;
  const kept = before && before.mode === mode && before.first === first && before.sheet.shape === sheet.shape ? before : null;
  const placed = kept?.table.aligned === table.aligned ? kept : placesOf(table, sheet, mode);
  const { lines, lineOfGold, lineOfFirst, firstRow, firstCol } = placed;
  const { badges, scored } = badgesOf(first);
  const doubts = before?.table.doubts === table.doubts ? before.doubts : new Map(table.doubts.map((doubt) => [`${doubt.row},${doubt.col}`, doubt]));
  const findings = before?.table.findings === table.findings ? before.findings : findingsByRow(table);
  const headers = kept ? kept.headers : headerRows(shown);
  const board = { table, sheet, first, mode, shown, lines, lineOfGold, lineOfFirst, firstRow, firstCol, badges, doubts, findings };
  const known = kept?.table.columns === table.columns && (mode !== "first" || placed === kept) ? kept.columns : null;
  const columns = columnsOf(shown, headers, known?.types ?? typesOf(board), known);
  Object.assign(board, { edited, seen, comments, nCols: shown.n_cols, headers, columns, numeric: columns.numeric, short: columns.short });
  board.plain = !doubts.size && !scored;
  return board;
}

/** The lines on the screen, and what stands in which of them. */
function placesOf(table, sheet, mode) {
  const lines = mode === "first" ? linesOfFirst(table.first) : linesOfGold(table, sheet, mode);
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
  return { lines, lineOfGold, lineOfFirst, firstRow, firstCol };
}

const badgesKnown = new WeakMap(); // the first extraction never changes: its badges are put in order once

function badgesOf(first) {
  if (!first) return { badges: new Map(), scored: false };
  let known = badgesKnown.get(first);
  if (!known) {
    const badges = new Map(first.badges.map((badge) => [`${badge.row},${badge.col}`, badge]));
    known = { badges, scored: first.badges.some(({ level }) => level !== "none") };
    badgesKnown.set(first, known);
  }
  return known;
}

function findingsByRow(table) {
  const byRow = new Map();
  for (const finding of table.findings) {
    if (byRow.has(finding.row)) byRow.get(finding.row).push(finding);
    else byRow.set(finding.row, [finding]);
  }
  return byRow;
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

/** The type of each column of the shown table by the schema, undefined where it names none. */
function typesOf({ mode, firstCol, table, shown }) {
  const goldCol = mode === "first" ? new Map([...firstCol].map(([gold, first]) => [first, gold])) : null;
  return Array.from({ length: shown.n_cols }, (_, col) => table.columns[goldCol ? goldCol.get(col) : col]?.type);
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

/** How to call a place: "Row 3, Amount". */
export const placeOf = (board, { row, first, col }) =>
  `${row === null ? `First row ${first - board.headers + 1}` : rowLabel(board, row)}, ${columnLabel(board, col)}`;

/** What the schema says of a column: "Amount: currency, key, required"; "" where it says nothing. */
export function columnNotes(board, col) {
  const column = board.mode === "first" ? null : board.table.columns[col];
  const notes = [column?.type, column?.key && "key", column?.required && "required"].filter(Boolean).join(", ");
  return column ? `${columnLabel(board, col)}${notes && `: ${notes}`}` : "";
}

/** The schema's label of a column where its header says something else; a key such as `net_amount` says the same. */
export function otherName(board, col, header) {
  const folded = (text) => text.toLowerCase().replace(/[\s_-]+/gu, " ").trim();
  const column = board.table.columns[col];
  const label = column?.label || column?.name || "";
  return label && folded(label) !== folded(header) ? label : "";
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

/** What people did with a gold cell, by its anchor: its mark, else "edited", "seen" or "unseen". */
export function stateOf({ sheet, edited, seen }, row, col) {
  const key = keyAt(sheet, row, col);
  const mark = at(sheet, row, col) ? sheet.marks.get(key) : "";
  return mark || (edited.has(key) ? "edited" : seen.has(key) ? "seen" : "unseen");
}

/** What is known of one gold cell, by its anchor. */
export function storyOf(board, row, col) {
  const cell = at(board.sheet, row, col);
  const first = firstAt(board, row, col);
  const badge = first ? badgeOfFirst(board, first.row, first.col) : { level: "none", reason: "" };
  const doubt = board.doubts.get(`${row},${col}`);
  const firstText = first ? first.text : null;
  return {
    cell,
    first,
    firstText,
    differs: first !== null && firstText !== (cell?.text ?? ""),
    level: doubt?.level ?? badge.level,
    reasons: doubt?.reasons ?? (badge.reason ? [badge.reason] : []),
    doubtful: doubt !== undefined,
    comments: board.comments.get(keyAt(board.sheet, row, col)) ?? 0,
    state: stateOf(board, row, col),
  };
}

/** Failing checks that speak of a cell, its whole row or its whole column. */
export function findingsAt(board, row, col) {
  const near = [...(board.findings.get(row) ?? []), ...(board.findings.get(null) ?? [])];
  return near.filter((finding) => finding.col === null || finding.col === col);
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
