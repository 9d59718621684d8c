import assert from "node:assert/strict";
import { test } from "node:test";

import { sharpnessFor, tilesOver } from "../../review_app/frontend/tiles.js";

test("a zoomed part is asked for as sharp as it is shown, and not sharper than the page is kept", () => {
  const needs = [[100, 150, 576], [180, 150, 576], [300, 150, 576], [700, 150, 576], [200, 20, 72]];
  assert.deepEqual(needs.map((one) => sharpnessFor(...one)), [null, 288, 288, 576, 72]);
});

test("tiles cover the part that is looked at", () => {
  const tiles = tilesOver({ width: 600, height: 800 }, 288, [0.4, 0, 0.5, 0.33]);
  assert.deepEqual(tiles.map(({ col, row }) => [col, row]), [[0, 0], [1, 0], [0, 1], [1, 1]]);
  assert.deepEqual(tiles[1], { col: 1, row: 0, left: 1024 / 2400, top: 0, width: 1024 / 2400, height: 0.32 });
});
