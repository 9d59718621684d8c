/** Active correction time: gaps between input events up to a cut-off, pure, with the clock passed in. */

export const CUTOFF_MS = 120_000;
export const LONG_GAP_MS = 5_000;

/**
 * Counts whole milliseconds while `run` is on. Every call takes the time `t` of a monotonic clock.
 * A gap counts as active up to the cut-off and as idle beyond it; time while not running is hidden.
 * `drain` may come in the middle of a gap: what it took is not counted again when the gap ends.
 */
export function createTimer(t, cutoff = CUTOFF_MS) {
  let running = false;
  let last = Math.round(t); // the last input, or the moment from which the present gap runs
  let counted = last; // up to here everything is in the sums
  let cell = "";
  let sums = empty();
  let total = 0;

  function empty() {
    return { active_ms: 0, idle_ms: 0, hidden_ms: 0, gaps: [], cells: new Map() };
  }

  function count(t) {
    const now = Math.max(Math.round(t), counted);
    if (!running) {
      sums.hidden_ms += now - counted;
    } else {
      const active = Math.max(0, Math.min(now, last + cutoff) - counted);
      sums.active_ms += active;
      sums.idle_ms += now - counted - active;
      total += active;
      if (cell && active) sums.cells.set(cell, (sums.cells.get(cell) ?? 0) + active);
    }
    counted = now;
    return now;
  }

  function endGap(now) {
    if (running && now - last > LONG_GAP_MS) sums.gaps.push(now - last);
    last = now;
  }

  return {
    /** A key, a pointer or a wheel moved. */
    input(t) {
      const now = count(t);
      if (running) endGap(now);
    },
    /** Counting goes on or stops: the page is both visible and focused, or not. */
    run(t, on) {
      if (on === running) return;
      endGap(count(t));
      running = on;
    },
    /** From now on active time belongs to this cell ("" for none). */
    cell(t, key) {
      count(t);
      cell = key;
    },
    /** Active milliseconds since the start, with the gap that runs now. */
    total(t) {
      count(t);
      return total;
    },
    /** The sums since the last drain; they start again from 0. */
    drain(t) {
      count(t);
      const drained = { ...sums, cells: [...sums.cells] };
      sums = empty();
      return drained;
    },
    /** The sums so far, left as they are. */
    peek(t) {
      count(t);
      return { ...sums, gaps: [...sums.gaps], cells: [...sums.cells] };
    },
  };
}
