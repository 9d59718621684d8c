"""How a command ends: its exit status, and refusals told in words."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

EXIT_CHECK_FAILED, EXIT_WRONG_USE = 1, 2


@contextmanager
def told() -> Iterator[None]:
    """What the store or the system refuses ends in its message and exit status 2."""
    try:
        yield
    except BrokenPipeError:  # the reader of our output has seen enough; click ends quietly
        raise
    except OSError as wrong:
        refuse(f"{wrong.filename}: {wrong.strerror}" if wrong.filename else str(wrong))
    except _refused_by_store() as wrong:
        refuse(str(wrong))
    except _broken_database() as wrong:
        refuse(f"the database cannot be used: {wrong}")


def refuse(message: str) -> NoReturn:
    """Say why and end with exit status 2."""
    click.echo(message, err=True)
    sys.exit(EXIT_WRONG_USE)


# Loading the store takes longer than many commands that do without it: only after something was raised.
def _refused_by_store() -> type[Exception]:
    from store.db import StoreError

    return StoreError


def _broken_database() -> type[Exception]:
    from sqlite3 import DatabaseError

    return DatabaseError
