/** The strip above the table: a zoomed crop of the page around the selected cell and its row. */

import { h } from "./dom.js";

const READABLE_PX = 720; // a page drawn this wide can be read
const LARGEST = 1.5; // times the page as wide as the strip
const SMALLEST = 0.5;
const MARGIN_PX = 8;

/** `draw` shows a box, `shows` tells whether it can be seen. */
export function createCrop() {
  const image = h("img", { alt: "", draggable: "false" });
  const band = h("div", { class: "crop-row" });
  const frame = h("div", { class: "crop-box" });
  const note = h("span", { class: "crop-note" });
  const element = h("div", { class: "crop", "data-testid": "crop", "aria-hidden": "true" }, image, band, frame, note);
  let shown = null;
  const size = { width: 0, height: 0 };
  // Asking the element for its size at each step would lay out the whole table in between.
  new ResizeObserver(([entry]) => Object.assign(size, { width: entry.contentRect.width, height: entry.contentRect.height })).observe(element);

  return {
    element,

    /**
     * Show a box `[page, x0, y0, x1, y1]` of a leaf of the page pane and, where it is known, the box of its row;
     * `guess` draws it dashed. Null empties the strip.
     */
    draw(leaf, box, { row = null, guess = false, words = "" }) {
      shown = leaf && box ? { leaf, box } : null;
      element.classList.toggle("blank", !shown);
      note.textContent = words;
      image.hidden = frame.hidden = !shown;
      band.hidden = !shown || !row;
      if (!shown) return;
      const wide = size.width || element.clientWidth;
      const high = size.height || element.clientHeight;
      const { factor, left, top } = viewOf(leaf, box, row ?? box, wide, high);
      if (image.src !== leaf.image.src) image.src = leaf.image.src;
      place(image, left, top, leaf.width * factor, leaf.height * factor);
      frame.classList.toggle("guess", guess);
      for (const [one, [, x0, y0, x1, y1], pad] of [[frame, box, 4], [band, row ?? box, 6]]) {
        const [width, height] = [leaf.width * factor, leaf.height * factor];
        place(one, left + x0 * width - pad, top + y0 * height - pad, (x1 - x0) * width + 2 * pad, (y1 - y0) * height + 2 * pad);
      }
    },

    /** Whether the crop is on screen: its image is loaded and the strip is not folded away. */
    shows: () => Boolean(shown && image.complete && image.naturalWidth && element.offsetParent),
  };
}

function place(element, left, top, width, height) {
  Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}

/**
 * How far to zoom, and where the page's corner lies: the whole row if it can be read like that, so that the strip
 * stands still while the person walks along it, else the cell; never beyond the edges of the page.
 */
export function viewOf(leaf, box, row, wide, high) {
  const [, x0, y0, x1, y1] = box;
  const [rowFrom, rowTo] = [Math.min(x0, row[1]) * leaf.width, Math.max(x1, row[3]) * leaf.width];
  const whole = Math.max(wide, READABLE_PX) / leaf.width;
  const wished = Math.max(whole, Math.min(LARGEST * whole, (wide - 4 * MARGIN_PX) / (rowTo - rowFrom)));
  const fits = Math.min((high - 2 * MARGIN_PX) / ((y1 - y0) * leaf.height), (wide - 4 * MARGIN_PX) / ((x1 - x0) * leaf.width));
  const factor = Math.min(wished, Math.max(SMALLEST * whole, fits));
  const inSight = (rowTo - rowFrom) * factor <= wide - 2 * MARGIN_PX;
  const middle = inSight ? (rowFrom + rowTo) / 2 : ((x0 + x1) / 2) * leaf.width;
  const left = within(wide / 2 - middle * factor, wide, leaf.width * factor);
  const top = within(high / 2 - ((y0 + y1) / 2) * leaf.height * factor, high, leaf.height * factor);
  return { factor, left, top };
}

/** An offset at which the page fills the strip; the middle, where the page is smaller than the strip. */
function within(offset, strip, page) {
  return page < strip ? (strip - page) / 2 : Math.min(0, Math.max(strip - page, offset));
}
