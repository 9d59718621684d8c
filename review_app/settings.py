"""Settings: the environment as one frozen value."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass
from functools import cache

from review_app.logbook import keep_log
from store.db import Db
from store.home import Home, find_home


@dataclass(frozen=True)
class Settings:
    """What a process was started with."""

    home: Home
    person: str
    project: str | None


def settings() -> Settings:
    """PROOFGRID_HOME, PROOFGRID_PERSON and PROOFGRID_PROJECT, or their defaults."""
    return Settings(
        home=find_home(),
        person=os.environ.get("PROOFGRID_PERSON") or _login_name(),
        project=os.environ.get("PROOFGRID_PROJECT") or None,
    )


@cache
def database() -> Db:
    """The database of this process, opened once."""
    home = settings().home
    keep_log(home.log)
    return Db(home.database)


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "reviewer"
