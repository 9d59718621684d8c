/** How wide the columns of a large table are: by the longest of their texts, as not all of them are drawn. */

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

/** Pixels of the row numbers and of each column; `element` gives the font. */
export function widthsOf(board, element) {
  const pen = document.createElement("canvas").getContext("2d");
  const { fontSize, fontFamily } = getComputedStyle(element);
  const longest = Array.from({ length: board.nCols }, () => []);
  const widest = Array(board.nCols).fill(NARROWEST_PX);
  const headers = [];
  for (const { row, col, col_span: span, header, text } of board.shown.cells) {
    if (span > 1 || !text) continue;
    if (header === "column" || row < board.headers) headers.push([col, text]);
    else keep(longest[col], text.includes("\n") ? longestOf(text) : text);
  }
  const measure = (text) => TABULAR * pen.measureText(text.slice(0, WIDEST_PX)).width;
  pen.font = `${fontSize} ${fontFamily}`;
  longest.forEach((texts, col) => {
    for (const text of texts) widest[col] = Math.max(widest[col], measure(text) + SIGNS_PX);
  });
  pen.font = `600 ${fontSize} ${fontFamily}`;
  for (const [col, text] of headers) widest[col] = Math.max(widest[col], Math.min(measure(longestOf(text)), widest[col] * 1.5) + PADDING_PX);
  const digits = String(board.lines.length).length;
  const tagged = board.first && board.lines.some(({ kind }) => ["missed", "extra", "duplicate"].includes(kind));
  const gutter = Math.max(GUTTER_PX, digits * DIGIT_PX + 16, tagged ? TAG_PX : 0);
  return [gutter, ...widest.map((width) => Math.ceil(Math.min(WIDEST_PX, width)))];
}

function keep(texts, text) {
  const size = sizeOf(text);
  if (texts.length === CANDIDATES && size <= sizeOf(texts.at(-1))) return;
  texts.push(text);
  texts.sort((one, other) => sizeOf(other) - sizeOf(one));
  if (texts.length > CANDIDATES) texts.pop();
}
