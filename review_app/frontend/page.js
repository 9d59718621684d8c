/** The page pane: toolbar, list of pages, the pages with the boxes of the cells, and what the pointer does on them. */

import { h } from "./dom.js";
import { keyed } from "./keymap.js";
import { createLeaves } from "./leaves.js";
import { createMarks } from "./marks.js";
import { createPageList } from "./pagelist.js";
import { createRegions } from "./regions.js";
import { createTaking } from "./taking.js";

const CLICK_SLOP_PX = 4;
const STEP = 1.2;

/**
 * `onPick({row, col})` for a click on a cell's box; `onTake(text, box, add)` for words taken from the page;
 * `wordsOf(page, say)` resolves to the words of a page, `whyNone(page)` says why it has none; `onMode(on)` and `say(text)` tell the person; `onTurn()` is called
 * once a page was turned; `onRegion(page, box, signal)` reads the table in a box, `onDrawn()` is called when the tool for it was
 * put away; `habits` is a drawer of the storage for what the person likes. Without `onTake` no words can be taken.
 */
export function createPage({ onPick, onTake, wordsOf, whyNone, onMode, say, onTurn, onRegion, onDrawn, habits }) {
  const tool = (label, title, act, name = null, more = {}) => h("button", { title, "aria-label": name, onclick: act, ...more }, label);
  const zoomShown = tool("", "The zoom; press for 100 %", () => zoomTo(1), null, { class: "zoom", "data-testid": "zoom" });
  const takeButton = tool("Take from page", null, () => page.take(!taking.on), null, { ...keyed("takePage", "Drag over words to fill the selected cell (Alt+drag, too), or step with the arrow keys"), "aria-pressed": "false", "data-testid": "take" });
  const listButton = tool("☰", "Show or hide the list of pages", () => showList(list.element.hidden), "List of pages", { "aria-pressed": "false", "data-testid": "pages", hidden: true });
  const closerButton = tool("Cell", null, () => page.closer(), null, { ...keyed("fitCell", "Zoom to the selected cell, and back"), "aria-pressed": "false" });
  const drawButton = tool("⬚", null, () => page.box(!regions.on), "Draw a box around a table", { ...keyed("drawRegion", "Draw a box around a table and read it (Ctrl+drag, too)"), "aria-pressed": "false", "data-testid": "draw" });
  const tools = h("div", { class: "bar", role: "toolbar", "aria-label": "Page" }, listButton,
    tool("−", null, () => page.zoom(-1), "Zoom out", keyed("zoomOut", "Zoom out")), zoomShown, tool("+", null, () => page.zoom(1), "Zoom in", keyed("zoomIn", "Zoom in")),
    tool("Width", null, () => page.fit("width"), null, keyed("fitWidth", "Fit the width")), tool("Page", null, () => page.fit("page"), null, keyed("fitPage", "Fit the whole page")), closerButton,
    tool("↻", null, () => page.turn(1), "Turn the page", keyed("turnPage", "Turn this page by a quarter")),
    h("span", { class: "gap" }), drawButton, takeButton);
  const column = h("div", { class: "leaves" });
  const scroller = h("div", { class: "leaf-pane", tabindex: "0", role: "group", "aria-label": "Page image, the arrow keys scroll it", "data-testid": "page" }, column);
  const list = createPageList({ onGo: (number) => leaves.go(leaves.leafOf(number)) });
  const element = h("section", { class: "page-pane", "aria-label": "Page", "data-area": "page" }, tools, h("div", { class: "page-and-list" }, list.element, scroller));
  closerButton.hidden = takeButton.hidden = !onTake;

  const leaves = createLeaves({
    scroller,
    column,
    onLaid(scale) {
      zoomShown.textContent = `${Math.round(scale * 100)} %`;
      zoomShown.setAttribute("aria-label", `Zoom ${zoomShown.textContent}, press for 100 %`);
      closerButton.setAttribute("aria-pressed", String(leaves.isCloser));
    },
    onSight: (number) => list.at(number),
    onLive: (leaf) => (marks.fill(leaf), regions.fill(leaf)),
  });
  const marks = createMarks({ leafOf: leaves.leafOf });
  const taking = createTaking({
    leaves,
    scroller,
    wordsOf,
    whyNone,
    start: () => marks.chosen,
    onTake,
    say,
    onMode(on) {
      takeButton.setAttribute("aria-pressed", String(on));
      onMode(on);
    },
  });
  const regions = createRegions({
    leaves,
    scroller,
    onRead: onRegion,
    onMode(on) {
      drawButton.setAttribute("aria-pressed", String(on));
      if (!on) onDrawn();
    },
  });
  tools.after(regions.element);
  let shown = ""; // the document that is open
  let turns = null;

  /** The page of the selected cell while the cell is in view, else the one in the middle. */
  function current() {
    const box = marks.chosen;
    return box && leaves.shows(box) ? leaves.leafOf(box[0]) : leaves.central();
  }

  /** Zoom so that the selected cell stays where it is, else the middle of the pane. */
  function zoomTo(scale) {
    const box = marks.chosen;
    if (!box || !leaves.shows(box)) return leaves.zoomTo(scale);
    const [left, top, right, bottom] = leaves.spot(leaves.leafOf(box[0]), box);
    return leaves.zoomTo(scale, (left + right) / 2 - scroller.scrollLeft, (top + bottom) / 2 - scroller.scrollTop);
  }

  function fill(sha256, pages, resolve, kept) {
    shown = sha256;
    turns = kept;
    marks.clear();
    regions.take(false);
    list.open(pages);
    listButton.hidden = pages.length < 2;
    list.element.hidden = pages.length < 2 || habits.get("page-list") === false;
    listButton.setAttribute("aria-pressed", String(!list.element.hidden));
    leaves.open(pages, resolve, (number) => turns.get(`${number}`) ?? 0);
  }

  function showList(on) {
    list.element.hidden = !on;
    listButton.setAttribute("aria-pressed", String(on));
    habits.put("page-list", on);
    page.resized();
  }

  function dragging(event, moved, ended) {
    const stop = new AbortController();
    const { signal } = stop;
    scroller.setPointerCapture(event.pointerId);
    scroller.addEventListener("pointermove", moved, { signal });
    scroller.addEventListener("pointercancel", () => (stop.abort(), ended(null)), { signal });
    scroller.addEventListener("pointerup", (last) => (stop.abort(), ended(last)), { signal });
  }

  function pressed(event) {
    if (event.button !== 0) return;
    const { leaf } = leaves.under(event);
    event.preventDefault(); // the focus stays in the table
    if (leaf?.paper && (regions.on || event.ctrlKey || event.metaKey) && !event.altKey) draw(leaf, event);
    else if (leaf?.paper && onTake && (taking.on || event.altKey)) taking.drag(leaf, event, dragging);
    else pan(event);
  }

  function draw(leaf, event) {
    page.box(true);
    regions.drag(leaf, event, dragging);
  }

  function pan(event) {
    const from = { x: event.clientX, y: event.clientY, left: scroller.scrollLeft, top: scroller.scrollTop };
    const target = event.target;
    let far = false;
    const moved = (move) => {
      far ||= Math.hypot(move.clientX - from.x, move.clientY - from.y) > CLICK_SLOP_PX;
      if (!far) return;
      scroller.classList.add("panning");
      scroller.scrollLeft = from.left - (move.clientX - from.x);
      scroller.scrollTop = from.top - (move.clientY - from.y);
    };
    dragging(event, moved, () => {
      scroller.classList.remove("panning");
      const [row, col] = (!far && target.dataset?.cell?.split(",").map(Number)) || [];
      if (row !== undefined) onPick({ row, col });
    });
  }

  scroller.addEventListener("pointerdown", pressed);
  scroller.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { left, top } = scroller.getBoundingClientRect();
    leaves.zoomTo(leaves.scale * Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
  }, { passive: false });

  const page = {
    element,
    scroller,

    /**
     * Open the pages of a document; of the one that is open already zoom and place stay. `kept` holds its turned pages,
     * `at` is the number of the page to go to, or null.
     */
    open({ sha256, pages }, resolve, kept, at = null) {
      if (sha256 !== shown) fill(sha256, pages, resolve, kept);
      const leaf = at && leaves.leafOf(at);
      if (leaf) leaves.go(leaf);
    },

    draw: (cells, kindOf) => marks.draw(cells, leaves.all, kindOf),
    mark: marks.mark,

    /** How many cells and doubtful cells each page has. */
    count: list.count,

    /** Show the selected cell's box, its row and column, and bring it into view. A guess is drawn dashed and labelled. */
    select({ reveal = true, ...chosen }) {
      marks.select(chosen);
      const box = chosen.box ?? chosen.guess;
      const leaf = box && leaves.leafOf(box[0]);
      if (leaf && reveal) leaves.reveal(leaf, box);
      if (reveal) taking.moved();
    },

    shows: leaves.shows,

    /** The page with a number and how it is turned, or null. */
    imageOf: (number) => leaves.leafOf(number),
    resized: leaves.resized,
    zoom: (by) => zoomTo(leaves.scale * STEP ** by),
    fit(kind) {
      const box = marks.chosen && leaves.shows(marks.chosen) ? marks.chosen : null;
      leaves.fit(kind, current());
      if (box) leaves.reveal(leaves.leafOf(box[0]), box);
    },
    closer: () => leaves.closer(marks.chosen),

    /** Turn a page by so many quarters, in the view alone. */
    turn(by) {
      const leaf = current();
      if (!leaf) return;
      const box = marks.chosen?.[0] === leaf.number ? marks.chosen : null;
      const turn = leaves.turn(leaf, by, box && leaves.shows(box) ? box : null);
      if (turn) turns.put(`${leaf.number}`, turn);
      else turns.drop(`${leaf.number}`);
      marks.turned(leaf);
      taking.moved();
      onTurn();
    },

    /** Go to the next or previous page. */
    step(by) {
      const next = leaves.all[leaves.all.indexOf(leaves.central()) + by];
      if (next) leaves.go(next);
      else say(by > 0 ? "This is the last page." : "This is the first page.");
    },

    get taking() { return taking.on; },
    take(on) {
      if (on) regions.take(false);
      taking.take(on);
    },

    /** Take the tool that draws a box around a table, or put it away. */
    box(on) {
      if (on && taking.on) taking.take(false);
      regions.take(on);
    },

    /** What the keys do to the page, by command. */
    commands: {
      ...(onTake && { takePage: () => page.take(!taking.on), fitCell: () => page.closer() }),
      drawRegion: () => page.box(!regions.on),
      zoomIn: () => page.zoom(1),
      zoomOut: () => page.zoom(-1),
      fitWidth: () => page.fit("width"),
      fitPage: () => page.fit("page"),
      turnPage: () => page.turn(1),
      turnPageBack: () => page.turn(-1),
      nextPage: () => page.step(1),
      previousPage: () => page.step(-1),
    },

    /** True where a key was meant for the words that are being taken, or the box that is being drawn. */
    key(event) {
      const isOther = event.target.closest?.("button, textarea, [role='option']") && ![takeButton, drawButton].includes(event.target);
      if (isOther) return regions.on && event.key === "Escape" && regions.key(event);
      return regions.key(event) || taking.key(event);
    },
  };
  return page;
}
