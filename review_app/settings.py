"""Settings: the environment as one frozen value."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass
from functools import cache

from review_app.logbook import keep_log
from store.db import Db
from store.home import Home, find_home

# Set by `proofgrid serve` where sign-in is configured, for the server that it starts.
PUBLIC_ADDRESS = "PROOFGRID_PUBLIC_ADDRESS"


@dataclass(frozen=True)
class Settings:
    """What a process was started with."""

    home: Home
    person: str
    project: str | None
    public_address: str | None = None

    @property
    def signs_in(self) -> bool:
        """Whether people sign in; else whoever opens the app is the person above."""
        return self.public_address is not None


def settings() -> Settings:
    """PROOFGRID_HOME, PROOFGRID_PERSON, PROOFGRID_PROJECT and PROOFGRID_PUBLIC_ADDRESS, or their defaults."""
    return Settings(
        home=find_home(),
        person=os.environ.get("PROOFGRID_PERSON") or _login_name(),
        project=os.environ.get("PROOFGRID_PROJECT") or None,
        public_address=os.environ.get(PUBLIC_ADDRESS) or None,
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
