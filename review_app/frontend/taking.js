/** Words taken from the page into the selected cell: by dragging, by a click, or word by word with the arrow keys. */

import { h } from "./dom.js";
import { boxOf, place } from "./marks.js";
import { unturnedWay } from "./turning.js";
import { around, nearestWord, stepWord, textOf, wordAt, wordsIn } from "./words.js";

const CLICK_SLOP_PX = 4;
const DOUBLE_CLICK_MS = 500;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * `leaves` and `scroller` are the pages; `wordsOf(number, say)` resolves to the words of a page, and `whyNone(number)`
 * says why there are none; `start()` gives the box
 * at which the keyboard begins; `onTake(text, box, add)` gets what was taken; `onMode(on)` and `say(text)` tell.
 */
export function createTaking({ leaves, scroller, wordsOf, whyNone, start, onTake, onMode, say }) {
  let on = false;
  let cursor = null; // {leaf, words, from, to, marks}: the words that the keyboard stands on
  let turn = 0;
  let pressed = { x: 0, y: 0, at: -Infinity };

  const rectOf = (words, from, to) => around(0, [words[from], words[to]]).slice(1);
  const marked = (words) => words.map((word) => boxOf([0, ...word.slice(1)], "word"));

  function chosen({ words, from, to }) {
    if (from === to) return [words[from]];
    const [x0, y0, x1, y1] = rectOf(words, from, to);
    return wordsIn(words, [x0, y0], [x1, y1]);
  }

  // --- by keyboard -------------------------------------------------------------------------------------------

  async function begin() {
    const mine = (turn += 1);
    const box = start();
    const leaf = leaves.leafOf(box?.[0]) ?? leaves.central();
    if (!leaf) return;
    const words = await wordsOf(leaf.number, say);
    if (mine !== turn || !on) return;
    if (!words.length) {
      say(whyNone(leaf.number));
      return;
    }
    const at = nearestWord(words, box ? [(box[1] + box[3]) / 2, (box[2] + box[4]) / 2] : [0, 0], leaf.page.width / leaf.page.height);
    cursor = { leaf, words, from: at, to: at, marks: h("div", { class: "marks" }) };
    show(false);
  }

  function show(tell = true) {
    const { leaf, words, to, marks } = cursor;
    const taken = chosen(cursor);
    marks.replaceChildren(...marked(taken), boxOf([0, ...words[to].slice(1)], "word at"));
    leaves.reveal(leaf, [leaf.number, ...words[to].slice(1)]);
    if (marks.parentElement !== leaf.paper?.over) leaf.paper?.over.append(marks);
    if (tell) say(`“${textOf(taken)}” Enter takes it, Shift+Enter adds it.`);
  }

  function leave() {
    turn += 1;
    cursor?.marks.remove();
    cursor = null;
  }

  /** True where the key was meant for the words. */
  function key(event) {
    if (!on || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return false;
    const way = WAYS[event.key];
    if (!cursor) return Boolean(way) || event.key === "Enter";
    const { leaf, words } = cursor;
    if (way) {
      const across = leaf.page.width / leaf.page.height;
      cursor.to = stepWord(words, cursor.to, unturnedWay(way, leaf.turn), across);
      if (!event.shiftKey) cursor.from = cursor.to;
      show();
      return true;
    }
    if (event.key !== "Enter") return false;
    const taken = chosen(cursor);
    taking.take(false);
    onTake(textOf(taken), around(leaf.number, taken), event.shiftKey);
    return true;
  }

  // --- by pointer --------------------------------------------------------------------------------------------

  async function drag(leaf, event, dragging) {
    const { clientX: x, clientY: y, timeStamp: at } = event;
    const isSecond = at - pressed.at < DOUBLE_CLICK_MS && Math.hypot(x - pressed.x, y - pressed.y) < CLICK_SLOP_PX;
    pressed = { x, y, at };
    if (isSecond) return; // its word was taken by the first press of the double click
    const first = leaves.pointOn(leaf, event);
    let end = first;
    let words = [];
    let done = null;
    leave();
    const band = boxOf([0, ...first, ...first], "band");
    const marks = h("div", { class: "marks" });
    leaf.paper.over.append(band, marks);
    const covered = () => {
      const { width, height } = leaf.page;
      const far = Math.hypot((end[0] - first[0]) * width, (end[1] - first[1]) * height) * leaves.scale > CLICK_SLOP_PX;
      return far ? wordsIn(words, first, end) : [wordAt(words, first)].filter(Boolean);
    };
    const redraw = () => {
      place(band, around(0, [["", ...first, ...first], ["", ...end, ...end]]));
      marks.replaceChildren(...marked(covered()));
    };
    const finish = () => {
      const taken = done ? covered() : [];
      band.remove();
      marks.remove();
      if (taken.length) onTake(textOf(taken), around(leaf.number, taken), done.shiftKey);
      else if (done) say(words.length ? "There are no words of the page there." : whyNone(leaf.number));
    };
    let loaded = false;
    let ended = false;
    dragging(event, (move) => ((end = leaves.pointOn(leaf, move)), redraw()), (last) => {
      if (last) end = leaves.pointOn(leaf, last);
      done = last;
      ended = true;
      if (loaded) finish();
    });
    words = await wordsOf(leaf.number, say);
    loaded = true;
    if (ended) finish();
    else redraw();
  }

  const taking = {
    get on() { return on; },
    drag,
    key,

    take(next) {
      on = next;
      scroller.classList.toggle("taking", on);
      leave();
      onMode(on);
      if (on) begin();
    },

    /** The selection moved, or the page was turned or drawn anew. */
    moved() {
      if (!on) return;
      leave();
      begin();
    },
  };
  return taking;
}
