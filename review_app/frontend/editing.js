/** Commands beyond one cell: ranges, several rows and columns, shape, split and join, find, tidy, kin. */

import { createDialogs } from "./dialogs.js";
import { showHelp } from "./help.js";
import { duplicateLines, edgesOf, moveLines, overflow, pasteGrowing } from "./lines.js";
import { fillWith, joinTexts, splitText } from "./parting.js";
import { setShape } from "./shape.js";
import { newId } from "./outbox.js";
import { takeReading } from "./actions.js";
import { pagesFor, readAt } from "./reading.js";
import { at } from "./sheet.js";
import { cellUnder } from "./moves.js";
import { keyOf } from "./keymap.js";

const READ_ONLY = "The first extraction is read only.";
const FORM = "A form has exactly one row of values.";

/** `ui` offers `desk()`, `say(text)`, `wordsOf(page, say)`, `whyNone(page)`, `panels`, `finder` and `kinship`. The result are commands by their ids. */
export function createEditing(ui) {
  const { say, panels, finder, kinship } = ui;
  const dialogs = createDialogs(panels);
  const form = () => ui.desk().table.form;

  function selectRect({ top, left, bottom, right }) {
    const desk = ui.desk();
    desk.select({ row: bottom, first: null, col: right });
    if (top !== bottom || left !== right) desk.select({ row: top, first: null, col: left }, { extend: true });
  }

  /** For commands that need cells of gold; they get desk, sheet and the selected rectangle. */
  const onGold = (act, inForms = false) => (argument) => {
    const desk = ui.desk();
    if (!desk.rect || desk.mode === "first") return say(READ_ONLY);
    if (form() && !inForms) return say(FORM);
    return act(desk, desk.sheet, desk.rect, argument);
  };

  const stretch = (sides) => onGold((desk, sheet, rect) => selectRect({ ...rect, ...sides(sheet) }), true);

  const duplicate = (axis) => onGold((desk, sheet, rect) => {
    const action = duplicateLines(sheet, axis, rect, newId);
    if (desk.commit(action)) selectRect(along(axis, rect, action.moved));
  });

  const along = (axis, rect, by) =>
    axis === "row" ? { ...rect, top: rect.top + by, bottom: rect.bottom + by } : { ...rect, left: rect.left + by, right: rect.right + by };

  /** Move the lines of the selection by the eye: a form lies on its side, right-to-left tables are mirrored. */
  const move = (down, right) => onGold((desk, sheet, rect) => {
    const sideways = form() ? down : right;
    const axis = sideways ? "col" : "row";
    if (form() && !sideways) return say(FORM);
    const by = sideways ? (desk.table.rtl && !form() ? -sideways : sideways) : down;
    const action = moveLines(sheet, axis, rect, by);
    const [start, end] = edgesOf(axis, rect);
    const size = axis === "row" ? sheet.n_cols : sheet.n_rows;
    const whole = desk.selectedCells.length > 1 || start !== end || size === 1;
    if (desk.commit(action)) selectRect(along(axis, whole ? rect : { ...rect, top: desk.cursor.row, bottom: desk.cursor.row, left: desk.cursor.col, right: desk.cursor.col }, by));
    return undefined;
  }, true);

  /** The selected positions, headers only where nothing else is; of a row that is all empty, such as one just inserted, all. */
  function positions(desk, sheet, rect) {
    const alone = desk.selectedCells.length < 2 && !form();
    const isEmpty = (col) => !at(sheet, rect.top, col)?.text;
    const every = Array.from({ length: sheet.n_cols }, (_, col) => col);
    const [left, right] = alone && every.every(isEmpty) ? [0, sheet.n_cols - 1] : [rect.left, rect.right];
    const across = every.slice(left, right + 1);
    const all = Array.from({ length: rect.bottom - rect.top + 1 }, (_, down) => across.map((col) => ({ row: rect.top + down, col }))).flat();
    const body = all.filter(({ row, col }) => at(sheet, row, col)?.header !== "column");
    return body.length ? body : all;
  }

  /** Text and box of the selected cells as the page has them. */
  const readPage = onGold(async (desk, asked, rect) => {
    if (desk.readOnly) return say(desk.whyReadOnly);
    const pages = pagesFor(asked, rect.top, rect.bottom, desk.table.document.pages.map(({ number }) => number));
    const words = new Map(await Promise.all(pages.map(async (page) => [page, await ui.wordsOf(page, say)])));
    if (ui.desk() !== desk || desk.sheet !== asked) return say("The table changed before the page was read. Press again.");
    if (!pages.length) return say(`Nothing tells where this stands on the page. ${keyOf("takePage")} takes words by hand.`);
    if (![...words.values()].some((of) => of.length)) return say(ui.whyNone(pages[0]));
    const found = readAt(asked, positions(desk, asked, rect), (page) => words.get(page) ?? [], { form: form(), pages });
    if (!found.some(({ text }) => text)) return say("The page has no words there.");
    return desk.commit(takeReading(asked, found));
  }, true);

  /** Words where an action is refused or does not fit, so that a dialog can show them and stay. */
  const tried = (desk, action) => action.refused || (desk.commit(action) ? "" : "This does not fit the table any more.");

  return {
    selectRow: stretch((sheet) => ({ left: 0, right: sheet.n_cols - 1 })),
    selectCol: stretch((sheet) => ({ top: 0, bottom: sheet.n_rows - 1 })),
    selectAll: stretch((sheet) => ({ top: 0, left: 0, bottom: sheet.n_rows - 1, right: sheet.n_cols - 1 })),
    duplicateRow: duplicate("row"),
    duplicateCol: duplicate("col"),
    moveUp: move(-1, 0), moveDown: move(1, 0), moveLeft: move(0, -1), moveRight: move(0, 1),
    joinText: onGold((desk, sheet) => desk.commit(joinTexts(sheet, desk.selectedCells)), true),
    fillSelection: onGold((desk, sheet, rect, text) => {
      if (text === undefined && desk.selectedCells.length < 2) return say("Select several cells first: this text goes into all of them.");
      return desk.commit(fillWith(sheet, desk.selectedCells, text ?? cellUnder(desk.board, desk.cursor)?.text ?? ""));
    }, true),
    shape: onGold((desk, sheet, rect) => {
      if (desk.readOnly) return say(desk.whyReadOnly);
      const cells = desk.selectedCells;
      return dialogs.shape(sheet, rect, cells, (wanted) => (Object.keys(wanted).length ? tried(desk, setShape(desk.sheet, rect, wanted)) : ""));
    }),
    splitText: onGold((desk, sheet, rect, caret = null) => {
      if (desk.readOnly) return say(desk.whyReadOnly);
      const cell = cellUnder(desk.board, desk.cursor);
      if (!cell?.text) return say("There is no text to split here.");
      return dialogs.split(cell.text, caret, (parts, into) => tried(desk, splitText(desk.sheet, cell, parts, into, newId)));
    }),
    readPage: (argument) => void readPage(argument),
    find: () => finder.open("find"),
    replace: () => finder.open("replace"),
    tidy: () => finder.open("tidy"),
    kin: () => kinship.open(),
    help: () => showHelp(panels),

    /** A pasted block that the table has no room for: asked first. True where it was taken. */
    pasteLarger(block, fit) {
      const desk = ui.desk();
      const need = overflow(desk.sheet, desk.rect, block);
      if (form() || desk.readOnly || (!need.rows && !need.cols)) return false;
      const { rect } = desk;
      dialogs.larger(need, () => {
        const action = pasteGrowing(desk.sheet, rect, block, newId);
        if (!desk.commit(action)) return;
        selectRect(action.rect);
      }, fit);
      return true;
    },
  };
}
