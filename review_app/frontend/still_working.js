/** Asks whether a long pause was work, beside the work: it takes no focus, and typing makes it go away. */

import { h } from "./dom.js";
import { isTyped } from "./keys.js";
import { commandOf, keyOf } from "./keymap.js";

const GONE_AFTER_MS = 60_000;

/** A length of time in words: "4 min", "1 h 05 min". */
export function inWords(ms) {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** Lies over `host`; `answer({gap_ms, was_working, at})` gets what the person says, and nothing when they say nothing. */
export function createStillWorking(host, answer) {
  let box = null;
  let going = null;

  function close() {
    clearTimeout(going);
    box?.remove();
    box = null;
  }

  host.addEventListener("keydown", (event) => {
    if (!box) return;
    const id = commandOf(event)?.id;
    if (id === "wasWorking" || id === "wasAway") {
      event.preventDefault();
      event.stopPropagation();
      box.querySelector(`[data-answer="${id}"]`).click();
    } else if (id === "escape" || isTyped(event) || event.isComposing) {
      close();
    }
  }, { capture: true });

  return {
    get open() { return box !== null; },
    ask(ms) {
      close();
      const at = new Date().toISOString();
      const choice = (id, word, was_working) => {
        const said = () => (close(), answer({ gap_ms: ms, was_working, at }));
        // The focus stays where the person works.
        return h("button", { "data-answer": id, tabindex: "-1", onpointerdown: (event) => event.preventDefault(), onclick: said }, word, h("kbd", {}, keyOf(id)));
      };
      box = h("div", { class: "still-working", role: "status", "data-testid": "still-working" },
        h("span", {}, `Were you working on this table for the last ${inWords(ms)}?`), choice("wasWorking", "Yes", true), choice("wasAway", "No", false));
      host.append(box);
      going = setTimeout(close, GONE_AFTER_MS);
    },
    close,
  };
}
