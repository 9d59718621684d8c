/** What an interrupted visit left behind: edits not yet sent, edits that were refused, a text not finished. */

import { drawer } from "./outbox.js";
import { placeOf, storyOf } from "./board.js";
import { remade } from "./history.js";
import { markAt } from "./sheet.js";

const STRUCTURE = { replace_cells: "cells changed", insert: "a line inserted", delete: "a line deleted", move: "a line moved", several: "lines and cells changed" };

/** `desk()` and `outbox()` give what is open now, `outdated()` whether the desk is being read anew; `edit(options)` opens the editor in the selected cell. */
export function createRecovery({ storage, person, panels, desk, outbox, edit, outdated }) {
  let conflicts = new Map();
  let message = "";
  let later = null; // {gold, draft}: an unfinished text that was left for later
  let typedIn = null; // {row, col} of the text that is being typed, by their ids

  const drafts = () => drawer(storage, "draft", person, desk().table.gold);

  const textAt = ({ row, col }) => storyOf(desk().board, row, col).cell?.text ?? "";

  /** What stands now where the edit was meant: its cell is found by its ids, as rows may have come above it. */
  function foundBy({ id, edit: made, where }) {
    if (!made.changes) return conflicts.get(id)?.found || "the table has changed";
    const spot = desk().find(...where[0]);
    if (!spot) return "the cell is gone";
    return (made.kind === "mark" ? markAt(desk().sheet, spot.row, spot.col) : textAt(spot)) || "empty";
  }

  function rowOf(entry) {
    const { board, sheet, readOnly } = desk();
    const { edit: made, where } = entry;
    const spot = made.changes ? desk().find(...where[0]) : null;
    const change = made.changes?.[0];
    const more = made.changes?.length > 1 ? ` and ${made.changes.length - 1} more` : "";
    return {
      entry,
      place: (spot ? placeOf(board, spot) : made.changes ? "A cell that is gone" : "The table") + more,
      found: foundBy(entry),
      expected: change ? change.old || "empty" : conflicts.get(entry.id)?.expected ?? "",
      wanted: change ? change.new || "empty" : STRUCTURE[made.kind],
      possible: !readOnly && remade(sheet, made, where) !== null,
    };
  }

  function again(entry) {
    // What was refused still stands on an outdated desk: it would be taken for there already, and be lost.
    if (outdated()) return;
    const made = remade(desk().sheet, entry.edit, entry.where);
    if (!made) return;
    const source = ["undo", "redo"].includes(entry.source) ? "key" : entry.source;
    // Settled first: two tabs that decide at once must not make it twice.
    if (outbox().settle(entry) && made.changes?.length !== 0 && !desk().commit({ edit: made, source })) outbox().unsettle(entry);
    show();
  }

  function settle(entry) {
    outbox().settle(entry);
    show();
  }

  function show(underHands = null) {
    const rows = outbox().refused().map(rowOf);
    panels.refused(message || "These edits were made on an older state of the table.", rows, again, settle, underHands);
  }

  function offerDraft() {
    const draft = drafts().get("cell");
    const spot = draft && desk().find(draft.row, draft.col);
    if (!spot || desk().readOnly || textAt(spot) === draft.text) return drafts().drop("cell");
    later = { gold: desk().table.gold, draft };
    const go = () => {
      later = null;
      if (desk().mode === "first") desk().show("aligned");
      desk().select(spot);
      edit({ draft: draft.text });
    };
    return panels.draft(placeOf(desk().board, spot), draft.text, go, () => ((later = null), drafts().drop("cell")));
  }

  return {
    /** The server refused what was sent: its words and the values that it found. */
    refused(answer) {
      const { holder } = answer;
      message = holder ? `These edits came when ${holder.person} had the table.` : answer.message ?? "The table was changed in the meantime.";
      conflicts = new Map((answer.conflicts ?? []).map((conflict) => [conflict.id, conflict]));
    },

    /** Make the edits of an earlier visit again; what does not go on from the present revision is set aside. */
    replay() {
      try {
        desk().replay(outbox().edits());
      } catch (wrong) {
        message = wrong.message;
        outbox().setAside();
      }
      outbox().resume();
    },

    /**
     * Ask what to do with refused edits, else offer an unfinished text. `underHands()` is called where the person begins
     * to type just as the question comes: it goes away again. While another person has the table, all is kept unasked.
     */
    offer: (underHands) => outdated() || desk().table.lease ? undefined : (outbox().refused().length ? show(underHands) : offerDraft()),

    /** Keep the text that is being typed in the selected cell; null where it is finished: one left for later is kept on. */
    draft(text) {
      if (text === null) {
        const kept = later?.gold === desk().table.gold && !(later.draft.row === typedIn?.row && later.draft.col === typedIn?.col);
        return kept ? drafts().put("cell", later.draft) : drafts().drop("cell");
      }
      const { sheet, selected } = desk();
      typedIn = { row: sheet.row_ids[selected.row], col: sheet.col_ids[selected.col] };
      return drafts().put("cell", { ...typedIn, text });
    },
  };
}
