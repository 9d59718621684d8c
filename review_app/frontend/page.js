/** The page pane: all pages of the document with the cells' boxes, zoom, pan, and words taken by dragging. */

import { h } from "./dom.js";
import { around, textOf, wordAt, wordsIn } from "./words.js";

const CLICK_SLOP_PX = 4;
const MARGIN_PX = 16;

/**
 * `onPick({row, col})` for a click on a cell's box; `onTake(text, box, add)` for words that were dragged over;
 * `wordsOf(page)` resolves to the words of a page.
 */
export function createPage({ onPick, onTake, wordsOf, onMode }) {
  const zoomShown = h("output", { class: "zoom", "aria-label": "Zoom" });
  const takeButton = h("button", { "aria-pressed": "false", title: "Drag over words to fill the selected cell (Alt+P, or Alt+drag)", "data-testid": "take", onclick: () => page.take(!taking) }, "Take from page");
  const tool = (label, title, act, name = null) => h("button", { title, "aria-label": name, onclick: act }, label);
  const tools = h("div", { class: "bar", role: "toolbar", "aria-label": "Page" },
    tool("−", "Zoom out (Alt+−)", () => page.zoom(1 / 1.2), "Zoom out"), zoomShown, tool("+", "Zoom in (Alt+=)", () => page.zoom(1.2), "Zoom in"),
    tool("Width", "Fit the width (Alt+W)", () => page.fit("width")), tool("Page", "Fit the whole page", () => page.fit("page")),
    h("span", { class: "gap" }), takeButton);
  const column = h("div", { class: "leaves" });
  const scroller = h("div", { class: "leaf-pane", tabindex: "0", role: "group", "aria-label": "Page image, the arrow keys scroll it", "data-testid": "page" }, column);
  const element = h("section", { class: "page-pane", "aria-label": "Page", "data-area": "page" }, tools, scroller);
  let leaves = []; // {number, width, height, element, image, boxes, words, guess}
  let fitting = "width";
  let scale = 1;
  let taking = false;
  const choice = h("div"); // the outline of the selected cell
  let outlines = new Map(); // "row,col" -> {outline, kind}
  let drawn = "";

  function open(pages, resolve) {
    leaves = pages.map(({ number, width, height, image }, index) => {
      const img = h("img", { alt: `Page ${number}`, draggable: "false", loading: index ? "lazy" : "eager", decoding: "async", src: resolve(image), width, height });
      const boxes = h("div", { class: "boxes", "aria-hidden": "true" });
      const guess = h("span", { class: "guess-label", hidden: true, title: "A guess: found by its text" }, "?");
      const leaf = h("div", { class: "leaf", style: `aspect-ratio:${width}/${height}` }, img, boxes, guess);
      if (pages.length > 1) leaf.append(h("span", { class: "folio", "aria-hidden": "true" }, `${number}`));
      leaf.dataset.page = number;
      img.addEventListener("error", () => leaf.classList.add("broken"));
      return { number, width, height, element: leaf, image: img, boxes, guess };
    });
    column.replaceChildren(...leaves.map((leaf) => leaf.element));
    outlines = new Map();
    drawn = "";
    fitted();
  }

  function fitted() {
    const [wide, high] = [scroller.clientWidth - MARGIN_PX, scroller.clientHeight - MARGIN_PX];
    const widest = Math.max(1, ...leaves.map(({ width }) => width));
    const highest = Math.max(1, ...leaves.map(({ height }) => height));
    if (fitting === "width" && wide > 0) scale = wide / widest;
    if (fitting === "page" && wide > 0) scale = Math.min(wide / widest, high / highest);
    for (const leaf of leaves) leaf.element.style.width = `${leaf.width * scale}px`;
    zoomShown.value = `${Math.round(scale * 100)} %`;
  }

  function zoomTo(next, x = scroller.clientWidth / 2, y = scroller.clientHeight / 2) {
    const bounded = Math.max(0.05, Math.min(8, next));
    const grown = bounded / scale;
    const [left, top] = [scroller.scrollLeft + x, scroller.scrollTop + y];
    fitting = "";
    scale = bounded;
    fitted();
    scroller.scrollLeft = left * grown - x;
    scroller.scrollTop = top * grown - y;
  }

  const leafOf = (number) => leaves.find((leaf) => leaf.number === number);

  // In parts of the page; the style sheet adds the same few pixels around it at any zoom.
  function outlineOf(box, kind) {
    const outline = h("div", { class: kind });
    lay(outline, box);
    return outline;
  }

  function lay(outline, [, x0, y0, x1, y1]) {
    const part = (share) => `${100 * share}%`;
    Object.assign(outline.style, { left: part(x0), top: part(y0), width: part(x1 - x0), height: part(y1 - y0) });
  }

  /** Draw the boxes of all cells: `[{row, col, box, kind}]`, kind being "", "unseen", "doubt" or "doubt low". */
  function draw(cells) {
    const places = cells.map(({ row, col, box }) => `${row},${col}:${box}`).join(";");
    if (places === drawn) {
      for (const { row, col, kind } of cells) mark({ row, col }, kind);
      return;
    }
    drawn = places;
    outlines = new Map();
    const perPage = new Map(leaves.map(({ number }) => [number, []]));
    for (const { row, col, box, kind } of cells) {
      const outline = outlineOf(box, `cell ${kind}`);
      outline.dataset.cell = `${row},${col}`;
      outlines.set(outline.dataset.cell, { outline, kind });
      perPage.get(box[0])?.push(outline);
    }
    for (const leaf of leaves) leaf.boxes.replaceChildren(...perPage.get(leaf.number), ...(choice.parentElement === leaf.boxes ? [choice] : []));
  }

  /** Mark one cell's box as another kind. */
  function mark({ row, col }, kind) {
    const one = outlines.get(`${row},${col}`);
    if (!one || one.kind === kind) return;
    one.kind = kind;
    one.outline.className = `cell ${kind}`;
  }

  /** Show the selected cell's box and its row; bring the box into view. A guess is drawn dashed and labelled. */
  function select({ box, guess, row, reveal = true }) {
    for (const leaf of leaves) {
      leaf.boxes.querySelectorAll(".row").forEach((band) => band.remove());
      leaf.guess.hidden = true;
    }
    for (const one of row) leafOf(one[0])?.boxes.prepend(outlineOf(one, "row"));
    const shown = box ?? guess;
    const leaf = shown && leafOf(shown[0]);
    if (!leaf) return choice.remove();
    choice.className = box ? "selected" : "guess";
    lay(choice, shown);
    if (choice.parentElement !== leaf.boxes) leaf.boxes.append(choice);
    if (!box) {
      leaf.guess.hidden = false;
      // Before the box, where a column of numbers is empty; after it at the edge of the page.
      const after = shown[1] < 0.08;
      Object.assign(leaf.guess.style, { top: `${shown[2] * 100}%`, left: after ? `${shown[3] * 100}%` : "auto", right: after ? "auto" : `${(1 - shown[1]) * 100}%` });
    }
    return reveal && into(leaf, shown);
  }

  function spot(leaf, [, x0, y0, x1, y1]) {
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = leaf.element;
    return [offsetLeft + x0 * offsetWidth, offsetTop + y0 * offsetHeight, offsetLeft + x1 * offsetWidth, offsetTop + y1 * offsetHeight];
  }

  function into(leaf, box) {
    const [left, top, right, bottom] = spot(leaf, box);
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroller;
    if (top < scrollTop + MARGIN_PX || bottom > scrollTop + clientHeight - MARGIN_PX) {
      scroller.scrollTop = (top + bottom - clientHeight) / 2;
    }
    if (left < scrollLeft || right > scrollLeft + clientWidth) scroller.scrollLeft = (left + right - clientWidth) / 2;
  }

  /** Whether a box can be seen now: its page is loaded and its middle lies in the pane. */
  function shows(box) {
    const leaf = leafOf(box[0]);
    if (!leaf || !leaf.image.complete || !leaf.image.naturalWidth || !element.offsetParent) return false;
    const [left, top, right, bottom] = spot(leaf, box);
    const [x, y] = [(left + right) / 2 - scroller.scrollLeft, (top + bottom) / 2 - scroller.scrollTop];
    return x >= 0 && y >= 0 && x <= scroller.clientWidth && y <= scroller.clientHeight;
  }

  function pointOn(leaf, event) {
    const { left, top, width, height } = leaf.element.getBoundingClientRect();
    return [(event.clientX - left) / width, (event.clientY - top) / height];
  }

  function pressed(event) {
    if (event.button !== 0) return;
    const leaf = leaves.find((one) => one.element.contains(event.target));
    event.preventDefault(); // the focus stays in the table
    if (leaf && (taking || event.altKey)) takeWords(leaf, event);
    else pan(event);
  }

  function dragging(event, moved, ended) {
    const stop = new AbortController();
    const { signal } = stop;
    scroller.setPointerCapture(event.pointerId);
    scroller.addEventListener("pointermove", moved, { signal });
    scroller.addEventListener("pointercancel", () => (stop.abort(), ended(null)), { signal });
    scroller.addEventListener("pointerup", (last) => (stop.abort(), ended(last)), { signal });
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

  async function takeWords(leaf, event) {
    const start = pointOn(leaf, event);
    let end = start;
    let words = [];
    let done = null;
    const band = outlineOf([0, ...start, ...start], "band");
    const marks = h("div", { class: "marks" });
    leaf.boxes.append(band, marks);
    const chosen = () => {
      const far = Math.hypot(end[0] - start[0], end[1] - start[1]) * leaf.width * scale > CLICK_SLOP_PX;
      return far ? wordsIn(words, start, end) : [wordAt(words, start)].filter(Boolean);
    };
    const redraw = () => {
      lay(band, around(0, [["", ...start, ...start], ["", ...end, ...end]]));
      marks.replaceChildren(...chosen().map((word) => outlineOf([0, ...word.slice(1)], "word")));
    };
    const finish = () => {
      const taken = done ? chosen() : [];
      band.remove();
      marks.remove();
      if (taken.length) onTake(textOf(taken), around(leaf.number, taken), done.shiftKey);
      else if (done) onTake("", null, false);
    };
    let loaded = false;
    let ended = false;
    dragging(event, (move) => ((end = pointOn(leaf, move)), redraw()), (last) => {
      if (last) end = pointOn(leaf, last);
      done = last;
      ended = true;
      if (loaded) finish();
    });
    words = await wordsOf(leaf.number);
    loaded = true;
    if (ended) finish();
    else redraw();
  }

  scroller.addEventListener("pointerdown", pressed);
  scroller.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { left, top } = scroller.getBoundingClientRect();
    zoomTo(scale * Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
  }, { passive: false });

  const page = {
    element,
    open,
    draw,
    mark,
    select,
    shows,
    get taking() { return taking; },
    imageOf: (number) => leafOf(number) ?? null,
    resized: fitted,
    scroller,
    zoom: (by) => zoomTo(scale * by),
    fit(kind) {
      fitting = kind;
      fitted();
    },
    take(on) {
      taking = on;
      takeButton.setAttribute("aria-pressed", String(on));
      scroller.classList.toggle("taking", on);
      onMode(on);
    },
  };
  return page;
}
