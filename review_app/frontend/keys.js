/** The key map as data, and how a key press is matched to it. */

/** Every command: its id, its keys, what it does and under which heading the help shows it, or beside which one (`like`). "Mod" is Ctrl or Cmd. */
export const KEYS = [
  { id: "up", keys: ["ArrowUp"], does: "Move by one cell", group: "Move" },
  { id: "down", keys: ["ArrowDown"], like: "up" },
  { id: "left", keys: ["ArrowLeft"], like: "up" },
  { id: "right", keys: ["ArrowRight"], like: "up" },
  { id: "next", keys: ["Tab"], does: "Next, previous cell", group: "Move" },
  { id: "previous", keys: ["Shift+Tab"], like: "next" },
  { id: "enter", keys: ["Enter"], does: "Down (after a run of Tab: to its first column), up", group: "Move" },
  { id: "enterUp", keys: ["Shift+Enter"], like: "enter" },
  { id: "home", keys: ["Home"], does: "First, last cell of the row", group: "Move" },
  { id: "end", keys: ["End"], like: "home" },
  { id: "top", keys: ["Mod+Home"], does: "First, last cell of the table", group: "Move" },
  { id: "bottom", keys: ["Mod+End"], like: "top" },
  { id: "pageUp", keys: ["PageUp"], does: "By as many rows as are in sight", group: "Move" },
  { id: "pageDown", keys: ["PageDown"], like: "pageUp" },
  { id: "jumpUp", keys: ["Mod+ArrowUp"], does: "To the end of a filled run", group: "Move" },
  { id: "jumpDown", keys: ["Mod+ArrowDown"], like: "jumpUp" },
  { id: "jumpLeft", keys: ["Mod+ArrowLeft"], like: "jumpUp" },
  { id: "jumpRight", keys: ["Mod+ArrowRight"], like: "jumpUp" },
  { id: "extendUp", keys: ["Shift+ArrowUp"], does: "Select a range", group: "Move" },
  { id: "extendDown", keys: ["Shift+ArrowDown"], like: "extendUp" },
  { id: "extendLeft", keys: ["Shift+ArrowLeft"], like: "extendUp" },
  { id: "extendRight", keys: ["Shift+ArrowRight"], like: "extendUp" },
  { id: "extendPageUp", keys: ["Shift+PageUp"], like: "extendUp" },
  { id: "extendPageDown", keys: ["Shift+PageDown"], like: "extendUp" },
  { id: "selectRow", keys: ["Shift+Space"], does: "Select the row, the column, the table", group: "Move" },
  { id: "selectCol", keys: ["Mod+Space"], like: "selectRow" },
  { id: "selectAll", keys: ["Mod+A"], like: "selectRow" },
  { id: "area", keys: ["F6", "Shift+F6"], does: "Next, previous area: menu, bar, page, table bar, table", group: "Move", native: true },
  { id: "edit", keys: ["F2"], does: "Edit the cell (typing replaces it)", group: "Edit" },
  { id: "rewrite", keys: ["Backspace"], does: "Empty the cell and edit it", group: "Edit" },
  { id: "clear", keys: ["Delete"], does: "Empty the selected cells", group: "Edit" },
  { id: "copy", keys: ["Mod+C"], does: "Copy", group: "Edit", native: true },
  { id: "cut", keys: ["Mod+X"], does: "Cut", group: "Edit", native: true },
  { id: "paste", keys: ["Mod+V"], does: "Paste, always as text", group: "Edit", native: true },
  { id: "fillDown", keys: ["Mod+D"], does: "Fill down", group: "Edit" },
  { id: "fillRight", keys: ["Mod+R"], does: "Fill right", group: "Edit" },
  { id: "fillSelection", keys: ["Alt+T"], does: "This text into all selected cells, also while typing it", group: "Edit" },
  { id: "find", keys: ["Mod+F"], does: "Find, find and replace", group: "Edit", typing: true },
  { id: "replace", keys: ["Mod+H"], like: "find", typing: true },
  { id: "tidy", keys: ["Alt+N"], does: "Tidy texts: spaces, case, dashes, footnote marks", group: "Edit" },
  { id: "kin", keys: ["Alt+J"], does: "Look at other cells that the last change fits", group: "Edit" },
  { id: "splitText", keys: ["Alt+Shift+S"], does: "Split a text into the next cells or rows; join with the next", group: "Edit" },
  { id: "joinText", keys: ["Alt+Shift+M"], like: "splitText" },
  { id: "undo", keys: ["Mod+Z"], does: "Undo", group: "Edit" },
  { id: "redo", keys: ["Mod+Shift+Z", "Mod+Y"], does: "Redo", group: "Edit" },
  { id: "nextDoubt", keys: ["Alt+ArrowDown"], does: "Next, previous doubtful cell", group: "Review" },
  { id: "previousDoubt", keys: ["Alt+ArrowUp"], like: "nextDoubt" },
  { id: "order", keys: ["Alt+O"], does: "Visit doubts riskiest first, or in reading order", group: "Review" },
  { id: "confirm", keys: ["Alt+A"], does: "Confirm the cell; again: take it back", group: "Review" },
  { id: "confirmRow", keys: ["Alt+R"], does: "Confirm the row, as far as it was seen", group: "Review" },
  { id: "unreadable", keys: ["Alt+U"], does: "Unreadable on the page", group: "Review" },
  { id: "absent", keys: ["Alt+0"], does: "Absent on purpose", group: "Review" },
  { id: "takeFirst", keys: ["Alt+F"], does: "Take the first value, or the whole extra row", group: "Review" },
  { id: "takePage", keys: ["Alt+P"], does: "Take words from the page: drag over them (or Alt+drag), or arrows, then Enter; Shift+Enter adds", group: "Review" },
  { id: "readPage", keys: ["Alt+X"], does: "Read the selected cells, or an empty row, from the page", group: "Review" },
  { id: "accept", keys: ["Mod+Enter"], does: "Accept the table and open the next one", group: "Review" },
  { id: "skip", keys: ["Alt+K"], does: "Skip the table", group: "Review" },
  { id: "flag", keys: ["Alt+G"], does: "Flag the table, with a reason", group: "Review" },
  { id: "comment", keys: ["Alt+C"], does: "Comments on the cell or the table", group: "Review" },
  { id: "nextComment", keys: ["Alt+Shift+C"], does: "Next cell with an open comment", group: "Review" },
  { id: "past", keys: ["Alt+Y"], does: "History of the cell or the table; revert an old edit", group: "Review" },
  { id: "guidelines", keys: ["Alt+H"], does: "Guidelines for this kind of table", group: "Review" },
  { id: "lastAccepted", keys: ["Alt+B"], does: "Back to the table that was accepted last", group: "Review" },
  { id: "takeOver", keys: ["Alt+Shift+O"], does: "Take the table over from the person who has it", group: "Review" },
  { id: "nextTable", keys: ["Alt+PageDown"], does: "Next, previous table of the document", group: "Review" },
  { id: "previousTable", keys: ["Alt+PageUp"], like: "nextTable" },
  { id: "wasWorking", keys: ["F8"], does: "After a long pause: I was working, I was away", group: "Review" },
  { id: "wasAway", keys: ["F9"], like: "wasWorking" },
  { id: "merge", keys: ["Alt+M"], does: "Merge the selected cells", group: "Rows, columns, merged cells" },
  { id: "split", keys: ["Alt+S"], does: "Split a merged cell", group: "Rows, columns, merged cells" },
  { id: "shape", keys: ["Alt+E"], does: "Span and headers, by numbers", group: "Rows, columns, merged cells" },
  { id: "insertBelow", keys: ["Alt+I"], does: "Insert rows below, above (as many as selected)", group: "Rows, columns, merged cells" },
  { id: "insertAbove", keys: ["Alt+Shift+I"], like: "insertBelow" },
  { id: "deleteRow", keys: ["Alt+Delete"], does: "Delete the selected rows", group: "Rows, columns, merged cells" },
  { id: "insertAfter", keys: ["Alt+L"], does: "Insert columns after, before", group: "Rows, columns, merged cells" },
  { id: "insertBefore", keys: ["Alt+Shift+L"], like: "insertAfter" },
  { id: "deleteCol", keys: ["Alt+Shift+Delete"], does: "Delete the selected columns", group: "Rows, columns, merged cells" },
  { id: "duplicateRow", keys: ["Alt+D"], does: "Duplicate the rows, the columns", group: "Rows, columns, merged cells" },
  { id: "duplicateCol", keys: ["Alt+Shift+D"], like: "duplicateRow" },
  { id: "moveUp", keys: ["Alt+Shift+ArrowUp"], does: "Move the rows, the columns", group: "Rows, columns, merged cells" },
  { id: "moveDown", keys: ["Alt+Shift+ArrowDown"], like: "moveUp" },
  { id: "moveLeft", keys: ["Alt+Shift+ArrowLeft"], like: "moveUp" },
  { id: "moveRight", keys: ["Alt+Shift+ArrowRight"], like: "moveUp" },
  { id: "zoomIn", keys: ["Alt+="], does: "Zoom the page (or Ctrl+wheel)", group: "Page" },
  { id: "zoomOut", keys: ["Alt+-"], like: "zoomIn" },
  { id: "fitWidth", keys: ["Alt+W"], does: "Fit the page's width, the whole page", group: "Page" },
  { id: "fitPage", keys: ["Alt+Shift+W"], like: "fitWidth" },
  { id: "fitCell", keys: ["Alt+Z"], does: "Zoom to the selected cell, and back", group: "Page" },
  { id: "turnPage", keys: ["Alt+Q"], does: "Quarter turn of the page, and back (in the view alone)", group: "Page" },
  { id: "turnPageBack", keys: ["Alt+Shift+Q"], like: "turnPage" },
  { id: "nextPage", keys: ["Alt+Shift+PageDown"], does: "Next, previous page", group: "Page" },
  { id: "previousPage", keys: ["Alt+Shift+PageUp"], like: "nextPage" },
  { id: "drawRegion", keys: ["Alt+Shift+P"], does: "Draw a box around a table and read it (or Ctrl+drag): arrows move it, Shift+arrows resize, Enter reads", group: "Page" },
  { id: "view", keys: ["Alt+V"], does: "Next view: aligned, gold, first", group: "Page" },
  { id: "help", keys: ["F1", "?", "Shift+?"], does: "This help", group: "Page" },
  { id: "escape", keys: ["Escape"], does: "Give back the old text, close, leave a mode", group: "Page" },
];

