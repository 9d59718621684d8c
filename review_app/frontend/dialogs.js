/** Small dialogs of editing: span and headers by numbers, a text to split, a pasted block that is larger than the table. */

import { counted, h } from "./dom.js";
import { at, headerRows } from "./sheet.js";
import { likelySeparator, partsOf } from "./parting.js";
import { shown } from "./keys.js";

const HEADERS = [["", "Plain"], ["column", "Column header"], ["row", "Row header"]];
const SEPARATORS = [["\n", "line break"], ["  ", "two spaces"], [" ", "space"], ["\t", "tab"]];

/** `panels.ask(title, body, options)` shows a dialog, `panels.close()` ends it. */
export function createDialogs(panels) {
  const number = (label, value, most, testid, focused = false) =>
    h("label", {}, label, h("input", { type: "number", min: "0", max: String(most), value: String(value), autofocus: focused, "data-testid": testid }));

  /** Enter anywhere but on a button, or the first button, does it; `act()` gives words where it cannot be done. */
  function ask(title, content, label, act, testid) {
    const wrong = h("p", { class: "wrong", role: "alert" });
    const send = () => {
      const why = act();
      if (why) wrong.textContent = why;
      else panels.close();
    };
    const body = h("div", { class: "dialog" }, content, wrong, h("p", { class: "ask" }, h("button", { class: "primary", onclick: send }, label, h("kbd", {}, shown("Enter"))), h("button", { onclick: panels.close }, "Cancel")));
    body.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.target.localName === "button") return;
      event.preventDefault();
      send();
    });
    panels.ask(title, body, { testid });
  }

  return {
    /** `make(wanted)` makes the edit and gives words where it is refused. */
    shape(sheet, rect, cells, make) {
      const cell = at(sheet, rect.top, rect.left);
      const one = cells.length <= 1;
      const rows = number("Rows", cell?.row_span ?? 1, sheet.n_rows, "shape-rows", one);
      const cols = number("Columns", cell?.col_span ?? 1, sheet.n_cols, "shape-cols");
      const heads = number("Header rows of the table", headerRows(sheet), sheet.n_rows, "shape-headers");
      const now = new Set(cells.map(({ header }) => header));
      const kinds = h("select", { "data-testid": "shape-kind", autofocus: !one }, now.size > 1 ? h("option", { value: "mixed" }, "As they are") : null, HEADERS.map(([value, words]) => h("option", { value }, words)));
      kinds.value = now.size > 1 ? "mixed" : [...now][0] ?? "";
      const start = { rows: cell?.row_span ?? 1, cols: cell?.col_span ?? 1, headerRows: headerRows(sheet), header: kinds.value };
      const act = () => {
        const found = { rows: valueOf(rows), cols: valueOf(cols), headerRows: valueOf(heads), header: kinds.value };
        const wanted = Object.fromEntries(Object.entries(found).filter(([name, value]) => value !== start[name]));
        return make(wanted);
      };
      const content = h("div", { class: "fields" },
        one ? h("fieldset", {}, h("legend", {}, "The cell spans"), rows, cols) : null,
        h("fieldset", {}, h("legend", {}, one ? "The cell is" : `The ${counted(cells.length, "selected cell")} are`), h("label", {}, "Kind", kinds)),
        h("fieldset", {}, h("legend", {}, "The table has"), heads));
      ask("Span and headers", content, "Set", act, "shape");
    },

    /** `make(parts, into)` makes the edit and gives words where it is refused; `caret` is where the text was being edited. */
    split(text, caret, make) {
      const inside = caret !== null && caret > 0 && caret < text.length;
      const guess = likelySeparator(text);
      const at = h("select", { "data-testid": "split-at", autofocus: true },
        inside ? h("option", { value: "caret" }, "at the caret") : null,
        SEPARATORS.filter(([sign]) => text.includes(sign)).map(([sign, words]) => h("option", { value: `s${sign}` }, `at each ${words}`)),
        h("option", { value: "other" }, "at each sign:"));
      const known = SEPARATORS.some(([sign]) => sign === guess);
      at.value = inside ? "caret" : known ? `s${guess}` : "other";
      const sign = h("input", { type: "text", value: known ? "" : guess.trim(), "aria-label": "Sign at which to split", "data-testid": "split-sign" });
      const into = h("select", { "data-testid": "split-into", "aria-label": "Into" }, h("option", { value: "cells" }, "into the next cells of the row"), h("option", { value: "rows" }, "into new rows below"));
      if (guess === "\n" && !inside) into.value = "rows";
      const preview = h("ol", { class: "parts", "data-testid": "split-parts" });
      const parts = () => partsOf(text, at.value === "caret" ? { caret } : { separator: at.value === "other" ? sign.value : at.value.slice(1) });
      const draw = () => {
        sign.hidden = at.value !== "other";
        preview.replaceChildren(...parts().map((part) => h("li", {}, h("bdi", {}, part || "empty"))));
      };
      for (const one of [at, sign, into]) one.addEventListener("input", draw);
      draw();
      ask("Split the text", h("div", {}, h("p", { class: "fields" }, h("label", {}, "Split", at), sign, into), preview), "Split", () => make(parts(), into.value), "split-text");
    },

    /** A block that needs more rows or columns than there are. */
    larger({ rows, cols }, grow, fit) {
      const need = [rows && counted(rows, "row"), cols && counted(cols, "column")].filter(Boolean).join(" and ");
      const act = (then) => () => (panels.close(), then());
      panels.ask("The block is larger than the table", h("div", {}, h("p", {}, `It needs ${need} more than there are from here on.`),
        h("p", { class: "ask" }, h("button", { class: "primary", autofocus: true, "data-testid": "paste-grow", onclick: act(grow) }, `Add ${need}`),
          h("button", { "data-testid": "paste-fit", onclick: act(fit) }, "Paste what fits"), h("button", { onclick: panels.close }, "Cancel"))), { testid: "paste-larger" });
    },
  };
}

const valueOf = (label) => {
  const text = label.querySelector("input").value.trim();
  return text === "" ? NaN : Number(text);
};
