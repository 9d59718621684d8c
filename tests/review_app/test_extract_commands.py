from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from store.extractors.fixtures import ORDER, fixtures
from tests.store.service import running

COMMAND = Path(sys.executable).with_name("proofgrid")


def proofgrid(*words: object, home: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    """What the command printed; its exit status is as expected and nobody was shown a traceback."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PROOFGRID_")}
    done = subprocess.run(
        [str(COMMAND), *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env={**plain, "PROOFGRID_HOME": str(home)},
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eleven orders and their table type, as a person has them in a folder."""
    made = tmp_path / "orders"
    made.mkdir()
    for fixture in fixtures():
        (made / fixture.name).write_bytes(fixture.raw)
    types = {"proofgrid": "table-types/1", "table_types": [ORDER.to_json()]}
    (made / "table_types.json").write_text(json.dumps(types))
    return made


def test_extract_imports_reads_and_reports_completion_and_flip_rate(home: Path, folder: Path) -> None:
    done = proofgrid(
        "extract",
        folder,
        "--extractor",
        "mock",
        "--set",
        "wait_ms=0",
        "--repeats",
        2,
        "--table-type",
        "order",
        home=home,
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("read       order-01.pdf: 0.")
    assert "completion of run 2 (mock 1, repeat 2): 11 of 11 documents at the first attempt (100.0 %)" in done.stdout
    assert lines[-1] == (
        "2 repeats of mock 1 over 11 documents: flip rate 0.0 % of 44 cells, "
        "same value in all 100.0 %, same text 100.0 %"
    )
    assert proofgrid("verify", home=home).stdout.startswith("Nothing differs")


def test_documents_that_are_stored_are_extracted_by_project_alone(home: Path, folder: Path) -> None:
    proofgrid("import", folder, "--project", "orders", home=home)
    done = proofgrid("extract", "--project", "orders", "--extractor", "mock", "--set", "wait_ms=0", "--json", home=home)
    found = json.loads(done.stdout)
    assert [run["completion_rate"] for run in found["runs"]] == [1.0]
    assert {document["outcome"] for document in found["documents"]} == {"read"}


def test_ctrl_c_leaves_whole_documents_and_resume_completes_the_run(home: Path, folder: Path) -> None:
    words = ["extract", str(folder), "--extractor", "mock", "--set", "wait_ms=300"]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PROOFGRID_")}
    process = subprocess.Popen(
        [str(COMMAND), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**plain, "PROOFGRID_HOME": str(home), "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 1
    assert "Traceback" not in told
    assert "stopped by hand" in told
    assert "left: the same command with --resume goes on" in told
    assert proofgrid("verify", home=home).stdout.startswith("Nothing differs")
    done = proofgrid(*words, "--resume", home=home)
    assert "known      order-01.pdf: is there already (read)" in done.stdout
    assert "11 of 11 documents at the first attempt" in done.stdout


def test_a_killed_run_is_whole_and_resume_completes_it(home: Path, folder: Path) -> None:
    words = ["extract", str(folder), "--extractor", "mock", "--set", "wait_ms=200", "--repeats", "2"]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PROOFGRID_")}
    process = subprocess.Popen(
        [str(COMMAND), *words],
        stdout=subprocess.PIPE,
        text=True,
        env={**plain, "PROOFGRID_HOME": str(home), "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    for _ in range(3):
        process.stdout.readline()
    process.kill()
    process.communicate()
    assert proofgrid("verify", home=home).stdout.startswith("Nothing differs")
    found = json.loads(proofgrid(*words, "--resume", "--json", home=home).stdout)
    assert [run["completed"] for run in found["runs"]] == [11, 11]
    known = [document for document in found["documents"] if document["known"]]
    assert 3 <= len(known) < 22
    assert found["repeats"][0]["stability"]["pair_flip_rate"] == 0.0


def test_score_shows_what_was_completed_and_each_failure_with_its_reason(home: Path, folder: Path) -> None:
    parameters = folder.parent / "service.json"
    with running() as service:
        parameters.write_text(json.dumps({"url": service.origin, "name": "acme", "wait_s": 0.01}))
        service.play({"body": {"order": {"number": "PO-24017"}}}, *({"body": "Sorry."} for _ in range(10)))
        done = proofgrid("extract", folder, "--extractor", "http", "--parameters", parameters, home=home, status=1)
    assert "unreadable order-02.pdf: line 1, column 1: not JSON" in done.stderr
    lines = proofgrid("score", home=home).stdout.splitlines()
    assert lines[0] == "No table has been accepted yet, so there is nothing to score."
    assert lines[1].startswith("completion of run 1 (acme): 1 of 11 documents at the first attempt (9.1 %)")
    assert lines[2].startswith("    order-02.pdf: unreadable: line 1, column 1: not JSON")
    (run,) = json.loads(proofgrid("score", "--json", home=home).stdout)["runs"]
    assert (run["completion_rate"], len(run["failures"])) == (1 / 11, 10)


def test_wrong_use_is_told_in_one_line(home: Path, folder: Path) -> None:
    for words, message in [
        (["--extractor", "magic"], "extractor 'magic', expected one of: "),
        (
            ["--extractor", "mock", "--set", "speed=9"],
            "extractor mock has no parameter 'speed', expected one of: wait_ms",
        ),
        (["--extractor", "mock", "--set", "wait_ms=soon"], "parameter wait_ms of extractor mock is 'soon', expected"),
        (["--extractor", "mock", "--set", "wait_ms"], "--set wait_ms: expected NAME=VALUE"),
    ]:
        done = proofgrid("extract", folder, *words, home=home, status=2)
        assert done.stderr.startswith(message)
        assert len(done.stderr.splitlines()) == 1
    empty = folder.parent / "nothing"
    empty.mkdir()
    done = proofgrid("extract", empty, "--extractor", "mock", home=home, status=2)
    assert "there is no document to extract from" in done.stderr


def test_the_self_test_prints_each_figure_and_what_it_does_not_test(home: Path) -> None:
    lines = proofgrid("selftest", home=home).stdout.splitlines()
    assert "tests the harness and not extraction" in lines[0]
    labels = [line.partition(":")[0] for line in lines[1:-2]]
    assert labels == [
        "corpus version",
        "scoring version",
        "extractor version",
        "date (UTC)",
        "runner",
        "latency",
        "repeat variation",
        "precision / recall / F1",
    ]
    assert not home.exists()


def test_parameters_that_are_nested_without_end_are_no_json(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    words = ("extract", tmp_path, "--extractor", "http", "--parameters", tmp_path / "deep.json")
    told = proofgrid(*words, home=tmp_path / "home", status=2).stderr
    assert told == f"{tmp_path}/deep.json: is not JSON: it is nested too deeply to be read\n"
