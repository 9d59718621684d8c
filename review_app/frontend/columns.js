/** What the texts of a column are: numbers, or short texts that are not broken; counted once and then change by change. */

const NUMERIC = new Set(["integer", "number", "currency", "percent", "quantity"]);
const SHORT = 16;
const LONGEST_NUMBER = 40;
const MOST = 0.8; // so many of the texts of a column without a type must read as numbers
// Digits of any script, with the marks of direction that right-to-left texts carry.
const LOOKS_NUMERIC = /^[\s(+\-−–\u200e\u200f\u061c]*\p{Sc}?[\s\p{Nd}.,'’٫٬\u200e\u200f\u061c]*\p{Nd}[\s\p{Nd}.,'’٫٬)%٪‰\-−\u200e\u200f\u061c]*\p{Sc}?(?:\s?[A-Z]{3})?$/u;

function readsAsNumber(text) {
  const trimmed = text.trim();
  return trimmed.length <= LONGEST_NUMBER && LOOKS_NUMERIC.test(trimmed);
}

/**
 * `{numeric, short}`, a truth for each column of the shown table: whether it holds numbers, by its type in `types` or
 * else by its texts, and whether all its texts are short. `before` is what this gave for the same table with other texts
 * in some cells, or null; the same arrays are given again where nothing turned out otherwise.
 */
export function columnsOf(shown, headers, types, before = null) {
  const tally = before ? again(before.tally) : { filled: zeros(shown), numbers: zeros(shown), long: zeros(shown) };
  const count = ({ row, col, text, header }, by) => {
    if (header !== "column" && text.length > SHORT) tally.long[col] += by;
    if (types[col] || header || row < headers || !text.trim()) return;
    tally.filled[col] += by;
    if (readsAsNumber(text)) tally.numbers[col] += by;
  };
  for (const [now, was] of changedCells(shown, before?.shown ?? null)) {
    if (was) count(was, -1);
    count(now, 1);
  }
  const numeric = types.map((type, col) => (type ? NUMERIC.has(type) : tally.filled[col] > 0 && tally.numbers[col] >= MOST * tally.filled[col]));
  const short = tally.long.map((many) => many === 0);
  return { types, tally, shown, numeric: sameAs(before?.numeric, numeric), short: sameAs(before?.short, short) };
}

/** Pairs of a cell and the one that stood there before, where they differ; `before` has the same places, or is null: all cells. */
export function changedCells({ cells }, before) {
  if (!before) return cells.map((one) => [one, null]);
  const changed = [];
  if (cells !== before.cells) cells.forEach((one, index) => one !== before.cells[index] && changed.push([one, before.cells[index]]));
  return changed;
}

const zeros = ({ n_cols: count }) => Array(count).fill(0);
const again = ({ filled, numbers, long }) => ({ filled: [...filled], numbers: [...numbers], long: [...long] });
const sameAs = (before, now) => (before && String(before) === String(now) ? before : now);
