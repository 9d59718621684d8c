/** Where a cell without a box probably stands: its text, looked for among the words of its document. */

import { findText } from "./words.js";

const PAGES_SEARCHED = 5;

/** `words(path, gold)` resolves to the words of a page. */
export function createGuesses(words) {
  const pages = new Map(); // path -> promise of words
  const found = new Map(); // line -> box, or null

  function wordsOf(path, gold) {
    if (!pages.has(path)) pages.set(path, words(path, gold).catch(() => (pages.delete(path), [])));
    return pages.get(path);
  }

  async function search({ gold, text, near }, { sha256, pages: sizes }) {
    const numbers = Object.keys(sizes).map(Number);
    const order = near ? [near[0], ...numbers.filter((number) => number !== near[0])] : numbers;
    for (const number of order.slice(0, PAGES_SEARCHED)) {
      const hit = findText(number, await wordsOf(`/api/words/${sha256}/${number}`, gold), text, number === near?.[0] ? near[1] : null);
      if (hit) return hit;
    }
    return null;
  }

  return {
    /** The box of the guess, null where the text was not found, undefined while it is looked for; `then()` follows. */
    guess(line, table, then) {
      const name = `${line.gold} ${line.row_id} ${line.col_id} ${line.text}`;
      if (!line.text.trim()) return null;
      if (found.has(name)) return found.get(name);
      found.set(name, undefined);
      search(line, table).then((box) => {
        found.set(name, box);
        then();
      });
      return undefined;
    },
  };
}
