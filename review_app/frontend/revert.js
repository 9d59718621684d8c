/** Taking back one old edit: what its inverse is on the table of now, and what has changed since. Pure. */

import { apply, at, cell as whole, keyOf, sameCell, shortCell, touching } from "./sheet.js";
import { idsThrough, inSteps, takenBack } from "./history.js";
import { touches, trailOfSteps } from "./trail.js";

const MARKS = { "": "no mark", confirmed: "confirmed", unreadable: "unreadable", absent: "absent on purpose" };
const refused = (why) => ({ why, cells: [], clean: null, anyway: null, exact: false });

/**
 * How to revert the edit with this id: `{why, cells, note, clean, anyway, exact}`.
 * `why` says in words that it cannot be done. `cells` are `{row, col, wrote, now, then, by, gone}`: the ids of each cell, what
 * the edit wrote, what is there now, what would be there, and the edit that changed it since (null where it is as it was).
 * `clean` is the edit that reverts what is unchanged, `anyway` the one that reverts all that still can be; each may be
 * null. `exact` is true where `clean` takes back the whole edit; else `note` may say what changed beside the cells.
 */
export function planRevert(sheet, history, id) {
  const steps = inSteps(history);
  const mine = steps.flatMap((step, index) => (step.id === id ? [index] : []));
  if (!mine.length) return refused("This edit is not in the history of this table.");
  const plan = mine.length === 1 ? ofStep(sheet, steps, mine[0]) : ofSeveral(sheet, steps, mine);
  return plan.why && takenBack(history).has(id) ? refused("This edit was taken back already.") : plan;
}

function ofStep(sheet, steps, index) {
  const { edit } = steps[index];
  const context = { sheet, steps, index, edit, ids: idsThrough(sheet, steps)[index], trail: trailOfSteps(sheet, steps) };
  const plan = { set_text: ofChanges, mark: ofChanges, replace_cells: ofCells, insert: ofInsert, delete: ofDelete, move: ofMove }[edit.kind](context);
  if (plan.why) return plan;
  const fits = (made) => {
    try {
      return made && apply(sheet, made) && made;
    } catch {
      return null;
    }
  };
  const [clean, anyway] = [fits(plan.clean), fits(plan.anyway)];
  if (clean || anyway) return { note: "", ...plan, why: "", clean, anyway, exact: Boolean(clean) && plan.exact };
  const by = since(context, (one) => touches(one, plan.cells));
  if (plan.cells.length && plan.cells.every(({ gone }) => gone)) return { ...refused("The cells of this edit are gone."), by };
  if (plan.cells.length && plan.cells.every(({ now, then }) => now === then)) return refused("The table holds the old values already.");
  return { ...refused("It no longer fits the table."), by };
}

// The steps go back from the last to the first, each on the table that the ones before leave; all of them, or none.
function ofSeveral(sheet, steps, mine) {
  const made = [];
  const cells = [];
  const notes = [];
  let exact = true;
  let after = sheet;
  let all = steps;
  for (const index of [...mine].reverse()) {
    const plan = ofStep(after, all, index);
    if (plan.why) return plan;
    const edit = plan.exact ? plan.clean : plan.anyway ?? plan.clean;
    exact &&= plan.exact;
    if (!plan.exact) cells.push(...plan.cells);
    if (plan.note) notes.push(plan.note);
    made.push(edit);
    after = apply(after, edit);
    all = [...all, { ...steps[index], id: "", edit, undoes: null }];
  }
  const whole = { kind: "several", edits: made };
  return { why: "", cells, note: notes.join(" "), exact, clean: exact ? whole : null, anyway: exact ? null : whole };
}

/** The last edit after this one that meets a condition; null where there is none. */
const since = ({ trail, index }, meets) => trail.slice(index + 1).filter(({ kind }) => kind !== "move").filter(meets).at(-1) ?? null;

function anchored(sheet, row, col) {
  const [down, across] = [sheet.row_ids.indexOf(row), sheet.col_ids.indexOf(col)];
  const one = down < 0 || across < 0 ? null : at(sheet, down, across);
  return one && one.row === down && one.col === across ? one : null;
}

function ofChanges(context) {
  const { sheet, edit, ids } = context;
  const isMark = edit.kind === "mark";
  const folded = new Map(); // a cell that the edit changed twice counts once
  for (const { row, col, old, new: next } of edit.changes) {
    const key = keyOf(ids.row[row], ids.col[col]);
    folded.set(key, { row: ids.row[row], col: ids.col[col], old: folded.get(key)?.old ?? old, new: next });
  }
  const word = (value) => (isMark ? MARKS[value] : value);
  const found = [...folded.values()].map((change) => {
    const one = anchored(sheet, change.row, change.col);
    const now = !one ? null : isMark ? sheet.marks.get(keyOf(change.row, change.col)) ?? "" : one.text;
    return { change, one, now, same: now === change.new };
  });
  const made = (some) => {
    const changes = some.filter(({ one, now, change }) => one && now !== change.old).map(({ one, now, change }) => ({ row: one.row, col: one.col, old: now, new: change.old }));
    return changes.length ? { kind: edit.kind, changes } : null;
  };
  const cells = found.map(({ change, one, now, same }) => ({
    row: change.row, col: change.col, wrote: word(change.new), now: one ? word(now) : null, then: word(change.old), gone: !one,
    by: same ? null : since(context, (other) => touches(other, [change])),
  }));
  const exact = found.every(({ same }) => same);
  return { cells, clean: made(found.filter(({ same }) => same)), anyway: exact ? null : made(found), exact };
}

