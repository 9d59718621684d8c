/** The queue: tables to review, searched, filtered, walked and opened by keyboard; rows come from the server as needed. */

import { clockTime, counted, h } from "./dom.js";
import { closeConnectionNotices } from "./notice.js";
import { createServer } from "./server.js";
import { createWindowed } from "./windowed.js";
import { choicesOf, cleared, countOf, emptyWords, filterOf, openedFrom, ORDERS, PARTS, queryOf, STATUSES } from "./queue_filter.js";

const ROW_PX = 56;
const CHUNK = 100; // rows of one request
const SEARCH_AFTER_MS = 60;
const SIGNS = {
  open: ["○", "Open"],
  started: ["◐", "Started"],
  skipped: ["↷", "Skipped"],
  flagged: ["⚑", "Flagged"],
  accepted: ["✓", "Accepted"],
};
const WORDS = "Arrows move · Enter opens · / searches · F filters · A assigns · 1–6 choose the list · Esc clears";

function createQueue(root) {
  let component = null;
  let server = null;
  let filter = filterOf(location.search);
  let wanted = openedFrom(location.search);
  let answer = { total: 0, counts: {}, doubts: 0 };
  let rows = new Map(); // place -> row
  let asked = new Set(); // chunks on their way
  let turn = 0;
  let waiting = null;

  const search = h("input", { type: "search", class: "queue-search", placeholder: "Search documents, tables, reasons  ( / )", "aria-label": "Search documents, tables and reasons", value: filter.words, oninput: searched });
  const chips = h("div", { class: "queue-chips", role: "group", "aria-label": "Which tables" });
  const choices = h("div", { class: "queue-choices", role: "group", "aria-label": "Filters" });
  const bar = h("span", { class: "queue-bar-done" });
  const progress = h("div", { class: "queue-progress" }, h("div", { class: "queue-track", "aria-hidden": "true" }, bar), h("span", { "data-testid": "queue-progress", role: "status" }));
  const list = createWindowed({ role: "listbox", label: "Tables to review", height: ROW_PX, draw: line, onShown: load });
  const empty = h("p", { class: "queue-empty", role: "status", tabindex: "-1", hidden: true });
  const keys = h("div", { class: "queue-keys" });
  const frame = h("div", { class: "queue", "data-testid": "queue-screen", onkeydown: pressed },
    progress, h("div", { class: "queue-top" }, search, chips), choices, list.element, empty, keys);
  list.element.classList.add("queue-list");
  list.element.dataset.testid = "queue";
  list.element.addEventListener("click", (event) => {
    const row = event.target.closest("[data-gold]");
    if (row) open(Number(row.dataset.place));
  });
  const style = h("link", { rel: "stylesheet", href: new URL("queue.css", import.meta.url).href });
  frame.hidden = true; // until its style is there
  style.addEventListener("load", () => {
    frame.hidden = false;
    fit();
    list.fill(list.count, { keep: true });
    focus();
    import(new URL("index.js", import.meta.url).href).catch(() => null); // the review's modules, while the person chooses
  });
  root.replaceChildren(style, frame);
  const stop = new AbortController();
  addEventListener("resize", fit, { signal: stop.signal });
  closeConnectionNotices({ root: root.getRootNode(), otherwise: () => focus(), signal: stop.signal });

  /** The list takes the height that the window leaves. */
  function fit() {
    const above = list.element.getBoundingClientRect().top + (document.scrollingElement?.scrollTop ?? 0);
    list.element.style.height = `${Math.max(3 * ROW_PX, innerHeight - Math.max(0, above) - 48)}px`;
  }

  // --- what the server has -------------------------------------------------------------------------------------

  function request(from) {
    return server.list(`/api/queue?${queryOf(filter)}&from=${from}&count=${CHUNK}`);
  }

  /** Ask anew from the top; the chosen table stays chosen where it is among the first. */
  async function refresh({ choose = null } = {}) {
    const mine = (turn += 1);
    try {
      const fresh = await request(0);
      if (mine === turn) take(fresh, choose);
    } catch (wrong) {
      if (mine === turn) tell(`The list could not be loaded: ${wrong.message}`);
    }
  }

  function take(fresh, choose) {
    answer = fresh;
    rows = new Map(fresh.rows.map((row, index) => [index, row]));
    asked = new Set([0]);
    const kept = [...rows].find(([, row]) => row.gold === choose)?.[0];
    list.fill(answer.total);
    const free = fresh.rows.findIndex(({ lease }) => !lease); // what somebody else works on is not what to take next
    if (answer.total) list.choose(kept ?? Math.max(0, free));
    draw();
    if (fresh.first) server.prefetch(fresh.first); // draws its first page, too
  }

  /** Rows on the screen that are not here yet. */
  function load(first, last) {
    if (!server) return;
    for (let chunk = Math.floor(first / CHUNK); chunk * CHUNK < last; chunk += 1) {
      if (asked.has(chunk)) continue;
      asked.add(chunk);
      const mine = turn;
      request(chunk * CHUNK)
        .then((more) => {
          if (mine !== turn) return;
          more.rows.forEach((row, index) => rows.set(more.from + index, row));
          const focused = list.element.contains(frame.getRootNode().activeElement);
          for (let index = more.from; index < more.from + more.rows.length; index += 1) list.redraw(index);
          if (focused) focus();
        })
        .catch(() => asked.delete(chunk));
    }
  }

  // --- drawing -------------------------------------------------------------------------------------------------

  function tell(text) {
    empty.textContent = text;
    empty.hidden = !text;
    list.element.hidden = Boolean(text);
  }

  function draw() {
    tell(answer.total ? "" : emptyWords(filter, answer.counts));
    const [all, done] = [countOf(answer.counts, "all"), countOf(answer.counts, "accepted")];
    bar.style.width = `${all ? (100 * done) / all : 0}%`;
    const parts = ["skipped", "flagged"].filter((name) => countOf(answer.counts, name)).map((name) => `${countOf(answer.counts, name).toLocaleString("en")} ${name}`);
    progress.lastChild.textContent = [`${done.toLocaleString("en")} of ${all.toLocaleString("en")} tables accepted`, ...parts, answer.doubts ? `${answer.doubts.toLocaleString("en")} cells to look at in this list` : ""].filter(Boolean).join(" · ");
    chips.replaceChildren(...Object.entries(STATUSES).map(([name, label]) =>
      h("button", { type: "button", class: "queue-chip", "aria-pressed": String(name === filter.status), onclick: () => choose({ status: name }) }, `${label} `, h("span", {}, countOf(answer.counts, name).toLocaleString("en")))));
    const active = frame.getRootNode().activeElement?.dataset?.part;
    choices.replaceChildren(...Object.entries(PARTS).map(([part, { label, all: every }]) => {
      const options = choicesOf(part, answer.counts, filter[part], answer.labels);
      if (options.length < (part === "comments" ? 1 : 2) && !filter[part]) return null;
      return picker(part, label, [["", every], ...options.map(([value, words, count]) => [value, `${words} (${count.toLocaleString("en")})`])], (value) => choose({ [part]: value }, part));
    }).filter(Boolean), picker("order", "Order", Object.entries(ORDERS), (order) => choose({ order }, "order")));
    if (active) choices.querySelector(`[data-part="${active}"]`)?.focus();
  }

  function picker(part, label, options, chosen) {
    const select = h("select", { "aria-label": label, "data-part": part, onchange: (event) => chosen(event.target.value) },
      options.map(([value, words]) => h("option", { value, selected: value === filter[part] }, words)));
    select.classList.toggle("chosen", part !== "order" && Boolean(filter[part]));
    return select;
  }

  function line(index) {
    const row = rows.get(index);
    const here = index === list.chosen;
    const more = { role: "option", "aria-selected": String(here), "aria-posinset": index + 1, "aria-setsize": answer.total, tabindex: here ? "0" : "-1", "data-place": index };
    if (!row) return h("div", { class: "queue-row", ...more }, h("span"), "…");
    const [sign, status] = SIGNS[row.status];
    return h("div", { class: `queue-row is-${row.status}`, "data-gold": row.gold, ...more },
      h("span", { class: "queue-mark", title: status, role: "img", "aria-label": status }, sign),
      h("span", { class: "queue-what" }, h("span", { class: "queue-name", dir: "auto", title: row.document }, row.document), h("span", { class: "queue-table", dir: "auto" }, row.table)),
      h("span", { class: "queue-why", dir: "auto", title: row.why }, row.lease ? h("strong", { class: "queue-holder", title: `Since ${clockTime(row.lease.since)}; you can read it` }, h("bdi", {}, row.lease.person), " works on it. ") : row.assigned && row.status !== "accepted" ? h("strong", { class: "queue-holder" }, "For ", h("bdi", {}, row.assigned), ". ") : null, row.why),
      h("span", { class: "queue-doubts", title: "Cells to look at" }, row.doubts ? `${row.doubts} to look at` : "", row.comments ? h("span", { class: "queue-comments" }, counted(row.comments, "comment")) : ""),
      h("span", { class: "queue-size", title: "Rows and columns" }, `${row.rows} × ${row.cols}`));
  }

  function focus() {
    if (frame.getRootNode().activeElement === search) return;
    (empty.hidden ? list.at(list.chosen) : empty)?.focus({ preventScroll: true }); // keys are heard where the focus is
  }

  // --- what the person does ------------------------------------------------------------------------------------

  function address(more = {}) {
    const url = new URL(location.href);
    url.search = new URLSearchParams([...new URLSearchParams(queryOf(filter)), ...Object.entries(more)]).toString();
    history.replaceState(history.state, "", url);
  }

  function choose(parts, from = null) {
    filter = { ...filter, ...parts };
    address();
    return refresh({ choose: rows.get(list.chosen)?.gold }).then(() => from || focus());
  }

  function searched() {
    clearTimeout(waiting);
    waiting = setTimeout(() => choose({ words: search.value.trim() }, "search"), SEARCH_AFTER_MS);
  }

  async function open(index) {
    clearTimeout(waiting);
    if (search.value.trim() !== filter.words) {
      filter = { ...filter, words: search.value.trim() };
      await refresh(); // Enter came before the list that it speaks of
      index = 0;
    }
    const row = rows.get(index);
    if (!row) return;
    list.choose(index);
    address({ at: row.gold });
    component.setTriggerValue("open", { gold: row.gold, queue: queryOf(filter) || "status=todo" });
  }

  /** Ask whom the chosen table is meant for. */
  function assign() {
    const row = rows.get(list.chosen);
    if (!row) return;
    const known = [...new Set([...rows.values()].map(({ assigned }) => assigned))].filter(Boolean);
    const name = h("input", { type: "text", list: "queue-people", value: row.assigned, dir: "auto", "aria-label": "Name", placeholder: "Nobody" });
    const told = h("span", { role: "status" });
    const close = () => (form.remove(), focus());
    const form = h("form", { class: "queue-assign", "data-testid": "assign" }, h("label", {}, `Who is ${row.table} of ${row.document} meant for? `, name), h("datalist", { id: "queue-people" }, known.map((value) => h("option", { value }))), h("button", {}, "Assign"), told);
    form.addEventListener("keydown", (event) => event.key === "Escape" && (event.stopPropagation(), close()));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const sent = await server.send("/api/assignment", { gold: 0, table: row.gold, person: name.value.trim() }).catch(() => null);
      if (sent?.status !== 200) return void (told.textContent = sent?.body.message ?? "Not assigned: the server does not answer.");
      form.remove();
      return refresh({ choose: row.gold }).then(focus);
    });
    frame.querySelector(".queue-assign")?.remove();
    list.element.before(form);
    name.select();
  }

  function clear() {
    search.value = "";
    search.blur();
    choose(cleared(filter));
  }

  function move(by) {
    if (!list.count) return;
    list.choose(Math.min(list.count - 1, Math.max(0, list.chosen + by)));
    if (frame.getRootNode().activeElement !== search) focus();
  }

  function pressed(event) {
    event.stopPropagation(); // Streamlit has shortcuts of its own on the page (r, c); what is typed here stays here
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("form")) return; // a name is typed there
    const inSearch = event.target === search;
    const inList = !inSearch && !event.target.closest("select, button");
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: list.page(), PageUp: -list.page() };
    if (inList) Object.assign(steps, { Home: -Infinity, End: Infinity, j: 1, k: -1 });
    if (event.key in steps && (inSearch || inList)) move(steps[event.key]);
    else if (inList && component.data.assigns && event.key.toLowerCase() === "a") assign();
    else if (event.key === "Enter" && (inSearch || inList)) open(list.chosen);
    else if (event.key === "/" && !inSearch) search.focus();
    else if (event.key === "Escape" && (inSearch || inList)) clear();
    else if (event.key === "Escape") focus();
    else if (inList && event.key.toLowerCase() === "f") choices.querySelector("select")?.focus();
    else if (!inSearch && /^[1-6]$/.test(event.key)) choose({ status: Object.keys(STATUSES)[Number(event.key) - 1] });
    else return;
    event.preventDefault();
  }

  return {
    /** Called at each drawing by Streamlit; the first answer comes with the page. */
    show(next) {
      component = next;
      keys.textContent = next.data.assigns ? WORDS : WORDS.replace(" · A assigns", "");
      server = createServer(next.data.api);
      server.learn(0, next.data.token);
      filter = filterOf(location.search);
      if (!filter.project && next.data.project) filter.project = next.data.project;
      search.value = filter.words;
      take(next.data.answer, wanted ?? rows.get(list.chosen)?.gold);
      if (wanted) address();
      wanted = null;
      if (!frame.hidden) focus();
    },
    close: () => stop.abort(),
  };
}

const queues = new WeakMap();

/** Called by Streamlit at the first drawing and on each change of the data. */
export default function mount(component) {
  const root = component.parentElement.querySelector(".proofgrid") ?? component.parentElement;
  if (!queues.has(root)) queues.set(root, createQueue(root));
  queues.get(root).show(component);
  return () => {
    queues.get(root)?.close();
    queues.delete(root);
  };
}
