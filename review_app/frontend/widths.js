/** How wide the columns of a large table are: by the longest of their texts, as not all of them are drawn. */

import { changedCells } from "./columns.js";
import { at } from "./sheet.js";

const [NARROWEST_PX, WIDEST_PX] = [48, 280];
const SIGNS_PX = 44; // badge and state beside the text
const PADDING_PX = 26;
const GUTTER_PX = 40;
const TAG_PX = 72;
const DIGIT_PX = 8;
const TABULAR = 1.06; // a canvas writes digits as narrow as they come
const CANDIDATES = 3; // the longest text is not always the widest
const WIDE_SCRIPT = 0x1100; // from here on letters are about twice as wide
const longestOf = (text) => text.split("\n").reduce((longest, line) => (line.length > longest.length ? line : longest), "");
const sizeOf = (text) => (text.charCodeAt(0) >= WIDE_SCRIPT ? 1.8 : 1) * text.length;

/** Measures with the font of `element`. */
export function createWidths(element) {
  const pen = document.createElement("canvas").getContext("2d");
  let font = "";
  let known = null; // {board, columns: [{texts, headers, width}]}

  /** The texts of a column that may be its widest. */
  function textsOf({ shown, headers }, col) {
    const found = { texts: [], headers: [] };
    for (let row = 0; row < shown.n_rows; row += 1) {
      const one = at(shown, row, col);
      if (!one?.text || one.row !== row || one.col_span > 1) continue;
      if (one.header === "column" || row < headers) found.headers.push(longestOf(one.text));
      else keep(found.texts, one.text.includes("\n") ? longestOf(one.text) : one.text);
    }
    return found;
  }

  function measured(texts, weight) {
    pen.font = `${weight} ${font}`;
    return Math.max(0, ...texts.map((text) => TABULAR * pen.measureText(text.slice(0, WIDEST_PX)).width));
  }

  function widthOf(board, col, before = null) {
    const { texts, headers } = textsOf(board, col);
    if (before && texts.join("\n") === before.texts.join("\n") && headers.join("\n") === before.headers.join("\n")) return before;
    const widest = Math.max(NARROWEST_PX, texts.length ? measured(texts, 400) + SIGNS_PX : 0);
    const heads = headers.length ? Math.min(measured(headers, 600), widest * 1.5) + PADDING_PX : 0;
    return { texts, headers, width: Math.ceil(Math.min(WIDEST_PX, Math.max(widest, heads))) };
  }

  function gutterOf(board) {
    const digits = String(board.lines.length).length;
    const tagged = board.first && board.lines.some(({ kind }) => ["missed", "extra", "duplicate"].includes(kind));
    return Math.max(GUTTER_PX, digits * DIGIT_PX + 16, tagged ? TAG_PX : 0);
  }

  return {
    /** Pixels of the row numbers and of each column. */
    of(board) {
      const { fontSize, fontFamily } = getComputedStyle(element);
      font = `${fontSize} ${fontFamily}`;
      const columns = Array.from({ length: board.nCols }, (_, col) => widthOf(board, col));
      known = { board, columns };
      return [gutterOf(board), ...columns.map(({ width }) => width)];
    },

    /** Whether they are others now, after other texts were put into some cells of the same table. */
    changed(board) {
      const cols = new Set(changedCells(board.shown, known.board.shown).map(([{ col }]) => col));
      const columns = known.columns.map((before, col) => (cols.has(col) ? widthOf(board, col, before) : before));
      const moved = columns.some(({ width }, col) => width !== known.columns[col].width);
      known = { board, columns };
      return moved;
    },
  };
}

function keep(texts, text) {
  const size = sizeOf(text);
  if (texts.length === CANDIDATES && size <= sizeOf(texts.at(-1))) return;
  texts.push(text);
  texts.sort((one, other) => sizeOf(other) - sizeOf(one));
  if (texts.length > CANDIDATES) texts.pop();
}
