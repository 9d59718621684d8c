/** Tables of a strip that somebody else has: taken over when asked, as in the review, and let go when the strip is left. */

import { askToTakeOver, hasIt, NOBODY_ELSE, NOT_TAKEN } from "./lease.js";
import { h } from "./dom.js";
import { keyOf } from "./keymap.js";

/** `client` names this tab; `reread(gold)` reads a table anew once it is this person's. */
export function createStripLease({ server, client, panels, reread, say }) {
  const taken = new Set();

  function ask(line) {
    if (!line) return undefined;
    if (!line.lease) return say(NOBODY_ELSE);
    const { gold, lease } = line;
    return askToTakeOver(panels, lease, async () => {
      const answer = await server.send("/api/lease", { gold, client, action: "take over" }).catch(() => null);
      if (answer?.status !== 200) return say(answer?.body.message ?? NOT_TAKEN);
      taken.add(gold);
      await reread(gold);
      return say("You have this table now.");
    });
  }

  return {
    ask,

    /** What stands in a line whose edit was refused: both values, and what can be done. */
    refused(line, settle) {
      const [change] = line.refused.edit.changes;
      const button = (words, act) => h("button", { tabindex: "-1", onclick: act }, words);
      const way = line.gone ? null : line.lease ? button(`Take over (${keyOf("takeOver")})`, () => ask(line)) : button("Make it again (Enter)", () => settle(true));
      return h("span", { class: "strip-conflict" }, line.lease ? `${hasIt(line.lease)} ` : null, "Now: ", h("bdi", {}, line.gone ? "gone" : line.text || "empty"), ", yours: ", h("bdi", {}, change.new || "empty"), " ",
        way, " ", button("Let it go (Esc)", () => settle(false)));
    },

    /** The tables that were taken over here are free again. */
    release() {
      for (const gold of taken) server.beacon("/api/lease", { gold, client, action: "release" });
      taken.clear();
    },
  };
}
