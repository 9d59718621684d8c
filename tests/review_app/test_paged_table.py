from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from review_app import settings
from review_app.html_table import Shown
from review_app.paged_table import Listed, as_csv, searched

ENTRIES = [(f"order {number:03}", None if number % 100 == 50 else -number) for number in range(250)]


def rows_of(page: Sequence[tuple[str, int | None]]) -> tuple[list[Shown], list[list[Shown]]]:
    return [Shown("Name"), Shown("n", look="number")], [[Shown(name), Shown(str(n))] for name, n in page]


LISTED = Listed(
    ENTRIES,
    rows_of,
    lambda entry: entry[0],
    key="orders",
    label="Orders",
    file_name="orders.csv",
    search="Search orders",
    orders={"Least": lambda entry: entry[1]},
)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PROOFGRID_HOME", str(tmp_path))
    settings.database.cache_clear()
    yield
    settings.database().close()
    settings.database.cache_clear()


def drawn() -> None:
    from review_app.paged_table import paged_table
    from tests.review_app.test_paged_table import LISTED

    paged_table(LISTED, "All orders")


def names(app: AppTest) -> list[str]:
    assert not app.exception
    page = next(one.proto.body for one in app.main if one.type == "html")
    return [part.split("<")[0] for part in page.split("class=''>order ")[1:]]


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click().run()


def test_a_long_table_comes_in_pages_from_first_to_last() -> None:
    app = AppTest.from_function(drawn).run()
    seen = [*names(app)]
    assert seen == [f"{number:03}" for number in range(100)]
    assert [button.label for button in app.button if button.disabled] == ["Previous"]
    for _ in range(2):
        press(app, "Next")
        seen += names(app)
    assert seen == [f"{number:03}" for number in range(250)]
    assert [button.label for button in app.button if button.disabled] == ["Next"]
    assert "201 to 250 of 250" in [caption.value for caption in app.caption]


def test_a_search_begins_at_the_first_page_of_what_it_finds() -> None:
    app = AppTest.from_function(drawn).run()
    press(app, "Next")
    app.text_input[0].input(" ORDER 1 ").run()
    assert names(app) == [f"{number}" for number in range(100, 200)]
    assert "100 rows, 250 in all" in [caption.value for caption in app.caption]
    app.text_input[0].input("").run()
    assert names(app)[0] == "000"


def test_entries_without_a_value_come_last_in_an_order() -> None:
    found = searched(LISTED, "", "Least")
    assert [name for name, _ in found][:2] == ["order 249", "order 248"]
    assert [name for name, n in found if n is None] == [name for name, _ in found][-2:]
    assert list(searched(LISTED, "", "As given")) == ENTRIES


def test_what_is_saved_as_csv_runs_nothing_in_a_spreadsheet() -> None:
    heads, rows = rows_of([("=1+1", -2), ("@sum", 3), ("-1.5", None), ('say "a,b"', 4)])
    assert as_csv(heads, rows).decode().splitlines() == [
        "Name,n",
        "'=1+1,-2",
        "'@sum,3",
        "-1.5,None",
        '"say ""a,b""",4',
    ]
