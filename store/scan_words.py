"""The words of pages without a text layer, read by OCR in the background, one page at a time, and kept in the cache."""

from __future__ import annotations

import atexit
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from store.extractors.page_worker import Limits, PageFailed, PageWorker
from store.home import Home
from store.page_tables import tesseract
from store.page_tables.page_kind import needs_ocr
from store.page_tables.reading import looked_at
from store.pages import page_words, write_whole

LIMITS = Limits(seconds=90, memory_mb=4096)
# Goes up when other words may be read of the same picture.
_SHAPE = 1


@dataclass(frozen=True)
class PageWords:
    """The words of a page as JSON, and whether they will stay what they are; where not, it is to be asked again."""

    body: bytes
    final: bool


class ScanWords:
    """Reads the pages that were asked for in their order, each once, however often it is asked for."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._worker = PageWorker("store.page_tables.reading", "words_of_picture", limits)
        # What became of each page: None while it waits or is read, else why it was not, "" where it was.
        self._asked: dict[Path, str | None] = {}
        self._waiting: SimpleQueue[tuple[Path, int, Path]] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def words(self, home: Home, sha256: str, page: int) -> PageWords:
        """The words of the text layer; where that is of no use, those that OCR read, as soon as it has.

        ``{"words": [...]}``, with ``read_by`` where OCR read them, ``reading`` true while it does, and ``note`` where
        nobody can. Returns at once. Raises DocumentError where the page is not there.
        """
        kept = home.cache / sha256 / f"{page}.ocr{_SHAPE}.json"
        if kept.exists():
            return PageWords(kept.read_bytes(), final=True)
        layer = page_words(home, sha256, page)
        file = home.readable_file(sha256)
        if not needs_ocr(looked_at(file, page)[1]):
            return PageWords(layer, final=True)
        if missing := tesseract.missing():
            return _told({"words": [], "note": f"This page has no words to take: it is a picture, and {missing}."})
        with self._lock:
            # The cache may be emptied at any time: then it is read again.
            if kept not in self._asked or (self._asked[kept] == "" and not kept.exists()):
                self._asked[kept] = None
                self._waiting.put((file, page, kept))
            if self._thread is None:
                # A daemon: who ends the program does not wait for the page that is being read.
                self._thread = threading.Thread(target=self._read_all, daemon=True, name="scan-words")
                self._thread.start()
            reason = self._asked[kept]
        if reason is None:
            return _told({"words": [], "reading": True})
        if reason:
            return _told(
                {"words": [], "note": f"This page has no words to take: its picture could not be read ({reason})."}
            )
        return PageWords(kept.read_bytes(), final=True)

    def _read_all(self) -> None:
        while True:
            file, page, kept = self._waiting.get()
            try:
                self._asked[kept] = self._read(file, page, kept)
            except OSError as wrong:
                self._asked[kept] = f"its words could not be kept: {wrong.strerror}"

    def _read(self, file: Path, page: int, kept: Path) -> str:
        (read,) = self._worker.read(file, [page], {"seconds_per_page": self._limits.seconds})
        if isinstance(read, PageFailed):
            return read.reason
        write_whole(kept, json.dumps(read, ensure_ascii=False, separators=(",", ":")).encode())
        return ""

    def close(self) -> None:
        """End the process that reads."""
        self._worker.close()


def _told(entry: Mapping[str, object]) -> PageWords:
    return PageWords(json.dumps(entry, ensure_ascii=False).encode(), final=False)


_SCANS = ScanWords()
atexit.register(_SCANS.close)


def scan_words(home: Home, sha256: str, page: int) -> PageWords:
    """What the one reader of this process has of a page; see ``ScanWords.words``."""
    return _SCANS.words(home, sha256, page)
