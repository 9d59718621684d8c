"""Repeats: the same extractor run several times over the same documents, and how far its answers differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlite_utils import Database

from scoring.alignment.align import align
from scoring.cells import Outcome, outcomes
from scoring.counts import Counts
from scoring.report import Rules, score
from scoring.schema import TableType
from scoring.statistics.repeated_runs import Headline, Stability, headline, stability
from scoring.table import Table
from scoring.values.columns import Column
from scoring.values.reader import PLAIN, read
from store import documents, extractions, gold
from store.comparison import NOTHING
from store.db import Db
from store.run_series import all_series
from store.table_pairing import table_of
from store.table_types import table_type


@dataclass(frozen=True)
class Repeats:
    """Runs that differ in their repeat number only, over the documents that all of them have answered.

    ``f1`` is the spread of the exact cell F1 (micro) against accepted gold; ``stability`` tells how far the
    cells agree, gold or not.
    """

    runs: tuple[int, ...]
    extractor: str
    documents: int
    f1: Headline
    stability: Stability

    @property
    def flip_rate(self) -> float | None:
        """The share of pairs of runs in which a cell has another value; None where there are no cells."""
        return self.stability.pair_flip_rate

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return {
            "runs": list(self.runs),
            "extractor": self.extractor,
            "documents": self.documents,
            "f1": self.f1.to_json(),
            "stability": self.stability.to_json(),
        }


def repeated(db: Db, reader: Database, *, project: str | None = None) -> tuple[Repeats, ...]:
    """The repeated runs of a project, or of all, oldest first; runs without a repeat are left out."""
    found = all_series(reader, project=project)
    return tuple(_repeats(db, reader, series.runs, series.extractor) for series in found if len(series.runs) > 1)


def _repeats(db: Db, reader: Database, runs: tuple[int, ...], name: str) -> Repeats:
    marks = ", ".join("?" * len(runs))
    answered = reader.query(
        f"select document from extraction where run in ({marks}) group by document "
        "having count(distinct run) = ? order by document",
        (*runs, len(runs)),
    )
    keys = [entry["document"] for entry in list(answered)]
    values: list[list[str | None]] = []
    texts: list[list[str | None]] = []
    counts = [Counts() for _ in runs]
    for key in keys:
        for reference, accepted, kind, given in _tables(db, reader, key, runs):
            for cell_values, cell_texts in _cells(reference, given, kind):
                values.append(cell_values)
                texts.append(cell_texts)
            if accepted:
                for at, table in enumerate(given):
                    counts[at] += score(reference, table or None, rules=Rules(kind)).exact
    scores = [found.f1 for found in counts if found.f1 is not None]
    return Repeats(runs, name, len(keys), headline(scores), stability(values, texts=texts))


def _tables(
    db: Db, reader: Database, document: int, runs: Sequence[int]
) -> Iterator[tuple[Table, bool, TableType | None, list[Table]]]:
    """Each table: gold, whether it is accepted, its type, and what each run has for it.

    A table that no gold is open for is left out: people have not seen it.
    """
    found = [extractions.first_extraction(reader, document, run=run) for run in runs]
    project = documents.document(reader, document).project
    for entry in gold.gold_tables(reader, document):
        kind = table_type(reader, entry.table_type, project=project) if entry.table_type else None
        given = [part.table if each and (part := table_of(db, reader, each, entry)) else NOTHING for each in found]
        accepted = gold.status(reader, entry.id) == "accepted"
        yield gold.current(db, reader, entry.id)[1].table, accepted, kind, given


def _cells(
    reference: Table, given: Sequence[Table], kind: TableType | None
) -> Iterator[tuple[list[str | None], list[str | None]]]:
    """For each cell of the reference its values and its texts in each run, None where the run has no such cell.

    A cell that only some runs have, and the reference has not, is a cell of its own by its place beyond it.
    """
    by_run: list[dict[_Place, Outcome]] = []
    for table in given:
        found = outcomes(reference, table, align(reference, table, table_type=kind), table_type=kind)
        by_run.append({_place(outcome): outcome for outcome in found})
    for place in dict.fromkeys(place for found_in in by_run for place in found_in):
        cells = [found_in.get(place) for found_in in by_run]
        at = next((cell.column for cell in cells if cell and cell.column is not None), None)
        column = kind.columns[at] if kind and at is not None else PLAIN
        texts = [cell.pred.text if cell and cell.pred else None for cell in cells]
        yield [None if text is None else _value(text, column) for text in texts], texts


_Place = tuple[str, int | None, int | None]


def _place(outcome: Outcome) -> _Place:
    if outcome.gold_row is not None and outcome.gold_col is not None:
        return "gold", outcome.gold_row, outcome.gold_col
    return "extra", outcome.pred_row, outcome.pred_col


def _value(text: str, column: Column) -> str | None:
    """What a text means in its column, as one text; None where it means that there is no value."""
    found = read(text, column)
    value = found.value.normalize() if isinstance(found.value, Decimal) else found.value
    return None if found.kind == "null" else f"{found.kind}:{value}:{found.unit}"
