/** What the text of the selected cell means in its column: asked of the server once a person rests at it, and remembered. */

const ASKED_AFTER_MS = 150;
const TYPED = new Set(["integer", "number", "currency", "percent", "quantity", "date", "boolean"]);
const MOST_KEPT = 2000;

/** `send(path, body)` asks the server; `show(words)` tells the person, "" where there is nothing to tell. */
export function createMeaning({ send, show }) {
  const known = new Map(); // gold, column and text -> promise of the words
  let waiting = null;
  let turn = 0;

  function asked(gold, column, text) {
    const key = JSON.stringify([gold, column, text]);
    if (!known.has(key)) {
      if (known.size >= MOST_KEPT) known.clear();
      known.set(key, send("/api/meaning", { gold, column, text }).then(({ status, body }) => (status === 200 ? wordsOf(body, text) : "")));
      known.get(key).catch(() => known.delete(key));
    }
    return known.get(key);
  }

  return {
    /** The cell that is selected: its table, its column as the table type names it (null for none), its text. */
    of(gold, column, text) {
      clearTimeout(waiting);
      const mine = (turn += 1);
      show("");
      if (!column || !TYPED.has(column.type) || !text) return;
      waiting = setTimeout(() => asked(gold, column.name, text).then((words) => mine === turn && show(words), () => undefined), ASKED_AFTER_MS);
    },
  };
}

/** What is told: how the text is read where that is not what it says already, and what is doubtful in it. */
export function wordsOf({ read_as: value, flags }, text) {
  const told = value && value.split(" ")[0] !== text.trim() ? [`reads as ${value}`] : [];
  return [...told, ...flags.filter((flag) => !flag.startsWith("does not parse"))].join(", ");
}
