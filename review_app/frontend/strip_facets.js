/** The facets beside the strip: which column, what state, and choices by reason, pattern and document. */

import { h } from "./dom.js";
import { KINDS, STATES } from "./strip_lines.js";

const MOST = 12; // values of a facet; the rarer ones are counted
const LABELS = { kind: "Reason", pattern: "Pattern", document: "Document" };

/** `choose(parts)` narrows the lines, `go(scope)` asks for others, `back()` gives the focus to the list. */
export function createFacets({ choose, go, back }) {
  const scopes = h("select", { class: "strip-scope", "aria-label": "Column or kind of doubt", "data-testid": "scope", onchange: (event) => go(JSON.parse(event.target.value)) });
  const projects = h("select", { "aria-label": "Project", onchange: (event) => go({ project: event.target.value }) });
  const states = h("div", { class: "strip-states", role: "group", "aria-label": "Which cells" });
  const groups = h("div", { class: "strip-groups" });
  const element = h("aside", { class: "strip-facets", "aria-label": "Choose cells" }, projects, scopes, states, groups);

  element.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (key === "Escape" || (key === "ArrowRight" && target.tagName !== "SELECT")) {
      event.preventDefault();
      back();
    } else if ((key === "ArrowDown" || key === "ArrowUp") && target.tagName !== "SELECT") {
      event.preventDefault();
      const buttons = [...element.querySelectorAll("button")];
      buttons[Math.max(0, Math.min(buttons.length - 1, buttons.indexOf(target) + (key === "ArrowDown" ? 1 : -1)))].focus();
    }
  });

  function scopesOf({ choices, scope }) {
    const { project } = scope;
    const option = (parts, words) => {
      const value = { project, table_type: "", column: "", kind: "", ...parts };
      const selected = ["table_type", "column", "kind"].every((part) => value[part] === scope[part]);
      return h("option", { value: JSON.stringify(value), selected }, words);
    };
    const types = [...new Set(choices.map(({ table_type }) => table_type))];
    return [
      ...types.map((type) => {
        const of = choices.filter(({ table_type }) => table_type === type);
        return h("optgroup", { label: of[0].type_label }, of.map(({ column, label, cells, doubts }) => option({ table_type: type, column }, `${label} (${doubts ? `${doubts} of ` : ""}${cells})`)));
      }),
      h("optgroup", { label: "In all columns" }, Object.entries(KINDS).filter(([kind]) => kind !== "missed row").map(([kind, words]) => option({ kind }, words))),
    ];
  }

  function button(facet, value, words, count, on) {
    return h("button", { type: "button", "aria-pressed": String(on), "data-facet": `${facet} ${value}`, onclick: () => choose({ [facet]: on && facet !== "state" ? null : value }) },
      h("span", { dir: "auto", title: words }, words), count === null ? null : h("span", { class: "count" }, count.toLocaleString("en")));
  }

  return {
    element,
    /** Draw anew what can be chosen; the focus stays on its button. */
    draw(given, chosen, found) {
      const at = element.getRootNode().activeElement?.dataset?.facet;
      projects.hidden = given.projects.length < 2;
      projects.replaceChildren(...given.projects.map((name) => h("option", { value: name, selected: name === given.scope.project }, name)));
      scopes.replaceChildren(...scopesOf(given));
      states.replaceChildren(...Object.entries(STATES).map(([state, words]) => button("state", state, words, null, chosen.state === state)));
      groups.replaceChildren(...Object.entries(LABELS).map(([facet, label]) => {
        const values = found[facet];
        if (values.length < 2 && chosen[facet] === null) return null;
        const rare = values.length - MOST;
        return h("section", { "aria-label": label }, h("h3", {}, label),
          values.filter(([value], index) => index < MOST || value === chosen[facet]).map(([value, count]) => button(facet, value, facet === "kind" ? KINDS[value] ?? value : value, count, chosen[facet] === value)),
          rare > 0 ? h("p", {}, `and ${rare.toLocaleString("en")} rarer`) : null);
      }).filter(Boolean));
      if (at) [...element.querySelectorAll("button")].find((one) => one.dataset.facet === at)?.focus();
    },
    focus: () => (groups.querySelector("button[aria-pressed='true']") ?? groups.querySelector("button") ?? states.querySelector("button"))?.focus(),
    columns: () => scopes.focus(),
  };
}
