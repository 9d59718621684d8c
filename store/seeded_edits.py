"""Edits made on a table that shows seeded errors, put into what gold holds: no seeded value goes with them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlite_utils import Database

from scoring.table import Cell
from store import edit_json, edits, gold, seeded
from store.db import Db, row
from store.edits import (
    Edit,
    EditError,
    Insert,
    Mark,
    MarkChange,
    ReplaceCells,
    SetText,
    Several,
    Sheet,
    Step,
    TextChange,
)
from store.gold import NewEdit
from store.seeded import Outcome, Seed

# Where a person read the value themselves, and did not copy what the table shows.
_OWN = ("typed", "page")


@dataclass
class Met:
    """The errors that some edits met, by what came of each; ``altered``: something was stored otherwise than sent."""

    outcomes: dict[int, tuple[Seed, Outcome, str]] = field(default_factory=dict)
    altered: bool = False


def add_edits(db: Db, key: int, new: Sequence[NewEdit], *, person: str, after: int) -> tuple[int, Met]:
    """Store edits as ``gold.add_edits`` does; a change to a cell that shows an error resolves that and changes nothing.

    The true value comes back in its place: a typed change has caught the error, a confirmation has missed it, any
    other change is neither. What is copied from such a cell to another one is its true value. Raises as
    ``gold.add_edits``; see ``withdraw``.
    """
    met = Met()
    with db.write() as writer:
        seeds = seeded.seeds_of(writer, key)
        if seeds:
            new = _screened(db, writer, key, new, seeds, met)
            for seed, outcome, edit in met.outcomes.values():
                seeded.resolve(writer, [seed.id], outcome, person, edit=edit)
        return gold.add_edits(db, key, new, person=person, after=after), met


def withdraw(db: Db, key: int, refused: Sequence[NewEdit], *, person: str) -> None:
    """Show no more errors on which refused edits rest, so that the next look at the table shows the true values.

    It needs a transaction of its own: that of the edits is taken back.
    """
    sent = json.dumps([edit_json.to_json(one.edit) for one in refused], ensure_ascii=False)
    with db.write() as writer:
        open_ones = [seed for seed in seeded.seeds_of(writer, key) if seed.outcome is None]
        hit = [seed.id for seed in open_ones if json.dumps(seed.shown, ensure_ascii=False)[1:-1] in sent]
        seeded.resolve(writer, hit, "withdrawn", person)


def _screened(
    db: Db, writer: Database, key: int, new: Sequence[NewEdit], seeds: Sequence[Seed], met: Met
) -> list[NewEdit]:
    _, sheet = gold.current(db, writer, key)
    found = []
    for one in new:
        stored = row(writer, "select body from edit where id = ? and gold = ?", (one.id, key))
        if stored is not None:
            if row(writer, "select 1 from seeded_edit where edit = ?", (one.id,)) is not None:
                one = replace(one, edit=edit_json.from_json(json.loads(stored["body"])))
            found.append(one)
            continue
        try:
            edit = _Screen(sheet, seeds, one, met).of(one.edit)
            sheet = edits.apply(sheet, edit)
        except EditError:  # the store refuses it, and all that came with it
            return [*found, *new[len(found) :]]
        if edit != one.edit:
            met.altered = True
            writer.execute("insert into seeded_edit (edit) values (?)", (one.id,))
            one = replace(one, edit=edit)
        found.append(one)
    return found


class _Screen:
    """One edit on its way from the table as shown to the table as it is."""

    def __init__(self, sheet: Sheet, seeds: Sequence[Seed], sent: NewEdit, met: Met) -> None:
        self.sheet = sheet
        self.sent = sent
        self.met = met
        self.copied = sent.source not in _OWN
        self.ever = {seed.shown: seed.truth for seed in seeds}
        self.places = dict(seeded.waiting(sheet, [seed for seed in seeds if seed.id not in met.outcomes]))
        self.done = {seed.place for seed, _, _ in met.outcomes.values()}

    def of(self, edit: Edit) -> Edit:
        match edit:
            case Several(steps):
                made: list[Step] = []
                for step in steps:
                    one = self.of(step)
                    assert not isinstance(one, Several)
                    made.append(one)
                    self.sheet = edits.apply(self.sheet, one)
                    left = [seed for seed in self.places.values() if seed.id not in self.met.outcomes]
                    self.places = dict(seeded.waiting(self.sheet, left))
                return Several(tuple(made))
            case SetText(changes):
                return SetText(tuple(map(self._text, changes)))
            case Mark(changes):
                return Mark(tuple(map(self._mark, changes)))
            case Insert(cells=cells):
                return replace(edit, cells=tuple(replace(cell, text=self._clean(cell.text)) for cell in cells))
            case ReplaceCells(old, new):
                if len(old) == len(new) == 1 and (seed := self._shown_by(old[0])) is not None:
                    self._meet(seed, "caught" if self.sent.source in _OWN else "withdrawn")
                    same = (replace(old[0], text=seed.truth),)
                    return ReplaceCells(same, same)
                # What replaces several cells expects what one of them shows, and is refused for that.
                return ReplaceCells(old, tuple(replace(cell, text=self._clean(cell.text)) for cell in new))
            case _:
                return edit

    def _shown_by(self, cell: Cell) -> Seed | None:
        seed = self.places.get((cell.row, cell.col))
        return seed if seed is not None and seed.shown == cell.text else None

    def _clean(self, text: str) -> str:
        """A text, or the true one where it is copied from a cell that shows an error."""
        if not self.copied or text not in self.ever or any(cell.text == text for cell in self.sheet.table.cells):
            return text
        return self.ever[text]

    def _text(self, change: TextChange) -> TextChange:
        place = change.row, change.col
        seed = self.places.get(place)
        if seed is not None and change.old == seed.truth:  # made where the true value was shown
            self._meet(seed, "withdrawn")
            return change
        if seed is not None and change.old == seed.shown:
            if self.sent.source in _OWN:
                self._meet(seed, "missed" if change.new == seed.shown else "caught")
            else:
                self._meet(seed, "withdrawn")
            return TextChange(*place, seed.truth, seed.truth)
        truth = self.sheet.table.anchored(*place).text
        if self._is_done(place):
            return TextChange(*place, truth, truth)
        return replace(change, new=self._clean(change.new))

    def _mark(self, change: MarkChange) -> MarkChange:
        seed = self.places.get((change.row, change.col))
        if seed is None or not change.new:
            return change
        self._meet(seed, "missed" if change.new == "confirmed" else "caught")
        return MarkChange(change.row, change.col, change.old, change.old)

    def _is_done(self, place: tuple[int, int]) -> bool:
        row, col = place
        ids = self.sheet
        return row < len(ids.row_ids) and col < len(ids.col_ids) and (ids.row_ids[row], ids.col_ids[col]) in self.done

    def _meet(self, seed: Seed, outcome: Outcome) -> None:
        self.met.outcomes.setdefault(seed.id, (seed, outcome, self.sent.id))
        self.done.add(seed.place)
