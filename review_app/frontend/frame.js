/** The frame of the review: top bar, the two panes with a movable border, and the line that explains the cell. */

import { clock, counted, h, write } from "./dom.js";
import { at } from "./sheet.js";
import { badgeOfFirst, columnLabel, findingsAt, rowLabel, storyOf } from "./board.js";
import { LEVELS, STATES } from "./looks.js";
import { cellUnder } from "./moves.js";
import { keyOf, keyed, labelKeys, onKeys } from "./keymap.js";

const SMALLEST_HEIGHT_PX = 420; // below that, as at 200 % zoom, the page around scrolls
const BELOW_PX = 8;
export const VIEWS = { aligned: "Aligned", gold: "Gold only", first: "First only" };

/** Text and badge of a cell of the first extraction on a line of its own, or in its own view; null for a hole. */
function readAlone(board, { first, col }) {
  const firstCol = board.mode === "first" ? col : board.firstCol.get(col);
  const one = firstCol === undefined ? null : at(board.first, first, firstCol);
  return one && { text: one.text, ...(one.header ? { level: "", reason: "" } : badgeOfFirst(board, one.row, one.col)) };
}

/** Give an element the height that the window leaves below its top. */
export function fillWindow(element) {
  const above = element.getBoundingClientRect().top + (element.ownerDocument.scrollingElement?.scrollTop ?? 0);
  element.style.height = `${Math.max(SMALLEST_HEIGHT_PX, innerHeight - Math.max(0, above) - BELOW_PX)}px`;
}