const CODES = { "=": ["Equal", "NumpadAdd"], "-": ["Minus", "NumpadSubtract"] };

/** Whether a press types a character: AltGr combinations type, Alt and Ctrl combinations command. */
export function isTyped(event) {
  if ([...event.key].length !== 1) return false;
  return event.getModifierState("AltGraph") || (!event.ctrlKey && !event.metaKey && !event.altKey);
}

/** Whether a press is the one that a key map writes so. */
export function matches(event, keys) {
  const parts = keys.split("+");
  const name = parts.pop();
  const wanted = (modifier) => parts.includes(modifier);
  if ((event.ctrlKey || event.metaKey) !== wanted("Mod")) return false;
  if (event.altKey !== wanted("Alt") || event.shiftKey !== wanted("Shift")) return false;
  // With Alt the key's place counts: on macOS and with compose layouts Alt+A types "å".
  if (wanted("Alt") && CODES[name]) return CODES[name].includes(event.code);
  if (wanted("Alt") && name.length === 1) return [`Key${name}`, `Digit${name}`, `Numpad${name}`].includes(event.code);
  if (wanted("Mod") && name.length === 1 && !/^[a-z]$/i.test(event.key)) return event.code === `Key${name}`;
  return event.key.toLowerCase() === (name === "Space" ? " " : name.toLowerCase());
}

