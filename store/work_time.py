"""Work time: what the stored stretches add up to, by table, person, phase and cell; no instant of a person twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from sqlite_utils import Database

from scoring.effort.work_intervals import CUTOFF_MS, CUTOFFS_MS, Credit, credited
from store import documents, edits, gold
from store.activity import Recorded, recorded
from store.comparison import Comparison, compare
from store.db import Db
from store.edits import Edit, Sheet
from store.gold import Base
from store.queue_entry import column_label

CORRECTED, CONFIRMED, LOOKED_AT = "corrected", "confirmed", "looked at"
AS_EXTRACTED = "as extracted"


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
    active_ms: int
    done: str
    error: str


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
    own = recorded(reader, where="gold.id = ?", values=(key,))
    found = list(own)
    for person in {entry.person for entry in own}:
        mine = [entry.stretch for entry in own if entry.person == person]
        span = (min(one.began_ms for one in mine), max(one.began_ms + one.elapsed_ms for one in mine))
        found += recorded(
            reader,
            where="activity.person = ? and gold.id <> ? and began_ms < ? "
            "and began_ms + active_ms + idle_ms + hidden_ms + waiting_ms > ?",
            values=(person, key, span[1], span[0]),
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


def work(
    db: Db,
    reader: Database,
    *,
    project: str | None = None,
    cutoff_ms: int = CUTOFF_MS,
    cutoffs_ms: Sequence[int] = CUTOFFS_MS,
) -> tuple[Work, ...]:
    """The work of each person on each gold table of a project, or of all, in the order of its beginning.

    Work in other projects is looked at as well, since a person can not work on two tables at once.
    """
    everything = recorded(reader)
    credit = {cutoff: credits_of(everything, cutoff_ms=cutoff) for cutoff in {*cutoffs_ms, cutoff_ms}}
    groups: dict[tuple[int, str], list[Recorded]] = {}
    for entry in everything:
        groups.setdefault((entry.gold, entry.person), []).append(entry)
    found = []
    compared: dict[int, Comparison] = {}
    for (key, person), own in groups.items():
        table = gold.gold(reader, key)
        document = documents.document(reader, table.document)
        if project is not None and document.project != project:
            continue
        comparison = compared.get(key) or compare(db, reader, key)
        compared[key] = comparison
        found.append(
            Work(
                gold=key,
                project=document.project,
                document=document.name,
                table=comparison.label,
                table_type=table.table_type,
                base=table.base,
                person=person,
                is_accepted=comparison.status == "accepted",
                by_cutoff={cutoff: summed(own, counted).by_phase for cutoff, counted in credit.items()},
                time=summed(own, credit[cutoff_ms]),
                cells=_cells(reader, comparison, own, credit[cutoff_ms], person, cutoff_ms),
                last_ms=max(entry.stretch.began_ms + entry.stretch.elapsed_ms for entry in own),
            )
        )
    return tuple(found)


def _cells(
    reader: Database,
    comparison: Comparison,
    own: Sequence[Recorded],
    credit: Mapping[str, Credit],
    person: str,
    cutoff_ms: int,
) -> tuple[CellTime, ...]:
    spent = spent_on_cells(own, credit, cutoff_ms=cutoff_ms)
    done, errors = done_to_cells(reader, comparison.gold.id, person), _errors(comparison) if spent else {}
    sheet = comparison.sheet
    rows = {name: row for row, name in enumerate(sheet.row_ids)}
    cols = {name: col for col, name in enumerate(sheet.col_ids)}
    labels = {name: column_label(comparison, col) for name, col in cols.items()} if spent else {}
    return tuple(
        CellTime(
            column=labels.get(col_id, "") if row_id in rows else "",
            page=_page(sheet, rows.get(row_id), cols.get(col_id)),
            active_ms=round(ms),
            done=done.get((row_id, col_id), LOOKED_AT),
            error=errors.get((rows.get(row_id), cols.get(col_id)), AS_EXTRACTED),
        )
        for (row_id, col_id), ms in spent.items()
    )


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


def done_to_cells(reader: Database, key: int, person: str) -> dict[tuple[str, str], str]:
    """What a person did to each cell that they changed or confirmed, by its ids; what was undone does not count."""
    log = gold.history(reader, key)
    root: dict[str, str] = {}
    stands: dict[str, bool] = {}
    for edit in log:
        origin = root.get(edit.undoes, edit.undoes) if edit.undoes else edit.id
        root[edit.id] = origin
        stands[origin] = not stands.get(origin, False)
    sheets = gold.states(reader, key)
    done: dict[tuple[str, str], str] = {}
    for edit, before in zip(log, sheets, strict=False):
        if edit.person != person or edit.undoes or not stands[edit.id]:
            continue
        for ids, what in _touched(before, edit.edit):
            done[ids] = CORRECTED if CORRECTED in (what, done.get(ids)) else what
    return done


def _touched(before: Sheet, edit: Edit) -> Iterator[tuple[tuple[str, str], str]]:
    """The cells that an edit corrects or confirms, by their ids."""
    match edit:
        case edits.Several(steps):
            for step in steps:
                yield from _touched(before, step)
                before = edits.apply(before, step)
            return
        case edits.SetText(changes):
            sheet, places, what = before, [(change.row, change.col) for change in changes], CORRECTED
        case edits.Mark(marks):
            confirmed = [(change.row, change.col) for change in marks if change.new == "confirmed"]
            sheet, places, what = before, confirmed, CONFIRMED
        case edits.ReplaceCells(_, cells):
            sheet, places, what = before, [(cell.row, cell.col) for cell in cells], CORRECTED
        case edits.Insert(axis, at, ids, cells):
            sheet, inside = edits.apply(before, edit), range(at, at + len(ids))
            where = [(cell.row, cell.col) for cell in cells]
            places, what = [one for one in where if one[0 if axis == "row" else 1] in inside], CORRECTED
        case _:
            return
    yield from (((sheet.row_ids[row], sheet.col_ids[col]), what) for row, col in places)


def _errors(comparison: Comparison) -> dict[tuple[int | None, int | None], str]:
    """How the first value of each gold cell was wrong."""
    found: dict[tuple[int | None, int | None], str] = {}
    for difference in comparison.report.differences:
        if difference.gold_row is None:
            continue
        cols = range(comparison.sheet.table.n_cols) if difference.gold_col is None else [difference.gold_col]
        for col in cols:
            found.setdefault((difference.gold_row, col), difference.kind)
    return found


def _page(sheet: Sheet, row: int | None, col: int | None) -> int | None:
    cell = None if row is None or col is None else sheet.table.at(row, col)
    return cell.box.page if cell and cell.box else None
