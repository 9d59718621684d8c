"""PDFs that need a password: opened once with it, and read by a copy without encryption from then on."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from store.pages import DocumentError, DocumentInfo, Locked, open_document, open_pdf

Passwords = Callable[[Path], Iterable[str]]
"""The passwords to try for a file, one after the other; it may ask a person for the next one."""


def no_passwords(path: Path) -> Iterable[str]:
    """None for any file."""
    return ()


def opened(raw: bytes, passwords: Iterable[str]) -> tuple[DocumentInfo, bytes | None]:
    """The pages of a document, and where it needed a password a copy of it without encryption, else None.

    Passwords are tried in turn, only where one is needed. Raises Locked where none fits, and DocumentError as
    ``open_document`` does.
    """
    try:
        return open_document(raw), None
    except Locked:
        tried = 0
        for password in passwords:
            tried += 1
            with suppress(Locked):
                copy = _unlocked(raw, password)
                return open_document(copy), copy
    wrong = {0: "", 1: ", and the one that was given does not open it"}
    told = wrong.get(tried, f", and none of the {tried} that were given opens it")
    raise Locked(f"is encrypted and needs a password{told}; give its password, or save a copy without one")


def is_locked(raw: bytes) -> bool:
    """Whether a document opens with a password only."""
    if b"/Encrypt" not in raw:
        return False
    try:
        open_document(raw)
    except DocumentError as wrong:
        return isinstance(wrong, Locked)
    return False


def _unlocked(raw: bytes, password: str) -> bytes:
    import pypdfium2.raw as pdfium

    with open_pdf(raw, password) as pdf:
        held = io.BytesIO()
        pdf.save(held, flags=pdfium.FPDF_REMOVE_SECURITY)
        return held.getvalue()
