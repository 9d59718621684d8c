/** Listens for work on one table and makes its activity records: phases, time per cell, cells seen. */

import { createTimer, CUTOFF_MS } from "./timer.js";
import { drawer, newId } from "./outbox.js";
import { pageClock } from "./clock.js";

const FLUSH_MS = 10_000;
const ABANDONED_MS = 120_000;
const POINTER_EVERY_MS = 500;

/**
 * `emit(entry)` gets each finished entry of the outbox: `{id, record}` for a stretch of time, `{id, seen}` for cells.
 * `edited` tells whether this person edited the table before, `reopened` whether it was accepted before and opened
 * again, `reading` whether it stands accepted: looking at it is no correction, and its time is not kept. `timed` is false
 * where the person switched timing off: then no time leaves this module. `loaded` is how long the table took to come.
 * `returned(ms)` is called when the person is back after a gap beyond the cut-off with the table before their eyes.
 * `phase` is what the time is spent on where that is no correction, such as the check of a sample.
 * Time after an edit is held until it is known what it was: correction if another edit follows, else verification.
 */
export function watchActivity({ storage, person, gold, client, edited, reopened, reading, timed, loaded, emit, spent, returned, phase = null, clock = pageClock }) {
  const now = clock.now;
  const timer = createTimer(now());
  const journal = drawer(storage, "stretch", person, gold);
  const stop = new AbortController();
  let sinceEdit = 0;
  let before = spent; // active milliseconds until `zero` of the timer
  let zero = 0;
  let hasEdits = edited;
  let again = reopened;
  let counts = !reading;
  let open = true;
  let load = Math.round(loaded); // told once, with the first stretch
  let held = []; // finished parts whose phase is not known yet
  let part = fresh();
  let looked = [];
  let release = null;
  let asking = null;
  let lastPointer = -Infinity;

  // A stretch that a crash left behind is time that was spent; one that was updated just now may be another tab's.
  for (const [name, left] of journal.all()) {
    if (Date.now() - left.updated > ABANDONED_MS) {
      if (timed) emit({ id: left.record.id, record: left.record });
      journal.drop(name);
    }
  }

  function fresh() {
    return { id: newId(), started: clock.wall() };
  }

  const total = () => (counts ? before + timer.total(now()) - zero : before);
  const settledPhase = () => phase ?? (again ? "reopening" : hasEdits ? "verification" : "orientation");
  const isSettled = () => phase !== null || !hasEdits || again;

  function record({ id, started, sums }, phase) {
    const { active_ms, idle_ms, hidden_ms, waiting_ms, away } = sums;
    const pauses = sums.pauses.map(([at, ms, since, cell]) => [at, ms, since, ...(cell ? cell.split("\n") : ["", ""])]);
    const cells = sums.cells.map(([key, ms]) => [...key.split("\n"), ms]);
    return { id, client, phase, started: new Date(started).toISOString(), active_ms, idle_ms, hidden_ms, waiting_ms, load_ms: 0, pauses, away, cells };
  }

  /** End the present part; it waits until its phase is known. */
  function cut() {
    const sums = timer.drain(now());
    if (counts && sums.active_ms + sums.idle_ms + sums.hidden_ms + sums.waiting_ms) held.push({ ...part, sums });
    else journal.drop(part.id);
    part = fresh();
  }

  function finish(phase) {
    cut();
    for (const one of held.splice(0)) {
      journal.drop(one.id);
      if (!timed) continue;
      emit({ id: one.id, record: { ...record(one, phase), load_ms: load } });
      load = 0;
    }
    tellSeen();
  }

  function tellSeen() {
    if (looked.length && counts) emit({ id: newId(), seen: looked });
    looked = [];
  }

  function tick() {
    if (!open || !counts) return;
    noticeSleep();
    tellSeen();
    // A table that only lies open makes no record each ten seconds; its idle time comes with the next work.
    if (!timer.peek(now()).active_ms) return;
    if (isSettled()) {
      finish(settledPhase());
    } else if (timed) {
      keep(part.id, { ...part, sums: timer.peek(now()) });
    }
  }

  const keep = (name, one) => journal.put(name, { updated: Date.now(), record: record(one, settledPhase()) });

  // A part is dated at its start, so that a sleep must not lie in the middle of one.
  function noticeSleep() {
    if (!clock.jumped()) return;
    const count = held.length;
    cut();
    for (const one of held.slice(count)) if (timed) keep(one.id, one);
  }

  function heard() {
    noticeSleep();
    const gap = timer.input(now());
    if (counts && timed && gap > CUTOFF_MS) returned(gap);
  }

  // Only one tab of a person counts at a time: the one that holds the lock. It is asked for with the focus.
  function attend() {
    noticeSleep();
    const here = open && document.visibilityState === "visible" && document.hasFocus();
    if (!navigator.locks) {
      timer.run(now(), here);
    } else if (here && !asking) {
      asking = new AbortController();
      const held = () =>
        new Promise((resolve) => {
          release = resolve;
          timer.run(now(), true);
        });
      navigator.locks.request(`proofgrid-time-${person}`, { signal: asking.signal }, held).catch(() => {});
    } else if (!here && asking) {
      timer.run(now(), false);
      asking.abort();
      release?.();
      asking = release = null;
    }
  }

  function away() {
    attend();
    if (document.visibilityState === "hidden") tick();
  }

  const listen = (target, type, heard) =>
    target.addEventListener(type, heard, { capture: true, passive: true, signal: stop.signal });
  for (const type of ["keydown", "pointerdown", "wheel", "input"]) listen(document, type, heard);
  listen(document, "pointermove", () => {
    if (now() - lastPointer < POINTER_EVERY_MS) return;
    lastPointer = now();
    heard();
  });
  listen(document, "visibilitychange", away);
  listen(window, "focus", attend);
  listen(window, "blur", attend);
  const ticking = setInterval(tick, FLUSH_MS);
  attend();

  return {
    /** Active milliseconds of this person on this table so far. */
    total,
    /** Whether this person's time is kept. */
    timed,
    /** Time from now on belongs to this cell, named by its key. */
    cell: (key) => timer.cell(now(), key),
    /** The cell's place on the page was shown long enough. */
    seen: (rowId, colId) => looked.push([rowId, colId]),
    /** The person waits for the server, or no longer: that is no time of theirs. */
    waiting: (on) => timer.wait(now(), on),
    /** An edit was made: the active milliseconds since the one before. */
    edit() {
      finish(again ? "reopening" : hasEdits ? "correction" : "orientation");
      hasEdits = true;
      const sofar = timer.total(now());
      const since = sofar - sinceEdit;
      sinceEdit = sofar;
      return timed ? since : 0;
    },
    /** The table was accepted and stays open to be looked at. */
    accepted() {
      before = total();
      counts = false;
    },
    reopen() {
      cut();
      before = total();
      again = counts = true;
      zero = sinceEdit = timer.total(now());
    },
    /** What is held is finished now: the page goes, or a verdict was given. */
    finish: () => finish(settledPhase()),
    close() {
      if (!open) return;
      open = false;
      finish(settledPhase());
      attend();
      clearInterval(ticking);
      stop.abort();
    },
  };
}
