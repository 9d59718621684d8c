/** Listens for work on one table and makes its activity records: phases, time per cell, cells seen. */

import { createTimer } from "./timer.js";
import { drawer, newId } from "./outbox.js";

const FLUSH_MS = 10_000;
const ABANDONED_MS = 120_000;
const POINTER_EVERY_MS = 500;

/**
 * `emit(record)` gets each finished record. `edited` tells whether this person edited the table before,
 * `reopened` whether it was accepted before and opened again, `reading` whether it stands accepted: looking at it is
 * no correction, and its time is not kept.
 * Time after an edit is held until it is known what it was: correction if another edit follows, else verification.
 */
export function watchActivity({ storage, person, gold, client, edited, reopened, reading, emit, spent }) {
  const timer = createTimer(performance.now());
  const journal = drawer(storage, "stretch", person, gold);
  const stop = new AbortController();
  let sinceEdit = 0;
  let hasEdits = edited;
  let again = reopened;
  let counts = !reading;
  let open = true;
  let stretch = fresh();
  let release = null;
  let asking = null;
  let lastPointer = 0;

  // A stretch that a crash left behind is time that was spent; one that was updated just now may be another tab's.
  for (const [name, left] of journal.all()) {
    if (Date.now() - left.updated > ABANDONED_MS) {
      emit(left.record);
      journal.drop(name);
    }
  }

  function fresh() {
    return { id: newId(), started: new Date().toISOString(), seen: [] };
  }

  const now = () => performance.now();
  const settledPhase = () => (again ? "reopening" : hasEdits ? "verification" : "orientation");

  function record(phase, sums) {
    const cells = sums.cells.map(([key, ms]) => [...key.split("\n"), ms]);
    const { id, started, seen } = stretch;
    const { active_ms, idle_ms, hidden_ms, gaps } = sums;
    return { id, client, phase, started, active_ms, idle_ms, hidden_ms, gaps, cells, seen };
  }

  function finish(phase) {
    const sums = timer.drain(now());
    const nothing = !sums.active_ms && !sums.idle_ms && !sums.hidden_ms && !stretch.seen.length;
    if (!nothing && counts) emit(record(phase, sums));
    journal.drop(stretch.id);
    stretch = fresh();
  }

  function tick() {
    if (!open || !counts) return;
    if (!hasEdits || again) {
      if (release || !navigator.locks) finish(settledPhase());
      return;
    }
    journal.put(stretch.id, { updated: Date.now(), record: record(settledPhase(), timer.peek(now())) });
  }

  // Only one tab of a person counts at a time: the one that holds the lock. It is asked for with the focus.
  function attend() {
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

  const listen = (target, type, heard) =>
    target.addEventListener(type, heard, { capture: true, passive: true, signal: stop.signal });
  for (const type of ["keydown", "pointerdown", "wheel", "input"]) listen(document, type, () => timer.input(now()));
  listen(document, "pointermove", () => {
    if (now() - lastPointer < POINTER_EVERY_MS) return;
    lastPointer = now();
    timer.input(lastPointer);
  });
  listen(document, "visibilitychange", attend);
  listen(window, "focus", attend);
  listen(window, "blur", attend);
  const ticking = setInterval(tick, FLUSH_MS);
  attend();

  return {
    /** Active milliseconds of this person on this table so far. */
    total: () => (counts ? spent + timer.total(now()) : spent),
    /** Time from now on belongs to this cell, named by its key. */
    cell: (key) => timer.cell(now(), key),
    /** The cell's place on the page was shown long enough. */
    seen: (rowId, colId) => stretch.seen.push([rowId, colId]),
    /** An edit was made: the active milliseconds since the one before. */
    edit() {
      finish(again ? "reopening" : hasEdits ? "correction" : "orientation");
      hasEdits = true;
      const total = timer.total(now());
      const since = total - sinceEdit;
      sinceEdit = total;
      return since;
    },
    reopen() {
      finish(settledPhase());
      again = counts = true;
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
