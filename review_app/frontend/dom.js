/** Makes the elements of the review component; text is always set as text, never as markup. */

/** An element with attributes and children; `onclick` and the like become listeners, strings become text. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Give an element another text; the same text costs no layout. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A time as hours, minutes and seconds: "2:05", "1:00:09". */
export function clock(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The time of day of a moment here: "14:02"; with the day where it was not today. */
export function clockTime(moment) {
  const at = new Date(moment);
  const time = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return at.toDateString() === new Date().toDateString() ? time : `${at.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${time}`;
}

/** A count with its noun: "1 edit", "3 edits". */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
