/** What the page says at cells: its words where the row and the column stand, as the boxes of the other cells tell. Pure. */

import { at } from "./sheet.js";
import { around, hitsOf } from "./words.js";

const ROWS_NEAR = 40; // rows around the one that is read tell where columns stand; farther ones may stand otherwise
const EDGE = 0.01; // how far beyond the outermost box a word may begin
const NEXT_ROW = 1.6; // without a row below, a row is looked for within so many heights of a row
const SHORTEST_GUESS = 2; // a single sign stands everywhere
const MOST_GUESSED = 3000; // cells without boxes: looking for more texts takes too long for one key
const PAGES_GUESSED = 10;
const LINE_NEAR = 0.7; // a line that goes on with a row is nearer than so many of its heights
const FULL = 0.5; // a line that fills this share of the columns begins a row, one that fills less goes on with it

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
const middle = ([low, high]) => (low + high) / 2;

const byRow = new WeakMap();

/** The cells of each row that are one row high and have a box; rows without any are left out. */
function boxesByRow(sheet) {
  if (byRow.has(sheet)) return byRow.get(sheet);
  const rows = new Map();
  for (const { row, col, row_span, col_span, box, text } of sheet.cells) {
    if (!box || row_span !== 1) continue;
    const line = rows.get(row) ?? [];
    line.push({ row, col, col_span, box, text });
    rows.set(row, line);
  }
  byRow.set(sheet, rows);
  return rows;
}

/** Where a row stands: `{page, y0, y1}` around its boxes; one that reaches into the row above or below does not count. */
function bandOf(rows, row) {
  const line = rows.get(row);
  if (!line) return null;
  const page = median(line.map(({ box }) => box[0]));
  const on = line.map(({ box }) => box).filter((box) => box[0] === page);
  const centre = median(on.map(([, , y0, , y1]) => (y0 + y1) / 2));
  const others = [row - 1, row + 1].flatMap((one) => {
    const near = (rows.get(one) ?? []).map(({ box }) => box).filter((box) => box[0] === page);
    return near.length ? [median(near.map(([, , y0, , y1]) => (y0 + y1) / 2))] : [];
  });
  const around = on.filter(([, , y0, , y1]) => y0 <= centre && centre <= y1);
  const own = around.filter(([, , y0, , y1]) => others.every((other) => other < y0 || y1 < other));
  const kept = own.length ? own : around;
  return kept.length ? { page, y0: Math.min(...kept.map((box) => box[2])), y1: Math.max(...kept.map((box) => box[4])) } : null;
}

/** The place between two columns that the fewest boxes cross; of equal ones the middle of the widest gap. */
function between(left, right) {
  const ends = [...left.map(([, x1]) => x1), ...right.map(([x0]) => x0)].sort((one, other) => one - other);
  const crossed = (x) => left.filter(([, x1]) => x1 > x).length + right.filter(([x0]) => x0 < x).length;
  let best = { cost: Infinity, wide: 0, x: middle([ends[0], ends.at(-1)]) };
  for (let place = 1; place < ends.length; place += 1) {
    const [wide, x] = [ends[place] - ends[place - 1], middle([ends[place - 1], ends[place]])];
    const cost = crossed(x);
    if (cost < best.cost || (cost === best.cost && wide > best.wide)) best = { cost, wide, x };
  }
  return best.x;
}

/** Where columns stand around a row, as col -> [from, to] in fractions of the page; columns without any box are left out. */
function columnsAt(sheet, rows, row, page) {
  const order = [...rows.keys()].sort((one, other) => Math.abs(one - row) - Math.abs(other - row)).slice(0, ROWS_NEAR);
  const sides = new Map();
  for (const { col, col_span, box, text } of order.flatMap((one) => rows.get(one))) {
    if (col_span !== 1 || !text || box[0] !== page) continue;
    sides.set(col, [...(sides.get(col) ?? []), [box[1], box[3]]]);
  }
  const columns = [...sides].sort(([, one], [, other]) => median(one.map(middle)) - median(other.map(middle)));
  const found = new Map();
  columns.forEach(([col, mine], place) => {
    const [before, after] = [columns[place - 1], columns[place + 1]];
    const from = before ? between(before[1], mine) : Math.min(...mine.map(([x0]) => x0)) - EDGE;
    const to = after ? between(mine, after[1]) : Math.max(...mine.map(([, x1]) => x1)) + EDGE;
    found.set(col, [from, Math.max(from, to)]);
  });
  return found;
}

