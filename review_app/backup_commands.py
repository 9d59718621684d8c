"""The commands that back up a home or a project, and begin a home from a backup."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from review_app.exits import EXIT_CHECK_FAILED, told
from review_app.opening import acting, home_option, opened
from review_app.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

a_file = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=a_file)
@home_option
@click.option("--project", default=None, help="Only this project, to go on with it elsewhere; by default all there is.")
def backup(file: Path, home: Path | None, project: str | None) -> None:
    """Write all data of the home, or of a project, into FILE; the app may run and people may work (docs/backup.md).

    A FILE that is there already is replaced, and that is said.

    Example: proofgrid backup proofgrid-2026-12-01.zip
    """
    from store.backup import back_up

    with opened(home) as (db, place), _progress("Documents") as progress:
        made = back_up(db, place, file, person=acting(db), project=project, told=progress)
    size = f"{made.bytes / 1_000_000:,.1f} MB"
    click.echo(
        f"{file}: {count(made.documents, 'document')}, {size}, as of {made.made_at[:19]} UTC"
        + ("; it takes the place of the file that was there" if made.replaced else "")
    )
    if made.missing:
        names = ", ".join(made.missing[:10]) + (f" and {len(made.missing) - 10} more" if len(made.missing) > 10 else "")
        click.echo(f"The files of {count(len(made.missing), 'document')} were not there: {names}", err=True)
        sys.exit(EXIT_CHECK_FAILED)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@home_option
def restore(file: Path, home: Path | None) -> None:
    """Begin a home with what the backup FILE holds, and verify it. The home must not hold data yet.

    Example: proofgrid restore proofgrid-2026-12-01.zip --home elsewhere/
    """
    from store.backup import restore as begin
    from store.home import find_home
    from store.verification import verify

    place = find_home(home)
    with told(), _progress("Files") as progress:
        made = begin(file, place, told=progress)
    with opened(place.folder) as (db, _), db.read() as reader:
        wrong = list(verify(reader, place))
    click.echo(f"{place.folder}: {count(made.documents, 'document file')}, as of {made.made_at[:19]} UTC")
    click.echo("\n".join(wrong) if wrong else "All that was received hashes as it did, and every edit log replays.")
    if wrong:
        sys.exit(EXIT_CHECK_FAILED)


@contextmanager
def _progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Shows progress on a terminal."""
    with click.progressbar(length=1, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def told(done: int, of: int) -> None:
            bar.length = of
            bar.update(done - bar.pos)

        yield told
