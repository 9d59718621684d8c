/** What each command of the key map does to the open table. */

import * as actions from "./actions.js";
import * as lines from "./lines.js";
import { keyOf } from "./keymap.js";
import { firstAt, storyOf } from "./board.js";
import { anchorOf, cellUnder, cursorOn, jump, lineIndex, sameCursor, step, stepWrapping, textsIn } from "./moves.js";
import { headerRows } from "./sheet.js";
import { newId } from "./outbox.js";
import { readTsv, writeTsv } from "./tsv.js";

/**
 * `ui` offers `desk()`, `say(text)`, `edit(options)` and the whole-table commands.
 * The result has `run(id, argument)`, `copy(event)`, `cut(event)`, `paste(event)` and `commit(text, event, changed)`.
 */
export function createCommands(ui) {
  let tabFrom = null; // the column in which a run of Tab began

  const form = () => ui.desk().table.form && ui.desk().mode !== "first";

  /** A direction on the screen as one in the table: a form lies on its side, right-to-left tables are mirrored. */
  function turned(down, right) {
    const { desk } = ui;
    const across = desk().table.rtl && !form() ? -right : right;
    return form() ? [right, down] : [down, across];
  }

  function go(next, options) {
    tabFrom = null;
    ui.desk().select(next, options);
  }

  function walk(down, right, { extend = false, far = false } = {}) {
    const desk = ui.desk();
    const move = far ? jump : step;
    go(move(desk.board, desk.cursor, ...turned(down, right)), { extend });
  }

  // Tab at the last cell is left to the browser, so that the keyboard is not caught in the table.
  function tab(by) {
    const desk = ui.desk();
    const next = stepWrapping(desk.board, desk.cursor, by);
    if (!next) return false;
    tabFrom = by > 0 ? tabFrom ?? desk.cursor.col : null;
    desk.select(next);
    return true;
  }

  function enter(by) {
    const desk = ui.desk();
    const start = by > 0 && tabFrom !== null && !form() ? { ...desk.cursor, col: tabFrom } : desk.cursor;
    const next = step(desk.board, start, ...turned(by, 0));
    go(sameCursor(next, start) ? start : next);
  }

  function ends(toEnd) {
    const { board, cursor } = ui.desk();
    go({ ...cursor, col: toEnd ? board.nCols - 1 : 0 });
  }

  function corner(last) {
    const { board } = ui.desk();
    const line = last ? board.lines.at(-1) : board.lines[0];
    if (line) go(cursorOn(line, last ? board.nCols - 1 : 0));
  }

  function doubt(by) {
    const desk = ui.desk();
    const open = desk.doubts();
    const here = open.findIndex(({ row, col }) => row === desk.selected.row && col === desk.selected.col);
    let next = open.at((here + by) % Math.max(1, open.length));
    if (here < 0 && !desk.byRisk && desk.cursor.row !== null) {
      const after = ({ row, col }) => row > desk.selected.row || (row === desk.selected.row && col > desk.selected.col);
      next = by > 0 ? open.find(after) ?? open[0] : open.filter((one) => !after(one)).at(-1) ?? open.at(-1);
    } else if (here < 0) {
      next = by > 0 ? open[0] : open.at(-1);
    }
    if (!next) return ui.say(`No doubts left. ${keyOf("accept")} accepts the table.`);
    if (open.length === 1 && here === 0) return ui.say("This is the last doubt.");
    if (desk.mode === "first") desk.show("aligned");
    return go({ row: next.row, first: null, col: next.col });
  }

  function mark(name) {
    const desk = ui.desk();
    if (desk.cursor.row === null) return ui.say("A row of the first extraction is read only.");
    return desk.commit(actions.setMark(desk.sheet, desk.selectedCells, name));
  }

  function confirmRow() {
    const desk = ui.desk();
    if (desk.cursor.row === null) return ui.say("A row of the first extraction is read only.");
    const { row } = desk.selected;
    const cells = desk.sheet.cells.filter((cell) => cell.row <= row && row < cell.row + cell.row_span);
    const state = (cell) => storyOf(desk.board, cell.row, cell.col).state;
    const seen = cells.filter((cell) => desk.isSeen(cell) && ["seen", "edited"].includes(state(cell)));
    const left = cells.filter((cell) => !desk.isSeen(cell) && state(cell) === "unseen").length;
    if (!seen.length) return ui.say(left ? "No cell of this row was looked at yet." : "Nothing is left to confirm in this row.");
    const note = left ? `${left} of ${cells.length} cells were not looked at and stay unconfirmed.` : "";
    return desk.commit({ ...actions.setMark(desk.sheet, seen, "confirmed"), note });
  }

  function takeFirst() {
    const desk = ui.desk();
    if (desk.mode === "first") return ui.say("Change to the aligned view to take values into gold.");
    if (desk.cursor.row === null) return takeRow(desk.cursor.first);
    const targets = desk.selectedCells
      .map(({ row, col }) => ({ row, col, first: firstAt(desk.board, row, col) }))
      .filter(({ first }) => first)
      .map(({ row, col, first }) => ({ row, col, text: first.text }));
    if (!targets.length) return ui.say("The first extraction has no value here.");
    return desk.commit(actions.setTexts(desk.sheet, targets, "first"));
  }

  function takeRow(firstRow) {
    const desk = ui.desk();
    const action = lines.takeFirstRow(desk.board, firstRow, newId());
    if (desk.commit(action)) go({ row: action.row, first: null, col: Math.min(desk.cursor.col, desk.sheet.n_cols - 1) });
  }

  /** Ids of new lines: as many as are selected. */
  function fresh({ rect, corner }, axis) {
    const [start, end] = rect && corner ? lines.edgesOf(axis, rect) : [0, 0];
    return Array.from({ length: end - start + 1 }, newId);
  }

  function insert(below) {
    const desk = ui.desk();
    if (form()) return ui.say("A form has exactly one row of values.");
    if (desk.mode === "first") return ui.say("The first extraction is read only.");
    const rect = desk.rect;
    const start = rect ? (below ? rect.bottom + 1 : rect.top) : rowAfter(desk, desk.cursor);
    if (desk.commit(lines.insertLines(desk.sheet, "row", start, fresh(desk, "row")))) go({ row: start, first: null, col: desk.cursor.col });
    return undefined;
  }

  function insertCol(after) {
    const desk = ui.desk();
    if (!desk.rect || desk.mode === "first") return ui.say("The first extraction is read only.");
    const start = after ? desk.rect.right + 1 : desk.rect.left;
    if (desk.commit(lines.insertLines(desk.sheet, "col", start, fresh(desk, "col")))) go({ ...desk.cursor, col: start });
    return undefined;
  }

  function rowAfter({ board }, cursor) {
    const above = board.lines.slice(0, lineIndex(board, cursor)).filter(({ gold }) => gold !== null);
    return above.length ? above.at(-1).gold + 1 : headerRows(board.sheet);
  }

  /** For commands that need cells of gold: their action, or the reason why not. */
  const onRect = (make) => () => {
    const desk = ui.desk();
    if (!desk.rect || desk.mode === "first") return ui.say("The first extraction is read only.");
    return desk.commit(make(desk.sheet, desk.rect, desk));
  };

  // The cells that a merged one becomes are selected together: what comes next is meant for all of them.
  function splitHere(sheet, rect, desk) {
    const cell = cellUnder(desk.board, desk.cursor);
    const action = actions.split(sheet, cell);
    if (!action.refused) {
      desk.select({ row: cell.row + cell.row_span - 1, first: null, col: cell.col + cell.col_span - 1 });
      desk.select({ row: cell.row, first: null, col: cell.col }, { extend: true });
    }
    return action;
  }

  const commands = {
    up: () => walk(-1, 0), down: () => walk(1, 0), left: () => walk(0, -1), right: () => walk(0, 1),
    extendUp: () => walk(-1, 0, { extend: true }), extendDown: () => walk(1, 0, { extend: true }),
    extendLeft: () => walk(0, -1, { extend: true }), extendRight: () => walk(0, 1, { extend: true }),
    jumpUp: () => walk(-1, 0, { far: true }), jumpDown: () => walk(1, 0, { far: true }),
    jumpLeft: () => walk(0, -1, { far: true }), jumpRight: () => walk(0, 1, { far: true }),
    next: () => tab(1), previous: () => tab(-1), enter: () => enter(1), enterUp: () => enter(-1),
    home: () => ends(false), end: () => ends(true), top: () => corner(false), bottom: () => corner(true),
    edit: () => ui.edit({}), rewrite: () => ui.edit({ draft: "" }),
    clear: onRect(actions.clear),
    fillDown: onRect((sheet, rect) => actions.fill(sheet, rect, "row")),
    fillRight: onRect((sheet, rect) => actions.fill(sheet, rect, "col")),
    merge: onRect((sheet, rect, desk) => (form() ? actions.refused("The cells of a form are not merged.") : mergeHere(sheet, rect, desk))),
    split: onRect(splitHere),
    deleteRow: onRect((sheet, rect) => (form() ? actions.refused("A form has exactly one row of values.") : lines.deleteLines(sheet, "row", rect))),
    deleteCol: onRect((sheet, rect) => lines.deleteLines(sheet, "col", rect)),
    insertAfter: () => insertCol(true), insertBefore: () => insertCol(false),
    undo: () => ui.desk().undo(), redo: () => ui.desk().redo(),
    nextDoubt: () => doubt(1), previousDoubt: () => doubt(-1),
    confirm: () => mark("confirmed"), unreadable: () => mark("unreadable"), absent: () => mark("absent"),
    confirmRow, takeFirst, takeRow, insertBelow: () => insert(true), insertAbove: () => insert(false),
    order: () => ui.desk().order(!ui.desk().byRisk),
    show: (mode) => ui.desk().show(mode),
    view: () => ui.desk().show({ aligned: "gold", gold: ui.desk().board.first ? "first" : "aligned", first: "aligned" }[ui.desk().mode]),
  };

  const mergeHere = (sheet, rect, desk) => {
    desk.select({ row: rect.top, first: null, col: rect.left }); // the merged cell stays selected
    return actions.merge(sheet, rect);
  };

  return {
    /** False where the command leaves the key to the browser. */
    run: (id, argument) => (commands[id] ?? ui.commands[id])?.(argument) !== false,
    has: (id) => id in commands || id in ui.commands,

    /** The editor gives its text back; the key that committed it tells where to go. */
    commit(text, event, changed) {
      const desk = ui.desk();
      const { row, col } = desk.selected;
      if (event?.fill) return this.run("fillSelection", text);
      const several = desk.selectedCells.length > 1;
      const put = () => changed && desk.commit(actions.setTexts(desk.sheet, [{ row, col, text }], "typed"));
      if (!event) return void put();
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        put();
        // Spreadsheets fill the selection by this key: whoever means that must not accept the table.
        if (!several) return this.run("accept");
        go(desk.cursor);
        ui.say(`Only one cell was changed, nothing was accepted. ${keyOf("fillSelection")} gives a text to all selected cells.`);
        return undefined;
      }
      let atEnd = false;
      desk.together(() => {
        put();
        if (event.key === "Tab") (atEnd = !tab(event.shiftKey ? -1 : 1)) && go(desk.cursor);
        else if (event.key === "Enter") enter(event.shiftKey ? -1 : 1);
        else walk({ ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0, { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0);
      });
      if (atEnd) ui.say(event.shiftKey ? "This is the first cell; Shift+Tab again leaves the table." : "This is the last cell; Tab again leaves the table.");
      return undefined;
    },

    copy(event) {
      const desk = ui.desk();
      const text = desk.rect && desk.mode !== "first" ? writeTsv(textsIn(desk.sheet, desk.rect)) : firstText(desk);
      event.clipboardData.setData("text/plain", text);
      event.preventDefault();
    },

    cut(event) {
      this.copy(event);
      this.run("clear");
    },

    paste(event) {
      const desk = ui.desk();
      event.preventDefault();
      const text = event.clipboardData.getData("text/plain");
      if (!text) return ui.say("The clipboard holds no text.");
      if (!desk.rect || desk.mode === "first") return ui.say("The first extraction is read only.");
      const block = readTsv(text);
      const fit = () => {
        const action = actions.paste(desk.sheet, desk.rect, block);
        if (!desk.commit(action)) return;
        const { top, left, bottom, right } = action.rect;
        go({ row: bottom, first: null, col: right });
        go({ row: top, first: null, col: left }, { extend: true });
        if (action.note) ui.say(action.note);
      };
      return ui.commands.pasteLarger(block, fit) || fit();
    },
  };
}

function firstText({ board, cursor }) {
  const one = cellUnder(board, anchorOf(board, cursor));
  return one?.text ?? "";
}
