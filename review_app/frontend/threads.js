/** Comment threads as the screen tells them: those of the server with what is still on its way, and where they stand. Pure. */

import { at, keyAt } from "./sheet.js";

/** Threads with the comments that wait in the outbox; `sent` are `{id, thread, kind, text, row, col, edit, at}`. */
export function withWaiting(threads, sent, person) {
  const all = new Map(threads.map((thread) => [thread.id, thread]));
  for (const { id, thread, kind, text, row, col, edit, at: made } of sent) {
    const known = all.get(thread) ?? { id: thread, row, col, edit, comments: [] };
    if (known.comments.some((one) => one.id === id)) continue;
    const comments = [...known.comments, { id, kind, text, person, at: made, waiting: true }];
    all.set(thread, { ...known, comments, open: isOpen(comments) });
  }
  return [...all.values()];
}

function isOpen(comments) {
  const last = comments.filter(({ kind }) => kind === "resolve" || kind === "reopen").at(-1);
  return comments[0].kind === "comment" && (!last || last.kind === "reopen");
}

/** The position of the cell at which a thread stands now: of its anchor, null where the cell is gone or there is none. */
export function spotOf(sheet, { row, col }) {
  const [down, across] = [sheet.row_ids.indexOf(row), sheet.col_ids.indexOf(col)];
  const cell = down < 0 || across < 0 ? null : at(sheet, down, across);
  return cell && { row: cell.row, col: cell.col };
}

/** How many open threads stand at each cell, by the key of its anchor. */
export function openAt(sheet, threads) {
  const counts = new Map();
  for (const thread of threads) {
    const spot = thread.open ? spotOf(sheet, thread) : null;
    if (!spot) continue;
    const key = keyAt(sheet, spot.row, spot.col);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/**
 * Threads in the order in which they are listed, each as `{thread, spot, gone, here}`: those at the selected cell, then
 * open ones in reading order, those on the whole table, then resolved ones; reasons of edits stand in the history instead.
 */
export function listed(sheet, threads, selected) {
  const places = threads.filter(({ edit }) => !edit).map((thread) => {
    const spot = spotOf(sheet, thread);
    const here = Boolean(spot && spot.row === selected.row && spot.col === selected.col);
    return { thread, spot, gone: thread.row !== null && !spot, here };
  });
  const rank = ({ thread, spot, here }) => [thread.open ? 0 : 1, here ? 0 : 1, spot ? 0 : 1, spot?.row ?? 0, spot?.col ?? 0];
  return places.sort((one, other) => {
    const [left, right] = [rank(one), rank(other)];
    const place = left.findIndex((part, index) => part !== right[index]);
    return place < 0 ? 0 : left[place] - right[place];
  });
}

/** Reasons that people gave for edits: edit id -> comments. */
export function reasonsOf(threads) {
  const reasons = new Map();
  for (const { edit, comments } of threads) if (edit) reasons.set(edit, [...(reasons.get(edit) ?? []), ...comments]);
  return reasons;
}

/** The first open thread at a cell after the selected one in reading order, round the end, as `{thread, spot}`; null where there is none. */
export function nextOpen(sheet, threads, selected) {
  const order = ({ row, col }) => row * sheet.n_cols + col;
  const open = threads.filter((thread) => thread.open && !thread.edit).map((thread) => ({ thread, spot: spotOf(sheet, thread) })).filter(({ spot }) => spot);
  open.sort((one, other) => order(one.spot) - order(other.spot));
  const here = selected.row === null ? -1 : order(selected);
  return open.find(({ spot }) => order(spot) > here) ?? open[0] ?? null;
}
