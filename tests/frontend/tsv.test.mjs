import assert from "node:assert/strict";
import { test } from "node:test";

import { readTsv, writeTsv } from "../../review_app/frontend/tsv.js";

const READ = [
  ["a\tb\nc\td\n", [["a", "b"], ["c", "d"]]],
  ["23,4\r\n0012\r\n", [["23,4"], ["0012"]]],
  ["1.234,56\t(1 234)\t٢٬٣٤٥", [["1.234,56", "(1 234)", "٢٬٣٤٥"]]],
  ['"two\nlines"\tnext', [["two\nlines", "next"]]],
  ['"say ""yes"""\t5" pipe', [['say "yes"', '5" pipe']]],
  ['"open', [['"open']]],
  ["\t\n\t", [["", ""], ["", ""]]],
  ["", [[""]]],
];

for (const [text, rows] of READ) {
  test(`the block ${JSON.stringify(text)} is read as text`, () => assert.deepEqual(readTsv(text), rows));
}

test("a copied block reads back", () => {
  const rows = [["a", '"b"', "c\td"], ["line\nbreak", "", "é"]];
  assert.deepEqual(readTsv(writeTsv(rows)), rows);
});
