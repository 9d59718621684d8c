/** One text into several cells, and several into one, without a change of the table's grid. Pure. */

import { apply, at } from "./sheet.js";
import { insertLines } from "./lines.js";
import { refused, setTexts } from "./actions.js";

const GUESSES = ["\n", "\t", "|", ";", "  ", " / ", "/", ", ", " "];

/** The separator that most likely parts a text; "" where there is none. */
export const likelySeparator = (text) => GUESSES.find((one) => text.trim().includes(one)) ?? "";

/** The parts of a text: at a caret, or at each place of a separator (several spaces or breaks in a row count once). */
export function partsOf(text, { caret = null, separator = "" }) {
  if (caret !== null) return [text.slice(0, caret).trimEnd(), text.slice(caret).trimStart()];
  if (!separator) return [text];
  return text.split(separator).map((part) => part.trim()).filter((part, index, all) => part || all.length === 1);
}

/**
 * The parts into the cells to the right (`into` "cells"), which must be empty, or into new rows below ("rows").
 * One edit.
 */
export function splitText(sheet, { row, col }, parts, into, newId) {
  const cell = at(sheet, row, col);
  if (!cell) return refused("There is no cell here.");
  if (parts.length < 2) return refused("There is nothing to split: the text has one part only.");
  const first = { row: cell.row, col: cell.col, text: parts[0] };
  if (into === "rows") {
    const start = cell.row + cell.row_span;
    const ids = parts.slice(1).map(newId);
    const insert = insertLines(sheet, "row", start, ids, (place, index) => (place === cell.col ? { text: parts[index + 1] } : {}));
    const filled = insert.edit.cells.filter((one) => one.col === cell.col).length;
    if (filled < parts.length - 1) return refused("A merged cell goes on below: split it first.");
    const after = apply(sheet, insert.edit);
    const texts = setTexts(after, [first], "key");
    return { source: "key", edit: { kind: "several", edits: texts.refused ? [insert.edit] : [insert.edit, texts.edit] } };
  }
  const targets = [first];
  let place = cell.col + cell.col_span;
  for (const text of parts.slice(1)) {
    const next = at(sheet, cell.row, place);
    if (place >= sheet.n_cols) return refused(`There are ${parts.length} parts, but only ${targets.length} ${targets.length === 1 ? "cell" : "cells"} up to the table's edge. Insert columns first.`);
    if (next?.text) return refused(`The next cell holds “${next.text}”. Empty it first, or insert a column.`);
    targets.push({ row: cell.row, col: place, text });
    place = next ? next.col + next.col_span : place + 1;
  }
  return setTexts(sheet, targets, "key");
}

/** The texts of several cells into the first, the others emptied; of one cell, with the next one of its row. */
export function joinTexts(sheet, cells) {
  const [first] = cells;
  if (!first) return refused("There is no cell here.");
  const next = at(sheet, first.row, first.col + first.col_span);
  const all = cells.length > 1 ? cells : [first, next].filter(Boolean);
  if (all.length < 2) return refused("There is no next cell in this row.");
  const text = all.map((one) => one.text).filter(Boolean).join(" ");
  return setTexts(sheet, all.map(({ row, col }, index) => ({ row, col, text: index ? "" : text })), "key");
}

/** One text into all selected cells. */
export const fillWith = (sheet, cells, text) => setTexts(sheet, cells.map(({ row, col }) => ({ row, col, text })), "fill");
