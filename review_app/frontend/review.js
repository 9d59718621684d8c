/** The review of one table after another: puts desk, grid, page, outbox and activity together. */

import { createCommands } from "./commands.js";
import { createCrop } from "./crop.js";
import { createDesk } from "./desk.js";
import { createDrawing } from "./drawing.js";
import { createEditor } from "./editor.js";
import { createFrame } from "./frame.js";
import { createEvidence } from "./evidence.js";
import { createGrid } from "./grid.js";
import { createHeld } from "./held.js";
import { createLease } from "./lease.js";
import { createTab, GONE_AFTER_MS } from "./tabs.js";
import { createOutbox, drawer, newId, storageOfPage, waitingTables } from "./outbox.js";
import { createPage } from "./page.js";
import { createPanels } from "./panels.js";
import { createRecovery } from "./recovery.js";
import { closeConnectionNotices } from "./notice.js";
import { createServer } from "./server.js";
import { createVerdicts } from "./verdicts.js";
import { commandOf, isChanged, keyOf, loadKeys } from "./keymap.js";
import { createEditing } from "./editing.js";
import { createFinder } from "./finder.js";
import { createKinship } from "./kinship.js";
import { createTray } from "./tray.js";
import { keyAt } from "./sheet.js";
import { placeOf, storyOf } from "./board.js";
import { pageKeys } from "./moves.js";
import { takeFromPage } from "./actions.js";
import { createAreas } from "./areas.js";
import { onlyLooks, watchGestures } from "./gestures.js";
import { watchActivity } from "./activity.js";
import { createStillWorking } from "./still_working.js";
import { pageClock } from "./clock.js";
import { around } from "./words.js";
import { createBeside } from "./beside.js";
import { createMeaning } from "./meaning.js";

