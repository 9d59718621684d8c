"""Stretches of measured work as intervals: what counts as active under a cut-off, no instant of a person twice."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

CUTOFF_MS = 120_000
CUTOFFS_MS = (30_000, 60_000, 120_000, 300_000)
# A pause no longer than this is not kept, so that a shorter cut-off cannot be asked for.
SHORTEST_CUTOFF_MS = 5_000

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pause:
    """A piece of time without input inside a stretch: ``since`` is how long the gap had lasted before it."""

    at_ms: int
    length_ms: int
    since_ms: int = 0
    cell: tuple[str, str] | None = None

    def excess(self, cutoff_ms: int) -> Span:
        """The part beyond the cut-off, from the beginning of the stretch; empty where there is none."""
        return (self.at_ms + max(0, min(cutoff_ms - self.since_ms, self.length_ms)), self.at_ms + self.length_ms)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Work of one person in one tab, from ``began_ms`` (milliseconds since 1970 by one clock) on.

    Pauses and absences lie inside it, in order. ``active_ms`` is given only for a stretch whose pauses are not known:
    it then counts so much from its beginning, under any cut-off. ``earliest_ms`` is when work was possible at all.
    """

    id: str
    began_ms: int
    elapsed_ms: int
    pauses: tuple[Pause, ...] = ()
    hidden: tuple[Span, ...] = ()
    waiting: tuple[Span, ...] = ()
    active_ms: int | None = None
    earliest_ms: int = 0


@dataclass(frozen=True, slots=True)
class Credit:
    """What of one stretch counts: no instant that another stretch of the person has already. Milliseconds.

    ``share`` is the part of its own active time that counts; times per cell are to be taken by it.
    """

    active_ms: int
    idle_ms: int
    hidden_ms: int
    waiting_ms: int
    share: float


def active_spans(stretch: Stretch, *, cutoff_ms: int = CUTOFF_MS) -> tuple[Span, ...]:
    """When the person was active, under a cut-off of at least SHORTEST_CUTOFF_MS."""
    if stretch.active_ms is not None:
        return _placed(stretch, [(0, min(stretch.active_ms, stretch.elapsed_ms))])
    gone = [*stretch.hidden, *stretch.waiting, *(pause.excess(cutoff_ms) for pause in stretch.pauses)]
    return _placed(stretch, _without((0, stretch.elapsed_ms), gone))


def credited(stretches: Iterable[Stretch], *, cutoff_ms: int = CUTOFF_MS) -> Mapping[str, Credit]:
    """What counts of each stretch of **one** person, by its id; of two that overlap the earlier one has the instant.

    Active time goes before all other time, waiting before idle, and idle before hidden, so that nobody loses work in
    one tab to another tab that lay open.
    """
    ordered = sorted(stretches, key=lambda one: (one.began_ms, one.id))
    taken = _Taken()
    active: dict[str, int] = {}
    share: dict[str, float] = {}
    spans_of = {one.id: active_spans(one, cutoff_ms=cutoff_ms) for one in ordered}
    for one in ordered:
        own = sum(end - begin for begin, end in spans_of[one.id])
        active[one.id] = taken.take(spans_of[one.id])
        share[one.id] = active[one.id] / own if own else 0.0
    waiting = {one.id: taken.take(_placed(one, one.waiting)) for one in ordered}
    idle = {
        one.id: taken.take(_placed(one, _without((0, one.elapsed_ms), [*one.hidden, *one.waiting]))) for one in ordered
    }
    hidden = {one.id: taken.take(_placed(one, one.hidden)) for one in ordered}
    return {
        one.id: Credit(active[one.id], idle[one.id], hidden[one.id], waiting[one.id], share[one.id]) for one in ordered
    }


def _placed(stretch: Stretch, spans: Iterable[Span]) -> tuple[Span, ...]:
    moved = ((max(stretch.began_ms + begin, stretch.earliest_ms), stretch.began_ms + end) for begin, end in spans)
    return tuple((begin, end) for begin, end in moved if begin < end)


def _without(whole: Span, gone: Sequence[Span]) -> list[Span]:
    left, here = [], whole[0]
    for begin, end in sorted(gone):
        if begin >= end:
            continue
        if begin > here:
            left.append((here, min(begin, whole[1])))
        here = max(here, end)
    if here < whole[1]:
        left.append((here, whole[1]))
    return left


@dataclass(slots=True)
class _Taken:
    """Instants that are counted already, as disjoint spans in order."""

    begins: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def take(self, spans: Iterable[Span]) -> int:
        """Count what is free of the spans; it is taken afterwards."""
        return sum(self._take(begin, end) for begin, end in spans)

    def _take(self, begin: int, end: int) -> int:
        first, last = bisect_left(self.ends, begin), bisect_right(self.begins, end)
        met = list(zip(self.begins[first:last], self.ends[first:last], strict=True))
        overlap = sum(max(0, min(end, other_end) - max(begin, other_begin)) for other_begin, other_end in met)
        whole = (min([begin, *(b for b, _ in met)]), max([end, *(e for _, e in met)]))
        self.begins[first:last], self.ends[first:last] = [whole[0]], [whole[1]]
        return end - begin - overlap
