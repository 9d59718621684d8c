/** What a cell shows: its text, badge, state, first value, and the words that explain them. No DOM. */

import { at } from "./sheet.js";
import { badgeOfFirst, columnNotes, findingsAt, otherName, storyOf } from "./board.js";

/** What a person reads for a level: a shape and a letter in the cell, a word elsewhere. */
export const LEVELS = {
  high: { sign: "●H", word: "High" },
  medium: { sign: "◐M", word: "Medium" },
  low: { sign: "▲L", word: "Low" },
  none: { sign: "○", word: "No score" },
};
export const STATES = {
  unseen: { sign: "", word: "not looked at" },
  seen: { sign: "", word: "seen" },
  confirmed: { sign: "✓", word: "confirmed" },
  edited: { sign: "✎", word: "edited" },
  unreadable: { sign: "?", word: "unreadable" },
  absent: { sign: "∅", word: "absent on purpose" },
};

/** The look of the cell anchored at the cursor, of gold or of the first extraction. */
export function lookOf(board, cursor) {
  return cursor.row === null ? lookOfFirst(board, cursor) : lookOfGold(board, cursor);
}

function lookOfFirst(board, { first, col }) {
  const firstCol = board.mode === "first" ? col : board.firstCol.get(col);
  const one = firstCol === undefined ? null : at(board.first, first, firstCol);
  const badge = one ? badgeOfFirst(board, one.row, one.col) : null;
  const level = one?.header && badge?.level === "none" ? "" : badge?.level ?? "";
  return { text: one?.text ?? "", label: "", under: null, level, title: badge?.reason ?? "", state: "", doubt: false, wrong: false, hole: !one, comments: 0 };
}

function lookOfGold(board, { row, col }) {
  const story = storyOf(board, row, col);
  const findings = findingsAt(board, row, col);
  const { cell } = story;
  const isName = cell?.header === "column" && row + cell.row_span === board.headers && cell.col_span === 1;
  return {
    text: cell?.text ?? "",
    label: isName ? otherName(board, col, cell.text) : "",
    under: board.mode === "aligned" && story.differs ? story.firstText : null,
    level: !board.first || (cell?.header && story.level === "none") ? "" : story.level,
    title: [isName && columnNotes(board, col), ...story.reasons, ...findings.map(({ message }) => message)].filter(Boolean).join("\n"),
    state: story.state,
    doubt: story.doubtful,
    wrong: findings.some((finding) => finding.row !== null && finding.col !== null),
    hole: !cell,
    comments: story.comments,
  };
}