/** Words that stand in a stretch of the page's width, in lines from top to bottom. */
function linesOf(words) {
  const lines = [];
  for (const word of words.toSorted((one, other) => one[2] + one[4] - other[2] - other[4])) {
    const [, , y0, , y1] = word;
    const last = lines.at(-1);
    if (last && (y0 + y1) / 2 < last.y1) last.words.push(word), (last.y1 = Math.max(last.y1, y1));
    else lines.push({ y0, y1, words: [word] });
  }
  return lines;
}

const inside = ([from, to], [, x0, , x1]) => from <= (x0 + x1) / 2 && (x0 + x1) / 2 < to;

const bounds = (columns) => [Math.min(...[...columns.values()].map(([from]) => from)), Math.max(...[...columns.values()].map(([, to]) => to))];
const filledBy = (words, columns) => [...columns.values()].filter((column) => words.some((word) => inside(column, word))).length;

/** How many columns a row has something in, as a rule. */
const usual = (rows) => median([...rows.values()].map((line) => line.filter(({ text }) => text).length));

/**
 * Where a row without boxes must stand: the lines of the page between its neighbours, shared out among such rows. Only what
 * is as full as half a row counts: a footer between two pages is none. Over a page break both pages are looked at.
 */
function gapOf(rows, row, sheet, wordsOf) {
  const near = (by) => {
    let other = row + by;
    while (other >= 0 && other < sheet.n_rows && !rows.has(other)) other += by;
    return { row: other, band: bandOf(rows, other) };
  };
  const [above, below] = [near(-1), near(1)];
  const heights = [...rows.keys()].flatMap((one) => {
    const [here, next] = [bandOf(rows, one), bandOf(rows, one + 1)];
    return here && next && here.page === next.page && next.y0 > here.y0 ? [next.y0 - here.y0] : [];
  });
  const known = above.band ?? below.band;
  if (!known) return null;
  const pitch = heights.length ? median(heights) : (known.y1 - known.y0) * 2;
  const missing = Math.max(1, (below.band ? below.row : sheet.n_rows) - above.row - 1);
  const far = pitch * (missing + NEXT_ROW - 1);
  const together = above.band && below.band?.page === above.band.page;
  const after = above.band ? groupsOf(rows, row, sheet, wordsOf, above.band.page, above.band.y1, together ? below.band.y0 : above.band.y1 + far) : [];
  const before = below.band && !together ? groupsOf(rows, row, sheet, wordsOf, below.band.page, below.band.y0 - far, below.band.y0) : [];
  return above.band ? [...after, ...before][row - above.row - 1] ?? null : before.at(row - below.row) ?? null;
}

/** The rows that the lines of a stretch of a page make: `{page, y0, y1}`. */
function groupsOf(rows, row, sheet, wordsOf, page, top, bottom) {
  const columns = columnsAt(sheet, rows, row, page);
  if (!columns.size) return [];
  const sides = bounds(columns);
  const free = wordsOf(page).filter((word) => inside(sides, word) && top <= (word[2] + word[4]) / 2 && (word[2] + word[4]) / 2 < bottom);
  const groups = [];
  for (const line of linesOf(free)) {
    const filled = filledBy(line.words, columns);
    const begins = !groups.length || filled >= FULL * groups.at(-1).filled;
    if (begins) groups.push({ page, y0: line.y0, y1: line.y1, filled });
    else groups.at(-1).y1 = line.y1;
  }
  return groups.filter(({ filled }) => filled >= FULL * usual(rows));
}

/** A row's place with the lines below it that go on with its texts: near, before the next row, and in few of its columns. */
function withLinesBelow(sheet, rows, row, band, wordsOf) {
  const columns = columnsAt(sheet, rows, row, band.page);
  if (!columns.size) return band;
  const sides = bounds(columns);
  const across = wordsOf(band.page).filter((word) => inside(sides, word));
  const own = across.filter(([, , y0, , y1]) => band.y0 <= (y0 + y1) / 2 && (y0 + y1) / 2 < band.y1);
  let next = row + 1;
  while (next < sheet.n_rows && !rows.has(next)) next += 1;
  const below = bandOf(rows, next);
  const end = below?.page === band.page && below.y0 >= band.y1 ? below.y0 : Infinity;
  let { y1 } = band;
  for (const line of linesOf(across.filter((word) => (word[2] + word[4]) / 2 >= y1))) {
    const near = line.y0 - y1 < LINE_NEAR * (line.y1 - line.y0);
    if (!near || (line.y0 + line.y1) / 2 >= end || filledBy(line.words, columns) >= FULL * filledBy(own, columns)) break;
    y1 = line.y1;
  }
  return { ...band, y1 };
}

const guessed = new WeakMap();

