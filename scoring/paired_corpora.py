"""Two extractors over the same documents: what differs in all, by field, by document, and what chance explains."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

from scoring.corpus import Corpus, DocumentScore
from scoring.counts import Counts
from scoring.report import EXTRA_COLUMN
from scoring.statistics.comparison import Comparison, McNemar, compare, mcnemar
from scoring.statistics.intervals import Ratio
from scoring.statistics.multiple_tests import benjamini_hochberg, holm
from scoring.sums import Rate, total

Flip = Literal["better", "worse", ""]

ALPHA = 0.05
"""Below this an adjusted p-value is told as a difference."""
FEWEST_DOCUMENTS = math.floor(math.log2(2 / ALPHA)) + 1
"""With fewer documents in common no p-value can be below ALPHA."""


@dataclass(frozen=True, slots=True)
class FieldPair:
    """One field (a column of a table type) on both sides, repeats added up.

    ``holm`` and ``benjamini_hochberg`` are the p-value of its difference in F1, adjusted over all fields: the
    first for a gate ("did any field get worse?"), the second for a list to look at. None where no p-value is.
    """

    table_type: str
    field: str
    a: Counts
    b: Counts
    comparison: Comparison
    holm: float | None
    benjamini_hochberg: float | None

    @property
    def regressed(self) -> bool:
        """Whether B is worse than A by more than chance explains, all fields considered (Holm, 5 %)."""
        lower = self.comparison.difference is not None and self.comparison.difference < 0
        return lower and self.holm is not None and self.holm < ALPHA

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return {
            "table_type": self.table_type,
            "field": self.field,
            "a": self.a.to_json(),
            "b": self.b.to_json(),
            "comparison": self.comparison.to_json(),
            "holm": self.holm,
            "benjamini_hochberg": self.benjamini_hochberg,
            "regressed": self.regressed,
        }


@dataclass(frozen=True, slots=True)
class DocumentPair:
    """One document on both sides: its exact counts, repeats added up, and whether it passes in every repeat."""

    name: str
    a: Counts
    b: Counts
    passed_a: bool | None
    passed_b: bool | None

    @property
    def flip(self) -> Flip:
        """Where only B passes it is "better", where only A does "worse", else ""."""
        if self.passed_a is None or self.passed_a == self.passed_b:
            return ""
        return "worse" if self.passed_a else "better"

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return {
            "document": self.name,
            "a": self.a.to_json(),
            "b": self.b.to_json(),
            "passed_a": self.passed_a,
            "passed_b": self.passed_b,
            "flip": self.flip,
        }


@dataclass(frozen=True)
class PairedCorpora:
    """B against A over the documents that both have; ``only_a`` and ``only_b`` are those that are left out.

    ``headline`` holds the paired comparison of micro precision, recall and F1; ``passes`` is McNemar's test over
    documents. ``repeats`` is how many runs stand behind A and B.
    """

    headline: Mapping[Ratio, Comparison]
    passes: McNemar
    fields: tuple[FieldPair, ...]
    documents: tuple[DocumentPair, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    repeats: tuple[int, int]

    @property
    def pass_rates(self) -> tuple[Rate, Rate]:
        """The documents that pass in A and in B, out of those with anything to score."""
        judged = [pair for pair in self.documents if pair.passed_a is not None and pair.passed_b is not None]
        a, b = sum(bool(pair.passed_a) for pair in judged), sum(bool(pair.passed_b) for pair in judged)
        return Rate(a, len(judged)), Rate(b, len(judged))

    @property
    def flipped(self) -> tuple[DocumentPair, ...]:
        """The documents that pass on one side only, those that got worse first."""
        return tuple(sorted((pair for pair in self.documents if pair.flip), key=lambda pair: pair.flip, reverse=True))

    @property
    def regressions(self) -> tuple[str, ...]:
        """Why B is worse than A, one sentence each: F1 in all, and each field that regressed."""
        found = []
        f1 = self.headline["f1"]
        if f1.difference is not None and f1.difference < 0 and f1.p_value is not None and f1.p_value < ALPHA:
            found.append(
                f"cell F1 fell by {-f1.difference * 100:.1f} points (p = {f1.p_value:.3g}, swap test over documents)"
            )
        for pair in self.fields:
            if pair.regressed and pair.comparison.difference is not None:
                name = f"{pair.table_type} · {pair.field}" if pair.table_type else pair.field
                found.append(
                    f"field {name} fell by {-pair.comparison.difference * 100:.1f} points (p = {pair.holm:.3g}, Holm)"
                )
        return tuple(found)

    @property
    def undecidable(self) -> str:
        """Why no difference, however large, could be told from chance; "" where one could.

        Swapping the sides of n documents gives no p-value below 2 / 2^n, so that six are the fewest for ALPHA.
        """
        if not self.documents or 2 / 2 ** len(self.documents) < ALPHA:
            return ""
        return f"Too few documents to tell: {len(self.documents)}, expected at least {FEWEST_DOCUMENTS}"

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        a, b = self.pass_rates
        return {
            "repeats": list(self.repeats),
            "headline": {str(ratio): found.to_json() for ratio, found in self.headline.items()},
            "pass_rate": {"a": a.to_json(), "b": b.to_json(), "mcnemar": self.passes.to_json()},
            "fields": [pair.to_json() for pair in self.fields],
            "documents": [pair.to_json() for pair in self.documents],
            "only_a": list(self.only_a),
            "only_b": list(self.only_b),
            "regressions": list(self.regressions),
            "undecidable": self.undecidable,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """What ``to_json`` wrote; raises KeyError or TypeError where it is something else."""
        return cls(
            headline={ratio: Comparison(**value["headline"][ratio]) for ratio in get_args(Ratio)},
            passes=McNemar(**value["pass_rate"]["mcnemar"]),
            fields=tuple(
                FieldPair(
                    entry["table_type"],
                    entry["field"],
                    _counts(entry["a"]),
                    _counts(entry["b"]),
                    Comparison(**entry["comparison"]),
                    entry["holm"],
                    entry["benjamini_hochberg"],
                )
                for entry in value["fields"]
            ),
            documents=tuple(
                DocumentPair(
                    entry["document"],
                    _counts(entry["a"]),
                    _counts(entry["b"]),
                    entry["passed_a"],
                    entry["passed_b"],
                )
                for entry in value["documents"]
            ),
            only_a=tuple(value["only_a"]),
            only_b=tuple(value["only_b"]),
            repeats=(value["repeats"][0], value["repeats"][1]),
        )


def paired(a: Sequence[Corpus], b: Sequence[Corpus]) -> PairedCorpora:
    """B against A, each given as the corpora of its repeats (at least one), paired by the name of the document.

    A document counts where every repeat of both sides has it; a table without a prediction counts as missed.
    The fields come worst difference first. Repeats of a document are averaged first, as they are no further documents
    (``compare``). Raises ValueError where a side has no corpus.
    """
    if not a or not b:
        raise ValueError(f"{len(a)} corpora of A and {len(b)} of B, expected at least one of each")
    sides = [[{document.name: document for document in corpus.documents} for corpus in side] for side in (a, b)]
    has = [set.intersection(*(set(repeat) for repeat in side)) for side in sides]
    names = sorted(has[0] & has[1])
    documents = [[[repeat[name] for repeat in side] for name in names] for side in sides]
    counts = [
        {name: [one.exact for one in found] for name, found in zip(names, side, strict=True)} for side in documents
    ]
    pairs = tuple(
        DocumentPair(name, total(counts[0][name]), total(counts[1][name]), _passed(one), _passed(other))
        for name, one, other in zip(names, *documents, strict=True)
    )
    flips = [pair.flip for pair in pairs]
    return PairedCorpora(
        headline={ratio: compare(*counts, ratio=ratio) for ratio in get_args(Ratio)},
        passes=mcnemar(flips.count("worse"), flips.count("better")),
        fields=_fields(names, documents),
        documents=pairs,
        only_a=tuple(sorted(has[0] - has[1])),
        only_b=tuple(sorted(has[1] - has[0])),
        repeats=(len(a), len(b)),
    )


def _counts(value: Mapping[str, Any]) -> Counts:
    return Counts(value["matched"], value["predicted"], value["expected"])


def _points(difference: float) -> str:
    return f"{abs(difference) * 100:.1f} points"


def _passed(repeats: Sequence[DocumentScore]) -> bool | None:
    verdicts = [document.passed for document in repeats]
    known = [verdict for verdict in verdicts if verdict is not None]
    return all(known) if known else None


def _fields(names: Sequence[str], documents: Sequence[Sequence[Sequence[DocumentScore]]]) -> tuple[FieldPair, ...]:
    by_field = [[[_by_field(repeat) for repeat in repeats] for repeats in side] for side in documents]
    known = sorted({key for side in by_field for repeats in side for found in repeats for key in found})
    nothing = Counts()
    made = []
    # Extra columns count in the headline. They are no fields of gold: which is which differs from run to run.
    for key in (key for key in known if not key[1].startswith(EXTRA_COLUMN)):
        runs = [
            {name: [found.get(key, nothing) for found in repeats] for name, repeats in zip(names, side, strict=True)}
            for side in by_field
        ]
        one, other = (total(counts for repeats in side.values() for counts in repeats) for side in runs)
        made.append((key, one, other, compare(*runs)))
    p_values = [found.p_value for *_, found in made]
    adjusted = zip(made, holm(p_values), benjamini_hochberg(p_values), strict=True)
    fields = [FieldPair(*key, one, other, found, gate, listed) for (key, one, other, found), gate, listed in adjusted]
    return tuple(sorted(fields, key=_worst_first))


def _by_field(document: DocumentScore) -> Mapping[tuple[str, str], Counts]:
    found: dict[tuple[str, str], Counts] = {}
    for table in document.tables:
        for name, counts in table.columns:
            key = (table.table_type, name)
            found[key] = found[key] + counts if key in found else counts
    return found


def _worst_first(pair: FieldPair) -> tuple[bool, float, str, str]:
    difference = pair.comparison.difference
    return difference is None, difference or 0.0, pair.table_type, pair.field
