/** The patterns of a change that often have kin: each learns a rule from one change, or says that it is another. Pure. */

import { swapped } from "./finding.js";

const NUMBER = /^[-−+(]?\s*\p{Sc}?\s*\d[\d.,'’\s]*\)?\s*[-−]?\s*(?:%|\p{Sc})?$/u;
const looksNumeric = (text) => NUMBER.test(text.trim());
const shapeOf = (text) => text.replace(/\d+/g, "9").replace(/\p{L}+/gu, "A");

/** Patterns of bracket, sign: how a negative number is written, as [test, take the inside]. */
const NEGATIVES = [
  [/^\((.+)\)$/u, (inner) => `(${inner})`],
  [/^-\s?(.+)$/u, (inner) => `-${inner}`],
  [/^−\s?(.+)$/u, (inner) => `−${inner}`],
  [/^(.+?)\s?[-−]$/u, (inner) => `${inner}-`],
];

function negative(old, fresh) {
  const form = (text) => NEGATIVES.findIndex(([test]) => test.test(text) && /^[^()−]*\d[^()−]*$/u.test(test.exec(text)[1]));
  const [from, to] = [form(old), form(fresh)];
  if (from < 0 || to < 0 || from === to) return null;
  const [test] = NEGATIVES[from];
  if (NEGATIVES[to][1](test.exec(old)[1]) !== fresh) return null;
  return (text) => (looksNumeric(text) && form(text) === from ? NEGATIVES[to][1](test.exec(text)[1]) : null);
}

const FOOTNOTES = [/\s*[*†‡§¶]+$/u, /\s*[⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉ]+$/u, /\s*\[\w{1,2}\]$/u, /\s*\((?:[a-z]|\d)\)$/u, /(?<=\d)[a-f]$/u, /\s+\d\)$/u];

function footnote(old, fresh) {
  const mark = FOOTNOTES.find((one) => one.test(old) && old.replace(one, "") === fresh && fresh);
  return mark ? (text) => text.replace(mark, "") || null : null;
}

const lastSeparator = (text) => /[.,](?=[^.,]*$)/.exec(text)?.[0];

function decimal(old, fresh) {
  if (!looksNumeric(old) || swapped(old) !== fresh || old === fresh) return null;
  return (text) => (looksNumeric(text) && lastSeparator(text) === lastSeparator(old) ? swapped(text) : null);
}

const GROUPS = [",", ".", " ", "\u00a0", "\u202f", "'", "’", ""];
function thousands(old, fresh) {
  const digits = (text, mark) => (mark ? text.replaceAll(mark, "") : text);
  for (const from of GROUPS) {
    for (const to of GROUPS) {
      if (from === to) continue;
      const rule = regrouped(from, to);
      if (rule(old) === fresh && digits(old, from) === digits(fresh, to)) return rule;
    }
  }
  return null;
}

function regrouped(from, to) {
  if (!from) {
    return (text) => {
      const whole = /(?<![\d.,])\d{4,}(?!\d)/u;
      return looksNumeric(text) && whole.test(text) ? text.replace(whole, (digits) => digits.replace(/\B(?=(?:\d{3})+$)/g, to)) : null;
    };
  }
  const whole = new RegExp(`(?<![\\d.,])\\d{1,3}(?:[${from}]\\d{3})+(?!\\d)`, "u");
  return (text) => (whole.test(text) ? text.replace(whole, (digits) => digits.replaceAll(from, to)) : null);
}

/** Letters and signs that are read for digits, and the digit that they are. */
const CONFUSED = { O: "0", o: "0", Q: "0", D: "0", l: "1", I: "1", "|": "1", i: "1", Z: "2", z: "2", S: "5", s: "5", B: "8", g: "9", q: "9", b: "6", G: "6", A: "4", T: "7" };

function confusion(old, fresh, { numeric }) {
  const [from, to] = [[...old], [...fresh]];
  if (from.length !== to.length) return null;
  const pairs = new Map();
  for (let index = 0; index < from.length; index += 1) {
    if (from[index] === to[index]) continue;
    if (CONFUSED[from[index]] !== to[index]) return null;
    pairs.set(from[index], to[index]);
  }
  if (!pairs.size) return null;
  const shape = shapeOf(fresh);
  return (text, cell) => {
    const mended = [...text].map((one) => pairs.get(one) ?? one).join("");
    if (numeric && cell.numeric) return looksNumeric(mended) ? mended : null;
    return shapeOf(mended) === shape && shapeOf(text) !== shape ? mended : null;
  };
}

function currency(old, fresh) {
  const sign = /\p{Sc}|\b(?:EUR|USD|GBP|CHF|JPY|Rs\.?)(?=\b|\d|\s|$)/u.exec(old)?.[0];
  if (!sign || !/\d/.test(fresh)) return null;
  const without = (text) => text.replace(sign, "").replace(/\s+/gu, " ").trim();
  if (without(old) !== fresh && old.replace(sign, "") !== fresh) return null;
  return (text) => (text.includes(sign) && /\d/.test(text) ? without(text) : null);
}

function unit(old, fresh) {
  const part = /^(.*\d)\s*(\p{L}{1,4}[²³]?|%|‰|°\p{L}?|[µμ]\p{L}{1,3}|\p{L}{1,4}\/\p{L}{1,4})$/u;
  const [, value, name] = part.exec(old) ?? [];
  if (!name || value !== fresh) return null;
  return (text) => {
    const [, other, itsName] = part.exec(text) ?? [];
    return itsName === name ? other : null;
  };
}

/** Whether a cut between two characters goes through neither a word nor a number. */
const clean = (left, right) => !(/[\p{L}]$/u.test(left) && /^[\p{L}]/u.test(right)) && !(/\d$/.test(left) && /^\d/.test(right));

function leading(old, fresh) {
  if (!fresh || !old.endsWith(fresh) || !clean(old.slice(0, -fresh.length), fresh)) return null;
  const lost = old.slice(0, -fresh.length);
  return (text) => (text.startsWith(lost) && text.length > lost.length && clean(lost, text.slice(lost.length)) ? text.slice(lost.length) : null);
}

function trailing(old, fresh) {
  if (!fresh || !old.startsWith(fresh) || !clean(fresh, old.slice(fresh.length))) return null;
  const lost = old.slice(fresh.length);
  return (text) => (text.endsWith(lost) && text.length > lost.length && clean(text.slice(0, -lost.length), lost) ? text.slice(0, -lost.length) : null);
}

const CASES = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.toLowerCase().replace(/^\P{L}*\p{L}/u, (one) => one.toUpperCase()),
  (text) => text.toLowerCase().replace(/(?<![\p{L}\p{M}'’])\p{L}/gu, (one) => one.toUpperCase()),
];

function letterCase(old, fresh, { col }) {
  if (old.toLowerCase() !== fresh.toLowerCase()) return null;
  const make = CASES.find((one) => one(old) === fresh);
  return make ? (text, cell) => (cell.col === col ? make(text) : null) : null;
}

const HYPHEN = /(?<=\p{L})[-‐\u00ad]\s*\n\s*(?=\p{Ll})|(?<=\p{L})[-‐\u00ad]\s+(?=\p{Ll})/gu;

function hyphen(old, fresh) {
  if (old.replace(HYPHEN, "") !== fresh) return null;
  return (text) => text.replace(HYPHEN, "");
}

function spaces(old, fresh) {
  const ways = [(text) => text.replace(/\s+/gu, " ").trim(), (text) => text.replace(/[ \t\u00a0]+/gu, " ").trim(), (text) => text.replace(/\s+/gu, "")];
  const make = ways.find((one) => one(old) === fresh);
  if (!make || (make === ways[2] && !looksNumeric(fresh))) return null;
  return (text) => (make === ways[2] && !looksNumeric(text) ? null : make(text));
}

const DATE = /^(\d{1,4})([./\- ])(\d{1,2}|\d{4})\2(\d{1,4})$/;
const ORDERS = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 1, 2]];

function dateOrder(old, fresh) {
  const [before, after] = [DATE.exec(old), DATE.exec(fresh)];
  if (!before || !after) return null;
  const parts = (found) => [found[1], found[3], found[4]];
  const [from, to] = [parts(before), parts(after)];
  const orders = ORDERS.filter((order) => order.every((place, index) => Number(from[place]) === Number(to[index])));
  if (orders.length !== 1) return null; // 03/03/2024 does not tell which part went where
  const [order] = orders;
  return (text) => {
    const found = DATE.exec(text);
    if (!found || found[2] !== before[2]) return null;
    const its = parts(found);
    if (its.some((part, index) => (part.length === 4) !== (from[index].length === 4))) return null;
    const bare = (part) => part.replace(/^0+(?=\d)/, "");
    return order.map((place, index) => bare(its[place]).padStart(to[index].length > 1 && (to[index].startsWith("0") || to[index].length === 4) ? to[index].length : 1, "0")).join(after[2]);
  };
}

function sameValue(old, fresh) {
  if (looksNumeric(old)) return null; // an equal number elsewhere is most likely right there
  return (text) => (text === old ? fresh : null);
}

/** Tried in this order; the first that explains the change and fits another cell is offered. */
export const PATTERNS = [
  { name: "negative", says: "how a negative number is written", learn: negative },
  { name: "footnote", says: "the footnote mark removed", learn: footnote },
  { name: "thousands", says: "the thousands separator", learn: thousands },
  { name: "decimal", says: "decimal comma and point", learn: decimal },
  { name: "confusion", says: "letters read for digits", learn: confusion },
  { name: "currency", says: "the currency sign removed", learn: currency },
  { name: "unit", says: "the unit removed", learn: unit },
  { name: "date order", says: "the order of the date", learn: dateOrder },
  { name: "hyphen", says: "a hyphenated word joined", learn: hyphen },
  { name: "spaces", says: "the spaces", learn: spaces },
  { name: "letter case", says: "the letter case", learn: letterCase },
  { name: "same value", says: "the same value", learn: sameValue },
  { name: "leading text", says: "the text before it removed", learn: leading },
  { name: "trailing text", says: "the text after it removed", learn: trailing },
];
