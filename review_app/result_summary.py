"""All that Results shows of some scored documents, worked out once and shared by all who look at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from review_app import result_tables
from review_app.anchoring_line import anchoring_line
from review_app.result_tables import Figure, Rows
from scoring import Counts
from scoring.statistics.anchoring import Anchoring
from store.attempts import Completion
from store.scores import CauseShare, ScoredDocument, cause_shares, corpus_of


@dataclass(frozen=True)
class Summary:
    """Figures and tables of ``documents``; ``named_fields`` are the counts of each field, worst first."""

    documents: tuple[ScoredDocument, ...]
    figures: tuple[Figure, ...]
    caution: str
    anchoring: str
    is_flattered: bool
    parts: Mapping[str, Rows]
    shares: tuple[CauseShare, ...]
    fields: Rows
    named_fields: Sequence[tuple[str, Counts]]
    signatures: Sequence[str]


def summary(
    found: tuple[ScoredDocument, ...],
    completions: Sequence[Completion] = (),
    *,
    address: str,
    anchoring: Anchoring | None = None,
) -> Summary:
    """What there is to tell of some documents; rows of ``parts`` lead to that part of ``address``."""
    corpus = corpus_of(found)
    ordered = sorted(corpus.fields.items(), key=lambda item: (item[1].f1 is None, item[1].f1 or 0.0, item[0]))
    return Summary(
        documents=found,
        figures=tuple(result_tables.headline(found, completions, corpus=corpus)),
        caution=result_tables.caution(found),
        anchoring=anchoring_line(anchoring),
        is_flattered=anchoring is not None and anchoring.is_flattered,
        parts={
            name: result_tables.parts(corpus, name, address=f"{address}&part={quote(name)}&value=")
            for name in result_tables.part_names(corpus)
        },
        shares=cause_shares(found),
        fields=result_tables.fields(corpus),
        named_fields=[(f"{kind} · {name}" if kind else name, counts) for (kind, name), counts in ordered],
        signatures=result_tables.signatures(found),
    )
