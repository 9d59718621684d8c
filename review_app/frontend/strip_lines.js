/** The lines of a strip: what they are called, how they are chosen, and what an edit makes of them. Pure. */

export const KINDS = {
  any: "Anything odd",
  unparsed: "Cannot be read",
  check: "Arithmetic fails",
  page: "Page reads otherwise",
  "look-alike": "Look-alike characters",
  confidence: "Low confidence",
  "no score": "No score",
  characters: "Odd characters",
  pattern: "Rare pattern",
  differs: "First and gold differ",
  repeat: "Same as the row above",
  length: "Odd length",
  "missed row": "Row not extracted",
  repaired: "Repaired while reading",
};
export const STATES = { open: "To decide", settled: "Decided", all: "All" };
const MARKS = {
  confirmed: ["✓", "confirmed"],
  unreadable: ["?", "unreadable"],
  absent: ["∅", "absent on purpose"],
};
const CHECKED = new Set(["unparsed", "check"]);

/** The sign and the word for what a person decided about a line; both empty where nobody did. */
export const decisionOf = (line) => MARKS[line.mark] ?? (line.edited ? ["✎", "edited"] : ["", ""]);

/** Whether a person has decided about a line, here or in the review. */
export const isSettled = (line) => Boolean(line.mark || line.edited);

/** The values of a facet that a line has. */
function valuesOf(line, facet) {
  if (facet === "kind") return line.reasons.map(([kind]) => kind);
  if (facet === "pattern") return [line.pattern];
  return [line.document];
}

function passes(line, facet, chosen) {
  // What is decided in this visit stays where it is: nothing jumps away under the person.
  if (facet === "state") return chosen === "all" || line.touched || isSettled(line) === (chosen === "settled");
  return chosen === null || valuesOf(line, facet).includes(chosen);
}

const FACETS = ["kind", "pattern", "document"];

/** The lines that pass all that is chosen: `{state, kind, pattern, document}`, null for no choice. */
export function shownOf(lines, chosen) {
  return lines.filter((line) => ["state", ...FACETS].every((facet) => passes(line, facet, chosen[facet])));
}

/** For each facet its values and how many lines each would show beside the other choices, the most first. */
export function facetsOf(lines, chosen) {
  const found = Object.fromEntries(FACETS.map((facet) => [facet, new Map()]));
  for (const line of lines) {
    for (const facet of FACETS) {
      if (!["state", ...FACETS].every((other) => other === facet || passes(line, other, chosen[other]))) continue;
      for (const value of new Set(valuesOf(line, facet))) found[facet].set(value, (found[facet].get(value) ?? 0) + 1);
    }
  }
  return Object.fromEntries(FACETS.map((facet) => [facet, [...found[facet]].sort((one, other) => other[1] - one[1])]));
}

/** The edit that gives a line another text; null where it has it. */
export function textEdit(line, text) {
  return text === line.text ? null : { kind: "set_text", changes: [{ row: line.row, col: line.col, old: line.text, new: text }] };
}

/** The edit that sets a mark. */
export function markEdit(line, mark) {
  return mark === line.mark ? null : { kind: "mark", changes: [{ row: line.row, col: line.col, old: line.mark, new: mark }] };
}

/** The edit that takes one back; only edits of one cell are made here. */
export function backwards({ kind, changes }) {
  return { kind, changes: changes.map((change) => ({ ...change, old: change.new, new: change.old })).reverse() };
}

/** What an edit of one cell makes of its line. */
export function after(line, edit) {
  const [{ new: next }] = edit.changes;
  return edit.kind === "mark" ? { ...line, mark: next, touched: true } : { ...line, text: next, edited: next !== line.began, touched: true };
}

/** The line once the server has checked its table again: failed checks that no longer fail are gone. */
export function checkedAgain(line, findings) {
  const messages = new Set(findings.map(({ message }) => message));
  const reasons = line.reasons.filter(([kind, reason]) => !CHECKED.has(kind) || messages.has(reason));
  return reasons.length === line.reasons.length ? line : { ...line, reasons };
}

const ZERO_BEGINS = new Set(["integer", "number", "currency", "percent", "quantity", "date", "id"]);
const COMMANDS = { a: "confirm", u: "unreadable", f: "takeFirst", z: "undo", o: "open", c: "columns" };

/**
 * What a press means on a line: a command, "type" where it begins a new value, or null. Plain Latin letters command;
 * digits, signs, capital letters and letters of other scripts begin a value. 0 begins one where values begin with
 * digits, and says "absent" elsewhere; with Alt every command is meant everywhere, as in the review.
 */
export function meaningOf(event, line) {
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === "z" && !event.shiftKey ? "undo" : null;
  const named = { Enter: "next", ArrowDown: "next", ArrowUp: "previous", PageDown: "pageDown", PageUp: "pageUp", Home: "first", End: "last", F2: "edit", Delete: "clear", Backspace: "clear", Escape: "back", ArrowLeft: "facets", ArrowRight: "facets", "?": "help", F1: "help" }[event.key];
  if (named && !event.altKey) return named;
  const letter = event.altKey ? (/^(?:Key|Digit)(.)$/.exec(event.code)?.[1] ?? "").toLowerCase() : event.key.toLowerCase();
  if (letter === "0" && (event.altKey || !ZERO_BEGINS.has(line?.type))) return "absent";
  if (/^[a-z]$/.test(letter) && !event.shiftKey) return COMMANDS[letter] ?? (event.altKey ? null : "unknown");
  return [...event.key].length === 1 && event.key !== " " && !event.altKey ? "type" : null;
}
