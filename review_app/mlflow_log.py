"""Tracked runs written to MLflow: each once, whatever interrupts; what is half there is finished."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from review_app.tracked_runs import DETAILS, NOTHING_TO_COUNT, Detail, Results, TrackedRun
from store.addresses import AddressError, web_address
from store.db import StoreError

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

    from review_app.mlflow_traces import Traced

# By these tags a run is found again; a parent carries its detail once all of its parts are there.
KEY, MAIN, COMPLETE = "proofgrid.key", "proofgrid.main", "proofgrid.complete"
UNDEFINED = "undefined."
PARENT = "mlflow.parentRunId"
# What MLflow 3.17 takes in one request, and in one value.
MOST_METRICS, MOST_PARAMS, MOST_TAGS, LONGEST_PARAM, LONGEST_TAG = 1_000, 100, 100, 6_000, 8_000
_SCHEMES = ("sqlite", "postgresql", "mysql", "mssql", "http", "https")
_FOUND_AT_ONCE = 1_000


class TrackingError(StoreError):
    """Results that cannot be logged: says where to, and why."""


@dataclass(frozen=True)
class Logged:
    """The main run, and how many runs this call made, finished after an interruption, or found complete."""

    experiment: str
    run_id: str
    made: int
    finished: int
    known: int


def checked_uri(uri: str) -> str:
    """The tracking URI, if results can be logged to it; raises TrackingError."""
    scheme = uri.partition(":")[0].partition("+")[0].lower() if ":" in uri else ""
    if scheme not in _SCHEMES:
        raise TrackingError(
            f"tracking URI {uri!r}, expected a database or a server, as sqlite:///mlflow.db or http://127.0.0.1:5000; "
            "MLflow no longer keeps runs in plain folders"
        )
    if scheme in ("http", "https"):
        try:
            web_address(uri, credentials=True)
        except AddressError as wrong:
            raise TrackingError(f"tracking URI {wrong}") from None
    return uri


class Tracking:
    """An experiment of an MLflow store; made, and its database too, where it is not there yet.

    ``artifacts`` is where files go in a store that is a database; a server has a place of its own. Raises
    TrackingError where MLflow is not installed, or the store cannot be reached or used.
    """

    def __init__(self, uri: str, experiment: str, *, artifacts: Path) -> None:
        checked_uri(uri)
        self.experiment = experiment
        with _told(uri):
            self.client = _client(uri)
            found = self.client.get_experiment_by_name(experiment)
            if found is not None and found.lifecycle_stage != "active":
                raise TrackingError(
                    f"experiment {experiment!r} was deleted in {uri}; restore it, or name another one with --experiment"
                )
            place = None if uri.startswith("http") else artifacts.resolve().as_uri()
            self.experiment_id: str = found.experiment_id if found else self.client.create_experiment(experiment, place)
        self._uri = uri

    def log(self, results: Results, detail: Detail, *, person: str, told: Callable[[int], None]) -> Logged:
        """Log what is not there yet; ``told`` hears of each run that is there, how many at a time.

        Raises TrackingError; what was logged before stays, and the same call goes on from there.
        """
        with _told(self._uri):
            return self._log(results, detail, person, told)

    def trace(self, main: str, traces: Iterable[Traced], results: Results) -> int:
        """Log the steps of extractions under a main run; how many of them were not there yet. Raises TrackingError."""
        from review_app.mlflow_traces import add_traces

        with _told(self._uri):
            return add_traces(self.client, self.experiment_id, main, results.key, traces)

    def _log(self, results: Results, detail: Detail, person: str, told: Callable[[int], None]) -> Logged:
        known = dict(self._known(results.key))
        before = known.get(results.key)
        if before and _levels(before) > DETAILS.index(detail):
            told(results.runs(detail))
            return Logged(self.experiment, before.info.run_id, 0, 0, results.runs(detail))
        counted = {"made": 0, "finished": 0, "known": 0}

        def write(run: TrackedRun, parent: str | None, *, wait: bool = False) -> str:
            there = known.get(run.key)
            # Children of a main run that somebody deleted are not those of the new one.
            if there and parent and there.data.tags.get(PARENT) != parent:
                there = None
            done = there is not None and there.info.status == "FINISHED"
            counted["known" if done else "finished" if there else "made"] += 1
            if there is None or not done:
                written = self._write(run, there, {MAIN: results.key, "mlflow.user": person}, parent, wait=wait)
            else:
                written = there
            told(1)
            return str(written.info.run_id)

        main = write(results.whole(), None, wait=True)
        if before is None or before.info.status != "FINISHED":
            self._dataset(main, results)
        for document, tables in results.parts(detail):
            parent = write(document, main)
            for table in tables:
                write(table, parent)
        self.client.set_tag(main, COMPLETE, detail)
        self.client.set_terminated(main)
        return Logged(self.experiment, main, **counted)

    def _known(self, main: str) -> Iterator[tuple[str, Run]]:
        """The runs of these results that are there already, by their keys; what was deleted is not."""
        token = None
        while True:
            page = self.client.search_runs(
                [self.experiment_id], f"tags.`{MAIN}` = '{main}'", max_results=_FOUND_AT_ONCE, page_token=token
            )
            yield from ((run.data.tags[KEY], run) for run in page if KEY in run.data.tags)
            token = page.token
            if not token:
                return

    def _write(
        self, run: TrackedRun, there: Run | None, tags: Mapping[str, str], parent: str | None, *, wait: bool
    ) -> Run:
        """Make a run, or go on with one that was interrupted; ``wait`` leaves it running, as its parts are to come."""
        from mlflow.entities import Metric, Param, RunTag

        rest: list[RunTag] = []
        if there is None:
            own = {KEY: run.key, **tags, "mlflow.source.name": "proofgrid log-mlflow", **run.tags}
            own |= {PARENT: parent} if parent else {}
            own |= {UNDEFINED + name: run.undefined.get(name) or NOTHING_TO_COUNT for name in _undefined(run)}
            named = [(name, _cut(value, LONGEST_TAG)) for name, value in own.items()]
            first_tags, rest = dict(named[:MOST_TAGS]), [RunTag(*tag) for tag in named[MOST_TAGS:]]
            there = self.client.create_run(self.experiment_id, tags=first_tags, run_name=_cut(run.name, 250))
        key = there.info.run_id
        # At the time of its beginning: written again after an interruption, they are the same metrics.
        metrics = [
            Metric(name, value, there.info.start_time, 0) for name, value in run.metrics.items() if value is not None
        ]
        params = [Param(name, _cut(value, LONGEST_PARAM)) for name, value in run.params.items() if value]
        for at in range(0, max(len(params), 1), MOST_PARAMS):
            # MLflow counts both together against its limit on one request.
            first = metrics[: MOST_METRICS - MOST_PARAMS] if at == 0 else []
            self.client.log_batch(key, metrics=first, params=params[at : at + MOST_PARAMS])
        for at in range(MOST_METRICS - MOST_PARAMS, len(metrics), MOST_METRICS):
            self.client.log_batch(key, metrics=metrics[at : at + MOST_METRICS])
        for at in range(0, len(rest), MOST_TAGS):
            self.client.log_batch(key, tags=rest[at : at + MOST_TAGS])
        if run.files:
            self._attach(there, run.files)
        if not wait:
            self.client.set_terminated(key)
        return there

    def _attach(self, run: Run, files: Mapping[str, str]) -> None:
        from mlflow.store.artifact.artifact_repository_registry import get_artifact_repository

        # The repository of the run itself: the client would ask the store for the run again.
        repository: Any = get_artifact_repository(run.info.artifact_uri, tracking_uri=self._uri)
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                (Path(folder) / name).write_text(text, encoding="utf-8")
            repository.log_artifacts(folder)

    def _dataset(self, main: str, results: Results) -> None:
        from mlflow.entities import Dataset, DatasetInput, InputTag

        size = {"documents": len(results.corpus.documents), "tables": len(results.corpus.tables)}
        dataset = Dataset(
            name=f"gold of {results.project}",
            digest=results.gold_hash,
            source_type="proofgrid",
            source=json.dumps({"project": results.project}, ensure_ascii=False),
            profile=json.dumps(size),
        )
        self.client.log_inputs(main, [DatasetInput(dataset, [InputTag("mlflow.data.context", "gold")])])


def _client(uri: str) -> MlflowClient:
    """A client of the store, with nothing sent to anybody else."""
    os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
    os.environ["DO_NOT_TRACK"] = "true"
    os.environ["MLFLOW_ENABLE_ASYNC_TRACE_LOGGING"] = "false"
    os.environ["MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT"] = "true"
    # The usual seven tries at a server that is not there, or waits of two minutes for one that never answers, are long.
    os.environ.setdefault("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "2")
    os.environ.setdefault("MLFLOW_HTTP_REQUEST_TIMEOUT", "20")
    try:
        import mlflow
        from mlflow import MlflowClient
    except ImportError as missing:
        raise TrackingError(
            f"logging needs MLflow, and {missing.name} is not installed: pip install 'proofgrid[mlflow]'"
        ) from missing
    # A new database would tell of dozens of migrations.
    for name in ("mlflow", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    mlflow.set_tracking_uri(uri)
    return MlflowClient(uri)


@contextmanager
def _told(uri: str) -> Iterator[None]:
    """What MLflow refuses, as TrackingError; its own use of outdated libraries is not shown."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except TrackingError:
            raise
        except _refusals() as wrong:
            said = next(iter(str(wrong).strip().splitlines()), "") or type(wrong).__name__
            raise TrackingError(f"{uri} cannot be logged to: {said}") from wrong


# Only asked for after something was raised, when MLflow is there.
def _refusals() -> tuple[type[Exception], ...]:
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    return MlflowException, SQLAlchemyError


def _levels(run: Run) -> int:
    """How many of DETAILS a main run has all parts of; 0 where it was interrupted before the first."""
    there = run.data.tags.get(COMPLETE)
    return DETAILS.index(there) + 1 if there in DETAILS else 0


def _undefined(run: TrackedRun) -> list[str]:
    return [name for name, value in run.metrics.items() if value is None]


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "\u2026"
