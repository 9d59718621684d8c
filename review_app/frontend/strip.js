/** The strip: one cell on each line beside its piece of the page, decided by one key each. */

import { clock, counted, h } from "./dom.js";
import { createEditor } from "./editor.js";
import { createFacets } from "./strip_facets.js";
import { createPieces } from "./strip_piece.js";
import { createServer } from "./server.js";
import { createPanels } from "./panels.js";
import { createStripLease } from "./strip_lease.js";
import { createStripTables } from "./strip_tables.js";
import { createTab } from "./tabs.js";
import { createWindowed } from "./windowed.js";
import { closeConnectionNotices } from "./notice.js";
import { commandOf, loadKeys } from "./keymap.js";
import { createWatch } from "./strip_watch.js";
import { frameOf } from "./strip_crop.js";
import { decisionOf, facetsOf, isSettled, markEdit, meaningOf, shownOf, textEdit } from "./strip_lines.js";
import { newId, storageOfPage } from "./outbox.js";
import { LEVELS } from "./looks.js";

const MARK_OF = { confirm: "confirmed", unreadable: "unreadable", absent: "absent" };
const KEYS = "A right · type or F2 edit · U unreadable · 0 or Alt+0 absent · F first value · Z undo · O open · Alt+Shift+O take over · Enter next · ← facets · C columns · Esc back";
const SAVED = { saved: "saved", saving: "saving…", offline: "offline", expired: "sign-in expired", refused: "not saved" };

