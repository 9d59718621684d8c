/** The score of the table that was accepted last, told in one line, with the way back to that table. */

import { h } from "./dom.js";
import { keyOf } from "./keymap.js";

const figure = (ratio) => (ratio === null ? "n/a" : ratio.toFixed(3));

/** "failed, F1 0.940" */
export const shortScore = ({ passed, f1 }) => `${passed ? "passed" : "failed"}, F1 ${figure(f1)}`;

/** "Line items accepted. First output: failed, F1 0.940, because ..." */
export function scoreInWords(name, score) {
  return `${name} accepted. First output: ${shortScore(score)}${score.reason ? ` (${score.reason})` : ""}.`;
}

/** A button for the bar above the table; `back(gold)` opens the table again. */
export function createReceipt({ back }) {
  let last = null;
  const element = h("button", { class: "receipt", hidden: true, "data-testid": "receipt", onclick: () => receipt.back() });
  const receipt = {
    element,

    show(gold, name, score) {
      last = gold;
      element.hidden = false;
      element.title = `${scoreInWords(name, score)} Open it again (${keyOf("lastAccepted")})`;
      element.replaceChildren(h("span", { "aria-hidden": "true" }, score.passed ? "✓ " : "✗ "), h("bdi", {}, name), `: ${shortScore(score)}`);
    },

    /** Open the table again; false where none was accepted in this visit. */
    back: () => last !== null && (back(last), true),
  };
  return receipt;
}
