"""The score of many tables and documents, as values that merge in any order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from scoring.counts import Counts
from scoring.parts import Parts
from scoring.report import TableSums
from scoring.statistics.intervals import Interval, corpus_intervals, counted, logit_t_interval, ratio_parts
from scoring.sums import Macro, Pooled, Rate, is_empty, mean, pooled, total

State = Literal["scored", "missing", "broken", "refused"]
STATES: tuple[State, ...] = ("scored", "missing", "broken", "refused")


@dataclass(frozen=True, slots=True)
class TableScore:
    """What a corpus keeps of one table: where it is from, what it is grouped by, and its counts.

    ``document`` and ``table`` name it, and no other may have both. ``tags`` are pairs of name and value, such as
    ("language", "ko"); a name may come twice, as a page may be both scanned and rotated. ``state`` is "scored", or
    says why there is no prediction: it is missing, broken (it cannot be read), or refused (too large to score).
    Such a table has the counts of a table of which everything was missed. ``reason`` says why it does not pass.
    """

    document: str
    table: str
    table_type: str
    tags: tuple[tuple[str, str], ...]
    state: State
    passed: bool
    reason: str
    rows: Counts
    row_accuracy: float | None
    exact: Counts
    graded: Counts
    verbatim: Counts
    columns: tuple[tuple[str, Counts], ...]
    signature: str

    def values(self, name: str) -> tuple[str, ...]:
        """What it has under "document", "table_type" or the name of a tag; ("",) where it has nothing."""
        if name in ("document", "table_type"):
            return (self.document if name == "document" else self.table_type,)
        return tuple(value for tag, value in self.tags if tag == name) or ("",)

    def to_json(self) -> dict[str, Any]:
        """A plain mapping that ``from_json`` reads."""
        return {
            "document": self.document,
            "table": self.table,
            "table_type": self.table_type,
            "tags": [list(tag) for tag in self.tags],
            "state": self.state,
            "passed": self.passed,
            "reason": self.reason,
            "rows": _plain(self.rows),
            "row_accuracy": self.row_accuracy,
            "exact": _plain(self.exact),
            "graded": _plain(self.graded),
            "verbatim": _plain(self.verbatim),
            "columns": [[name, _plain(counts)] for name, counts in self.columns],
            "signature": self.signature,
        }

    @classmethod
    def from_json(cls, value: object, place: str = "table") -> Self:
        """What ``to_json`` wrote; raises SchemaError (a ValueError) naming the part that is wrong."""
        parts = Parts(value, place, cls.__slots__)
        accuracy = parts.part("row_accuracy")
        return cls(
            document=parts.text("document"),
            table=parts.text("table"),
            table_type=parts.text("table_type"),
            tags=tuple((str(name), str(text)) for name, text in _pairs(parts, "tags", place)),
            state=parts.one_of("state", STATES),
            passed=parts.truth("passed", False),
            reason=parts.text("reason"),
            rows=_counts(parts.part("rows"), f"{place}.rows"),
            row_accuracy=None if accuracy is None else parts.number("row_accuracy", 0, most=1),
            exact=_counts(parts.part("exact"), f"{place}.exact"),
            graded=_counts(parts.part("graded"), f"{place}.graded"),
            verbatim=_counts(parts.part("verbatim"), f"{place}.verbatim"),
            columns=tuple(
                (str(name), _counts(counts, f"{place}.columns.{name}"))
                for name, counts in _pairs(parts, "columns", place)
            ),
            signature=parts.text("signature"),
        )


def table_score(
    report: TableSums | None,
    *,
    document: str,
    table: str,
    table_type: str = "",
    tags: Iterable[tuple[str, str]] = (),
    state: State = "scored",
    reason: str = "",
) -> TableScore:
    """What a corpus keeps of a report.

    Where the state is not "scored" the report is that of ``score(gold, None)``, or None where there is no gold
    either; ``reason`` then says what is wrong. A broken or refused prediction never passes.
    """
    nothing = Counts()
    return TableScore(
        document=document,
        table=table,
        table_type=table_type,
        tags=tuple(sorted(set(tags))),
        state=state,
        passed=report is not None and report.passed and state in ("scored", "missing"),
        reason=reason or (report.first_reason if report else ""),
        rows=report.rows if report else nothing,
        row_accuracy=report.row_accuracy if report else None,
        exact=report.exact if report else nothing,
        graded=report.graded if report else nothing,
        verbatim=report.verbatim if report else nothing,
        columns=report.columns if report else (),
        signature=report.signature if report else "",
    )


@dataclass(frozen=True)
class DocumentScore:
    """The tables of one document, in the order of their names."""

    name: str
    tables: tuple[TableScore, ...]

    @property
    def exact(self) -> Counts:
        """The sum of the exact counts."""
        return total(table.exact for table in self.tables)

    @property
    def completed(self) -> bool:
        """Whether every table has a prediction that was scored."""
        return all(table.state == "scored" for table in self.tables)

    @property
    def passed(self) -> bool | None:
        """Whether every table meets its acceptance rule; None where there is nothing to pass or to fail."""
        if self.completed and all(is_empty(table) for table in self.tables):
            return None
        return all(table.passed for table in self.tables)


@dataclass(frozen=True)
class Corpus:
    """The scores of many tables, sorted by document and table; made by ``corpus``, ``merge`` and ``from_json``.

    The headline is micro over all tables, a table without prediction counting as missed (policy "zero").
    """

    tables: tuple[TableScore, ...]

    @cached_property
    def documents(self) -> tuple[DocumentScore, ...]:
        """The documents by name."""
        grouped = groupby(self.tables, key=lambda table: table.document)
        return tuple(DocumentScore(name, tuple(tables)) for name, tables in grouped)

    @cached_property
    def zero(self) -> Pooled:
        """The sums over all tables: what has no prediction is missed."""
        return pooled(self.tables)

    @cached_property
    def exclude(self) -> Pooled:
        """The sums over the tables that have a prediction; read it beside ``coverage``."""
        return pooled(table for table in self.tables if table.state == "scored")

    @property
    def coverage(self) -> Rate:
        """The tables that have a prediction, out of all."""
        return Rate(sum(table.state == "scored" for table in self.tables), len(self.tables))

    @cached_property
    def exact(self) -> Counts:
        """The sum of the exact counts over all tables."""
        return total(table.exact for table in self.tables)

    @cached_property
    def rows(self) -> Counts:
        """The sum of the rows over all tables."""
        return total(table.rows for table in self.tables)

    @property
    def completion(self) -> Rate:
        """The documents of which every table has a prediction, out of all."""
        return Rate(sum(document.completed for document in self.documents), len(self.documents))

    @property
    def pass_rate(self) -> Rate:
        """The documents of which every table meets its acceptance rule, out of those with anything to score."""
        flags = [
            (table.passed, table.state == "scored", not table.exact.predicted and not table.exact.expected)
            for table in self.tables
        ]
        passed, completed, empty = self._by_document(np.logical_and, np.array(flags, dtype=bool).reshape(-1, 3)).T
        judged = ~(completed & empty)
        return Rate(int((passed & judged).sum()), int(judged.sum()))

    @property
    def failures(self) -> tuple[TableScore, ...]:
        """The tables without a prediction, each with its reason."""
        return tuple(table for table in self.tables if table.state != "scored")

    @cached_property
    def fields(self) -> Mapping[tuple[str, str], Counts]:
        """The sums of the exact counts by table type and column."""
        found: dict[tuple[str, str], list[Counts]] = {}
        for table in self.tables:
            for name, counts in table.columns:
                found.setdefault((table.table_type, name), []).append(counts)
        return {key: total(counts) for key, counts in sorted(found.items())}

    @property
    def macro_documents(self) -> Macro:
        """The mean over documents of the F1 of their summed cells."""
        return mean(document.exact.f1 for document in self.documents)

    @property
    def macro_fields(self) -> Macro:
        """The mean over fields of the F1 of their summed cells."""
        return mean(counts.f1 for counts in self.fields.values())

    @property
    def intervals(self) -> Mapping[str, Interval]:
        """The 95 % intervals of micro "precision", "recall" and "f1" by document (``corpus_intervals``)."""
        return {str(ratio): found for ratio, found in corpus_intervals(self._exact).items()}

    @property
    def f1_interval(self) -> Interval:
        """The 95 % interval of micro F1 by document."""
        return logit_t_interval(ratio_parts(self._exact))

    @cached_property
    def _exact(self) -> NDArray[np.float64]:
        """The exact counts of each document; they are whole, so that their sums are exact in any order."""
        return np.asarray(self._by_document(np.add, counted(table.exact for table in self.tables)), dtype=np.float64)

    def _by_document(self, join: np.ufunc, numbers: NDArray[Any]) -> NDArray[Any]:
        """The rows of the tables of each document joined, in the order of the documents."""
        if not self.tables:
            return numbers
        names = [table.document for table in self.tables]
        starts = [at for at, name in enumerate(names) if not at or name != names[at - 1]]
        return np.asarray(join.reduceat(numbers, starts))

    @property
    def tag_names(self) -> tuple[str, ...]:
        """The names of all tags that any table has, sorted."""
        return tuple(sorted({name for table in self.tables for name, _ in table.tags}))

    def by(self, name: str) -> Mapping[str, Corpus]:
        """The part of the corpus for each value of "document", "table_type" or a tag, "" being those without.

        A table with two values of a tag is in two parts.
        """
        if name not in self._parts:
            parts: dict[str, list[TableScore]] = {}
            for table in self.tables:
                for value in table.values(name):
                    parts.setdefault(value, []).append(table)
            self._parts[name] = {value: Corpus(tuple(tables)) for value, tables in sorted(parts.items())}
        return self._parts[name]

    @cached_property
    def _parts(self) -> dict[str, Mapping[str, Corpus]]:
        """What ``by`` has worked out."""
        return {}

    def summary(self) -> dict[str, Any]:
        """All figures as a plain mapping, without the single tables and without parts."""
        return {
            "documents": len(self.documents),
            "pass_rate": self.pass_rate.to_json(),
            "completion": self.completion.to_json(),
            "coverage": self.coverage.to_json(),
            "zero": self.zero.to_json(),
            "exclude": self.exclude.to_json(),
            "intervals": {name: interval.to_json() for name, interval in self.intervals.items()},
            "macro_documents": self.macro_documents.to_json(),
            "macro_fields": self.macro_fields.to_json(),
            "fields": [
                {"table_type": kind, "field": name, **counts.to_json()} for (kind, name), counts in self.fields.items()
            ],
            "failures": [
                {"document": table.document, "table": table.table, "state": table.state, "reason": table.reason}
                for table in self.failures
            ],
        }

    def to_json(self, *, by: Sequence[str] | None = None) -> dict[str, Any]:
        """The summary, that of each part (by table type and every tag, unless named), and all tables."""
        names = ("table_type", *self.tag_names) if by is None else by
        parts = {name: {value: part.summary() for value, part in self.by(name).items()} for name in names}
        return {**self.summary(), "by": parts, "tables": [table.to_json() for table in self.tables]}


def corpus(tables: Iterable[TableScore]) -> Corpus:
    """The corpus of these tables in whatever order they come; raises ValueError where two have the same name."""
    ordered = sorted(tables, key=lambda table: (table.document, table.table))
    for one, other in pairwise(ordered):
        if (one.document, one.table) == (other.document, other.table):
            raise ValueError(
                f"table {one.table!r} of document {one.document!r} is there twice, expected each table once; "
                "look for a part that was merged with itself"
            )
    return Corpus(tuple(ordered))


def merge(one: Corpus, other: Corpus) -> Corpus:
    """Both together; associative and commutative, to the last bit of every sum.

    Sums are made from the sorted tables each time, never from sums. Raises ValueError where a table is in both.
    """
    return corpus((*one.tables, *other.tables))


def from_json(value: object) -> Corpus:
    """The corpus that ``Corpus.to_json`` wrote, of which only "tables" is read; raises ValueError."""
    entries = Parts(value, "corpus").entries("tables")
    return corpus(TableScore.from_json(entry, f"tables[{at}]") for at, entry in enumerate(entries))


def _plain(counts: Counts) -> list[float]:
    return [counts.matched, counts.predicted, counts.expected]


def _counts(value: object, place: str) -> Counts:
    usable = isinstance(value, list) and len(value) == 3 and all(type(number) in (int, float) for number in value)
    if not usable:
        raise ValueError(f"{place} is {value!r}, expected three numbers: matched, predicted, expected")
    return Counts(*value)  # type: ignore[misc]


def _pairs(parts: Parts, name: str, place: str) -> Sequence[Any]:
    entries = parts.entries(name)
    if not all(isinstance(entry, list) and len(entry) == 2 for entry in entries):
        raise ValueError(f"{place}.{name} is {entries!r}, expected a list of pairs")
    return entries
