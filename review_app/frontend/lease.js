/** Who has the open table: takes it for this person, shows who else has it, and takes it over when asked. */

import { clockTime, counted, h, write } from "./dom.js";
import { keyed } from "./keymap.js";

const BEAT_MS = 30_000;
const QUIET_MS = 120_000; // who has not moved for so long is away: the table becomes free by itself

export const NOT_TAKEN = "Not taken over: the server does not answer. Try again in a moment.";
export const NOBODY_ELSE = "Nobody else has this table.";

/** Who has a table, since when, in words. */
export const hasIt = ({ person, since }) => `${person} has this table since ${clockTime(since)}.`;

/** Ask whether the table is to be taken over from its holder; `over()` does it. */
export function askToTakeOver(panels, { person, since }, over) {
  const then = (act) => () => (panels.close(), act?.());
  return panels.ask(`Take this table over from ${person}?`, h("div", {},
    h("p", {}, `${person} has had it since ${clockTime(since)}. What they saved stays as it is; what they have not saved is kept in their browser, and they see that you took over.`),
    h("p", { class: "ask" }, h("button", { class: "primary", onclick: then(over) }, "Take over"), h("button", { onclick: then() }, "Leave it"))), { testid: "take-over" });
}

/**
 * `client` names this tab; `desk()` and `outbox()` give what is open now, `typing()` whether a text is being typed.
 * `shown()` is called when the table came into other hands, `reopen()` reads it anew.
 */
export function createLease({ server, client, desk, outbox, typing, panels, shown, reopen, say, signal }) {
  let gold = null;
  let mine = false;
  let heardAt = performance.now();
  const words = h("span", { role: "status" });
  const button = h("button", { ...keyed("takeOver", "Work on this table yourself"), onclick: () => ask() });
  const element = h("div", { class: "lease", hidden: true, "data-testid": "lease" }, words, button);
  const holder = () => desk()?.table.lease ?? null;

  function draw(lost = false) {
    const other = holder();
    element.hidden = !other;
    if (!other) return;
    const kept = outbox().refused().length;
    const waits = kept ? ` ${counted(kept, "edit")} of yours ${kept === 1 ? "is" : "are"} kept in this browser.` : "";
    const since = clockTime(other.since);
    write(words, lost || kept ? `${other.person} took this table over at ${since}.${waits}` : `${hasIt(other)} You can read it.`);
    write(button, lost || kept ? "Take it back" : "Take over");
  }

  function hold(other) {
    if (typing()) return; // it would be lost; sent, it is refused and kept
    const lost = mine;
    mine = false;
    desk().hold(other);
    shown();
    draw(lost);
  }

  async function send(action) {
    const of = gold;
    const answer = await server.send("/api/lease", { gold, client, action }).catch(() => null);
    if (answer?.status !== 200 || of !== gold || signal.aborted || !desk()) return false;
    const other = answer.body.holder;
    mine = mine || !other;
    if (other && !holder()) hold(other);
    else if (!other && holder()) await reopen();
    return true;
  }

  /** The table is let go; what is not sent yet may still be stored, as long as nobody else takes it. */
  function leave() {
    if (gold !== null && mine) server.beacon("/api/lease", { gold, client, action: "release" });
    mine = false;
  }

  function ask() {
    const other = holder();
    if (!other) return say(NOBODY_ELSE);
    return askToTakeOver(panels, other, async () => (await send("take over")) || say(NOT_TAKEN));
  }

  const beat = () => {
    if (gold === null || desk()?.table.status !== "open" || document.visibilityState !== "visible") return;
    if (holder() || performance.now() - heardAt < QUIET_MS) send("take");
  };
  const ticking = setInterval(beat, BEAT_MS);
  for (const type of ["keydown", "pointermove", "pointerdown", "wheel"]) addEventListener(type, () => (heardAt = performance.now()), { capture: true, passive: true, signal });
  addEventListener("pagehide", leave, { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && beat(), { signal });
  signal.addEventListener("abort", () => (clearInterval(ticking), leave()));

  return {
    element,
    ask,
    draw,

    /** A table is opened: the one before is let go, and this one is taken where it is free. */
    opened(json) {
      if (json.gold !== gold) leave();
      gold = json.gold;
      draw(mine && Boolean(json.lease));
      if (json.lease) mine = false;
      else if (json.status === "open") send("take");
    },

    /** The table was opened for work again. */
    take: () => send("take"),
  };
}
