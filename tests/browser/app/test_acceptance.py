"""Complaints of docs/acceptance.md beside those of test_complaints.py: long texts, long tables, focus, new rules."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from benchmarks.server import COMMAND
from tests.browser.app.test_complaints import MADE, ask, cell, key_of, open_table, paste, press, state, stored, typed

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

INVOICE = Path(__file__).parents[3] / "sample_docs" / "invoice-laboratory"
ROWS = 1_500


def text_of(page: Page, row: int, col: int) -> str:
    return str(cell(page, row, col).evaluate("cell => cell.firstChild.textContent"))


def brought_in(app: App, *paths: Path, project: str = "samples") -> None:
    words = ["import", *map(str, paths), "--home", str(app.home), "--project", project]
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_arrow_key_commits_what_was_typed_and_moves_the_caret_of_an_old_text(app: App, page: Page) -> None:
    open_table(app, page, "results")
    before = text_of(page, 3, 1)
    cell(page, 2, 1).click()
    page.keyboard.type("by arrow")
    press(page, "ArrowDown")
    expect(cell(page, 3, 1)).to_be_focused()
    expect(cell(page, 2, 1)).to_contain_text("by arrow")
    press(page, "F2", "ArrowLeft")
    page.keyboard.type("^")
    expect(cell(page, 3, 1).locator("textarea")).to_have_value(f"{before[:-1]}^{before[-1]}")
    press(page, "Escape")
    expect(state(page)).to_have_text("saved")
    assert stored(app, "results")[-1] == "by arrow"


def test_a_stolen_focus_neither_commits_nor_loses_a_text_that_is_being_typed(app: App, page: Page) -> None:
    open_table(app, page, "results")
    before = ask(app, MADE, key_of(app, "results"))
    cell(page, 4, 1).click()
    page.keyboard.type("half a wo")
    page.evaluate("() => { const thief = document.body.appendChild(document.createElement('input')); thief.focus(); }")
    field = cell(page, 4, 1).locator("textarea")
    expect(field).not_to_be_focused()
    expect(field).to_have_value("half a wo")
    expect(state(page)).to_have_text("saved")
    assert ask(app, MADE, key_of(app, "results")) == before
    field.focus()
    page.keyboard.type("rd")
    press(page, "Enter")
    expect(state(page)).to_have_text("saved")
    assert stored(app, "results")[-1] == "half a word"


def test_a_very_long_right_to_left_text_is_shown_edited_and_kept(app: App, page: Page) -> None:
    long = "نص طويل 16 مل، " * 4_000
    open_table(app, page, "prices")
    page.get_by_test_id("reopen").press("Enter")
    expect(page.get_by_test_id("accept")).to_be_visible()
    cell(page, 3, 1).click()
    paste(page, long.strip())
    expect(state(page)).to_have_text("saved")
    page.reload()
    expect(cell(page, 3, 1)).to_contain_text("نص طويل", timeout=20_000)
    assert text_of(page, 3, 1) == long.strip()
    cell(page, 3, 2).click()
    press(page, "ArrowRight", "F2", "Control+End")
    page.keyboard.insert_text(" تم")
    press(page, "Enter")
    expect(state(page)).to_have_text("saved")
    assert stored(app, "prices")[-1] == f"{long.strip()} تم"
    press(page, "Control+z", "Control+z")
    expect(state(page)).to_have_text("saved")


def test_a_mark_on_more_than_forty_cells_is_stored_and_taken_back_whole(app: App, page: Page) -> None:
    def marks() -> list[str]:
        rows = ask(app, MADE, key_of(app, "results"))
        return [change["new"] for change in json.loads(str(rows[-1][0]))["changes"]]

    open_table(app, page, "results")
    cell(page, 1, 0).click()
    press(page, "Control+a", "Alt+u")
    expect(page.locator("td[data-state='unreadable']")).to_have_count(96)
    expect(state(page)).to_have_text("saved")
    assert marks() == ["unreadable"] * 96
    press(page, "Alt+u")
    expect(page.locator("td[data-state='unreadable']")).to_have_count(0)
    expect(state(page)).to_have_text("saved")
    assert marks() == [""] * 96


def test_a_table_of_more_than_a_thousand_rows_is_edited_to_its_end(app: App, page: Page, tmp_path: Path) -> None:
    shutil.copyfile(INVOICE / "INV-2024-10583.pdf", tmp_path / "list.pdf")
    lines = ["number,text,amount", *(f"{row},line {row},{row}.00" for row in range(1, ROWS + 1))]
    (tmp_path / "list.csv").write_text("\n".join(lines))
    brought_in(app, tmp_path, project="long")
    ((key,),) = ask(
        app, "select gold.id from gold join document on document.id = document where project = 'long' order by gold.id"
    )
    page.goto(f"{app.url}/review?table={key}")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", str(ROWS + 1), timeout=20_000)
    expect(state(page)).to_have_text("saved")
    press(page, "Control+End")
    expect(cell(page, ROWS, 2)).to_be_focused()
    page.keyboard.type("the last one")
    press(page, "Enter")
    expect(state(page)).to_have_text("saved")
    page.reload()
    expect(state(page)).to_have_text("saved", timeout=20_000)
    press(page, "Control+End")
    expect(cell(page, ROWS, 2)).to_contain_text("the last one")


def test_edits_are_kept_when_the_table_type_changes_meanwhile(app: App, page: Page, tmp_path: Path) -> None:
    open_table(app, page, "line_items")
    page.route("**/api/edits", lambda route: route.abort())
    cell(page, 2, 1).click()
    page.keyboard.type("made under the old rules")
    press(page, "Enter")
    expect(state(page)).to_contain_text("offline, 1 edit kept")
    types = json.loads((INVOICE / "table_types.json").read_text())
    [items] = [one for one in types["table_types"] if one["name"] == "line_items"]
    items["columns"] = [one for one in items["columns"] if one["name"] != "unit"]
    items["checks"] = []
    items["columns"][1]["label"] = "What it is"
    (tmp_path / "table_types.json").write_text(json.dumps(types))
    brought_in(app, tmp_path / "table_types.json")
    page.evaluate("navigator.sendBeacon = () => false")  # nor does it go out as the page is left
    page.unroute("**/api/edits")
    page.reload()
    expect(cell(page, 2, 1)).to_contain_text("made under the old rules", timeout=20_000)
    expect(state(page)).to_have_text("saved")
    assert stored(app, "line_items")[-1] == "made under the old rules"
    cell(page, 2, 1).click()
    expect(page.get_by_test_id("inspector")).to_contain_text("What it is")


def test_a_newer_extraction_moves_no_text_no_mark_and_no_box(app: App, page: Page, tmp_path: Path) -> None:
    def shown() -> list[object]:
        cells = page.locator("td[data-row]")
        kept = """all => all.map(({ dataset: { row, col, state }, textContent }) =>
            [row, col, state.replace(/seen|unseen/, ""), textContent])"""
        page.locator(".boxes .cell").first.wait_for()
        boxes = "all => all.map(one => [one.dataset.cell, one.style.left, one.style.top, one.style.width]).sort()"
        lines = page.locator("tr.line").evaluate_all("all => all.map(tr => tr.className)")  # matched, missed, extra
        return [cells.evaluate_all(kept), page.locator(".boxes .cell").evaluate_all(boxes), lines]

    open_table(app, page, "line_items")
    typed(page, 4, 1, "corrected")
    cell(page, 3, 4).click()
    press(page, "Alt+u", "Control+Home")
    expect(state(page)).to_have_text("saved")
    page.reload()
    expect(state(page)).to_have_text("saved", timeout=20_000)
    before = shown()
    newer = json.loads((INVOICE / "first_extraction.json").read_text())
    newer["extractor"]["version"] = "4.0.0"
    del newer["line_items"][0]
    (tmp_path / "INV-2024-10583.json").write_text(json.dumps(newer))
    brought_in(app, tmp_path / "INV-2024-10583.json")
    assert len(ask(app, "select 1 from extraction join document on document.id = document where name like 'INV%'")) == 2
    page.reload()
    expect(state(page)).to_have_text("saved", timeout=20_000)
    assert shown() == before
