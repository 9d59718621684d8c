/** The strip above the table: a zoomed crop of the page around the selected cell and its row. */

import { h } from "./dom.js";
import { createPaper } from "./paper.js";
import { turnedBox, turnedSize, unturnedPoint } from "./turning.js";

const READABLE_PX = 720; // a page drawn this wide can be read
const LARGEST = 1.5; // times the page as wide as the strip
const SMALLEST = 0.5;
const LINE_PX = 8; // lines of very wide pages would be too small to read
const MARGIN_PX = 8;

/** `draw` shows a box, `shows` tells whether it can be seen; `resolve(path)` gives the address of an image; `onTake()` takes what is offered. */
export function createCrop({ resolve, onTake }) {
  const paper = createPaper(resolve, { label: false });
  const band = h("div", { class: "crop-row" });
  const frame = h("div", { class: "crop-box" });
  const note = h("bdi", { class: "crop-note", "data-testid": "crop-note" });
  const sheet = h("div", { class: "crop-sheet" }, paper.face);
  const element = h("div", { class: "crop", "data-testid": "crop", "aria-hidden": "true" }, sheet, frame, band, note);
  let shown = null;
  const size = { width: 0, height: 0 };
  // Asking the element for its size at each step would lay out the whole table in between.
  new ResizeObserver(([entry]) => Object.assign(size, { width: entry.contentRect.width, height: entry.contentRect.height })).observe(element);

  return {
    element,

    /**
     * Show a box `[page, x0, y0, x1, y1]` of a page `{page, turn}` as it is turned in the page pane and, where it is
     * known, the box of its row; `guess` draws it dashed. Null empties the strip.
     */
    draw(leaf, box, { row = null, guess = false, words = "" }) {
      shown = leaf && box ? { leaf, box } : null;
      element.classList.toggle("blank", !shown);
      note.textContent = words;
      sheet.hidden = frame.hidden = !shown;
      band.hidden = !shown || !row;
      if (!shown) return;
      const wide = size.width || element.clientWidth;
      const high = size.height || element.clientHeight;
      const { turn, page } = leaf;
      const seen = turnedSize(page, turn);
      const [boxSeen, rowSeen] = [box, row ?? box].map((one) => turnedBox(one, turn));
      const { factor, left, top } = viewOf(seen, boxSeen, rowSeen, wide, high);
      const [width, height] = [seen.width * factor, seen.height * factor];
      paper.show(page);
      paper.lay(factor, turn);
      place(sheet, left, top, width, height);
      frame.classList.toggle("guess", guess);
      for (const [one, [, x0, y0, x1, y1], pad] of [[frame, boxSeen, 4], [band, rowSeen, 6]]) {
        place(one, left + x0 * width - pad, top + y0 * height - pad, (x1 - x0) * width + 2 * pad, (y1 - y0) * height + 2 * pad);
      }
      paper.sharpen(partOf([-left / width, -top / height, (wide - left) / width, (high - top) / height], turn));
    },

    /** Offer the words of the page, by mouse here and by a key in the table. */
    offer(words, key) {
      note.replaceChildren(h("button", { tabindex: "-1", title: "Read the cell from the page", onclick: onTake }, `page: “${words}”`, h("kbd", {}, key)));
    },

    /** Whether the crop is on screen: its image is loaded and the strip is not folded away. */
    shows: () => Boolean(shown && paper.loaded && element.offsetParent),
  };
}

/** The part of the page that is seen in the strip. */
function partOf(sides, turn) {
  const [x0, y0, x1, y1] = sides.map((side) => Math.max(0, Math.min(1, side)));
  const [ax, ay] = unturnedPoint([x0, y0], turn);
  const [bx, by] = unturnedPoint([x1, y1], turn);
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}

function place(element, left, top, width, height) {
  Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}

/**
 * How far to zoom, and where the page's corner lies: the whole row if it can be read like that, so that the strip
 * stands still while the person walks along it, else the cell; never beyond the edges of the page.
 */
export function viewOf({ width, height }, box, row, wide, high) {
  const [, x0, y0, x1, y1] = box;
  const [rowFrom, rowTo] = [Math.min(x0, row[1]) * width, Math.max(x1, row[3]) * width];
  const whole = Math.max(wide, READABLE_PX) / width;
  const line = Math.min(LINE_PX / ((y1 - y0) * height), Math.max(4 * whole, 4));
  const wished = Math.max(whole, line, Math.min(LARGEST * whole, (wide - 4 * MARGIN_PX) / (rowTo - rowFrom)));
  const fits = Math.min((high - 2 * MARGIN_PX) / ((y1 - y0) * height), (wide - 4 * MARGIN_PX) / ((x1 - x0) * width));
  const factor = Math.min(wished, Math.max(SMALLEST * whole, fits));
  const inSight = (rowTo - rowFrom) * factor <= wide - 2 * MARGIN_PX;
  const middle = inSight ? (rowFrom + rowTo) / 2 : ((x0 + x1) / 2) * width;
  const left = within(wide / 2 - middle * factor, wide, width * factor);
  const top = within(high / 2 - ((y0 + y1) / 2) * height * factor, high, height * factor);
  return { factor, left, top };
}

/** An offset at which the page fills the strip; the middle, where the page is smaller than the strip. */
function within(offset, strip, page) {
  return page < strip ? (strip - page) / 2 : Math.min(0, Math.max(strip - page, offset));
}
