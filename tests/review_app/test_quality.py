"""Samples of accepted cells at the terminal, on Results and through the routes of the screen Quality."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from streamlit.testing.v1 import AppTest

from review_app import settings
from review_app.cli import main
from store import people
from store.db import Db
from store.quality_check import add_check, to_check
from store.quality_sample import draw, newest
from tests.confident_documents import confident_documents

SCREEN = (
    "from collections import defaultdict\nimport streamlit as st\nfrom review_app.views import quality\n"
    "page = st.Page(quality.show, url_path='here', default=True)\n"
    "st.session_state['screens'] = defaultdict(lambda: page)\nst.navigation([page]).run()"
)


@pytest.fixture
def orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Db]:
    """A home with 48 accepted tables in project "orders", in which the commands run."""
    home = confident_documents(tmp_path / "orders")
    monkeypatch.setenv("PROOFGRID_HOME", str(home.folder))
    settings.database.cache_clear()
    db = settings.database()
    yield db
    db.close()
    settings.database.cache_clear()


def said(*words: str) -> Result:
    return CliRunner().invoke(main, ["quality", *words])


def check_all(db: Db) -> None:
    with db.read() as reader:
        of = newest(reader, "orders")
        assert of is not None
        cells = to_check(reader, of, person="bob").cells
    for cell in cells:
        wrong = cell.level == "low"
        add_check(
            db,
            cell.id,
            id=f"check-{cell.id}",
            verdict="wrong" if wrong else "right",
            seen="7" if wrong else None,
            person="bob",
        )


def test_the_command_draws_lists_and_shows_what_was_measured(orders: Db) -> None:
    assert "No sample was drawn yet" in said("list").stdout
    nothing = said("show")
    assert (nothing.exit_code, "has no sample yet" in nothing.stderr) == (2, True)
    done = said("draw", "--cells", "100", "--seed", "3")
    assert done.exit_code == 0, done.output
    assert "Sample 1: 100 of 1,536 accepted cells." in done.stdout
    assert "not known yet: 0 of 100 drawn cells looked at; 0 checked, expected 30 or more" in said("list").stdout
    check_all(orders)
    told = json.loads(said("show", "--json").stdout)
    assert (told["drawn"], told["seed"], told["whole"]["population"]) == (100, 3, 1536)
    assert told["whole"]["rate"] == pytest.approx(1 / 32)
    assert [(band["name"], band["rate"]) for band in told["bands"]] == [
        ("high", 0),
        ("medium", 0),
        ("low", 1),
        ("none", 0),
    ]
    shown = said("show", "1").stdout
    assert "3.1 % of the accepted cells are wrong (95 % interval" in shown
    assert "badge Low: 12 wrong of 12" in shown


def test_a_sample_that_is_none_is_refused_in_words(orders: Db) -> None:
    done = said("draw", "--cells", "0")
    assert (done.exit_code, done.stderr.strip()) == (2, "a sample of 0 cells, expected 1 to 5,000")
    assert "there is none with this number" in said("show", "7").stderr


def test_results_show_the_measured_error_beside_the_other_guards(orders: Db) -> None:
    draw(orders, project="orders", size=100, seed=1, person="olga")
    check_all(orders)
    shown = SCREEN.replace("import quality", "import results").replace(
        "quality.show", "lambda: results._guards('orders')"
    )
    app = AppTest.from_string(shown).run(timeout=60)
    assert not app.exception
    assert [one.value for one in app.subheader] == ["Measured error of accepted cells", "Reviews by person"]
    assert "of the accepted cells are wrong" in app.markdown[0].value


def test_an_owner_draws_on_the_screen_and_a_reviewer_is_told_who_can(
    orders: Db, monkeypatch: pytest.MonkeyPatch
) -> None:
    people.add_person(orders, "ada@example.org", role="admin", by="root", name="Ada")
    people.add_person(orders, "rita@example.org", role="reviewer", by="Ada", name="rita")
    monkeypatch.setenv("PROOFGRID_PERSON", "rita")
    app = AppTest.from_string(SCREEN).run(timeout=60)
    assert [one.value for one in app.subheader] == ["No sample of accepted cells yet"]
    assert "An owner draws the sample." in app.markdown[0].value
    assert not app.button
    monkeypatch.setenv("PROOFGRID_PERSON", "Ada")
    app = AppTest.from_string(SCREEN).run(timeout=60)
    app.number_input[0].set_value(60)
    app.button[0].click()
    app.run(timeout=60)
    assert not app.exception
    with orders.read() as reader:
        made = newest(reader, "orders")
    assert made is not None
    assert (made.drawn, made.drawn_by) == (60, "Ada")
    assert len(app.get("bidi_component")) == 1