/** Cells at the places that their rows and columns have in other ids; null where a line is gone or they stand apart. */
function moved(one, from, to) {
  const line = (ids, start, span, places) => {
    const found = ids.slice(start, start + span).map((id) => places.indexOf(id));
    return found.every((place, step) => place >= 0 && place === found[0] + step) ? found[0] : null;
  };
  const row = line(from.row, one.row, one.row_span, to.row);
  const col = line(from.col, one.col, one.col_span, to.col);
  return row === null || col === null ? null : { ...one, row, col };
}

const idsNow = (sheet) => ({ row: sheet.row_ids, col: sheet.col_ids });

function ofCells(context) {
  const { sheet, edit, ids } = context;
  const [old, fresh] = [edit.old.map(whole), edit.new.map(whole)];
  const shape = ({ row, col, row_span: down, col_span: across }) => `${row},${col},${down},${across}`;
  const was = new Map(old.map((one) => [shape(one), one]));
  // Only texts, boxes and holes: each cell stands for itself. A merge or a split goes back as a whole.
  const alone = fresh.every((one) => was.has(shape(one)) || (one.row_span === 1 && one.col_span === 1)) && old.every((one) => fresh.some((other) => shape(other) === shape(one)));
  const found = fresh.map((wrote) => {
    const place = moved(wrote, ids, idsNow(sheet));
    const one = place && at(sheet, place.row, place.col);
    const now = one && shape(one) === shape(place) ? one : null;
    return { wrote, now, same: Boolean(now && sameCell(now, place)), then: was.get(shape(wrote)) ?? null };
  });
  const made = (some) => {
    const back = (alone ? some.map(({ then }) => then).filter(Boolean) : old).map((one) => moved(one, ids, idsNow(sheet)));
    if (!some.length || !back.every(Boolean) || !some.every(({ now }) => now)) return null;
    return { kind: "replace_cells", old: some.map(({ now }) => shortCell(now)), new: back.map(shortCell) };
  };
  const cells = found.map(({ wrote, now, same, then }) => {
    const place = { row: ids.row[wrote.row], col: ids.col[wrote.col] };
    return { ...place, wrote: wrote.text, now: now?.text ?? null, then: alone ? then?.text ?? null : old.map(({ text }) => text).filter(Boolean).join(" | "), gone: !now, by: same ? null : since(context, (other) => touches(other, [place])) };
  });
  const exact = found.every(({ same }) => same);
  if (alone) return { cells, exact, clean: made(found.filter(({ same }) => same)), anyway: exact ? null : made(found.filter(({ now }) => now)) };
  const standing = found.every(({ now }) => now);
  if (!standing) {
    return { ...refused("Its cells were merged, split or deleted since. Revert that first."), by: cells.find(({ gone }) => gone).by };
  }
  return { cells, exact, clean: exact ? made(found) : null, anyway: exact || !standing ? null : made(found) };
}

function ofInsert(context) {
  const { sheet, edit } = context;
  const { axis, ids } = edit;
  const lines = axis === "row" ? sheet.row_ids : sheet.col_ids;
  const noun = axis === "row" ? "row" : "column";
  const places = ids.map((id) => lines.indexOf(id));
  const by = since(context, ({ lines }) => lines.some((one) => one.way === "deleted" && one.ids.some((id) => ids.includes(id))));
  if (places.some((place) => place < 0)) return { ...refused(`This ${noun} was deleted since.`), by };
  if (places.some((place, step) => place !== places[0] + step)) return refused(`These ${noun}s no longer stand together. Delete them one by one.`);
  if (ids.length === lines.length) return refused(`The last ${noun} cannot be deleted.`);
  const touched = touching(sheet, axis, places[0], ids.length);
  const span = axis === "row" ? "row_span" : "col_span";
  const cross = axis === "row" ? "col" : "row";
  const inside = touched.filter((one) => one[axis] >= places[0] && one[axis] + one[span] <= places[0] + ids.length);
  const after = idsThrough(sheet, context.steps)[context.index + 1];
  const wrote = new Map(edit.cells.map((one) => [keyOf(after.row[one.row], after.col[one.col]), one.text]));
  const cells = inside.map((one) => {
    const place = { row: sheet.row_ids[one.row], col: sheet.col_ids[one.col] };
    const text = wrote.get(keyOf(place.row, place.col)) ?? "";
    const changed = text === one.text ? null : since(context, (other) => touches({ ...other, lines: other.lines.filter((one) => one.axis === cross && one.way === "inserted") }, [place]));
    return { ...place, wrote: text, now: one.text, then: null, gone: false, by: changed, same: text === one.text };
  });
  const made = { kind: "delete", axis, at: places[0], ids, cells: touched.map(shortCell) };
  const exact = cells.every(({ same }) => same);
  return { cells: exact ? cells : cells.filter(({ same }) => !same), exact, clean: exact ? made : null, anyway: exact ? null : made };
}

