/** The history in the side panel: who changed what, when, how and why; and the revert of one old edit. */

import { counted, h } from "./dom.js";
import { keyOf } from "./keymap.js";
import { columnLabel, rowLabel } from "./board.js";
import { takenBack } from "./history.js";
import { placesOf, structureOf, touches, trailOf, WAYS } from "./trail.js";
import { planRevert } from "./revert.js";
import { timeOf, walkable } from "./aside.js";

const MOST_AT_ONCE = 100;
const MOST_CELLS = 5;

/** `desk()` gives the open table, `reasons()` the reasons by edit, `talk` writes one, `go(spot)` selects a cell, `panel()` is the side panel. */
export function createPast({ desk, talk, say, go, panel }) {
  let whole = false; // the history of the whole table, or of the selected cell
  let limit = MOST_AT_ONCE;
  let asked = null; // {id, plan}: a revert that needs an answer
  let explaining = null; // the edit that is being given a reason
  let memory = {};

  function trail() {
    const { sheet, history } = desk();
    if (memory.history !== history) memory = { history, trail: trailOf(sheet, history), undone: takenBack(history) };
    return memory;
  }

  function placeOfIds({ row, col }) {
    const { sheet, board } = desk();
    const [down, across] = [sheet.row_ids.indexOf(row), sheet.col_ids.indexOf(col)];
    if (down < 0 || across < 0) return "a deleted line";
    return board.table.form ? columnLabel(board, across) : `${rowLabel(board, down)}, ${columnLabel(board, across)}`;
  }

  const value = (text) => (text === null ? h("i", {}, "nothing") : text === "" ? h("i", {}, "empty") : h("bdi", {}, text));

  function changeOf({ row, col, before, after }, places) {
    const known = places?.some((place) => place.row === row && place.col === col);
    return h("p", { class: "change" }, known ? null : h("span", { class: "muted" }, `${placeOfIds({ row, col })}: `), h("del", {}, value(before)), " → ", h("ins", {}, value(after)));
  }

  const shortly = (entry) => `${entry.person}, ${new Date(entry.at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}`;

  function revert(id) {
    const { sheet, history } = desk();
    const plan = planRevert(sheet, history, id);
    asked = null;
    if (plan.why || !plan.exact) {
      asked = { id, plan };
      panel().draw();
      panel().element.querySelector(".question button")?.focus();
      return;
    }
    put(plan.clean, id);
  }

  function put(edit, undoes = null) {
    asked = null;
    if (desk().commit({ source: "revert", edit, note: `Reverted. ${keyOf("undo")} takes the revert back.` }, { undoes, follow: true })) panel().draw();
  }

  function question({ plan }) {
    const no = h("button", { "data-key": "leave", onclick: () => ((asked = null), panel().draw(), part.focus(panel().element)) }, "Leave it");
    if (plan.why) return h("div", { class: "question", tabindex: "-1", role: "alert" }, h("p", {}, plan.why, plan.by ? ` (${shortly(plan.by)})` : ""), h("div", { class: "ask" }, no));
    const { cells, note, clean, anyway } = plan;
    const other = cells.filter(({ by, gone }) => by || gone);
    const rows = cells.slice(0, 20).map(({ row, col, wrote, now, then, by, gone }) => h("tr", {},
      h("td", {}, placeOfIds({ row, col })), h("td", {}, value(wrote)), h("td", {}, gone ? h("i", {}, "gone") : value(now), by ? h("span", { class: "muted" }, ` ${shortly(by)}`) : null), h("td", {}, gone ? "" : value(then))));
    const head = h("tr", {}, ["Where", "It wrote", "There now", "Would be"].map((text) => h("th", {}, text)));
    return h("div", { class: "question", role: "alertdialog", "aria-label": "Changed since" },
      note ? h("p", {}, note) : null, cells.length ? h("p", {}, `${other.length} of ${counted(cells.length, "cell")} changed since this edit.`) : null,
      rows.length ? h("table", { class: "refused" }, h("thead", {}, head), h("tbody", {}, rows)) : null,
      cells.length > 20 ? h("p", { class: "muted" }, `and ${cells.length - 20} more`) : null,
      h("div", { class: "ask" }, clean ? h("button", { "data-key": "clean", onclick: () => put(clean) }, "Revert the unchanged cells") : null,
        anyway ? h("button", { "data-key": "anyway", onclick: () => put(anyway) }, clean ? "Put all old values" : cells.length === 1 ? "Put the old value anyway" : "Revert it anyway") : null, no));
  }

  function explain(id) {
    explaining = id;
    panel().draw();
    panel().element.querySelector(`[data-key="field reason ${CSS.escape(id)}"]`)?.focus();
  }

  /** `places` are the ids of the selected cell, where only its history is shown: its own change stands first then. */
  function itemOf(entry, reasons, undone, places) {
    const { id, person, at, source, undoes } = entry;
    const mine = (cell) => Boolean(places?.some(({ row, col }) => row === cell.row && col === cell.col));
    const cells = [...entry.cells].sort((one, other) => mine(other) - mine(one));
    const most = places ? 1 : MOST_CELLS;
    const structure = structureOf(entry);
    const why = (reasons.get(id) ?? []).map(({ person: who, text }) => h("p", { class: "text", dir: "auto" }, h("span", { class: "muted" }, who === person ? "Why: " : `Why (${who}): `), text));
    const sent = () => {
      if (talk.giveReason(id)) explaining = null;
      panel().draw();
    };
    const field = explaining === id ? talk.reasonField(id, sent) : null;
    return h("li", { class: `step${undone.has(id) ? " settled" : ""}`, tabindex: "-1", "data-item": id, "data-key": `step ${id}` },
      h("p", { class: "who" }, h("b", { dir: "auto" }, person), " ", timeOf(at), " ", h("span", {}, undoes && source === "undo" ? "undo" : WAYS[source] ?? source), undone.has(id) ? h("span", {}, " · taken back") : null),
      structure ? h("p", { class: "change" }, structure) : null,
      cells.slice(0, most).map((cell) => changeOf(cell, places)), cells.length > most ? h("p", { class: "muted" }, `and ${counted(cells.length - most, "more cell")}`) : null,
      why, field,
      asked?.id === id ? question(asked) : h("div", { class: "ask" },
        desk().readOnly ? null : h("button", { "data-key": `revert ${id}`, title: "V", onclick: () => revert(id) }, "Revert"),
        field ? h("button", { "data-key": `give ${id}`, onclick: sent }, "Keep the reason") : h("button", { "data-key": `why ${id}`, title: "W", onclick: () => explain(id) }, "Say why")));
  }

  function spotOfStep(id) {
    const { cells } = trail().trail.find((entry) => entry.id === id);
    const spot = cells[0] && desk().find(cells[0].row, cells[0].col);
    if (spot) go(spot);
    else say("Its cell is not in the table now.");
  }

  const part = {
    id: "past",
    label: "History",
    command: "past",

    draw() {
      const { sheet, selected, board } = desk();
      const { trail: all, undone } = trail();
      const alone = selected.row === null;
      const places = alone ? [] : placesOf(sheet, selected.row, selected.col);
      const found = whole || alone ? all : all.filter((entry) => touches(entry, places));
      const steps = found.slice(-limit).reverse();
      const reasons = talk.reasons();
      const choice = (label, entire, disabled) => h("button", { role: "radio", "data-key": `scope ${entire}`, "aria-checked": String((whole || alone) === entire), disabled, onclick: () => ((whole = entire), panel().draw()) }, h("bdi", {}, label));
      const scope = h("div", { class: "views", role: "radiogroup", "aria-label": "History of" }, choice(alone ? "This row is not in gold" : placeOfIds(places[0]), false, alone), choice("Whole table", true, false));
      const empty = all.length ? "Nobody has changed this cell. It is as it was first stored." : "Nobody has changed this table yet. Every edit will stand here, with who made it and when.";
      const more = found.length > limit ? h("button", { onclick: () => ((limit += MOST_AT_ONCE), panel().draw()) }, `Show ${Math.min(MOST_AT_ONCE, found.length - limit)} more`) : null;
      const list = walkable(h("ol", { class: "threads" }, steps.map((entry) => itemOf(entry, reasons, undone, whole || alone ? null : places))), { v: (id) => !desk().readOnly && revert(id), w: explain, enter: spotOfStep });
      const hint = board.table.form || !steps.length ? null : "Arrows walk, Enter goes to the cell, V reverts, W says why.";
      return [scope, h("p", { class: "muted" }, steps.length ? `${counted(found.length, "edit")}, newest first. ${hint ?? ""}` : empty), list, more];
    },

    focus(body) {
      (body.querySelector("[data-item]") ?? body.querySelector("button:not([disabled])"))?.focus();
    },
  };
  return { part, forget: () => ((asked = null), (explaining = null), (limit = MOST_AT_ONCE)) };
}
