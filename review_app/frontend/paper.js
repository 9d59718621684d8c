/** One page as paper on the screen: its image, sharper tiles of the part that is looked at, and room to draw on. */

import { h } from "./dom.js";
import { sharpnessFor, tilesOver } from "./tiles.js";
import { transformOf, turnedSize } from "./turning.js";

/** `resolve(path)` gives the address of an image. All that is drawn on `over` is turned with the page. */
export function createPaper(resolve, { label = true } = {}) {
  const image = h("img", { draggable: "false", decoding: "async" });
  const tiles = h("div", { class: "tiles", "aria-hidden": "true" });
  const over = h("div", { class: "boxes", "aria-hidden": "true" });
  const face = h("div", { class: "face" }, image, tiles, over);
  const laid = new Map(); // address -> image of a tile
  let page = null;
  let scale = 1;
  let seen = null;
  let wanted = new Set();

  image.addEventListener("load", () => sharpen(seen));

  function sharpen(part) {
    seen = part;
    if (!page || !part || !image.naturalWidth) return;
    const sharpness = sharpnessFor(scale * 72 * devicePixelRatio, (image.naturalWidth / page.width) * 72, page.sharpest);
    wanted = new Set();
    for (const tile of sharpness ? tilesOver(page, sharpness, part) : []) {
      const address = resolve(`${page.tiles}@${sharpness}-${tile.col}-${tile.row}.webp`);
      wanted.add(address);
      if (!laid.has(address)) laid.set(address, layTile(address, tile));
    }
    sweep();
  }

  function layTile(address, { left, top, width, height }) {
    const one = h("img", { class: "tile", alt: "", draggable: "false" });
    const percent = (share) => `${100 * share}%`;
    Object.assign(one.style, { left: percent(left), top: percent(top), width: percent(width), height: percent(height) });
    one.src = address;
    // Decoded first, so that the page is never seen without an image in between.
    one.decode().then(() => laid.get(address) === one && tiles.append(one)).catch(() => {}).finally(() => {
      one.settled = true;
      sweep();
    });
    return one;
  }

  // What is no longer wanted stays until all that is wanted is there.
  function sweep() {
    if ([...wanted].some((address) => !laid.get(address)?.settled)) return;
    for (const [address, one] of laid) {
      if (wanted.has(address)) continue;
      one.remove();
      laid.delete(address);
    }
  }

  return {
    face,
    over,
    image,

    /** Show a page `{number, width, height, image, tiles, sharpest}`. */
    show(next) {
      if (page?.image === next.image) return;
      page = next;
      wanted = new Set();
      for (const one of laid.values()) one.remove();
      laid.clear();
      image.alt = label ? `Page ${page.number}` : "";
      image.src = resolve(page.image);
    },

    /** Lay the page out at a scale, turned. */
    lay(nextScale, turn) {
      scale = nextScale;
      Object.assign(face.style, { width: `${page.width * scale}px`, height: `${page.height * scale}px`, transform: transformOf(turn) });
      return turnedSize({ width: page.width * scale, height: page.height * scale }, turn);
    },

    /** Make the part `[x0, y0, x1, y1]` of the page sharp at the scale at which it is laid out. */
    sharpen,

    get loaded() { return image.complete && image.naturalWidth > 0; },
  };
}
