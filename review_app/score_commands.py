"""The commands that score: for a terminal, for a build server, and as a report to hand on."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from review_app.exits import EXIT_CHECK_FAILED
from review_app.opening import expect_known, home_option, json_option, opened
from review_app.whole_file import replacing
from scoring import NOT_AVAILABLE

project_option = click.option("--project", default=None, help="Only this project; by default all.")
run_option = click.option(
    "--run", type=int, default=None, help="Number of the run to score; by default the first extraction."
)
a_file = click.Path(dir_okay=False, path_type=Path)


@click.command()
@home_option
@project_option
@run_option
@click.option("--release", "name", default=None, help="Score against this release in place of gold as it is now.")
@click.option(
    "--fail-under", multiple=True, metavar="METRIC=X", help="Exit with status 1 where a metric is below X (0 to 1)."
)
@click.option("--junit", type=a_file, help="File to write for a build server: documents, metrics of --fail-under.")
@click.option("--markdown", type=a_file, help="File to write a summary for a pull request to.")
@json_option
def score(
    home: Path | None,
    project: str | None,
    run: int | None,
    name: str | None,
    fail_under: tuple[str, ...],
    junit: Path | None,
    markdown: Path | None,
    as_json: bool,
) -> None:
    """Score the first extractions of accepted tables against gold.

    Metrics for --fail-under: document_pass_rate, cell_f1, cell_precision, cell_recall, graded_f1, row_recall. A score
    against a release is the same at any later time, until another run is scored.

    Example: proofgrid score --project invoices --fail-under cell_f1=0.95 --junit results.xml
    """
    from review_app import result_report, score_report
    from store.attempts import completions
    from store.blind_scores import anchoring_of
    from store.released_scores import released_documents
    from store.releases import release
    from store.repeats import repeated
    from store.scored_documents import scored_documents
    from store.scores import compared_documents

    bars = [_threshold(text) for text in fail_under]
    with opened(home) as (db, _), db.read() as reader:
        expect_known(reader, project=project, run=run)
        against = release(reader, name, project=project) if name is not None else None
        if against:
            project = against.project
            expect_known(reader, project=project, run=run)
        frozen = released_documents(db, reader, against, run=run) if against else None
        found = scored_documents(db, reader, project=project, run=run) if frozen is None else frozen
        runs = completions(reader, project=project, run=run)
        # Repeats and blind slice are told of gold as it is now.
        repeats = [] if against else [one for one in repeated(db, reader, project=project) if run in (None, *one.runs)]
        anchoring = None if against else anchoring_of(db, reader, found, run=run)
        told = [(metric, _below(score_report.metrics(found), metric, bar)) for metric, bar in bars]
        if junit:
            _write(junit, result_report.junit(found, told))
        if markdown:
            _write(markdown, result_report.markdown(found, runs if run else (), anchoring, against).encode())
        if as_json:
            compared = compared_documents(db, reader, project=project, run=run) if frozen is None else frozen
            whole = score_report.to_json(compared, runs, repeats, anchoring, against)
            click.echo(json.dumps(whole, ensure_ascii=False, indent=1))
        else:
            click.echo("\n".join(score_report.lines(found, runs, repeats, anchoring, against)))
    below = [reason for _, reason in told if reason]
    if below:
        click.echo("\n".join(below), err=True)
        sys.exit(EXIT_CHECK_FAILED)


@click.command()
@home_option
@project_option
@run_option
@click.option("-o", "--output", type=a_file, required=True, help="HTML file to write.")
def report(home: Path | None, project: str | None, run: int | None, output: Path) -> None:
    """Write the results as one HTML file that needs no network and prints.

    Example: proofgrid report --project invoices -o results.html
    """
    from review_app import result_report
    from store.attempts import completions
    from store.blind_scores import anchoring_of
    from store.run_series import series_of
    from store.scored_documents import scored_documents

    with opened(home) as (db, _), db.read() as reader:
        expect_known(reader, project=project, run=run)
        found = scored_documents(db, reader, project=project, run=run)
        tried = completions(reader, project=project, run=run)
        anchoring = anchoring_of(db, reader, found, run=run)
        series = series_of(reader, run) if run else None
        of_run = f", run {run}: {series.extractor}" if series else ""
        title = f"Results of {project or (series.project if series else 'all projects')}{of_run}"
        _write(output, result_report.html(title, found, tried if run else (), anchoring).encode())
    click.echo(f"written to {output}")


def _below(metrics: Mapping[str, float | None], name: str, bar: float) -> str:
    """Why a metric misses its bar; "" where it does not."""
    value = metrics[name]
    if value is not None and value >= bar:
        return ""
    return f"{name} is {NOT_AVAILABLE if value is None else f'{value:.6g}'}, expected at least {bar:g}"


def _write(path: Path, body: bytes) -> None:
    with replacing(path) as file:
        file.write(body)


def _threshold(text: str) -> tuple[str, float]:
    from review_app.score_report import METRICS

    name, _, bar = text.partition("=")
    try:
        value = float(bar)
    except ValueError:
        value = -1.0
    if name not in METRICS or not 0 <= value <= 1:
        raise click.BadParameter(
            f"{text!r}, expected one of {', '.join(METRICS)} and a number from 0 to 1, as cell_f1=0.95"
        )
    return name, value
