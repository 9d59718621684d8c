from __future__ import annotations

import logging
from pathlib import Path

import pytest

from review_app.logbook import keep_log


def test_a_fault_stands_in_the_log_of_the_home_with_its_traceback_and_nowhere_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    keep_log(tmp_path / "one.log")
    keep_log(tmp_path / "two.log")
    logging.getLogger("store.formats").error("a fault", exc_info=IndexError("out of range"))
    keep_log(tmp_path / "missing" / "three.log")
    logging.getLogger("store.formats").error("a fault that cannot be written down")
    assert "a fault\nIndexError: out of range" in (tmp_path / "two.log").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["two.log"]
    assert capfd.readouterr() == ("", "")
