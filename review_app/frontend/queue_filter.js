/** The filter of the queue as it stands in the address, and what its choices are called. Pure. */

export const STATUSES = {
  todo: "To do",
  open: "Open",
  skipped: "Skipped",
  flagged: "Flagged",
  accepted: "Accepted",
  all: "All",
};
export const ORDERS = { risk: "Riskiest first", document: "By document", age: "Oldest first" };
const LEVELS = { low: "Low", medium: "Medium", none: "No score" };
const REASONS = {
  unparsed: "Value cannot be read",
  check: "Arithmetic fails",
  page: "Page reads otherwise",
  confidence: "Low confidence",
  "no score": "No score",
  "missed row": "Row not extracted",
  repaired: "Repaired while reading",
  "extra row": "Row too many",
  "second pass": "Keyed a second time",
  blind: "Keyed without the first extraction",
  "nothing extracted": "Nothing extracted",
  "no doubt": "No doubtful cell",
};
/** The parts that are chosen from a list: what each is called, and what its values are called. */
export const PARTS = {
  project: { label: "Project", all: "All projects", words: {} },
  table_type: { label: "Table type", all: "All table types", words: { "": "Without a table type" } },
  level: { label: "Worst badge", all: "All badges", words: LEVELS },
  assigned: { label: "Meant for", all: "Meant for anybody", words: { mine: "Mine", nobody: "Nobody's" } },
  comments: { label: "Comments", all: "With or without comments", words: { open: "With open comments" } },
  reason: { label: "Reason", all: "All reasons", words: REASONS },
};
const DEFAULTS = { words: "", status: "todo", project: "", table_type: "", level: "", reason: "", comments: "", assigned: "", order: "risk" };

/**
 * The filter that an address names. Where a person comes back from a review, Streamlit left an address of the queue
 * with the parts of the review in it: `queue` holds the filter then, and `table` what was opened.
 */
export function filterOf(search) {
  const whole = new URLSearchParams(search);
  const given = whole.has("queue") ? new URLSearchParams(whole.get("queue")) : whole;
  return Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, given.get(name) ?? value]));
}

/** The table that was opened last from this address; null where none was. */
export function openedFrom(search) {
  const given = new URLSearchParams(search);
  return Number(given.get("at") ?? given.get("table")) || null;
}

/** The filter as the query of an address, with what differs from the default alone. */
export function queryOf(filter) {
  const parts = Object.entries(filter).filter(([name, value]) => name in DEFAULTS && value !== DEFAULTS[name]);
  return new URLSearchParams(parts).toString();
}

/** The filter without words and choices; the project and the order stay. */
export const cleared = ({ project, order }) => ({ ...DEFAULTS, project, order });

/** Whether something beside the status is chosen. */
export const narrows = (filter) => ["words", "table_type", "level", "reason", "comments", "assigned"].some((name) => filter[name] !== DEFAULTS[name]);

/** How many tables a status stands for, from the counts of the server. */
export function countOf(counts, status) {
  const of = { todo: ["open", "started", "skipped", "flagged"], open: ["open", "started"], all: ["open", "started", "skipped", "flagged", "accepted"] };
  return (of[status] ?? [status]).reduce((sum, name) => sum + (counts.status?.[name] ?? 0), 0);
}

/**
 * The choices of a part, the commonest first: `[value, words, count]`; the chosen one stands there even where nothing has
 * it. `labels` are what the server calls the values of some parts.
 */
export function choicesOf(part, counts, chosen, labels = {}) {
  const found = { ...(chosen ? { [chosen]: 0 } : {}), ...(counts[part] ?? {}) };
  const named = Object.entries(found).filter(([value]) => value !== "");
  return named.sort((one, other) => other[1] - one[1] || one[0].localeCompare(other[0])).map(([value, count]) => [value, PARTS[part].words[value] ?? labels[part]?.[value] ?? value, count]);
}

/** What to do where the list is empty. */
export function emptyWords(filter, counts) {
  if (narrows(filter)) return "Nothing matches. Esc clears the search and the filters.";
  if (filter.status === "skipped") return "No table was skipped.";
  if (filter.status === "flagged") return "No table is flagged. In the review, Alt+G reports a problem with a table.";
  if (filter.status === "accepted") return "No table is accepted yet. Open one with Enter; there, Ctrl+Enter accepts it.";
  const left = countOf(counts, "todo");
  if (filter.status === "open" && left) return `No table is open. ${left} skipped or flagged: press 1.`;
  return "Every table is accepted. Look at the results, or import more files.";
}
