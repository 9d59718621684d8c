/** What lies over the review for a moment: a reason to give, refused edits, an unfinished text, the end. */

import { counted, h } from "./dom.js";
import { shown } from "./keys.js";
import { passOn } from "./notice.js";

// A dialog of buttons takes no letters: they were meant for what was there before. So was a key that presses a
// button, if it comes sooner than this after the dialog.
const SURPRISE_MS = 1_000;
const presses = ({ key }) => key === "Enter" || key === " ";
const writes = (event) => (event.key.length === 1 || event.key === "Enter") && !event.ctrlKey && !event.metaKey && !event.altKey;

/** One panel at a time over `host`; closing it gives the focus back by `onClose()`. */
export function createPanels(host, onClose) {
  let panel = null;

  function close() {
    if (!panel) return;
    panel.remove();
    panel = null;
    onClose();
  }

  function show(title, body, { closable = true, shut: later = "Close", testid, underHands = null } = {}) {
    panel?.remove();
    const shownAt = performance.now();
    const heading = h("h2", { id: "panel-title" }, title);
    const shut = closable ? h("button", { onclick: close }, later) : null;
    const box = h("div", { class: "panel", role: "dialog", "aria-modal": "true", "aria-labelledby": "panel-title", tabindex: "-1", "data-testid": testid }, h("header", {}, heading, shut), body);
    panel = h("div", { class: "veil" }, box);
    panel.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (underHands && writes(event) && (!presses(event) || performance.now() - shownAt < SURPRISE_MS)) {
        close(); // gives the focus back
        passOn(event, host.getRootNode().activeElement);
        return underHands();
      }
      if (event.key === "Escape" && closable) close();
      if (event.key === "Tab") stayInside(event, box);
    });
    host.append(panel);
    enter(box.querySelector("[autofocus]") ?? box.querySelector("header ~ * button") ?? box);
    return box;
  }

  function stayInside(event, box) {
    const stops = [...box.querySelectorAll("button:not([disabled]), textarea, input, select")].filter(({ hidden }) => !hidden);
    const here = stops.indexOf(box.getRootNode().activeElement);
    const next = here + (event.shiftKey ? -1 : 1);
    event.preventDefault();
    enter(stops.at(next % stops.length));
  }

  // As by the browser's own Tab: what is typed replaces what the field holds.
  function enter(stop) {
    stop?.focus();
    if (stop?.localName === "input") stop.select();
  }

  return {
    get open() { return panel !== null; },
    close,

    /** Close the panel of this name, if it is the one that stands here. */
    withdraw(testid) {
      if (panel?.querySelector(`[data-testid="${testid}"]`)) close();
    },

    /** A dialog of someone else's making. */
    ask: show,

    /** Ask for a reason; `done(text)` is called unless the person closes the panel. */
    reason(title, done) {
      const field = h("textarea", { rows: "3", autofocus: true, "aria-label": "Reason", dir: "auto" });
      const send = () => {
        const text = field.value.trim();
        if (!text) return field.focus();
        close();
        return done(text);
      };
      field.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
      });
      show(title, h("div", { class: "ask" }, field, h("button", { class: "primary", onclick: send }, "Flag", h("kbd", {}, shown("Mod+Enter")))), { testid: "reason" });
    },

    /**
     * Edits that the server refused, each with what was expected, what is there and what was wanted:
     * `[{place, expected, found, wanted, possible, entry}]`. `again(entry)` and `discard(entry)` settle one.
     */
    refused(message, rows, again, discard, underHands = null) {
      if (!rows.length) return close();
      const list = rows.map(({ place, expected, found, wanted, possible, entry }) => {
        const item = h("tr", {}, h("td", {}, place), h("td", {}, h("bdi", {}, found)), h("td", {}, h("bdi", {}, expected)), h("td", {}, h("bdi", {}, wanted)), h("td", {},
          h("button", { disabled: !possible, title: possible ? "" : "This no longer fits the table.", onclick: () => again(entry) }, "Apply mine"),
          h("button", { onclick: () => discard(entry) }, "Discard mine")));
        return item;
      });
      const head = h("tr", {}, ["Where", "There now", "You saw", "You wanted", ""].map((text) => h("th", {}, text)));
      const all = h("p", { class: "ask" },
        h("button", { disabled: !rows.some(({ possible }) => possible), onclick: () => rows.forEach(({ entry }) => again(entry)) }, "Apply all mine"),
        h("button", { onclick: () => rows.forEach(({ entry }) => discard(entry)) }, "Discard all mine"));
      show(`${counted(rows.length, "edit")} not saved`, h("div", {}, h("p", {}, message), h("table", { class: "refused" }, h("thead", {}, head), h("tbody", {}, list)), all), { testid: "conflict", underHands });
      return undefined;
    },

    /** A text that was being typed when the page went away; Escape leaves it for later. */
    draft(place, text, go, discard) {
      const act = (then) => () => (close(), then());
      show("Unfinished text", h("div", {}, h("p", {}, `In ${place} you were typing:`), h("blockquote", { dir: "auto" }, text),
        h("p", { class: "ask" }, h("button", { class: "primary", autofocus: true, onclick: act(go) }, "Go on"), h("button", { onclick: act(discard) }, "Discard"))), { testid: "draft", shut: "Later" });
    },

    /** The queue is empty, or a message that ends the work here; `actions` are `[label, act]`. */
    end(title, text, actions) {
      show(title, h("div", {}, h("p", {}, text), h("p", { class: "ask" }, actions.map(([label, act], index) => h("button", { class: index ? null : "primary", onclick: () => (close(), act()) }, label)))), { closable: false, testid: "finished" });
    },
  };
}
