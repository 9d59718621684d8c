"""The command that logs stored results to MLflow."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from review_app.exits import EXIT_CHECK_FAILED, refuse
from review_app.opening import acting, expect_known, home_option, json_option, opened
from review_app.score_commands import run_option
from review_app.wording import count

if TYPE_CHECKING:
    from sqlite_utils import Database

    from review_app.tracked_runs import Detail, Results
    from store.db import Db


@click.command(name="log-mlflow")
@home_option
@click.option("--project", required=True, help="The project whose results are logged.")
@run_option
@click.option(
    "--tracking-uri",
    default=None,
    help="Database or server, as sqlite:///mlflow.db or http://127.0.0.1:5000; by default MLFLOW_TRACKING_URI, "
    "else mlflow.db in the home.",
)
@click.option("--experiment", default=None, help="Name of the experiment; by default that of the project.")
@click.option(
    "--detail",
    type=click.Choice(["auto", "full", "documents", "summary"]),
    default="auto",
    show_default=True,
    help="full: a run for each table. documents: for each document, and for the tables of those that fail. summary: "
    "the main run only. auto: by the number of documents.",
)
@click.option("--traces", is_flag=True, help="Log the steps of each extraction as a trace, too.")
@json_option
def log_mlflow(
    home: Path | None,
    project: str,
    run: int | None,
    tracking_uri: str | None,
    experiment: str | None,
    detail: Detail | Literal["auto"],
    traces: bool,
    as_json: bool,
) -> None:
    """Log the results of accepted tables to MLflow: a main run, under it the documents, and their tables.

    The same results are logged once: a second call adds nothing, and after Ctrl+C or a crash it goes on where the
    first one stopped. Nothing is sent but to the tracking URI. Needs the extra proofgrid[mlflow].

    Exit status: 1 where it was stopped.

    Example: proofgrid log-mlflow --project invoices --tracking-uri sqlite:///mlflow.db
    """
    from review_app.mlflow_log import Tracking, checked_uri
    from review_app.mlflow_traces import steps
    from review_app.tracked_runs import MOST_RUNS, detail_for

    with opened(home) as (db, place), db.read() as reader:
        expect_known(reader, project=project, run=run)
        uri = checked_uri(
            tracking_uri or os.environ.get("MLFLOW_TRACKING_URI") or f"sqlite:///{place.folder}/mlflow.db"
        )
        results = _results(db, reader, project, run)
        level: Detail = detail_for(len(results.found)) if detail == "auto" else detail
        if results.runs(level) > MOST_RUNS:
            refuse(
                f"{results.runs(level):,} runs are more than MLflow shows anybody, expected at most {MOST_RUNS:,}; "
                "use --detail documents or --detail summary"
            )
        folder = _folder(uri) or place.folder
        total = results.runs(level)
        with click.progressbar(
            length=total, label="Logging", file=sys.stderr, hidden=not sys.stderr.isatty()
        ) as progress:
            try:
                tracking = Tracking(uri, experiment or f"Proofgrid: {project}", artifacts=folder / "mlflow-artifacts")
                logged = tracking.log(results, level, person=acting(db), told=progress.update)
                traced = tracking.trace(logged.run_id, steps(results, reader), results) if traces else None
            except KeyboardInterrupt:
                click.echo(
                    f"stopped after {progress.pos:,} of {count(total, 'run')}: the same command goes on from there",
                    err=True,
                )
                sys.exit(EXIT_CHECK_FAILED)
    if as_json:
        told: dict[str, Any] = {
            "tracking_uri": uri,
            "experiment": logged.experiment,
            "run_id": logged.run_id,
            "detail": level,
        }
        told |= {"made": logged.made, "finished": logged.finished, "known": logged.known, "traces": traced}
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
        return
    parts = [f"{count(logged.made, 'run')} logged"]
    parts += [f"{logged.finished:,} finished that had been interrupted"] if logged.finished else []
    parts += [f"{logged.known:,} there already"] if logged.known else []
    parts += [f"{count(traced, 'trace')} logged"] if traced is not None else []
    click.echo(f"{', '.join(parts)}: experiment {logged.experiment!r}, main run {logged.run_id}, {uri}")


def _results(db: Db, reader: Database, project: str, run: int | None) -> Results:
    from review_app.tracked_runs import Results
    from store.attempts import completions
    from store.run_series import series_of
    from store.scored_documents import scored_documents
    from store.scores import scored_document

    found = scored_documents(db, reader, project=project, run=run)
    if not found:
        refuse(f"no table of project {project!r} has been accepted yet, so there is nothing to log")
    # The number of a run is one of this database; its name says what it is anywhere.
    name = series_of(reader, run).only(run).extractor if run else "first extraction of each document"
    tried = completions(reader, project=project, run=run) if run else ()
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=len(found), label="Comparing", file=sys.stderr, hidden=hidden) as progress:
        results = Results(
            f"{project}: {name}",
            project,
            name,
            found,
            lambda entry: scored_document(db, reader, entry.document.id, run=run),
            tried,
            progress.update,
        )
        _ = results.key  # looks through all documents, which takes time
    return results


def _folder(uri: str) -> Path | None:
    """The folder of a database that is a file; made where it is not there."""
    if not uri.startswith("sqlite:///"):
        return None
    folder = Path(uri.removeprefix("sqlite:///")).resolve().parent
    folder.mkdir(parents=True, exist_ok=True)
    return folder
