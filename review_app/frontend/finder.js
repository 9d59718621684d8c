/** Find, replace and tidy in the open table: each hit is shown as old and new before anything is done. */

import { counted, h } from "./dom.js";
import { TIDIES, tidied } from "./finding.js";
import { createProposals } from "./proposals.js";
import { createSearch } from "./search.js";
import { placeOf, storyOf } from "./board.js";
import { setTexts } from "./actions.js";
import { keyOf } from "./keymap.js";

const TITLES = { find: "Find", replace: "Find and replace", tidy: "Tidy texts" };
const SCOPES = { table: "in the table", column: "in these columns", selection: "in the selection" };

/** `desk()` gives the open table, `tray` shows the finder, `say(text)` speaks, `afterwards()` gives the focus to the table. */
export function createFinder({ desk, tray, say }) {
  const search = createSearch();
  let mode = "find";
  let rect = null; // the selection when the finder was opened
  let hits = [];
  let wrong = "";
  let applied = false; // since the person typed in a field last

  const field = (label, testid) => h("input", { type: "text", dir: "auto", spellcheck: "false", autocomplete: "off", "aria-label": label, placeholder: label, "data-testid": testid });
  const box = (label, title) => h("label", { title }, h("input", { type: "checkbox" }), label);
  const wanted = field("Find", "find-text");
  const fresh = field("Replace with", "find-replacement");
  const tidy = h("select", { "aria-label": "Way to tidy", "data-testid": "tidy-way" }, Object.entries(TIDIES).map(([id, [words]]) => h("option", { value: id }, words)));
  const scope = h("select", { "aria-label": "Where", "data-testid": "find-scope" }, Object.entries(SCOPES).map(([id, words]) => h("option", { value: id }, words)));
  const exact = box("Aa", "Capital and small letters differ");
  const whole = box("Whole cell", "The whole text of a cell must match");
  const regex = box(".*", "Regular expression; $1 names a group in the replacement");
  const told = h("span", { class: "found", role: "status", "data-testid": "find-count" });
  const apply = h("button", { class: "primary", "data-testid": "find-apply", onclick: () => replaceAll() });
  const list = createProposals({ label: "Hits", onPlace: show, onChosen: count, onApply: () => mode !== "find" && replaceAll() });
  const bar = h("div", { class: "tray-bar" }, wanted, fresh, tidy, scope, exact, whole, regex);
  const content = h("div", { class: "finder" }, bar, list.element);
  const isOn = (one) => one.firstChild.checked;

  function show(hit) {
    if (desk().mode === "first") desk().show("aligned");
    desk().select({ row: hit.row, first: null, col: hit.col });
  }

  function cellsInScope() {
    const { sheet } = desk();
    if (scope.value === "table" || !rect) return sheet.cells;
    const inside = ({ row, col }) => col >= rect.left && col <= rect.right && (scope.value === "column" || (row >= rect.top && row <= rect.bottom));
    return sheet.cells.filter(inside);
  }

  async function look() {
    const { board } = desk();
    const cells = cellsInScope();
    const texts = cells.map(({ text }) => text);
    wrong = "";
    let found = null;
    if (mode === "tidy") {
      found = { hits: tidied(texts, tidy.value) };
    } else {
      try {
        found = await search.find(texts, { text: wanted.value, exact: isOn(exact), whole: isOn(whole), regex: isOn(regex) }, mode === "replace" ? fresh.value : null);
      } catch (failure) {
        found = { wrong: failure.message };
      }
    }
    if (!found || desk().board.table.gold !== board.table.gold) return;
    wrong = found.wrong ?? "";
    hits = (found.hits ?? []).map(({ index, old, new: next }) => {
      const { row, col } = cells[index];
      return { row, col, old, new: next, place: placeOf(board, { row, first: null, col }), level: board.first ? storyOf(board, row, col).level : "" };
    });
    list.set(hits, { choosable: mode !== "find" });
    count();
  }

  const changing = () => list.chosen().filter((hit) => hit.new !== hit.old);

  function count() {
    const left = list.leftOut().length;
    const empty = mode === "tidy" ? "Nothing to tidy here" : wanted.value ? "Not found" : "";
    told.textContent = wrong || (hits.length ? counted(hits.length, mode === "tidy" ? "cell" : "hit") + (left ? `, ${left} left out` : "") : empty);
    told.classList.toggle("wrong", Boolean(wrong));
    const many = changing().length;
    apply.textContent = many ? `${mode === "tidy" ? "Tidy" : "Replace in"} ${counted(many, "cell")}` : mode === "tidy" ? "Tidy" : "Replace";
    apply.disabled = !many;
  }

  function replaceAll() {
    const chosen = changing();
    if (!chosen.length) return;
    const targets = chosen.map(({ row, col, new: text }) => ({ row, col, text }));
    if (!desk().commit(setTexts(desk().sheet, targets, "replace"))) return;
    applied = true;
    say(`${counted(chosen.length, "cell")} changed. ${keyOf("undo")} takes it back.`);
    if (tray.focused) (mode === "tidy" ? tidy : wanted).focus();
  }

  for (const one of [wanted, fresh]) one.addEventListener("input", () => ((applied = false), look()));
  for (const one of [tidy, scope, ...[exact, whole, regex].map(({ firstChild }) => firstChild)]) one.addEventListener("change", look);
  bar.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && event.target.localName === "input") {
      event.preventDefault();
      list.element.focus();
    }
    if (event.key !== "Enter" || event.target.localName === "button") return;
    event.preventDefault();
    list.step(event.shiftKey ? -1 : 1, desk().selected);
  });

  return {
    /** Whether undo means the replacement just made, and not the text of the field in which the caret stands. */
    undoes: (event) => applied || event.target.type !== "text",

    /** Open, or change to, "find", "replace" or "tidy". */
    open(next) {
      const again = tray.open && content.isConnected;
      mode = next;
      applied = false;
      if (!again || !tray.focused) {
        rect = desk().rect;
        const several = rect && desk().selectedCells.length > 1;
        scope.value = several ? "selection" : mode === "tidy" ? "column" : "table";
      }
      for (const one of [wanted, exact, whole, regex]) one.hidden = mode === "tidy";
      fresh.hidden = mode !== "replace";
      tidy.hidden = mode !== "tidy";
      apply.hidden = mode === "find";
      tray.show(TITLES[mode], content, { beside: [told, h("span", { class: "gap" }), apply], refresh: look, closed: search.end });
      const first = mode === "tidy" ? tidy : mode === "replace" && wanted.value && again ? fresh : wanted;
      first.focus();
      if (first === wanted) wanted.select();
      look();
    },
  };
}
