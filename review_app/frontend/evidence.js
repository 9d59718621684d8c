/** Where the selected cell stands on the page: its box, or a guess by its text, and whether it was on screen. */

import { at } from "./sheet.js";
import { firstAt, stateOf } from "./board.js";
import { around, findText, folded } from "./words.js";
import { readAt } from "./reading.js";
import { keyOf } from "./keymap.js";
import { createLater } from "./painting.js";

const SEEN_AFTER_MS = 300;
const LOOK_EVERY_MS = 50;
const PAGES_SEARCHED = 10;
const SLOW_MS = 400; // words that take longer are being read from a picture
const NO_WORDS = "This page has no words to take: nothing can be read on it. Type what you read.";
const READ_AFTER_MS = 120; // the page is read where a person stands, not at each cell that they pass

/** The cell that the selection speaks of, its box or null, the text to look for, and one box per page for its row and its column. */
function evidenceOf(board, anchor) {
  const alone = anchor.row === null;
  const firstCol = board.mode === "first" ? anchor.col : board.firstCol.get(anchor.col);
  const cell = alone ? (firstCol === undefined ? null : at(board.first, anchor.first, firstCol)) : at(board.sheet, anchor.row, anchor.col);
  const source = alone ? board.first : board.sheet;
  const line = alone ? anchor.first : anchor.row;
  const row = perPage(source.cells.filter((one) => one.row <= line && line < one.row + one.row_span));
  const column = alone && board.mode !== "first" ? firstCol : anchor.col;
  const widest = (cell?.col_span ?? 1) - 1;
  const col = perPage(source.cells.filter((one) => one.col >= column && one.col + one.col_span - 1 <= column + widest));
  const first = alone ? null : firstAt(board, anchor.row, anchor.col);
  return { box: cell?.box ?? null, text: cell?.text || first?.text || "", row, col };
}

/** One box per page around the boxes of cells. */
function perPage(cells) {
  const boxes = Map.groupBy(cells.filter(({ box }) => box).map(({ box }) => box), ([page]) => page);
  return [...boxes].map(([page, on]) => around(page, on));
}

/** How many cells and doubtful cells each page has: of the open table as it is now, of the others as the server told. */
function countOf(table, perPage, doubtful) {
  const counts = new Map();
  const add = (page, more, doubts) => {
    const before = counts.get(page) ?? { cells: 0, doubts: 0 };
    counts.set(page, { cells: before.cells + more, doubts: before.doubts + doubts });
  };
  for (const [page, cells] of perPage) add(page, cells, 0);
  if (table.status === "open") for (const { box: [page] } of doubtful) add(page, 0, 1);
  for (const other of table.tables) {
    if (other.gold === table.gold) continue;
    for (const { page, cells: more, doubts } of other.pages ?? []) add(page, more, other.status === "open" ? doubts : 0);
  }
  return counts;
}

/** The best place for a text: pages where the row stands come first. Resolves to a box or null. */
async function guessPlace({ text, row }, pages, wordsOf) {
  const near = new Map(row.map(([page, , y0, , y1]) => [page, (y0 + y1) / 2]));
  const order = [...near.keys(), ...pages.map(({ number }) => number).filter((number) => !near.has(number))];
  for (const number of order.slice(0, PAGES_SEARCHED)) {
    const hit = findText(number, await wordsOf(number), text, near.get(number) ?? null);
    if (hit) return hit;
  }
  return null;
}

/** Calls `seen()` once `shows()` was true for long enough without a break; `watch` starts anew. */
function createGaze() {
  let looking = null;
  return {
    watch(shows, seen) {
      clearInterval(looking);
      let since = null;
      looking = setInterval(() => {
        if (document.visibilityState !== "visible" || !shows()) {
          since = null;
          return;
        }
        since ??= performance.now();
        if (performance.now() - since < SEEN_AFTER_MS) return;
        clearInterval(looking);
        seen();
      }, LOOK_EVERY_MS);
    },
    stop: () => clearInterval(looking),
  };
}

/**
 * Shows the evidence of the selection in the page pane and the crop strip. `desk()` gives the open table,
 * `words(path)` fetches `{words, note}` of a page, `seen(anchor)` is called once a cell's evidence was on screen.
 */
