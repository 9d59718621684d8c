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

/** A text for comparing: without white space and case, in one form of each character. */
export const folded = (text) => text.normalize("NFKC").toLowerCase().replace(/\s+/gu, "");

const foldedWords = new WeakMap();

function partsOf(words) {
  if (!foldedWords.has(words)) foldedWords.set(words, words.map(([word]) => folded(word)));
  return foldedWords.get(words);
}

/** The places where consecutive words of a page together spell a text; without any, the words that contain it. */
export function hitsOf(page, words, text) {
  const wanted = folded(text);
  if (!wanted) return [];
  const parts = partsOf(words);
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
  return hits;
}

/** The best place of a text among the words of a page: of several, the one whose middle lies nearest to the height `nearY`. */
export function findText(page, words, text, nearY = null) {
  const distance = ([, , y0, , y1]) => (nearY === null ? 0 : Math.abs((y0 + y1) / 2 - nearY));
  return hitsOf(page, words, text).sort((one, other) => distance(one) - distance(other))[0] ?? null;
}

const middleOf = ([, x0, y0, x1, y1]) => [(x0 + x1) / 2, (y0 + y1) / 2];
const LEFTWARD = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** The index of the word that lies nearest to a point; -1 without words. `across` is the page's width over its height. */
export function nearestWord(words, [x, y], across = 1) {
  let best = -1;
  let least = Infinity;
  words.forEach(([, x0, y0, x1, y1], index) => {
    const right = Math.max(x0 - x, 0, x - x1) * across;
    const down = Math.max(y0 - y, 0, y - y1);
    const [mx, my] = [((x0 + x1) / 2 - x) * across, (y0 + y1) / 2 - y];
    const far = Math.hypot(right, down) + Math.hypot(mx, my) / 1000; // of several words under the point the middle one
    if (far < least) [best, least] = [index, far];
  });
  return best;
}

/**
 * The index of the next word in a direction `[right, down]` of the page: in the same line, from its end to the next
 * line in reading order, or the nearest one of the lines above or below. The same index where there is none.
 */
export function stepWord(words, from, [right, down], across = 1) {
  const [axis, sign] = right ? [0, right] : [1, down];
  const start = words[from];
  const side = (word, other) => [word[1 + other], word[3 + other]];
  const [low, high] = side(start, 1 - axis);
  const here = middleOf(start);
  let best = -1;
  let least = Infinity;
  words.forEach((word, index) => {
    const there = middleOf(word);
    const ahead = (there[axis] - here[axis]) * sign;
    const [from0, to0] = side(word, 1 - axis);
    const shared = Math.min(high, to0) - Math.max(low, from0);
    if (index === from || ahead <= 0) return;
    if (axis === 0 ? shared <= Math.min(high - low, to0 - from0) / 2 : overlap(start, word)) return;
    const aside = axis === 0 ? 0 : Math.max(0, -shared) * across;
    const far = axis === 0 ? ahead : ahead + aside / 4;
    if (far < least) [best, least] = [index, far];
  });
  if (best >= 0 || axis === 1) return best >= 0 ? best : from;
  const onward = (sign > 0) !== LEFTWARD.test(start[0]) ? 1 : -1;
  return words[from + onward] ? from + onward : from;
}

/** Whether two words stand in one line. */
function overlap([, , a0, , a1], [, , b0, , b1]) {
  return Math.min(a1, b1) - Math.max(a0, b0) > Math.min(a1 - a0, b1 - b0) / 2;
}
