from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException

from review_app import settings
from review_app.views import import_files
from store.documents import documents
from store.extractors.fixtures import pdf
from store.ingested import Entry


class Upload:
    """A file as the uploader hands it over."""

    def __init__(self, name: str, raw: bytes) -> None:
        self.name, self._raw = name, raw

    def getbuffer(self) -> bytes:
        return self._raw


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """A screen without a browser: what it keeps, and a bar at which Streamlit ends the run after ``patience`` calls."""
    monkeypatch.setenv("PROOFGRID_HOME", str(tmp_path / "home"))
    settings.database.cache_clear()
    held = SimpleNamespace(session_state={}, patience=1000)

    def progress(*_: object, **__: object) -> None:
        held.patience -= 1
        if held.patience < 0:
            raise RerunException(RerunData())

    shown: list[tuple[str, str]] = []
    held.shown = shown
    for kind in ("success", "warning", "subheader", "write", "html"):
        setattr(held, kind, lambda text, kind=kind, **_: shown.append((kind, text)))
    held.page_link = lambda *_, **__: None
    held.session_state["screens"] = {"queue": None}
    held.progress = lambda *_, **__: SimpleNamespace(progress=progress, empty=lambda: None)
    monkeypatch.setattr(import_files, "st", held)
    yield held
    settings.database().close()
    settings.database.cache_clear()


FILES = [Upload(f"{name}.pdf", pdf([name])) for name in "abc"]


def test_stop_keeps_what_was_stored_tells_what_is_left_and_lets_streamlit_go_on(screen: SimpleNamespace) -> None:
    screen.patience = 2
    with pytest.raises(RerunException):
        import_files._ingested(FILES, "default", "", dry_run=False)
    told = screen.session_state["imported"]
    assert told.summary() == "New: 2 documents; stopped before 1 file; import again to go on."
    with settings.database().read() as reader:
        assert [entry.name for entry in documents(reader)] == ["a.pdf", "b.pdf"]


def test_an_import_that_is_not_stopped_is_kept_whole(screen: SimpleNamespace) -> None:
    import_files._ingested(FILES, "default", "", dry_run=True)
    assert set(screen.session_state) == {"screens"}
    import_files._ingested(FILES, "default", "", dry_run=False)
    assert (screen.session_state["imported"].summary(), screen.session_state["batch"]) == ("New: 3 documents.", 1)


@pytest.mark.parametrize(
    ("path", "shown"), [("/tmp/x/a.pdf", "a.pdf"), ("/tmp/x/all.ZIP/in/a.pdf", "all.ZIP/in/a.pdf")]
)
def test_a_file_is_called_as_it_was_dropped(path: str, shown: str) -> None:
    assert import_files._inside(Path(path)) == shown


def test_of_files_of_one_name_none_is_lost(screen: SimpleNamespace) -> None:
    files = [Upload("a.pdf", pdf(["one"])), Upload("a.pdf", pdf(["two"])), Upload("A.PDF", pdf(["three"]))]
    import_files._ingested(files, "default", "", dry_run=False)
    assert screen.session_state["imported"].summary() == "New: 3 documents."


@pytest.mark.parametrize(
    ("files", "shown"),
    [
        (FILES[:1], [("success", "New: 1 document.")]),
        ([*FILES[:1], Upload("b.pdf", b"%PDF-")], [("warning", "New: 1 document; refused: 1.")]),
    ],
)
def test_an_import_that_refused_files_does_not_look_like_success(
    screen: SimpleNamespace, files: list[Upload], shown: list[tuple[str, str]]
) -> None:
    import_files._ingested(files, "default", "", dry_run=False)
    import_files._imported()
    assert screen.shown[:1] == shown


LOCKED = Path(__file__).parents[1] / "store" / "hazards" / "encrypted_user_pw_aes256_secret.pdf"


def test_an_encrypted_file_asks_for_its_password_which_is_gone_with_the_files(screen: SimpleNamespace) -> None:
    fields: list[str] = []

    def text_input(label: str, *, type: str, key: str, **_: object) -> None:
        assert type == "password"
        fields.append(label)
        screen.session_state.setdefault(key, "")

    screen.text_input = text_input
    files = [*FILES[:1], Upload("locked.pdf", LOCKED.read_bytes())]
    plan = import_files._ingested(files, "default", "", dry_run=True)
    assert [entry.locked for entry in plan.entries] == [False, True]
    import_files._ask_passwords(plan)
    (key,) = (key for key in screen.session_state if key.startswith("password"))
    screen.session_state[key] = "secret"
    plan = import_files._ingested(files, "default", "", dry_run=True)
    assert not plan.refused
    import_files._ask_passwords(plan)  # the field stays, so that what was typed stays
    assert fields == ["Password of locked.pdf"] * 2
    import_files._ingested(files, "default", "", dry_run=False)
    assert screen.session_state["imported"].summary() == "New: 2 documents."
    assert not any("password" in key or "secret" in str(value) for key, value in screen.session_state.items())


def test_notes_have_a_column_only_where_there_are_some_and_many_are_folded(screen: SimpleNamespace) -> None:
    plain = Entry(Path("a.csv"), "new", "extraction", "csv", "of a.pdf")
    noted = replace(plain, notes=tuple(f"note {number}" for number in range(20)))
    for entries in ([plain], [plain, noted]):
        import_files._entries(entries, label="files", test_id="files")
    (_, without), (_, with_notes) = screen.shown
    assert "Repaired" not in without
    assert "note 0; note 1; note 2<details><summary>17 more</summary>note 3<br>" in with_notes


def test_of_many_tables_the_first_are_named(screen: SimpleNamespace) -> None:
    rows = "".join(f"<table><tr><td>{number}</td></tr></table>" for number in range(500))
    result = import_files._ingested([FILES[0], Upload("a.html", rows.encode())], "default", "", dry_run=True)
    assert result.entries[1].message.endswith("table 10 (1 x 1) and 490 more")
