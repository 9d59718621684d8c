/** Find and replace over texts: which match, what they would become, and named ways to tidy a text. Pure. */

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * How a query finds: a global regular expression. `query` is `{text, exact, whole, regex}`: letter case counts, the
 * whole cell must match, the text is a regular expression. Throws SyntaxError, with words, for one that cannot be read.
 */
export function patternOf({ text, exact, whole, regex }) {
  const source = regex ? text : escaped(text);
  return new RegExp(whole ? `^(?:${source})$` : source, `gu${exact ? "" : "i"}`);
}

/** The texts that match, as `[{index, old, new}]`; `new` equals `old` where `replacement` is null. */
export function hitsOf(texts, query, replacement = null) {
  if (!query.text) return [];
  const pattern = patternOf(query);
  const hits = [];
  texts.forEach((old, index) => {
    if (old.search(pattern) < 0) return;
    // Only a regular expression may speak of its groups; a plain replacement is meant as it stands.
    const fresh = replacement === null ? old : old.replace(pattern, query.regex ? replacement.replaceAll("\\n", "\n") : () => replacement);
    hits.push({ index, old, new: fresh });
  });
  return hits;
}

const MARKS = /(?:\s*[*†‡§¶⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉ]+|\s*[[(](?:[a-z]|\d{1,2})[\])]|(?<=\d)[a-f])$/u;
const letters = (text) => /\p{L}/u.test(text);

/** Ways to tidy a text: id -> what it is called, and the text that it makes of one. */
export const TIDIES = {
  trim: ["Trim spaces at both ends", (text) => text.trim()],
  collapse: ["Collapse spaces and line breaks to one space", (text) => text.replace(/\s+/gu, " ").trim()],
  upper: ["UPPER CASE", (text) => text.toUpperCase()],
  lower: ["lower case", (text) => text.toLowerCase()],
  footnotes: ["Remove footnote marks at the end", (text) => (MARKS.test(text) && text.replace(MARKS, "") ? text.replace(MARKS, "") : text)],
  swap: ["Swap decimal comma and point", (text) => (/\d/.test(text) && !letters(text) ? swapped(text) : text)],
  dashes: ["One kind of dash: hyphen, minus before digits", (text) => text.replace(/^\s*[‐‑‒–—−](?=\s*[\p{Sc}\d.,])/u, "-").replace(/[‐‑‒–—―]/gu, "-")],
};

/** A text with its commas and points changed for each other. */
export const swapped = (text) => text.replace(/[.,]/g, (one) => (one === "." ? "," : "."));

/** The texts that a way to tidy would change, as `[{index, old, new}]`. */
export function tidied(texts, id) {
  const [, make] = TIDIES[id];
  return texts.map((old, index) => ({ index, old, new: make(old) })).filter((hit) => hit.new !== hit.old);
}
