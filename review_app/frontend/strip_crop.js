/** Which piece of the page a line of the strip shows: all at the same scale, and so sharp that it is not enlarged. Pure. */

const SCALE = 1.6; // pixels of the screen for a point of the page
const MARGIN_PX = [28, 12];
const WIDTHS = [160, 400];
const HEIGHTS = [36, 84];
const SHARP = { usual: 150, dense: 300 };

const clamp = (value, [least, most]) => Math.max(least, Math.min(most, value));

/** The value that nine of ten do not exceed. */
function most(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0;
}

/** The size in pixels that fits nine of ten boxes of the lines; `sizeOf(line)` gives `[width, height]` of its page. */
export function frameOf(lines, sizeOf) {
  const sides = lines.filter(({ box }) => box).map((line) => {
    const [, x0, y0, x1, y1] = line.box;
    const [width, height] = sizeOf(line) ?? [0, 0];
    return [(x1 - x0) * width * SCALE, (y1 - y0) * height * SCALE];
  });
  return {
    width: Math.round(clamp(most(sides.map(([wide]) => wide)) + 2 * MARGIN_PX[0], WIDTHS)),
    height: Math.round(clamp(most(sides.map(([, high]) => high)) + 2 * MARGIN_PX[1], HEIGHTS)),
  };
}

/**
 * The part of the page around a box that fills the frame, in fractions, and where the box lies on it in pixels.
 * A box that is too large for the frame is shown smaller, as a whole.
 */
export function partOf([, x0, y0, x1, y1], [pageWidth, pageHeight], frame) {
  const [wide, high] = [(x1 - x0) * pageWidth * SCALE, (y1 - y0) * pageHeight * SCALE];
  const factor = SCALE * Math.min(1, (frame.width - 16) / Math.max(1, wide), (frame.height - 8) / Math.max(1, high));
  const [w, h] = [frame.width / (factor * pageWidth), frame.height / (factor * pageHeight)];
  const inside = (middle, part) => (part >= 1 ? (1 - part) / 2 : Math.max(0, Math.min(1 - part, middle - part / 2)));
  const [left, top] = [inside((x0 + x1) / 2, w), inside((y0 + y1) / 2, h)];
  return {
    part: [left, top, left + w, top + h],
    box: { left: (x0 - left) * pageWidth * factor, top: (y0 - top) * pageHeight * factor, width: (x1 - x0) * pageWidth * factor, height: (y1 - y0) * pageHeight * factor },
  };
}

/** The address of a piece. */
export function addressOf(sha256, page, part, density) {
  const dpi = density > 1.3 ? SHARP.dense : SHARP.usual;
  return `/api/crop/${sha256}/${page}@${dpi}/${part.map((side) => side.toFixed(5)).join(",")}.webp`;
}
