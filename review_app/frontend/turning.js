/** Quarter turns of a page in the view: places on the page stay as they are, these say where they are seen. No DOM. */

/** Where a point of the page, in fractions, is seen on the page turned clockwise by so many quarters. */
export function turnedPoint([x, y], turn) {
  return [[x, y], [1 - y, x], [1 - x, 1 - y], [y, 1 - x]][turn];
}

/** The point of the page that is seen at a place. */
export const unturnedPoint = (seen, turn) => turnedPoint(seen, (4 - turn) % 4);

/** Where a box `[page, x0, y0, x1, y1]` is seen. */
export function turnedBox([page, x0, y0, x1, y1], turn) {
  const [ax, ay] = turnedPoint([x0, y0], turn);
  const [bx, by] = turnedPoint([x1, y1], turn);
  return [page, Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}

/** Width and height of a page as seen. */
export const turnedSize = ({ width, height }, turn) => (turn % 2 ? { width: height, height: width } : { width, height });

/** A direction on the screen, `[right, down]`, as one on the page. */
export function unturnedWay([right, down], turn) {
  return [[right, down], [down, -right], [-right, -down], [-down, right]][turn].map((part) => part || 0);
}

/** The style that turns a face whose left upper corner stays where it was. */
export const transformOf = (turn) => ["none", "rotate(90deg) translateY(-100%)", "rotate(180deg) translate(-100%, -100%)", "rotate(270deg) translateX(-100%)"][turn];
