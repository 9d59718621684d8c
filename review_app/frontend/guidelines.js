/** The guidelines of the table type in the side panel; new ones show themselves once, without taking the focus. */

import { h } from "./dom.js";
import { rendered } from "./markdown.js";

/** `desk()` gives the open table, `open()` shows the part without focus, `read(id)` tells the server that it was shown. */
export function createGuidelines({ desk, open, read }) {
  const shownHere = new Set(); // in this visit; the server may not have heard of it yet

  const part = {
    id: "guidelines",
    label: "Guidelines",
    command: "guidelines",

    draw() {
      const { guidelines } = desk().table;
      if (!guidelines) return h("p", { class: "muted" }, "There are no guidelines for this kind of table. They stand as “guidelines” in its table type.");
      return [shownHere.has(guidelines.id) ? h("p", { class: "muted", role: "status" }, "New since you were here. Esc closes.") : null, h("div", { class: "words" }, rendered(guidelines.text))];
    },
    focus: (body) => body.focus(),
  };

  return {
    part,

    /** A table is opened: show guidelines that this person has not had before them. */
    opened() {
      const { guidelines } = desk().table;
      if (!guidelines?.unread || shownHere.has(guidelines.id)) return;
      shownHere.add(guidelines.id);
      open();
      read(guidelines.id);
    },
  };
}
