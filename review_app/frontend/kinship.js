/** Offers the change of one cell for its kin: a quiet line after the edit, a list with page crops on demand. */

import { counted, h } from "./dom.js";
import { kinOf } from "./kin.js";
import { createProposals } from "./proposals.js";
import { drawer } from "./outbox.js";
import { placeOf, storyOf } from "./board.js";
import { at, keyAt, markAt } from "./sheet.js";
import { setTexts } from "./actions.js";
import { keyOf } from "./keymap.js";

/** `imageOf(page)` gives the leaf of the page pane from which crops are cut. */
export function createKinship({ storage, person, desk, tray, imageOf, say, run }) {
  const words = h("span", {});
  const key = h("kbd", { "data-command": "kin" });
  const chip = h("button", { class: "kin-offer", hidden: true, "data-testid": "kin-offer", onclick: () => run("kin") }, words, key);
  const element = h("span", { class: "kin", role: "status" }, chip);
  let offer = null;
  let timer = null;
  let waiting = null; // a change whose kin are not looked for yet

  const kept = () => drawer(storage, "declined", person, desk().table.gold);
  const nameOf = (sheet, { row, col }) => `${offer.pattern}\n${keyAt(sheet, row, col)}`;

  function forget() {
    clearTimeout(timer);
    offer = waiting = null;
    chip.hidden = true;
  }

  /** The one cell that an edit gave another text, or null. */
  function changeOf({ edit, undoes, source }) {
    if (undoes || ["kin", "replace", "fill", "paste"].includes(source)) return null;
    const pairs = edit.kind === "set_text" ? edit.changes : edit.kind === "replace_cells" && edit.old.length === 1 && edit.new.length === 1
      ? [{ row: edit.new[0].row, col: edit.new[0].col, old: edit.old[0].text, new: edit.new[0].text }] : [];
    return pairs.length === 1 && pairs[0].old !== pairs[0].new ? pairs[0] : null;
  }

  function look() {
    clearTimeout(timer);
    const change = waiting;
    waiting = null;
    if (!change) return;
    const { sheet, board } = desk();
    const header = at(sheet, change.row, change.col)?.header ?? "";
    const cells = sheet.cells.map((one) => ({
      row: one.row, col: one.col, text: one.text, numeric: board.numeric[one.col],
      get settled() { return one.header !== header || markAt(sheet, one.row, one.col) !== "" || board.edited.has(keyAt(sheet, one.row, one.col)); }, // asked of few
    }));
    const found = kinOf({ ...change, numeric: board.numeric[change.col] }, cells);
    if (!found) return;
    offer = found;
    const declined = new Set(kept().get("kin") ?? []);
    offer.cells = offer.cells.filter((one) => !declined.has(nameOf(sheet, one)));
    if (!offer.cells.length) return forget();
    words.textContent = `The same change fits ${counted(offer.cells.length, "other cell")} `;
    key.textContent = keyOf("kin");
    chip.title = `${offer.says[0].toUpperCase()}${offer.says.slice(1)}: look at each before it is made`;
    chip.hidden = false;
  }

  function decline(cells) {
    const { sheet } = desk();
    if (cells.length) kept().put("kin", [...new Set([...(kept().get("kin") ?? []), ...cells.map((one) => nameOf(sheet, one))])]);
  }

  function itemOf({ row, col, old, new: next }) {
    const { board, sheet } = desk();
    const { box } = at(sheet, row, col);
    const leaf = box && imageOf(box[0]);
    return { row, col, old, new: next, place: placeOf(board, { row, first: null, col }), level: board.first ? storyOf(board, row, col).level : "", thumb: leaf ? { leaf, box } : null };
  }

  return {
    element,
    forget,

    /** An edit was made: what was offered for the one before is gone; this one may have kin, too. */
    made(entry) {
      forget();
      waiting = changeOf(entry);
      if (waiting) timer = setTimeout(look, 30); // the cell is painted first
    },

    /** Show what is offered. */
    open() {
      look();
      if (!offer) return say("The last change fits no other cell.");
      const back = desk().cursor;
      const make = () => {
        const chosen = list.chosen();
        if (!chosen.length) return refuse();
        decline(list.leftOut());
        const targets = chosen.map(({ row, col, new: text }) => ({ row, col, text }));
        desk().select(back);
        const done = desk().commit(setTexts(desk().sheet, targets, "kin"));
        tray.close();
        if (done) say(`${counted(chosen.length, "cell")} changed. ${keyOf("undo")} takes it back.`);
        return undefined;
      };
      const refuse = () => {
        decline(offer?.cells ?? []);
        forget();
        desk().select(back);
        tray.close();
      };
      const count = () => (apply.textContent = `Change ${counted(list.chosen().length, "cell")}`);
      const list = createProposals({ label: "Cells that the change fits", onPlace: (item) => desk().select({ row: item.row, first: null, col: item.col }), onChosen: count, onApply: make });
      const apply = h("button", { class: "primary", "data-testid": "kin-apply", onclick: make });
      const no = h("button", { "data-testid": "kin-decline", title: "These cells are not offered again", onclick: refuse }, "None of them");
      const hint = h("span", { class: "found" }, `${offer.says}. Space leaves one out, Enter changes the others.`);
      list.set(offer.cells.map(itemOf));
      count();
      tray.show("The same change in other cells", h("div", { class: "finder kinship" }, h("div", { class: "tray-bar" }, hint), list.element), {
        beside: [h("span", { class: "gap" }), no, apply],
        refresh: () => !offer && tray.close(),
        closed: () => (chip.hidden = !offer),
      });
      chip.hidden = true;
      list.element.focus();
      return undefined;
    },
  };
}
