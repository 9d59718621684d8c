/** A box that a person draws on a page, by pointer or by keyboard, and what is said while the table in it is read. */

import { h, write } from "./dom.js";
import { place } from "./marks.js";
import { turnedBox } from "./turning.js";

const SLOP_PX = 6;
const STEP = 0.02;
const FINE = 0.004;
const SMALLEST = 0.01;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const HOW = "Draw a box around the table. Arrow keys move this one, with Shift they resize it.";

const bounded = (at, low, high) => Math.max(low, Math.min(high, at));

/** A box `[page, x0, y0, x1, y1]` as seen, moved or (`resize`) with its right lower corner moved; it stays on the page. */
export function nudged([page, x0, y0, x1, y1], [right, down], resize) {
  if (resize) return [page, x0, y0, bounded(x1 + right, Math.min(1, x0 + SMALLEST), 1), bounded(y1 + down, Math.min(1, y0 + SMALLEST), 1)];
  const [across, along] = [bounded(right, -x0, 1 - x1), bounded(down, -y0, 1 - y1)];
  return [page, x0 + across, y0 + along, x1 + across, y1 + along];
}

/**
 * `leaves` and `scroller` are the pages; `onRead(page, box, signal)` reads a region and rejects with why it could not;
 * `onMode(on)` tells that the tool was taken or put away. `element` is the line that tells what goes on.
 */
export function createRegions({ leaves, scroller, onRead, onMode }) {
  const told = h("span", { class: "region-told", role: "status", "data-testid": "region-told" });
  const readButton = h("button", { class: "primary", onclick: () => read(), "data-testid": "region-read" }, "Read it", h("kbd", {}, "Enter"));
  const endButton = h("button", { onclick: () => leave(), "data-testid": "region-leave" });
  const element = h("div", { class: "region-bar", hidden: true, "data-testid": "region-bar" }, told, readButton, endButton);
  const outline = h("div", { class: "region", "data-testid": "region" });
  let on = false;
  let box = null; // [page, x0, y0, x1, y1]
  let busy = null; // the AbortController of a reading that is under way
  let ticking = 0;

  function tell(text, kind = "") {
    element.dataset.kind = kind;
    write(told, text);
    readButton.hidden = kind === "busy";
    endButton.replaceChildren(kind === "busy" ? "Cancel" : "Leave", h("kbd", {}, "Esc"));
  }

  function draw() {
    outline.remove();
    const leaf = box && leaves.leafOf(box[0]);
    if (!on || !leaf?.paper) return;
    place(outline, box);
    leaf.paper.over.append(outline);
  }

  /** A box in the middle of the part of a page that is in sight. */
  function middle() {
    const leaf = leaves.central();
    if (!leaf) return null;
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = leaf.element;
    const part = (from, size, at, seen) => [bounded((at - from) / size, 0, 1), bounded((at + seen - from) / size, 0, 1)];
    const [left, right] = part(offsetLeft, offsetWidth, scroller.scrollLeft, scroller.clientWidth);
    const [top, bottom] = part(offsetTop, offsetHeight, scroller.scrollTop, scroller.clientHeight);
    const share = (low, high, at) => low + (high - low) * at;
    const seen = [leaf.number, share(left, right, 0.06), share(top, bottom, 0.3), share(left, right, 0.94), share(top, bottom, 0.7)];
    return turnedBox(seen, (4 - leaf.turn) % 4);
  }

  async function read() {
    if (!box || busy) return;
    const mine = (busy = new AbortController());
    const began = performance.now();
    const count = () => tell(`Reading the region… ${Math.floor((performance.now() - began) / 1000)} s`, "busy");
    count();
    ticking = setInterval(count, 1000);
    outline.classList.add("busy");
    let said = HOW;
    let kind = "";
    try {
      const [page, ...sides] = box;
      await onRead(page, sides, mine.signal);
    } catch (wrong) {
      said = mine.signal.aborted ? "Cancelled; nothing was stored. The box can be changed and read again." : `${wrong.message} Change the box, or leave it.`;
      kind = mine.signal.aborted ? "" : "wrong";
    } finally {
      clearInterval(ticking);
      outline.classList.remove("busy");
      if (busy === mine) busy = null;
    }
    if (on) tell(said, kind);
  }

  /** Cancel the reading, or put the tool away. */
  function leave() {
    if (busy) busy.abort();
    else regions.take(false);
  }

  const regions = {
    element,
    get on() { return on; },

    take(next) {
      if (next === on) return;
      on = next;
      busy?.abort();
      element.hidden = !on;
      scroller.classList.toggle("drawing", on);
      box = on ? middle() : null;
      draw();
      tell(HOW);
      onMode(on);
    },

    /** A page came near and can be drawn on. */
    fill: (leaf) => box?.[0] === leaf.number && draw(),

    /** True where the key was meant for the box. */
    key(event) {
      if (!on || event.altKey || event.isComposing) return false;
      if (event.key === "Escape") leave();
      else if (busy) return Boolean(WAYS[event.key]) || event.key === "Enter";
      else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) read();
      else if (WAYS[event.key] && box) step(event);
      else return false;
      return true;
    },

    drag(leaf, event, dragging) {
      if (busy) return;
      const before = box;
      const first = leaves.pointOn(leaf, event);
      let far = false;
      dragging(event, (move) => {
        far ||= Math.hypot(move.clientX - event.clientX, move.clientY - event.clientY) > SLOP_PX;
        const end = leaves.pointOn(leaf, move).map((at) => bounded(at, 0, 1));
        box = far ? [leaf.number, ...[0, 1].map((side) => bounded(Math.min(first[side], end[side]), 0, 1)), ...[0, 1].map((side) => Math.max(first[side], end[side]))] : before;
        draw();
      }, (last) => {
        const [, x0, y0, x1, y1] = box;
        if (!last || !far || x1 - x0 < SMALLEST / 2 || y1 - y0 < SMALLEST / 2) {
          box = before;
          draw();
        } else {
          read();
        }
      });
    },
  };

  function step(event) {
    const leaf = leaves.leafOf(box[0]);
    const by = event.ctrlKey || event.metaKey ? FINE : STEP;
    const way = WAYS[event.key].map((part) => part * by);
    const seen = nudged(turnedBox(box, leaf.turn), way, event.shiftKey);
    box = turnedBox(seen, (4 - leaf.turn) % 4);
    draw();
    leaves.reveal(leaf, box);
    if (element.dataset.kind) tell(HOW);
  }

  return regions;
}

