from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from streamlit.testing.v1 import AppTest

from review_app.cli import main
from tests.two_runs import two_runs


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_runs(tmp_path_factory.mktemp("runs") / "home").folder


def proofgrid(home: Path, *words: object, status: int = 0) -> Result:
    done = CliRunner().invoke(main, [*map(str, words), "--home", str(home)])
    assert done.exit_code == status, done.output
    return done


def compared(home: Path, *words: object, status: int = 0) -> Any:
    return json.loads(proofgrid(home, "compare", *words, "--json", status=status).stdout)


def test_two_runs_differ_by_what_was_planted(home: Path) -> None:
    found = compared(home, 1, 2, "--single")
    # 24 documents of 12 values: A has 4 wrong in 12 of them, B 4 wrong in 23 of them.
    f1 = found["headline"]["f1"]
    assert (f1["a"], f1["b"]) == pytest.approx((1 - 48 / 288, 1 - 92 / 288))
    assert f1["low"] < f1["difference"] < f1["high"] < 0
    fields = {entry["field"]: (entry["a"]["f1"], entry["b"]["f1"], entry["regressed"]) for entry in found["fields"]}
    assert fields == {"quantity": (0.5, 1.0, False), "price": (1.0, 1 / 24, True), "article": (1.0, 1.0, False)}
    flips = {entry["document"].split()[0]: entry["flip"] for entry in found["documents"] if entry["flip"]}
    assert flips.pop("order-00.pdf") == "better"
    assert flips == {f"order-{number:02}.pdf": "worse" for number in range(1, 24, 2)}


def test_repeats_are_averaged_unless_one_run_is_asked_for(home: Path) -> None:
    both = compared(home, 1, 3)
    assert (both["a"]["runs"], both["b"]["runs"], both["repeats"]) == ([1], [2, 3], [1, 2])
    single = compared(home, 1, 3, "--single")
    assert single["b"] == {"runs": [3], "extractor": "hasty 7, repeat 2"}
    assert single["headline"]["recall"]["b"] < both["headline"]["recall"]["b"]


def test_two_repeats_of_one_run_are_compared_with_each_other(home: Path) -> None:
    found = compared(home, 2, 3)
    assert [found["a"]["runs"], found["b"]["runs"]] == [[2], [3]]
    assert found["headline"]["precision"]["difference"] == pytest.approx(0, abs=0.01)
    assert found["headline"]["recall"]["difference"] < -0.1


def test_a_gate_fails_on_a_regression_and_on_nothing_to_compare_and_passes_on_a_gain(
    home: Path, tmp_path: Path
) -> None:
    failed = proofgrid(home, "compare", 1, 2, "--fail-on-regression", status=1)
    assert "field lines · price fell by" in failed.stderr
    # The other way round F1 rises, but the quantities fall.
    assert proofgrid(home, "compare", 2, 1, "--fail-on-regression", status=1).stderr.count("fell by") == 1
    assert proofgrid(home, "compare", 3, 2, "--fail-on-regression").stderr == ""
    nothing = two_runs(tmp_path / "home", accepted=False).folder
    refused = proofgrid(nothing, "compare", 1, 2, "--fail-on-regression", status=1)
    assert refused.stderr == "nothing was compared\n"


def test_a_summary_for_a_pull_request_says_the_verdict_first(home: Path, tmp_path: Path) -> None:
    proofgrid(home, "compare", 1, 2, "--single", "--markdown", tmp_path / "summary.md")
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert text.startswith("### B is worse than A\n\n- cell F1 fell by ")
    assert "| lines · price | 100.0 % | " in text
    assert "| better | order-00.pdf |" in text


