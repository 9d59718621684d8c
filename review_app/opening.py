"""What the commands on a store have in common: the home option, the open database, projects and runs by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from review_app.exits import refuse, told

if TYPE_CHECKING:
    from sqlite_utils import Database

    from store.db import Db
    from store.home import Home

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")


def home_option(command: Any) -> Any:
    """The option that every command has."""
    return click.option(
        "--home",
        type=click.Path(file_okay=False, path_type=Path),
        help="Folder of database and caches [PROOFGRID_HOME].",
    )(command)


@contextmanager
def opened(home: Path | None, *, create: bool = False, keep: bool = True) -> Iterator[tuple[Db, Home]]:
    """The database of a home folder, for as long as the block lasts; without ``create`` it must be there.

    Where it is not there, and the block is not to ``keep`` what it does, it is one that is gone afterwards.
    """
    from review_app.logbook import keep_log
    from store.db import Db
    from store.home import Home, find_home

    place = find_home(home)
    if not create and not place.database.exists():
        refuse(f"there is no Proofgrid data in {place.folder}; import something first")
    with ExitStack() as ended, told():
        if not keep and not place.database.exists():
            place = Home(Path(ended.enter_context(TemporaryDirectory())))
        db = Db(place.database)
        keep_log(place.log)
        try:
            yield db, place
        finally:
            db.close()


def acting(db: Db) -> str:
    """Who acts at this terminal: the name that the environment gives, marked as such in a team."""
    from review_app.settings import settings
    from store.rights import terminal

    with db.read() as reader:
        return terminal(reader, settings().person)


def expect_known(reader: Database, *, project: str | None, run: int | None = None) -> None:
    """Raise StoreError for a project or a run that the store does not hold, naming those that it holds."""
    from store.db import StoreError
    from store.documents import projects
    from store.extractions import runs

    known = projects(reader)
    if project is not None and project not in known:
        raise StoreError(f"project {project!r} holds no document; expected one of: {', '.join(known) or 'none yet'}")
    numbered = dict(each for name in ([project] if project else known) for each in runs(reader, project=name))
    if run is not None and run not in numbered:
        names = ", ".join(f"{number} ({name})" for number, name in numbered.items())
        raise StoreError(f"there is no run {run}; expected one of: {names or 'none yet'}")


def chosen_project(reader: Database, project: str | None) -> str:
    """The project that is named, else the only one; raises StoreError for one that is not there, or not named."""
    from store.db import StoreError
    from store.documents import projects

    expect_known(reader, project=project)
    known = projects(reader)
    if project is None and len(known) != 1:
        raise StoreError(f"--project is needed, one of: {', '.join(known) or 'none yet'}")
    return project or known[0]
