from __future__ import annotations

import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from scoring.table import from_rows
from store.db import Db
from store.gold import add_gold
from store.reviews import add_verdict
from tests.browser.app.served import served
from tests.browser.app.waiting import at_rest
from tests.two_runs import two_runs

if TYPE_CHECKING:
    from conftest import App

pytestmark = pytest.mark.browser

SAMPLE = Path(__file__).parents[3] / "sample_docs" / "invoice-laboratory"
# No number, none that is stored, and one that no database could hold.
NOTHING = ("abc", "-1", "1e400", "999", "9" * 40)
SCREENS = ("", "review", "results", "compare", "document", "import")


@pytest.fixture(scope="module")
def empty_app(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server on a home that holds nothing."""
    folder = tmp_path_factory.mktemp("empty")
    with served(folder) as running:
        yield running


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_says_what_to_do_when_there_is_nothing(empty_app: App, page: Page, screen: str) -> None:
    page.goto(f"{empty_app.url}/{screen}")
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text("Import files" if screen != "import" else "Drop documents")
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_an_address_that_names_no_screen_says_so_and_leads_to_the_queue(empty_app: App, page: Page) -> None:
    page.goto(f"{empty_app.url}/nopage")
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text("There is no screen at this address")
    expect(page.get_by_role("dialog")).to_have_count(0)
    main.get_by_role("link", name="Open the queue").click()
    expect(main).to_contain_text("Import files")
    expect(page).to_have_url(f"{empty_app.url}/")


@pytest.mark.parametrize("screen", SCREENS)
def test_no_screen_asks_another_host_for_anything(app: App, page: Page, screen: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{app.url}/{screen}")
    expect(page.get_by_test_id("stMain")).to_be_visible()
    page.wait_for_timeout(1500)
    assert [url for url in asked if not url.startswith((app.url, "data:", "blob:", f"ws://127.0.0.1:{app.port}"))] == []


@pytest.mark.parametrize(
    ("address", "words"),
    [
        *((f"review?{part}={asked}", f"{asked}: there is none") for part in ("table", "document") for asked in NOTHING),
        *((f"document?document={asked}", f"none with this number: document {asked}") for asked in NOTHING),
        ("document?document=1&run=999", "has no run 999"),
        ("document?document=1&run=x", "has no run x"),
        ("results?project=zzz", "There is no project zzz"),
        ("results?run=999", "has no run 999"),
        ("results?part=condition&value=zzz", "Nothing that is scored here has condition zzz"),
        ("results?part=zzz", "Nothing that is scored here has zzz none"),
        ("compare?project=zzz", "There is no project zzz"),
        ("confidence?project=zzz", "There is no project zzz"),
        ("confidence?run=999", "has no run 999"),
        ("confidence?type=x&field=y", "There is no field y of the table type x"),
        ("effort?project=zzz", "There is no project zzz"),
    ],
)
def test_an_address_of_nothing_ends_in_words_and_in_no_other_numbers(
    app: App, page: Page, address: str, words: str
) -> None:
    page.goto(f"{app.url}/{address}")
    expect(page.get_by_test_id("stMain")).to_contain_text(words)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    at_rest(page)
    expect(page.get_by_test_id("stMetric")).to_have_count(0)


def test_results_link_to_a_document_with_its_differences(app: App, page: Page) -> None:
    page.goto(f"{app.url}/results")
    at_rest(page)
    page.get_by_test_id("results-summary").get_by_role("link", name="APZ_2024-03-0187.pdf").press("Enter")
    expect(page.get_by_test_id("differences")).to_contain_text("ca. 520 MPa")
    expect(page.get_by_test_id("stMain")).to_contain_text("Fail")


def test_files_are_shown_as_understood_before_they_are_stored(empty_app: App, page: Page, tmp_path: Path) -> None:
    # Named alike, so that the extraction finds its document; the third is cut in the middle.
    document, extraction, cut = (tmp_path / name for name in ("lab.pdf", "lab.json", "lab.cut.json"))
    document.write_bytes((SAMPLE / "INV-2024-10583.pdf").read_bytes())
    raw = (SAMPLE / "first_extraction.json").read_bytes()
    extraction.write_bytes(raw)
    cut.write_bytes(raw[:500])
    page.goto(f"{empty_app.url}/import")
    at_rest(page)
    page.locator("input[type=file]").set_input_files([document, extraction, cut])
    plan = page.get_by_test_id("import-plan")

    def line(name: str) -> Locator:
        return plan.get_by_role("row").filter(has=page.get_by_role("cell", name=name, exact=True))

    expect(line("lab.cut.json")).to_contain_text("refused")
    expect(line("lab.pdf")).to_contain_text("1 page")
    expect(line("lab.json")).to_contain_text("of lab.pdf")
    connection = sqlite3.connect(f"file:{empty_app.home / 'proofgrid.db'}?mode=ro", uri=True)
    assert connection.execute("select count(*) from document").fetchone() == (0,)
    connection.close()
    at_rest(page)
    page.get_by_role("button", name="Import 2 files").press("Enter")
    expect(page.get_by_test_id("stMain")).to_contain_text("New: 1 document, 1 extraction")
    refused = page.get_by_test_id("import-refused").get_by_role("row").filter(has_text="lab.cut.json")
    expect(refused).to_contain_text("JSON")  # it stays, with the reason, for whoever has to mend it
    at_rest(page)
    page.get_by_role("link", name="Open the queue").press("Enter")
    expect(page.get_by_test_id("queue")).to_contain_text("lab.pdf")


def test_an_undefined_ratio_reads_not_available_among_the_numbers(app: App, page: Page) -> None:
    page.goto(f"{app.url}/results")
    at_rest(page)
    numbers = page.get_by_role("tab", name="Numbers").last
    numbers.click()
    expect(numbers).to_have_attribute("aria-selected", "true")
    line = page.get_by_test_id("results-fields").get_by_role("row").filter(has_text="rounding")
    expect(line).to_contain_text("n/a")


def test_another_host_name_is_not_answered(app: App) -> None:
    request = urllib.request.Request(app.url, headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(request)


def test_names_that_are_markdown_are_shown_as_they_are_and_fetch_nothing(
    chromium: Browser, page: Page, tmp_path: Path
) -> None:
    name = "![p](http://127.0.0.1:9/leak.png) [click](http://evil.example) *T* $x^2$ :red[hi]"
    home = two_runs(tmp_path / "home")
    db = Db(home.database)
    made, _ = add_gold(db, 1, from_rows([["a"], ["b"]], header_rows=1), name=name, base="blank", person="ann")
    add_verdict(db, made.id, verdict="accept", person="ann", id="accept", at_revision=0)
    db.close()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with served(tmp_path) as running:
        page.goto(f"{running.url}/document?document=1")
        expect(page.get_by_role("heading", name=name.replace("://", "://\u2060"))).to_be_visible()
        expect(page.get_by_role("link", name="click")).to_have_count(0)
    assert not [url for url in asked if "leak" in url or "evil" in url]
