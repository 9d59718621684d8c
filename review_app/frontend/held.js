/** What a person is in the middle of while the same table is loaded anew: place and half-typed text are taken along. */

import { placeOf, storyOf } from "./board.js";

const AT_REST_MS = 1_000; // who has not pressed a key for so long is not in the middle of a text

/** `desk()` gives what is open now, `outdated()` whether it is being read anew; `element` hears all keys of the review until `signal` ends it. */
export function createHeld({ desk, outdated, editor, grid, panels, recovery, element, signal }) {
  let pressedAt = -Infinity;
  element.addEventListener("keydown", () => (pressedAt = performance.now()), { capture: true, signal });

  return {
    /** Place and text as they are now. */
    take() {
      const { cursor, selected, sheet } = desk();
      const typed = editor.open ? { text: editor.text, type: editor.typing } : null;
      return { cursor, typed, ids: selected.row === null ? null : [sheet.row_ids[selected.row], sheet.col_ids[selected.col]] };
    },

    /** The same cell of the desk of now, wherever it stands; the text that was being typed goes on there. */
    give({ cursor, typed, ids }) {
      const spot = ids && desk().find(...ids);
      if (spot) desk().select(spot);
      else if (cursor.row !== null && cursor.row < desk().sheet.n_rows) desk().select(cursor);
      const td = typed && spot && grid.tdAt(desk().cursor);
      if (!td) return;
      const { cell } = storyOf(desk().board, spot.row, spot.col);
      editor.edit(td, cell?.text ?? "", { type: typed.type, draft: typed.text, label: placeOf(desk().board, spot) });
    },

    /** What was refused is shown once the person pauses: a dialog that comes up under typing hands swallows the text. */
    offerAtRest() {
      if (signal.aborted) return;
      if (outdated() || editor.open || panels.open || performance.now() - pressedAt < AT_REST_MS) setTimeout(() => this.offerAtRest(), 200);
      else recovery.offer(() => this.offerAtRest());
    },
  };
}
