/** What becomes of a region that was drawn: it is read, shown, and taken as a new table or in the place of the open one. */

import { counted, h } from "./dom.js";
import { headerRows } from "./sheet.js";
import { newId } from "./outbox.js";
import { replaceTable } from "./replacing.js";

const PATIENCE_MS = 150_000;
const ROWS_SHOWN = 100;

/**
 * `send(path, body, options)` asks the server; `at()` gives `{gold, document}`: the table whose token is used, and the
 * document; `desk()` the open table, or null; `open(table)` opens a new one; `leave()` puts the tool away.
 */
export function createDrawing({ send, panels, at, desk, open, leave }) {
  async function asked(path, body, signal) {
    const { status, body: answer } = await send(path, { ...body, gold: at().gold }, { patience: PATIENCE_MS, signal });
    if (status !== 200) throw new Error(sentence(answer.message ?? `The server answered ${status}`));
    return answer;
  }

  /** Read a region and show what was found; rejects with why nothing was. */
  async function read(page, box, signal) {
    const { document } = at();
    const answer = await asked("/api/region", { document, page, box }, signal);
    show(page, answer);
  }

  function show(page, { extractor, tables }) {
    const by = extractor.replace("by region, ", "").split(" ")[0];
    const told = h("p", { class: "told", role: "status" });
    const parts = tables.map((table) => part(table, told));
    const title = `${counted(tables.length, "table")} read on page ${page}`;
    const more = h("p", { class: "muted" }, `Read by ${by}.${desk() ? " The first extraction stays as it is, and so does its score." : ""}`);
    panels.ask(title, h("div", { class: "region-result" }, more, parts, told), { testid: "region-result" });
  }

  function part(table, told) {
    const { n_rows: rows, n_cols: cols, type, notes } = table;
    const size = h("p", {}, `${counted(rows, "row")}, ${counted(cols, "column")}${type ? `, taken for ${type}` : ""}`);
    const said = notes.length ? h("details", {}, h("summary", {}, counted(notes.length, "note")), h("ul", {}, notes.map((note) => h("li", {}, note)))) : null;
    const why = desk() ? whyNot(table) : "";
    return h("section", {}, size, preview(table), said, h("p", { class: "ask" },
      h("button", { class: "primary", autofocus: true, "data-testid": "region-add", onclick: (event) => add(table, told, event.currentTarget) }, "Add as a new table"),
      desk() ? h("button", { "data-testid": "region-replace", disabled: Boolean(why), title: why, onclick: () => replace(table) }, "Put in place of the open table") : null,
      h("button", { onclick: panels.close, "data-testid": "region-back" }, "Back to the box")),
    why ? h("p", { class: "muted" }, why) : null);
  }

  function whyNot({ n_rows: rows }) {
    if (desk().readOnly) return desk().whyReadOnly;
    return desk().table.form && rows !== 2 ? "The open table is a form: it has one header and one row of values." : "";
  }

  async function add(table, told, button) {
    button.disabled = true;
    try {
      const added = await asked("/api/region/table", { table: table.table });
      panels.close();
      leave();
      open(added);
    } catch (wrong) {
      told.textContent = wrong.message;
      button.disabled = false;
    }
  }

  function replace(table) {
    panels.close();
    leave();
    const one = desk();
    if (one.mode === "first") one.show("aligned");
    if (one.commit(replaceTable(one.sheet, table, newId))) one.select({ row: Math.min(headerRows(one.sheet), table.n_rows - 1), first: null, col: 0 });
  }

  return { read };
}

function preview({ n_rows: rows, cells }) {
  const lines = Array.from({ length: Math.min(rows, ROWS_SHOWN) }, () => h("tr"));
  for (const { row, col, text, row_span: down, col_span: right, header } of [...cells].sort((one, other) => one.row - other.row || one.col - other.col)) {
    lines[row]?.append(h(header ? "th" : "td", { dir: "auto", rowspan: down > 1 && Math.min(down, lines.length - row), colspan: right > 1 && right, "data-col": col }, text));
  }
  const left = rows - lines.length;
  return h("div", { class: "region-preview", tabindex: "0", role: "group", "aria-label": "What was read" }, h("table", { dir: isLeftward(cells) ? "rtl" : "ltr" }, h("tbody", {}, lines)), left > 0 ? h("p", { class: "muted" }, `and ${counted(left, "more row")}`) : null);
}

/** Whether most letters of a table run leftward: its first column then stands at the right. */
function isLeftward(cells) {
  const text = cells.map((one) => one.text).join("");
  const count = (letters) => text.match(letters)?.length ?? 0;
  return count(/[\p{Script=Arabic}\p{Script=Hebrew}]/gu) > count(/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu);
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
