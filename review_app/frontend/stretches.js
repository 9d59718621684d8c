/** Which lines and columns of a large table are drawn: those in sight with a margin, and those that must stay. Pure. */

// Below this many cells everything is drawn, and the browser finds the widths of the columns by itself.
const MOST_CELLS = 1200;
const MOST_COLUMNS = 60;

/** Whether only a part of the lines, and of the columns, is drawn. */
export const isLarge = (lines, cols) => lines * cols > MOST_CELLS;
export const isWide = (lines, cols) => isLarge(lines, cols) && cols > MOST_COLUMNS;

/** Where each of so many places begins, one after another, and where the last one ends. */
export function trackOf(count, sizeOf) {
  const starts = new Float64Array(count + 1);
  for (let at = 0; at < count; at += 1) starts[at + 1] = starts[at] + sizeOf(at);
  return starts;
}

/** The place that a distance from the start falls on; the first or last one beyond the ends. */
export function placeAt(starts, distance) {
  let [low, high] = [0, Math.max(0, starts.length - 2)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= distance) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The places `[from, to)` that can be seen between two distances. */
export const inSight = (starts, from, to) => (starts.length > 1 ? [placeAt(starts, from), placeAt(starts, to) + 1] : [0, 0]);

/** A stretch grown by a margin on both sides, within `[least, most)`. */
export const widened = ([from, to], margin, least, most) => [Math.max(least, from - margin), Math.min(most, to + margin)];

/** Whether what can be seen comes nearer to the end of what is drawn than half the margin, with more to come there. */
export function runsOut([from, to], [start, end], margin, least, most) {
  return (start > least && from - start < margin / 2) || (end < most && end - to < margin / 2);
}

/** A stretch and a single place that must be drawn too, as `[from, to)` in order; places outside of `[least, most)` are left out. */
export function withPlace([from, to], place, least, most) {
  const inside = place !== null && place >= least && place < most;
  if (!inside || (place >= from && place < to)) return from < to ? [[from, to]] : [];
  if (place === from - 1) return [[place, to]];
  if (place === to) return [[from, to + 1]];
  return place < from ? [[place, place + 1], [from, to]] : [[from, to], [place, place + 1]];
}

/**
 * The part of a merged cell that is drawn at a position of two stretches: `[down, across]`, or null where another
 * position draws it. What lies outside of the stretches is cut off, so that no merged cell reaches beyond them.
 */
export function partAt({ line, lines, col, cols }, { top, height, left, width }) {
  if (Math.max(top, lines[0]) !== line || Math.max(left, cols[0]) !== col) return null;
  return [Math.min(top + height, lines[1]) - line, Math.min(left + width, cols[1]) - col];
}