/** `run(command)` starts a command by its id; `open(table)` opens another table of the document. */
export function createFrame({ run, open, page, crop, grid, tray, offer, side, receipt, lease, signal }) {
  const name = h("span", { class: "document" });
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Tables of this document" });
  const saved = h("span", { class: "save-state", role: "status", "data-testid": "save-state" });
  const resume = h("button", { hidden: true, onclick: () => run("resume"), title: "Send the kept edits again" }, "Try again");
  const aside = h("button", { hidden: true, "data-testid": "set-aside", onclick: () => run("setAside"), title: "Apply or discard them" });
  const time = h("span", { class: "time", "data-testid": "timer", title: "Active time on this table. It stops while you are away." });
  const queue = h("span", { class: "queue", "data-testid": "queue" });
  const accept = h("button", { class: "primary", "data-testid": "accept", onclick: () => run("accept") }, "Accept", h("kbd", { "data-command": "accept" }));
  const skip = h("button", { "data-testid": "skip", ...keyed("skip", "Leave this table for later"), onclick: () => run("skip") }, "Skip");
  const flag = h("button", { "data-testid": "flag", ...keyed("flag", "Report a problem with this table"), onclick: () => run("flag") }, "Flag");
  const reopen = h("button", { "data-testid": "reopen", hidden: true, onclick: () => run("reopen") }, "Reopen");
  const help = h("button", { ...keyed("help", "Keys"), "aria-label": "Keys", onclick: () => run("help") }, "?");
  const status = h("span", { class: "status", "data-testid": "status" });
  const top = h("div", { class: "bar top", role: "toolbar", "aria-label": "Document", "data-area": "top" }, name, tabs, h("span", { class: "gap" }), saved, resume, aside, time, queue, status, help, flag, skip, reopen, accept);

  const views = h("div", { class: "views", role: "radiogroup", "aria-label": "View" });
  for (const [id, label] of Object.entries(VIEWS)) {
    views.append(h("button", { role: "radio", "data-view": id, onclick: () => run("show", id) }, label));
  }
  const doubts = h("span", { class: "doubts", "data-testid": "doubts" });
  const order = h("button", { "data-testid": "order", ...keyed("nextDoubt", "Order in which doubtful cells are visited"), onclick: () => run("order") });
  const notes = h("details", { class: "notes" }, h("summary", {}), h("ul", {}));
  const bar = h("div", { class: "bar", role: "toolbar", "aria-label": "Table view", "data-area": "view" }, views, receipt, h("span", { class: "gap" }), notes,
    doubts, h("button", { ...keyed("previousDoubt", "Previous doubt"), "aria-label": "Previous doubt", onclick: () => run("previousDoubt") }, "↑"),
    h("button", { ...keyed("nextDoubt", "Next doubt"), "aria-label": "Next doubt", onclick: () => run("nextDoubt") }, "↓"), order);

  const what = h("span", { class: "what" });
  const badge = h("span", { class: "badge" });
  const state = h("span", { class: "state" });
  const reasons = h("span", { class: "reasons" });
  const firstValue = h("bdi", {});
  const firstLine = h("span", { class: "first-value" }, "First value: ", firstValue);
  const meaning = h("bdi", { class: "meaning", "data-testid": "meaning" });
  const talked = h("span", { class: "talked" });
  const told = h("span", { class: "told", role: "status", "data-testid": "message" });
  const inspector = h("footer", { class: "inspector", "data-testid": "inspector" },
    h("div", {}, what, badge, state, meaning, talked, firstLine, offer), h("div", {}, reasons, told));
  const live = h("div", { class: "live", "aria-live": "polite", role: "log" });

  const splitter = h("div", { class: "splitter", role: "separator", "aria-orientation": "vertical", tabindex: "0", "aria-label": "Width of the page pane", "aria-valuemin": "20", "aria-valuemax": "75", "aria-valuenow": "38" });
  const right = h("section", { class: "table-pane", "aria-label": "Table" }, bar, crop.element, grid.element, tray, inspector);
  const panes = h("div", { class: "panes" }, page.element, splitter, right, side);
  const element = h("div", { class: "review" }, h("div", {}, top, lease), panes, live);
  let speaking = null;
  let shownTable = null;

  onKeys(() => labelKeys(element), signal);
  labelKeys(element);

  function splitAt(share) {
    const bounded = Math.max(20, Math.min(75, share));
    panes.style.setProperty("--split", `${bounded}%`);
    splitter.setAttribute("aria-valuenow", Math.round(bounded));
    page.resized();
  }

  splitter.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    splitter.setPointerCapture(event.pointerId);
  });
  splitter.addEventListener("pointermove", (event) => {
    if (!splitter.hasPointerCapture(event.pointerId)) return;
    const { left, width } = panes.getBoundingClientRect();
    splitAt(((event.clientX - left) / width) * 100);
  });
  splitter.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
    if (by) splitAt(Number(splitter.getAttribute("aria-valuenow")) + by);
  });

  const WORDS = {
    saved: () => "saved",
    saving: () => "saving…",
    offline: (waiting) => `offline, ${waiting} kept`,
    expired: (waiting) => `sign-in expired, ${waiting || "edits"} kept`,
    refused: (waiting, count) => `not saved, ${counted(count, "edit")} set aside`,
  };

  return {
    element,

    /** Where F6 goes, in its order. */
    areas: [
      () => tabs.querySelector("[aria-selected='true']"),
      () => page.scroller,
      () => views.querySelector("[aria-checked='true']"),
      () => grid.element.querySelector("td[tabindex='0']"),
    ],

    /** Take the height that the window leaves, so that the page around does not scroll. */
    fit() {
      fillWindow(element);
      page.resized();
    },

    /** Names, tabs, queue and status of the open table. */
    table(table) {
      name.textContent = table.document.name;
      name.title = table.document.project ? `${table.document.project}: ${table.document.name}` : table.document.name;
      shownTable = table.gold;
      tabs.replaceChildren(...table.tables.map((one) => {
        const here = one.gold === table.gold;
        const count = one.status === "open" ? h("span", { class: "count doubtful", hidden: !one.doubts, title: counted(one.doubts, "doubtful cell") }, `${one.doubts}`) : null;
        const done = one.status === "accepted" ? h("span", { class: "count", title: "accepted" }, "✓") : null;
        const said = h("span", { class: "count talked", hidden: !one.comments, title: counted(one.comments, "open comment") }, `${one.comments}`);
        return h("button", { role: "tab", "aria-selected": String(here), "data-gold": one.gold, onclick: () => !here && open(one) }, h("bdi", {}, one.name), count, said, done);
      }));
      queue.textContent = table.queue ? `${table.queue.done} of ${table.queue.of} done` : "";
      queue.title = table.queue ? `${table.queue.done} of the ${counted(table.queue.of, "table")} in the queue are done` : "";
      const accepted = table.status === "accepted";
      status.textContent = accepted ? "accepted" : table.blind ? "blind: key it from the page" : "";
      reopen.hidden = !accepted;
      for (const button of [accept, skip, flag]) button.hidden = accepted || Boolean(table.lease);
      const { notes: lines = [] } = table.first ?? {};
      const lost = table.aligned.cols.filter(({ gold, first }) => gold === null && first !== null).length;
      const all = lost ? [...lines, `${counted(lost, "column")} of the first extraction without a gold column: see “First only”.`] : lines;
      notes.hidden = !all.length;
      notes.firstChild.textContent = counted(all.length, "note");
      notes.lastChild.replaceChildren(...all.map((line) => h("li", {}, line)));
      for (const button of views.children) button.disabled = button.dataset.view !== "gold" && !table.first;
    },

    /** How many comments of the open table wait for an answer. */
    discussed({ gold, tables }) {
      const { comments } = tables.find((one) => one.gold === gold);
      const said = tabs.querySelector(`[data-gold="${gold}"] .talked`);
      said.hidden = !comments;
      said.title = counted(comments, "open comment");
      said.textContent = `${comments}`;
    },

    /** View, doubts left and their order. */
    progress(mode, left, byRisk) {
      for (const button of views.children) button.setAttribute("aria-checked", String(button.dataset.view === mode));
      write(doubts, left ? `${counted(left, "doubt")} left` : "no doubts left");
      // The tab of the open table counts what is left, as this line does.
      const count = tabs.querySelector(`[data-gold="${shownTable}"] .doubtful`);
      if (count) Object.assign(count, { textContent: `${left}`, title: `${counted(left, "doubt")} left`, hidden: !left });
      write(order, byRisk ? "riskiest first" : "in reading order");
    },

    /** What is true of the edits: saved, on their way, kept here, or set aside because the server refused them. */
    saving(state, { edits, comments }, refused, kept) {
      const shownAs = refused && state === "saved" ? "refused" : state;
      const waiting = [edits && counted(edits, "edit"), comments && counted(comments, "comment")].filter(Boolean).join(" and ");
      write(saved, WORDS[shownAs](waiting, refused) + (kept ? "" : " (browser storage is full: keep this tab open)"));
      saved.dataset.state = shownAs;
      resume.hidden = state !== "expired";
      aside.hidden = !refused;
      write(aside, `${counted(refused, "edit")} set aside`);
    },

    time: (ms) => write(time, ms === null ? "not timed" : clock(ms)),
    busy: (on) => (accept.disabled = on),

    /** The line under the table: place, badge with reasons, first value, state, failing checks. */
    inspect(board, cursor) {
      const alone = cursor.row === null;
      const one = cellUnder(board, cursor);
      const anchor = one ?? cursor;
      const story = alone ? null : storyOf(board, anchor.row, anchor.col);
      const row = alone ? cursor.first : anchor.row;
      const line = alone ? `First extraction, ${rowLabel(board, row).toLowerCase()}` : rowLabel(board, row);
      const column = columnLabel(board, anchor.col);
      write(what, board.table.form ? column : `${line} · ${column}`);
      const kind = alone ? board.lines[board.lineOfFirst.get(cursor.first)]?.kind : "";
      const ofFirst = alone ? readAlone(board, cursor) : null;
      const level = alone ? ofFirst?.level ?? "" : board.first ? story.level : "";
      badge.dataset.level = level;
      write(badge, level ? `${LEVELS[level].sign[0]} ${LEVELS[level].word}` : "");
      write(state, story ? STATES[story.state].word : "read only");
      const comments = story?.comments ?? 0;
      write(talked, comments ? `${counted(comments, "open comment")} (${keyOf("comment")})` : "");
      const checks = story ? findingsAt(board, anchor.row, anchor.col).map(({ message }) => message) : [];
      const extra = { extra: `Not matched to a gold row. ${keyOf("takeFirst")} takes it into gold.`, duplicate: `A gold row has this value already. ${keyOf("takeFirst")} takes it into gold.` }[kind];
      const all = [...(story?.reasons ?? [ofFirst?.reason]), ...checks, extra].filter(Boolean);
      write(reasons, all.join(" · "));
      reasons.title = all.join("\n");
      firstLine.hidden = !story || story.firstText === null;
      firstValue.classList.toggle("same", !story?.differs);
      write(firstValue, story?.differs ? story.firstText || "empty" : "the same");
      const words = [line, column, (alone ? ofFirst : story.cell)?.text || "empty", level && `${LEVELS[level].word} confidence`, ...all, state.textContent, comments && counted(comments, "open comment")];
      clearTimeout(speaking);
      speaking = setTimeout(() => (live.textContent = words.filter(Boolean).join(". ")), 150);
    },

    /** What the text of the cell means in its column. */
    means: (words) => write(meaning, words),

    say(text) {
      write(told, text);
    },
  };
}
