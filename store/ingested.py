"""What became of the files of an import, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scoring.table import Table
from store.incoming import ORDER, shown

MOST_LISTED = 10
# So many files that were passed over are named by the summary.
_MOST_NAMED = 10

Outcome = Literal["new", "known", "refused"]


@dataclass(frozen=True)
class Entry:
    """What became of one file: ``what`` it holds, the format it was taken for, and what was repaired.

    ``count`` is for how many documents it speaks, where there may be several; ``locked``: it needs a password.
    """

    path: Path
    outcome: Outcome
    what: str
    took_for: str
    message: str
    notes: tuple[str, ...] = ()
    count: int = 1
    locked: bool = False

    def line(self) -> str:
        """One line for a terminal."""
        took_for = f"{self.took_for}, " if self.took_for else ""
        return f"{self.outcome:<8}{shown(self.path)}: {took_for}{self.message}"


@dataclass(frozen=True)
class Ingested:
    """What became of all files, in the order in which they were dealt with.

    ``unread`` are those that were not looked at any more, because a person stopped the import, ``passed_over`` those
    of folders and archives that have the names of other kinds of files.
    """

    entries: tuple[Entry, ...]
    unread: int = 0
    passed_over: tuple[Path, ...] = ()

    @property
    def stored(self) -> tuple[Entry, ...]:
        """The files that were new."""
        return tuple(entry for entry in self.entries if entry.outcome == "new")

    @property
    def refused(self) -> tuple[Entry, ...]:
        """The files of which nothing was stored because they cannot be."""
        return tuple(entry for entry in self.entries if entry.outcome == "refused")

    def passed(self) -> str:
        """One sentence: which files were passed over."""
        names = [shown(Path(path.name)) for path in self.passed_over]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        return f"Passed over, by their names no documents or tables: {', '.join(names[:_MOST_NAMED])}{more}."

    def summary(self) -> str:
        """One sentence: how many files of each kind are new, known and refused."""
        kinds: Counter[str] = Counter()
        for entry in self.stored:
            kinds[entry.what] += entry.count
        new = [f"{kinds[what]} {plural(what, kinds[what])}" for what in ORDER if kinds[what]]
        parts = [f"New: {', '.join(new) if new else 'nothing'}"]
        known = len(self.entries) - len(self.stored) - len(self.refused)
        if known:
            parts.append(f"already there: {known}")
        if self.refused:
            parts.append(f"refused: {len(self.refused)}")
        if self.unread:
            parts.append(f"stopped before {self.unread} {plural('file', self.unread)}; import again to go on")
        return "; ".join(parts) + "."


def listed(tables: Sequence[tuple[str, Table]]) -> str:
    """The first MOST_LISTED tables with their sizes, in words, and how many more there are."""
    sizes = [f"{name} ({table.n_rows} x {table.n_cols})" for name, table in tables[:MOST_LISTED]]
    more = f" and {len(tables) - MOST_LISTED} more" if len(tables) > MOST_LISTED else ""
    return f"{', '.join(sizes)}{more}" if sizes else "no tables"


def plural(word: str, count: int) -> str:
    """The word for so many of them."""
    if word in ("gold", "table types"):
        return f"{word} {'file' if count == 1 else 'files'}"
    return word if count == 1 else f"{word}s"
