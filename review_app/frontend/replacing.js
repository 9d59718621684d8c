/** Another table in the place of an open one, as one edit: marks taken off, lines added or deleted at the end, all cells put anew. Pure. */

import { apply, markAt, shortCell } from "./sheet.js";
import { deleteLines, insertLines } from "./lines.js";

/** The edit after which the sheet holds the cells of `table` (`{n_rows, n_cols, cells}`), undone as one. */
export function replaceTable(sheet, table, newId) {
  const steps = [];
  let now = sheet;
  const step = (edit) => {
    steps.push(edit);
    now = apply(now, edit);
  };
  const ids = (count) => Array.from({ length: count }, newId);
  // What was said of a cell was said of the text that goes.
  const marked = sheet.cells.map(({ row, col }) => ({ row, col, old: markAt(sheet, row, col), new: "" })).filter(({ old }) => old);
  if (marked.length) step({ kind: "mark", changes: marked });
  if (now.n_rows > table.n_rows) step(deleteLines(now, "row", { top: table.n_rows, bottom: now.n_rows - 1 }).edit);
  if (now.n_cols > table.n_cols) step(deleteLines(now, "col", { left: table.n_cols, right: now.n_cols - 1 }).edit);
  if (now.n_cols < table.n_cols) step(insertLines(now, "col", now.n_cols, ids(table.n_cols - now.n_cols)).edit);
  if (now.n_rows < table.n_rows) step(insertLines(now, "row", now.n_rows, ids(table.n_rows - now.n_rows)).edit);
  step({ kind: "replace_cells", old: now.cells.map(shortCell), new: table.cells });
  return { source: "region", edit: steps.length === 1 ? steps[0] : { kind: "several", edits: steps }, note: "The table was replaced by what was read in the region." };
}