/** Start in `host`; `data` is what Streamlit passes, `leave(gold)` asks it to go back to the queue. */
export function createReview(host, data, leave) {
  const client = newId();
  const storage = storageOfPage();
  const stop = new AbortController();
  const server = createServer(data.api, data.queue);
  const { person } = data;
  const tab = createTab({ storage, person, signal: stop.signal });
  let given = null; // the gold table that Streamlit named last
  let desk = null;
  let outdated = false; // the desk shows edits that the server has refused, until the table is read anew
  let outbox = null;
  const outboxes = new Set(); // of all tables opened here: what waits for one goes on while another is open
  let activity = null;
  let opening = 0;
  const leftBehind = waitingTables(storage, person); // by visits that ended before everything was sent

  const page = createPage({ onPick: pick, onTake: take, wordsOf: (number, told) => evidence.wordsOf(number, told), whyNone: (number) => evidence.whyNone(number), onMode: (on) => say(on ? "Drag over words on the page, or step with the arrow keys. Esc ends." : ""), say, onTurn: () => evidence.show(), onRegion: (...region) => drawing.read(...region), onDrawn: () => focusGrid(), habits: drawer(storage, "habit", person) });
  const crop = createCrop({ resolve: server.resolve, onTake: () => run("readPage") });
  loadKeys(storage, person);
  const tray = createTray({ onClose: () => focusGrid(), onShow: () => showSelection(false), onKey: inTray });
  const finder = createFinder({ desk: () => desk, tray, say });
  const kinship = createKinship({ storage, person, desk: () => desk, tray, imageOf: page.imageOf, say, run });
  const grid = createGrid({ onTakeRow: (row) => run("takeRow", row) });
  const beside = createBeside({
    storage, person, server, desk: () => desk, outbox: () => outbox, say, open: (table) => open(table), go: (spot) => pick({ ...spot, first: null }),
    changed: () => changed("talk"), toTable: () => focusGrid(), resized: () => (frame.fit(), desk && evidence.show()),
  });
  const { aside, talk } = beside;
  const lease = createLease({ server, client, desk: () => desk, outbox: () => outbox, typing: () => editor.open, panels: { ask: (...all) => panels.ask(...all), close: () => panels.close() }, shown: () => frame.table(desk.table), reopen, say, signal: stop.signal });
  const frame = createFrame({ lease: lease.element, run, open: (table) => open(table), page, crop, grid, tray: tray.element, offer: kinship.element, ...beside.parts, signal: stop.signal });
  const meaning = createMeaning({ send: server.send, show: frame.means });
  const panels = createPanels(frame.element, () => focusGrid());
  const drawing = createDrawing({ send: server.send, panels, at: () => ({ gold: desk.table.gold, document: desk.table.document.id }), desk: () => desk, open: (table) => open(table), leave: () => page.box(false) });
  const editor = createEditor({
    onDraft: (text) => recovery.draft(text),
    onCommit: (text, event, changed) => commands.commit(text, event, changed),
    onCancel: focusGrid,
    onCommand: pressed,
  });
  const evidence = createEvidence({ page, crop, desk: () => desk, words: (path) => server.words(path, desk.table.gold), seen });
  const recovery = createRecovery({ storage, person, panels, desk: () => desk, outbox: () => outbox, edit, outdated: () => outdated });
  const held = createHeld({ desk: () => desk, outdated: () => outdated, editor, grid, panels, recovery, element: frame.element, signal: stop.signal });
  const commands = createCommands({
    desk: () => desk,
    say,
    edit,
    commands: {
      nextTable: () => openBeside(1),
      previousTable: () => openBeside(-1),
      setAside: () => (desk.table.lease ? lease.ask() : recovery.offer()),
      takeOver: () => lease.ask(),
      ...page.commands,
      resume: () => outbox.resume(),
      ...beside.commands,
      escape,
      wasWorking: () => say("There is no question to answer now."), // while there is one, it hears the key first
      wasAway: () => say("There is no question to answer now."),
      ...createEditing({ desk: () => desk, say, wordsOf: evidence.wordsOf, whyNone: evidence.whyNone, panels, finder, kinship }),
      ...pageKeys({ desk: () => desk, lines: () => grid.linesInSight() }),
      ...createVerdicts({ desk: () => desk, outbox: () => outbox, activity: () => activity, server, frame, panels, recovery, beside, lease: () => lease, say, open, leave, focusGrid }),
    },
  });
  drawer(storage, "refused", person).watch(() => showSaving(outbox), stop.signal); // the drawer is that of all tabs
  const stillWorking = createStillWorking(frame.element, (answer) => {
    const id = newId();
    emit(outbox, { id, answer: { id, ...answer } });
  });
  host.append(frame.element);

  function say(text) {
    frame.say(text);
  }

  function run(id, argument) {
    if (!desk) return;
    if (editor.open && !onlyLooks(id)) editor.commit();
    commands.run(id, argument);
    if (!panels.open && !tray.focused && !aside.holdsFocus()) focusGrid();
  }

  // In the tray: find, replace, and undo of what was done from there.
  function inTray(event) {
    const command = commandOf(event);
    const takes = command?.typing || (["undo", "redo"].includes(command?.id) && finder.undoes(event));
    if (takes) commands.run(command.id);
    return Boolean(takes);
  }

  // --- opening a table ---------------------------------------------------------------------------------------

  async function open({ gold, token }, { early = false, keep = null, queue = null } = {}) {
    server.learn(gold, token);
    if (editor.open && !keep) editor.commit();
    const turn = (opening += 1);
    const asked = pageClock.now();
    activity?.waiting(true);
    let json;
    try {
      json = await server.table(gold, { early, waiting: leftBehind });
    } catch (wrong) {
      activity?.waiting(false);
      if (turn === opening) panels.end("This table could not be loaded", wrong.message, [["Try again", () => open({ gold }, { keep })]]);
      return;
    }
    if (turn !== opening) return;
    if (queue) json = { ...json, queue }; // what was fetched ahead counts the table before as open
    leftBehind.length = 0;
    const taken = keep && held.take();
    leaveTable();
    for (const one of [...json.tables, ...(json.waiting ?? [])]) server.learn(one.gold, one.token);
    const opened = (outbox = outboxOf(gold));
    outbox.known(new Set([...json.history, ...json.threads.flatMap(({ comments }) => comments)].map(({ id }) => id)));
    const changedHere = json.history.some((entry) => entry.person === person);
    desk = createDesk(json, { person, mode: keep?.mode ?? desk?.mode ?? "aligned", keep: (entry) => opened.add(entry), spent: () => activity.edit(), changed, made: kinship.made, say });
    outdated = false;
    recovery.replay();
    beside.opened(json);
    lease.opened(json);
    evidence.forget();
    kinship.forget();
    page.open(json.document, server.resolve, drawer(storage, "turn", person, json.document.sha256), keep ? null : json.page);
    frame.table(desk.table);
    frame.fit();
    changed("board");
    const named = !keep && gold === data.gold && data.cell && desk.find(...data.cell.split(":")); // as a deep link names it
    if (named) desk.select(named);
    changed("cursor");
    if (taken) held.give(taken);
    activity = watchActivity({ storage, person, gold, client, edited: changedHere, reopened: json.review?.reopened ?? false, reading: json.status === "accepted", timed: json.review?.timed ?? true, loaded: pageClock.now() - asked, spent: json.review?.active_ms ?? 0, emit: (entry) => emit(opened, entry), returned: stillWorking.ask });
    const at = desk.selected;
    if (at.row !== null) activity.cell(keyAt(desk.sheet, at.row, at.col));
    const url = new URL(location.href);
    url.searchParams.set("table", gold);
    if (gold !== data.gold) url.searchParams.delete("cell");
    history.replaceState(history.state, "", url);
    if (json.queue?.next) server.prefetch(json.queue.next);
    showSaving(opened);
    if (taken) held.offerAtRest();
    else recovery.offer();
    beside.drawn();
    for (const one of json.waiting ?? []) if (one.gold !== gold) outboxOf(one.gold).resume();
    if (opened.elsewhere) setTimeout(() => takeOver(opened), GONE_AFTER_MS + 500);
  }

  function reopen() {
    return open({ gold: desk.table.gold }, { keep: { mode: desk.mode } });
  }

  // What another tab had not sent is that tab's, unless it is gone by now: then it is read with the table anew.
  function takeOver(opened) {
    if (stop.signal.aborted || opened !== outbox || !outbox.leftBehind()) return;
    reopen();
  }

  function showSaving(box) {
    if (box && box === outbox) frame.saving(box.state(), { edits: box.edits().length, comments: box.comments().length }, box.refused().length, box.kept());
    if (box === outbox && aside.shows === "talk") aside.refresh();
  }

  // What the server refused stays here and is shown again beside the table as it is now.
  function refused(answer) {
    outdated = true;
    panels.withdraw("conflict"); // what it says of the table is no longer true; it comes again with the table as it is
    recovery.refused(answer);
    reopen();
  }

  function leaveTable() {
    evidence.stop();
    tray.close({ quietly: true });
    activity?.close();
    stillWorking.close();
    editor.close();
    activity = null;
  }

  function openBeside(by) {
    const { tables, gold } = desk.table;
    const next = tables[tables.findIndex((one) => one.gold === gold) + by];
    if (next) open(next);
    else say(by > 0 ? "This is the last table of the document." : "This is the first table of the document.");
  }

  function emit(box, entry) {
    box.add(entry, false);
    setTimeout(box.pump, 50);
  }

  function outboxOf(gold) {
    for (const box of outboxes) if (box.gold === gold) outboxes.delete(box.close());
    const box = createOutbox({
      storage,
      person,
      gold,
      tab,
      send: server.send,
      beacon: server.beacon,
      onAck: (answer) => box === outbox && desk.acknowledge(answer),
      onMet: ({ words }) => box === outbox && reopen().then(() => say(words)),
      onRefused: (answer) => (box === outbox ? refused(answer) : say("Edits of another table no longer fit. They are kept and shown when you open it.")),
      onSaid: (answer) => box === outbox && talk.learn(answer.threads),
      onUnsaid: (comments, answer) => talk.unsaid(gold, comments, answer),
      onState: () => showSaving(box),
    });
    outboxes.add(box);
    return box;
  }

  // --- drawing -----------------------------------------------------------------------------------------------

  // `moved`: the cursor, too.
  function changed(what, { moved = what === "cursor" } = {}) {
    if (!desk?.board) return undefined;
    aside.refresh();
    if (what === "talk") {
      desk.discuss(talk.threads());
      frame.discussed(desk.table);
    }
    if (moved) say("");
    if (what === "cursor") return showSelection(true);
    const { table, board } = desk;
    if (what === "seen") {
      grid.repaint(desk.selected);
      evidence.mark(desk.selected);
      return frame.inspect(board, desk.cursor);
    }
    const focused = grid.element.contains(host.getRootNode().activeElement);
    grid.draw(board, { form: table.form && desk.mode !== "first", rtl: table.rtl, editing: editor.open });
    frame.progress(desk.mode, desk.doubts().length, desk.byRisk);
    evidence.boxes();
    tray.refresh();
    return showSelection(moved || (focused && !editor.open));
  }

  function showSelection(focus) {
    frame.inspect(desk.board, desk.cursor); // first, as the line below the table may take room from it
    grid.select(desk.cursor, desk.selectedCells, { focus: focus && !panels.open && !editor.open && !tray.focused });
    const anchor = desk.selected;
    const { cell } = anchor.row === null ? { cell: null } : storyOf(desk.board, anchor.row, anchor.col);
    meaning.of(desk.table.gold, cell && cell.header !== "column" ? desk.table.columns[anchor.col] : null, cell?.text ?? "");
    activity?.cell(anchor.row === null ? "" : keyAt(desk.sheet, anchor.row, anchor.col));
    evidence.show();
  }

  function seen(anchor) {
    if (desk.see(anchor)) activity?.seen(desk.sheet.row_ids[anchor.row], desk.sheet.col_ids[anchor.col]);
  }

  function focusGrid() {
    if (editor.open) editor.focus();
    else if (desk) grid.select(desk.cursor, desk.selectedCells, { focus: true });
  }

  // --- what the person does ----------------------------------------------------------------------------------

  function pick(cursor, options) {
    if (editor.open) editor.commit();
    evidence.again(); // a click on the selected cell asks for its place
    const here = cursor.first === undefined ? (desk.mode === "first" ? { row: null, first: cursor.row, col: cursor.col } : { ...cursor, first: null }) : cursor;
    desk.select(here, options);
  }

  function edit(options) {
    const { cursor, selected, mode } = desk;
    if (desk.readOnly) return say(desk.whyReadOnly);
    if (cursor.row === null || mode === "first") return say(mode === "first" ? "The first extraction is read only." : `This row is read only. ${keyOf("takeFirst")} takes it into gold.`);
    grid.select(cursor, desk.selectedCells, { focus: false }); // it may have been scrolled out of sight
    const td = grid.tdAt(cursor);
    const { cell } = storyOf(desk.board, selected.row, selected.col);
    if (td) editor.edit(td, cell?.text ?? "", { ...options, label: placeOf(desk.board, selected) });
    return undefined;
  }

  function take(text, box, add) {
    if (editor.open) editor.cancel();
    const { row, col } = desk.selected;
    if (row === null || desk.mode === "first") return say("Select a gold cell first.");
    const { cell } = storyOf(desk.board, row, col);
    const joined = add && cell?.text ? `${cell.text} ${text}` : text;
    const whole = add && cell?.box && cell.box[0] === box[0] ? around(box[0], [cell.box, box]) : box;
    desk.commit(takeFromPage(desk.sheet, row, col, joined, whole));
    return focusGrid();
  }

  function escape() {
    if (page.taking) page.take(false);
    else if (aside.shows) aside.close();
    else desk.select(desk.cursor);
  }

  function pressed(event) {
    const command = commandOf(event);
    if (!command || command.native || !commands.has(command.id)) return undefined;
    // Ctrl with a letter belongs to the field while one types, unless the command is meant for then, or was put there.
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !command.typing && !isChanged(command.id)) return undefined;
    event.preventDefault();
    if (command.id === "fillSelection") {
      editor.commit({ fill: true });
      return focusGrid();
    }
    const caret = editor.caret;
    return run(command.id, command.id === "splitText" ? caret : undefined);
  }

  // --- listening ---------------------------------------------------------------------------------------------

  const { signal } = stop;
  watchGestures({ desk: () => desk, element: frame.element, grid, editor, panels, commands, edit, pick, signal });

  const takesWords = (event) => desk && !panels.open && !editor.open && page.key(event);
  frame.element.addEventListener("keydown", (event) => takesWords(event) && (event.preventDefault(), event.stopPropagation()), { capture: true, signal });

  closeConnectionNotices({ root: host.getRootNode(), otherwise: () => !panels.open && focusGrid(), signal });
  createAreas({ root: frame.element, areas: [...frame.areas, aside.area], toTable: focusGrid, isFree: () => Boolean(desk) && !panels.open, leaving: () => editor.open && editor.commit(), signal });

  addEventListener("resize", () => desk && (frame.fit(), evidence.show()), { signal });
  addEventListener("online", () => outboxes.forEach((box) => box.pump()), { signal });
  addEventListener("pagehide", () => {
    activity?.finish();
    outboxes.forEach((box) => box.farewell());
  }, { signal });
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && outbox?.unsent().length && outbox.farewell(), { signal });
  const ticking = setInterval(() => activity && frame.time(activity.timed ? activity.total() : null), 500);

  frame.element.__review = {
    pending: () => outbox?.unsent().length ?? 0,
    revision: () => desk?.revision ?? -1,
    doubts: () => desk?.doubts().map(({ row, col }) => [row, col]) ?? [],
    lines: () => desk?.board.lines.map(({ gold, first }) => [gold, first]) ?? [],
    selected: () => {
      if (!desk) return null;
      const { row, first, col } = desk.selected;
      return row === null ? { first_row: first, col } : { row, col };
    },
  };

  return {
    /** Called on each change of Streamlit's data: a new token, or another table. */
    update(next) {
      server.learn(next.gold, next.token);
      const named = next.gold !== given;
      given = next.gold;
      if (named && next.gold !== desk?.table.gold) {
        open({ gold: next.gold, token: next.token });
      } else if (outbox?.state() === "expired") {
        outbox.resume();
      }
    },
    styled: () => frame.fit(),
    close() {
      leaveTable();
      for (const box of outboxes) {
        box.farewell();
        box.close();
      }
      clearInterval(ticking);
      stop.abort();
      frame.element.remove();
    },
  };
}