/** The table with a box for each cell whose text stands at one place only: a table that came without boxes is read by them. */
function withGuesses(sheet, pages, wordsOf) {
  if (guessed.has(sheet)) return guessed.get(sheet);
  const cells = sheet.cells.map((cell) => {
    if (cell.text.trim().length < SHORTEST_GUESS) return cell;
    const hits = pages.flatMap((page) => hitsOf(page, wordsOf(page), cell.text));
    return hits.length === 1 ? { ...cell, box: hits[0] } : cell;
  });
  const made = { ...sheet, cells };
  guessed.set(sheet, made);
  return made;
}

/** The pages whose words are needed to read these rows; of a table without boxes the first ones of the document. */
export function pagesFor(sheet, top, bottom, all = []) {
  if (!sheet.cells.some(({ box }) => box)) return sheet.cells.length <= MOST_GUESSED ? all.slice(0, PAGES_GUESSED) : [];
  const rows = boxesByRow(sheet);
  const pages = new Set(sheet.cells.filter(({ row, box }) => box && top <= row && row <= bottom).map(({ box }) => box[0]));
  for (const row of [top, bottom]) {
    for (const by of [-1, 1]) {
      let near = row + by;
      while (near >= 0 && near < sheet.n_rows && !rows.has(near)) near += by;
      for (const { box } of rows.get(near) ?? []) pages.add(box[0]);
    }
  }
  return [...pages];
}

/**
 * What the page says at positions `{row, col}`: `[{row, col, text, box}]` of those whose place is known, `text` empty where
 * the page is. `wordsOf(page)` gives its words `[text, x0, y0, x1, y1]`. A form's values stand anywhere: there, and where
 * too few boxes tell, only the cell's own box is looked into. A row of which the page has no word at all is not read.
 * `pages` are those that were fetched: in a table without boxes, texts that stand at one place only tell where it is.
 */
export function readAt(asked, positions, wordsOf, { form = false, pages = [] } = {}) {
  const sheet = !form && pages.length && !asked.cells.some(({ box }) => box) ? withGuesses(asked, pages, wordsOf) : asked;
  const rows = boxesByRow(sheet);
  const bands = new Map();
  const band = (row) => {
    if (!bands.has(row)) {
      const known = bandOf(rows, row);
      bands.set(row, known ? withLinesBelow(sheet, rows, row, known, wordsOf) : gapOf(rows, row, sheet, wordsOf));
    }
    return bands.get(row);
  };
  const columns = new Map();
  const columnsOn = (row, page) => {
    const key = `${row},${page}`;
    if (!columns.has(key)) columns.set(key, columnsAt(sheet, rows, row, page));
    return columns.get(key);
  };
  const breaks = sheet.cells.some(({ text }) => text.includes("\n")) ? "\n" : " ";

  function placeOf(cell) {
    const own = cell.box ? { page: cell.box[0], x: [cell.box[1], cell.box[3]], y: [cell.box[2], cell.box[4]] } : null;
    if (form) return own;
    const tall = Array.from({ length: cell.row_span }, (_, by) => band(cell.row + by)).filter(Boolean);
    if (!tall.length) return own;
    const { page } = tall[0];
    const same = tall.filter((one) => one.page === page);
    const known = columnsOn(cell.row, page);
    const wide = Array.from({ length: cell.col_span }, (_, by) => known.get(cell.col + by)).filter(Boolean);
    if (!wide.length) return own;
    return {
      page,
      x: [Math.min(...wide.map(([from]) => from)), Math.max(...wide.map(([, to]) => to))],
      y: [Math.min(...same.map(({ y0 }) => y0)), Math.max(...same.map(({ y1 }) => y1))],
    };
  }

  const within = ([low, high], start, end) => low <= (start + end) / 2 && (start + end) / 2 < high;
  const found = [];
  for (const { row, col } of positions) {
    const cell = at(sheet, row, col) ?? { row, col, row_span: 1, col_span: 1, box: null };
    if (found.some((one) => one.row === cell.row && one.col === cell.col)) continue;
    const place = placeOf(cell);
    if (!place) continue;
    const level = wordsOf(place.page).filter(([, , y0, , y1]) => within(place.y, y0, y1));
    if (!level.length) continue;
    const words = level.filter(([, x0, , x1]) => within(place.x, x0, x1));
    const lines = linesOf(words).map(({ words: of }) => words.filter((word) => of.includes(word))); // in the order of the page
    const text = lines.map((line) => line.map(([word]) => word).join(" ")).join(breaks);
    found.push({ row: cell.row, col: cell.col, text, box: around(place.page, words) });
  }
  return found;
}
