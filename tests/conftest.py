from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.db import Db
from store.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def db(home: Home) -> Iterator[Db]:
    database = Db(home.database)
    yield database
    database.close()
