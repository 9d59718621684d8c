/** The tray between table and status line: holds find, tidy or an offer while the table stays in sight and in use. */

import { h } from "./dom.js";

/** `onClose()` gives the focus back to the table, `onShow()` keeps the selected cell in sight; `onKey(event)` is asked first and returns true for what it took. */
export function createTray({ onClose, onShow, onKey }) {
  const title = h("h2", {});
  const body = h("div", { class: "tray-body" });
  const side = h("div", { class: "tray-side" });
  const shut = h("button", { "aria-label": "Close", title: "Close (Esc)", onclick: () => close() }, "✕");
  const element = h("section", { class: "tray", hidden: true, "data-area": "tray", "data-testid": "tray" }, h("header", {}, title, side, shut), body);
  let closing = null;
  let fresh = null;

  function close({ quietly = false } = {}) {
    if (element.hidden) return;
    const focused = tray.focused;
    element.hidden = true;
    body.replaceChildren();
    const after = closing;
    closing = fresh = null;
    after?.();
    if (focused && !quietly) onClose();
  }

  element.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (onKey(event)) return event.preventDefault();
    if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
    return undefined;
  });
  // What is copied and pasted here belongs to the fields of the tray, not to the table.
  for (const type of ["copy", "cut", "paste"]) element.addEventListener(type, (event) => event.stopPropagation());

  const tray = {
    element,
    get open() { return !element.hidden; },
    get focused() { return !element.hidden && element.contains(element.getRootNode().activeElement); },

    /** Show `content` under a title with `beside` it; `refresh()` is called when the table changes, `closed()` at the end. */
    show(name, content, { beside = [], refresh = null, closed = null } = {}) {
      closing?.();
      title.textContent = name;
      element.setAttribute("aria-label", name);
      side.replaceChildren(...beside);
      body.replaceChildren(content);
      element.hidden = false;
      [fresh, closing] = [refresh, closed];
      onShow();
    },
    refresh: () => fresh?.(),
    close,
  };
  return tray;
}
