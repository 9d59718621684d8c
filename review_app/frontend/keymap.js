/** The key map as this person has it: the defaults of keys.js with the keys that were changed, kept in the browser. */

import { KEYS, matches, shown, whyNot } from "./keys.js";
import { drawer } from "./outbox.js";

let changed = {}; // id -> keys, of the commands whose keys the person changed
let kept = null;
const listeners = new Set();

/** Load what a person changed; from then on all that ask here follow it. */
export function loadKeys(storage, person) {
  kept = drawer(storage, "keys", person);
  const known = Object.entries(kept.get("map") ?? {}).filter(([id, keys]) => defaultOf(id) && Array.isArray(keys));
  changed = Object.fromEntries(known);
  tell();
}

const defaultOf = (id) => KEYS.find((key) => key.id === id);

function tell() {
  for (const heard of listeners) heard();
}

function keep() {
  kept?.put("map", changed);
  tell();
}

/** `heard()` is called after each change, until `signal` ends it. */
export function onKeys(heard, signal) {
  listeners.add(heard);
  signal.addEventListener("abort", () => listeners.delete(heard));
}

/** The keys of a command now. */
export const keysOf = (id) => changed[id] ?? defaultOf(id)?.keys ?? [];

/** Whether the person changed a command's keys. */
export const isChanged = (id) => id in changed;

/** The first key of a command as a person reads it: "Alt+F". */
export const keyOf = (id) => (keysOf(id)[0] ? shown(keysOf(id)[0]) : "no key");

/** The command of a key press, or null. */
export function commandOf(event) {
  if (event.getModifierState("AltGraph")) return null;
  return KEYS.find(({ id }) => keysOf(id).some((keys) => matches(event, keys))) ?? null;
}

/** Give a command another key; words where it cannot have it, else "". */
export function changeKey(id, press) {
  const taken = KEYS.find((key) => key.id !== id && keysOf(key.id).includes(press));
  const why = whyNot(press, taken && { ...taken, does: taken.does ?? defaultOf(taken.like)?.does });
  if (why) return why;
  changed = { ...changed, [id]: [press] };
  if (defaultOf(id).keys.join() === press) delete changed[id];
  keep();
  return "";
}

/** Back to the default: of one command, or of all. Words where another command has the default key now, else "". */
export function resetKeys(id = null) {
  if (id) {
    const taken = KEYS.find((key) => key.id !== id && isChanged(key.id) && changed[key.id].some((press) => defaultOf(id).keys.includes(press)));
    if (taken) return `${shown(defaultOf(id).keys[0])} is taken: ${taken.does ?? taken.id}. Change that one first.`;
    const { [id]: gone, ...rest } = changed;
    changed = rest;
  } else {
    changed = {};
  }
  keep();
  return "";
}

/** What an element needs whose tooltip tells a command's key; the tooltip follows the key. */
export const keyed = (command, tip) => ({ "data-command": command, "data-tip": tip });

/** Write the key of each element that names its command (`data-command`) into its tooltip or its text. */
export function labelKeys(root) {
  for (const one of root.querySelectorAll("[data-command]")) {
    const { command, tip } = one.dataset;
    if (one.localName === "kbd") one.textContent = keyOf(command);
    else one.title = `${tip} (${keyOf(command)})`;
  }
}
