/** Where the selected cell stands on the page: its box, or a guess by its text, and whether it was on screen. */

import { at } from "./sheet.js";
import { firstAt } from "./board.js";
import { around, findText } from "./words.js";

const SEEN_AFTER_MS = 300;
const LOOK_EVERY_MS = 50;
const PAGES_SEARCHED = 10;

/** The cell that the selection speaks of, its box or null, the text to look for, and one box per page for its row. */
export function evidenceOf(board, anchor) {
  const alone = anchor.row === null;
  const firstCol = board.mode === "first" ? anchor.col : board.firstCol.get(anchor.col);
  const cell = alone ? (firstCol === undefined ? null : at(board.first, anchor.first, firstCol)) : at(board.sheet, anchor.row, anchor.col);
  const source = alone ? board.first : board.sheet;
  const line = alone ? anchor.first : anchor.row;
  const boxes = source.cells.filter((one) => one.box && one.row <= line && line < one.row + one.row_span).map(({ box }) => box);
  const pages = [...new Set(boxes.map(([page]) => page))];
  const row = pages.map((page) => around(page, boxes.filter(([on]) => on === page)));
  const first = alone ? null : firstAt(board, anchor.row, anchor.col);
  return { box: cell?.box ?? null, text: cell?.text || first?.text || "", row };
}

/** The best place for a text: pages where the row stands come first. Resolves to a box or null. */
export async function guessPlace({ text, row }, pages, wordsOf) {
  const near = new Map(row.map(([page, , y0, , y1]) => [page, (y0 + y1) / 2]));
  const order = [...near.keys(), ...pages.map(({ number }) => number).filter((number) => !near.has(number))];
  for (const number of order.slice(0, PAGES_SEARCHED)) {
    const hit = findText(number, await wordsOf(number), text, near.get(number) ?? null);
    if (hit) return hit;
  }
  return null;
}

/** Calls `seen()` once `shows()` was true for long enough without a break; `watch` starts anew. */
export function createGaze() {
  let looking = null;
  return {
    watch(shows, seen) {
      clearInterval(looking);
      let since = null;
      looking = setInterval(() => {
        if (document.visibilityState !== "visible" || !shows()) {
          since = null;
          return;
        }
        since ??= performance.now();
        if (performance.now() - since < SEEN_AFTER_MS) return;
        clearInterval(looking);
        seen();
      }, LOOK_EVERY_MS);
    },
    stop: () => clearInterval(looking),
  };
}