/** A press as a key map writes it, or "" for a modifier alone. */
export function pressOf(event) {
  if (["Control", "Alt", "Shift", "Meta", "AltGraph", "Dead", "Unidentified"].includes(event.key)) return "";
  const byPlace = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code)?.[1] ?? Object.keys(CODES).find((name) => CODES[name].includes(event.code));
  const name = event.key === " " ? "Space" : (event.altKey || event.ctrlKey || event.metaKey) && byPlace ? byPlace : event.key;
  const plain = [...name].length === 1 ? name.toUpperCase() : name;
  return [(event.ctrlKey || event.metaKey) && "Mod", event.altKey && "Alt", event.shiftKey && "Shift", plain].filter(Boolean).join("+");
}

const KEPT = /^(?:Mod\+(?:Shift\+)?(?:N|T|W)|Mod\+(?:Shift\+)?Tab|Mod\+Page(?:Up|Down)|Mod\+Q|Mod\+L|Mod\+[0-9]|Alt\+F4|Alt\+Tab|Alt\+(?:Shift\+)?Space|Mod\+Alt\+Delete|F5|Mod\+(?:Shift\+)?R|F11|F12|Alt\+Home)$/;
const OWN = /^(?:Mod\+)?(?:Shift\+)?(?:Mod\+[CXV]|Tab|Enter|Escape|Arrow\w+|Backspace|Dead|Process)$/;

/** Why a press cannot be a command's key, in words; "" where it can. `taken` is what the map has there already. */
export function whyNot(press, taken) {
  if (KEPT.test(press)) return `${shown(press)} belongs to the browser or the system: it may never arrive here.`;
  if (/^Mod\+[CXV]$/.test(press) || OWN.test(press)) return `${shown(press)} always does what it does in every table.`;
  if (!/^(?:Mod|Alt)\+/.test(press) && !/^(?:Shift\+)?F\d+$/.test(press) && !/^(?:Shift\+)?(?:Delete|Insert|Home|End|PageUp|PageDown|Space)$/.test(press)) {
    return `${shown(press)} alone types into the cell: add Alt or Ctrl.`;
  }
  return taken ? `${shown(press)} is taken: ${taken.does ?? taken.id}. Change that one first.` : "";
}

/** A key as a person reads it on this machine: "Ctrl+Enter", "⌘+Enter". */
export function shown(keys) {
  const mac = /Mac|iPhone|iPad/.test(navigator.platform);
  const names = { Mod: mac ? "⌘" : "Ctrl", Alt: mac ? "⌥" : "Alt", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
  return keys.split("+").map((part) => names[part] ?? part).join("+");
}
