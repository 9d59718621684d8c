import assert from "node:assert/strict";
import { test } from "node:test";

import { turnedBox, turnedPoint, unturnedPoint, unturnedWay } from "../../review_app/frontend/turning.js";

test("a place is seen turned and found again", () => {
  const turns = [0, 1, 2, 3];
  const plain = (ways) => ways.map((way) => way.map((one) => one + 0)); // -0 is 0
  assert.deepEqual(turns.map((turn) => unturnedPoint(turnedPoint([0.25, 0.125], turn), turn)), Array(4).fill([0.25, 0.125]));
  assert.deepEqual(turns.map((turn) => turnedPoint([0.25, 0.125], turn)), [[0.25, 0.125], [0.875, 0.25], [0.75, 0.875], [0.125, 0.75]]);
  assert.deepEqual(turns.map((turn) => turnedBox([7, 0, 0, 0.5, 0.25], turn)),
    [[7, 0, 0, 0.5, 0.25], [7, 0.75, 0, 1, 0.5], [7, 0.5, 0.75, 1, 1], [7, 0, 0.5, 0.25, 1]]);
  assert.deepEqual(plain(turns.map((turn) => unturnedWay([1, 0], turn))), [[1, 0], [0, -1], [-1, 0], [0, 1]]);
});
