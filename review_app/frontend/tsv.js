/** Blocks of text as spreadsheets put them on the clipboard: read and written, always as text. */

/** Rows of texts; quoted fields may hold tabs and line breaks, a last line break ends the last row. */
export function readTsv(text) {
  const rows = [[]];
  const plain = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  let place = 0;
  while (place <= plain.length) {
    const quoted = plain[place] === '"' ? /^"((?:[^"]|"")*)"(?=[\t\n]|$)/.exec(plain.slice(place)) : null;
    const raw = quoted ? quoted[0] : /^[^\t\n]*/.exec(plain.slice(place))[0];
    rows.at(-1).push(quoted ? quoted[1].replaceAll('""', '"') : raw);
    place += raw.length;
    if (plain[place] === "\n") rows.push([]);
    place += 1;
  }
  return rows;
}

/** The text of a block; fields with a tab, a line break or a leading quote are quoted. */
export function writeTsv(rows) {
  const field = (text) => (/[\t\n\r]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => row.map(field).join("\t")).join("\n");
}
