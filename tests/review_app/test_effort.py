"""What the screen Effort shows, worked out by hand from the seconds in WORK."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from review_app import charts
from review_app.cli import main
from review_app.time_report import FROM_EXTRACTION, FROM_SCRATCH, TimeReport
from scoring.effort.durations import Durations, durations
from store.db import Db
from store.kept_work import work
from tests.measured_work import measured_work


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return measured_work(tmp_path_factory.mktemp("effort") / "home").folder


@pytest.fixture(scope="module")
def report(home: Path) -> Iterator[TimeReport]:
    db = Db(home / "proofgrid.db")
    with db.read() as reader:
        yield TimeReport(work(db, reader, project="bills"), 120_000)
    db.close()


def seconds(found: Durations) -> tuple[int, float | None, float | None, float | None]:
    def whole(ms: float | None) -> float | None:
        return None if ms is None else ms / 1000

    return found.n, whole(found.low_quartile_ms), whole(found.median_ms), whole(found.high_quartile_ms)


def test_tables_from_the_extraction_are_held_against_tables_from_scratch(report: TimeReport) -> None:
    assert seconds(report.tables) == (11, 55, 100, 135)
    assert list(report.beginnings) == ["lines"]
    assert seconds(report.beginnings["lines"][FROM_EXTRACTION]) == (6, 42.5, 55, 67.5)
    assert seconds(report.beginnings["lines"][FROM_SCRATCH]) == (5, 120, 150, 200)


def test_people_with_few_tables_have_no_median(report: TimeReport) -> None:
    assert {name: seconds(found) for name, found in report.groups["person"].items()} == {
        "ann": (3, None, None, None),
        "bob": (3, None, None, None),
        "cat": (5, 120, 150, 200),
    }


def test_time_is_told_by_page_field_and_error(report: TimeReport) -> None:
    assert {name: seconds(found) for name, found in report.groups["page"].items()} == {
        "page 1": (6, 2, 2, 2),
        "page 2": (6, 2.25, 3.5, 4.75),
    }
    assert seconds(report.groups["column"]["Line items: price"]) == (12, 2, 2, 3.25)
    ((_, wrong),) = report.groups["error of a corrected cell"].items()
    assert seconds(wrong) == (6, 2.25, 3.5, 4.75)


def test_a_shorter_cut_off_takes_the_pause_away(report: TimeReport) -> None:
    told = {cutoff // 1000: (found.median_ms, against) for cutoff, (found, against) in report.sensitivity.items()}
    assert told == {30: (70_000, 0.7), 60: (90_000, 0.9), 120: (100_000, 1.0), 300: (100_000, 1.0)}


def test_the_command_tells_the_same(home: Path, report: TimeReport) -> None:
    done = CliRunner().invoke(main, ["time", "--json", "--home", str(home), "--project", "bills"])
    told = json.loads(done.stdout)
    assert told == json.loads(json.dumps(report.to_json()))
    assert told["beginnings"]["lines"][FROM_SCRATCH]["median_ms"] == 150_000
    assert told["by"]["page"]["page 2"]["median_ms"] == 3_500


def test_boxes_are_those_of_the_numbers_and_none_where_there_are_too_few() -> None:
    few, many = [1_000.0, 2_000.0], [1_000.0, 2_000.0, 3_000.0, 4_000.0, 50_000.0]
    drawn: Any = charts.spread([("few", durations(few), few), ("<b>many</b>", durations(many), many)])
    lines = [trace for trace in drawn.data if trace.mode == "lines"]
    assert [list(trace.x) for trace in lines] == [[2_000, 4_000, 4_000, 2_000, 2_000], [3_000, 3_000]]
    points = [trace for trace in drawn.data if trace.mode == "markers"]
    assert [list(trace.x) for trace in points] == [few, many]
    assert list(drawn.layout.yaxis.ticktext) == ["few, n = 2", "&lt;b&gt;many&lt;/b&gt;, n = 5"]


def test_a_large_group_is_drawn_by_some_of_its_points_with_the_ends() -> None:
    values = [float(ms) for ms in range(1_000, 101_000, 10)]
    drawn: Any = charts.spread([("all", durations(values), values)])
    (points,) = [trace for trace in drawn.data if trace.mode == "markers"]
    assert (len(points.x), points.x[0], points.x[-1]) == (charts.MOST_POINTS, values[0], values[-1])


def test_the_scale_ends_at_the_marks_around_what_is_drawn() -> None:
    values = [30_000.0, 40_000.0, 50_000.0, 60_000.0, 400_000.0]
    drawn: Any = charts.spread([("lines", durations(values), values)])
    assert list(drawn.layout.xaxis.ticktext) == ["20 s", "30 s", "1 min", "2 min", "5 min", "10 min"]
    long: Any = charts.spread([("lines", durations(values), [150.0, 350_000_000.0])])
    assert list(long.layout.xaxis.ticktext) == ["0.1 s", "1 s", "10 s", "1 min", "10 min", "1 h", "10 h", "100 h"]


def test_a_group_of_too_few_without_points_says_so() -> None:
    drawn: Any = charts.spread([("ann", durations([1_000.0]), []), ("cat", durations([1_000.0] * 5), [])])
    assert [(note.text, note.y) for note in drawn.layout.annotations] == [("too few", 0)]