function ofDelete(context) {
  const { sheet, edit, ids: before } = context;
  const { axis, ids } = edit;
  const cross = axis === "row" ? "col" : "row";
  const now = idsNow(sheet);
  if (ids.some((id) => now[axis].includes(id))) return refused("These lines are there again.");
  const start = placeFor(before[axis], edit, now[axis]);
  const to = { ...now, [axis]: [...now[axis].slice(0, start), ...ids, ...now[axis].slice(start)] };
  const [span, crossSpan] = axis === "row" ? ["row_span", "col_span"] : ["col_span", "row_span"];
  const find = (line, place) => (axis === "row" ? at(sheet, line, place) : at(sheet, place, line));
  const growing = (place) => Boolean(find(start - 1, place)) && find(start - 1, place) === find(start, place);
  const cells = [];
  for (const old of edit.cells.map(whole)) {
    const kept = before[cross].slice(old[cross], old[cross] + old[crossSpan]).filter((id) => now[cross].includes(id));
    if (!kept.length) continue; // its column is gone too
    const place = moved({ ...old, [cross]: before[cross].indexOf(kept[0]), [crossSpan]: kept.length }, before, to);
    if (!place) return refused("A merged cell of these lines would no longer hold together. Insert the line and type it.");
    const isCrossing = old[axis] < edit.at || old[axis] + old[span] > edit.at + ids.length;
    if (!isCrossing) {
      if (kept.some((_, step) => growing(place[cross] + step))) return refused("Cells were merged over this place since. Split them first.");
      cells.push(place);
      continue;
    }
    // A merged cell that went on beyond the lines: what is left of it keeps its text of now and grows again.
    const rest = { ...place, [axis]: Math.min(place[axis], start), [span]: old[span] - overlap(old, axis, span, edit) };
    const left = at(sheet, rest.row, rest.col);
    if (!left || left.row !== rest.row || left.col !== rest.col || left.row_span !== rest.row_span || left.col_span !== rest.col_span) {
      return { ...refused("A merged cell that reached into these lines was changed since. Insert the line and type it."), by: null };
    }
    cells.push({ ...left, row: place.row, col: place.col, row_span: place.row_span, col_span: place.col_span });
  }
  // Columns that came since get empty cells in the lines that come back.
  const covered = new Set(cells.flatMap((one) => Array.from({ length: one[crossSpan] }, (_, step) => one[cross] + step)));
  for (let place = 0; place < now[cross].length; place += 1) {
    if (covered.has(place) || growing(place) || before[cross].includes(now[cross][place])) continue;
    for (let step = 0; step < ids.length; step += 1) cells.push(whole({ [axis]: start + step, [cross]: place }));
  }
  const clean = { kind: "insert", axis, at: start, ids, cells: cells.map(shortCell) };
  const told = cells.filter(({ text }) => text).map((one) => ({ row: to.row[one.row], col: to.col[one.col], wrote: null, now: null, then: one.text, gone: false, by: null }));
  return { cells: told, clean, anyway: null, exact: true };
}

function ofMove(context) {
  const { sheet, edit, ids: before, trail, index } = context;
  const { axis, ids } = edit;
  const lines = idsNow(sheet)[axis];
  const noun = axis === "row" ? "row" : "column";
  const places = ids.map((id) => lines.indexOf(id));
  if (places.some((place) => place < 0)) return refused(`This ${noun} was deleted since.`);
  if (places.some((place, step) => place !== places[0] + step)) return refused(`These ${noun}s no longer stand together. Move them one by one.`);
  const to = placeFor(before[axis], edit, lines.filter((id) => !ids.includes(id)));
  if (to === places[0]) return refused("It stands where it stood already.");
  const again = trail.slice(index + 1).filter(({ lines: moved }) => moved.some((one) => one.way === "moved" && one.ids.some((id) => ids.includes(id)))).at(-1);
  const made = { kind: "move", axis, at: places[0], ids, to };
  return { cells: [], exact: !again, clean: again ? null : made, anyway: again ? made : null, note: again ? `This ${noun} was moved again since, by ${again.person}.` : "" };
}

/** Where lines that an edit took from their place belong among the lines of now: below the one that stood above them. */
function placeFor(before, { at: start, ids }, lines) {
  const above = before.slice(0, start).reverse().find((id) => lines.includes(id));
  const below = before.slice(start + ids.length).find((id) => lines.includes(id));
  return above !== undefined ? lines.indexOf(above) + 1 : below !== undefined ? lines.indexOf(below) : 0;
}

const overlap = (old, axis, span, edit) => Math.min(old[axis] + old[span], edit.at + edit.ids.length) - Math.max(old[axis], edit.at);
