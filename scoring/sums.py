"""The sums and the means of many scored tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from scoring.counts import Counts, ratio
from scoring.statistics.proportions import proportion_interval


class _Scored(Protocol):
    """What sums are made of: a ``Report``, or a ``TableScore``, which is the part of it that a corpus keeps."""

    @property
    def rows(self) -> Counts: ...
    @property
    def row_accuracy(self) -> float | None: ...
    @property
    def exact(self) -> Counts: ...
    @property
    def graded(self) -> Counts: ...
    @property
    def verbatim(self) -> Counts: ...
    @property
    def columns(self) -> tuple[tuple[str, Counts], ...]: ...
    @property
    def passed(self) -> bool: ...
    @property
    def signature(self) -> str: ...


@dataclass(frozen=True)
class Macro:
    """A plain mean of ratios, 0..1, and of how many; None where none has a value. What it is over is said beside."""

    mean: float | None
    units: int

    def to_json(self) -> dict[str, Any]:
        """A plain mapping of both."""
        return {"mean": self.mean, "units": self.units}


@dataclass(frozen=True, slots=True)
class Rate:
    """``count`` units out of ``of``."""

    count: int
    of: int

    @property
    def share(self) -> float | None:
        """count / of, 0..1; None for 0/0."""
        return ratio(self.count, self.of)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The two-sided 95 % Wilson interval, both ends 0..1; None for 0/0 (``proportion_interval``)."""
        return proportion_interval(self.count, self.of)

    def to_json(self) -> dict[str, Any]:
        """Counts, share and interval."""
        low, high = self.interval or (None, None)
        return {"count": self.count, "of": self.of, "share": self.share, "low": low, "high": high}


@dataclass(frozen=True)
class Pooled:
    """Sums over tables: micro counts, so that large tables weigh more; macro means over tables weigh all alike.

    ``empty`` are tables where nothing was expected and nothing predicted; they pass, and are in no
    mean. ``columns`` are micro counts by the name of the schema column.
    """

    tables: int
    empty: int
    passed: int
    micro_rows: Counts
    micro_exact: Counts
    micro_graded: Counts
    micro_verbatim: Counts
    macro_precision: Macro
    macro_recall: Macro
    macro_f1: Macro
    macro_row_recall: Macro
    macro_row_accuracy: Macro
    columns: tuple[tuple[str, Counts], ...]
    signatures: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """A plain mapping with micro and macro figures under these names."""
        return {
            "tables": self.tables,
            "empty": self.empty,
            "passed": self.passed,
            "micro": {
                "rows": self.micro_rows.to_json(),
                "exact": self.micro_exact.to_json(),
                "graded": self.micro_graded.to_json(),
                "verbatim": self.micro_verbatim.to_json(),
                "columns": {name: counts.to_json() for name, counts in self.columns},
            },
            "macro": {
                "precision": self.macro_precision.to_json(),
                "recall": self.macro_recall.to_json(),
                "f1": self.macro_f1.to_json(),
                "row_recall": self.macro_row_recall.to_json(),
                "row_accuracy": self.macro_row_accuracy.to_json(),
            },
            "signatures": list(self.signatures),
        }


def pooled(scores: Iterable[_Scored]) -> Pooled:
    """The sums over many tables; any number of them, also none."""
    known = list(scores)
    columns: dict[str, Counts] = {}
    for score in known:
        for name, counts in score.columns:
            columns[name] = columns.get(name, Counts()) + counts
    return Pooled(
        tables=len(known),
        empty=sum(is_empty(score) for score in known),
        passed=sum(score.passed for score in known),
        micro_rows=total(score.rows for score in known),
        micro_exact=total(score.exact for score in known),
        micro_graded=total(score.graded for score in known),
        micro_verbatim=total(score.verbatim for score in known),
        macro_precision=mean(score.exact.precision for score in known),
        macro_recall=mean(score.exact.recall for score in known),
        macro_f1=mean(score.exact.f1 for score in known),
        macro_row_recall=mean(score.rows.recall for score in known),
        macro_row_accuracy=mean(score.row_accuracy for score in known),
        columns=tuple(columns.items()),
        signatures=tuple(sorted({score.signature for score in known})),
    )


def is_empty(score: _Scored) -> bool:
    """Whether no cell was expected and none predicted."""
    return not (score.exact.predicted or score.exact.expected)


def total(counts: Iterable[Counts]) -> Counts:
    """The sum of any number of counts."""
    matched: float = 0
    predicted, expected = 0, 0
    for each in counts:  # in one go: sums over 10,000 documents are made for each part that is shown
        matched += each.matched
        predicted += each.predicted
        expected += each.expected
    return Counts(matched, predicted, expected)


def mean(values: Iterable[float | None]) -> Macro:
    """The mean of the ratios that are defined."""
    known = [value for value in values if value is not None]
    return Macro(sum(known) / len(known) if known else None, len(known))
