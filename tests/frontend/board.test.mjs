import assert from "node:assert/strict";
import { test } from "node:test";

import { openDoubts, shifted } from "../../review_app/frontend/board.js";
import { cell } from "../../review_app/frontend/sheet.js";
import { boardFor, sheetOf } from "./boards.mjs";

test("an extra first row waits for the end of a merged cell", () => {
  const sheet = sheetOf([["tall", "a"], [null, "b"], ["c", "d"]], { "0,0": { row_span: 2 } });
  const texts = [["tall", "a"], ["x", "y"], ["q", "b"], ["c", "d"]];
  const cells = texts.flatMap((line, row) => line.map((text, col) => cell({ row, col, text })));
  const rows = [
    { gold: 0, first: 0, kind: "matched" }, { gold: null, first: 1, kind: "extra" },
    { gold: 1, first: 2, kind: "matched" }, { gold: 2, first: 3, kind: "matched" },
  ];
  const { lines } = boardFor(sheet, { n_rows: 4, n_cols: 2, badges: [], cells }, rows);
  assert.deepEqual(lines.map((line) => [line.gold, line.first]), [[0, 0], [1, 2], [null, 1], [2, 3]]);
});

test("the alignment keeps its places until the server answers", () => {
  const table = {
    columns: [], doubts: [{ row: 2, col: 0 }], findings: [{ row: null, col: 0 }, { row: 1, col: 0 }],
    aligned: { rows: [{ gold: 0, first: 0, kind: "header" }, { gold: 1, first: 1, kind: "matched" }, { gold: 2, first: null, kind: "missed" }], cols: [] },
  };
  const lines = ({ aligned }) => aligned.rows.map(({ gold, first, kind }) => [gold, first, kind]);
  const grown = shifted(table, { kind: "insert", axis: "row", at: 1, ids: ["n"], cells: [] });
  assert.deepEqual(lines(grown), [[0, 0, "header"], [1, null, "missed"], [2, 1, "matched"], [3, null, "missed"]]);
  assert.equal(grown.doubts[0].row, 3);
  const shrunk = shifted(table, { kind: "delete", axis: "row", at: 1, ids: ["r1"], cells: [] });
  assert.deepEqual(lines(shrunk), [[0, 0, "header"], [null, 1, "extra"], [1, null, "missed"]]);
  assert.equal(shrunk.doubts[0].row, 1);
  assert.equal(shrunk.findings.length, 1);
});

test("a doubt is no longer open once its cell is marked", () => {
  const sheet = sheetOf([["a", "b"]]);
  const doubts = [{ row: 0, col: 1, reasons: [] }, { row: 0, col: 0, reasons: [] }];
  const open = (marks) => openDoubts(boardFor({ ...sheet, marks: new Map(marks) }, null, [], { doubts }), true).map(({ col }) => col);
  assert.deepEqual(open([]), [1, 0]);
  assert.deepEqual(open([["r0\nc1", "confirmed"]]), [0]);
});
