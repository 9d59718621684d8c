from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from store.extractors.page_worker import Limits
from store.home import Home
from store.page_tables import tesseract
from store.pages import DocumentError
from store.scan_words import ScanWords

SAMPLES = Path(__file__).parents[2] / "sample_docs"
needs_tesseract = pytest.mark.skipif(bool(tesseract.missing(["eng"])), reason=tesseract.missing(["eng"]))


@pytest.fixture
def scans() -> Iterator[ScanWords]:
    reader = ScanWords()
    yield reader
    reader.close()


def stored(home: Home, folder: str) -> str:
    file = next((SAMPLES / folder).glob("*.pdf"))
    digest = sha256(file.read_bytes()).hexdigest()
    home.document_file(digest).parent.mkdir(parents=True)
    shutil.copy(file, home.document_file(digest))
    return digest


def settled(scans: ScanWords, home: Home, digest: str) -> Any:
    for _ in range(600):
        found = scans.words(home, digest, 1)
        value = json.loads(found.body)
        if not value.get("reading"):
            return value
        assert not found.final
        time.sleep(0.1)
    raise AssertionError("still reading after a minute")


@needs_tesseract
def test_the_words_of_a_scan_come_when_they_are_read_and_are_kept(home: Home, scans: ScanWords) -> None:
    digest = stored(home, "water-analysis-scan")
    assert json.loads(scans.words(home, digest, 1).body) == {"words": [], "reading": True}
    value = settled(scans, home, digest)
    places = {word[0]: word[1:] for word in value["words"]}
    assert value["read_by"].startswith("tesseract")
    assert 0 < places["Conductivity"][0] < places["Conductivity"][2] < 0.4
    again = ScanWords().words(home, digest, 1)
    assert again.final
    assert json.loads(again.body) == value


@needs_tesseract
def test_words_are_read_again_where_the_cache_was_emptied(home: Home, scans: ScanWords) -> None:
    digest = stored(home, "water-analysis-scan")
    first = settled(scans, home, digest)
    shutil.rmtree(home.cache)
    assert settled(scans, home, digest) == first


def test_the_words_of_a_text_layer_are_there_at_once(home: Home, scans: ScanWords) -> None:
    found = scans.words(home, stored(home, "invoice-printer"), 1)
    assert found.final
    assert len(json.loads(found.body)["words"]) > 20


def test_without_tesseract_it_is_told_what_to_install(
    home: Home, scans: ScanWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tesseract, "version", lambda: "")
    found = scans.words(home, stored(home, "water-analysis-scan"), 1)
    assert not found.final
    assert "apt-get install tesseract-ocr" in json.loads(found.body)["note"]


@needs_tesseract
def test_a_picture_that_takes_too_long_is_tried_once_and_says_why(home: Home) -> None:
    hasty = ScanWords(Limits(seconds=0.05))
    digest = stored(home, "water-analysis-scan")
    first = settled(hasty, home, digest)
    assert first["note"] == "This page has no words to take: its picture could not be read (took longer than 0.05 s)."
    assert json.loads(hasty.words(home, digest, 1).body) == first
    hasty.close()


def test_a_page_that_is_not_there_is_refused(home: Home, scans: ScanWords) -> None:
    with pytest.raises(DocumentError, match="page 9 of a document of 1 pages"):
        scans.words(home, stored(home, "water-analysis-scan"), 9)
