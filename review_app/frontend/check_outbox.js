/** Checks of sampled cells, kept in the browser's storage until the server has them, and sent one after the other. */

import { drawer } from "./outbox.js";

const SLOWEST_RETRY_MS = 30_000;

/**
 * `send(check)` resolves to `{status, body}` and rejects without a connection. `refused(check, words)` is called where the server takes one
 * not, `changed()` when the state has changed: "saved", "saving", "offline" or "expired".
 */
export function createCheckOutbox({ storage, person, sample, send, refused, changed }) {
  const kept = drawer(storage, "quality", person, sample);
  let waiting = kept.all().map(([, check]) => check).sort((one, other) => one.number - other.number);
  let state = "saved";
  let busy = false;
  let tries = 0;
  let retry = null;
  let closed = false;
  let number = Date.now(); // the order in which they were made, also after a reload

  function become(next) {
    state = next;
    changed();
  }

  async function pump() {
    clearTimeout(retry);
    if (closed || busy || !waiting.length) return;
    busy = true;
    const [check] = waiting;
    if (state !== "offline") become("saving");
    const answer = await send(check).catch(() => null);
    busy = false;
    if (answer?.status === 403) return become("expired");
    if (!answer || answer.status >= 500) {
      tries += 1;
      retry = setTimeout(pump, Math.min(SLOWEST_RETRY_MS, 500 * 2 ** tries));
      return become("offline");
    }
    tries = 0;
    waiting = waiting.filter((one) => one !== check);
    kept.drop(check.id);
    if (answer.status !== 200) refused(check, answer.body.message ?? `The server answered ${answer.status}.`);
    become(waiting.length ? "saving" : "saved");
    return pump();
  }

  return {
    state: () => state,
    /** Those that the server does not have yet, in the order in which they were made. */
    waiting: () => waiting,
    add(check) {
      const entry = { ...check, number: (number += 1) };
      kept.put(entry.id, entry);
      waiting.push(entry);
      pump();
    },
    pump() {
      if (state === "expired") state = "saving";
      pump();
    },
    close() {
      closed = true;
      clearTimeout(retry);
    },
  };
}