def test_a_page_of_the_comparison_needs_nothing_but_itself_and_holds_the_numbers(home: Path, tmp_path: Path) -> None:
    told = compared(home, 1, 2, "--html", tmp_path / "compare.html")
    page = (tmp_path / "compare.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "http" not in page
    assert "<h1>hasty 7, 2 repeats (runs 2, 3) against steady 1 (run 1)</h1>" in page
    assert "<b>B is worse than A</b>" in page
    for reason in told["regressions"]:
        assert escape(reason) in page
    for ratio in told["headline"].values():
        assert f"{100 * ratio['a']:.1f} %</td>" in page
    # Of 24 documents the even ones have 4 quantities that only hasty has right, all but the first 4 prices of steady.
    assert page.count("data-testid='cells'") == 1
    rows = page.split("data-testid='cells'")[1].split("<tbody>")[1].split("</tbody>")[0]
    assert rows.count("<tr>") == 12 * 4 + 23 * 4
    assert "\u2713 0.00" not in rows
    assert "class='fail'>\u2715 923.00</td>" in rows


def test_a_page_names_no_more_cells_than_are_read(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("review_app.compare_page.MOST_CELLS", 5)
    proofgrid(home, "compare", 1, 2, "--html", tmp_path / "compare.html")
    page = (tmp_path / "compare.html").read_text(encoding="utf-8")
    assert "These are the first 5;" in page
    assert page.split("data-testid='cells'")[1].count("<tr>") == 1 + 5


def test_a_page_of_nothing_to_compare_says_so(home: Path, tmp_path: Path) -> None:
    folder = two_runs(tmp_path / "open", accepted=False).folder
    proofgrid(folder, "compare", 1, 2, "--html", tmp_path / "compare.html")
    assert "<b>Nothing to compare</b>" in (tmp_path / "compare.html").read_text(encoding="utf-8")


def test_the_lines_name_both_runs_and_the_fields_worst_first(home: Path) -> None:
    lines = proofgrid(home, "compare", 1, 2).stdout.splitlines()
    assert lines[:3] == [
        "A: steady 1 (run 1)",
        "B: hasty 7, 2 repeats (runs 2, 3)",
        "24 accepted documents that both were asked for",
    ]
    fields = [line.split()[2] for line in lines if line.startswith("lines · ")]
    assert fields == ["price", "article", "quantity"]


def test_runs_are_listed_best_first_on_the_documents_in_common(home: Path) -> None:
    lines = proofgrid(home, "runs").stdout.splitlines()
    assert lines[0] == "orders: 24 accepted documents in common"
    assert [line.split("  ")[0] for line in lines[2:4]] == ["1", "2, 3"]
    found = json.loads(proofgrid(home, "runs", "--json").stdout)["orders"]
    assert found["common_documents"] == 24
    assert [entry["passed"]["count"] for entry in found["runs"]] == [12, 0]


def test_a_run_that_is_not_there_is_refused_with_those_that_are(home: Path) -> None:
    refused = proofgrid(home, "compare", 1, 9, status=2)
    assert "there is no run 9; expected one of: 1 (steady 1), 2 (hasty 7), 3 (hasty 7)" in refused.stderr


def test_a_file_that_cannot_be_written_is_named_and_is_no_regression(home: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "summary.md"
    refused = proofgrid(home, "compare", 3, 2, "--fail-on-regression", "--markdown", missing, status=2)
    assert str(missing) in refused.stderr
    assert ".part" not in refused.stderr


def test_the_screen_tells_how_far_repeats_differ(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROOFGRID_HOME", str(home))
    app = AppTest.from_string("from review_app.views import compare; compare.show()", default_timeout=60).run()
    assert not app.exception
    (table,) = [one.proto.body for one in app.main if one.type == "html" and "compare-repeats" in one.proto.body]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", table)
    # Of 4 lines with 3 values the second repeat misses the last one; else both have the same values and texts.
    f1 = [2 * right / (12 * 24 + extracted) for right, extracted in ((8 * 24 + 4, 12 * 24), (6 * 24 + 3, 9 * 24))]
    assert cells[:3] == ["hasty 7", "2", "24"]
    assert cells[3] == f"{50 * sum(f1):.1f} %"
    assert cells[4] == f"{100 * abs(f1[0] - f1[1]) / 2**0.5:.1f}"
    assert cells[5] == f"{100 * f1[1]:.1f} % to {100 * f1[0]:.1f} %"
    assert cells[7:] == [cells[7]] * 2


def test_a_run_is_not_compared_with_itself(home: Path) -> None:
    assert "expected two runs" in proofgrid(home, "compare", 2, 2, status=2).output
