"""Files that take their name only when they are complete."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(output: Path) -> Iterator[BinaryIO]:
    """A file to write, with ".part" after its name, which replaces ``output`` when the block ends without an error.

    What is no file, such as /dev/stdout, is written to as it is. Raises OSError.
    """
    special = output.exists() and not output.is_file()
    partial = output if special else output.with_name(output.name + ".part")
    try:
        try:
            file = partial.open("wb")
        except OSError as wrong:  # under the name that the person knows
            raise type(wrong)(wrong.errno, wrong.strerror, str(output)) from None
        with file:
            yield file
        if not special:
            partial.replace(output)
    finally:
        if not special:
            partial.unlink(missing_ok=True)
