/** What stands beside the work on the table: comments, history and guidelines in one side panel, and the last score. */

import { createAside } from "./aside.js";
import { createGuidelines } from "./guidelines.js";
import { createPast } from "./past.js";
import { createReceipt } from "./receipt.js";
import { createTalk } from "./talk.js";

/**
 * `desk()` and `outbox()` give what is open now, `open(table)` opens another table, `go(spot)` selects a cell, `changed()`
 * is called when comments changed, `toTable()` gives the focus back, `resized()` is called when the panel comes or goes.
 */
export function createBeside({ storage, person, server, desk, outbox, say, open, go, changed, toTable, resized }) {
  const shared = { desk, say, go, panel: () => aside };
  const talk = createTalk({ ...shared, storage, person, server, outbox, changed });
  const past = createPast({ ...shared, talk });
  const read = (id) => server.send("/api/guidelines", { gold: desk().table.gold, id }).catch(() => null);
  const guidelines = createGuidelines({ desk, open: () => aside.open("guidelines", { focus: false }), read });
  const aside = createAside({ parts: [talk.part, past.part, guidelines.part], toTable, resized });
  const receipt = createReceipt({ back: (gold) => open({ gold }) });

  return {
    aside,
    talk,
    receipt,
    parts: { side: aside.element, receipt: receipt.element },

    /** A table is opened: its threads take the place of those of the table before. */
    opened({ threads }) {
      past.forget();
      talk.opened(threads);
      desk().discuss(talk.threads());
    },

    /** It is drawn: what is new or unfinished is told. */
    drawn() {
      guidelines.opened();
      talk.remind();
    },

    /** The server did not accept the table, because people still discuss it. */
    discussed() {
      aside.open("talk", { focus: true });
      talk.look();
    },

    commands: {
      comment: () => (aside.toggle("talk"), talk.look()),
      nextComment: () => talk.toNext(),
      past: () => aside.toggle("past"),
      guidelines: () => aside.toggle("guidelines"),
      lastAccepted: () => receipt.back() || say("No table was accepted in this visit."),
    },
  };
}
