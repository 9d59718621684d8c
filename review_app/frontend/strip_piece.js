/** The piece of the page that a line of a list of cells shows, with the frame around the cell; by a guess where it has no box. */

import { h } from "./dom.js";
import { addressOf, partOf } from "./strip_crop.js";
import { createGuesses } from "./strip_guesses.js";

/** `redraw(line)` is called when a place was found, or was not, that had to be looked for. */
export function createPieces({ server, redraw }) {
  const places = createGuesses(async (path, gold) => (await server.words(path, gold)).words);

  return {
    /** The element, and whether its place is a guess; `placed` is false where none is known, null while it is looked for. */
    of(line, table, frame) {
      const found = line.box ? null : places.guess(line, table, () => redraw(line));
      const guess = found === null ? line.box ? null : line.expected ?? null : found;
      const place = line.box ?? guess;
      const size = place && table.pages[place[0]];
      if (!size) return { placed: guess === undefined ? null : false, piece: h("span", { class: "strip-piece none" }, guess === undefined ? "looking for it…" : "no place known") };
      const { part, box } = partOf(place, size, frame);
      const style = Object.entries(box).map(([side, px]) => `${side}:${px}px`).join(";");
      const image = h("img", { alt: "", draggable: "false", decoding: "async", src: server.resolve(addressOf(table.sha256, place[0], part, devicePixelRatio)) });
      image.addEventListener("error", () => image.replaceWith("not loaded"));
      const piece = h("span", { class: "strip-piece", style: `height:${frame.height}px`, "aria-hidden": "true" }, image,
        h("span", { class: `strip-box${guess ? " guess" : ""}`, style }));
      return { placed: true, piece, guessed: guess ? h("small", { title: found ? "The place on the page is a guess: it was found by the text of the cell" : "The place on the page is a guess: there the row and the column of the cell meet" }, "place guessed") : null };
    },
  };
}
