"""Texts that try to be a program, wherever a text may come from, on every screen of the real app."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, Route

from scoring.schema import TableType
from scoring.table import from_rows
from store.comments import NewComment, add_comments
from store.db import Db
from store.edits import SetText, TextChange
from store.extractions import Run
from store.gold import NewEdit, add_edits
from store.guidelines import add_guidelines
from store.home import Home
from store.quality_sample import draw
from store.releases import make_release
from store.reviews import add_verdict
from store.table_types import add_table_type
from tests.browser.app.served import served
from tests.browser.app.waiting import at_rest
from tests.stored_documents import put_answer, put_document, put_gold

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

SCREENS = (
    "",
    "review?table=1",
    "review?table=2",
    "strip",
    "strip?kind=any",
    "results",
    "confidence",
    "compare",
    "effort",
    "document?document=1",
    "document?document=2",
    "releases",
    "releases?name=first",
    "import",
    "progress",
    "second_pass",
    "quality",
    "my_time",
)


def hostile(place: str) -> str:
    """A text that runs where it is taken for HTML, follows where it is taken for Markdown, and names its place."""
    return (
        f"{place}<img src=x onerror=\"window.ran='{place}'\"><script>window.ran='{place}'</script>"
        f"![x](http://hostile.test/{place}.png) [y](javascript:window.ran='{place}')"
    )


@pytest.fixture(scope="module")
def planted(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server on a home in which every text that comes from outside is hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    home = Home(folder / "home")
    db = Db(home.database)
    project = "hostile <b>project</b>"
    kind = {
        "name": "lines",
        "label": hostile("type"),
        "columns": [{"name": hostile("column"), "label": hostile("label")}],
    }
    add_table_type(db, TableType.from_json(kind), project=project)
    rows = [[hostile("column"), hostile("header")], [hostile("cell"), "1.20"], [hostile("row"), "2.40"]]
    for number in (1, 2):
        document = put_document(db, home, hostile(f"file{number}")[:200] + ".pdf", [["bolt"]], project=project)
        for extractor in ("one", "two"):
            wrong = [*rows[:2], [hostile(f"first-{extractor}"), "2.41"]]
            run = Run(hostile(extractor), hostile("version"), {"prompt": hostile("parameter")})
            put_answer(db, document, run, (hostile("table"), from_rows(wrong, header_rows=1)))
        key = put_gold(db, document, from_rows(rows, header_rows=1), person=hostile("person")).id
        add_edits(
            db,
            key,
            [NewEdit(f"e{number}", SetText((TextChange(1, 1, "1.20", hostile("edit")),)))],
            person="ann",
            after=0,
        )
        if number == 1:
            comment = NewComment("c1", "comment", hostile("comment"), thread="c1")
            add_comments(db, key, [comment], person=hostile("speaker"))
        else:
            add_verdict(db, key, verdict="accept", person="ann", id="v", at_revision=1, reason=hostile("reason"))
    # Accepted by somebody else, so that ann is asked whether it is right.
    document = put_document(db, home, hostile("file3")[:200] + ".pdf", [["bolt"]], project=project)
    key = put_gold(db, document, from_rows(rows, header_rows=1), person=hostile("person")).id
    add_verdict(db, key, verdict="accept", person=hostile("accepter"), id="v3", at_revision=0)
    draw(db, project=project, size=20, seed=1, person=hostile("owner"))
    add_guidelines(db, hostile("guidelines"), project=project, table_type="lines")
    make_release(db, project=project, name="first", note=hostile("note"), person="ann")
    db.close()
    with served(folder) as running:
        yield running


@pytest.mark.parametrize("screen", SCREENS)
def test_no_text_runs_or_fetches_anything_on(planted: App, page: Page, screen: str) -> None:
    asked: list[str] = []

    def outside(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    page.route("**/*hostile.test/**", outside)
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.goto(f"{planted.url}/{screen}")
    at_rest(page)
    page.wait_for_timeout(500)
    assert page.evaluate("window.ran") is None
    assert asked == []
    found = page.evaluate(
        """() => { const found = []; const look = (root) => { for (const one of root.querySelectorAll("*")) {
            if (one.matches("a[href^='javascript:'], img[src='x'], img[src^='http://hostile'], a[href^='http://hostile']"))
                found.push(one.outerHTML.slice(0, 200));
            if (one.shadowRoot) look(one.shadowRoot); } }; look(document); return found; }"""
    )
    assert found == []


def test_the_comments_history_and_guidelines_of_a_table_run_nothing(planted: App, page: Page) -> None:
    page.goto(f"{planted.url}/review?table=1")
    at_rest(page)
    for key in ("Alt+c", "Alt+h", "Alt+g", "?"):
        page.keyboard.press(key)
        page.wait_for_timeout(300)
        assert page.evaluate("window.ran") is None
        page.keyboard.press("Escape")
