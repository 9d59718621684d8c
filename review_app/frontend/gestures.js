/** What keys, pointer and clipboard do in the review: each event goes to a command or to the grid. */

import { isTyped } from "./keys.js";
import { commandOf } from "./keymap.js";

const LOOKING = new Set(["help", "zoomIn", "zoomOut", "fitWidth", "fitPage", "fitCell", "turnPage", "turnPageBack", "nextPage", "previousPage"]); // these leave a text that is being typed alone

/** Whether a command leaves a text that is being typed as it is. */
export const onlyLooks = (id) => LOOKING.has(id);

/**
 * Listens on the review until `signal` ends it. `ui` offers `desk()`, `element`, `grid`, `editor`, `panels`,
 * `commands`, `edit(options)` and `pick(cursor, options)`.
 */
export function watchGestures({ desk, element, grid, editor, panels, commands, edit, pick, signal }) {
  const listen = (target, type, heard) => target.addEventListener(type, heard, { signal });

  listen(element, "keydown", (event) => {
    event.stopPropagation(); // Streamlit would take single letters as its own shortcuts
    if (!desk() || panels.open || editor.focused || event.isComposing) return;
    const onButton = event.target.closest?.("button, summary, .splitter, .leaf-pane, .page-list");
    const modified = event.altKey || event.ctrlKey || event.metaKey || ["F1", "?", "Escape"].includes(event.key);
    if (onButton && !modified) return;
    const command = commandOf(event);
    if (command?.native) return;
    if (command) {
      if (editor.open && !onlyLooks(command.id)) editor.commit();
      if (commands.run(command.id)) event.preventDefault();
    } else if (isTyped(event) || event.keyCode === 229) {
      edit({ type: true }); // the letter itself arrives in the field that has the focus now
    }
  });

  for (const type of ["copy", "cut", "paste"]) {
    listen(element, type, (event) => {
      if (desk() && !panels.open && !editor.focused && !getSelection()?.toString()) commands[type](event);
    });
  }

  listen(grid.element, "pointerdown", (event) => {
    if (event.button !== 0 || event.target.closest("textarea, button")) return;
    const cursor = grid.cursorAt(event);
    if (!cursor) return;
    event.preventDefault();
    pick(cursor, { extend: event.shiftKey });
  });
  listen(grid.element, "pointermove", (event) => {
    if (!(event.buttons & 1) || editor.open) return;
    const cursor = grid.cursorAt(event);
    const here = desk().cursor;
    if (cursor && cursor.row !== null && (cursor.row !== here.row || cursor.col !== here.col)) desk().select(cursor, { extend: true });
  });
  listen(grid.element, "dblclick", (event) => {
    if (!event.target.closest("textarea, button") && grid.cursorAt(event)) edit({});
  });
}
