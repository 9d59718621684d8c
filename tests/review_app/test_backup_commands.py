from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from review_app.cli import main

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "invoice-laboratory"


def run(*words: str, status: int = 0) -> str:
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == status, done.output
    return done.output


def test_a_home_is_backed_up_and_begun_elsewhere(tmp_path: Path) -> None:
    here, there, file = str(tmp_path / "here"), str(tmp_path / "there"), str(tmp_path / "all.zip")
    run("import", str(SAMPLE), "--home", here)
    told = run("backup", file, "--home", here)
    assert "1 document, " in told
    assert "takes the place" not in told
    assert "takes the place of the file that was there" in run("backup", file, "--home", here)
    told = run("restore", file, "--home", there)
    assert "every edit log replays" in told
    assert "holds data already" in run("restore", file, "--home", there, status=2)


def test_a_file_that_is_no_backup_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes.zip").write_text("nothing")
    told = run("restore", str(tmp_path / "notes.zip"), "--home", str(tmp_path / "there"), status=2)
    assert "notes.zip: cannot be restored" in told
    assert "Traceback" not in told
