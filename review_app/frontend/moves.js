/** Where the cursor goes: steps, jumps and ranges over merged cells, pure. */

import { at } from "./sheet.js";

/**
 * A cursor is a position `{row, first, col}`: a gold row (first null), or a row of the first extraction that
 * stands alone (row null). It is a position and not a cell, so that walking through a merged cell goes on in the
 * row or column in which it came.
 */
export const cursorOn = (line, col) =>
  line.gold === null ? { row: null, first: line.first, col } : { row: line.gold, first: null, col };

/** Whether two cursors are the same position. */
export const sameCursor = (one, other) =>
  Boolean(one && other) && one.row === other.row && one.first === other.first && one.col === other.col;

/** The index of the cursor's line on the board; -1 where it no longer stands there. */
export function lineIndex(board, cursor) {
  const index = cursor.row === null ? board.lineOfFirst.get(cursor.first) : board.lineOfGold.get(cursor.row);
  return index ?? -1;
}

/** The cell under the cursor: of gold, or of the first extraction in its own view; null for a hole. */
export function cellUnder(board, cursor) {
  if (cursor.row !== null) return at(board.sheet, cursor.row, cursor.col);
  return board.mode === "first" ? at(board.first, cursor.first, cursor.col) : null;
}

/** The anchor of the cell under the cursor, as a cursor. */
export function anchorOf(board, cursor) {
  const cell = cellUnder(board, cursor);
  if (!cell) return cursor;
  return cursor.row === null ? { ...cursor, first: cell.row, col: cell.col } : { ...cursor, row: cell.row, col: cell.col };
}

/** One step by lines or by columns; the same cursor at the edge. */
export function step(board, cursor, byLine, byCol) {
  const cell = cellUnder(board, cursor);
  if (byLine) {
    const edge = cell ? (byLine > 0 ? cell.row + cell.row_span - 1 : cell.row) : null;
    const from = edge === null ? lineIndex(board, cursor) : lineIndex(board, withRow(cursor, edge));
    const line = board.lines[from + byLine];
    return line ? cursorOn(line, cursor.col) : cursor;
  }
  const edge = cell ? (byCol > 0 ? cell.col + cell.col_span - 1 : cell.col) : cursor.col;
  const col = edge + byCol;
  return col < 0 || col >= board.nCols ? cursor : { ...cursor, col };
}

const withRow = (cursor, row) => (cursor.row === null ? { ...cursor, first: row } : { ...cursor, row });

/** A step by columns that goes on in the next or previous line at the end of one (Tab); null past the last cell. */
export function stepWrapping(board, cursor, by) {
  const next = step(board, cursor, 0, by);
  if (!sameCursor(next, cursor)) return next;
  const down = step(board, cursor, by, 0);
  return sameCursor(down, cursor) ? null : { ...down, col: by > 0 ? 0 : board.nCols - 1 };
}

/** As Ctrl+arrow in spreadsheets: to the end of a filled run, or over the gap to the next filled cell. */
export function jump(board, cursor, byLine, byCol) {
  let here = cursor;
  let next = step(board, here, byLine, byCol);
  const overGap = !filled(board, here) || !filled(board, next);
  while (!sameCursor(next, here)) {
    if (overGap && filled(board, next)) return next;
    if (!overGap && !filled(board, next)) return here;
    here = next;
    next = step(board, here, byLine, byCol);
  }
  return here;
}

/** As many lines up or down as are asked for, or as there are. */
export function stepLines(board, cursor, by) {
  const index = Math.max(0, Math.min(board.lines.length - 1, lineIndex(board, cursor) + by));
  return board.lines.length ? cursorOn(board.lines[index], cursor.col) : cursor;
}

/** The commands of the page keys; `lines()` tells how many lines are in sight. Down a form go its fields. */
export function pageKeys({ desk, lines }) {
  const go = (by, options) => {
    const { board, cursor, table, mode, select } = desk();
    const isForm = table.form && mode !== "first";
    const col = Math.max(0, Math.min(board.nCols - 1, cursor.col + by));
    select(isForm ? { ...cursor, col } : stepLines(board, cursor, by), options);
  };
  const extend = { extend: true };
  return { pageUp: () => go(-lines()), pageDown: () => go(lines()), extendPageUp: () => go(-lines(), extend), extendPageDown: () => go(lines(), extend) };
}

function filled(board, cursor) {
  if (cursor.row === null && board.mode !== "first") return true;
  return Boolean(cellUnder(board, cursor)?.text);
}

/** The rectangle `{top, left, bottom, right}` between two gold positions, grown until it cuts no merged cell. */
export function rectBetween(sheet, one, other) {
  let rect = {
    top: Math.min(one.row, other.row),
    left: Math.min(one.col, other.col),
    bottom: Math.max(one.row, other.row),
    right: Math.max(one.col, other.col),
  };
  for (let grew = true; grew; ) {
    grew = false;
    for (const cell of cellsIn(sheet, rect)) {
      const wider = {
        top: Math.min(rect.top, cell.row),
        left: Math.min(rect.left, cell.col),
        bottom: Math.max(rect.bottom, cell.row + cell.row_span - 1),
        right: Math.max(rect.right, cell.col + cell.col_span - 1),
      };
      if (Object.keys(rect).some((side) => wider[side] !== rect[side])) grew = true;
      rect = wider;
    }
  }
  return rect;
}

/** The cells that cover a position of a rectangle, each once, in reading order. */
export function cellsIn(sheet, rect) {
  const cells = new Set();
  for (let row = rect.top; row <= rect.bottom; row += 1) {
    for (let col = rect.left; col <= rect.right; col += 1) {
      const cell = at(sheet, row, col);
      if (cell) cells.add(cell);
    }
  }
  return [...cells];
}

/** Texts of a rectangle as rows, for the clipboard: a merged cell gives its text once, at its anchor. */
export function textsIn(sheet, rect) {
  const rows = [];
  for (let row = rect.top; row <= rect.bottom; row += 1) {
    const texts = [];
    for (let col = rect.left; col <= rect.right; col += 1) {
      const cell = at(sheet, row, col);
      texts.push(cell && cell.row === row && cell.col === col ? cell.text : "");
    }
    rows.push(texts);
  }
  return rows;
}
