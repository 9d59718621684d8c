from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.review_app.test_extract_commands import proofgrid
from tests.store.service import Running, running

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "invoice-printer"
GOOD = json.dumps({"cause": "magnitude", "confidence": 0.7, "evidence": ["d1"], "explanation": "a lost\x1b[31m zero"})


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with running() as found:
        yield found


def test_diagnose_asks_once_and_its_answer_stands_beside_the_cause_in_the_scores(
    tmp_path: Path, service: Running
) -> None:
    proofgrid("import", SAMPLE, home=tmp_path)
    before = json.loads(proofgrid("score", "--json", home=tmp_path).stdout)
    service.play({"chat": GOOD}, {"chat": GOOD})
    options = ("--set", f"base_url={service.origin}/v1", "--set", "model=parrot")
    said = proofgrid("diagnose", *options, home=tmp_path).stdout
    assert "parrot says magnitude (confidence 0.70, " in said
    assert "a lost\\x1b[31m zero" in said
    assert "2 tables with errors: the model agrees" in said
    again = json.loads(proofgrid("diagnose", *options, "--json", home=tmp_path).stdout)
    assert [(entry["cause"], entry["new"]) for entry in again] == [("magnitude", False)] * 2
    assert "parrot says magnitude" in proofgrid("score", home=tmp_path).stdout
    after = json.loads(proofgrid("score", "--json", home=tmp_path).stdout)
    assert {table["diagnosis"]["cause"] for table in after["documents"][0]["tables"]} == {"magnitude"}
    for document in (*before["documents"], *after["documents"]):
        for table in document["tables"]:
            del table["diagnosis"]
    assert after == before


def test_a_model_without_an_answer_ends_with_status_1_and_a_wrong_use_with_2(tmp_path: Path, service: Running) -> None:
    proofgrid("import", SAMPLE, home=tmp_path)
    service.play(*[{"chat": "who knows"}] * 6)
    options = ("--set", f"base_url={service.origin}/v1", "--set", "model=parrot")
    assert "gave no cause that can be taken" in proofgrid("diagnose", *options, home=tmp_path, status=1).stdout
    assert "needs the parameter model" in proofgrid("diagnose", home=tmp_path, status=2).stderr
