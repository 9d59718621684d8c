"""Passwords of encrypted PDFs on the command line: from a file, or asked at the terminal; shown and kept nowhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from review_app.exits import refuse

if TYPE_CHECKING:
    from store.ingested import Entry
    from store.locked import Passwords

# A person may mistype.
ASKED = 3


def password_option(command: Any) -> Any:
    """The option of commands that take in documents."""
    return click.option(
        "--password-file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Text file with the passwords of encrypted PDFs, one a line; each is tried. On a terminal they are asked.",
    )(command)


def passwords_of(file: Path | None) -> Passwords:
    """For each encrypted document the passwords of the file, and then, on a terminal, those that a person types."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines() if file else []
    except UnicodeDecodeError:
        refuse(f"{file}: is not a text in UTF-8, expected one password a line")
    given = tuple(line for line in lines if line)

    def tried(path: Path) -> Iterator[str]:
        yield from given
        if sys.stdin.isatty() and sys.stderr.isatty():
            yield from _asked(path)

    return tried


def tell_of_locked(entries: Iterable[Entry]) -> None:
    """Where documents need a password, say how to give it."""
    if any(entry.locked for entry in entries):
        click.echo(
            "Encrypted PDFs: import them again with --password-file FILE, or from a terminal, where it is asked for."
        )


def _asked(path: Path) -> Iterator[str]:
    click.echo(err=True)
    for attempt in range(ASKED):
        again = "That does not open it. " if attempt else ""
        said = f"{again}Password of {path.name} (Enter alone leaves it out)"
        typed = click.prompt(said, default="", show_default=False, hide_input=True, err=True)
        if not typed:
            return
        yield typed
