import assert from "node:assert/strict";
import { test } from "node:test";

import { takeReading } from "../../review_app/frontend/actions.js";
import { pagesFor, readAt } from "../../review_app/frontend/reading.js";
import { at } from "../../review_app/frontend/sheet.js";
import { sheetOf } from "./boards.mjs";

// Three columns: a name from .1 on, a number that ends at .5, an amount that ends at .9; rows .05 apart.
const PAGE = [["bolt", "2", "1.20"], ["long nut", "10", "12.00"], ["cap", "7", "3.50"], ["rod", "1", "9.99"]];
const yOf = (row) => 0.1 + row * 0.05;
const placed = (text, row, col) => {
  const wide = text.length * 0.01;
  const x0 = [0.1, 0.5 - wide, 0.9 - wide][col];
  return [x0, yOf(row), x0 + wide, yOf(row) + 0.02];
};
const wordsOf = (rows, skip = () => false) => rows.flatMap((texts, row) => texts.flatMap((text, col) => {
  if (!text || skip(row, col)) return [];
  const [x0, y0, , y1] = placed(text, row, col);
  let x = x0;
  return text.split(" ").map((word) => {
    const box = [word, x, y0, x + word.length * 0.01, y1];
    x += (word.length + 1) * 0.01;
    return box;
  });
}));
const boxed = (rows, boxOf = (text, row, col) => [1, ...placed(text, row, col)]) => {
  const spans = {};
  rows.forEach((texts, row) => texts.forEach((text, col) => text && (spans[`${row},${col}`] = { box: boxOf(text, row, col) })));
  return sheetOf(rows, spans);
};
const words = () => wordsOf(PAGE);
const row = (number, cols = [0, 1, 2]) => cols.map((col) => ({ row: number, col }));
const texts = (found) => found.map(({ text }) => text);

test("a misread cell is read where it stands", () => {
  const sheet = boxed([["bolt", "2", "1.20"], ["long nut", "1O", "12.00"], ["cap", "7", "350"], ["rod", "1", "9.99"]]);
  assert.deepEqual(texts(readAt(sheet, [{ row: 1, col: 1 }, { row: 2, col: 2 }], words)), ["10", "3.50"]);
});

test("a row that was missed is read whole, from between its neighbours", () => {
  const sheet = boxed([PAGE[0], ["", "", ""], PAGE[2], PAGE[3]]);
  const found = readAt(sheet, row(1), words);
  assert.deepEqual(texts(found), PAGE[1]);
  assert.deepEqual(found[0].box.map((side) => Number(side.toFixed(3))), [1, 0.1, 0.15, 0.18, 0.17]);
});

test("two rows missed one below the other are told apart, and a second line goes on with its row", () => {
  const two = boxed([PAGE[0], ["", "", ""], ["", "", ""], PAGE[3]]);
  assert.deepEqual([texts(readAt(two, row(1), words)), texts(readAt(two, row(2), words))], [PAGE[1], PAGE[2]]);
  const wrapped = () => [...wordsOf(PAGE, (line) => line === 2), ["M6", 0.1, yOf(2), 0.12, yOf(2) + 0.02]];
  const one = boxed([PAGE[0], ["", "", ""], PAGE[3]], (text, line, col) => [1, ...placed(text, line === 2 ? 3 : line, col)]);
  assert.deepEqual(texts(readAt(one, row(1), wrapped)), ["long nut M6", "10", "12.00"]);
});

test("a second line of which nothing was read goes on with its cell, a line of its own does not", () => {
  const more = (text, x, y) => [text, x, y, x + text.length * 0.01, y + 0.02];
  const wrapped = () => [...words(), more("zinc", 0.1, yOf(3) + 0.025), more("plated", 0.1, yOf(3) + 0.05)];
  assert.deepEqual(texts(readAt(boxed(PAGE), row(3), wrapped)), ["rod zinc plated", "1", "9.99"]);
  const apart = () => [...words(), more("Total", 0.1, yOf(3) + 0.06)];
  assert.deepEqual(texts(readAt(boxed(PAGE), row(3), apart)), PAGE[3]);
  const next = () => wordsOf([...PAGE, ["nut", "3", "4.00"]]);
  assert.deepEqual(texts(readAt(boxed(PAGE), row(3), next)), PAGE[3]);
});

test("a row missed at either end is read, and no farther away than the next row can be", () => {
  const far = () => [...words(), ["Total", 0.1, yOf(9), 0.15, yOf(9) + 0.02]];
  assert.deepEqual(texts(readAt(boxed([...PAGE.slice(0, 3), ["", "", ""]]), row(3), words)), PAGE[3]);
  assert.deepEqual(texts(readAt(boxed([["", "", ""], ...PAGE.slice(1)]), row(0), words)), PAGE[0]);
  assert.deepEqual(readAt(boxed([...PAGE, ["", "", ""]]), row(4), far), []);
});

