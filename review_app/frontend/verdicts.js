/** Whole-table decisions: accept, skip, flag and reopen, each sent when all edits are saved. */

import { newId } from "./outbox.js";
import { scoreInWords } from "./receipt.js";

/**
 * `ui` offers `desk()`, `outbox()`, `activity()`, `server`, `frame`, `panels`, `recovery`, `beside`, `lease()`, `say(text)`,
 * `open(table, options)`, `leave(gold)` and `focusGrid()`.
 */
export function createVerdicts(ui) {
  const { server, frame, panels, say } = ui;
  let last = {};

  /** The verdict as the server answered it; null, with words to the person, where it could not be given. */
  async function sent(gold, name, reason) {
    const { revision, mode } = ui.desk();
    // The same verdict sent again after a lost answer keeps its id, so that it counts once.
    const meant = `${gold} ${name} ${revision} ${reason}`;
    if (last.meant !== meant) last = { meant, id: newId() };
    const answer = await server.send("/api/verdict", { gold, id: last.id, verdict: name, revision, reason }).catch(() => null);
    if (!answer) return say("Not done: the server does not answer. Your edits are saved; try again in a moment."), null;
    if (answer.body.error === "stale") {
      await ui.open({ gold }, { keep: { mode } });
      return say("Someone changed this table in the meantime. Look at it again first."), null;
    }
    if (answer.body.error === "discussed") {
      ui.beside.discussed();
      return say(answer.body.message), null;
    }
    if (answer.status !== 200) return say(answer.body.message ?? `Not done: the server answered ${answer.status}.`), null;
    last = {};
    return answer.body;
  }

  async function give(name, reason = "") {
    const { gold } = ui.desk().table;
    const activity = ui.activity();
    frame.busy(true);
    activity.waiting(true);
    try {
      if (!(await ui.outbox().drained())) return say(`Not done: ${ui.outbox().unsent().length || "some"} edits or comments are not saved yet. They are kept here and sent when the server answers.`);
      if (ui.desk().table.gold !== gold) return undefined;
      activity.finish();
      const answer = await sent(gold, name, reason);
      return answer && (await follow(gold, name, answer));
    } finally {
      activity.waiting(false);
      frame.busy(false);
    }
  }

  async function follow(gold, name, { status, next, queue, score, beyond, seeded }) {
    const desk = ui.desk();
    const words = [seeded?.words, score ? scoreInWords(desk.table.name, score) : ""].filter(Boolean).join(" ");
    if (score) ui.beside.receipt.show(gold, desk.table.name, score);
    if (name === "reopen") {
      ui.activity().reopen();
      ui.lease().take();
      desk.status(status);
      return frame.table(desk.table);
    }
    // Checks may look at other tables of the document, so that one of them is never opened as it was before.
    const early = next && !desk.table.tables.some((one) => one.gold === next.gold);
    if (next) {
      await ui.open(next, { early, queue });
      return say([words, beyond ? "The list that you chose is done; this is the next table of all." : ""].join(" ").trim());
    }
    if (status === "accepted") ui.activity().accepted();
    desk.status(status);
    frame.table(desk.table);
    return panels.end("The queue is empty", `${words} No table is left to review. Thank you.`.trim(), [["Back to the queue", () => ui.leave(gold)], ["Stay here", ui.focusGrid]]);
  }

  return {
    accept() {
      if (ui.desk().readOnly) return say(ui.desk().table.lease ? ui.desk().whyReadOnly : "This table is accepted already.");
      if (ui.outbox().refused().length) return ui.recovery.offer(); // they are decided first
      return void give("accept");
    },
    skip: () => void give("skip"),
    flag: () => panels.reason("What is wrong with this table?", (text) => give("flag", text)),
    reopen: () => void give("reopen"),
  };
}
