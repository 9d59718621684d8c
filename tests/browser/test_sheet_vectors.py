from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from scoring.table import Table
from store.edit_json import from_json, to_json
from store.edits import Conflict, EditError, Sheet, apply, inverse

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "edit_vectors.json").read_text("utf-8"))[
    "vectors"
]

IN_THE_BROWSER = """
async (vectors) => {
  const { apply, inverse, sheetFromJson, sheetToJson, Conflict, EditError } = await import("/sheet.js");
  return vectors.map(({ sheet, edit }) => {
    const before = sheetFromJson(sheet);
    try {
      const after = apply(before, edit);
      const back = inverse(edit, after);
      return { after: sheetToJson(after), inverse: back, again: sheetToJson(apply(after, back)) };
    } catch (wrong) {
      if (wrong instanceof Conflict) {
        const { row, col, expected, found } = wrong;
        return { conflict: { row, col, expected, found } };
      }
      if (wrong instanceof EditError) return { unfit: true };
      throw wrong;
    }
  });
}
"""


def sheet_of(plain: dict[str, Any]) -> Sheet:
    row_ids, col_ids = tuple(plain["row_ids"]), tuple(plain["col_ids"])
    marks = {(row_ids[mark["row"]], col_ids[mark["col"]]): mark["mark"] for mark in plain["marks"]}
    return Sheet(Table.from_json(plain), row_ids, col_ids, marks)


def outcome(before: Sheet, edit: dict[str, Any]) -> dict[str, Any]:
    try:
        after = apply(before, from_json(edit))
    except Conflict as wrong:
        return {
            "conflict": {"row": wrong.row, "col": wrong.col, "expected": wrong.expected, "found": wrong.found},
        }
    except EditError:
        return {"unfit": True}
    back = inverse(from_json(edit), before)
    return {"after": after.to_json(), "inverse": to_json(back), "again": apply(after, back).to_json()}


def expected(vector: dict[str, Any]) -> dict[str, Any]:
    if "after" in vector:
        return {"after": vector["after"], "inverse": vector["inverse"], "again": vector["sheet"]}
    return {part: vector[part] for part in ("conflict", "unfit") if part in vector}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_the_server_applies_and_takes_back_each_edit_as_written(vector: dict[str, Any]) -> None:
    assert outcome(sheet_of(vector["sheet"]), vector["edit"]) == expected(vector)


@pytest.mark.browser
def test_the_browser_applies_and_takes_back_each_edit_as_the_server_does(chromium: Browser, modules: str) -> None:
    with chromium.new_page() as page:
        page.goto(modules)
        outcomes = page.evaluate(IN_THE_BROWSER, VECTORS)
    assert len(outcomes) == len(VECTORS) > 60
    for vector, found in zip(VECTORS, outcomes, strict=True):
        assert found == expected(vector), vector["name"]
