from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from store.chosen import chosen
from store.db import Db
from store.extracting import extract
from store.extractors.fixtures import fixtures
from store.home import Home
from tests.browser.app.waiting import at_rest
from tests.store.service import running

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser


def test_a_document_on_which_the_extractor_failed_stands_on_the_results_with_the_reason(
    app: App, page: Page, tmp_path: Path
) -> None:
    home = Home(app.home)
    db = Db(home.database)
    for fixture in fixtures()[:2]:
        (tmp_path / fixture.name).write_bytes(fixture.raw)
    orders, _ = chosen(db, home, [tmp_path], person="ann", project="samples")
    with running() as service:
        service.play({"body": {"line_items": [{"item": "bolt"}]}}, {"body": "Sorry, <b>no</b> tables here."})
        given = {"url": service.origin, "name": "acme", "version": "9"}
        extract(db, home, orders, extractor_name="http", person="ann", project="samples", given=given)
    db.close()
    page.goto(f"{app.url}/results")
    at_rest(page)
    expect(page.get_by_test_id("stMain")).to_contain_text(
        "acme 9: 1 of 2 documents read in full at the first attempt (50.0 %)."
    )
    row = page.get_by_test_id("results-failed").get_by_role("row").filter(has_text=orders[1].name)
    expect(row).to_contain_text("unreadable")
    expect(row).to_contain_text("not JSON")
    expect(row).to_contain_text("<b>no")
    row.get_by_role("link", name=orders[1].name).press("Enter")
    expect(page.get_by_test_id("stMain")).to_contain_text("The extractor failed: unreadable at its first attempt.")
    expect(page.get_by_test_id("stMain")).to_contain_text("found 'Sorry, <b>no</b> tab'")
