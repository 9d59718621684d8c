/** Words of a page: which ones a drag takes, and where a cell's text stands when it came without a box. */

/** The words that a drag from one point to another covers by half or more, in reading order. */
export function wordsIn(words, [ax, ay], [bx, by]) {
  const [x0, x1] = [Math.min(ax, bx), Math.max(ax, bx)];
  const [y0, y1] = [Math.min(ay, by), Math.max(ay, by)];
  return words.filter(([, wx0, wy0, wx1, wy1]) => {
    const wide = Math.min(x1, wx1) - Math.max(x0, wx0);
    const high = Math.min(y1, wy1) - Math.max(y0, wy0);
    if (wide < 0 || high < 0) return false;
    // A click or a thin stroke through a word means the word.
    const middle = (x0 <= (wx0 + wx1) / 2 && (wx0 + wx1) / 2 <= x1) || wide >= (wx1 - wx0) / 2;
    return middle && (high >= (wy1 - wy0) / 2 || y1 - y0 < (wy1 - wy0) / 2);
  });
}

/** The word under a point, or null. */
export function wordAt(words, [x, y]) {
  return words.find(([, x0, y0, x1, y1]) => x0 <= x && x <= x1 && y0 <= y && y <= y1) ?? null;
}

/** The text of words in reading order, one space between them. */
export const textOf = (words) => words.map(([text]) => text).join(" ");

/** The box `[page, x0, y0, x1, y1]` around words or boxes of one page; null for none. */
export function around(page, rectangles) {
  if (!rectangles.length) return null;
  return [
    page,
    Math.min(...rectangles.map(([, x0]) => x0)),
    Math.min(...rectangles.map(([, , y0]) => y0)),
    Math.max(...rectangles.map(([, , , x1]) => x1)),
    Math.max(...rectangles.map(([, , , , y1]) => y1)),
  ];
}

const folded = (text) => text.normalize("NFKC").toLowerCase().replace(/\s+/gu, "");

/**
 * The best place of a text among the words of a page: consecutive words that together spell it, else one
 * word that contains it. Of several, the one whose middle lies nearest to the height `nearY`.
 */
export function findText(page, words, text, nearY = null) {
  const wanted = folded(text);
  if (!wanted) return null;
  const parts = words.map(([word]) => folded(word));
  const hits = [];
  for (let start = 0; start < parts.length; start += 1) {
    let spelled = "";
    for (let end = start; end < parts.length && spelled.length < wanted.length; end += 1) {
      spelled += parts[end];
      if (!wanted.startsWith(spelled)) break;
      if (spelled === wanted) hits.push(around(page, words.slice(start, end + 1)));
    }
  }
  if (!hits.length && wanted.length > 2) {
    parts.forEach((part, index) => part.includes(wanted) && hits.push(around(page, [words[index]])));
  }
  const distance = ([, , y0, , y1]) => (nearY === null ? 0 : Math.abs((y0 + y1) / 2 - nearY));
  return hits.sort((one, other) => distance(one) - distance(other))[0] ?? null;
}
