/** A long list of lines of one height, of which only those on the screen, and the chosen one, are in the page. */

import { h } from "./dom.js";

const AROUND = 6; // lines drawn above and below the screen, so that a step never meets an empty place

/**
 * `draw(index)` makes the element of a line; `onShown(first, last)` tells which lines are drawn after each change.
 * The chosen line stays in the page wherever the list is scrolled to, because it may have the focus.
 */
export function createWindowed({ role, label, height, draw, onShown = () => {} }) {
  const body = h("div", { class: "windowed-body", role: "presentation" });
  const element = h("div", { class: "windowed", role, "aria-label": label }, body);
  const drawn = new Map(); // index -> element
  let count = 0;
  let chosen = -1;

  function bounds() {
    const first = Math.max(0, Math.floor(element.scrollTop / height) - AROUND);
    return [first, Math.min(count, Math.ceil((element.scrollTop + element.clientHeight) / height) + AROUND)];
  }

  function place(index) {
    const line = draw(index);
    line.style.cssText += `position:absolute;inset-inline:0;top:${index * height}px;height:${height}px`;
    drawn.get(index)?.remove();
    // In order, so that a screen reader meets the lines as they stand.
    const after = Math.min(...[...drawn.keys()].filter((other) => other > index));
    drawn.set(index, line);
    body.insertBefore(line, drawn.get(after) ?? null);
  }

  function paint() {
    const [first, last] = bounds();
    for (const [index, line] of drawn) {
      if ((index >= first && index < last) || (index === chosen && index < count)) continue;
      line.remove();
      drawn.delete(index);
    }
    for (let index = first; index < last; index += 1) if (!drawn.has(index)) place(index);
    if (chosen >= 0 && chosen < count && !drawn.has(chosen)) place(chosen);
    onShown(first, last);
  }

  element.addEventListener("scroll", paint, { passive: true });
  new ResizeObserver(paint).observe(element);

  return {
    element,
    get count() { return count; },
    get chosen() { return chosen; },
    /** The element of a line that is in the page. */
    at: (index) => drawn.get(index) ?? null,
    /** Other lines, or as many lines of another height; the list goes to its top unless `keep`. */
    fill(next, { tall = height, keep = false } = {}) {
      [count, height] = [next, tall];
      for (const line of drawn.values()) line.remove();
      drawn.clear();
      body.style.height = `${count * height}px`;
      chosen = Math.min(chosen, count - 1);
      if (!keep) element.scrollTop = 0;
      paint();
    },
    /** Draw one line anew, if it is in the page. */
    redraw: (index) => drawn.has(index) && place(index),
    /** Choose a line and bring it into view. */
    choose(index) {
      const before = chosen;
      chosen = index;
      const [top, bottom] = [index * height, (index + 1) * height];
      if (top < element.scrollTop) element.scrollTop = top;
      else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
      for (const one of [before, index]) if (drawn.has(one)) place(one);
      paint();
    },
    /** Whether a line stands on the screen as a whole. */
    shows: (index) => index * height >= element.scrollTop - 1 && (index + 1) * height <= element.scrollTop + element.clientHeight + 1,
    /** How many lines the screen has room for. */
    page: () => Math.max(1, Math.floor(element.clientHeight / height) - 1),
  };
}
