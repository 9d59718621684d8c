import assert from "node:assert/strict";
import { test } from "node:test";

import { wordsOf } from "../../review_app/frontend/meaning.js";

test("only what the text does not say itself is told", () => {
  assert.equal(wordsOf({ read_as: "1234.56", flags: [] }, "1.234,56"), "reads as 1234.56");
  assert.equal(wordsOf({ read_as: "24", flags: [] }, " 24 "), "");
  assert.equal(wordsOf({ read_as: "4.35 GBP", flags: [] }, "4.35"), "");
  assert.equal(wordsOf({ read_as: "2024-04-03", flags: ["fits more than one date pattern, the first one is taken"] }, "03/04/2024"),
    "reads as 2024-04-03, fits more than one date pattern, the first one is taken");
  assert.equal(wordsOf({ read_as: "", flags: ["does not parse as date"] }, "soon"), "");
});