function createStrip(host, data, { leave, openTable }) {
  const client = newId();
  const storage = storageOfPage();
  const server = createServer(data.api);
  const stop = new AbortController();
  const { signal } = stop;
  const { person } = data;
  let given = { tables: {}, lines: [], choices: [], projects: [], scope: {} };
  let chosen = { state: "open", kind: null, pattern: null, document: null };
  let shown = []; // indices of lines
  let frame = { width: 160, height: 40 };
  let editing = null; // the index of the line that is edited
  let turn = 0;

  const tables = createStripTables({ storage, person, tab: createTab({ storage, person, signal }), server, spent: () => watch.edit(), changed: drawn, state: showSaving, say });
  const facets = createFacets({ choose: narrow, go: (scope) => load(scope), back: () => focus() });
  const list = createWindowed({ role: "grid", label: "Cells", height: 48, draw: row });
  list.element.classList.add("strip-list");
  list.element.dataset.testid = "strip";
  const headline = h("span", { class: "strip-count", role: "status", "data-testid": "strip-count" });
  const saved = h("span", { class: "save-state", role: "status", "data-testid": "save-state" });
  const time = h("span", { class: "strip-time", title: "Active time on the table of this line" });
  const told = h("span", { class: "strip-told", role: "status", "data-testid": "message" });
  const live = h("div", { class: "live", "aria-live": "polite" });
  const nothing = h("p", { class: "strip-empty", tabindex: "-1", hidden: true });
  const element = h("div", { class: "strip", "data-testid": "strip-screen" }, facets.element,
    h("section", { class: "strip-main", "aria-label": "Cells" },
      h("header", {}, headline, h("span", { class: "gap" }), time, saved), list.element, nothing,
      h("footer", {}, h("span", {}, KEYS), told)), live);
  const panels = createPanels(element, () => focus());
  const lease = createStripLease({ server, client, panels, reread: tables.reread, say });
  const pieces = createPieces({ server, redraw: (line) => list.redraw(shown.findIndex((index) => nameOf(tables.lines[index]) === nameOf(line))) });
  const watch = createWatch({ storage, person, client, list, lineOf: (place) => tables.lines[indexOf(place)], here: () => tables.lines[here()],
    record: tables.record, looked: (activity) => (time.textContent = activity ? clock(activity.total()) : "") });
  const editor = createEditor({
    onDraft: (text) => editing !== null && tables.draft(editing, text),
    onCommit: committed,
    onCancel: () => (editing = null, focus()),
    onCommand: () => undefined,
  });
  host.append(element);

  function say(text) {
    told.textContent = text;
  }

  const indexOf = (place) => shown[place];
  const here = () => shown[list.chosen] ?? null;

  function fit() {
    const above = element.getBoundingClientRect().top + (document.scrollingElement?.scrollTop ?? 0);
    element.style.height = `${Math.max(360, innerHeight - Math.max(0, above) - 8)}px`;
  }

  // --- what is shown -------------------------------------------------------------------------------------------

  async function load(scope, { at = null } = {}) {
    const mine = (turn += 1);
    if (editor.open) editor.commit();
    headline.textContent = "Loading…";
    let answer;
    try {
      answer = await server.list(`/api/strip?${new URLSearchParams(scope)}`);
    } catch (wrong) {
      if (mine === turn) tell(`The cells could not be loaded: ${wrong.message} Press Enter to try again.`, () => load(scope, { at }));
      return;
    }
    if (mine !== turn) return;
    given = answer;
    chosen = { state: "open", kind: null, pattern: null, document: null };
    watch.forget();
    const lines = answer.lines.map((line) => ({ ...line, document: answer.tables[line.gold].document }));
    tables.fill(lines, answer.tables);
    frame = frameOf(lines, (line) => sizeOf(line));
    element.style.setProperty("--crop", `${frame.width}px`);
    address();
    narrow({});
    const back = at && shown.findIndex((index) => nameOf(tables.lines[index]) === at);
    if (back > 0) list.choose(back);
    const draft = tables.unfinished();
    if (draft) resume(draft);
    else focus();
    attend();
  }

  function tell(text, again = null) {
    nothing.textContent = text;
    nothing.hidden = !text;
    list.element.hidden = Boolean(text);
    nothing.onkeydown = (event) => event.key === "Enter" && again?.();
  }

  function narrow(parts) {
    chosen = { ...chosen, ...parts };
    const kept = here();
    const numbers = new Map(tables.lines.map((line, index) => [line, index]));
    shown = shownOf(tables.lines, chosen).map((line) => numbers.get(line));
    list.fill(shown.length, { tall: frame.height + 12 });
    tell(shown.length ? "" : emptyWords());
    if (shown.length) list.choose(Math.max(0, shown.indexOf(kept)));
    drawFacets();
    attend();
  }

  function emptyWords() {
    if (!given.lines.length) return given.choices.length ? "Nothing is odd here. Choose a column with C." : "No open table has columns of a table type. Import a table types file, or look at what is odd: press C.";
    if (chosen.kind ?? chosen.pattern ?? chosen.document) return "No cell passes all that is chosen. Esc takes the choice back.";
    return "All cells here are decided. Choose another column with C, or Esc to go back to the queue.";
  }

  function drawFacets() {
    facets.draw(given, chosen, facetsOf(tables.lines, chosen));
    const left = tables.lines.filter((line) => !isSettled(line)).length;
    const more = [given.more && `${given.more.toLocaleString("en")} less odd ones are not listed`, given.accepted && `${counted(given.accepted, "accepted table")} left out`];
    headline.textContent = [`${left.toLocaleString("en")} of ${counted(tables.lines.length, "cell")} to decide`, ...more].filter(Boolean).join(" · ");
  }

  const nameOf = (line) => `${line.gold}:${line.row_id}:${line.col_id}`;
  const sizeOf = (line) => given.tables[line.gold].pages[line.box[0]] ?? null;

  function row(place) {
    const index = indexOf(place);
    const line = tables.lines[index];
    const chosenHere = place === list.chosen;
    const [sign, word] = decisionOf(line);
    const { sign: level, word: levelWord } = LEVELS[line.level];
    const reasons = line.reasons.map(([, reason]) => reason).join(" · ");
    const { piece, guessed = null } = pieces.of(line, given.tables[line.gold], frame);
    const made = h("div", { role: "row", class: `strip-row${isSettled(line) ? " settled" : ""}`, "aria-rowindex": place + 1, "aria-selected": String(chosenHere), tabindex: chosenHere ? "0" : "-1", "data-place": place },
      h("span", { role: "gridcell", class: "strip-state", title: word, "aria-label": word || "to decide" }, sign),
      h("span", { role: "gridcell" }, piece),
      h("span", { role: "gridcell", class: "strip-value", "data-testid": "value" }, h("bdi", { dir: "auto" }, line.text || h("i", {}, "empty")),
        line.first === null || line.first === line.text ? null : h("small", {}, "1st ", h("s", { dir: "auto" }, line.first || "empty"))),
      h("span", { role: "gridcell", class: "strip-why" }, line.refused ? lease.refused(line, (again) => tables.settle(index, again)) : [
        h("b", { class: "strip-badge", "data-level": line.level, title: levelWord }, level),
        h("span", { title: reasons, dir: "auto" }, reasons || (line.level === "none" ? "no score" : "nothing odd")), guessed]),
      h("span", { role: "gridcell", class: "strip-where" }, h("span", { dir: "auto", title: line.document }, line.document),
        h("span", { dir: "auto" }, [line.lease && `${line.lease.person} works on it`, given.scope.column ? "" : line.column, line.label].filter(Boolean).join(" · "))));
    const before = list.at(place);
    if (editing === index && before && editor.open) made.replaceChild(before.querySelector(".strip-value"), made.querySelector(".strip-value"));
    return made;
  }

  function drawn(indices) {
    const focused = list.element.contains(host.getRootNode().activeElement) && !editor.open;
    const places = new Map(shown.map((index, place) => [index, place]));
    for (const index of indices) if (places.has(index)) list.redraw(places.get(index));
    if (focused || (editor.open && indices.includes(editing))) focus();
    if (indices.length) drawFacets();
  }

  function showSaving() {
    const { state, waiting, kept, refused } = tables.saving();
    const word = refused && state === "saved" ? "refused" : state;
    saved.dataset.state = word;
    saved.textContent = SAVED[word] + (waiting && word !== "saving" ? `, ${counted(waiting, "edit")} kept` : refused ? `: ${counted(refused, "edit")} to decide` : "") + (kept ? "" : " (browser storage is full: keep this tab open)");
  }

  function focus() {
    if (panels.open) return undefined;
    if (editor.open) return editor.focus();
    return (nothing.hidden ? list.at(list.chosen) : nothing)?.focus({ preventScroll: true });
  }

  // --- time and looking ----------------------------------------------------------------------------------------

  /** Time belongs to the table of the chosen line. */
  function attend() {
    const line = tables.lines[here()];
    if (!line) return;
    watch.attend(line, given);
    const [, word] = decisionOf(line);
    live.textContent = [line.column, line.text || "empty", `${LEVELS[line.level].word} confidence`, ...line.reasons.map(([, reason]) => reason), word, line.document, line.label].filter(Boolean).join(". ");
    address();
  }

  // --- what the person does ------------------------------------------------------------------------------------

  function address() {
    const url = new URL(location.href);
    const { project, table_type, column, kind } = given.scope;
    const line = tables.lines[here()];
    const parts = { project, table_type, column, kind, at: line ? nameOf(line) : "" };
    url.search = new URLSearchParams(Object.entries(parts).filter(([, value]) => value)).toString();
    history.replaceState(history.state, "", url);
    return url.searchParams.toString();
  }

  function go(place) {
    if (!shown.length) return;
    list.choose(Math.max(0, Math.min(shown.length - 1, place)));
    focus();
    attend();
  }

  function edit(index, options = {}) {
    const line = tables.lines[index];
    if (line.frozen || line.gone) return tables.commit(index, textEdit(line, `${line.text} `), { source: "typed" });
    editing = index;
    return editor.edit(list.at(list.chosen).querySelector(".strip-value"), line.text, { label: `${line.column}, ${line.label}`, ...options });
  }

  function resume({ index, text }) {
    if (!shown.includes(index)) narrow({ state: "all" });
    list.choose(shown.indexOf(index));
    say("This text was not finished. Enter keeps it, Esc gives the old one back.");
    edit(index, { draft: text });
  }

  function committed(text, event, changed) {
    const index = editing;
    editing = null;
    if (changed) tables.commit(index, textEdit(tables.lines[index], text), { source: "typed" });
    list.redraw(list.chosen);
    if (!event) return;
    go(list.chosen + (event.key === "ArrowUp" || event.shiftKey ? -1 : event.key.startsWith("Arrow") && event.key !== "ArrowDown" ? 0 : 1));
  }

  function mark(name) {
    const index = here();
    const line = tables.lines[index];
    if (name === "confirmed" && !line.seen) return say(line.box ? "Not yet: its piece of the page was not on the screen." : "No place on the page is known for this cell. O opens it beside its page.");
    if (!markEdit(line, name)) return go(list.chosen + 1); // it is so already
    if (tables.commit(index, markEdit(line, name), { source: "key" })) go(list.chosen + 1);
    return undefined;
  }

  function takeFirst() {
    const index = here();
    const line = tables.lines[index];
    if (line.first === null) return say("The first extraction has the same value, or none.");
    if (tables.commit(index, textEdit(line, line.first), { source: "first" })) go(list.chosen + 1);
    return undefined;
  }

  function undo() {
    const index = tables.undo();
    if (index === null) return;
    if (!shown.includes(index)) narrow({ state: "all", kind: null, pattern: null, document: null });
    go(shown.indexOf(index));
  }

  function back() {
    if (chosen.kind !== null || chosen.pattern !== null || chosen.document !== null) narrow({ kind: null, pattern: null, document: null }), focus();
    else leave();
  }

  function run(meaning, event) {
    const index = here();
    const line = tables.lines[index];
    if (meaning === "columns") return facets.columns();
    if (meaning === "facets") return facets.focus();
    if (meaning === "undo") return undo();
    if (meaning === "takeOver" || (meaning === "next" && line?.refused && line.lease)) return lease.ask(line);
    if (line?.refused && (meaning === "next" || meaning === "back")) return tables.settle(index, meaning === "next");
    if (meaning === "back") return back();
    if (!line) return undefined;
    const steps = { next: 1, previous: -1, pageDown: list.page(), pageUp: -list.page(), first: -Infinity, last: Infinity };
    if (meaning in steps) return go(list.chosen + steps[meaning]);
    if (meaning in MARK_OF) return mark(MARK_OF[meaning]);
    if (meaning === "takeFirst") return takeFirst();
    if (meaning === "open") return openTable({ gold: line.gold, cell: `${line.row_id}:${line.col_id}`, strip: address() });
    if (meaning === "edit") return edit(index);
    if (meaning === "type") return edit(index, { type: true, draft: event.key });
    if (meaning === "clear") return void tables.commit(index, textEdit(line, ""), { source: "key" });
    if (meaning === "help") return say(KEYS);
    return say("Letters are commands here. F2 edits the value; a digit, a sign or a capital letter begins a new one.");
  }

  element.addEventListener("keydown", (event) => {
    event.stopPropagation(); // Streamlit has shortcuts of its own on the page
    if (event.isComposing || editor.open || panels.open || facets.element.contains(event.target)) return;
    const meaning = commandOf(event)?.id === "takeOver" ? "takeOver" : meaningOf(event, tables.lines[here()]);
    if (!meaning) return;
    event.preventDefault();
    say("");
    run(meaning, event);
  }, { signal });
  list.element.addEventListener("pointerdown", (event) => {
    const at = event.target.closest(".strip-row");
    if (!at || event.target.closest(".editor, button")) return;
    if (editor.open) editor.commit();
    event.preventDefault();
    go(Number(at.dataset.place));
  }, { signal });
  list.element.addEventListener("dblclick", (event) => event.target.closest(".strip-value") && !editor.open && edit(here()), { signal });
  closeConnectionNotices({ root: host.getRootNode(), otherwise: () => focus(), signal });
  addEventListener("resize", fit, { signal });
  addEventListener("online", () => tables.pump(), { signal });
  addEventListener("pagehide", () => (watch.finish(), tables.farewell(), lease.release()), { signal });

  const whole = new URLSearchParams(location.search);
  const asked = Object.fromEntries(new URLSearchParams(whole.get("strip") ?? whole));
  server.learn(0, data.token);
  loadKeys(storage, person);
  fit();
  showSaving();
  load({ project: asked.project ?? data.project ?? "", table_type: asked.table_type ?? "", column: asked.column ?? "", kind: asked.kind ?? "" }, { at: asked.at });

  return {
    update: (next) => (server.learn(0, next.token), tables.pump()),
    styled: () => (fit(), list.fill(shown.length, { tall: frame.height + 12, keep: true }), focus()),
    close() {
      watch.close();
      if (editor.open) editor.commit();
      tables.farewell();
      lease.release();
      tables.close();
      stop.abort();
      element.remove();
    },
  };
}

const mounted = new WeakMap();

/** Called by Streamlit at the first drawing and on each change of `data`; the result is called when it unmounts. */
export default function mount({ data, parentElement, setTriggerValue }) {
  let strip = mounted.get(parentElement);
  if (!strip) {
    const host = parentElement.querySelector(".proofgrid") ?? parentElement;
    strip = createStrip(host, data, { leave: () => setTriggerValue("leave", {}), openTable: (place) => setTriggerValue("open", place) });
    mounted.set(parentElement, strip);
    host.prepend(...["panels.css", "strip.css"].map((name) => h("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href, onload: strip.styled })));
  }
  strip.update(data);
  return () => {
    mounted.get(parentElement)?.close();
    mounted.delete(parentElement);
  };
}