test("values that slipped into the next column go back, and leave it empty", () => {
  const sheet = boxed([PAGE[0], ["long nut", "", "10"], PAGE[2], PAGE[3]], (text, line, col) => [1, ...placed(text, line, text === "10" ? 1 : col)]);
  const page = () => wordsOf(PAGE, (line, col) => line === 1 && col === 2);
  assert.deepEqual(texts(readAt(sheet, row(1), page)), ["long nut", "10", ""]);
});

test("two neighbours that were read as one cell are read apart", () => {
  const both = [1, 0.48, yOf(1), 0.9, yOf(1) + 0.02];
  const sheet = boxed([PAGE[0], ["long nut", "10 12.00", ""], PAGE[2], PAGE[3]], (text, line, col) => (text === "10 12.00" ? both : [1, ...placed(text, line, col)]));
  assert.deepEqual(texts(readAt(sheet, row(1), words)), PAGE[1]);
});

test("a box that reaches into the next row reads its own row alone", () => {
  const tall = [1, 0.1, yOf(1), 0.18, yOf(2) + 0.02];
  const sheet = boxed(PAGE, (text, line, col) => (text === "long nut" ? tall : [1, ...placed(text, line, col)]));
  assert.deepEqual(texts(readAt(sheet, row(1), words)), PAGE[1]);
});

test("columns of a table that runs from right to left are found by where they stand", () => {
  const mirrored = (word) => [word[0], 1 - word[3], word[2], 1 - word[1], word[4]];
  const sheet = boxed([PAGE[0], ["x", "y", "z"], PAGE[2]], (text, line, col) => {
    const [x0, y0, x1, y1] = placed(text, line, col);
    return [1, 1 - x1, y0, 1 - x0, y1];
  });
  assert.deepEqual(texts(readAt(sheet, row(1, [1, 2]), () => words().map(mirrored))), ["10", "12.00"]);
});

test("a value of a form is read in its own box, wherever that stands", () => {
  const sheet = sheetOf([["name", "total"], ["l0ng nut", "35O"]], { "1,0": { box: [1, 0.1, 0.15, 0.18, 0.17] }, "1,1": { box: [1, 0.8, 0.2, 0.95, 0.22] } });
  assert.deepEqual(texts(readAt(sheet, row(1, [0, 1]), words, { form: true })), ["long nut", "3.50"]);
});

test("a page without words reads nothing, and a table without boxes needs no page", () => {
  assert.deepEqual(readAt(boxed(PAGE), row(1), () => []), []);
  assert.deepEqual(readAt(sheetOf(PAGE), row(1), words), []);
  assert.deepEqual(pagesFor(sheetOf(PAGE), 1, 1), []);
});

test("a footer between two pages is no row, and a row missed at the page break is read from the next page", () => {
  const next = (word, by) => [word[0], word[1], word[2] - by, word[3], word[4] - by];
  const page = (number) => (number === 1
    ? [...wordsOf(PAGE.slice(0, 2)), ["continued", 0.1, yOf(2), 0.19, yOf(2) + 0.02]]
    : wordsOf(PAGE, (line) => line < 2).map((word) => next(word, 0.1)));
  const sheet = boxed([PAGE[0], PAGE[1], ["old", "", ""], PAGE[3]], (text, line, col) => (line < 2 ? [1, ...placed(text, line, col)] : null));
  sheet.cells.filter(({ row: line }) => line === 3).forEach((cell) => {
    const [x0, y0, x1, y1] = placed(cell.text, 3, cell.col);
    cell.box = [2, x0, y0 - 0.1, x1, y1 - 0.1];
  });
  assert.deepEqual(texts(readAt(sheet, row(2), page)), PAGE[2]);
  assert.deepEqual(readAt(sheet, row(2), (number) => (number === 1 ? page(1) : [])), []);
});

test("a table without boxes is read by the texts that stand at one place only", () => {
  const rows = [["name", "no.", "price"], ...PAGE.slice(0, 2), ["", "", ""], PAGE[3]];
  const lower = (word) => [word[0], word[1], word[2] + 0.05, word[3], word[4] + 0.05];
  const page = () => [...wordsOf([rows[0]]), ...words().map(lower)];
  assert.deepEqual(texts(readAt(sheetOf(rows), row(3), page, { pages: [1] })), PAGE[2]);
  const misread = sheetOf(rows.map((line) => line.map((text) => (text === "9.99" ? "999" : text))));
  assert.deepEqual(texts(readAt(misread, [{ row: 4, col: 2 }], page, { pages: [1] })), ["9.99"]);
  assert.deepEqual(pagesFor(sheetOf(rows), 3, 3, [1, 2]), [1, 2]);
});

test("reading changes only what is not the same, with the box of the words and without the extractor's confidence", () => {
  const sheet = boxed([PAGE[0], ["long nut", "1O", "12.00"], PAGE[2]]);
  const { edit, source, note } = takeReading(sheet, readAt(sheet, row(1), words));
  assert.deepEqual(edit.new.map(({ col, text }) => [col, text]), [[1, "10"]]);
  assert.deepEqual([source, note, edit.old[0].text], ["page", "Read from the page: 1 cell changed.", at(sheet, 1, 1).text]);
  assert.equal(takeReading(sheet, readAt(sheet, row(0), words)).refused, "The page says the same in all selected cells.");
});
