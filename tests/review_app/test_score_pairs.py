from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from review_app.pair_summary import MOST_GROUPS, Summary
from review_app.score_pairs import LONGEST_LINE, Job, chosen, score_file, score_line
from scoring.metrics.catalogue import METRICS, USUAL

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
    scored = score_line(lines(pair("x")), 1, Job(chosen("all")))
    assert list(scored) == ["id", *USUAL, "counts"]
    assert list(scored["counts"]) == list(USUAL)
    assert scored["id"] == "x"
    assert set(scored["tlag"]) == set(scored["grits_con"]) == set(scored["grits_top"]) == RATIOS
    assert scored["grits_con"]["f1"] == pytest.approx(0.75)
    assert scored["teds"] == pytest.approx(1 - 1 / 6)
    assert (scored["teds_struct"], scored["cer"]) == (1.0, 1 / 7)
    assert (scored["counts"]["teds"], scored["counts"]["cer"]) == ((1.0, 6), (1, 7))
    assert scored["counts"]["grits_con"] == (3.0, 4, 4)


def test_metrics_can_be_chosen_by_name_and_unknown_ones_are_refused() -> None:
    assert chosen(" teds, tlag,teds") == ("teds", "tlag")
    assert chosen("all,grits_con_kg") == (*USUAL, "grits_con_kg")
    for wrong in ("bleu", "", ","):
        with pytest.raises(ValueError, match="expected all or some of fidelity, tlag, teds"):
            chosen(wrong)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "line 7: no JSON"),
        (b"\xff\xfe\xfa", "line 7: no JSON"),
        (b"[" * 100_000, "line 7: no JSON"),
        (b"[1]", "line 7: no object"),
        (b"null", "line 7: no object"),
        (lines({"id": 1}), "line 7: gold_html is missing, expected an object"),
        (lines({"gold_html": "", "pred_html": 1}), "id is missing, pred_html is no text"),
        (b" " * (LONGEST_LINE + 1), "longer than 32,000,000 bytes"),
        (lines(pair(gold="x" * 1_000_001)), "tlag, teds: the HTML has 1,000,001 characters"),
    ],
)
def test_a_line_that_cannot_be_scored_says_why(line: bytes, reason: str) -> None:
    assert reason in score_line(line, 7, Job(("tlag", "teds")))["error"]


def test_a_metric_that_refuses_a_pair_leaves_the_others_their_values() -> None:
    wide = '<table><tr><td colspan="5000000">a</td></tr></table>'
    scored = score_line(lines(pair(pred=wide)), 1, Job(("tlag", "teds")))
    assert scored["tlag"] is None
    assert scored["teds"] < 1
    assert scored["error"].startswith("line 1: tlag: the table covers 5,000,000 positions")


def test_lines_come_in_the_order_of_the_input_from_any_number_of_processes(tmp_path: Path) -> None:
    source = lines(*(pair(number, ONE, ONE.replace("a", "a" * number)) for number in range(70)), b"\n  \n", b"{\n")
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    summary = score_file(io.BytesIO(source), one, Job(USUAL))
    assert score_file(io.BytesIO(source), two, Job(USUAL), workers=2).to_json() == summary.to_json()
    assert one.read_bytes() == two.read_bytes()
    assert [scored["id"] for scored in read(one)] == [*range(70), None]
    assert (summary.pairs, summary.errors) == (71, 1)
    assert summary.to_json()["metrics"]["cer"]["exclude"]["pairs"] == 70


def test_progress_ends_at_the_size_of_the_input(tmp_path: Path) -> None:
    told: list[int] = []
    source = lines(*(pair(number) for number in range(40)), b"x" * (LONGEST_LINE + 9) + b"\n", pair("last"))
    summary = score_file(io.BytesIO(source), tmp_path / "out.jsonl", Job(("cer",)), progress=told.append)
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
        score_file(Broken(), output, Job(USUAL))
    assert [file.name for file in tmp_path.iterdir()] == ["out.jsonl"]
    assert output.read_text() == "before"


