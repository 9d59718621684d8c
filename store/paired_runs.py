"""Two runs over the same documents beside each other: the paired comparison, and the cells that flipped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlite_utils import Database

from scoring.cells import Outcome, outcomes
from scoring.paired_corpora import PairedCorpora, paired
from store import documents, gold, scores
from store.comparison import Comparison, compare
from store.db import Db
from store.documents import Document
from store.kept_results import keep_result, kept_result, scores_of, still_holds
from store.kept_values import Told
from store.run_series import Series, tried
from store.scored_documents import scored_documents
from store.scores import ScoredDocument, corpus_of, fingerprint

# From so many documents on, two runs are compared in seconds.
MANY = 2_000


@dataclass(frozen=True)
class PairedRuns:
    """Series B against series A; ``documents`` are those of both by the name that the corpora call them."""

    a: Series
    b: Series
    corpora: PairedCorpora
    documents: dict[str, Document]


@dataclass(frozen=True)
class FlippedCell:
    """A gold cell that only one of two runs has right; a text is None where that run has no such cell.

    ``row`` and ``col`` are its place in gold, ``right`` says which run is right there.
    """

    gold: int
    table: str
    row: int
    col: int
    field: str
    text: str
    a: str | None
    b: str | None
    right: Literal["a", "b"]


def pair_runs(db: Db, reader: Database, a: Series, b: Series) -> PairedRuns:
    """B against A over the accepted documents that every run of both was asked for.

    A document that a run failed at counts as missed there; one that it was never asked for is left out.
    """
    sides = [[corpus_of(scored_by(db, reader, series, run)) for run in series.runs] for series in (a, b)]
    return _named(reader, a, b, paired(*sides))


def kept_pair(
    db: Db, reader: Database, a: Series, b: Series, *, told: Told | None = None, earlier: bool = False
) -> tuple[PairedRuns, str]:
    """``pair_runs``, from the database where it was worked out before, and "".

    ``earlier``: over MANY documents the last one will do although scores have changed since; then with its time.
    """
    name, seen = f"{a.runs} and {b.runs}", fingerprint(reader)
    last = kept_result(db, reader, name, lambda body: _named(reader, a, b, PairedCorpora.from_json(body)))
    if last is not None and last.seen == seen:
        return last.value, ""
    lists = [scored_by(db, reader, series, run, told) for series in (a, b) for run in series.runs]
    rests_on = scores_of(lists)
    if last is not None and last.scores == rests_on:
        still_holds(db, name, last, seen)
        return last.value, ""
    if last is not None and earlier and len(lists[0]) >= MANY:
        return last.value, last.made_at
    found = pair_runs(db, reader, a, b)
    keep_result(db, name, seen, rests_on, found.corpora.to_json())
    return found, ""


def _named(reader: Database, a: Series, b: Series, corpora: PairedCorpora) -> PairedRuns:
    names = {*(pair.name for pair in corpora.documents), *corpora.only_a, *corpora.only_b}
    known = [each for project in {b.project, a.project} for each in documents.documents(reader, project=project)]
    by_name = {scores.name_in_corpus(each): each for each in known}
    return PairedRuns(a, b, corpora, {name: by_name[name] for name in sorted(names)})


def scored_by(
    db: Db, reader: Database, series: Series, run: int, told: Told | None = None
) -> tuple[ScoredDocument, ...]:
    """The documents with accepted tables that a run of a series was asked for, scored against what it returned."""
    asked = tried(reader, run)
    found = scored_documents(db, reader, project=series.project, run=run, told=told)
    return tuple(entry for entry in found if entry.document.id in asked)


def flipped_cells(db: Db, reader: Database, document: int, a: int, b: int) -> Iterator[FlippedCell]:
    """The cells of a document's accepted tables that only one of two runs has right, in order of place."""
    for entry in gold.gold_tables(reader, document):
        if gold.status(reader, entry.id) != "accepted":
            continue
        sides = [compare(db, reader, entry.id, run=run) for run in (a, b)]
        yield from _flipped(sides)


def _flipped(sides: Sequence[Comparison]) -> Iterator[FlippedCell]:
    about = sides[0]
    one, other = (_by_place(side) for side in sides)
    for place in sorted(one.keys() & other.keys()):
        left, right = one[place], other[place]
        if (left.verdict == "right") == (right.verdict == "right"):
            continue
        yield FlippedCell(
            gold=about.gold.id,
            table=about.label,
            row=place[0],
            col=place[1],
            field=_field(about, left),
            text=left.gold.text if left.gold else "",
            a=left.pred.text if left.pred else None,
            b=right.pred.text if right.pred else None,
            right="a" if left.verdict == "right" else "b",
        )


def _by_place(side: Comparison) -> Mapping[tuple[int, int], Outcome]:
    found = outcomes(side.sheet.table, side.first_table, side.alignment, table_type=side.table_type)
    return {
        (cell.gold_row, cell.gold_col): cell
        for cell in found
        if cell.gold_row is not None and cell.gold_col is not None and cell.verdict != "empty"
    }


def _field(side: Comparison, cell: Outcome) -> str:
    """The name of its schema column, else the number of its column."""
    if side.table_type and cell.column is not None:
        return side.table_type.columns[cell.column].shown
    return f"column {(cell.gold_col or 0) + 1}"
