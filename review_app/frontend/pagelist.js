/** The list of pages beside the page: numbers, how many cells of each are doubtful, and which ones have tables. */

import { counted, h } from "./dom.js";

/** `onGo(number)` shows a page. */
export function createPageList({ onGo }) {
  const element = h("div", { class: "page-list", role: "listbox", "aria-label": "Pages", "aria-orientation": "vertical", "data-testid": "page-list", hidden: true });
  let entries = new Map(); // number -> {element, count}
  let here = null;

  function labelOf(number, { cells = 0, doubts = 0 } = {}) {
    return [`Page ${number}`, cells ? "has a table" : "", doubts ? counted(doubts, "doubtful cell") : ""].filter(Boolean).join(", ");
  }

  element.addEventListener("click", (event) => {
    const number = Number(event.target.closest("[data-go]")?.dataset.go);
    if (number) onGo(number);
  });
  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const numbers = [...entries.keys()];
    const at = numbers.indexOf(here);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: numbers.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const number = numbers[Math.max(0, Math.min(numbers.length - 1, next))];
    onGo(number);
    entries.get(number).element.focus();
  });

  return {
    element,

    open(pages) {
      here = null;
      entries = new Map(pages.map(({ number }) => {
        const count = h("span", { class: "page-doubts" });
        return [number, { count, element: h("div", { role: "option", tabindex: "-1", "data-go": number, "aria-selected": "false", "aria-label": labelOf(number), title: labelOf(number) }, h("span", {}, `${number}`), count) }];
      }));
      element.replaceChildren(...[...entries.values()].map((entry) => entry.element));
    },

    /** How many cells and doubtful cells each page has: number -> {cells, doubts}. */
    count(found) {
      for (const [number, { element: entry, count }] of entries) {
        const one = found.get(number);
        const label = labelOf(number, one);
        if (entry.title === label) continue;
        entry.title = label;
        entry.setAttribute("aria-label", label);
        entry.classList.toggle("has-table", Boolean(one?.cells));
        count.textContent = one?.doubts ? `${one.doubts}` : "";
      }
    },

    /** This page is in the middle of the pane now. */
    at(number) {
      const before = entries.get(here)?.element;
      before?.setAttribute("aria-selected", "false");
      before?.setAttribute("tabindex", "-1");
      here = number;
      const now = entries.get(number)?.element;
      now?.setAttribute("aria-selected", "true");
      now?.setAttribute("tabindex", "0");
      if (!now || !element.clientHeight) return;
      const { offsetTop, offsetHeight } = now;
      if (offsetTop < element.scrollTop || offsetTop + offsetHeight > element.scrollTop + element.clientHeight) {
        element.scrollTop = offsetTop - element.clientHeight / 2;
      }
    },
  };
}
