from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from review_app.cli import main


def run(home: Path, *words: str, status: int = 0) -> str:
    done = CliRunner().invoke(main, ["keys", *words, "--home", str(home)])
    assert done.exit_code == status, done.output
    return done.output


def test_a_key_is_shown_once_listed_without_its_text_and_ended(tmp_path: Path) -> None:
    made = json.loads(run(tmp_path, "make", "--person", "ann", "--note", "nightly", "--json"))
    assert made["key"].startswith("proofgrid_")
    told = run(tmp_path, "list")
    assert "key 1 of ann, made" in told
    assert ": nightly" in told
    assert made["key"] not in told
    assert "revoked" in run(tmp_path, "revoke", "1")
    assert json.loads(run(tmp_path, "list", "--json"))["keys"][0]["revoked_at"]


def test_what_cannot_be_a_key_is_told(tmp_path: Path) -> None:
    assert "expected 1 to 3660" in run(tmp_path, "make", "--days", "0", status=2)
    assert "there is no key 7" in run(tmp_path, "revoke", "7", status=2)
