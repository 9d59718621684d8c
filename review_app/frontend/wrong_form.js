/** What a person fills in where an accepted value is wrong: the value on the page, and a reason if they want to give one. */

import { h } from "./dom.js";

/** `store(line, seen, reason)` gets what was filled in, `cancel(line)` is called on Esc, `say(text)` speaks to the person. */
export function createWrongForm({ store, cancel, say }) {
  const seen = h("input", { type: "text", dir: "auto", "aria-label": "Value on the page", placeholder: "Value on the page", spellcheck: "false", "data-testid": "wrong-seen" });
  const reason = h("input", { type: "text", dir: "auto", "aria-label": "Reason, if you want", placeholder: "Reason, if you want", "data-testid": "wrong-reason" });
  const element = h("span", { class: "strip-form", onkeydown: pressed }, seen, reason);
  let line = null;
  let last = seen; // the field that has the focus when the line is drawn anew

  element.addEventListener("focusin", ({ target }) => (last = target));

  function pressed(event) {
    event.stopPropagation();
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    if (event.key === "Escape") {
      form.close();
      return;
    }
    if (seen.value === line.text && !reason.value.trim()) {
      say("That is the accepted value. Type what the page reads, or give a reason.");
      return;
    }
    const of = line;
    line = null;
    store(of, seen.value, reason.value.trim());
  }

  const form = {
    element,
    /** The line of which it asks; null where it is closed. */
    get line() { return line; },
    open(next) {
      line = next;
      seen.value = line.checked?.seen ?? line.text;
      reason.value = line.checked?.reason ?? "";
    },
    /** Once it is in the page. */
    begin() {
      seen.focus({ preventScroll: true });
      seen.select();
    },
    focus: () => last.focus({ preventScroll: true }),
    close() {
      if (!line) return;
      const of = line;
      line = null;
      cancel(of);
    },
  };
  return form;
}
