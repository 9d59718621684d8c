/** The tables behind a strip: each with its outbox and its revision; edits of one cell, undo, and what was refused. */

import { createOutbox, drawer, newId } from "./outbox.js";
import { after, backwards, checkedAgain } from "./strip_lines.js";
import { sheetFromJson } from "./sheet.js";

const nameOf = (gold, rowId, colId) => `${gold} ${rowId} ${colId}`;

/**
 * `spent(gold)` gives the active milliseconds since the edit before, `changed(indices)` is told which lines to draw
 * anew, `state()` that what is saved has changed, `say(text)` speaks to the person.
 */
export function createStripTables({ storage, person, tab, server, spent, changed, state, say }) {
  const tables = new Map(); // gold -> {box, revision}
  let lines = [];
  let places = new Map(); // name -> index
  let done = []; // {index, entry} of this visit, the last one last

  function open(gold, revision) {
    const box = createOutbox({
      storage,
      person,
      gold,
      tab,
      send: server.send,
      beacon: server.beacon,
      onAck: (answer) => acknowledged(gold, answer),
      onRefused: (answer) => refused(gold, answer),
      onSaid: () => undefined,
      onUnsaid: () => undefined,
      onState: state,
    });
    tables.set(gold, { box, revision });
    // What an earlier visit left behind is shown as it was made, and sent.
    for (const entry of box.edits()) if (entry.after >= revision) show(gold, entry);
    offerRefused(gold);
    box.resume();
  }

  const placeOf = (gold, entry) => (entry.where?.length === 1 ? places.get(nameOf(gold, ...entry.where[0])) : undefined);

  function put(index, line) {
    lines[index] = line;
    changed([index]);
  }

  function show(gold, entry) {
    const index = placeOf(gold, entry);
    if (index !== undefined && entry.edit.changes) put(index, after(lines[index], entry.edit));
  }

  function acknowledged(gold, answer) {
    tables.get(gold).revision = answer.revision;
    const drawn = [];
    lines.forEach((line, index) => {
      if (line.gold !== gold) return;
      const checked = checkedAgain(line.lease ? { ...line, lease: null } : line, answer.findings);
      if (checked === line) return;
      lines[index] = checked;
      drawn.push(index);
    });
    changed(drawn);
  }

  /** The server took nothing: the table is read anew, and each refused edit is shown at its line, to be decided. */
  function refused(gold, answer) {
    const what = { accepted: "This table was accepted in the meantime.", leased: `${answer.holder?.person} has this table. Take it over to change it.` };
    say(`${what[answer.error] ?? "Someone changed this table first."} Your edit is kept at its line.`);
    return reread(gold);
  }

  async function reread(gold) {
    const table = tables.get(gold);
    try {
      const json = await server.table(gold);
      const sheet = sheetFromJson(json.sheet);
      const cells = new Map(sheet.cells.map((cell) => [nameOf(gold, sheet.row_ids[cell.row], sheet.col_ids[cell.col]), cell]));
      lines.forEach((line, index) => {
        if (line.gold !== gold) return;
        const name = nameOf(gold, line.row_id, line.col_id);
        const cell = cells.get(name);
        const now = cell ? { row: cell.row, col: cell.col, text: cell.text, mark: sheet.marks.get(`${line.row_id}\n${line.col_id}`) ?? "", edited: cell.text !== line.began } : { gone: true };
        lines[index] = { ...line, ...now, frozen: json.status !== "open", lease: json.lease };
      });
      table.revision = json.revision;
      done = done.filter(({ index }) => lines[index].gold !== gold);
    } catch (wrong) {
      say(`The table could not be read again: ${wrong.message}`);
    }
    offerRefused(gold);
    changed(lines.map((line, index) => (line.gold === gold ? index : -1)).filter((index) => index >= 0));
    table.box.resume();
  }

  function offerRefused(gold) {
    for (const entry of tables.get(gold).box.refused()) {
      const index = placeOf(gold, entry);
      if (index !== undefined && entry.edit.changes) put(index, { ...lines[index], refused: entry });
    }
  }

  function commit(index, edit, { source, undoes = null }) {
    const line = lines[index];
    if (!edit) return false;
    if (line.gone) return say("This cell is gone: its row or column was deleted."), false;
    if (line.frozen) return say("This table is accepted. O opens it, where it can be reopened."), false;
    const table = tables.get(line.gold);
    const waiting = table.box.edits().filter((entry) => entry.after >= table.revision).length;
    const entry = { id: newId(), edit, undoes, source, at: new Date().toISOString() };
    table.box.add({ ...entry, after: table.revision + waiting, where: [[line.row_id, line.col_id]], active_ms: spent(line.gold) });
    put(index, after(line, edit));
    if (!undoes) done.push({ index, entry });
    return true;
  }

  return {
    get lines() { return lines; },

    /** Other lines; `given` maps each gold table to its token and revision. What waits in the old outboxes goes on. */
    fill(next, given) {
      for (const { box } of tables.values()) box.close();
      tables.clear();
      done = [];
      lines = next.map((line) => ({ ...line, began: line.edited ? null : line.text }));
      places = new Map(lines.map((line, index) => [nameOf(line.gold, line.row_id, line.col_id), index]));
      for (const [gold, { token, revision }] of Object.entries(given)) {
        server.learn(Number(gold), token);
        open(Number(gold), revision);
      }
    },

    commit,

    /** Take the last edit of this visit back; the index of its line, or null. */
    undo() {
      const last = done.pop();
      if (!last) return say("There is nothing to undo."), null;
      const { index, entry } = last;
      const [{ new: wrote }] = entry.edit.changes;
      const now = entry.edit.kind === "mark" ? lines[index].mark : lines[index].text;
      if (now !== wrote) return say("This cell was changed again since."), index;
      commit(index, backwards(entry.edit), { source: "undo", undoes: entry.id });
      return index;
    },

    reread,

    /** Make a refused edit again on what is there now, or let it go. */
    settle(index, again) {
      const { refused: entry, ...line } = lines[index];
      lines[index] = line;
      const [change] = entry.edit.changes;
      const now = entry.edit.kind === "mark" ? line.mark : line.text;
      const edit = { kind: entry.edit.kind, changes: [{ row: line.row, col: line.col, old: now, new: change.new }] };
      // Settled first: two tabs that decide at once must not make it twice.
      const { box } = tables.get(line.gold);
      const mine = box.settle(entry);
      if (mine && again && change.new !== now && !commit(index, edit, { source: ["undo", "redo"].includes(entry.source) ? "typed" : entry.source })) {
        lines[index] = { ...line, refused: entry };
        box.unsettle(entry);
      }
      changed([index]);
    },

    /** The text that is being typed, kept until it is finished (null): a draft as the review keeps it. */
    draft(index, text) {
      const { gold, row_id: row, col_id: col } = lines[index];
      const kept = drawer(storage, "draft", person, gold);
      if (text === null) kept.drop("cell");
      else kept.put("cell", { row, col, text });
    },

    /** The line and the text of an unfinished draft of these tables; null where there is none. */
    unfinished() {
      for (const gold of tables.keys()) {
        const draft = drawer(storage, "draft", person, gold).get("cell");
        const index = draft && places.get(nameOf(gold, draft.row, draft.col));
        if (index != null && lines[index].text !== draft.text) return { index, text: draft.text };
      }
      return null;
    },

    /** Put time, or cells that were looked at, into the outbox of its table. */
    record(gold, entry) {
      const box = tables.get(gold)?.box;
      box?.add(entry, false);
      setTimeout(() => box?.pump(), 50);
    },

    /** The worst state of all outboxes, with the number of edits that wait and whether the storage keeps them. */
    saving() {
      const boxes = [...tables.values()].map(({ box }) => box);
      const order = ["saved", "saving", "refused", "offline", "expired"];
      const worst = Math.max(0, ...boxes.filter((box) => box.edits().length).map((box) => order.indexOf(box.state())));
      const waiting = boxes.reduce((sum, box) => sum + box.edits().length, 0);
      return { state: order[worst], waiting, kept: boxes.every((box) => box.kept()), refused: lines.filter((line) => line.refused).length };
    },

    pump: () => tables.forEach(({ box }) => box.pump()),
    farewell: () => tables.forEach(({ box }) => box.farewell()),
    close: () => tables.forEach(({ box }) => box.close()),
  };
}