export function createEvidence({ page, crop, desk, words, seen }) {
  const gaze = createGaze();
  let known = new Map(); // page number -> promise of its words
  const notes = new Map(); // page number -> why it has none
  let turn = 0;
  let revealed = "";
  let reading = null;
  let placed = { of: null, cells: [], perPage: new Map() }; // the cells that have a box, and how many each page has
  let stale = false; // the boxes of all cells are to be drawn, not the selection alone
  const later = createLater(() => {
    if (stale) drawBoxes();
    stale = false;
    show();
  });

  function kindOf({ row, col }) {
    if (desk().mode === "first" || row === null) return "";
    const { board } = desk();
    const state = stateOf(board, row, col);
    if (!["unseen", "seen"].includes(state)) return "";
    const doubt = board.doubts.get(`${row},${col}`);
    if (doubt) return doubt.level === "low" ? "doubt low" : "doubt";
    return state === "unseen" ? "unseen" : "";
  }

  function drawBoxes() {
    const { board, table } = desk();
    const { cells, perPage } = placedOf(board);
    page.draw(cells, kindOf);
    const doubtful = [...board.doubts.values()].filter((doubt) => kindOf(doubt).startsWith("doubt")).map(({ row, col }) => at(board.sheet, row, col));
    page.count(countOf(table, perPage, doubtful.filter((cell) => cell?.box)));
  }

  // Another text moves no box.
  function placedOf({ mode, shown, first, sheet }) {
    const of = mode === "first" ? first : sheet.shape;
    if (placed.of === of) return placed;
    const cells = shown.cells.filter(({ box }) => box);
    const perPage = new Map();
    for (const { box: [number] } of cells) perPage.set(number, (perPage.get(number) ?? 0) + 1);
    placed = { of, cells, perPage };
    return placed;
  }

  async function show() {
    clearTimeout(reading);
    const mine = (turn += 1);
    const { board, selected: anchor } = desk();
    // The page scrolls when another cell is selected, and never under a person who looks elsewhere on it.
    const name = `${board.table.gold}:${anchor.row},${anchor.first},${anchor.col}`;
    const reveal = name !== revealed;
    revealed = name;
    const { box, text, row, col } = evidenceOf(board, anchor);
    const [band, column] = board.table.form ? [[], []] : [row, col]; // the values of a form stand all over the page
    const look = (place, guessed, words) => {
      page.select({ box: guessed ? null : place, guess: guessed ? place : null, row: band, col: column, reveal });
      crop.draw(page.imageOf(place?.[0]), place, { row: band.find(([on]) => on === place?.[0]), guess: guessed, words });
      if (anchor.row === null || desk().isSeen(anchor)) gaze.stop();
      else gaze.watch(() => Boolean(place) && (crop.shows() || page.shows(place)), () => seen(anchor));
      if (place && anchor.row !== null) reading = setTimeout(() => read(mine, anchor, place[0]), READ_AFTER_MS);
    };
    if (box) return look(box, false, "");
    if (!text) return look(null, false, "No place on the page is known for this cell.");
    const guess = await guessPlace({ text, row }, desk().table.document.pages, evidence.wordsOf);
    if (mine !== turn) return undefined;
    return look(guess, guess !== null, guess ? "guess: found by its text" : "This text was not found on the page.");
  }

  /** Where the words of the page are others than the text of gold, the strip tells them. */
  async function read(mine, anchor, number) {
    const words = await evidence.wordsOf(number);
    if (mine !== turn || desk().mode === "first") return;
    const { sheet, table } = desk();
    const [said] = readAt(sheet, [anchor], (page) => (page === number ? words : []), { form: table.form });
    const text = at(sheet, anchor.row, anchor.col)?.text ?? "";
    if (said?.text && folded(said.text) !== folded(text)) crop.offer(said.text, keyOf("readPage"));
  }

  const evidence = {
    /** Show the place of the selection. */
    show() {
      clearTimeout(reading);
      later.ask(); // the table is painted first, the crop follows in the next frame
    },
    /** The place is brought into view the next time, although the same cell is selected still. */
    again: () => (revealed = ""),
    /** Draw the boxes of all cells, too. */
    boxes() {
      stale = true;
      evidence.show();
    },
    mark: (anchor) => page.mark(anchor, kindOf(anchor)),

    /** The words of a page; with `say` the person is told where that takes long, as with a scan. */
    wordsOf(number, say = null) {
      if (!known.has(number)) {
        const path = desk().table.document.pages.find((one) => one.number === number)?.words;
        const asked = words(path).catch(() => ({ words: [], note: "" })).then(({ words: found, note }) => {
          notes.set(number, note);
          return found;
        });
        known.set(number, asked);
      }
      const asked = known.get(number);
      if (say) {
        const slow = setTimeout(() => {
          say(`Reading the words of page ${number} from its picture …`);
          asked.then((found) => found.length && say(`Page ${number} is read: its words can be taken.`));
        }, SLOW_MS);
        asked.then(() => clearTimeout(slow));
      }
      return asked;
    },
    /** Why a page has no words, for the person. */
    whyNone: (number) => notes.get(number) || NO_WORDS,
    /** Another document is shown now. */
    forget() {
      known = new Map();
      notes.clear();
    },
    stop() {
      later.cancel();
      clearTimeout(reading);
      gaze.stop();
      turn += 1;
    },
  };
  return evidence;
}
