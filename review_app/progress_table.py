"""Progress as rows for a screen and lines for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from store.progress import Found, Progress

HEADS = ("Done", "Open", "Skipped", "Flagged", "Of")
NOBODY = "Nobody"
WITHOUT_TYPE = "Without a table type"


def row(one: Progress, nameless: str) -> list[str]:
    """Label and counts; ``nameless`` is what one without a name is called."""
    counts = (one.done, one.open, one.skipped, one.flagged, one.whole)
    return [one.label or nameless, *(f"{number:,}" for number in counts)]


def lines(found: Found) -> str:
    """Both tables for a terminal, and all together."""
    parts = [_table("Person", found.people, NOBODY), _table("Table type", found.types, WITHOUT_TYPE)]
    whole = found.everything
    return "\n\n".join([*parts, f"{whole.done:,} of {whole.whole:,} tables done."])


def _table(head: str, counted: Sequence[Progress], nameless: str) -> str:
    shown = [[head, *HEADS], *(row(one, nameless) for one in counted)]
    widths = [max(len(line[at]) for line in shown) for at in range(len(shown[0]))]
    return "\n".join("  ".join(_padded(line, widths)) for line in shown)


def _padded(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    numbers = [text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True)]
    return [line[0].ljust(widths[0]), *numbers]
