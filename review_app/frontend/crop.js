/** The strip above the table: a zoomed crop of the page around the selected cell. */

import { h } from "./dom.js";

const LARGEST_SCALE = 1.6; // of the page image: beyond it letters only blur

/** `draw` shows a box, `shows` tells whether it can be seen. */
export function createCrop() {
  const image = h("img", { alt: "", draggable: "false" });
  const frame = h("div", { class: "crop-box" });
  const note = h("span", { class: "crop-note" });
  const element = h("div", { class: "crop", "data-testid": "crop", "aria-hidden": "true" }, image, frame, note);
  let shown = null;
  const size = { width: 0, height: 0 };
  // Asking the element for its size at each step would lay out the whole table in between.
  new ResizeObserver(([entry]) => Object.assign(size, { width: entry.contentRect.width, height: entry.contentRect.height })).observe(element);

  return {
    element,

    /** Show a box `[page, x0, y0, x1, y1]` of a leaf of the page pane; `guess` draws it dashed. Null empties the strip. */
    draw(leaf, box, guess, words) {
      shown = leaf && box ? { leaf, box } : null;
      element.classList.toggle("blank", !shown);
      note.textContent = words;
      image.hidden = frame.hidden = !shown;
      if (!shown) return;
      const [, x0, y0, x1, y1] = box;
      const clientWidth = size.width || element.clientWidth;
      const clientHeight = size.height || element.clientHeight;
      const [width, height] = [(x1 - x0) * leaf.width, (y1 - y0) * leaf.height];
      const factor = Math.min(LARGEST_SCALE, (clientHeight * 0.8) / Math.max(height, 1), (clientWidth * 0.9) / Math.max(width, 1));
      const left = clientWidth / 2 - ((x0 + x1) / 2) * leaf.width * factor;
      const top = clientHeight / 2 - ((y0 + y1) / 2) * leaf.height * factor;
      if (image.src !== leaf.image.src) image.src = leaf.image.src;
      Object.assign(image.style, { width: `${leaf.width * factor}px`, height: `${leaf.height * factor}px`, left: `${left}px`, top: `${top}px` });
      frame.classList.toggle("guess", guess);
      Object.assign(frame.style, {
        left: `${left + x0 * leaf.width * factor - 2}px`,
        top: `${top + y0 * leaf.height * factor - 2}px`,
        width: `${width * factor + 4}px`,
        height: `${height * factor + 4}px`,
      });
    },

    /** Whether the crop is on screen: its image is loaded and the strip is not folded away. */
    shows: () => Boolean(shown && image.complete && image.naturalWidth && element.offsetParent),
  };
}
