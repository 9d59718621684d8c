"""Correction time as the command line and the page report it, over a home with work that was measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from review_app.cli import main
from scoring.table import from_rows
from store.activity import Activity, add_activity
from store.db import Db
from store.documents import add_document
from store.edits import SetText, TextChange
from store.gold import NewEdit, add_edits, add_gold
from store.home import Home
from store.pages import PageSize
from store.reviews import add_verdict
from store.timing import PauseAnswer, add_adjustment, add_answers
from store.work_time import daily

TABLE = from_rows([["item", "price"], ["bolt", "1.20"], ["nut", "O.40"]], header_rows=1)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """Six accepted tables of ann with some work each, and an open one of bob."""
    db, place = Db(tmp_path / "proofgrid.db"), Home(tmp_path)
    for number in range(7):
        person = "bob" if number == 6 else "ann"
        document, _ = add_document(
            db,
            place,
            b"%PDF-1.7 " + bytes([number]),
            name=f"{number}.pdf",
            media_type="application/pdf",
            pages=[PageSize(1, 595, 842)],
            person=person,
            project="bills",
        )
        gold, _ = add_gold(db, document.id, TABLE, name="parts", base="blank", person=person)
        began = (datetime.now(UTC) - timedelta(seconds=3)).isoformat()
        fix = NewEdit(f"edit-{number:04}", SetText((TextChange(2, 1, "O.40", "0.40"),)))
        add_edits(db, gold.id, [fix], person=person, after=0)
        cells = (("b2", "b1", 700),)
        add_activity(
            db, gold.id, [Activity(f"s{number}", "t", "correction", began, 1_000 + number, cells=cells)], person=person
        )
        if person == "ann":
            add_verdict(db, gold.id, verdict="accept", person=person, id=f"v{number}", at_revision=1)
    add_adjustment(db, id="m", person="ann", minutes=-5, reason="phone", key=1)
    add_answers(db, 1, [PauseAnswer("q", 240_000, True, "")], person="ann")
    yield tmp_path
    db.close()


def proofgrid(*words: str) -> str:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_time_of_accepted_tables_is_reported_by_group_with_its_sensitivity(home: Path) -> None:
    report = json.loads(proofgrid("time", "--home", str(home), "--json", "--project", "bills"))
    assert report["tables"]["n"] == 6
    assert 0 < report["tables"]["low_quartile_ms"] <= report["tables"]["median_ms"]
    assert list(report["by"]["phase"]) == ["correction"]
    assert report["by"]["person"]["ann"]["n"] == 6
    assert report["by"]["work on a cell"]["corrected"]["n"] == 6
    assert list(report["sensitivity"]) == ["30000", "60000", "120000", "300000"]
    assert report["open_tables"]["tables"] == 1
    assert report["own_minutes"] == [{"person": "ann", "gold": 1, "minutes": -5.0, "reason": "phone"}]
    assert report["pauses_said_to_be_work_ms"] == 240_000


def test_the_lines_name_what_is_too_few_and_what_is_still_open(home: Path) -> None:
    lines = proofgrid("time", "--home", str(home), "--cutoff", "45")
    assert "6 accepted tables, cut-off 45 s" in lines
    assert "Still open: 1 table" in lines
    assert "-5 min in 1 entry" in lines
    assert "45 s" in lines.split("by cut-off")[1]


def test_a_home_without_measured_work_says_so(tmp_path: Path) -> None:
    Db(tmp_path / "proofgrid.db").close()
    assert "No work on an accepted table" in proofgrid("time", "--home", str(tmp_path))


def test_the_days_of_a_person_add_up_to_what_counts(home: Path) -> None:
    db = Db(home / "proofgrid.db")
    with db.read() as reader:
        days = daily(reader, "bob")
    db.close()
    assert sum(days.values()) == 1_006


def test_an_export_with_provenance_carries_the_correction_time(home: Path, tmp_path: Path) -> None:
    proofgrid("export", "--home", str(home), "--to", "jsonl", "-o", str(tmp_path / "out"))
    lines = [json.loads(file.read_text())["correction_time"] for file in (tmp_path / "out").iterdir()]
    assert len(lines) == 6
    assert {line["cutoff_ms"] for line in lines} == {120_000}
    assert (
        sum(line["active_ms"] for line in lines) == sum(line["active_ms_by_phase"]["correction"] for line in lines) > 0
    )
