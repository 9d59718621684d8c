"""Results in a real MLflow store, SQLite, asked for by MLflow's own client; figures are those beside DOCUMENTS."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from review_app.cli import main
from review_app.field_slugs import slugs
from review_app.mlflow_log import Tracking
from review_app.mlflow_traces import Step, Traced, add_traces
from review_app.tracked_runs import Results, TrackedRun, detail_for
from store.db import Db
from store.reviews import add_verdict
from store.scored_documents import scored_documents
from store.scores import scored_document
from tests.six_documents import six_documents
from tests.two_runs import two_runs

pytest.importorskip("mlflow")

EXPERIMENT = "Proofgrid: hand"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return six_documents(tmp_path_factory.mktemp("six") / "home").folder


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store without an experiment of ours: to make its tables takes seconds."""
    file = tmp_path_factory.mktemp("mlflow") / "mlflow.db"
    client_of(file)
    return file


@pytest.fixture
def store(migrated: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(migrated, tmp_path / "mlflow.db"))


@pytest.fixture(scope="module")
def logged(home: Path, migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that the six documents were logged to once."""
    file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("logged") / "mlflow.db"))
    log(home, file, "--traces")
    return file


def client_of(file: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from mlflow import MlflowClient

        return MlflowClient(f"sqlite:///{file}")


def log(home: Path, file: Path | str, *words: str, status: int = 0, project: str = "hand") -> Result:
    uri = f"sqlite:///{file}" if isinstance(file, Path) else file
    done = CliRunner().invoke(
        main, ["log-mlflow", "--home", str(home), "--project", project, "--tracking-uri", uri, *words]
    )
    assert done.exit_code == status, done.output
    return done


def told(done: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def runs(file: Path, where: str = "", experiment: str = EXPERIMENT) -> list[Any]:
    client = client_of(file)
    return list(client.search_runs([client.get_experiment_by_name(experiment).experiment_id], where))


def contents(file: Path) -> dict[str, int]:
    """How many rows each table of the store has."""
    with closing(sqlite3.connect(file)) as database:
        names = [name for (name,) in database.execute("select name from sqlite_master where type = 'table'")]
        return {name: database.execute(f"select count(*) from {name}").fetchone()[0] for name in names}


def test_the_three_levels_hang_together(logged: Path) -> None:
    (main_run,) = runs(logged, "tags.level = 'main'")
    documents = runs(logged, "tags.level = 'document'")
    tables = runs(logged, "tags.level = 'table'")
    assert {run.data.tags["mlflow.parentRunId"] for run in documents} == {main_run.info.run_id}
    assert sorted(run.data.tags["mlflow.parentRunId"] for run in tables) == sorted(run.info.run_id for run in documents)
    assert {run.info.status for run in [main_run, *documents, *tables]} == {"FINISHED"}
    assert len(documents) == len(tables) == 6


def test_the_headline_is_as_worked_out_by_hand(logged: Path) -> None:
    (run,) = runs(logged, "tags.level = 'main'")
    right, extracted, expected = 6 + 5 + 5 + 6, 6 + 6 + 6 + 9, 6 + 6 + 5 + 6 + 6
    assert run.data.metrics["cell_f1"] == pytest.approx(2 * right / (extracted + expected))
    assert run.data.metrics["cell_precision"] == pytest.approx(right / extracted)
    assert run.data.metrics["cells.expected"] == expected
    assert run.data.metrics["document_pass_rate"] == pytest.approx(1 / 5)
    assert run.data.metrics["document_pass_rate.low"] == pytest.approx(0.036, abs=5e-4)  # Wilson, 1 of 5
    assert run.data.metrics["document_pass_rate.high"] == pytest.approx(0.624, abs=5e-4)
    assert run.data.metrics["field/lines/article/f1"] == pytest.approx(2 * 8 / (9 + 10))
    assert run.data.tags["undefined.cell_f1.low"].startswith("too few documents for an interval: 5")
    assert "cell_f1.low" not in run.data.metrics


def test_what_is_undefined_is_left_out_and_told(logged: Path) -> None:
    (run,) = runs(logged, "tags.level = 'table' and tags.document = 'empty.pdf'")
    assert "cell_f1" not in run.data.metrics
    assert run.data.tags["undefined.cell_f1"] == "0/0: there is nothing to count"
    assert run.data.metrics["cells.expected"] == 0


def test_failures_are_found_by_their_cause(logged: Path) -> None:
    found = runs(logged, "tags.level = 'table' and tags.cause_of_failure = 'duplicated_row'")
    assert [run.data.tags["document"] for run in found] == ["duplicate-row.pdf"]
    (passed,) = runs(logged, "tags.level = 'table' and tags.document = 'right.pdf'")
    assert passed.data.tags["pass"] == "yes"
    assert "cause_of_failure" not in passed.data.tags


def test_the_main_run_has_hashes_the_report_and_its_gold_as_dataset(logged: Path) -> None:
    (run,) = runs(logged, "tags.level = 'main'")
    assert all(len(run.data.params[name]) == 32 for name in ("gold_hash", "schema_hash", "rules_hash"))
    (dataset,) = run.inputs.dataset_inputs
    assert (dataset.dataset.name, dataset.dataset.digest) == ("gold of hand", run.data.params["gold_hash"])
    assert [(tag.key, tag.value) for tag in dataset.tags] == [("mlflow.data.context", "gold")]
    names = {file.path for file in client_of(logged).list_artifacts(run.info.run_id)}
    assert {"report.html", "fields.json", "per_field.csv", "per_document.jsonl", "causes.csv"} <= names


def test_the_matching_matrix_of_a_table_is_attached(logged: Path, tmp_path: Path) -> None:
    (run,) = runs(logged, "tags.level = 'table' and tags.document = 'duplicate-row.pdf'")
    client = client_of(logged)
    matrix = json.loads(Path(client.download_artifacts(run.info.run_id, "matching_matrix.json", tmp_path)).read_text())
    assert (matrix["gold_rows"], matrix["extracted_rows"], matrix["pairs"]) == (2, 3, [[0, 0], [1, 1]])
    assert (matrix["missed"], matrix["extra"], matrix["duplicates"]) == ([], [], [2])
    assert matrix["similarity"][0][0] == matrix["similarity"][1][2] == 1.0
    page = Path(client.download_artifacts(run.info.run_id, "matching_matrix.html", tmp_path)).read_text()
    assert page.count("<td") == 6
    assert page.count("class=chosen") == 2


def test_logging_twice_adds_nothing(home: Path, logged: Path) -> None:
    before = contents(logged)
    again = told(log(home, logged, "--traces", "--json"))
    assert (again["made"], again["finished"], again["known"], again["traces"]) == (0, 0, 13, 0)
    assert contents(logged) == before


def test_each_extraction_is_a_trace_of_its_attempts_and_tables(logged: Path) -> None:
    client = client_of(logged)
    experiment = client.get_experiment_by_name(EXPERIMENT).experiment_id
    traces = {trace.data.spans[0].name: trace for trace in client.search_traces(locations=[experiment])}
    assert len(traces) == 6
    spans = {span.name: span for span in traces["right.pdf"].data.spans}
    assert set(spans) == {"right.pdf", "attempt 1", "Line items"}
    assert spans["attempt 1"].end_time_ns - spans["attempt 1"].start_time_ns == pytest.approx(0.5e9)
    assert spans["Line items"].outputs["cell_f1"] == 1.0
    failed = {span.name: span.status for span in traces["no-answer.pdf"].data.spans}["attempt 1"]
    assert (failed.status_code, failed.description) == ("ERROR", "cut off after 3 bytes")


def test_a_trace_that_was_interrupted_is_made_anew_and_those_of_others_stay(store: Path) -> None:
    def steps(*, stop: bool) -> Iterator[Step]:
        yield Step("attempt 1", "TOOL", 1_000, 2_000, {}, {})
        if stop:
            raise KeyboardInterrupt

    whole = Step("order.pdf", "CHAIN", 1_000, 2_000, {}, {})
    tracking = Tracking(f"sqlite:///{store}", "traces", artifacts=store.parent / "files")

    def add(results: str, *, stop: bool = False) -> int:
        traced = Traced(f"{results}/1", whole, steps(stop=stop))  # type: ignore[arg-type]  # it ends by an interruption
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return add_traces(tracking.client, tracking.experiment_id, "run", results, [traced])

    for results in ("mine", "other"):
        with pytest.raises(KeyboardInterrupt):
            add(results, stop=True)
    assert [add("mine"), add("mine")] == [1, 0]
    found = tracking.client.search_traces(locations=[tracking.experiment_id])
    assert sorted((str(trace.info.state), trace.info.tags.get("proofgrid.key", "")) for trace in found) == [
        ("IN_PROGRESS", ""),
        ("OK", "mine/1"),
    ]


def test_more_detail_later_is_added_to_the_same_main_run(home: Path, store: Path) -> None:
    first = told(log(home, store, "--detail", "summary", "--json"))
    assert (first["made"], len(runs(store))) == (1, 1)
    more = told(log(home, store, "--detail", "documents", "--json"))
    assert more["run_id"] == first["run_id"]
    assert len(runs(store, "tags.level = 'document'")) == 6
    assert {run.data.tags["document"] for run in runs(store, "tags.level = 'table'")} == {
        "wrong-value.pdf",
        "absent-value.pdf",
        "duplicate-row.pdf",
        "no-answer.pdf",
    }
    assert told(log(home, store, "--detail", "full", "--json"))["made"] == 2
    assert told(log(home, store, "--detail", "summary", "--json"))["made"] == 0
    assert len(runs(store)) == 13


def test_other_results_are_another_main_run(home: Path, store: Path) -> None:
    log(home, store)
    log(home, store, "--run", "1")
    assert {run.info.run_name for run in runs(store, "tags.level = 'main'")} == {
        "hand: first extraction of each document",
        "hand: reader 1, repeat 1",
    }


def test_what_was_killed_in_the_middle_goes_on_without_doubles(tmp_path: Path, store: Path) -> None:
    orders, done = two_runs(tmp_path / "orders").folder, 0
    words = ["--project", "orders", "--home", str(orders), "--tracking-uri", f"sqlite:///{store}"]
    code = "from review_app.cli import main; main()"
    killed = subprocess.Popen([sys.executable, "-W", "ignore", "-c", code, "log-mlflow", *words])
    with closing(sqlite3.connect(store, timeout=30)) as watching:
        while done < 9:
            assert killed.poll() is None, "it ended before it could be killed"
            done = watching.execute("select count(*) from runs").fetchone()[0]
            time.sleep(0.002)
    os.kill(killed.pid, signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    before = runs(store, experiment="Proofgrid: orders")
    assert 9 <= len(before) < 49
    assert any(run.info.status == "RUNNING" for run in before)
    rest = told(log(orders, store, "--json", project="orders"))
    assert rest["known"] + rest["finished"] + rest["made"] == 49
    assert rest["finished"] >= 1
    after = runs(store, experiment="Proofgrid: orders")
    assert len({run.data.tags["proofgrid.key"] for run in after}) == len(after) == 49
    assert {run.info.run_id for run in before} <= {run.info.run_id for run in after}
    assert {run.info.status for run in after} == {"FINISHED"}
    counts = contents(store)
    fresh = store.with_name("fresh.db")
    log(orders, fresh, project="orders")
    assert {name: n for name, n in contents(fresh).items() if name in ("runs", "metrics", "params")} == {
        name: counts[name] for name in ("runs", "metrics", "params")
    }


def test_ctrl_c_says_how_to_go_on(home: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, pressed = Tracking._attach, iter([False, False, True])

    def attach(self: Tracking, *words: Any) -> None:
        if next(pressed, False):
            raise KeyboardInterrupt
        write(self, *words)

    monkeypatch.setattr(Tracking, "_attach", attach)
    done = log(home, store, status=1)
    assert "the same command goes on from there" in done.stderr
    assert told(log(home, store, "--json"))["finished"] == 2  # the main run, and a table
    assert len(runs(store)) == 13


def test_children_of_a_deleted_main_run_are_made_anew(home: Path, store: Path) -> None:
    first = told(log(home, store, "--json"))["run_id"]
    client_of(store).delete_run(first)
    again = told(log(home, store, "--json"))
    assert again["run_id"] != first
    documents = runs(store, f"tags.level = 'document' and tags.`mlflow.parentRunId` = '{again['run_id']}'")
    assert len(documents) == 6


@pytest.mark.parametrize("uri", ["mlruns", "./mlruns", "file:///tmp/mlruns", "/tmp/mlruns", "s3://bucket/runs"])
def test_a_folder_as_tracking_uri_is_refused_in_words(home: Path, uri: str) -> None:
    said = log(home, uri, status=2).stderr
    assert said.startswith(f"tracking URI {uri!r}, expected a database or a server, as sqlite:///mlflow.db")
    assert "Traceback" not in said


@pytest.mark.parametrize("uri", ["http://[::1", "https://exa mple.org", "http://me:pass@host:99999/"])
def test_a_server_that_cannot_be_called_is_refused_in_words(home: Path, uri: str) -> None:
    said = log(home, uri, status=2).stderr
    assert said.startswith("tracking URI 'http")
    assert "expected http(s)://host/..." in said
    assert "pass" not in said


def test_a_database_of_something_else_is_refused_in_words(home: Path, tmp_path: Path) -> None:
    (tmp_path / "other.db").write_bytes(b"this is no database" * 100)
    said = log(home, tmp_path / "other.db", status=2).stderr
    assert said.startswith("sqlite:///")
    assert "Traceback" not in said


def test_without_accepted_tables_there_is_nothing_to_log(tmp_path: Path) -> None:
    orders = two_runs(tmp_path / "orders", accepted=False).folder
    assert "nothing to log" in log(orders, tmp_path / "mlflow.db", status=2, project="orders").stderr
    assert not (tmp_path / "mlflow.db").exists()


def test_too_many_runs_are_refused_with_a_way_out(home: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("review_app.tracked_runs.MOST_RUNS", 12)
    said = log(home, store, "--detail", "full", status=2).stderr
    assert "13 runs are more than" in said
    assert "--detail summary" in said


def test_the_detail_follows_from_the_number_of_documents() -> None:
    assert [detail_for(number) for number in (200, 201, 5_000, 5_001)] == ["full", "documents", "documents", "summary"]


def test_names_of_fields_become_names_that_trackers_take() -> None:
    fields = [
        ("", "Price (€)"),
        ("", "price __"),
        ("", "%"),
        ("", "#"),
        ("lines", "単価"),
        ("", "a/../b"),
        ("", "x" * 300),
    ]
    found = slugs(fields)
    assert list(found.values())[:6] == ["Price", "price_2", "field", "field_2", "lines/単価", "a_b"]
    assert len(found["", "x" * 300]) == 80


def test_a_run_with_more_than_fits_into_one_request_is_logged_whole(store: Path) -> None:
    tracking = Tracking(f"sqlite:///{store}", "large", artifacts=store.parent / "files")
    figures: dict[str, float | None] = {f"field/{number}/f1": number / 2500 for number in range(2500)}
    gone: dict[str, float | None] = {f"gone/{number}": None for number in range(150)}
    params = {f"p{number}": "x" * (7_000 if number == 0 else 1) for number in range(250)}
    run = TrackedRun("key", "large " * 100, params, {**figures, **gone}, {"long": "y" * 9_000})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tracking._write(run, None, {}, None, wait=False)
    (stored,) = runs(store, experiment="large")
    assert (len(stored.data.metrics), len(stored.data.params)) == (2500, 250)
    assert len([name for name in stored.data.tags if name.startswith("undefined.")]) == 150
    assert len(stored.data.tags["long"]) == 8_000


def test_the_same_results_have_the_same_key_in_another_database(home: Path, tmp_path: Path) -> None:
    def key(folder: Path) -> str:
        db = Db(folder / "proofgrid.db")
        with db.read() as reader:
            found = scored_documents(db, reader, project="hand")
            results = Results(
                "title", "hand", "reader", found, lambda entry: scored_document(db, reader, entry.document.id)
            )
            told = results.key
        db.close()
        return told

    other = six_documents(tmp_path / "other").folder
    assert key(other) == key(home)
    db = Db(other / "proofgrid.db")
    add_verdict(db, 1, verdict="reopen", person="ann", id="again", at_revision=0)
    db.close()
    assert key(other) != key(home)


def test_nothing_is_sent_but_to_the_tracking_uri(home: Path, store: Path) -> None:
    # Recorded and not raised, as who sends telemetry hides that it failed; and it sends none while tests run.
    code = """
import socket, sys, threading
asked = []
def refused(*words, **named):
    asked.append(words)
    raise OSError("no network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refused
from review_app.cli import main
main(standalone_mode=False)
for thread in threading.enumerate():
    if thread is not threading.current_thread():
        thread.join(3)
print(asked, file=sys.stderr)
"""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "CI", "MLFLOW", "DO_N"))
    }
    words = ["log-mlflow", "--project", "hand", "--home", str(home), "--tracking-uri", f"sqlite:///{store}", "--traces"]
    done = subprocess.run([sys.executable, "-c", code, *words], env=kept, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "[]\n")
    assert done.stdout.startswith("13 runs logged, 6 traces logged: experiment 'Proofgrid: hand'")
