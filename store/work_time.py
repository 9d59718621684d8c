"""Work time: what the stored stretches add up to, by table, person, phase and cell; no instant of a person twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from sqlite_utils import Database

from scoring.effort.work_intervals import CUTOFF_MS, Credit, credited
from store.activity import QUALITY, Recorded, recorded
from store.gold import Base
from store.worked_cells import CORRECTED


@dataclass(frozen=True)
class CorrectionTime:
    """Time spent on a gold table in milliseconds, all people together; each moment of a person counts once.

    ``measured`` is false where nobody worked on the table here (imported gold): then 0 says nothing.
    """

    active_ms: int = 0
    idle_ms: int = 0
    hidden_ms: int = 0
    waiting_ms: int = 0
    load_ms: int = 0
    by_phase: Mapping[str, int] = field(default_factory=dict)
    by_person: Mapping[str, int] = field(default_factory=dict)

    @property
    def measured(self) -> bool:
        """Whether any work was recorded."""
        return bool(self.by_person)


@dataclass(frozen=True)
class CellTime:
    """How long one person had one cell in focus, what they did to it, and how its first value was wrong.

    ``column`` is "" where the cell is gone by now; ``page`` is None there, and where it has no box.
    """

    column: str
    page: int | None
    done: str
    error: str
    active_ms: int


@dataclass(frozen=True)
class Work:
    """The work of one person on one gold table; ``by_cutoff`` has the active time of each phase under each cut-off."""

    gold: int
    project: str
    document: str
    table: str
    table_type: str
    base: Base
    person: str
    is_accepted: bool
    by_cutoff: Mapping[int, Mapping[str, int]]
    time: CorrectionTime
    cells: tuple[CellTime, ...]
    last_ms: int

    @property
    def corrected_cells(self) -> int:
        """The cells whose text this person changed, as far as time was measured on them."""
        return sum(cell.done == CORRECTED for cell in self.cells)


def correction_time(reader: Database, key: int, *, cutoff_ms: int = CUTOFF_MS) -> CorrectionTime:
    """The time that all people spent on one gold table."""
    own = recorded(reader, where="gold.id = ? and phase <> ?", values=(key, QUALITY))
    found = list(own)
    for person in {entry.person for entry in own}:
        mine = [entry.stretch for entry in own if entry.person == person]
        span = (min(one.began_ms for one in mine), max(one.began_ms + one.elapsed_ms for one in mine))
        found += recorded(
            reader,
            where="activity.person = ? and (gold.id <> ? or phase = ?) and began_ms < ? "
            "and began_ms + active_ms + idle_ms + hidden_ms + waiting_ms > ?",
            values=(person, key, QUALITY, span[1], span[0]),
        )
    return summed(own, credits_of(found, cutoff_ms=cutoff_ms))


def credits_of(found: Iterable[Recorded], *, cutoff_ms: int = CUTOFF_MS) -> dict[str, Credit]:
    """What counts of each stretch, by its id; people count apart."""
    people: dict[str, list[Recorded]] = {}
    for entry in found:
        people.setdefault(entry.person, []).append(entry)
    return {
        name: credit
        for own in people.values()
        for name, credit in credited((entry.stretch for entry in own), cutoff_ms=cutoff_ms).items()
    }


def summed(found: Sequence[Recorded], credit: Mapping[str, Credit]) -> CorrectionTime:
    """The time of some stretches, each as far as it counts."""
    by_phase: dict[str, int] = {}
    by_person: dict[str, int] = {}
    for entry in found:
        active, phase = credit[entry.activity.id].active_ms, entry.activity.phase
        by_phase[phase] = by_phase.get(phase, 0) + active
        by_person[entry.person] = by_person.get(entry.person, 0) + active
    own = [credit[entry.activity.id] for entry in found]
    return CorrectionTime(
        active_ms=sum(one.active_ms for one in own),
        idle_ms=sum(one.idle_ms for one in own),
        hidden_ms=sum(one.hidden_ms for one in own),
        waiting_ms=sum(one.waiting_ms for one in own),
        load_ms=sum(entry.activity.load_ms for entry in found),
        by_phase=by_phase,
        by_person=by_person,
    )


def daily(reader: Database, person: str) -> dict[date, int]:
    """The active time of a person by the day, in this machine's zone, on which its stretches began."""
    own = recorded(reader, where="activity.person = ?", values=(person,))
    credit = credits_of(own)
    days: dict[date, int] = {}
    for entry in own:
        day = datetime.fromtimestamp(entry.began_ms / 1000).date()
        days[day] = days.get(day, 0) + credit[entry.activity.id].active_ms
    return days


def spent_on_cells(
    own: Sequence[Recorded], credit: Mapping[str, Credit], *, cutoff_ms: int = CUTOFF_MS
) -> dict[tuple[str, str], float]:
    """How many milliseconds the stretches of one person on one table were spent on each cell, by its ids, above 0."""
    spent: dict[tuple[str, str], float] = {}
    for entry in own:
        share = credit[entry.activity.id].share
        for row_id, col_id, ms in entry.activity.cells:
            spent[row_id, col_id] = spent.get((row_id, col_id), 0.0) + ms * share
        for pause in entry.activity.pauses or ():
            begin, end = pause.excess(cutoff_ms)
            if pause.cell is not None and begin < end:
                spent[pause.cell] = spent.get(pause.cell, 0.0) - (end - begin) * share
    return {cell: ms for cell, ms in spent.items() if ms > 0}
