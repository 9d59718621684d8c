// The queue: a list of tables to review, walked and opened by keyboard.

const STATUS = {
  open: { mark: "\u25CB", label: "Open" },
  started: { mark: "\u25D0", label: "Started" },
  flagged: { mark: "\u2691", label: "Flagged" },
  accepted: { mark: "\u2713", label: "Accepted" },
};
const FILTERS = [
  ["todo", "To do", (row) => row.status !== "accepted"],
  ["flagged", "Flagged", (row) => row.status === "flagged"],
  ["accepted", "Accepted", (row) => row.status === "accepted"],
  ["all", "All", () => true],
];
const DRAWN_AT_ONCE = 300;

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

class Queue {
  constructor(root) {
    this.root = root;
    this.filter = "todo";
    this.words = "";
    this.selected = null;
    this.rows = [];
    this.shown = [];
    this.drawn = DRAWN_AT_ONCE;
    this.search = element("input", {
      type: "search", class: "queue-search", placeholder: "Search documents and tables  ( / )",
      "aria-label": "Search documents and tables",
    });
    this.chips = element("div", { class: "queue-chips", role: "group", "aria-label": "Which tables" });
    this.count = element("span", { class: "queue-count", "aria-live": "polite" });
    this.list = element("div", { class: "queue-list", role: "listbox", "aria-label": "Tables to review" });
    this.frame = element(
      "div", { class: "queue", "data-testid": "queue" },
      element("div", { class: "queue-bar" }, this.search, this.chips, this.count),
      this.list,
      element("div", { class: "queue-keys" }, "Arrows move \u00B7 Enter opens \u00B7 / searches \u00B7 1\u20134 choose the list"),
    );
    const style = element("link", { rel: "stylesheet", href: new URL("queue.css", import.meta.url).href });
    this.frame.hidden = true; // until its style is there
    style.addEventListener("load", () => { this.frame.hidden = false; this.focusSelected(); this.warm(); });
    root.replaceChildren(style, this.frame);
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.search.addEventListener("input", () => { this.words = this.search.value; this.draw(); });
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-gold]");
      if (row) this.open(Number(row.dataset.gold));
    });
    this.list.addEventListener("scroll", () => {
      const nearEnd = this.list.scrollTop + this.list.clientHeight > this.list.scrollHeight - 200;
      if (nearEnd && this.drawn < this.shown.length) { this.drawn += DRAWN_AT_ONCE; this.drawRows(); }
    });
  }

  show(component) {
    this.component = component;
    const first = this.rows.length === 0;
    this.rows = component.data.rows;
    if (first && !this.rows.some(FILTERS[0][2])) this.filter = "all";
    if (this.selected === null) this.selected = component.data.selected ?? null;
    this.draw();
  }

  /** The modules of the review are fetched while the person chooses. */
  warm() {
    import(new URL("index.js", import.meta.url).href).catch(() => null);
  }

  draw() {
    this.chips.replaceChildren(
      ...FILTERS.map(([name, label, keep]) => {
        const chip = element(
          "button", { type: "button", class: "queue-chip", "aria-pressed": String(name === this.filter) },
          `${label} `, element("span", {}, String(this.rows.filter(keep).length)),
        );
        chip.addEventListener("click", () => this.choose(name));
        return chip;
      }),
    );
    const keep = FILTERS.find(([name]) => name === this.filter)[2];
    const words = this.words.toLowerCase().split(/\s+/).filter(Boolean);
    this.shown = this.rows.filter(
      (row) => keep(row) && words.every((word) => `${row.document} ${row.table} ${row.kind} ${row.why}`.toLowerCase().includes(word)),
    );
    if (!this.shown.some((row) => row.gold === this.selected)) this.selected = this.shown[0]?.gold ?? null;
    this.count.textContent = this.shown.length === 1 ? "1 table" : `${this.shown.length} tables`;
    this.drawn = Math.max(DRAWN_AT_ONCE, this.shown.findIndex((row) => row.gold === this.selected) + 1);
    this.drawRows();
  }

  drawRows() {
    if (this.shown.length === 0) {
      const words = this.words
        ? "Nothing matches this search. Esc clears it."
        : "Nothing to do here. Every table in this list has been dealt with.";
      this.list.replaceChildren(element("p", { class: "queue-empty" }, words));
      return;
    }
    this.list.replaceChildren(...this.shown.slice(0, this.drawn).map((row) => this.row(row)));
    this.mark();
  }

  row(row) {
    const status = STATUS[row.status];
    return element(
      "div",
      { class: `queue-row is-${row.status}`, role: "option", "data-gold": row.gold, tabindex: "-1" },
      element("span", { class: "queue-mark", title: status.label, "aria-label": status.label }, status.mark),
      element(
        "span", { class: "queue-what" },
        element("span", { class: "queue-name", dir: "auto" }, row.document),
        element("span", { class: "queue-table", dir: "auto" }, row.table),
      ),
      element("span", { class: "queue-why", dir: "auto", title: row.why }, row.why),
      element("span", { class: "queue-doubts", title: "Cells to look at" }, row.doubts ? `${row.doubts} to look at` : "",
        row.comments ? element("span", { class: "queue-comments" }, row.comments === 1 ? "1 comment" : `${row.comments} comments`) : ""),
      element("span", { class: "queue-size" }, `${row.rows} \u00D7 ${row.cols}`),
    );
  }

  mark() {
    for (const row of this.list.querySelectorAll("[data-gold]")) {
      const chosen = Number(row.dataset.gold) === this.selected;
      row.setAttribute("aria-selected", String(chosen));
      row.tabIndex = chosen ? 0 : -1;
    }
  }

  focusSelected() {
    const row = this.list.querySelector(`[data-gold="${this.selected}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }

  choose(name) {
    this.filter = name;
    this.draw();
    this.focusSelected();
  }

  move(by) {
    const at = this.shown.findIndex((row) => row.gold === this.selected);
    const next = Math.min(this.shown.length - 1, Math.max(0, at + by));
    if (next < 0) return;
    this.selected = this.shown[next].gold;
    if (next >= this.drawn) { this.drawn = next + DRAWN_AT_ONCE; this.drawRows(); }
    this.mark();
    this.focusSelected();
  }

  open(gold) {
    this.selected = gold;
    this.mark();
    this.component.setTriggerValue("open", gold);
  }

  key(event) {
    // Streamlit has shortcuts of its own on the page (r, c); what is typed here stays here.
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inSearch = event.target === this.search;
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (!inSearch) Object.assign(moves, { j: 1, k: -1 });
    const onChip = event.target.classList?.contains("queue-chip");
    if (event.key in moves && !(inSearch && (event.key === "Home" || event.key === "End"))) this.move(moves[event.key]);
    else if (event.key === "Enter" && !onChip && this.selected !== null) this.open(this.selected);
    else if (event.key === "/" && !inSearch) this.search.focus();
    else if (event.key === "Escape" && inSearch) { this.search.value = this.words = ""; this.draw(); this.focusSelected(); }
    else if (!inSearch && /^[1-4]$/.test(event.key)) this.choose(FILTERS[Number(event.key) - 1][0]);
    else return;
    event.preventDefault();
  }
}

const queues = new WeakMap();

export default function (component) {
  const root = component.parentElement.querySelector(".proofgrid") ?? component.parentElement;
  if (!queues.has(root)) queues.set(root, new Queue(root));
  queues.get(root).show(component);
  return () => queues.delete(root);
}
