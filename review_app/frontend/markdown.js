/** A safe subset of Markdown: a text becomes plain lists and texts, and those become elements; nothing is read as HTML. */

import { h } from "./dom.js";

const ITEM = /^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(.*)$/;
const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|__(.+?)__|\*(\S(?:.*?\S)?)\*|\b_(\S(?:.*?\S)?)_\b|!\[([^\]]*)\]\([^)]*\)|\[([^\]]+)\]\(([^)\s]+)\)/u;
const LONGEST_LINE = 5_000;
const SAFE = /^https?:\/\//i;

/** Blocks of a text: `["h", level, text]`, `["p", text]`, `["ul"|"ol", items]`, `["quote", text]`, `["code", text]`, `["rule"]`, `["table", rows]`. */
export function blocksOf(text) {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks = [];
  let here = 0;
  const take = (keep) => {
    const start = here;
    while (here < lines.length && keep(lines[here])) here += 1;
    return lines.slice(start, here);
  };
  const starts = (line) => /^\s*$|^#{1,6}\s|^```|^>|^\s*(?:[-*_]\s*){3,}$/.test(line) || ITEM.test(line) || /^\|.*\|\s*$/.test(line);
  while (here < lines.length) {
    const line = lines[here];
    const heading = line.match(/^(#{1,6})\s+(.*?)\s*#*$/);
    if (/^\s*$/.test(line)) {
      here += 1;
    } else if (/^```/.test(line)) {
      here += 1;
      blocks.push(["code", take((one) => !/^```/.test(one)).join("\n")]);
      here += 1;
    } else if (heading) {
      blocks.push(["h", heading[1].length, heading[2]]);
      here += 1;
    } else if (/^\s*(?:[-*_]\s*){3,}$/.test(line)) {
      blocks.push(["rule"]);
      here += 1;
    } else if (/^>/.test(line)) {
      blocks.push(["quote", take((one) => /^>/.test(one)).map((one) => one.replace(/^>\s?/, "")).join(" ")]);
    } else if (/^\|.*\|\s*$/.test(line)) {
      const rows = take((one) => /^\|.*\|\s*$/.test(one)).map((one) => one.trim().slice(1, -1).split("|").map((part) => part.trim()));
      blocks.push(["table", rows.filter((row) => !row.every((part) => /^:?-+:?$/.test(part)))]);
    } else if (ITEM.test(line)) {
      const items = [];
      for (const one of take((next) => ITEM.test(next) || (/^\s+\S/.test(next)))) {
        const item = one.match(ITEM);
        if (item) items.push([item[1].length > 1 ? 1 : 0, item[2]]);
        else items.at(-1)[1] += ` ${one.trim()}`;
      }
      blocks.push([/^\s*\d/.test(line) ? "ol" : "ul", items]);
    } else {
      const first = lines[here];
      here += 1;
      blocks.push(["p", [first, ...take((one) => !starts(one))].join(" ")]);
    }
  }
  return blocks;
}

/** Parts of a line: texts, and `["b"|"i"|"code", text or parts]`, `["a", text, address]`. An image is its description. */
export function partsOf(text) {
  if (text.length > LONGEST_LINE) return [text]; // finding pairs of signs takes time with the square of the length
  const parts = [];
  let rest = text;
  for (let found = rest.match(INLINE); found; found = rest.match(INLINE)) {
    const [all, , code, bold, strong, slanted, emphasis, image, link, address] = found;
    parts.push(rest.slice(0, found.index));
    if (code !== undefined) parts.push(["code", code]);
    else if (bold ?? strong) parts.push(["b", partsOf(bold ?? strong)]);
    else if (slanted ?? emphasis) parts.push(["i", partsOf(slanted ?? emphasis)]);
    else if (image !== undefined) parts.push(image);
    else parts.push(SAFE.test(address) ? ["a", link, address] : link);
    rest = rest.slice(found.index + all.length);
  }
  return [...parts, rest].filter((part) => part !== "");
}

const inline = (text) => partsOf(text).map(elementOf);

function elementOf(part) {
  if (typeof part === "string") return part;
  const [tag, inner, address] = part;
  if (tag === "a") return h("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow" }, inner);
  return h(tag, {}, typeof inner === "string" ? inner : inner.map(elementOf));
}

/** The elements of a text in Markdown. */
export function rendered(text) {
  return blocksOf(text).map(([kind, one, two]) => {
    if (kind === "h") return h(`h${Math.min(6, one + 2)}`, { dir: "auto" }, inline(two));
    if (kind === "code") return h("pre", { dir: "auto" }, h("code", {}, one));
    if (kind === "rule") return h("hr");
    if (kind === "quote") return h("blockquote", { dir: "auto" }, inline(one));
    if (kind === "ul" || kind === "ol") return h(kind, {}, one.map(([depth, item]) => h("li", { class: depth ? "deeper" : null, dir: "auto" }, inline(item))));
    if (kind === "table") return h("table", {}, one.map((row, index) => h("tr", {}, row.map((part) => h(index ? "td" : "th", { dir: "auto" }, inline(part))))));
    return h("p", { dir: "auto" }, inline(one));
  });
}
