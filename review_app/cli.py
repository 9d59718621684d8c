"""The command line: parses, calls, prints."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import asdict
from pathlib import Path

import click

from review_app.assign_commands import assign, progress
from review_app.backup_commands import backup, restore
from review_app.diagnose_command import diagnose
from review_app.exits import EXIT_CHECK_FAILED, told
from review_app.extract_commands import extract, selftest
from review_app.guard_commands import blind, guards
from review_app.key_commands import keys
from review_app.lease_commands import leases
from review_app.mlflow_command import log_mlflow
from review_app.opening import acting, expect_known, home_option, json_option, opened
from review_app.pair_commands import merge_scores, score_pairs
from review_app.passwords import password_option, passwords_of, tell_of_locked
from review_app.people_commands import audit, users
from review_app.quality_commands import quality
from review_app.release_commands import release
from review_app.replay_command import replay
from review_app.run_commands import compare, runs
from review_app.score_commands import report, score
from review_app.second_pass_commands import agreement, second_pass
from review_app.threshold_commands import thresholds
from review_app.webhook_commands import webhooks
from review_app.wording import count

# Those of store.exporting, which takes long to load.
EXPORT_NAMES = ["gold", "html", "markdown", "csv", "xlsx", "jsonl", "dataset", "pubtabnet", "pulsebench"]
EXPORT_NAMES += ["label-studio", "otsl"]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="proofgrid")
def main() -> None:
    """Review, correct and measure table extraction."""


port_option = click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=None,
    help="Port to listen on; by default the first free one from 8501 on.",
)


@main.command()
@home_option
@port_option
@click.option("--open/--no-open", "open_browser", default=True, help="Open a browser window.")
def demo(home: Path | None, port: int | None, open_browser: bool) -> None:
    """Import the sample documents and open the app on them.

    Example: proofgrid demo
    """
    from review_app.serving import demo_home, sample_folders, serve_forever
    from store.ingest import ingest

    place = demo_home(home)
    with opened(place.folder, create=True) as (db, _):
        # One after the other, so that the extractions among the samples are the first ones.
        done = [ingest(db, place, [folder], person="demo", project="samples") for folder in sample_folders()]
        stored = sum(len(each.stored) for each in done)
        click.echo(f"{stored} sample files imported into {place.folder}", err=True)
    with told():
        sys.exit(serve_forever(place, port=port, open_browser=open_browser, person="you"))


@main.command()
@home_option
@port_option
@click.option("--open/--no-open", "open_browser", default=True, help="Open a browser window.")
@click.option("--person", default=None, help="Your name in the edit log; by default your login name.")
@click.option(
    "--address",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; others than this machine only where people sign in (docs/team.md).",
)
def serve(home: Path | None, port: int | None, open_browser: bool, person: str | None, address: str) -> None:
    """Open the app: on this machine only, or for a team that signs in (docs/team.md).

    Example: proofgrid serve --port 8600
    """
    from review_app.serving import expect_safe, serve_forever
    from store.home import find_home

    place = find_home(home)
    with opened(place.folder, create=True) as (db, _):
        sign_in = expect_safe(db, place, address)
    with told():
        sys.exit(
            serve_forever(place, port=port, open_browser=open_browser, person=person, address=address, sign_in=sign_in)
        )


@main.command(name="import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@home_option
@click.option(
    "--format", "format_name", default="auto", help="Format of extraction files; auto looks at their contents."
)
@click.option("--table-type", default="", help="Table type of all tables that do not name one.")
@click.option("--project", default="default", show_default=True)
@click.option(
    "--map",
    "mapping",
    type=click.Path(dir_okay=False, path_type=Path),
    help="CSV file that tells to which document each file of tables belongs.",
)
@password_option
@click.option("--dry-run", is_flag=True, help="Say what would be imported, and store nothing.")
@json_option
def import_(
    paths: tuple[Path, ...],
    home: Path | None,
    format_name: str,
    table_type: str,
    project: str,
    mapping: Path | None,
    password_file: Path | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Import documents, extractions, table types and gold from files, folders and ZIP archives.

    An extraction belongs to the document that --map names, else to the one whose hash or name it
    tells, to the one of the same name beside it, or to the only document of its folder. A file that
    cannot be understood is named with the place and the reason; the rest goes on, and the exit
    status is 1. Ctrl+C ends the import: what was stored stays, and importing again goes on from there.

    Example: proofgrid import invoices/ --table-type line_items
    """
    from store.extractions import without_extraction
    from store.incoming import shown
    from store.ingest import ingest

    with opened(home, create=True, keep=not dry_run) as (db, place):
        with click.progressbar(length=1, label="Importing", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

            def progress(done: int, of: int) -> None:
                bar.length = max(of, 1)
                bar.update(done - bar.pos)

            result = ingest(
                db,
                place,
                paths,
                person=acting(db),
                project=project,
                format_name=format_name,
                table_type=table_type,
                mapping=mapping,
                dry_run=dry_run,
                progress=progress,
                passwords=passwords_of(password_file),
            )
        if as_json:
            files = [{**asdict(entry), "path": shown(entry.path)} for entry in result.entries]
            passed = [shown(path) for path in result.passed_over]
            told = {"files": files, "passed_over": passed, "summary": result.summary()}
            click.echo(json.dumps(told, ensure_ascii=False, indent=1))
        else:
            for entry in result.entries:
                click.echo(entry.line(), err=entry.outcome == "refused")
                for note in entry.notes:
                    click.echo(f"    note: {note}")
            if result.passed_over:
                click.echo(result.passed())
            tell_of_locked(result.refused)
            if any(entry.what == "document" for entry in result.stored) and not dry_run:
                with db.read() as reader:
                    waiting = len(without_extraction(reader, project=project))
                if waiting:
                    command = f"proofgrid extract --project {shlex.quote(project)}"
                    have = "document has" if waiting == 1 else "documents have"
                    click.echo(f"{waiting} {have} no extraction yet; {command} reads their tables here.")
            click.echo(result.summary())
    if result.refused or result.unread:
        sys.exit(EXIT_CHECK_FAILED)


@main.command()
@home_option
@json_option
def verify(home: Path | None, as_json: bool) -> None:
    """Re-hash every document and extraction, replay every edit log, and make every release from it again.

    Each difference is one line on stderr; the exit status is 1 where there is any.

    Example: proofgrid verify
    """
    from store.verification import verify as differences

    with opened(home) as (db, place), db.read() as reader:
        found = list(differences(reader, place))
    if as_json:
        click.echo(json.dumps({"differences": found}, ensure_ascii=False, indent=1))
    else:
        for difference in found:
            click.echo(difference, err=True)
        nothing = "Nothing differs: all hashes agree and all edit logs replay."
        click.echo(count(len(found), "difference") if found else nothing, err=bool(found))
    if found:
        sys.exit(EXIT_CHECK_FAILED)


main.add_command(score)
main.add_command(report)
main.add_command(score_pairs)
main.add_command(merge_scores)
main.add_command(extract)
main.add_command(selftest)
main.add_command(diagnose)
main.add_command(compare)
main.add_command(runs)
main.add_command(log_mlflow)
main.add_command(thresholds)
main.add_command(release)
main.add_command(leases)
main.add_command(assign)
main.add_command(progress)
main.add_command(blind)
main.add_command(guards)
main.add_command(second_pass)
main.add_command(agreement)
main.add_command(quality)
main.add_command(replay)
main.add_command(users)
main.add_command(audit)
main.add_command(keys)
main.add_command(backup)
main.add_command(restore)
main.add_command(webhooks)


@main.command()
@home_option
@click.option("--to", "to", type=click.Choice(EXPORT_NAMES), default="gold", show_default=True)
@click.option("--project", default=None, help="Only this project; by default all.")
@click.option("--open-too", is_flag=True, help="Export tables that nobody has accepted yet, too.")
@click.option("--release", "release_name", default=None, help="The tables of this release, as it holds them.")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder to write to."
)
def export(
    home: Path | None, to: str, project: str | None, open_too: bool, release_name: str | None, output: Path
) -> None:
    """Write gold to files: accepted tables only, unless told otherwise.

    With --release, also what the release is, and for each table its passport: where each cell is from.

    Example: proofgrid export --to csv --output gold/
    """
    from store.exporting import export as files

    if release_name is not None and open_too:
        raise click.UsageError("--open-too and --release: a release holds accepted tables only")
    with opened(home) as (db, place), db.read() as reader:
        expect_known(reader, project=project)
        output.mkdir(parents=True, exist_ok=True)
        written = 0
        made = files(
            db,
            place,
            reader,
            to=to,
            person=acting(db),
            project=project,
            accepted_only=not open_too,
            release=release_name,
        )
        for file in made:
            path = output / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.body)
            for note in file.notes:
                click.echo(f"{path}: {note}", err=True)
            written += 1
    click.echo(f"{count(written, 'file')} written to {output}")


@main.command()
@home_option
@click.option("--project", default=None, help="Only this project; by default all.")
@click.option(
    "--cutoff",
    type=click.IntRange(5, 3600),
    default=120,
    show_default=True,
    help="Seconds after an input that count as work.",
)
@json_option
def time(home: Path | None, project: str | None, cutoff: int, as_json: bool) -> None:
    """Report the measured correction time of accepted tables: by table type, phase, person, column and error.

    Example: proofgrid time --project invoices --cutoff 60
    """
    from review_app.time_report import TimeReport
    from store.kept_work import work
    from store.timing import adjustments, pause_answers

    with opened(home) as (db, _), db.read() as reader:
        expect_known(reader, project=project)
        measured = work(db, reader, project=project, cutoff_ms=cutoff * 1000)
        golds = {entry.gold for entry in measured}
        own = tuple(entry for entry in adjustments(reader) if project is None or entry.gold in golds)
        answers = tuple(said for key, said in pause_answers(reader) if key in golds)
        report = TimeReport(measured, cutoff * 1000, own, answers)
    if as_json:
        click.echo(json.dumps(report.to_json(), ensure_ascii=False, indent=1))
    else:
        click.echo("\n".join(report.lines()))
