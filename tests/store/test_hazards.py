"""PDFs that break programs: each opens, or is refused with a reason, in bounded time and memory."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from store.db import Db
from store.documents import documents
from store.extractors.page_worker import Limits, PageWorker
from store.home import Home
from store.ingested import Ingested
from store.pages import page_image, page_words
from store.verification import verify

SMALL = Path(__file__).parent / "hazards"
PASSWORDS = {"encrypted_user_pw_aes256_secret.pdf": "secret", "found_pdfplumber_password-example.pdf": "test"}
REFUSED = {
    "not_a_pdf_html.pdf": "begins with b'<html><body>', expected a PDF, PNG or JPEG file",
    "not_a_pdf_png.pdf": "is a damaged or cut off image; get the file again",
    "truncated_half.pdf": "is a PDF that is cut off (its end is missing); get the file again",
    "zero_bytes.pdf": "the file is empty (0 bytes)",
    "zero_pages.pdf": "is a PDF without pages",
}
NEEDS_PASSWORD = "is encrypted and needs a password; give its password, or save a copy without one"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Any]]:
    """What becomes of a file when it is opened in a process that may take 10 s and 1 GB for it."""
    worker = PageWorker("tests.store.hazard_page", "shown", Limits(seconds=10, memory_mb=1024))

    def opened(file: Path, **parameters: Any) -> Any:
        (found,) = worker.read(file, [1], {"scratch": str(tmp_path_factory.mktemp("copies")), **parameters})
        return found

    yield opened
    worker.close()


@pytest.fixture
def hazards(corpus_file: Callable[[str], Path]) -> list[Path]:
    return sorted(corpus_file("corpora/hazards").glob("*.pdf"))


def expect_opened(found: Any) -> None:
    assert isinstance(found, dict), found
    assert "refused" not in found, found["refused"]
    assert found["pages"] > 0
    assert min(found["drawn"]) > 0
    assert found["outside"] == []


@pytest.mark.corpus
def test_each_hazard_opens_or_is_refused_with_a_reason_in_10_s_and_1_gb(
    hazards: list[Path], shown: Callable[..., Any]
) -> None:
    assert len(hazards) == 67
    for file in hazards:
        found = shown(file)
        if reason := REFUSED.get(file.name) or (NEEDS_PASSWORD if file.name in PASSWORDS else ""):
            assert found == {"refused": reason}, file.name
        else:
            expect_opened(found)


@pytest.mark.corpus
def test_encrypted_hazards_open_with_their_password(hazards: list[Path], shown: Callable[..., Any]) -> None:
    for file in hazards:
        if file.name in PASSWORDS:
            expect_opened(shown(file, passwords=["wrong", PASSWORDS[file.name]]))


@pytest.mark.corpus
def test_hazards_come_in_as_one_batch_and_none_stops_it(
    run: Callable[..., Ingested], db: Db, home: Home, hazards: list[Path]
) -> None:
    done = run(hazards[0].parent)
    refused = {entry.path.name: entry.message for entry in done.refused}
    misnamed = REFUSED["not_a_pdf_png.pdf"] + " (its name ends in .pdf, but its bytes are those of a PNG file)"
    with_names = {**REFUSED, "not_a_pdf_png.pdf": misnamed}
    assert refused == {**with_names, **dict.fromkeys(PASSWORDS, NEEDS_PASSWORD)}
    assert len(done.stored) == 60
    done = run(hazards[0].parent, passwords=lambda path: [PASSWORDS[path.name]])
    assert {entry.path.name for entry in done.stored} == set(PASSWORDS)
    with db.read() as reader:
        assert list(verify(reader, home)) == []


@pytest.mark.parametrize("file", sorted(SMALL.glob("*.pdf")), ids=lambda file: file.stem)
def test_the_smallest_of_each_kind_opens_or_is_refused(file: Path, shown: Callable[..., Any]) -> None:
    found = shown(file)
    if reason := REFUSED.get(file.name) or (NEEDS_PASSWORD if file.name in PASSWORDS else ""):
        assert found == {"refused": reason}
    else:
        expect_opened(found)


# --- passwords -----------------------------------------------------------------------------------------------------

LOCKED = SMALL / "encrypted_user_pw_aes256_secret.pdf"


def test_a_document_with_its_password_is_read_by_a_copy_and_kept_as_it_came(
    run: Callable[..., Ingested], db: Db, home: Home
) -> None:
    run(LOCKED, passwords=lambda _: ["wrong", "secret"])
    with db.read() as reader:
        (document,) = documents(reader)
        assert list(verify(reader, home)) == []
    assert home.document_file(document.sha256).read_bytes() == LOCKED.read_bytes()
    assert page_image(home, document.sha256, 1, 72)
    texts = [word[0] for word in json.loads(page_words(home, document.sha256, 1))["words"]]
    assert texts[:4] == ["Page", "1", "Col", "1"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], "is encrypted and needs a password; give"),
        (["guess"], "needs a password, and the one that was given does not open it; give"),
        (["guess", "other"], "needs a password, and none of the 2 that were given opens it; give"),
    ],
)
def test_a_document_without_its_password_is_refused_and_says_so(
    run: Callable[..., Ingested], given: list[str], told: str
) -> None:
    (entry,) = run(LOCKED, passwords=lambda _: given).entries
    assert (entry.outcome, entry.locked) == ("refused", True)
    assert told in entry.message
    assert not any(word in entry.message for word in given)


def test_a_broken_document_after_an_encrypted_one_is_not_taken_for_encrypted(run: Callable[..., Ingested]) -> None:
    run(LOCKED)
    (entry,) = run(SMALL / "zero_pages.pdf").entries
    assert (entry.message, entry.locked) == ("is a PDF without pages", False)


def test_passwords_are_asked_for_only_where_one_is_needed(run: Callable[..., Ingested]) -> None:
    asked: list[str] = []

    def passwords(path: Path) -> Iterator[str]:
        asked.append(path.name)
        yield "secret"

    run(SMALL, passwords=passwords)
    assert asked == [LOCKED.name]


def test_a_document_that_came_with_its_password_is_known_without_it(run: Callable[..., Ingested]) -> None:
    run(LOCKED, passwords=lambda _: ["secret"])
    (entry,) = run(LOCKED).entries
    assert (entry.outcome, entry.message) == ("known", "1 page")


def test_a_copy_that_was_lost_is_told_and_made_again(run: Callable[..., Ingested], db: Db, home: Home) -> None:
    run(LOCKED, passwords=lambda _: ["secret"])
    (copy,) = (file for file in (home.folder / "unlocked").rglob("*") if file.is_file())
    copy.unlink()
    with db.read() as reader:
        (problem,) = verify(reader, home)
    assert problem.endswith(f"its copy without encryption {copy} is missing; import it again")
    assert run(LOCKED).refused[0].locked
    run(LOCKED, passwords=lambda _: ["secret"])
    with db.read() as reader:
        assert list(verify(reader, home)) == []


def test_a_password_is_kept_nowhere(
    run: Callable[..., Ingested], db: Db, home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    before = LOCKED.read_bytes().count(b"secret")
    run(LOCKED, passwords=lambda _: ["wr0ng-w0rd", "secret"])
    kept = b"".join(file.read_bytes() for file in sorted(home.folder.rglob("*")) if file.is_file())
    # The file's name, which the database keeps, has the word in it, too.
    assert kept.replace(LOCKED.name.encode(), b"").count(b"secret") == before == 0
    assert b"wr0ng-w0rd" not in kept
    assert "wr0ng-w0rd" not in caplog.text
