"""What becomes of the parts of one file on its way in, told by the import in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.table import Table
from store.documents import Document
from store.formats import ReadTable
from store.formats.contract import some
from store.incoming import Incoming
from store.ingested import Entry, Outcome, listed

# So many notes and problems of one file are told by the import; the reviewer sees all, each at its table.
MOST_TOLD, MOST_PROBLEMS = 50, 10


@dataclass
class Told:
    """What becomes of the parts of one file, in words, while they are stored one by one."""

    what: str = "extraction"
    formats: dict[str, None] = field(default_factory=dict)
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    documents: dict[str, None] = field(default_factory=dict)
    tables: list[tuple[str, Table]] = field(default_factory=list)
    n_tables: int = 0
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    n_problems: int = 0

    def add(self, document: Document, outcome: Outcome, tables: Sequence[ReadTable], notes: Sequence[str] = ()) -> None:
        """One part was stored, or was there."""
        self.outcomes[outcome] += 1
        self.documents[document.name] = None
        self.n_tables += len(tables)
        if self.outcomes.total() == 1:
            self.tables = [(entry.name, entry.table) for entry in tables]
        if len(self.notes) <= MOST_TOLD:
            whose = f"{document.name}: " if self.outcomes.total() > 1 else ""
            self.notes += (f"{whose}{note}" for note in notes)
            self.notes += (f"{whose}{entry.name}: {remark}" for entry in tables for remark in entry.remarks)

    def refuse(self, problem: str) -> None:
        """One part was refused."""
        self.n_problems += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)

    def entries(self, file: Incoming, part: str) -> list[Entry]:
        """One entry for what was stored or there, one for what was refused; ``part`` is what the file consists of."""
        found = []
        took_for = file.format or f"lines of {', '.join(self.formats) or 'JSON'}"
        if count := self.outcomes.total():
            if count == 1:
                message = f"of {next(iter(self.documents))}: {listed(self.tables)}"
            else:
                message = f"of {some('document', list(self.documents))}: {self.n_tables} tables in {count} {part}s"
            new = self.outcomes["new"]
            notes = tuple(self.notes[:MOST_TOLD])
            if len(self.notes) > MOST_TOLD:
                notes = (*notes, "more notes stand beside the tables in the review")
            if new and new < count:
                notes = (f"{count - new} of {count} {part}s were there already", *notes)
            outcome: Outcome = "new" if new else "known"
            found.append(Entry(file.shown, outcome, self.what, took_for, message, notes, new or count))
        if self.problems:
            more = f"; and {self.n_problems - len(self.problems)} more" if self.n_problems > len(self.problems) else ""
            of = f"{self.n_problems} of {self.n_problems + count} {part}s: " if part == "line" or count else ""
            message = f"{of}{'; '.join(self.problems)}{more}"
            found.append(Entry(file.shown, "refused", self.what, took_for, message))
        return found
