"""The command that puts the corrections of people onto what a newer run extracted."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from review_app.exits import EXIT_CHECK_FAILED
from review_app.opening import chosen_project, expect_known, home_option, json_option, opened
from review_app.whole_file import replacing
from review_app.wording import count

if TYPE_CHECKING:
    from store.replay import Correction, Replayed


@click.command()
@click.argument("run", type=int)
@home_option
@click.option("--project", default=None, help="The project; it may be left out where there is one.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write the corrected tables to, as gold/1.",
)
@click.option("--fail-on-conflict", is_flag=True, help="Exit with status 1 where a correction does not fit.")
@json_option
def replay(
    run: int, home: Path | None, project: str | None, output: Path | None, fail_on_conflict: bool, as_json: bool
) -> None:
    """Put the corrections of people onto what RUN extracted, and list those that do not fit.

    RUN is the number of a run, as "proofgrid runs" lists them. A corrected text is put in where the run has what the
    first extraction had; it agrees where the run has the correction already; the rest are conflicts. Nothing in the
    store is changed.

    Example: proofgrid replay 4 -o corrected/
    """
    from store.replay import replays

    with opened(home) as (db, _), db.read() as reader:
        project = chosen_project(reader, project)
        expect_known(reader, project=project, run=run)
        found = list(replays(db, reader, run=run, project=project))
        if output:
            _write(output, found)
    if as_json:
        click.echo(json.dumps({"run": run, "tables": [each.to_json() for each in found]}, ensure_ascii=False, indent=1))
    else:
        for each in found:
            counts = each.counts
            click.echo(
                f"{each.document.name}: {each.gold.name}: {counts['applied']:,} applied, {counts['agrees']:,} agree, "
                f"{count(counts['conflict'], 'conflict')}"
            )
            for conflict in each.conflicts:
                click.echo(f"    {_told(conflict)}")
        if not found:
            click.echo(f"No table that people corrected began from another extraction than that of run {run}.")
    if fail_on_conflict and any(each.conflicts for each in found):
        sys.exit(EXIT_CHECK_FAILED)


def _told(found: Correction) -> str:
    from scoring.shown import brief

    at = [f"{name} {place + 1}" for name, place in (("row", found.row), ("column", found.col)) if place is not None]
    values = ((found.first, "first"), (found.corrected, "corrected"), (found.newer, "newer"))
    held = ", ".join(f"{name} {'nothing' if text is None else brief(text)}" for text, name in values)
    return f"{', '.join(at)}: {found.reason}: {held}"


def _write(folder: Path, found: Iterable[Replayed]) -> None:
    from store.formats.proofgrid_json import write_gold

    by_document: dict[str, list[Replayed]] = {}
    for each in found:
        if each.table is not None:
            by_document.setdefault(each.document.export_stem, []).append(each)
    folder.mkdir(parents=True, exist_ok=True)
    for stem, tables in by_document.items():
        named = [(each.gold.name, each.gold.table_type, each.table) for each in tables if each.table is not None]
        with replacing(folder / f"{stem}.gold.json") as file:
            file.write(write_gold(named, how="corrections replayed onto a newer extraction"))
