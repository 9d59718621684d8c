from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from scoring.confidence.confidence_report import confidence_report
from scoring.confidence.scored_cells import Omissions, ScoredCell
from scoring.confidence.straight_through import straight_through
from scoring.confidence.thresholds import calibration_documents


def drawn(documents: int = 80) -> list[ScoredCell]:
    """Twenty cells of each document: prices err when their score is low, names hardly ever."""
    chance = np.random.default_rng(11)
    cells = []
    for number in range(documents):
        for _ in range(10):
            score = float(chance.random())
            cells.append(ScoredCell(score, bool(chance.random() < min(1, 0.6 + score)), f"d{number}", "price"))
            cells.append(ScoredCell(1 - score / 50, bool(chance.random() < 0.997), f"d{number}", "name"))
    return cells


CELLS = drawn()
OMITTED = [Omissions(f"d{number}", "price", int(number % 10 == 0), 11) for number in range(80)]
REPORT = confidence_report(CELLS, omitted=OMITTED)


def test_the_whole_and_each_column_have_all_measures() -> None:
    assert list(REPORT.per_column) == ["price", "name"]
    assert [REPORT.whole.cells, *(summary.cells for _, summary in REPORT.columns)] == [1600, 800, 800]
    assert REPORT.whole.wrong == sum(not cell.right for cell in CELLS)
    assert REPORT.whole.documents == 80
    assert REPORT.whole.calibration.n == 1600
    assert REPORT.per_column["name"].calibration.degenerate
    assert not REPORT.per_column["price"].calibration.degenerate


def test_omissions_are_counted_beside_the_cells() -> None:
    assert (REPORT.whole.gold_cells, REPORT.whole.omitted) == (880, 8)
    assert REPORT.whole.omission_rate == pytest.approx(8 / 880)
    assert REPORT.per_column["price"].omission_rate == pytest.approx(8 / 880)
    assert REPORT.per_column["name"].omission_rate is None
    assert REPORT.per_column["name"].undefined["omission_rate"] == "there are no gold cells"
    assert confidence_report(CELLS[:40]).whole.undefined["omission_rate"] == "gold cells were not given"


def test_the_threshold_is_chosen_on_one_half_and_reported_on_the_other() -> None:
    whole = REPORT.whole
    half = calibration_documents(f"d{number}" for number in range(80))
    assert whole.threshold.documents == len(half) == 40
    assert whole.threshold.tau is not None
    assert whole.straight_through == straight_through(
        [cell for cell in CELLS if cell.document not in half],
        tau=whole.threshold.tau,
        omitted=[part for part in OMITTED if part.document not in half],
    )
    assert whole.limits.high == whole.threshold.tau


def test_without_a_threshold_nothing_passes_straight_through_and_the_reason_is_told() -> None:
    few = confidence_report(CELLS[:100]).whole
    assert few.straight_through is None
    assert few.undefined["straight_through"] == few.threshold.reason
    assert "too few to promise 2 %" in few.threshold.reason


def test_cells_without_a_score_lower_the_coverage() -> None:
    silent = [ScoredCell(None, True, "d1", "price")] * 3
    found = confidence_report([*CELLS[:9], *silent]).whole
    assert (found.cells, found.scored, found.conf_coverage) == (12, 9, 0.75)


def test_nothing_at_all_has_reasons_and_no_numbers() -> None:
    nothing = confidence_report([], omitted=[]).whole
    assert nothing.conf_coverage is nothing.omission_rate is nothing.straight_through is None
    assert set(nothing.undefined) == {"conf_coverage", "omission_rate", "risk_coverage", "review", "straight_through"}


def undefined_without_reason(value: Any, where: str = "") -> list[str]:
    """The paths of all None in a plain mapping for which no reason stands beside them."""
    found: list[str] = []
    if isinstance(value, dict):
        told = value.get("undefined", {})
        for name, part in value.items():
            reasoned = name in told or value.get("reason") or value.get(f"{name}_reason") or value.get("n") == 0
            if part is None and not reasoned:
                found.append(f"{where}.{name}")
            if name not in told:
                found += undefined_without_reason(part, f"{where}.{name}")
    elif isinstance(value, list | tuple):
        found = [path for at, part in enumerate(value) for path in undefined_without_reason(part, f"{where}[{at}]")]
    return found


@pytest.mark.parametrize(
    "cells",
    [
        [],
        [ScoredCell(None, False, "a", "x")],
        [ScoredCell(0.5, True, "a", "x")],
        [ScoredCell(0.5, False, "a", "x")] * 400,
        CELLS[:300],
        CELLS,
    ],
    ids=("nothing", "no score", "one right", "all wrong", "few documents", "many"),
)
def test_each_none_has_a_reason(cells: list[ScoredCell]) -> None:
    assert undefined_without_reason(confidence_report(cells, omitted=[]).to_json()) == []
    assert undefined_without_reason(confidence_report(cells).to_json()) == []


def test_the_report_is_plain_json_and_the_same_each_time() -> None:
    text = json.dumps(REPORT.to_json(), allow_nan=False)
    assert text == json.dumps(confidence_report(drawn(), omitted=OMITTED).to_json(), allow_nan=False)
    assert json.loads(text)["whole"]["calibration"]["ece"] == REPORT.whole.calibration.ece
    assert json.loads(text)["columns"]["price"] == json.loads(json.dumps(asdict(REPORT.per_column["price"])))


def test_parts_of_a_corpus_give_the_same_report_in_any_order() -> None:
    shards = CELLS[1000:], CELLS[:400], CELLS[400:1000]
    merged = [cell for shard in shards for cell in reversed(shard)]
    found = confidence_report(merged, omitted=OMITTED[::-1])
    assert found.whole == REPORT.whole
    assert found.per_column == REPORT.per_column


def test_a_reviewer_who_misses_errors_leaves_more_of_them() -> None:
    careful = REPORT.whole.review[-1].residual
    careless = confidence_report(CELLS, catch_rate=0.8).whole.review[-1].residual
    assert careful is not None
    assert careless is not None
    assert careless > careful
