from __future__ import annotations

from collections.abc import Iterator
from importlib import util
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException

from review_app import settings
from review_app.views import extract_now
from store.attempts import completions
from store.documents import Document, documents
from store.extracting import Runs
from store.extractions import without_extraction
from store.extractors import page_by_page
from store.extractors.fixtures import pdf
from store.ingest import ingest

pytestmark = pytest.mark.skipif(util.find_spec("img2table") is None, reason="img2table is not installed")


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """A screen without a browser: what it shows, and a bar at which Streamlit ends the run after ``patience`` calls."""
    monkeypatch.setenv("PROOFGRID_HOME", str(tmp_path / "home"))
    settings.database.cache_clear()
    held = SimpleNamespace(session_state={"screens": {"queue": None}}, patience=1000, shown=[], bar=[])

    def progress(_: float, text: str) -> None:
        held.patience -= 1
        held.bar.append(text)
        if held.patience < 0:
            raise RerunException(RerunData())

    for kind in ("success", "warning", "html"):
        setattr(held, kind, lambda text, kind=kind, **_: held.shown.append((kind, text)))
    held.page_link = lambda *_, **__: None
    held.progress = lambda *_, **__: SimpleNamespace(progress=progress)
    monkeypatch.setattr(extract_now, "st", held)
    yield held
    page_by_page.end_workers()
    settings.database().close()
    settings.database.cache_clear()


@pytest.fixture
def waiting(screen: SimpleNamespace, tmp_path: Path) -> tuple[Document, ...]:
    for name in "abc":
        (tmp_path / f"{name}.pdf").write_bytes(pdf([f"Order number: {name}", "Qty: 3"]))
    ingest(settings.database(), settings.settings().home, sorted(tmp_path.glob("*.pdf")), person="ann")
    with settings.database().read() as reader:
        return documents(reader)


def left(project: str = "default") -> int:
    with settings.database().read() as reader:
        return len(without_extraction(reader, project=project))


def test_stop_keeps_what_was_extracted_and_the_same_run_goes_on(
    screen: SimpleNamespace, waiting: tuple[Document, ...]
) -> None:
    screen.patience = 3
    with pytest.raises(RerunException):
        extract_now._extracted(waiting, "digital", "default")
    extract_now.tell()
    assert screen.shown == [("warning", "Extracted: 2 documents; stopped by hand, 1 document left.")]
    assert left() == 1
    screen.patience = 1000
    extract_now._extracted(waiting[2:], "digital", "default")
    extract_now.tell()
    assert screen.shown[1:] == [("success", "Extracted: 1 document.")]
    with settings.database().read() as reader:
        assert [run.documents for run in completions(reader)] == [3]
    assert left() == 0


def test_the_bar_names_the_page_that_is_read(screen: SimpleNamespace, waiting: tuple[Document, ...]) -> None:
    extract_now._extracted(waiting[:1], "digital", "default")
    assert screen.bar == ["1 of 1 document: a.pdf, page 1", "1 of 1 document"]
    done = screen.session_state["extracted"]
    assert isinstance(done, Runs)


def test_an_extractor_that_cannot_be_used_is_told_at_the_offer(
    screen: SimpleNamespace, waiting: tuple[Document, ...]
) -> None:
    extract_now._extracted(waiting, "llm", "default")
    assert "asks for table types" in screen.session_state["extracted"]
    extract_now.tell()
    assert screen.shown == []
    assert left() == 3
