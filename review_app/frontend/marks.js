/** What is drawn on the pages: the boxes of the cells, the selected one, its row and its column. */

import { h } from "./dom.js";
import { turnedBox } from "./turning.js";

/** A box in parts of the page; the style sheet adds the same few pixels around it at any zoom. */
export function boxOf(box, kind) {
  const outline = h("div", { class: kind });
  place(outline, box);
  return outline;
}

/** Move an outline to a box `[page, x0, y0, x1, y1]`. */
export function place(outline, [, x0, y0, x1, y1]) {
  const part = (share) => `${100 * share}%`;
  Object.assign(outline.style, { left: part(x0), top: part(y0), width: part(x1 - x0), height: part(y1 - y0) });
}

/** `leafOf(number)` gives the leaf of a page; it can be drawn on while it has its paper. */
export function createMarks({ leafOf }) {
  const choice = h("div"); // the outline of the selected cell
  const label = h("span", { class: "guess-label", title: "A guess: found by its text" }, "?");
  let list = []; // the cells that were drawn last
  let kindOf = () => "";
  let perPage = new Map(); // number -> [{key, cell, kind, outline or null}]
  let outlines = new Map(); // "row,col" -> one of those
  let chosen = null; // {box, isGuess}
  let bands = []; // [{box, kind, outline}]

  function fill(leaf) {
    const cells = (perPage.get(leaf.number) ?? []).map((one) => {
      one.kind = kindOf(one.cell);
      one.outline = boxOf(one.cell.box, `cell ${one.kind}`);
      one.outline.dataset.cell = one.key;
      return one.outline;
    });
    leaf.paper.over.replaceChildren(...cells);
    choose(leaf);
  }

  function choose(leaf) {
    for (const band of bands) if (band.box[0] === leaf.number) leaf.paper.over.prepend((band.outline = boxOf(band.box, band.kind)));
    if (chosen?.box[0] !== leaf.number) return;
    choice.className = chosen.isGuess ? "guess" : "selected";
    place(choice, chosen.box);
    if (choice.parentElement !== leaf.paper.over) leaf.paper.over.append(choice);
    if (chosen.isGuess) name(leaf);
  }

  // Upright however the page is turned; before the box, where a column of numbers is empty, after it at the page's edge.
  function name(leaf) {
    const [, x0, y0, x1] = turnedBox(chosen.box, leaf.turn);
    const after = x0 < 0.08;
    Object.assign(label.style, { top: `${y0 * 100}%`, left: after ? `${x1 * 100}%` : "auto", right: after ? "auto" : `${(1 - x0) * 100}%` });
    leaf.element.append(label);
  }

  return {
    /**
     * Draw the boxes of cells; `kind(cell)` is "", "unseen", "doubt" or "doubt low". Asked for it are only cells on
     * leaves that have their paper, as a table may have ten thousand.
     */
    draw(cells, leaves, kind) {
      kindOf = kind;
      const moved = cells !== list && (cells.length !== list.length || cells.some(({ row, col, box }, at) => box !== list[at].box || row !== list[at].row || col !== list[at].col));
      list = cells;
      if (!moved) {
        for (const leaf of leaves) if (leaf.paper) for (const one of perPage.get(leaf.number) ?? []) this.mark(one.cell, kindOf(one.cell));
        return;
      }
      perPage = new Map();
      outlines = new Map();
      for (const cell of cells) {
        const one = { key: `${cell.row},${cell.col}`, cell, kind: "", outline: null };
        outlines.set(one.key, one);
        if (!perPage.has(cell.box[0])) perPage.set(cell.box[0], []);
        perPage.get(cell.box[0]).push(one);
      }
      for (const leaf of leaves) if (leaf.paper) fill(leaf);
    },

    /** Mark one cell's box as another kind. */
    mark({ row, col }, kind) {
      const one = outlines.get(`${row},${col}`);
      if (!one || one.kind === kind) return;
      one.kind = kind;
      if (one.outline) one.outline.className = `cell ${kind}`;
    },

    /** Show the selected cell's box, its row and its column; a guess is drawn dashed and labelled. */
    select({ box, guess, row, col }) {
      for (const { outline } of bands) outline?.remove();
      choice.remove();
      label.remove();
      const shown = box ?? guess;
      chosen = shown ? { box: shown, isGuess: !box } : null;
      bands = [...row.map((one) => ({ box: one, kind: "row" })), ...col.map((one) => ({ box: one, kind: "col" }))];
      const pages = new Set([...bands.map((band) => band.box[0]), ...(shown ? [shown[0]] : [])]);
      for (const number of pages) {
        const leaf = leafOf(number);
        if (leaf?.paper) choose(leaf);
      }
    },

    /** A page came near, or was turned. */
    fill,
    turned: (leaf) => chosen?.isGuess && chosen.box[0] === leaf.number && name(leaf),

    /** The box that the selection stands at, or null. */
    get chosen() { return chosen?.box ?? bands[0]?.box ?? null; },

    /** Nothing of another document is left. */
    clear() {
      list = [];
      perPage = new Map();
      outlines = new Map();
      bands = [];
      chosen = null;
      choice.remove();
      label.remove();
    },
  };
}
