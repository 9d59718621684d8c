/** Which open tab of this browser made what waits in its storage, so that no two of them send the same. */

import { drawer, newId } from "./outbox.js";

const BEAT_MS = 1_000;
/** A tab that has not been heard of for so long is gone; one that was hidden for minutes may be taken for gone, too. */
export const GONE_AFTER_MS = 4_000;

/** This tab: its `id`, and `owns(other)`, whether what that tab left is this one's to send. Ends with `signal`. */
export function createTab({ storage, person, signal }) {
  const id = newId();
  const beats = drawer(storage, "tab", person);
  const beat = () => beats.put(id, Date.now());
  const gone = (other) => !(Math.abs(Date.now() - beats.get(other)) < GONE_AFTER_MS);
  for (const [other] of beats.all()) if (gone(other)) beats.drop(other);
  beat();
  const beating = setInterval(beat, BEAT_MS);
  addEventListener("pagehide", () => beats.drop(id), { signal });
  addEventListener("pageshow", beat, { signal });
  signal.addEventListener("abort", () => (clearInterval(beating), beats.drop(id)));
  return { id, owns: (other) => !other || other === id || gone(other) };
}
