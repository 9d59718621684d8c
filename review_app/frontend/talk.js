/** Comments in the side panel: threads at cells and at the whole table; write, reply, resolve, open again. */

import { drawer, newId } from "./outbox.js";
import { counted, h } from "./dom.js";
import { placeOf } from "./board.js";
import { keyOf } from "./keymap.js";
import { shown } from "./keys.js";
import { listed, nextOpen, reasonsOf, withWaiting } from "./threads.js";
import { timeOf, walkable } from "./aside.js";

const LONGEST_TEXT = 10_000;
const SAYS = { resolve: "resolved this", reopen: "opened this again" };

/**
 * `desk()` and `outbox()` give what is open now, `panel()` the side panel; `changed()` is called when threads
 * changed, `go(spot)` selects a cell.
 * What is being written is kept in the storage by its place, until it is sent.
 */
export function createTalk({ storage, person, desk, outbox, server, say, go, changed, panel }) {
  let stored = []; // threads as the server told them
  let onTable = false; // whether a new comment is about the whole table
  let replying = null; // the thread whose reply field is open
  let learned = 0; // how often threads were learned: an answer that was asked for before that is older

  const drafts = () => drawer(storage, "said", person, desk().table.gold);

  const threads = () => withWaiting(stored, outbox().comments().map(({ comment }) => comment), person);

  function tell(comment) {
    const id = newId();
    const whole = { id, thread: id, row: null, col: null, edit: null, text: "", at: new Date().toISOString(), ...comment };
    outbox().add({ id, comment: whole });
    changed();
  }

  function send(draft, comment) {
    const text = (drafts().get(draft) ?? "").trim();
    if (!text && !["resolve", "reopen"].includes(comment.kind)) return false;
    drafts().drop(draft);
    replying = null;
    tell({ ...comment, text });
    return true;
  }

  const here = () => {
    const { sheet, selected } = desk();
    return selected.row === null || onTable ? null : { row: sheet.row_ids[selected.row], col: sheet.col_ids[selected.col] };
  };
  const draftName = (place) => (place ? `cell ${place.row} ${place.col}` : "table");

  function field(name, label, sent) {
    const area = h("textarea", { rows: "2", maxlength: LONGEST_TEXT, dir: "auto", "aria-label": label, placeholder: label, "data-key": `field ${name}` });
    area.value = drafts().get(name) ?? "";
    area.addEventListener("input", () => (area.value ? drafts().put(name, area.value) : drafts().drop(name)));
    area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      sent();
    });
    return area;
  }

  function composer() {
    const { board, selected } = desk();
    const alone = selected.row === null;
    const place = here();
    const name = draftName(place);
    const written = () => (send(name, { kind: "comment", ...(place ?? {}) }) ? panel().draw() : area.focus());
    const area = field(name, place ? "Comment on this cell" : "Comment on the whole table", written);
    const choice = (label, whole, disabled) =>
      h("button", { role: "radio", "aria-checked": String(place === null ? whole : !whole), disabled, "data-key": `about ${whole}`, onclick: () => ((onTable = whole), panel().draw(), panel().element.querySelector("textarea").focus()) }, h("bdi", {}, label));
    return h("div", { class: "composer" },
      h("div", { class: "views", role: "radiogroup", "aria-label": "About" }, choice(alone ? "This row is not in gold" : placeOf(board, selected), false, alone), choice("Whole table", true, false)),
      area, h("div", { class: "ask" }, h("button", { class: "primary", "data-key": "send", onclick: written }, "Comment", h("kbd", {}, shown("Mod+Enter")))));
  }

  function saidBy({ kind, text, person: who, at, waiting }) {
    const note = waiting ? h("span", { class: "unsent" }, outbox().state() === "offline" ? "kept here, not sent yet" : "sending…") : null;
    return h("div", { class: "said" }, h("p", { class: "who" }, h("b", { dir: "auto" }, who), SAYS[kind] ? ` ${SAYS[kind]}` : "", " ", timeOf(at), note), text ? h("p", { class: "text", dir: "auto" }, text) : null);
  }

  function threadItem({ thread, spot, gone, here: isHere }) {
    const { board } = desk();
    const place = gone ? "The cell is gone" : spot ? placeOf(board, { ...spot, first: null }) : "Whole table";
    const name = `reply ${thread.id}`;
    const answers = replying === thread.id || (isHere && thread.open) || drafts().get(name);
    const resolve = () => (send(name, { kind: thread.open ? "resolve" : "reopen", thread: thread.id }), panel().draw());
    const area = answers ? field(name, "Reply", () => (send(name, { kind: "comment", thread: thread.id }) ? panel().draw() : null)) : null;
    const turn = h("button", { "data-key": `turn ${thread.id}`, title: "E", onclick: resolve });
    const word = () => (turn.textContent = `${area?.value.trim() ? "Reply and " : ""}${thread.open ? "resolve" : "open again"}`.replace(/^./, (letter) => letter.toUpperCase()));
    word();
    area?.addEventListener("input", word);
    return h("li", { class: `thread${thread.open ? "" : " settled"}${isHere ? " here" : ""}`, tabindex: "-1", "data-item": thread.id, "data-key": `thread ${thread.id}`, "aria-label": `${place}, ${thread.open ? "open" : "resolved"}` },
      h("div", { class: "place" }, spot ? h("button", { class: "link", "data-key": `go ${thread.id}`, title: "Go to the cell (Enter)", onclick: () => go(spot) }, h("bdi", {}, place)) : h("span", {}, place), h("span", { class: "count" }, thread.open ? "open" : "✓ resolved")),
      thread.comments.map(saidBy), area,
      h("div", { class: "ask" }, answers
        ? h("button", { "data-key": `send ${thread.id}`, onclick: () => (send(name, { kind: "comment", thread: thread.id }) ? panel().draw() : area.focus()) }, "Reply", h("kbd", {}, shown("Mod+Enter")))
        : h("button", { "data-key": `reply ${thread.id}`, title: "R", onclick: () => reply(thread.id) }, "Reply"), turn));
  }

  function reply(id) {
    replying = id;
    panel().draw();
    panel().element.querySelector(`[data-key="field reply ${CSS.escape(id)}"]`)?.focus();
  }

  function leftBehind() {
    const { sheet, board } = desk();
    return drafts().all().filter(([name]) => name.startsWith("cell ") && name !== draftName(here())).map(([name]) => {
      const [, row, col] = name.split(" ");
      const spot = { row: sheet.row_ids.indexOf(row), col: sheet.col_ids.indexOf(col) };
      if (spot.row < 0 || spot.col < 0) return null;
      return h("p", {}, h("button", { class: "link", onclick: () => ((onTable = false), go(spot)) }, "You were writing at ", h("bdi", {}, placeOf(board, { ...spot, first: null }))));
    });
  }

  const part = {
    id: "talk",
    label: "Comments",
    command: "comment",

    draw() {
      const { sheet, selected } = desk();
      const all = listed(sheet, threads(), selected);
      const [waiting, settled] = [all.filter(({ thread }) => thread.open), all.filter(({ thread }) => !thread.open)];
      const find = (id) => all.find(({ thread }) => thread.id === id);
      const keys = { r: reply, e: (id) => (send(`reply ${id}`, { kind: find(id).thread.open ? "resolve" : "reopen", thread: id }), panel().draw()), enter: (id) => find(id).spot && go(find(id).spot) };
      const list = walkable(h("ul", { class: "threads" }, [...waiting, ...settled].map(threadItem)), keys);
      const head = all.length ? `${counted(waiting.length, "open comment")}${settled.length ? `, ${settled.length} resolved` : ""}` : "Nobody has said anything about this table yet. Ask here when the page leaves a doubt; the table cannot be accepted before it is resolved.";
      return [composer(), leftBehind(), h("p", { class: "muted" }, head), list];
    },

    focus(body) {
      (body.querySelector(".thread.here textarea") ?? body.querySelector("textarea")).focus();
    },
  };

  return {
    part,

    /** Threads as the server tells them with the table, or after comments were sent. */
    learn(next) {
      learned += 1;
      stored = next ?? [];
      changed();
    },

    /** A table is opened: what the outbox still holds of it was said before. */
    opened(next) {
      stored = next ?? [];
      onTable = false;
      replying = null;
    },

    remind: () => drafts().all().length && say(`You have a comment that is not finished: ${keyOf("comment")} shows it.`),

    /** The server did not take comments: what they said goes back to where it was written. */
    unsaid(gold, comments, answer) {
      for (const { kind, thread, id, row, col, edit, text } of comments) {
        if (!text) continue;
        const name = kind === "reason" ? `reason ${edit}` : thread !== id ? `reply ${thread}` : draftName(row ? { row, col } : null);
        const kept = drawer(storage, "said", person, gold);
        kept.put(name, [text, kept.get(name)].filter(Boolean).join("\n"));
      }
      changed();
      say(`Comment not stored: ${answer.message ?? "the server refused it."} Its text is kept: ${keyOf("comment")}.`);
    },

    /** Ask the server for what others have said since. */
    async look() {
      const { gold } = desk().table;
      const before = learned;
      const found = await server.threads(gold).catch(() => null);
      if (found && desk().table.gold === gold && before === learned) this.learn(found);
    },

    /** Select the next cell in reading order that has an open comment. */
    toNext() {
      const { sheet, selected } = desk();
      const next = nextOpen(sheet, threads(), selected);
      const elsewhere = threads().some((thread) => thread.open && !thread.edit); // on the whole table, or its cell is gone
      if (!next) return elsewhere ? panel().open("talk", { focus: true }) : say("No comment is open in this table.");
      go(next.spot);
      const last = next.thread.comments.findLast(({ kind }) => kind === "comment");
      return say(`${last.person}: ${last.text}`);
    },

    threads,
    reasons: () => reasonsOf(threads()),
    /** A reason for an edit, kept as a draft until it is sent. */
    reasonField: (edit, sent) => field(`reason ${edit}`, "Why?", sent),
    giveReason: (edit) => send(`reason ${edit}`, { kind: "reason", edit }),
  };
}
