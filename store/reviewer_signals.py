"""How a person's reviews went, side by side with those of all: where to look, and never a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from sqlite_utils import Database

from store.db import Db
from store.kept_work import work

FEWEST_REVIEWS = 30
# A person stands out whose figure is under half of that of all: they may be right, have easy tables, or not look.
STANDS_OUT = 0.5

# Accepted here for the first time, of tables that began as what was extracted: an edit may be made by somebody else.
_REVIEWS = """select v.gold, v.person,
    (select count(*) from edit e where e.gold = v.gold and e.person = v.person) as edits
from verdict v join first_pass g on g.id = v.gold join document d on d.id = g.document
where v.verdict = 'accept' and g.base = 'extraction' and (:project is null or d.project = :project)
    and not exists (select 1 from blind where blind.gold = g.id)
    and v.rowid = (select min(o.rowid) from verdict o where o.gold = v.gold and o.verdict = 'accept')"""


@dataclass(frozen=True)
class Signal:
    """The reviews of one person, or of all ("").

    ``edited`` is the share of tables with an edit of theirs, 0..1; ``median_ms`` the active time up to acceptance of
    the tables on which time was measured, None where it was on none. ``look`` says what stands out, "" for nothing.
    """

    person: str
    reviews: int
    edited: float
    median_ms: float | None
    look: str = ""

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        return asdict(self)


def signals(
    db: Db, reader: Database, *, project: str | None = None, person: str | None = None
) -> tuple[Signal | None, Sequence[Signal]]:
    """Those of all together, and of each person with at least FEWEST_REVIEWS, or of the one asked for.

    None and nothing where there is no review.
    """
    spent = {(one.gold, one.person): one.time.active_ms for one in work(db, reader, project=project)}
    found: dict[str, list[tuple[bool, int | None]]] = {}
    for entry in reader.query(_REVIEWS, {"project": project}):
        took = spent.get((entry["gold"], entry["person"]))
        found.setdefault(entry["person"], []).append((entry["edits"] > 0, took))
    every = [one for reviews in found.values() for one in reviews]
    if not every:
        return None, ()
    whole = _signal("", every)
    wanted = {
        name: reviews for name, reviews in found.items() if len(reviews) >= FEWEST_REVIEWS and person in (None, name)
    }
    return whole, tuple(_beside(whole, _signal(name, reviews)) for name, reviews in sorted(wanted.items()))


def _signal(name: str, reviews: Sequence[tuple[bool, int | None]]) -> Signal:
    times = [took for _, took in reviews if took is not None]
    edited = sum(was for was, _ in reviews) / len(reviews)
    return Signal(name, len(reviews), edited, median(times) if times else None)


def _beside(whole: Signal, one: Signal) -> Signal:
    told = []
    if one.edited < STANDS_OUT * whole.edited:
        told.append("changes far fewer tables than all do")
    if one.median_ms is not None and whole.median_ms and one.median_ms < STANDS_OUT * whole.median_ms:
        told.append("accepts far quicker than all do")
    return Signal(one.person, one.reviews, one.edited, one.median_ms, " and ".join(told))
