import assert from "node:assert/strict";
import { test } from "node:test";

import { findText, nearestWord, stepWord, textOf, wordAt, wordsIn } from "../../review_app/frontend/words.js";

test("dragging takes whole words in reading order", () => {
  const words = [["Total", 0.1, 0.1, 0.2, 0.12], ["1,284.50", 0.22, 0.1, 0.32, 0.12], ["EUR", 0.34, 0.1, 0.4, 0.12]];
  const taken = (from, to) => textOf(wordsIn(words, from, to));
  assert.equal(taken([0.25, 0.09], [0.41, 0.13]), "1,284.50 EUR");
  assert.equal(taken([0.41, 0.13], [0.09, 0.09]), "Total 1,284.50 EUR");
  assert.equal(taken([0.1, 0.11], [0.4, 0.111]), "Total 1,284.50 EUR");
  assert.equal(taken([0.5, 0.5], [0.6, 0.6]), "");
  assert.equal(wordAt(words, [0.35, 0.11])[0], "EUR");
});

test("a cell without a box is guessed by its text nearest to its row", () => {
  const words = [["12", 0.1, 0.1, 0.2, 0.12], ["New", 0.1, 0.5, 0.2, 0.52], ["York", 0.2, 0.5, 0.3, 0.52], ["12", 0.4, 0.5, 0.5, 0.52]];
  assert.deepEqual(findText(1, words, "12", 0.5), [1, 0.4, 0.5, 0.5, 0.52]);
  assert.deepEqual(findText(1, words, "12"), [1, 0.1, 0.1, 0.2, 0.12]);
  assert.deepEqual(findText(1, words, "new york"), [1, 0.1, 0.5, 0.3, 0.52]);
  assert.equal(findText(1, words, "Paris"), null);
  assert.equal(findText(1, words, ""), null);
});

test("the arrow keys step from word to word as the eye goes", () => {
  const words = [
    ["one", 0.1, 0.1, 0.2, 0.12], ["two", 0.3, 0.1, 0.4, 0.12], ["شيء", 0.8, 0.2, 0.9, 0.22],
    ["آخر", 0.6, 0.2, 0.7, 0.22], ["end", 0.1, 0.3, 0.2, 0.32],
  ];
  const steps = [[0, 1, 0], [1, 1, 0], [1, 0, 1], [2, -1, 0], [3, -1, 0], [4, -1, 0], [0, -1, 0], [4, 0, 1]];
  assert.deepEqual(steps.map(([from, ...way]) => stepWord(words, from, way)), [1, 2, 3, 3, 4, 3, 0, 4]);
  assert.equal(nearestWord(words, [0.36, 0.15]), 1);
  assert.equal(nearestWord([], [0, 0]), -1);
});
