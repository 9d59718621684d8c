/** Which sharper tiles a zoomed part of a page needs. The route draws them; this only counts. No DOM. */

const TILE_PX = 1024;
const SHARPNESS = [72, 144, 288, 576]; // dots per inch that the route draws
const ENOUGH = 1.15; // an image may be enlarged by this much before it looks soft

/** The sharpness for a need in dots per inch, where an image with `base` of them is not enough; null where it is. */
export function sharpnessFor(need, base, sharpest) {
  if (need <= base * ENOUGH) return null;
  const better = SHARPNESS.filter((one) => one <= sharpest && one > base * ENOUGH);
  return better.find((one) => one * ENOUGH >= need) ?? better.at(-1) ?? null;
}

/** The tiles that cover a part `[x0, y0, x1, y1]` of a page: column and row, and place and size in fractions. */
export function tilesOver({ width, height }, sharpness, [x0, y0, x1, y1]) {
  const wide = Math.ceil((width * sharpness) / 72 - 0.01);
  const high = Math.ceil((height * sharpness) / 72 - 0.01);
  const span = (from, to, all) => {
    const last = Math.ceil(all / TILE_PX) - 1;
    const first = Math.max(0, Math.floor((from * all) / TILE_PX));
    const end = Math.min(last, Math.floor((to * all) / TILE_PX));
    return Array.from({ length: Math.max(0, end - first + 1) }, (_, index) => first + index);
  };
  return span(y0, y1, high).flatMap((row) => span(x0, x1, wide).map((col) => ({
    col,
    row,
    left: (col * TILE_PX) / wide,
    top: (row * TILE_PX) / high,
    width: Math.min(TILE_PX, wide - col * TILE_PX) / wide,
    height: Math.min(TILE_PX, high - row * TILE_PX) / high,
  })));
}
