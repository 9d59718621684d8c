/** Which other cells the change of one cell fits: the first pattern that explains it, tried on its column, then on columns of its kind. Pure. */

import { PATTERNS } from "./kin_patterns.js";

const MOST = 500;

/**
 * `cells` are `[{row, col, text, numeric, settled}]` of the whole table as they are now, `changed` is
 * `{row, col, old, new, numeric}`. Null, or `{pattern, says, cells: [{row, col, old, new}]}`, cells of the same column first.
 * A cell that a person has settled is left alone.
 */
export function kinOf(changed, cells) {
  if (changed.old === changed.new) return null;
  for (const { name, says, learn } of PATTERNS) {
    const rule = learn(changed.old, changed.new, changed);
    if (!rule) continue;
    const fits = (cell) => {
      if (!cell.text || (cell.row === changed.row && cell.col === changed.col)) return null;
      const fresh = rule(cell.text, cell);
      return fresh === null || fresh === cell.text || cell.settled ? null : { row: cell.row, col: cell.col, old: cell.text, new: fresh };
    };
    const own = cells.filter(({ col }) => col === changed.col).map(fits).filter(Boolean);
    const alike = cells.filter(({ col, numeric }) => col !== changed.col && numeric === changed.numeric).map(fits).filter(Boolean);
    const all = [...own, ...alike].slice(0, MOST);
    if (all.length) return { pattern: name, says, cells: all };
  }
  return null;
}
