"""The commands on gold releases: making, listing, showing, comparing and scanning them."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from review_app.exits import EXIT_CHECK_FAILED
from review_app.opening import acting, chosen_project, expect_known, home_option, json_option, opened
from review_app.wording import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.releases import Release, ReleasedTable

of_one = click.option("--project", default=None, help="The project; it may be left out where the name tells it.")


@click.group()
def release() -> None:
    """Releases of gold: named, frozen sets of accepted tables (docs/releases.md).

    Example: proofgrid release make 2026-12
    """


@release.command()
@click.argument("name")
@home_option
@click.option("--project", default=None, help="The project; it may be left out where there is one.")
@click.option("--note", default="", help="What the release is for, in your words.")
@json_option
def make(name: str, home: Path | None, project: str | None, note: str, as_json: bool) -> None:
    """Freeze all accepted tables of a project under NAME, as they stand now.

    Example: proofgrid release make 2026-12 --note "first hundred invoices"
    """
    from store.releases import make_release, released_tables

    with opened(home) as (db, _):
        with db.read() as reader:
            project = chosen_project(reader, project)
        made = make_release(db, project=project, name=name, note=note, person=acting(db))
        with db.read() as reader:
            tables = released_tables(reader, made.id)
    if as_json:
        click.echo(_json({**asdict(made), **_counted(tables)}))
    else:
        click.echo(_line(made, tables))


@release.command(name="list")
@home_option
@click.option("--project", default=None, help="Only this project; by default all.")
@json_option
def list_(home: Path | None, project: str | None, as_json: bool) -> None:
    """List the releases, oldest first.

    Example: proofgrid release list
    """
    from store.releases import released_tables, releases

    with opened(home) as (db, _), db.read() as reader:
        expect_known(reader, project=project)
        found = [(each, released_tables(reader, each.id)) for each in releases(reader, project=project)]
    if as_json:
        click.echo(_json({"releases": [{**asdict(made), **_counted(tables)} for made, tables in found]}))
        return
    for made, tables in found:
        click.echo(_line(made, tables))
    if not found:
        click.echo("There is no release yet; proofgrid release make NAME makes one of all accepted tables.")


@release.command()
@click.argument("name")
@home_option
@of_one
@click.option("--passport", is_flag=True, help="Tell of its cells, too, where they are from and who saw them.")
@json_option
def show(name: str, home: Path | None, project: str | None, passport: bool, as_json: bool) -> None:
    """Show the tables of a release, each with its revision and who accepted it.

    With --passport and --json each cell is told: what the extraction gave there, the edit that changed it, by whom it
    was confirmed, or that nobody had it before them.

    Example: proofgrid release show 2026-12 --passport
    """
    from store.passports import passport as passport_of
    from store.releases import release as release_of
    from store.releases import released_tables

    with opened(home) as (db, _), db.read() as reader:
        expect_known(reader, project=project)
        made = release_of(reader, name, project=project)
        tables = released_tables(reader, made.id)
        found = {table.gold: passport_of(reader, made, table) for table in tables} if passport else {}
    if as_json:
        members = [found[table.gold].to_json() if passport else table.to_json() for table in tables]
        click.echo(_json({**asdict(made), **_counted(tables), "members": members}))
        return
    click.echo(_line(made, tables))
    for table in tables:
        rules = f"type {table.table_type} {table.type_signature}" if table.type_signature else "no table type"
        words = f", guidelines {table.guidelines[:12]}" if table.guidelines else ""
        click.echo(
            f"  {table.document_name}: {table.name}, revision {table.revision}, {rules}{words}, "
            f"accepted by {table.accepted_by} on {table.accepted_at[:10]}, sha256 {table.sha256[:12]}"
        )
        if passport:
            click.echo("    " + ", ".join(f"{what} {number:,}" for what, number in found[table.gold].counts.items()))


@release.command()
@click.argument("old")
@click.argument("new")
@home_option
@of_one
@json_option
def diff(old: str, new: str, home: Path | None, project: str | None, as_json: bool) -> None:
    """Tell what differs from release OLD to release NEW: tables, cells, and what moved the score of each run.

    Each run is scored on the tables that both releases hold, under old and new gold: what gold moved. From run to run
    under new gold: what the extractor moved.

    Example: proofgrid release diff 2026-11 2026-12
    """
    from review_app import release_report
    from store.release_diff import diff as difference
    from store.releases import release as release_of

    with opened(home) as (db, _), db.read() as reader:
        expect_known(reader, project=project)
        found = difference(db, reader, *(release_of(reader, name, project=project) for name in (old, new)))
    if as_json:
        click.echo(_json(found.to_json()))
    else:
        click.echo("\n".join(release_report.lines(found)))


@release.command()
@click.argument("name")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@home_option
@of_one
@click.option("--against", multiple=True, metavar="RELEASE", help="Another release; may be given several times.")
@click.option("--against-project", multiple=True, metavar="PROJECT", help="All documents of another project.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.8,
    show_default=True,
    help="Share of texts in common from which on two are told.",
)
@click.option("--fail-on-found", is_flag=True, help="Exit with status 1 where any pair is found.")
@json_option
def scan(
    name: str,
    paths: tuple[Path, ...],
    home: Path | None,
    project: str | None,
    against: tuple[str, ...],
    against_project: tuple[str, ...],
    threshold: float,
    fail_on_found: bool,
    as_json: bool,
) -> None:
    """Look for documents that stand twice in release NAME, or in it and elsewhere: leakage from test to training.

    Elsewhere are other releases, other projects, and files in PATHS. Two documents are the same by their bytes, or
    nearly by the texts of their tables: texts in common, divided by the texts of either (headers left out).

    Example: proofgrid release scan test-1 training/ --against train-1 --fail-on-found
    """
    from review_app import release_report
    from store import duplicate_scan
    from store.releases import release as release_of

    with opened(home) as (db, _), db.read() as reader:
        expect_known(reader, project=project)
        for each in against_project:
            expect_known(reader, project=each)
        made = release_of(reader, name, project=project)
        others = [one for each in against for one in duplicate_scan.of_release(reader, release_of(reader, each))]
        others += [one for each in against_project for one in duplicate_scan.of_project(reader, each)]
        others += duplicate_scan.of_files(paths)
        found = duplicate_scan.scan(duplicate_scan.of_release(reader, made), others, least_share=threshold)
    if as_json:
        click.echo(_json(found.to_json()))
    else:
        click.echo("\n".join(release_report.scanned(found)))
    if fail_on_found and (found.within or found.across):
        sys.exit(EXIT_CHECK_FAILED)


def _line(made: Release, tables: Sequence[ReleasedTable]) -> str:
    held = _counted(tables)
    note = f" ({made.note})" if made.note else ""
    return (
        f"{made.project}, {made.name}{note}: {count(held['tables'], 'table')} of "
        f"{count(held['documents'], 'document')}, made by {made.person} on {made.made_at[:10]}, "
        f"signature {made.signature[:12]}"
    )


def _counted(tables: Sequence[ReleasedTable]) -> dict[str, int]:
    return {"tables": len(tables), "documents": len({table.document for table in tables})}


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
