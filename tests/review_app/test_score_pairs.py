from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from review_app.score_pairs import LONGEST_LINE, chosen, score_file, score_line
from scoring.metrics import METRICS, USUAL

COMMAND = Path(sys.executable).with_name("proofgrid")
ONE = "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>"
OTHER = ONE.replace("2", "3")
RATIOS = {"precision", "recall", "f1"}


def pair(name: object = "p", gold: object = ONE, pred: object = OTHER) -> dict[str, object]:
    return {"id": name, "gold_html": gold, "pred_html": pred}


def lines(*entries: object) -> bytes:
    return b"".join(entry if isinstance(entry, bytes) else json.dumps(entry).encode() + b"\n" for entry in entries)


def proofgrid(*words: object, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(COMMAND), "score-pairs", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def read(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_pair_gets_each_usual_metric_under_its_name() -> None:
    scored = score_line(lines(pair("x")), 1, chosen("all"))
    assert list(scored) == ["id", "tlag", "teds", "teds_struct", "grits_con", "grits_top", "cer", "wer"]
    assert scored["id"] == "x"
    assert set(scored["tlag"]) == set(scored["grits_con"]) == set(scored["grits_top"]) == RATIOS
    assert scored["grits_con"]["f1"] == pytest.approx(0.75)
    assert scored["teds"] == pytest.approx(1 - 1 / 6)
    assert (scored["teds_struct"], scored["cer"]) == (1.0, 1 / 7)


def test_metrics_can_be_chosen_by_name_and_unknown_ones_are_refused() -> None:
    assert chosen(" teds, tlag,teds") == ("teds", "tlag")
    assert chosen("all,grits_con_kg") == (*USUAL, "grits_con_kg")
    for wrong in ("bleu", "", ","):
        with pytest.raises(ValueError, match="expected all or some of tlag, teds"):
            chosen(wrong)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "line 7: no JSON"),
        (b"\xff\xfe\xfa", "line 7: no JSON"),
        (b"[" * 100_000, "line 7: no JSON"),
        (b"[1]", "line 7: no object"),
        (b"null", "line 7: no object"),
        (lines({"id": 1}), "line 7: gold_html is missing, pred_html is missing, expected an object"),
        (lines({"gold_html": "", "pred_html": 1}), "id is missing, pred_html is no text"),
        (b" " * (LONGEST_LINE + 1), "longer than 32,000,000 bytes"),
        (lines(pair(gold="x" * 1_000_001)), "tlag, teds: the HTML has 1,000,001 characters"),
    ],
)
def test_a_line_that_cannot_be_scored_says_why(line: bytes, reason: str) -> None:
    assert reason in score_line(line, 7, ("tlag", "teds"))["error"]


def test_a_metric_that_refuses_a_pair_leaves_the_others_their_values() -> None:
    wide = '<table><tr><td colspan="5000000">a</td></tr></table>'
    scored = score_line(lines(pair(pred=wide)), 1, ("tlag", "teds"))
    assert scored["tlag"] is None
    assert scored["teds"] < 1
    assert scored["error"].startswith("line 1: tlag: the table covers 5,000,000 positions")


def test_lines_come_in_the_order_of_the_input_from_any_number_of_processes(tmp_path: Path) -> None:
    source = lines(*(pair(number, ONE, ONE.replace("a", "a" * number)) for number in range(70)), b"\n  \n", b"{\n")
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    summary = score_file(io.BytesIO(source), one, USUAL)
    assert score_file(io.BytesIO(source), two, USUAL, workers=2) == summary
    assert one.read_bytes() == two.read_bytes()
    assert [scored["id"] for scored in read(one)] == [*range(70), None]
    assert (summary.pairs, summary.errors) == (71, 1)
    assert summary.to_json()["metrics"]["cer"]["pairs"] == 70


def test_progress_ends_at_the_size_of_the_input(tmp_path: Path) -> None:
    told: list[int] = []
    source = lines(*(pair(number) for number in range(40)), b"x" * (LONGEST_LINE + 9) + b"\n", pair("last"))
    summary = score_file(io.BytesIO(source), tmp_path / "out.jsonl", ("cer",), progress=told.append)
    assert told[-1] == len(source)
    assert (summary.pairs, summary.errors) == (42, 1)
    assert read(tmp_path / "out.jsonl")[-1]["id"] == "last"


def test_the_output_takes_its_name_only_when_it_is_complete(tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        def readline(self, size: int | None = -1) -> bytes:
            raise OSError("the disk is gone")

    output = tmp_path / "out.jsonl"
    output.write_text("before")
    with pytest.raises(OSError, match="the disk is gone"):
        score_file(Broken(), output, USUAL)
    assert [file.name for file in tmp_path.iterdir()] == ["out.jsonl"]
    assert output.read_text() == "before"


def test_the_command_writes_scores_and_tells_the_means(tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(lines(pair("ü"), b"oops\n", pair("\ud800", ONE, ONE)))
    done = proofgrid(source, "-o", output, "--json")
    found = json.loads(done.stdout)
    assert (found["pairs"], found["errors"]) == (3, 1)
    assert found["metrics"]["grits_con"] == {
        "mean": pytest.approx(0.875),
        "pairs": 2,
        "reference": METRICS["grits_con"].reference,
    }
    assert [scored["id"] for scored in read(output)] == ["ü", None, "\ud800"]
    assert proofgrid(source, "-o", output, "--strict", status=1).stderr.startswith("3 pairs read, 1 with an error")


def test_the_command_refuses_wrong_use_in_words(tmp_path: Path) -> None:
    source = tmp_path / "pairs.jsonl"
    source.write_bytes(lines(pair()))
    assert "expected all or some of tlag" in proofgrid(source, "-o", "x", "--metrics", "bleu", status=2).stderr
    assert "is the file of the pairs" in proofgrid(source, "-o", source, status=2).stderr
    assert "does not exist" in proofgrid(tmp_path / "none", "-o", "x", status=2).stderr
    assert "No such file" in proofgrid(source, "-o", tmp_path / "none" / "x", status=2).stderr
    assert source.read_bytes() == lines(pair())


def test_scores_can_be_written_to_the_standard_output(tmp_path: Path) -> None:
    source = tmp_path / "pairs.jsonl"
    source.write_bytes(lines(pair()))
    done = proofgrid(source, "--metrics", "teds", "-o", "/dev/stdout")
    assert json.loads(done.stdout.splitlines()[0])["teds"] == pytest.approx(1 - 1 / 6)


@pytest.mark.corpus
def test_the_command_scores_all_pairs_of_the_corpus_without_an_error(tmp_path: Path) -> None:
    corpora = Path(os.environ.get("PROOFGRID_CORPORA", Path(__file__).parents[3] / "shared"))
    source = corpora / "pairs" / "pairs.jsonl"
    if not source.exists():
        pytest.skip(f"{corpora} has no pairs; PROOFGRID_CORPORA names the folder of the corpora")
    found = json.loads(proofgrid(source, "-o", tmp_path / "out.jsonl", "--strict", "--json").stdout)
    assert found["pairs"] == 611
    names = [json.loads(line)["id"] for line in source.read_text().splitlines()]
    assert [scored["id"] for scored in read(tmp_path / "out.jsonl")] == names
