/** The help: every command with its keys, which can be changed here, and what the signs in the cells mean. */

import { h } from "./dom.js";
import { KEYS, pressOf, shown } from "./keys.js";
import { changeKey, isChanged, keysOf, resetKeys } from "./keymap.js";
import { LEVELS, STATES } from "./looks.js";

/** Show the help; `panels.ask(title, body, options)` shows a dialog. */
export function showHelp(panels) {
  const told = h("p", { class: "told", role: "status", "data-testid": "keys-told" });
  const groups = h("div", { class: "groups" });
  const all = h("button", { "data-testid": "keys-reset", onclick: () => (told.textContent = resetKeys() || "All keys are as they were.", draw()) }, "Reset all keys");
  const legend = h("p", { class: "legend" }, "Badges: ", Object.values(LEVELS).map(({ sign, word }) => h("span", {}, `${sign[0]} ${word}`)),
    " Cells: ", Object.values(STATES).filter(({ sign }) => sign).map(({ sign, word }) => h("span", {}, `${sign} ${word}`)), h("span", {}, "three dots in the corner: not looked at"));
  const more = h("p", { class: "legend" }, "While you edit: Alt+Enter starts a new line, Esc gives back the old text. Leaving a cell never confirms it. A text you did not finish is kept and offered again.");
  const change = h("p", { class: "legend" }, "To change a key, choose it here and press the new one; Delete gives the default back, Esc leaves it as it is.");
  let waiting = null; // the button whose new key is awaited

  const nameOf = (key) => key.does ?? KEYS.find(({ id }) => id === key.like).does;

  function chip(key) {
    if (key.native) return key.keys.map((one) => h("kbd", {}, shown(one)));
    const text = keysOf(key.id).filter((one) => one !== "Shift+?").map(shown).join(", ");
    const button = h("button", { class: `key${isChanged(key.id) ? " changed" : ""}`, "data-key": key.id, title: `${nameOf(key)}: change this key`, "aria-label": `${text}: change` }, h("kbd", {}, text));
    button.addEventListener("click", () => listen(key, button));
    button.addEventListener("keydown", (event) => waiting === button && pressed(event, key));
    button.addEventListener("blur", () => waiting === button && listen(null, null));
    return button;
  }

  function listen(key, button) {
    waiting?.classList.remove("waiting");
    waiting = button;
    button?.classList.add("waiting");
    if (key) told.textContent = `Press the new key for: ${nameOf(key)}.`;
  }

  function pressed(event, key) {
    event.preventDefault();
    event.stopPropagation();
    const press = pressOf(event);
    if (!press) return;
    listen(null, null);
    if (press === "Escape") {
      told.textContent = "";
      return;
    }
    const wrong = press === "Delete" ? resetKeys(key.id) : changeKey(key.id, press);
    told.textContent = wrong || `${nameOf(key)}: ${keysOf(key.id).map(shown).join(", ")}.`;
    draw();
    groups.querySelector(`[data-key="${key.id}"]`)?.focus();
  }

  function draw() {
    groups.replaceChildren(...[...new Set(KEYS.map(({ group }) => group).filter(Boolean))].map((group) =>
      h("section", {}, h("h3", {}, group), h("dl", {}, KEYS.filter((key) => key.group === group).map((key) =>
        [h("dt", {}, [key, ...KEYS.filter(({ like }) => like === key.id)].map(chip)), h("dd", {}, key.does)])))));
    all.hidden = !KEYS.some(({ id }) => isChanged(id));
  }

  draw();
  const body = panels.ask("Keys", h("div", { class: "keys" }, told, groups, legend, more, change, all), { testid: "help" });
  body.focus(); // so that arrow keys scroll, and no key is changed by a slip
}
