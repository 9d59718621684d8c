/** Quality: accepted cells drawn at random, each beside its piece of the page; one key says whether the value is right. */

import { clock, counted, h } from "./dom.js";
import { createCheckOutbox } from "./check_outbox.js";
import { createOutbox, newId, storageOfPage } from "./outbox.js";
import { createPieces } from "./strip_piece.js";
import { createServer } from "./server.js";
import { createTab } from "./tabs.js";
import { createWatch } from "./strip_watch.js";
import { createWindowed } from "./windowed.js";
import { closeConnectionNotices } from "./notice.js";
import { createWrongForm } from "./wrong_form.js";
import { frameOf } from "./strip_crop.js";

const LISTS = 0; // the token for lists
const KEYS = "A right · W wrong · U cannot tell · Z take back · O open in the review · Enter next · Esc to Results";
const SAID = { right: ["✓", "right"], wrong: ["✗", "wrong"], "cannot tell": ["?", "cannot tell"] };
const SAVED = { saved: "saved", saving: "saving…", offline: "offline", expired: "sign-in expired" };
const VERDICTS = { a: "right", u: "cannot tell" };
const STEPS = { Enter: 1, ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

function createQuality(host, data, { leave, openTable }) {
  const storage = storageOfPage();
  const server = createServer(data.api);
  const stop = new AbortController();
  const { signal } = stop;
  const { person, sample } = data;
  const tab = createTab({ storage, person, signal });
  const boxes = new Map(); // gold -> outbox of its times
  const form = createWrongForm({ store: storeWrong, cancel: redraw, say });
  let given = { tables: {}, lines: [], others: 0, timed: false };
  let lines = [];
  let frame = { width: 160, height: 40 };
  let done = []; // lines that were checked in this visit, the last one last

  const list = createWindowed({ role: "grid", label: "Accepted cells", height: 48, draw: row });
  list.element.classList.add("strip-list");
  list.element.dataset.testid = "quality";
  const headline = h("span", { class: "strip-count", role: "status", "data-testid": "quality-count" });
  const saved = h("span", { class: "save-state", role: "status", "data-testid": "save-state" });
  const time = h("span", { class: "strip-time", title: "Active time on the table of this line" });
  const told = h("span", { class: "strip-told", role: "status", "data-testid": "message" });
  const live = h("div", { class: "live", "aria-live": "polite" });
  const nothing = h("p", { class: "strip-empty", tabindex: "-1", hidden: true });
  const element = h("div", { class: "strip alone", "data-testid": "quality-screen" },
    h("section", { class: "strip-main", "aria-label": "Accepted cells" },
      h("header", {}, headline, h("span", { class: "gap" }), time, saved), list.element, nothing,
      h("footer", {}, h("span", {}, KEYS), told)), live);
  const pieces = createPieces({ server, redraw });
  const watch = createWatch({ storage, person, client: newId(), list, phase: "quality", lineOf: (place) => lines[place], here, record,
    looked: (activity) => (time.textContent = activity ? clock(activity.total()) : "") });
  const checks = createCheckOutbox({ storage, person, sample, refused, changed: showSaving, send: ({ number, ...check }) => server.send("/api/quality", { gold: LISTS, ...check }) });
  host.append(element);

  function say(text) {
    told.textContent = text;
  }

  const nameOf = (line) => `${line.gold}:${line.row_id}:${line.col_id}`;

  function here() {
    return lines[list.chosen] ?? null;
  }

  function fit() {
    const above = element.getBoundingClientRect().top + (document.scrollingElement?.scrollTop ?? 0);
    element.style.height = `${Math.max(320, innerHeight - Math.max(0, above) - 8)}px`;
  }

  // --- what is shown -------------------------------------------------------------------------------------------

  async function load(at) {
    headline.textContent = "Loading…";
    try {
      given = await server.list(`/api/quality?${new URLSearchParams({ project: data.project })}`);
    } catch (wrong) {
      return tell(`The cells could not be loaded: ${wrong.message} Press Enter to try again.`, () => load(at));
    }
    for (const [gold, { token }] of Object.entries(given.tables)) server.learn(Number(gold), token);
    lines = given.lines;
    // What an earlier visit left behind is shown as it was made, and sent.
    for (const check of checks.waiting()) put(lines.find(({ cell }) => cell === check.cell), check);
    frame = frameOf(lines, (line) => given.tables[line.gold].pages[line.box[0]] ?? null);
    element.style.setProperty("--crop", `${frame.width}px`);
    list.fill(lines.length, { tall: frame.height + 12 });
    tell(lines.length ? "" : emptyWords());
    count();
    checks.pump();
    const back = at ? lines.findIndex((line) => nameOf(line) === at) : -1;
    if (back >= 0) lines[back].opened = true; // its page was looked at in the review
    if (lines.length) go(back >= 0 ? back : Math.max(0, lines.findIndex(({ checked }) => !checked)));
    return focus();
  }

  function emptyWords() {
    if (given.others) return `You keyed or accepted the tables of these cells yourself, or they are not for you now: ${counted(given.others, "cell")} left for somebody else.`;
    return "All cells of this sample are checked. Esc leads to Results, which tell what they measured.";
  }

  function tell(text, again = null) {
    nothing.textContent = text;
    nothing.hidden = !text;
    list.element.hidden = Boolean(text);
    nothing.onkeydown = (event) => event.key === "Enter" && again?.();
  }

  function count() {
    const left = lines.filter(({ checked }) => !checked).length;
    const parts = [`${left.toLocaleString("en")} of ${counted(lines.length, "cell")} to check`, given.others ? `${given.others.toLocaleString("en")} left for others` : ""];
    headline.textContent = lines.length ? parts.filter(Boolean).join(" · ") : "";
  }

  function row(place) {
    const line = lines[place];
    const chosenHere = place === list.chosen;
    const [sign, word] = SAID[line.checked?.verdict] ?? ["", ""];
    const { piece, guessed = null, placed } = pieces.of(line, given.tables[line.gold], frame);
    line.placed = placed;
    const verdict = form.line === line ? form.element : h("span", {}, word && h("b", {}, word), line.checked?.verdict === "wrong" ? [": ", h("bdi", { dir: "auto" }, line.checked.seen || "nothing there"), line.checked.reason ? h("small", { dir: "auto" }, ` · ${line.checked.reason}`) : null] : null);
    return h("div", { role: "row", class: `strip-row${line.checked ? " settled" : ""}`, "aria-rowindex": place + 1, "aria-selected": String(chosenHere), tabindex: chosenHere ? "0" : "-1", "data-place": place, "data-verdict": line.checked?.verdict ?? null },
      h("span", { role: "gridcell", class: "strip-state", "aria-label": word || "to check" }, sign),
      h("span", { role: "gridcell" }, piece),
      h("span", { role: "gridcell", class: "strip-value", "data-testid": "value" }, h("bdi", { dir: "auto" }, line.text || h("i", {}, "empty"))),
      h("span", { role: "gridcell", class: "strip-why" }, verdict, guessed),
      h("span", { role: "gridcell", class: "strip-where" }, h("span", { dir: "auto", title: given.tables[line.gold].document }, given.tables[line.gold].document),
        h("span", { dir: "auto" }, [line.column, line.label].filter(Boolean).join(" · "))));
  }

  function redraw(line) {
    const focused = list.element.contains(host.getRootNode().activeElement);
    list.redraw(lines.indexOf(line));
    if (focused) focus();
  }

  function showSaving() {
    const state = checks.state();
    const waiting = checks.waiting().length;
    saved.dataset.state = state;
    saved.textContent = SAVED[state] + (waiting && state !== "saving" ? `, ${counted(waiting, "check")} kept` : "");
  }

  function focus() {
    if (form.line) return form.focus();
    return (nothing.hidden ? list.at(list.chosen) : nothing)?.focus({ preventScroll: true });
  }

  // --- time ----------------------------------------------------------------------------------------------------

  function record(gold, entry) {
    if (!boxes.has(gold)) {
      const none = () => undefined;
      boxes.set(gold, createOutbox({ storage, person, gold, tab, send: server.send, beacon: server.beacon, onAck: none, onRefused: none, onSaid: none, onUnsaid: none, onState: none }));
    }
    const box = boxes.get(gold);
    box.add(entry, false);
    setTimeout(() => box.pump(), 50);
  }

  // --- what the person does ------------------------------------------------------------------------------------

  function address() {
    const url = new URL(location.href);
    const line = here();
    const parts = { project: data.project, at: line ? nameOf(line) : "" };
    url.search = new URLSearchParams(Object.entries(parts).filter(([, value]) => value)).toString();
    history.replaceState(history.state, "", url);
    return url.searchParams.toString();
  }

  function go(place) {
    if (!lines.length) return;
    list.choose(Math.max(0, Math.min(lines.length - 1, place)));
    const line = here();
    watch.attend({ ...line, edited: false }, given);
    live.textContent = [line.column, line.text || "empty", SAID[line.checked?.verdict]?.[1], given.tables[line.gold].document, line.label].filter(Boolean).join(". ");
    address();
    focus();
  }

  /** The next line that is not checked, below or else from the top; the next one where all are. */
  function onwards() {
    const below = lines.findIndex(({ checked }, place) => !checked && place > list.chosen);
    const first = lines.findIndex(({ checked }) => !checked);
    if (below < 0 && first < 0) say("All cells here are checked. Esc leads to Results.");
    go(below >= 0 ? below : first >= 0 ? first : list.chosen);
  }

  function put(line, { verdict, seen = null, reason = "" }) {
    if (line) line.checked = verdict ? { verdict, seen, reason } : null;
  }

  function store(line, check) {
    checks.add({ id: newId(), cell: line.cell, ...check });
    put(line, check);
    redraw(line);
    count();
  }

  /** Whether the person has had the piece of the page before them; says so where not. */
  function looked(line) {
    if (line.seen || line.opened) return true;
    say(line.placed === false ? "No place on the page is known for this cell. O opens it beside its page." : "Not yet: its piece of the page was not on the screen.");
    return false;
  }

  function judge(line, verdict) {
    if (verdict !== "cannot tell" && !looked(line)) return;
    if (line.checked?.verdict !== verdict) {
      store(line, { verdict });
      done.push(line);
    }
    onwards();
  }

  function storeWrong(line, seen, reason) {
    store(line, { verdict: "wrong", seen, reason });
    done.push(line);
    onwards();
  }

  function takeBack() {
    const line = done.pop() ?? (here()?.checked ? here() : null);
    if (!line) return say("There is nothing to take back.");
    if (line.checked) store(line, { verdict: "" });
    return go(lines.indexOf(line));
  }

  function refused(check, words) {
    const line = lines.find(({ cell }) => cell === check.cell);
    say(words);
    if (!line) return;
    line.checked = null;
    redraw(line);
    count();
  }

  function run(event) {
    const line = here();
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && key !== "z") return false;
    if (event.key === "Escape") leave();
    else if (!line) return false;
    else if (event.key in STEPS) go(list.chosen + (event.shiftKey ? -STEPS[event.key] : STEPS[event.key]));
    else if (event.key === "PageDown" || event.key === "PageUp") go(list.chosen + (event.key === "PageDown" ? 1 : -1) * list.page());
    else if (key in VERDICTS) judge(line, VERDICTS[key]);
    else if (key === "w") looked(line) && (form.open(line), redraw(line), form.begin());
    else if (key === "z") takeBack();
    else if (key === "o") openTable({ gold: line.gold, cell: `${line.row_id}:${line.col_id}`, strip: address() });
    else if (event.key === "?" || event.key === "F1") say(KEYS);
    else return false;
    return true;
  }

  element.addEventListener("keydown", (event) => {
    event.stopPropagation(); // Streamlit has shortcuts of its own on the page
    if (event.isComposing || event.altKey || form.element.contains(event.target)) return;
    say("");
    if (run(event)) event.preventDefault();
  }, { signal });
  list.element.addEventListener("pointerdown", (event) => {
    const at = event.target.closest(".strip-row");
    if (!at || form.element.contains(event.target)) return;
    event.preventDefault();
    form.close();
    go(Number(at.dataset.place));
  }, { signal });
  closeConnectionNotices({ root: host.getRootNode(), otherwise: () => focus(), signal });
  addEventListener("resize", fit, { signal });
  addEventListener("online", () => checks.pump(), { signal });
  addEventListener("pagehide", () => (watch.finish(), boxes.forEach((box) => box.farewell())), { signal });

  const whole = new URLSearchParams(location.search);
  const asked = new URLSearchParams(whole.get("strip") ?? whole);
  server.learn(LISTS, data.token);
  fit();
  showSaving();
  load(asked.get("at"));

  return {
    sample,
    update: (next) => (server.learn(LISTS, next.token), checks.pump()),
    styled: () => (fit(), list.fill(lines.length, { tall: frame.height + 12, keep: true }), focus()),
    close() {
      watch.close();
      checks.close();
      for (const box of boxes.values()) box.farewell(), box.close();
      stop.abort();
      element.remove();
    },
  };
}

const mounted = new WeakMap();

/** Called by Streamlit at the first drawing and on each change of `data`; the result is called when it unmounts. */
export default function mount({ data, parentElement, setTriggerValue }) {
  let quality = mounted.get(parentElement);
  if (quality && quality.sample !== data.sample) {
    quality.close();
    quality = null;
  }
  if (!quality) {
    const host = parentElement.querySelector(".proofgrid") ?? parentElement;
    quality = createQuality(host, data, { leave: () => setTriggerValue("leave", {}), openTable: (place) => setTriggerValue("open", place) });
    mounted.set(parentElement, quality);
    host.querySelector("link")?.remove();
    host.prepend(h("link", { rel: "stylesheet", href: new URL("strip.css", import.meta.url).href, onload: quality.styled }));
  }
  quality.update(data);
  return () => {
    mounted.get(parentElement)?.close();
    mounted.delete(parentElement);
  };
}
