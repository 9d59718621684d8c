/** Time and looks in a list of cells of many tables: time belongs to the table of the chosen line, a look to its piece. */

import { watchActivity } from "./activity.js";

const SEEN_AFTER_MS = 300;
const LOOK_EVERY_MS = 50;

/**
 * `list` shows the lines; `lineOf(place)` gives the line that stands there, `here()` the chosen one. `record(gold, entry)` keeps what was
 * measured, `looked(total)` is told the active time again and again. `phase` is what the time is spent on where it is no correction.
 */
export function createWatch({ storage, person, client, list, lineOf, here, record, looked, phase = null }) {
  const watched = new Map(); // line by name -> milliseconds that its piece was on the screen
  let activity = null;
  let working = null; // the gold table whose time counts
  const nameOf = (line) => `${line.gold}:${line.row_id}:${line.col_id}`;

  function look() {
    if (document.visibilityState !== "visible") return;
    for (const piece of list.element.querySelectorAll(".strip-row img")) {
      const place = Number(piece.closest(".strip-row").dataset.place);
      if (!piece.complete || !piece.naturalWidth || !list.shows(place)) continue;
      const name = nameOf(lineOf(place));
      watched.set(name, (watched.get(name) ?? 0) + LOOK_EVERY_MS);
    }
    const line = here();
    if (line && !line.seen && watched.get(nameOf(line)) >= SEEN_AFTER_MS) {
      line.seen = true;
      activity?.seen(line.row_id, line.col_id);
    }
    looked(activity);
  }

  const looking = setInterval(look, LOOK_EVERY_MS);

  return {
    /** The person is at this line now. */
    attend(line, { timed }) {
      if (working !== line.gold) {
        activity?.close();
        const gold = (working = line.gold);
        activity = watchActivity({ storage, person, gold, client, phase, edited: line.edited, reopened: false, reading: false, timed, loaded: 0, spent: 0, emit: (entry) => record(gold, entry), returned: () => undefined });
      }
      activity.cell(`${line.row_id}\n${line.col_id}`);
    },
    /** The active milliseconds since the edit before. */
    edit: () => activity?.edit() ?? 0,
    /** Other lines: what was looked at is to be looked at anew. */
    forget: () => watched.clear(),
    finish: () => activity?.finish(),
    close() {
      activity?.close();
      clearInterval(looking);
    },
  };
}
