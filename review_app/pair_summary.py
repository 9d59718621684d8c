"""What a file of scored pairs adds up to: means and sums per metric, of all pairs and of groups of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.metrics.catalogue import METRICS

# More groups than that are no groups, and must not fill the memory.
MOST_GROUPS = 1000


class TooManyGroupsError(ValueError):
    """A field was named by which there are too many groups."""


@dataclass(slots=True)
class _Values:
    """Some values of a metric: how many there are, their sum, and the sums of their counts."""

    pairs: int = 0
    total: float = 0.0
    counts: list[float] = field(default_factory=list)

    def add(self, value: float, counts: Sequence[float]) -> None:
        self.pairs += 1
        self.total += value
        if counts:
            self.counts = [one + other for one, other in zip(self.counts or [0] * len(counts), counts, strict=True)]

    def to_json(self, name: str) -> dict[str, Any]:
        mean = self.total / self.pairs if self.pairs else None
        return {"pairs": self.pairs, "mean": mean, "micro": METRICS[name].micro(self.counts)}


@dataclass(slots=True)
class _Group:
    """The sums of some of the pairs."""

    pairs: int = 0
    missing: int = 0
    errors: int = 0
    exclude: dict[str, _Values] = field(default_factory=dict)
    zero: dict[str, _Values] = field(default_factory=dict)

    def add(self, scored: Mapping[str, Any]) -> None:
        self.pairs += 1
        self.missing += "missing" in scored
        self.errors += "error" in scored
        for name, counts in scored.get("counts", {}).items():
            if (value := scored[name]) is not None:
                self.exclude.setdefault(name, _Values()).add(headline(value), counts)
            self.zero.setdefault(name, _Values()).add(
                _missed(name, counts) if value is None else headline(value), counts
            )

    def to_json(self, metrics: Sequence[str]) -> dict[str, Any]:
        found = {}
        for name in metrics:
            exclude, zero = self.exclude.get(name, _Values()), self.zero.get(name, _Values())
            found[name] = {
                "reference": METRICS[name].reference,
                "coverage": exclude.pairs / zero.pairs if zero.pairs else None,
                "exclude": exclude.to_json(name),
                "zero": zero.to_json(name),
            }
        return {"pairs": self.pairs, "missing": self.missing, "errors": self.errors, "metrics": found}


class Summary:
    """The sums over scored lines, added in the order of the file; its size does not depend on how many there are.

    Per metric: ``exclude`` is over the pairs that have a score, ``zero`` over those without a prediction or refused
    too, everything in them being missed, and ``coverage`` is the share that has a score. ``mean`` weighs all pairs
    alike (F1 where the metric has one), ``micro`` adds up the counts of all pairs before it divides; pairs of which
    gold alone is too large have none. A line without gold is an error and in none of the figures.
    """

    def __init__(self, metrics: Sequence[str], by: Sequence[str] = ()) -> None:
        self.metrics = tuple(metrics)
        self._all = _Group()
        self._by: dict[str, dict[str, _Group]] = {name: {} for name in by}

    @property
    def pairs(self) -> int:
        """How many lines there are."""
        return self._all.pairs

    @property
    def missing(self) -> int:
        """How many lines have gold and no prediction."""
        return self._all.missing

    @property
    def errors(self) -> int:
        """How many lines could not be scored, or not by each metric."""
        return self._all.errors

    @property
    def without_groups(self) -> tuple[str, ...]:
        """The fields named to group by that no pair has a value of."""
        return tuple(name for name, groups in self._by.items() if not any(groups))

    def add(self, scored: Mapping[str, Any]) -> None:
        """One scored line more. Raises TooManyGroupsError."""
        self._all.add(scored)
        for name, groups in self._by.items():
            value = scored.get("by", {}).get(name, "")
            if value not in groups and len(groups) == MOST_GROUPS:
                raise TooManyGroupsError(
                    f"the pairs have more than {MOST_GROUPS:,} different values of {name!r}, "
                    "expected a field that many pairs share, such as lang"
                )
            groups.setdefault(value, _Group()).add(scored)

    def to_json(self) -> dict[str, Any]:
        """The figures of all pairs, and of each group by field and value; "" are the pairs without the field."""
        by = {
            name: {value: group.to_json(self.metrics) for value, group in sorted(groups.items())}
            for name, groups in self._by.items()
        }
        return {**self._all.to_json(self.metrics), "by": by}


def headline(value: Any) -> float:
    """The one number of a score: F1 where it has precision, recall and F1."""
    return float(value["f1"] if isinstance(value, Mapping) else value)


def _missed(name: str, counts: Sequence[float]) -> float:
    """The value of a pair of which everything was missed; without counts its gold is too large to be measured."""
    if not counts:
        return 1.0 - METRICS[name].equal
    found = METRICS[name].micro(counts)
    return 0.0 if found is None else headline(found)
