"""Checks of a quality sample: who may look at which cell, what they found, and what the error of accepted cells is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from sqlite_utils import Database

from scoring.confidence.badges import Level
from scoring.statistics.stratified import ErrorRate, Stratum, error_rate, stratified_error_rate
from store import hiding, seeded
from store.activity import QUALITY, recorded
from store.audit import note_hourly
from store.blind_rows import HIDES_FIRST
from store.comments import LONGEST_TEXT, NewComment, add_comments
from store.db import Db, NotFound, StoreError, insert, now, row
from store.quality_sample import Sample
from store.rights import expect_right
from store.work_time import credits_of

Verdict = Literal["right", "wrong", "cannot tell", ""]

# The newest check of each cell; one that was taken back says nothing.
_CELLS = """select c.*, q.verdict, q.seen, q.reason, q.person from quality_cell c
left join quality_check q on q.cell = c.id
    and q.rowid = (select max(rowid) from quality_check where cell = c.id) and q.verdict <> ''"""

# Whoever keyed a table, or a second time, or accepted it, is not asked whether it is right.
_ANSWERED = """select gold from edit where person = :person
union select gold from verdict where verdict = 'accept' and person = :person
union select p.gold from second_pass p join edit e on e.gold = p.keyed where e.person = :person
union select p.gold from second_pass p where p.person = :person"""


@dataclass(frozen=True)
class Checked:
    """What somebody found of a cell: ``seen`` is what the page reads where the accepted value is wrong."""

    verdict: Verdict
    seen: str | None
    reason: str
    person: str


@dataclass(frozen=True)
class SampledCell:
    """A cell as it was accepted when it was drawn: its place by lasting ids, in words, and on the page.

    ``box`` is the page and [x0, y0, x1, y1] in fractions; of a cell without one ``near`` is the page and the height of
    its row, and ``expected`` the box where row and column meet.
    """

    id: int
    gold: int
    row_id: str
    col_id: str
    level: Level
    text: str
    column: str
    label: str
    box: tuple[float, ...] | None
    near: tuple[float, ...] | None
    expected: tuple[float, ...] | None
    checked: Checked | None


@dataclass(frozen=True)
class ToCheck:
    """The cells that a person is asked about, in the order of the draw, with those that they have checked.

    ``others`` is how many are left for other people: the person answered for their tables, or is not to see them now.
    """

    cells: tuple[SampledCell, ...]
    others: int


@dataclass(frozen=True)
class Quality:
    """The measured error of accepted cells: of all together, and of each band; and the active time of the checks."""

    sample: Sample
    whole: ErrorRate
    bands: tuple[ErrorRate, ...]
    active_ms: int

    @property
    def looked_at(self) -> int:
        """The cells that somebody has looked at, whatever they found."""
        return self.whole.checked + self.whole.unclear

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        drawn = {band.level: band.drawn for band in self.sample.bands}
        bands = [{**rate.to_json(), "drawn": drawn[rate.name]} for rate in self.bands]  # type: ignore[index]
        told = {"id": self.sample.id, "project": self.sample.project, "seed": self.sample.seed}
        by = {"drawn_by": self.sample.drawn_by, "drawn_at": self.sample.drawn_at, "drawn": self.sample.drawn}
        return {**told, **by, "active_ms": self.active_ms, "whole": self.whole.to_json(), "bands": bands}


def to_check(reader: Database, of: Sample, *, person: str) -> ToCheck:
    """The cells of a sample that this person may check now; raises NotAllowed."""
    expect_right(reader, person, "check")
    closed = _closed(reader, person)
    planted = seeded.cells_waiting(reader)
    cells, others = [], 0
    for entry in reader.query(f"{_CELLS} where c.sample = ? order by c.id", (of.id,)):
        open_to_them = entry["gold"] not in closed and (entry["gold"], entry["row_id"], entry["col_id"]) not in planted
        if open_to_them and entry["person"] in (None, person):
            cells.append(_cell(entry))
        elif entry["verdict"] is None:
            others += 1
    return ToCheck(tuple(cells), others)


def add_check(
    db: Db, cell: int, *, id: str, verdict: Verdict, person: str, seen: str | None = None, reason: str = ""
) -> None:
    """Keep what a person found of a cell, or, with the verdict "", that they take it back; the same id once.

    What is wrong begins a thread of comments at the cell; gold stays as it is. Raises NotFound, NotAllowed, Withheld
    and StoreError, also where somebody else has checked the cell.
    """
    if verdict not in get_args(Verdict):
        raise StoreError(f"verdict {verdict!r}, expected right, wrong, cannot tell, or nothing to take it back")
    if len(reason) + len(seen or "") > LONGEST_TEXT // 2:
        raise StoreError(f"value and reason together have more than {LONGEST_TEXT // 2:,} characters")
    with db.write() as writer:
        expect_right(writer, person, "check")
        if row(writer, "select 1 from quality_check where id = ?", (id,)) is not None:
            return
        entry = row(writer, f"{_CELLS} where c.id = ?", (cell,))
        if entry is None:
            raise NotFound(f"cell {cell} of a quality sample: there is none with this number in the database")
        _expect_open(writer, entry, person)
        if verdict == "wrong":
            if seen is None or (seen.split() == str(entry["text"]).split() and not reason.strip()):
                raise StoreError("wrong: tell what the page reads, or why the accepted value is wrong all the same")
        elif seen is not None:
            raise StoreError(f"{verdict or 'taken back'}: a value that was seen goes with wrong only")
        stored = {"cell": cell, "verdict": verdict, "seen": seen, "reason": reason, "person": person, "at": now()}
        before = row(writer, "select id, verdict from quality_check where cell = ? order by rowid desc", (cell,))
        insert(writer, "quality_check", {"id": id, **stored})
        if before and before["verdict"] == "wrong":
            _say(db, entry, before["id"], f"{id} resolves", "resolve", "", person)
        if verdict == "wrong":
            _say(db, entry, id, _thread(id), "comment", _found(entry["text"], seen or "", reason), person)
        note_hourly(db, writer, person, "checked cells of", f"table {entry['gold']}")


def quality(reader: Database, of: Sample) -> Quality:
    """The error rate of the accepted cells of a sample, as they were when it was drawn, as far as they were checked."""
    found = Counter(
        (entry["level"], entry["verdict"]) for entry in reader.query(f"{_CELLS} where c.sample = ?", (of.id,))
    )
    strata = [
        Stratum(
            band.level,
            band.population,
            found[band.level, "right"],
            found[band.level, "wrong"],
            found[band.level, "cannot tell"],
        )
        for band in of.bands
    ]
    rates = tuple(error_rate(stratum) for stratum in strata)
    return Quality(of, stratified_error_rate(strata), rates, _active_ms(reader, of))


def _active_ms(reader: Database, of: Sample) -> int:
    """The time spent on a sample: what was spent on checks of its tables until the next one was drawn."""
    until = row(
        reader, "select min(drawn_at) as at from quality_sample where project = ? and id > ?", (of.project, of.id)
    )
    found = recorded(
        reader,
        where="phase = ? and gold.id in (select gold from quality_cell where sample = ?) "
        "and activity.stored_at >= ? and (? is null or activity.stored_at < ?)",
        values=(QUALITY, of.id, of.drawn_at, *[until and until["at"]] * 2),
    )
    return sum(credit.active_ms for credit in credits_of(found).values())


def _closed(reader: Database, person: str) -> frozenset[int]:
    """The tables of which this person is asked nothing."""
    answered = {key for (key,) in reader.execute(_ANSWERED, {"person": person})}
    blind = {key for (key,) in reader.execute(f"select g.id from gold g where {HIDES_FIRST}")}
    return hiding.withheld(reader, person) | answered | blind


def _expect_open(reader: Database, entry: Mapping[str, Any], person: str) -> None:
    hiding.expect_shown(reader, entry["gold"], person)
    if entry["gold"] in _closed(reader, person):
        raise StoreError("You keyed or accepted this table yourself: somebody else has to check it.")
    if entry["person"] not in (None, person):
        raise StoreError(f"{entry['person']} has checked this cell in the meantime.")


def _thread(check: str) -> str:
    return f"{check} found"


def _say(
    db: Db, entry: Mapping[str, Any], check: str, id: str, kind: Literal["comment", "resolve"], text: str, person: str
) -> None:
    said = NewComment(id, kind, text, thread=_thread(check), row_id=entry["row_id"], col_id=entry["col_id"])
    add_comments(db, entry["gold"], [said], person=person)


def _found(accepted: str, seen: str, reason: str) -> str:
    told = f"Quality check: accepted is {_quoted(accepted)}, the page reads {_quoted(seen)}."
    return f"{told} {reason.strip()}".rstrip()


def _quoted(text: str) -> str:
    return f"\u201c{text}\u201d" if text.strip() else "nothing"


def _cell(entry: Mapping[str, Any]) -> SampledCell:
    place = json.loads(entry["place"])
    checked = entry["verdict"] and Checked(entry["verdict"], entry["seen"], entry["reason"], entry["person"])
    return SampledCell(
        id=entry["id"],
        gold=entry["gold"],
        row_id=entry["row_id"],
        col_id=entry["col_id"],
        level=entry["level"],
        text=entry["text"],
        column=place["column"],
        label=place["label"],
        **{name: place[name] and tuple(place[name]) for name in ("box", "near", "expected")},
        checked=checked or None,
    )
