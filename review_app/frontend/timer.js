/** Active correction time: gaps between input events up to a cut-off, pure, with the clock passed in. */

export const CUTOFF_MS = 120_000;
export const QUIET_MS = 5_000; // a pause no longer than this is active under every cut-off that can be asked for

/**
 * Counts whole milliseconds. Every call takes the time `t` of a monotonic clock.
 * A moment is active up to the cut-off after the last input, idle beyond it, hidden while `run` is off, and waiting
 * while the person waits for the server. Beside the sums it keeps what they follow from, so that they can be had for
 * any other cut-off: each pause over QUIET_MS as `[at, ms, since, cell]` (where it lies in the part that is drained, its
 * length there, how long the gap had lasted before that, the cell under it) and each absence as `[at, ms, kind]`.
 * `drain` may come in the middle of a gap: what it took is not counted again when the gap ends.
 */
export function createTimer(t, cutoff = CUTOFF_MS) {
  let running = false;
  let held = false; // by the server
  let last = Math.round(t); // the last input, or the moment from which the present gap runs
  let counted = last; // up to here everything is in the sums
  let from = last; // where the present part begins
  let cell = "";
  let piece = null; // the present gap, as far as it lies in this part and on this cell
  let sums = empty();
  let total = 0;

  function empty() {
    return { active_ms: 0, idle_ms: 0, hidden_ms: 0, waiting_ms: 0, pauses: [], away: [], cells: new Map() };
  }

  const mode = () => (!running ? "hidden" : held ? "waiting" : "here");

  function count(t) {
    const now = Math.max(Math.round(t), counted);
    const length = now - counted;
    if (length && mode() === "here") {
      const active = Math.max(0, Math.min(now, last + cutoff) - counted);
      sums.active_ms += active;
      sums.idle_ms += length - active;
      total += active;
      if (cell) sums.cells.set(cell, (sums.cells.get(cell) ?? 0) + length);
      piece ??= { at: counted - from, ms: 0, since: counted - last };
      piece.ms += length;
    } else if (length) {
      sums[`${mode()}_ms`] += length;
      const before = sums.away.at(-1);
      if (before && before[2] === mode() && before[0] + before[1] === counted - from) before[1] += length;
      else sums.away.push([counted - from, length, mode()]);
    }
    counted = now;
    return now;
  }

  function pausesSoFar() {
    if (!piece || piece.since + piece.ms <= QUIET_MS) return sums.pauses;
    return [...sums.pauses, [piece.at, piece.ms, piece.since, cell]];
  }

  function endPiece() {
    sums.pauses = pausesSoFar();
    piece = null;
  }

  function become(t, change) {
    const before = mode();
    const now = count(t);
    change();
    if (mode() === before) return;
    endPiece();
    last = now;
  }

  return {
    /** A key, a pointer or a wheel moved. Gives the length of the gap that this ended. */
    input(t) {
      const now = count(t);
      if (mode() !== "here") return 0;
      const gap = now - last;
      endPiece();
      last = now;
      return gap;
    },
    /** Counting goes on or stops: the page is both visible and focused, or not. */
    run: (t, on) => become(t, () => (running = on)),
    /** The person waits for the server, or no longer. */
    wait: (t, on) => become(t, () => (held = on)),
    /** From now on time belongs to this cell ("" for none). */
    cell(t, key) {
      count(t);
      endPiece();
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
      endPiece();
      const drained = { ...sums, cells: [...sums.cells] };
      sums = empty();
      from = counted;
      return drained;
    },
    /** The sums so far, left as they are. */
    peek(t) {
      count(t);
      return { ...sums, pauses: pausesSoFar(), away: sums.away.map((one) => [...one]), cells: [...sums.cells] };
    },
  };
}
