"""Every figure here follows from the counts beside DOCUMENTS by the definitions, not from a run of the program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from click.testing import CliRunner, Result
from streamlit.testing.v1 import AppTest

from review_app import result_tables
from review_app.cli import main
from review_app.markdown_table import markdown_table
from store.attempts import completions
from store.db import Db
from store.scored_documents import scored_documents
from store.scores import ScoredDocument, cause_shares, corpus_of, part_of
from tests.six_documents import six_documents

RIGHT, EXTRACTED, EXPECTED = 6 + 5 + 5 + 6, 6 + 6 + 6 + 9, 6 + 6 + 5 + 6 + 6


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return six_documents(tmp_path_factory.mktemp("six") / "home").folder


@pytest.fixture(scope="module")
def found(home: Path) -> tuple[ScoredDocument, ...]:
    db = Db(home / "proofgrid.db")
    with db.read() as reader:
        return scored_documents(db, reader)


def proofgrid(home: Path, *words: object, status: int = 0) -> Result:
    done = CliRunner().invoke(main, [*map(str, words), "--home", str(home)])
    assert done.exit_code == status, done.output
    return done


def texts(rows: Any) -> list[list[str]]:
    return [[cell.text for cell in row] for row in rows]


def test_the_headline_is_as_worked_out_by_hand(home: Path, found: tuple[ScoredDocument, ...]) -> None:
    db = Db(home / "proofgrid.db")
    with db.read() as reader:
        figures = {figure.label: figure for figure in result_tables.headline(found, completions(reader, run=1))}
    shown = {label: figure.value for label, figure in figures.items()}
    assert shown["Documents passed"] == "1 of 5"
    assert shown["Cell F1, exact (micro)"] == f"{100 * 2 * RIGHT / (EXTRACTED + EXPECTED):.1f} %" == "78.6 %"
    assert shown["Row recall (micro)"] == "80.0 %"
    assert shown["Completed at first attempt"] == "5 of 6"
    assert shown["Correction time, median"] == "n/a"
    assert figures["Documents passed"].sure == "3.6 % to 62.4 %"  # Wilson, 1 of 5
    assert figures["Row recall (micro)"].sure == "8 of 10 rows"


def test_the_json_has_the_same_numbers_and_the_second_repeat_beside_them(home: Path) -> None:
    told = json.loads(proofgrid(home, "score", "--json").stdout)
    assert told["metrics"] == pytest.approx(
        {
            "document_pass_rate": 1 / 5,
            "cell_f1": 2 * RIGHT / (EXTRACTED + EXPECTED),
            "cell_precision": RIGHT / EXTRACTED,
            "cell_recall": RIGHT / EXPECTED,
            # 0.75 of "7.20" is "1.20", and each of the other pairs is whole.
            "graded_f1": 2 * (RIGHT + 0.75) / (EXTRACTED + EXPECTED),
            "row_recall": 8 / 10,
        }
    )
    (repeats,) = told["repeats"]
    assert (repeats["documents"], repeats["stability"]["pair_flip_rate"]) == (2, 0.0)
    assert repeats["f1"]["mean"] == pytest.approx(2 * 11 / 24)
    by_kind = told["corpus"]["by"]["document_type"]
    assert {kind: (part["pass_rate"]["count"], part["pass_rate"]["of"]) for kind, part in by_kind.items()} == {
        "invoice": (1, 3),
        "order": (0, 2),
    }


def test_each_document_is_told_with_its_cells_and_why_it_fails(found: tuple[ScoredDocument, ...]) -> None:
    _, rows = result_tables.documents(found)
    told = {row[0]: (row[1][2:], row[4], row[5]) for row in texts(rows)}
    assert told == {
        "right.pdf": ("pass", "6 of 6", "100.0 %"),
        "wrong-value.pdf": ("fail", "5 of 6", f"{100 * 10 / 12:.1f} %"),
        "absent-value.pdf": ("fail", "5 of 5", f"{100 * 10 / 11:.1f} %"),
        "duplicate-row.pdf": ("fail", "6 of 6", f"{100 * 12 / 15:.1f} %"),
        "no-answer.pdf": ("fail", "0 of 6", "0.0 %"),
        "empty.pdf": ("thing to score", "0 of 0", "n/a"),
    }
    reasons = {row[0]: row[2] for row in texts(rows)}
    assert reasons["no-answer.pdf"] == "the extractor failed (no answer): cut off after 3 bytes"


def test_the_parts_add_up_to_the_whole(found: tuple[ScoredDocument, ...]) -> None:
    _, rows = result_tables.parts(corpus_of(found), "document_type")
    assert [row[:4] for row in texts(rows)] == [
        ["order", "3", "0 of 2", f"{100 * 12 / 21:.1f} %"],
        ["invoice", "3", "1 of 3", f"{100 * 32 / 35:.1f} %"],
    ]
    parts = [part_of(found, "document_type", kind) for kind in ("invoice", "order")]
    assert sum(corpus_of(part).zero.micro_exact.expected for part in parts) == EXPECTED
    assert part_of(found, "document_type", "letter") == ()


def test_causes_hit_as_many_values_as_are_wrong(found: tuple[ScoredDocument, ...]) -> None:
    shares = cause_shares(found)
    # A wrong value, one that should be absent, three of a duplicate row, nine of a missed table with its header.
    assert sum(share.values for share in shares) == 1 + 1 + 3 + 6
    assert sum(share.share for share in shares) == pytest.approx(1)
    assert [document.name for document in shares[0].documents] == ["no-answer.pdf"]


def test_a_build_server_gets_a_case_for_each_document_and_each_bar(home: Path, tmp_path: Path) -> None:
    bars = ["--fail-under", "cell_f1=0.9", "--fail-under", "row_recall=0.5"]
    proofgrid(home, "score", "--junit", tmp_path / "results.xml", *bars, status=1)
    root = Xml.parse(tmp_path / "results.xml").getroot()
    suites = {suite.get("name"): dict(suite.attrib) for suite in root}
    assert {name: (suite["tests"], suite["failures"], suite["skipped"]) for name, suite in suites.items()} == {
        "documents": ("6", "4", "1"),
        "metrics": ("2", "1", "0"),
    }
    (below,) = root.findall("testsuite[@name='metrics']/testcase/failure")
    assert below.get("message") == "cell_f1 is 0.785714, expected at least 0.9"


def test_a_report_needs_nothing_but_itself_and_holds_the_figures(home: Path, tmp_path: Path) -> None:
    proofgrid(home, "report", "-o", tmp_path / "report.html", "--project", "hand")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    for text in ("Results of hand", "1 of 5", "78.6 %", "no-answer.pdf", "cut off after 3 bytes"):
        assert text in page


def test_a_summary_in_markdown_shows_documents_that_fail(home: Path, tmp_path: Path) -> None:
    proofgrid(home, "score", "--markdown", tmp_path / "summary.md")
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "| Cell F1, exact (micro) | 78.6 % |" in text
    assert "| wrong-value.pdf |" in text
    assert "| right.pdf |" not in text


def test_what_a_document_says_has_no_meaning_in_markdown() -> None:
    table = markdown_table(["Name", "n"], [["<img src=x> ![a](http://b) a|b\nc", "1"]], numbers=[False, True])
    assert table.splitlines()[1:] == ["| --- | ---: |", r"| \<img src=x\> !\[a\](http://b) a\|b c | 1 |"]


def test_scoring_shows_how_far_it_is_and_goes_on_after_a_stop() -> None:
    script = """
import streamlit as st
from review_app.scoring_progress import scoring
with scoring() as told:
    told(0, 50)
    told(0, 400)
    told(200, 400)
    if st.session_state["stop-here"]:
        st.stop()
st.write("scored")
"""
    app = AppTest.from_string(script)
    app.session_state["stop-here"] = True
    app.run()
    assert [button.label for button in app.button] == ["Stop"]
    app.button[0].click().run()
    assert [entry.value for entry in app.info] == [
        "Scoring was stopped. What has been scored is kept, and the rest is done from there."
    ]
    app.session_state["stop-here"] = False
    app.button[0].click().run()
    assert not app.exception
    assert [entry.value for entry in app.markdown] == ["scored"]
    assert not app.info
