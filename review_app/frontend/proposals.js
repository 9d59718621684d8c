/** A list of proposed changes, old beside new: walked by arrow keys, each can be left out, drawn as far as scrolled. */

import { h } from "./dom.js";
import { LEVELS } from "./looks.js";
import { transformOf, turnedBox, turnedSize } from "./turning.js";

const AT_ONCE = 100;
const THUMB_PX = 22;

/**
 * `onPlace(item)` when the person walks to an item, `onChosen()` when one is left out or taken in again,
 * `onApply()` on Enter. `label` names the list.
 */
export function createProposals({ label, onPlace, onChosen, onApply }) {
  const element = h("div", { class: "proposals", role: "listbox", tabindex: "0", "aria-label": label, "aria-multiselectable": "true", "data-testid": "proposals" });
  const name = `proposal-${Math.random().toString(36).slice(2)}`;
  const out = new Set(); // places that the person left out
  let items = [];
  let lines = [];
  let active = -1;
  let optional = true;

  const keyOf = ({ row, col }) => `${row},${col}`;

  function lineOf(item, index) {
    const changes = item.new !== item.old;
    const sign = LEVELS[item.level]?.sign;
    return h("div", { role: "option", id: `${name}-${index}`, "data-cell": keyOf(item), "aria-selected": String(!out.has(keyOf(item))), onclick: () => (go(index), optional && toggle()) },
      optional ? h("span", { class: "tick", "aria-hidden": "true" }) : null,
      h("span", { class: "place" }, item.place),
      sign ? h("span", { class: "badge", "data-level": item.level, title: LEVELS[item.level].word }, sign) : h("span", { class: "badge" }),
      item.thumb ? thumbOf(item.thumb) : null,
      h("bdi", { class: "old" }, item.old || "empty"), changes ? h("span", { class: "arrow", "aria-label": "becomes" }, "→") : null,
      changes ? h("bdi", { class: "new" }, item.new || "empty") : null);
  }

  function draw(upTo) {
    const fresh = items.slice(lines.length, upTo).map((item, index) => lineOf(item, lines.length + index));
    lines.push(...fresh);
    element.append(...fresh);
  }

  function go(index) {
    if (!items.length) return;
    lines[active]?.classList.remove("active");
    active = (index + items.length) % items.length;
    if (active >= lines.length) draw(active + AT_ONCE);
    lines[active].classList.add("active");
    element.setAttribute("aria-activedescendant", lines[active].id);
    lines[active].scrollIntoView({ block: "nearest" });
    onPlace(items[active]);
  }

  function toggle() {
    const item = items[active];
    if (!item) return;
    const key = keyOf(item);
    if (!out.delete(key)) out.add(key);
    lines[active].setAttribute("aria-selected", String(!out.has(key)));
    onChosen();
  }

  element.addEventListener("scroll", () => {
    if (element.scrollTop + element.clientHeight > element.scrollHeight - 100 && lines.length < items.length) draw(lines.length + AT_ONCE);
  });
  element.addEventListener("focus", () => active < 0 && items.length && go(0));
  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (by) go(Math.max(0, Math.min(items.length - 1, active + by)));
    else if (event.key === "Home" || event.key === "End") go(event.key === "Home" ? 0 : items.length - 1);
    else if (event.key === " " && optional) toggle();
    else if (event.key === "Enter") onApply();
    else return;
    event.preventDefault();
  });

  return {
    element,
    /** Show `[{row, col, old, new, place, level, thumb}]`; where nothing would change, nothing can be left out. */
    set(next, { choosable = true } = {}) {
      const here = items[active] && keyOf(items[active]);
      items = next;
      optional = choosable;
      lines = [];
      element.replaceChildren();
      element.removeAttribute("aria-activedescendant");
      draw(AT_ONCE);
      active = here ? items.findIndex((item) => keyOf(item) === here) : -1;
      lines[active]?.classList.add("active");
    },
    /** To the next or previous item, from the active one, else from a place in the table. */
    step(by, from) {
      if (active >= 0) return go(active + by);
      const after = items.findIndex(({ row, col }) => row > from.row || (row === from.row && col >= from.col));
      return go(by > 0 ? Math.max(0, after) : (after < 0 ? items.length : after) - 1);
    },
    chosen: () => items.filter((item) => !out.has(keyOf(item))),
    leftOut: () => items.filter((item) => out.has(keyOf(item))),
  };
}

/** A piece of the page as high as a line of text, turned as the page is: `{leaf, box}`. */
function thumbOf({ leaf: { page, turn, address }, box }) {
  const seen = turnedSize(page, turn);
  const [, x0, y0, x1, y1] = turnedBox(box, turn);
  const scale = Math.min(1.4, THUMB_PX / ((y1 - y0) * seen.height + 4));
  const [wide, high] = [seen.width * scale, seen.height * scale];
  const image = h("img", { src: address, alt: "", draggable: "false", style: `width:${page.width * scale}px;height:${page.height * scale}px;transform-origin:0 0;transform:${transformOf(turn)}` });
  const sheet = h("span", { class: "thumb-sheet", style: `left:${4 - x0 * wide}px;top:${(THUMB_PX - (y1 - y0) * high) / 2 - y0 * high}px` }, image);
  return h("span", { class: "thumb", style: `width:${Math.min(200, (x1 - x0) * wide + 8)}px`, "aria-hidden": "true" }, sheet);
}
