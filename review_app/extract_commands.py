"""The commands that run extractors: extract, and selftest, which tries out the harness on documents of its own."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from review_app.exits import EXIT_CHECK_FAILED, refuse
from review_app.opening import acting, home_option, json_option, opened
from review_app.passwords import password_option, passwords_of, tell_of_locked
from review_app.wording import count

parameters_option = click.option(
    "--parameters",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON file with the parameters.",
)
set_option = click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="One parameter; may be repeated."
)


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@home_option
@click.option(
    "--extractor",
    default="auto",
    show_default=True,
    help="Name of the extractor: auto, digital, http, llm, mock or ocr; see docs/extractors.md.",
)
@click.option(
    "--table-type",
    "types",
    multiple=True,
    help="Table type to ask for; may be repeated. By default all of the project.",
)
@click.option("--project", default="default", show_default=True)
@click.option("--repeats", type=click.IntRange(1, 100), default=1, show_default=True, help="How often to run it.")
@click.option("--resume", is_flag=True, help="Complete runs that were cut off: pass over documents that were answered.")
@parameters_option
@set_option
@password_option
@json_option
def extract(
    paths: tuple[Path, ...],
    home: Path | None,
    extractor: str,
    types: tuple[str, ...],
    project: str,
    repeats: int,
    resume: bool,
    file: Path | None,
    settings: tuple[str, ...],
    password_file: Path | None,
    as_json: bool,
) -> None:
    """Run an extractor over documents: files and folders, or without PATHS all documents of the project.

    Each answer is stored as it came, before it is read. The first attempt at a document is the one that is
    scored; later ones are kept beside it. A document that fails is kept with the reason, counts against the
    completion rate, and the rest goes on. Ctrl+C ends the run, what was stored stays, and --resume goes on.

    Exit status: 1 where a document was not read in full at the first attempt, or the run was stopped.

    Example: proofgrid extract invoices/ --extractor llm --table-type line_items --set model=qwen3 --repeats 3
    """
    from review_app import extract_report
    from store.attempts import completions
    from store.chosen import chosen
    from store.extracting import Extracted
    from store.extracting import extract as run
    from store.repeats import repeated

    given = given_parameters(file, settings)
    with opened(home, create=bool(paths)) as (db, place):
        person = acting(db)
        documents, imported = chosen(
            db, place, paths, person=person, project=project, passwords=passwords_of(password_file)
        )
        for entry in imported.refused:
            click.echo(entry.line(), err=True)
        if not as_json:
            tell_of_locked(imported.refused)
        if not documents:
            refuse(f"there is no document to extract from in project {project!r}; name files or folders")
        total = len(documents) * repeats
        with click.progressbar(
            length=total,
            label="Extracting",
            file=sys.stderr,
            # On a terminal the lines tell how far it is.
            hidden=not sys.stderr.isatty() or (sys.stdout.isatty() and not as_json),
        ) as progress:

            def told(entry: Extracted) -> None:
                progress.update(1)
                if not as_json:
                    click.echo(extract_report.entry_line(entry), err=entry.first.outcome != "read")

            runs = run(
                db,
                place,
                documents,
                extractor_name=extractor,
                person=person,
                project=project,
                given=given,
                types=types,
                repeats=repeats,
                resume=resume,
                told=told,
            )
        with db.read() as reader:
            completed = [found for number in runs.numbers for found in completions(reader, run=number)]
            groups = [found for found in repeated(db, reader, project=project) if set(found.runs) & set(runs.numbers)]
    if as_json:
        click.echo(json.dumps(extract_report.runs_to_json(runs, completed, groups), ensure_ascii=False, indent=1))
    else:
        click.echo(
            "\n".join(
                [*extract_report.completion_lines(completed, failures=False), *extract_report.repeat_lines(groups)]
            )
        )
    if runs.stopped:
        which = f" and --repeats {runs.repeats}" if runs.repeats > repeats else ""
        left = f"{runs.stopped}; {count(runs.left, 'document')} left"
        click.echo(f"{left}: the same command with --resume{which} goes on", err=True)
    if runs.stopped or runs.failed or imported.refused:
        sys.exit(EXIT_CHECK_FAILED)


@click.command()
@json_option
def selftest(as_json: bool) -> None:
    """Try out the whole harness, from import to score, on eleven documents that are made on the spot.

    A deterministic parser stands in for an extractor, so this tests the harness and says nothing about
    how well anything is extracted. Exit status: 1 where a number is not what it must be.

    Example: proofgrid selftest
    """
    from store.selftest import selftest as tried

    found = tried()
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=1))
    else:
        click.echo("\n".join(found.lines()))
    for problem in found.problems:
        click.echo(problem, err=True)
    if found.problems:
        sys.exit(EXIT_CHECK_FAILED)


def given_parameters(file: Path | None, settings: tuple[str, ...]) -> dict[str, Any]:
    """The parameters of a file and of the options; a value that is JSON is taken as such, any other as text."""
    from scoring.reading.json_value import json_value

    given: dict[str, Any] = {}
    if file is not None:
        try:
            given = json_value(file.read_bytes())
        except ValueError as wrong:
            refuse(f"{file}: is not JSON: {wrong}")
        if not isinstance(given, dict):
            refuse(f"{file}: expected an object of parameters")
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            refuse(f"--set {setting}: expected NAME=VALUE")
        try:
            given[name] = json_value(value)
        except ValueError:
            given[name] = value
    return given
