"""Import: drop files, see what was understood, repaired or refused, then store."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from review_app import present
from review_app.html_table import Shown, html_table
from review_app.settings import database, settings
from review_app.views import extract_now
from review_app.wording import count, literal
from store import documents, extractions, ingest
from store.db import StoreError
from store.ingested import Entry, Ingested

NOTES_SHOWN = 3
OUTCOME_WORDS = {"new": "new", "known": "already there", "refused": "refused"}


def show() -> None:
    """The files a person drops, what each was taken for, and the button that stores them."""
    present.person_with("import")
    place = f"files-{st.session_state.get('batch', 0)}"
    if not st.session_state.get(place):
        _imported()
        extract_now.tell()
    offer = st.container()
    st.write(
        "Drop documents (PDF, PNG, JPEG) together with what your extractor returned for them, or a ZIP archive of "
        "both. An extraction belongs to the document of the same name: `march.pdf` and `march.json`."
    )
    left, right = st.columns(2)
    project = left.text_input("Project", value=settings().project or "default").strip() or "default"
    table_type = right.text_input(
        "Table type of tables that do not name one", placeholder="leave empty to match by column headers"
    ).strip()
    try:
        documents.expect_project_name(project)
    except StoreError as wrong:
        st.error(str(wrong))
        return
    files = st.file_uploader(
        "Documents, extractions, table types and gold",
        accept_multiple_files=True,
        key=place,
    )
    if not files:
        with database().read() as reader:
            waiting = [
                documents.document(reader, key) for key in extractions.without_extraction(reader, project=project)
            ]
        if waiting:
            with offer:
                title = f"{count(len(waiting), 'document')} without an extraction"
                extract_now.offer(waiting, title=title, project=project)
        return
    plan = _ingested(files, project, table_type, dry_run=True)
    st.subheader("What these files are")
    _entries(plan.entries, label="What these files are", test_id="import-plan")
    _ask_passwords(plan)
    if plan.passed_over:
        st.caption(plan.passed())
    if not plan.stored:
        st.info("Nothing of this would be new.")
        return
    if st.button(f"Import {count(len(plan.stored), 'file')}", type="primary", icon=":material/download_done:"):
        st.button("Stop", icon=":material/stop_circle:", help="What was stored until then stays")
        with st.spinner("Importing"):
            _ingested(files, project, table_type, dry_run=False)
        st.rerun()


def _imported() -> None:
    """What became of the last import, until other files are dropped: refused files stay with their reasons."""
    done: Ingested | None = st.session_state.get("imported")
    if done is None:
        return
    if done.unread:
        st.warning(done.summary(), icon=":material/stop_circle:")
    elif done.refused:
        st.warning(done.summary(), icon=":material/error:")
    else:
        st.success(done.summary(), icon=":material/check:")
    st.page_link(st.session_state["screens"]["queue"], label="Open the queue", icon=":material/checklist:")
    if done.refused:
        st.subheader("Refused, nothing of them was stored")
        _entries(done.refused, label="Refused files", test_id="import-refused")
        st.write("Mend these files, or the names by which they find their document, and drop them again.")


def _ask_passwords(plan: Ingested) -> None:
    """A field for each encrypted document; what is typed there is tried at once, and gone with the files."""
    opened = [name for name in _passwords() if _passwords()[name]]
    locked = list(dict.fromkeys([*opened, *(_inside(entry.path) for entry in plan.refused if entry.locked)]))
    for name in locked:
        st.text_input(
            f"Password of {literal(name)}",
            type="password",
            key=_password_key(name),
            autocomplete="off",
            help="It opens the document once. It is kept nowhere: a copy without encryption is read from then on.",
        )


def _password_key(name: str) -> str:
    return f"password-{st.session_state.get('batch', 0)}-{name}"


def _passwords() -> dict[str, str]:
    """What was typed for the files of this batch, by their names."""
    start, kept = _password_key(""), {str(key): typed for key, typed in st.session_state.items()}
    return {key.removeprefix(start): typed for key, typed in kept.items() if key.startswith(start)}


def _ingested(files: Sequence[Any], project: str, table_type: str, *, dry_run: bool) -> Ingested:
    typed = _passwords()
    with tempfile.TemporaryDirectory() as folder:
        for file, path in zip(files, _paths(Path(folder), [file.name for file in files]), strict=True):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(file.getbuffer())
        bar = st.progress(0.0, text="Reading")
        ended: list[BaseException] = []

        def progress(done: int, of: int) -> None:
            try:
                bar.progress(done / of if of else 1.0, text=f"{done} of {count(of, 'file')}")
            except BaseException as by_a_person:
                # Streamlit ends a run here when a button is pressed: the import puts its things in order first.
                ended.append(by_a_person)
                raise KeyboardInterrupt from by_a_person

        result = ingest.ingest(
            database(),
            settings().home,
            [Path(folder)],
            person=present.person_with("import"),
            project=project,
            table_type=table_type,
            dry_run=dry_run,
            progress=progress,
            passwords=lambda path: filter(None, [typed.get(_inside(path), "")]),
        )
        if not dry_run:
            st.session_state["imported"] = result
            st.session_state.pop("extracted", None)
            for name in typed:
                del st.session_state[_password_key(name)]
            st.session_state["batch"] = st.session_state.get("batch", 0) + 1
        if ended:
            raise ended[0]
        bar.empty()
        return result


def _paths(folder: Path, names: Sequence[str]) -> list[Path]:
    """Where each file is put; the first ones of their names together, the second ones together, and so on."""
    seen: Counter[str] = Counter()
    paths = []
    for name in names:
        bare = Path(name).name  # a browser sends a bare name, but nothing obliges it to
        seen[bare.casefold()] += 1
        paths.append(folder / f"{seen[bare.casefold()]}" / bare)
    return paths


def _entries(entries: Sequence[Entry], *, label: str, test_id: str) -> None:
    notes = any(entry.notes for entry in entries)
    heads = [Shown(name) for name in ("File", "Outcome", "Taken for", "Understood", *(["Repaired"] if notes else []))]
    rows = [
        [
            Shown(_inside(entry.path), look="strong"),
            Shown(OUTCOME_WORDS[entry.outcome], look="fail" if entry.outcome == "refused" else ""),
            Shown(entry.took_for),
            Shown(entry.message, direction="ltr"),
            *([_notes(entry)] if notes else []),
        ]
        for entry in entries
    ]
    st.html(html_table(heads, rows, label=label, test_id=test_id))


def _notes(entry: Entry) -> Shown:
    return Shown("; ".join(entry.notes[:NOTES_SHOWN]), direction="ltr", more=entry.notes[NOTES_SHOWN:])


def _inside(path: Path) -> str:
    """The name of a file, with its archive for one that came in an archive; the folder was made for the upload."""
    archive = next((at for at, part in enumerate(path.parts) if part.lower().endswith(".zip")), len(path.parts) - 1)
    return "/".join(path.parts[archive:])
