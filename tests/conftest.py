from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.db import Db
from store.home import Home

# A run that was started in the background ignores Ctrl+C, and so would the programs that the tests press it in.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def db(home: Home) -> Iterator[Db]:
    database = Db(home.database)
    yield database
    database.close()
