/** The pages of a document one under another: zoom, fit, turn and place, with images only of what is near. */

import { h } from "./dom.js";
import { createPaper } from "./paper.js";
import { turnedBox, turnedPoint, turnedSize, unturnedPoint } from "./turning.js";

const MARGIN_PX = 16;
const SMALLEST = 0.05;
const LARGEST = 8;
// A fit shrinks a PDF's page no further than this: a strip of two hundred inches would be a line else.
const READABLE = { width: 0.4, page: 0.1 };
const OWN_PIXELS = 72; // the sharpness of an image, whose size is in pixels and tells nothing of its print
const CELL_SHARE = { wide: 0.5, high: 0.2 };

/**
 * `scroller` holds `column`. `onLaid(scale)` is called after each change of the zoom, `onSight(number)` when another
 * page is in the middle, `onLive(leaf)` when a page comes near and can be drawn on.
 */
export function createLeaves({ scroller, column, onLaid, onSight, onLive }) {
  let leaves = []; // {number, page, turn, address, element, paper or null}
  let resolve = null;
  let scale = 1;
  let fitting = "width";
  let before = null; // where the person was before the zoom to a cell
  let looking = 0;
  let middle = null;
  let aim = null; // the page to go to once the pane has a size

  const bounded = (wished) => Math.max(SMALLEST, Math.min(LARGEST, wished));
  const leafOf = (number) => leaves.find((leaf) => leaf.number === number) ?? null;

  /** `pages` of the table route; `turnOf(number)` gives the kept turn of each. */
  function open(pages, resolveNext, turnOf) {
    resolve = resolveNext;
    leaves = pages.map((page) => {
      const element = h("div", { class: "leaf", "data-page": page.number });
      if (pages.length > 1) element.append(h("span", { class: "folio", "aria-hidden": "true" }, `${page.number}`));
      return { number: page.number, page, turn: turnOf(page.number), address: resolve(page.image), element, paper: null };
    });
    column.replaceChildren(...leaves.map(({ element }) => element));
    before = middle = aim = null;
    scroller.scrollTo(0, 0);
    fitted(leaves[0]);
    look();
  }

  function liven(leaf) {
    if (leaf.paper) return;
    leaf.paper = createPaper(resolve);
    leaf.paper.image.addEventListener("error", () => leaf.element.classList.add("broken"));
    leaf.paper.show(leaf.page);
    leaf.paper.lay(scale, leaf.turn);
    leaf.element.prepend(leaf.paper.face);
    onLive(leaf);
  }

  function letGo(leaf) {
    leaf.paper?.face.remove();
    leaf.paper = null;
  }

  // Images of the pages within a screen are fetched, those further than three screens away are let go.
  function look() {
    looking = 0;
    const { scrollTop: top, scrollLeft: left, clientHeight: high, clientWidth: wide } = scroller;
    const near = Math.max(high, 400);
    let central = leaves[0] ?? null;
    for (const leaf of leaves) {
      const { offsetTop, offsetHeight } = leaf.element;
      const away = Math.max(top - offsetTop - offsetHeight, offsetTop - top - high);
      if (away < near) liven(leaf);
      else if (away > 3 * near) letGo(leaf);
      if (offsetTop <= top + high / 2) central = leaf;
      if (leaf.paper && away < 0) leaf.paper.sharpen(partInSight(leaf, left, top, wide, high));
    }
    if (central && central !== middle) onSight((middle = central).number);
  }

  function partInSight({ element, turn }, left, top, wide, high) {
    const within = (at) => Math.max(0, Math.min(1, at));
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = element;
    const seen = [0, within((left - offsetLeft) / offsetWidth), within((top - offsetTop) / offsetHeight), within((left + wide - offsetLeft) / offsetWidth), within((top + high - offsetTop) / offsetHeight)];
    return turnedBox(seen, (4 - turn) % 4).slice(1);
  }

  const lookSoon = () => (looking ||= requestAnimationFrame(look));

  function lay() {
    for (const leaf of leaves) {
      const { width, height } = turnedSize(leaf.page, leaf.turn);
      Object.assign(leaf.element.style, { width: `${width * scale}px`, height: `${height * scale}px` });
      leaf.paper?.lay(scale, leaf.turn);
    }
    onLaid(scale);
    lookSoon();
  }

  function scaleFor({ page, turn }, kind) {
    const { width, height } = turnedSize(page, turn);
    const wide = (scroller.clientWidth - MARGIN_PX) / width;
    const fit = kind === "width" ? wide : Math.min(wide, (scroller.clientHeight - MARGIN_PX) / height);
    return bounded(Math.max(page.sharpest > OWN_PIXELS ? Math.min(READABLE[kind], 1) : 0, fit));
  }

  function fitted(leaf) {
    if (fitting && leaf && scroller.clientWidth > MARGIN_PX) scale = scaleFor(leaf, fitting);
    lay();
  }

  const central = () => middle ?? leaves[0] ?? null;

  function leafAt(y) {
    return leaves.findLast(({ element }) => element.offsetTop <= y) ?? leaves[0];
  }

  /** Do what changes the layout, and keep the point of the page that is seen at `x`, `y` of the pane where it is. */
  function anchored(change, x = scroller.clientWidth / 2, y = scroller.clientHeight / 2) {
    const leaf = leafAt(scroller.scrollTop + y);
    if (!leaf) return change();
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = leaf.element;
    const point = unturnedPoint([(scroller.scrollLeft + x - offsetLeft) / offsetWidth, (scroller.scrollTop + y - offsetTop) / offsetHeight], leaf.turn);
    change();
    return put(leaf, point, x, y);
  }

  function put(leaf, point, x, y) {
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = leaf.element;
    const [across, down] = turnedPoint(point, leaf.turn);
    scroller.scrollLeft = offsetLeft + across * offsetWidth - x;
    scroller.scrollTop = offsetTop + down * offsetHeight - y;
    lookSoon();
  }

  function zoomTo(next, x, y) {
    anchored(() => {
      fitting = "";
      scale = bounded(next);
      lay();
    }, x, y);
  }

  /** Left, top, right and bottom of a box in the scrolled pane. */
  function spot(leaf, box) {
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = leaf.element;
    const [, x0, y0, x1, y1] = turnedBox(box, leaf.turn);
    return [offsetLeft + x0 * offsetWidth, offsetTop + y0 * offsetHeight, offsetLeft + x1 * offsetWidth, offsetTop + y1 * offsetHeight];
  }

  function toMiddle(leaf, [, x0, y0, x1, y1]) {
    put(leaf, [(x0 + x1) / 2, (y0 + y1) / 2], scroller.clientWidth / 2, scroller.clientHeight / 2);
  }

  /** Go to the top of a page; while the pane has no size yet, as soon as it has one. */
  function go(leaf) {
    scroller.scrollTop = leaf.element.offsetTop - MARGIN_PX;
    aim = leaf === leaves[0] || scroller.scrollTop > 0 ? null : leaf;
    look();
  }

  scroller.addEventListener("scroll", lookSoon, { passive: true });

  return {
    open,
    leafOf,
    spot,
    zoomTo,
    get scale() { return scale; },
    get all() { return leaves; },
    central,

    /** The size of the pane changed. */
    resized() {
      if (fitting) anchored(() => fitted(central()));
      else lookSoon();
      if (aim) go(aim);
    },

    /** Fit a page: "width" or "page". */
    fit(kind, leaf) {
      fitting = kind;
      before = null;
      anchored(() => fitted(leaf));
      if (leaf && kind === "page") toMiddle(leaf, [leaf.number, 0, 0, 1, 1]);
    },

    /** Zoom to a box with some room around it; where that was done already, go back. */
    closer(box) {
      if (before) {
        const { leaf, point } = before;
        ({ fitting, scale } = before);
        before = null;
        lay();
        return put(leaf, point, 0, 0);
      }
      const leaf = box && leafOf(box[0]);
      if (!leaf) return undefined;
      const top = leafAt(scroller.scrollTop);
      const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = top.element;
      const point = unturnedPoint([(scroller.scrollLeft - offsetLeft) / offsetWidth, (scroller.scrollTop - offsetTop) / offsetHeight], top.turn);
      before = { fitting, scale, leaf: top, point };
      const [left, upper, right, lower] = spot(leaf, box).map((side) => side / scale);
      fitting = "";
      scale = bounded(Math.min((CELL_SHARE.wide * scroller.clientWidth) / (right - left), (CELL_SHARE.high * scroller.clientHeight) / (lower - upper)));
      lay();
      return toMiddle(leaf, box);
    },
    get isCloser() { return before !== null; },

    /** Turn a page by so many quarters; the box, if it is given, comes to the middle. */
    turn(leaf, by, box = null) {
      anchored(() => {
        leaf.turn = (leaf.turn + by + 4) % 4;
        fitted(leaf);
      });
      if (box) toMiddle(leaf, box);
      return leaf.turn;
    },

    /** Bring a box into view; a fit follows to a page of another size. */
    reveal(leaf, box) {
      if (fitting && scaleFor(leaf, fitting) !== scale) fitted(leaf);
      const [left, top, right, bottom] = spot(leaf, box);
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroller;
      if (top < scrollTop + MARGIN_PX || bottom > scrollTop + clientHeight - MARGIN_PX) {
        scroller.scrollTop = (top + bottom - clientHeight) / 2;
      }
      if (left < scrollLeft || right > scrollLeft + clientWidth) scroller.scrollLeft = (left + right - clientWidth) / 2;
      lookSoon();
    },

    go,

    /** Whether a box can be seen now: its page is loaded and its middle lies in the pane. */
    shows(box) {
      const leaf = leafOf(box[0]);
      if (!leaf?.paper?.loaded || !scroller.offsetParent) return false;
      const [left, top, right, bottom] = spot(leaf, box);
      const [x, y] = [(left + right) / 2 - scroller.scrollLeft, (top + bottom) / 2 - scroller.scrollTop];
      return x >= 0 && y >= 0 && x <= scroller.clientWidth && y <= scroller.clientHeight;
    },

    /** The leaf under the pointer, and the point of its page. */
    under(event) {
      const leaf = leaves.find(({ element }) => element.contains(event.target)) ?? null;
      return { leaf, point: leaf && this.pointOn(leaf, event) };
    },
    pointOn(leaf, event) {
      const { left, top, width, height } = leaf.element.getBoundingClientRect();
      return unturnedPoint([(event.clientX - left) / width, (event.clientY - top) / height], leaf.turn);
    },
  };
}
