/** The side panel under the page: comments, history and guidelines, one at a time; the table stays as it is. */

import { h } from "./dom.js";
import { commandOf } from "./keymap.js";

const AFTER_THE_TABLE_MS = 60; // while a person walks through the table, the panel follows when they stand still

/**
 * `parts` are `{id, label, command, draw(), focus(body)}`: `draw()` gives elements, `focus(body)` puts the focus where work begins.
 * Elements with a `data-key` keep focus and caret when the panel is drawn anew. `toTable()` gives the focus back,
 * `resized()` is called when the panel comes or goes.
 */
export function createAside({ parts, toTable, resized }) {
  const tabs = h("div", { class: "views", role: "tablist", "aria-label": "Side panel" });
  for (const { id, label, command } of parts) {
    tabs.append(h("button", { role: "tab", "data-part": id, "data-command": command, "data-tip": label, onclick: () => open(id, { focus: true }) }, label));
  }
  const shut = h("button", { "aria-label": "Close the side panel", title: "Close (Esc)", onclick: close }, "✕");
  const body = h("div", { class: "aside-body", role: "tabpanel", tabindex: "-1" });
  const element = h("aside", { class: "aside", "data-area": "aside", "data-testid": "aside", hidden: true }, h("div", { class: "aside-head" }, tabs, shut), body);
  let part = null;
  let waiting = null;
  let composing = false;

  const focused = () => element.getRootNode().activeElement;
  const holdsFocus = () => element.contains(focused());

  function draw() {
    clearTimeout(waiting);
    if (!part || composing) return;
    const here = holdsFocus() ? focused() : null;
    const [key, from, to] = [here?.dataset.key, here?.selectionStart, here?.selectionEnd];
    const top = body.scrollTop;
    body.replaceChildren(...[part.draw()].flat(Infinity).filter(Boolean));
    body.scrollTop = top;
    if (!here || element.contains(focused())) return;
    const again = key && [...body.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
    (again || body).focus({ preventScroll: true });
    if (again && from !== undefined && from !== null) again.setSelectionRange(from, to);
  }

  function open(id, { focus }) {
    const grew = !part;
    part = parts.find((one) => one.id === id);
    element.hidden = false;
    element.setAttribute("aria-label", part.label);
    for (const tab of tabs.children) tab.setAttribute("aria-selected", String(tab.dataset.part === id));
    composing = false;
    body.replaceChildren();
    draw();
    if (grew) resized();
    if (focus) part.focus(body);
  }

  function close() {
    if (!part) return;
    const had = holdsFocus();
    part = null;
    element.hidden = true;
    body.replaceChildren();
    resized();
    if (had) toTable();
  }

  // What is typed and pasted here belongs here; F6 is heard before, on its way down.
  for (const type of ["keydown", "copy", "cut", "paste"]) element.addEventListener(type, (event) => type === "keydown" ? pressed(event) : event.stopPropagation());
  element.addEventListener("compositionstart", () => (composing = true));
  element.addEventListener("compositionend", () => {
    composing = false;
    aside.refresh();
  });

  function pressed(event) {
    const asked = commandOf(event)?.id;
    const other = asked && parts.find(({ command }) => command === asked);
    const along = event.target.closest("[role='tablist']") && { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Escape") close();
    else if (other) other === part ? close() : open(other.id, { focus: true });
    else if (along) [...tabs.children].at((parts.indexOf(part) + along + parts.length) % parts.length).click();
    else return;
    event.preventDefault();
  }

  const aside = {
    element,
    get shows() { return part?.id ?? null; },
    open,
    close,

    /** Open a part and go into it; where it has the focus already, close it. */
    toggle: (id) => (part?.id === id && holdsFocus() ? close() : open(id, { focus: true })),

    /** Something that the panel shows may have changed: draw it anew in a moment. */
    refresh() {
      if (!part) return;
      clearTimeout(waiting);
      waiting = setTimeout(draw, AFTER_THE_TABLE_MS);
    },
    draw,
    holdsFocus,
    /** Where F6 goes; null while the panel is closed. */
    area: () => (part ? body.querySelector("textarea, button") ?? shut : null),
  };
  return aside;
}

/** Arrow keys from item to item of a list, and single letters for what can be done with an item: `keys[letter](item)`. */
export function walkable(list, keys) {
  list.addEventListener("keydown", (event) => {
    const item = event.target.closest("[data-item]");
    if (!item || event.target.tagName === "TEXTAREA" || event.ctrlKey || event.altKey || event.metaKey) return;
    const items = [...list.querySelectorAll("[data-item]")];
    const by = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    const act = event.target === item ? keys[event.key.toLowerCase()] : null;
    if (by) items[Math.max(0, Math.min(items.length - 1, items.indexOf(item) + by))].focus();
    else if (act) act(item.dataset.item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return list;
}

/** A time as a person of this browser reads it, with the whole of it on hover. */
export function timeOf(text) {
  const made = new Date(text);
  if (Number.isNaN(made.getTime())) return h("time", {}, text);
  const today = made.toDateString() === new Date().toDateString();
  const form = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return h("time", { datetime: text, title: made.toLocaleString() }, new Intl.DateTimeFormat(undefined, form).format(made));
}
