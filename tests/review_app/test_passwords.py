"""Passwords of encrypted PDFs on the command line, as a person and a script give them."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

HAZARDS = Path(__file__).parents[1] / "store" / "hazards"
LOCKED = HAZARDS / "encrypted_user_pw_aes256_secret.pdf"
COMMAND = Path(sys.executable).with_name("proofgrid")


def proofgrid(home: Path, *words: object) -> subprocess.CompletedProcess[str]:
    command = [str(COMMAND), *map(str, words)]
    environment = {**os.environ, "PROOFGRID_HOME": str(home)}
    return subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, env=environment
    )


def test_a_script_gives_passwords_in_a_file(tmp_path: Path) -> None:
    refused = proofgrid(tmp_path / "home", "import", LOCKED)
    assert refused.returncode == 1
    assert "is encrypted and needs a password; give its password" in refused.stderr
    assert "--password-file FILE" in refused.stdout
    passwords = tmp_path / "passwords.txt"
    passwords.write_text("some other word\nsecret\n", encoding="utf-8")
    done = proofgrid(tmp_path / "home", "import", LOCKED, "--password-file", passwords)
    assert done.returncode == 0
    assert f"new     {LOCKED}: PDF, 1 page" in done.stdout
    assert "1 document has no extraction yet; proofgrid extract --project default reads" in done.stdout
    assert "other word" not in done.stdout + done.stderr


def test_a_batch_of_hazards_goes_on_and_names_each_refused_file(tmp_path: Path) -> None:
    done = proofgrid(tmp_path / "home", "import", HAZARDS)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    named = re.findall(r"^refused .*/(\w+)\.pdf: (?:\w+, )?(.+)$", done.stderr, re.MULTILINE)
    assert dict(named) == {
        "encrypted_user_pw_aes256_secret": "is encrypted and needs a password; "
        "give its password, or save a copy without one",
        "not_a_pdf_html": "begins with b'<html><body>', expected a PDF, PNG or JPEG file",
        "not_a_pdf_png": "is a damaged or cut off image; get the file again "
        "(its name ends in .pdf, but its bytes are those of a PNG file)",
        "truncated_half": "is a PDF that is cut off (its end is missing); get the file again",
        "zero_bytes": "the file is empty (0 bytes)",
        "zero_pages": "is a PDF without pages",
    }
    assert "New: 21 documents; refused: 6." in done.stdout


@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        (["guess", "secret"], 0, "New: 1 document."),
        ([""], 1, "needs a password; give its password"),
        (["a", "b", "c"], 1, "none of the 3 that were given opens it"),
    ],
)
def test_a_person_at_a_terminal_is_asked_and_may_mistype(
    tmp_path: Path, typed: list[str], status: int, said: str
) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [str(COMMAND), "import", str(LOCKED)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env={**os.environ, "PROOFGRID_HOME": str(tmp_path / "home"), "COLUMNS": "200"},
    )
    os.close(theirs)
    shown = b""

    def until(mark: bytes, count: int) -> None:
        nonlocal shown
        ends = time.monotonic() + 60
        while shown.count(mark) < count:
            assert time.monotonic() < ends, shown
            shown += os.read(ours, 4096)

    for number, word in enumerate(typed, start=1):
        until(b"leaves it out): ", number)
        os.write(ours, word.encode() + b"\n")
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:
        pass  # Linux tells the end of a terminal so
    assert process.wait(60) == status
    text = shown.decode()
    assert said in text
    assert f"Password of {LOCKED.name}" in text
    assert not any(word and f": {word}" in text for word in typed)