def test_the_command_writes_scores_and_tells_the_means(tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(lines(pair("ü"), b"oops\n", pair("\ud800", ONE, ONE)))
    done = proofgrid(source, "-o", output, "--json")
    found = json.loads(done.stdout)
    assert (found["pairs"], found["errors"]) == (3, 1)
    assert found["metrics"]["grits_con"]["reference"] == METRICS["grits_con"].reference
    assert found["metrics"]["grits_con"]["exclude"]["mean"] == pytest.approx(0.875)
    assert found["metrics"]["grits_con"]["coverage"] == 1
    assert [scored["id"] for scored in read(output)] == ["ü", None, "\ud800"]
    told = proofgrid(source, "-o", output, "--strict", status=1).stderr
    assert told.startswith("3 pairs read, 0 without a prediction, 1 with an error")


def test_the_command_refuses_wrong_use_in_words(tmp_path: Path) -> None:
    source = tmp_path / "pairs.jsonl"
    source.write_bytes(lines(pair()))
    assert (
        "expected all or some of fidelity, tlag" in proofgrid(source, "-o", "x", "--metrics", "bleu", status=2).stderr
    )
    assert "is read by this command" in proofgrid(source, "-o", source, status=2).stderr
    assert "does not exist" in proofgrid(tmp_path / "none", "-o", "x", status=2).stderr
    assert "there is no folder" in proofgrid(source, "-o", tmp_path / "none" / "x", status=2).stderr
    assert source.read_bytes() == lines(pair())


def test_a_file_of_which_no_line_can_be_scored_is_told_and_the_errors_are_written(tmp_path: Path) -> None:
    source, output = tmp_path / "README.md", tmp_path / "out.jsonl"
    source.write_text("# Notes\n\nnothing to score\n")
    told = proofgrid(source, "-o", output).stderr
    assert f"No line of {source} could be scored: expected one object with id, gold_html, pred_html in each." in told
    assert [scored["id"] for scored in read(output)] == [None, None]
    proofgrid(source, "-o", output, "--shard", "1/2")
    source.write_bytes(b"")
    proofgrid(source, "-o", output)
    source.write_bytes(lines(b"oops\n", pair()))
    proofgrid(source, "-o", output)


def test_scores_can_be_written_to_the_standard_output(tmp_path: Path) -> None:
    source = tmp_path / "pairs.jsonl"
    source.write_bytes(lines(pair()))
    done = proofgrid(source, "--metrics", "teds", "-o", "/dev/stdout")
    assert json.loads(done.stdout.splitlines()[0])["teds"] == pytest.approx(1 - 1 / 6)


def test_a_pair_without_a_prediction_is_missing_and_counts_as_missed(tmp_path: Path) -> None:
    without = {"id": "w", "gold_html": ONE}
    scored = score_line(lines(pair(pred=None)), 3, Job(USUAL))
    assert scored["missing"] == "line 3: pred_html is null"
    assert "error" not in scored
    assert {scored[name] for name in USUAL} == {None}
    assert scored["counts"]["grits_con"] == (0.0, 0, 4)
    assert scored["counts"]["teds"] == (6, 6)
    assert scored["counts"]["cer"] == (7, 7)
    assert score_line(lines(without), 3, Job(USUAL))["missing"] == "line 3: pred_html is missing"
    source = tmp_path / "pairs.jsonl"
    source.write_bytes(lines(pair(), pair(pred=ONE), without, pair(pred=None)))
    found = json.loads(proofgrid(source, "-o", tmp_path / "out", "--json").stdout)
    assert (found["pairs"], found["missing"], found["errors"]) == (4, 2, 0)
    con, cer = found["metrics"]["grits_con"], found["metrics"]["cer"]
    assert (con["coverage"], con["exclude"]["pairs"], con["zero"]["pairs"]) == (0.5, 2, 4)
    assert (con["exclude"]["mean"], con["zero"]["mean"]) == (0.875, 0.4375)
    assert con["exclude"]["micro"] == {"precision": 0.875, "recall": 0.875, "f1": 0.875}
    assert con["zero"]["micro"] == {"precision": 0.875, "recall": 0.4375, "f1": pytest.approx(7 / 12)}
    assert (cer["exclude"]["micro"], cer["zero"]["micro"]) == (1 / 14, 15 / 28)
    assert "2 without a prediction" in proofgrid(source, "-o", tmp_path / "out", "--strict", status=1).stderr


def test_a_refused_prediction_counts_as_missed_and_one_that_is_no_text_too() -> None:
    long = score_line(lines(pair(pred="x" * 1_000_001)), 1, Job(("teds",)))
    wrong = score_line(lines(pair(pred=7)), 1, Job(("teds",)))
    assert (long["teds"], wrong["teds"]) == (None, None)
    assert long["counts"] == wrong["counts"] == {"teds": (6, 6)}
    assert "missing" not in wrong
    summary = Summary(("teds",))
    summary.add(long)
    summary.add(wrong)
    assert summary.errors == 2
    teds = summary.to_json()["metrics"]["teds"]
    assert (teds["coverage"], teds["zero"]["pairs"], teds["zero"]["mean"], teds["zero"]["micro"]) == (0, 2, 0, 0)


def test_a_pair_of_which_gold_is_too_large_is_missed_in_the_mean_and_in_no_sum() -> None:
    summary = Summary(("teds", "cer"))
    summary.add(score_line(lines(pair(gold="x" * 1_000_001)), 1, Job(("teds", "cer"))))
    found = summary.to_json()["metrics"]
    assert (found["teds"]["zero"]["mean"], found["cer"]["zero"]["mean"]) == (0, 1)
    assert (found["teds"]["zero"]["micro"], found["cer"]["zero"]["pairs"]) == (None, 1)


def test_the_summary_is_made_for_each_value_of_a_field(tmp_path: Path) -> None:
    source, output, summary = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl", tmp_path / "summary.json"
    entries = [
        {**pair(pred=pred), "lang": lang} for lang, pred in (("ko", ONE), ("en", ONE), ("ko", OTHER), ("ko", None))
    ]
    source.write_bytes(lines(*entries, pair(), {**pair(), "lang": {"a": 1}}, b"{\n"))
    proofgrid(source, "-o", output, "--metrics", "grits_con", "--by", "lang", "--by", "none", "--summary", summary)
    found = json.loads(summary.read_text())
    assert list(found["by"]) == ["lang", "none"]
    assert {value: group["pairs"] for value, group in found["by"]["lang"].items()} == {
        "": 2,
        "en": 1,
        "ko": 3,
        '{"a": 1}': 1,
    }
    korean = found["by"]["lang"]["ko"]
    assert (korean["missing"], korean["metrics"]["grits_con"]["exclude"]["mean"]) == (1, 0.875)
    assert found["by"]["none"][""]["metrics"] == found["metrics"]
    assert read(output)[0]["by"] == {"lang": "ko", "none": ""}


def test_a_field_by_which_there_are_too_many_groups_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "pairs.jsonl"
    source.write_bytes(lines(*(pair(number, "", "") for number in range(MOST_GROUPS + 1))))
    refused = proofgrid(source, "-o", tmp_path / "out", "--metrics", "cer", "--by", "id", status=2).stderr
    assert "more than 1,000 different values of 'id'" in refused
    assert [file.name for file in tmp_path.iterdir()] == ["pairs.jsonl"]


def test_scoring_pairs_loads_neither_the_store_nor_the_app(tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_bytes(lines(pair(pred=ONE)))
    unwanted = "{'store', 'streamlit', 'sqlite3', 'sqlite_utils', 'pandas', 'plotly', 'multiprocessing', 'starlette'}"
    code = (
        "import sys\nfrom review_app.cli import main\n"
        "main(['score-pairs', 'pairs.jsonl', '-o', 'out.jsonl'], standalone_mode=False)\n"
        f"print('loaded:', {unwanted} & set(sys.modules))"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "loaded: set()"


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


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
def test_a_number_that_json_cannot_hold_is_refused_with_its_line(number: str) -> None:
    line = lines(pair("N")).replace(b'"N"', number.encode())
    assert score_line(line, 3, Job(("cer",))) == {
        "id": None,
        "error": f"line 3: {number} is no finite number, expected an object with id, gold_html, pred_html",
    }


@pytest.mark.parametrize("option", ["--output", "--summary"])
def test_a_folder_that_is_not_there_is_told_before_anything_is_scored(tmp_path: Path, option: str) -> None:
    pairs, wrong = tmp_path / "pairs.jsonl", tmp_path / "nowhere" / "file.json"
    pairs.write_bytes(lines(pair()))
    words = [pairs, "-o", tmp_path / "out.jsonl"] if option == "--summary" else [pairs]
    told = " ".join(proofgrid(*words, option, wrong, status=2).stderr.split())
    assert f"there is no folder {wrong.parent}" in told
    assert not (tmp_path / "out.jsonl").exists()


def test_a_field_to_group_by_that_no_line_has_is_noted(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_bytes(lines({**pair(), "lang": "en"}))
    words = (pairs, "-o", tmp_path / "out.jsonl", "--metrics", "cer", "--by", "lang", "--by", "nope")
    told = proofgrid(*words).stderr
    assert "--by nope: no line has a value of 'nope'" in told
    assert "--by lang" not in told


def test_the_help_names_every_metric() -> None:
    words = proofgrid("--help").stdout.replace(",", " ").split()
    assert set(METRICS) <= {word.strip(".()") for word in words}
