"""The commands, on documents whose figures follow from tests/confident_documents.py."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from review_app import confidence_charts, confidence_tables, review_view
from review_app.cli import main
from scoring.effort.durations import durations
from store.comparison import compare
from store.confidence_cells import project_cells
from store.confidence_fields import Field, fields
from store.db import Db
from store.thresholds import Basis, set_threshold
from tests.confident_documents import ACCEPTED, ARABIC, ROWS, WRONG_ARABIC, WRONG_PRICES, confident_documents

CELLS = ACCEPTED * ROWS


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return confident_documents(tmp_path_factory.mktemp("confident") / "home").folder


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "copy"))


def proofgrid(home: Path, *words: object, status: int = 0) -> Result:
    done = CliRunner().invoke(main, ["thresholds", *map(str, words), "--home", str(home)])
    assert done.exit_code == status, done.output
    return done


def listed(home: Path) -> dict[str, Field]:
    db = Db(home / "proofgrid.db")
    with db.read() as reader:
        found = project_cells(db, reader, project="orders")
        made = {each.cells.field: each for each in fields(db, reader, found, project="orders")}
    db.close()
    return made


def texts(rows: confidence_tables.Rows) -> dict[str, list[str]]:
    return {row[0].text: [cell.text for cell in row[1:]] for row in rows[1]}


def test_the_list_begins_with_the_field_that_lets_most_errors_pass(home: Path) -> None:
    first, price, *_ = proofgrid(home, "list").output.splitlines()
    assert first.startswith(f"lines, {ARABIC}: 0.8, the default; 100.0 % of {CELLS} cells pass, {WRONG_ARABIC} of them")
    assert f"0 of them wrong ({WRONG_PRICES} in all); AUROC 0.967" in price
    told = json.loads(proofgrid(home, "list", "--json").output)["fields"]
    assert [(each["field"], each["tau"], each["passes"]["cells_accepted_wrong"]) for each in told[:2]] == [
        (ARABIC, 0.8, WRONG_ARABIC),
        ("price", 0.8, 0),
    ]


def test_too_few_cells_are_told_with_what_they_can_promise(home: Path) -> None:
    told = proofgrid(home, "recommend", "--field", "price", status=1).output
    # 192 cells in three samples of 64: 1 - 0.1 ** (1 / 64) is 3.5 %.
    assert told == (
        "Not enough data: too few to promise 2 %: scored cells 192, documents 24, expected at least 342 and 20. "
        "With so many cells 3.5 % is the least that can be promised.\n"
    )


def test_a_recommendation_is_saved_listed_and_taken_back(home: Path) -> None:
    shown = proofgrid(home, "recommend", "--field", "price", "--alpha", "0.05").output
    assert shown.splitlines()[0] == "lines, price: cells may pass from 0.7 on"
    assert "Cells that pass" in shown
    assert "168 of 192" in shown
    kept = json.loads(proofgrid(home, "set", "--field", "price", "--recommended", "--alpha", "0.05", "--json").output)
    assert (kept["tau"], kept["way"], kept["alpha"], kept["basis"]["cells"]) == (0.7, "recommended", 0.05, CELLS)
    assert "lines, price: 0.7, recommended; 87.5 %" in proofgrid(home, "list").output
    assert proofgrid(home, "set", "--field", "price", "--default").output == "lines, price: back to the default\n"
    assert "lines, price: 0.8, the default" in proofgrid(home, "list").output


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["set", "--field", "price"], 2, "give one of TAU"),
        (["set", "0.5", "--default"], 2, "give one of TAU"),
        (["set", "0.5", "--field", "weight"], 2, "no accepted cells of such a field; expected one of: --type lines"),
        (["set", "0.5", "--low", "0.6"], 2, "a low badge below 0.6, expected at most the threshold 0.5"),
        (["set", "--recommended", "--field", "article"], 1, "Not enough data"),
        (["recommend", "--field", "price", "--alpha", "nan"], 2, "nan is no number"),
        (["recommend", "--field", "price", "--delta", "nan"], 2, "nan is no number"),
        (["set", "--field", "price", "--", "nan"], 2, "nan is no number"),
        (["set", "0.5", "--low", "nan"], 2, "nan is no number"),
        (["list", "--project", "none"], 2, "project 'none' holds no document"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(home: Path, words: list[str], status: int, told: str) -> None:
    assert told in proofgrid(home, *words, status=status).output


def test_time_saved_is_the_median_cell_times_the_cells_that_pass(home: Path) -> None:
    field, times = listed(home)["price"], durations([2000.0, 3000.0, 4000.0, 5000.0, 60_000.0])
    shown = texts(confidence_tables.passing(field.at(0.7), times, "this field"))
    # 336 cells of 4 s each.
    assert shown["Time saved"] == ["22 min 24 s", "4.0 s a cell, 5 timed cells of this field"]
    assert shown["Cells that pass"] == ["87.5 %", "336 of 384"]
    assert shown["Errors let through"] == ["0", "0.0 % of what passes"]
    assert texts(confidence_tables.passing(field.at(0.5), times, "this field"))["Errors let through"][0] == "24"
    unknown = confidence_tables.passing(field.at(0.7), durations([]), "this project")
    assert texts(unknown)["Time saved"] == ["not measured", "no cell was timed"]


def test_a_document_that_passes_with_a_wrong_cell_is_counted(home: Path) -> None:
    shown = texts(confidence_tables.passing(listed(home)[ARABIC].at(0.9), durations([]), ""))
    assert shown["Documents that pass"] == ["100.0 %", "48 of 48"]
    assert shown["Not right of them"] == ["12", "25.0 % of what passes"]


def test_what_must_be_known_before_a_curve_is_believed_stands_above_it(home: Path) -> None:
    found = listed(home)
    assert list(confidence_tables.warnings(found["quantity"])) == [
        "Every cell has the confidence 0.9: it tells no cell from another, so a threshold lets pass all cells or none.",
        "No cell is wrong, so there is nothing to find, and nothing to learn of where errors would be.",
    ]
    assert next(confidence_tables.warnings(found[ARABIC])).startswith("All cells lie in 1 of ten bins")
    assert list(confidence_tables.warnings(found["article"])) == []


def test_a_stale_threshold_is_told_with_what_it_was_chosen_on(home: Path) -> None:
    db = Db(home / "proofgrid.db")
    basis = Basis(1, 200, 25, "other cells")
    set_threshold(
        db, project="orders", table_type="lines", field="price", tau=0.7, basis=basis, person="Ada", way="by hand"
    )
    db.close()
    field = listed(home)["price"]
    assert list(confidence_tables.warnings(field))[-1] == (
        "The threshold 0.7 is stale: it was chosen on 200 cells of 25 documents of run 1, and the cells are others now "
        "(384 of 48). Choose it anew."
    )
    assert "data changed since" in proofgrid(home, "list").output


def test_all_fields_together_pass_by_the_thresholds_that_single_ones_have(home: Path) -> None:
    proofgrid(home, "set", "0.5", "--field", "price")
    proofgrid(home, "set", "0.98")
    found = listed(home)
    # All prices pass by their own threshold, of the others the Arabic ones of .99.
    assert found[""].now.through.cells_accepted == CELLS + CELLS // 2
    assert found["quantity"].tau == 0.98
    assert confidence_tables.now(found[""]).endswith("counts where a field has none of its own; 1 field has one.")
    assert " for all fields without one of their own" in confidence_tables.now(found["quantity"])


def test_the_charts_show_what_the_tables_say(home: Path) -> None:
    field = listed(home)["price"]
    bins = [each for each in field.measures.calibration.bins if each.n]
    figure = confidence_charts.reliability(field.measures.calibration.bins, saved=0.8, tried=0.7)
    shown = {trace.name: trace for trace in figure.data}
    assert list(shown["right, with 95 % interval"].y) == [each.accuracy for each in bins] == [0.5, 1.0, 1.0]
    assert list(shown["cells"].y) == [each.n for each in field.measures.calibration.bins]
    assert "tried by hand" in shown
    budget = confidence_charts.review_budget(field.measures.review, saved=0.25, tried=0.25)
    curve = next(trace for trace in budget.data if trace.name == "lowest confidence first")
    # The lowest eighth holds all 24 errors, in no order: a tenth finds four fifths of them.
    assert dict(zip(curve.x, curve.y, strict=True))[0.1] == pytest.approx(0.8)


def test_the_badges_of_an_open_review_are_told_anew_after_a_threshold_was_set(home: Path) -> None:
    db = Db(home / "proofgrid.db")
    with db.read() as reader:
        key = int(next(iter(reader.query("select max(id) - 1 as id from gold")))["id"])  # that of doubt-a.pdf
        before = review_view.first_text(compare(db, reader, key))
    nothing = Basis(0, 0, 0, "")
    set_threshold(db, project="orders", table_type="lines", field="price", tau=0.7, basis=nothing, person="Ada")
    with db.read() as reader:
        after = review_view.first_text(compare(db, reader, key))
    db.close()
    assert before is not None
    assert after is not None
    badges = [{(each["row"], each["col"]): each for each in json.loads(text)["badges"]} for text in (before, after)]
    assert [told[1, 2]["level"] for told in badges] == ["medium", "high"]
    assert "at least 0.70, set by Ada on" in badges[1][1, 2]["reason"]
