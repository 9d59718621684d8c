"""Edits made on a table that shows seeded errors, put into what gold holds: no seeded value goes with them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from sqlite_utils import Database

from scoring.table import Cell
from store import edit_json, edits, gold, seeded, seeded_rows
from store.db import Db, row
from store.edits import (
    Conflict,
    Delete,
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
from store.seeded_row_edits import Decision, carries, decide
from store.seeded_rows import RowSeed, Standing

COPIED = (
    "These edits bring texts that only a planted error has shown in their place. Discard them, and make them again "
    "from the table as it is."
)
# Where a person read the value themselves, and did not copy what the table shows.
_OWN = ("typed", "page")


class _Unsure(Exception):
    """An edit in whose texts an error may stand: it is refused, as what is true there is not sure."""

    def __init__(self, edit: str, conflict: Conflict) -> None:
        super().__init__(str(conflict))
        self.edit, self.conflict = edit, conflict


@dataclass
class Met:
    """The errors that some edits met, by what came of each; ``altered``: something was stored otherwise than sent."""

    outcomes: dict[int, tuple[Seed | RowSeed, Outcome, str]] = field(default_factory=dict)
    altered: bool = False


def add_edits(db: Db, key: int, new: Sequence[NewEdit], *, person: str, after: int) -> tuple[int, Met]:
    """Store edits as ``gold.add_edits`` does; a change to a cell that shows an error resolves that and changes nothing.

    The true value comes back in its place: a typed change has caught the error, a confirmation has missed it, any
    other change is neither. What is copied from such a cell to another one is its true value. Raises as
    ``gold.add_edits``; see ``withdraw``.
    """
    met = Met()
    with db.write() as writer:
        seeds, standing = (
            seeded.seeds_of(writer, key),
            seeded_rows.standing(writer, key, gold.current(db, writer, key)[1]),
        )
        if seeds or standing or seeded_rows.ever_shown(writer, key):
            try:
                new = _screened(db, writer, key, new, seeds, met)
            except _Unsure as unsure:
                gold.expect_open(writer, key, person=person)
                conflict = (unsure.edit, unsure.conflict)
                raise gold.Stale(gold.revision(writer, key), after, [conflict], message=COPIED) from None
            for seed, outcome, edit in met.outcomes.values():
                seeded.resolve(writer, [seed.id], outcome, person, edit=edit)
        return gold.add_edits(db, key, new, person=person, after=after), met


def withdraw(db: Db, key: int, refused: Sequence[NewEdit], *, person: str) -> Sequence[Seed | RowSeed]:
    """Show no more errors on which refused edits rest, so that the next look at the table shows the true values.

    Returns these errors. It needs a transaction of its own: that of the edits is taken back.
    """
    sent = json.dumps([edit_json.to_json(one.edit) for one in refused], ensure_ascii=False)
    with db.write() as writer:
        open_ones = [seed for seed in seeded.seeds_of(writer, key) if seed.outcome is None]
        hit = [seed for seed in open_ones if json.dumps(seed.shown, ensure_ascii=False)[1:-1] in sent]
        seeded.resolve(writer, [seed.id for seed in hit], "withdrawn", person)
        sheet = gold.current(db, writer, key)[1]
        standing = seeded_rows.standing(writer, key, sheet)
        if standing is None:
            return hit
        # Whoever met it with the first of these edits has met it, whatever came of the others.
        first = decide(standing, _view(standing, sheet, open_ones), refused[0]) if refused else Decision(None)
        seeded.resolve(writer, [standing.seed.id], first.outcome or "withdrawn", person)
    return [*hit, standing.seed]


def _view(standing: Standing, sheet: Sheet, seeds: Sequence[Seed]) -> Sheet:
    """The table as it is shown."""
    return standing.shown(seeded.with_errors(sheet, dict(seeded.waiting(sheet, seeds))))


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
            edit = _whole_rows(writer, key, sheet, seeds, one, met)
            edit = _Screen(sheet, seeds, replace(one, edit=edit), met).of(edit)
            sheet = edits.apply(sheet, edit)
        except EditError:  # the store refuses it, and all that came with it
            return [*found, *new[len(found) :]]
        if edit != one.edit:
            met.altered = True
            writer.execute("insert into seeded_edit (edit) values (?)", (one.id,))
            one = replace(one, edit=edit)
        found.append(one)
    return found


def _whole_rows(writer: Database, key: int, sheet: Sheet, seeds: Sequence[Seed], sent: NewEdit, met: Met) -> Edit:
    """The edit as far as no error of structure is meant by it; raises _Unsure."""
    standing = seeded_rows.standing(writer, key, sheet)
    if standing is None or standing.seed.id in met.outcomes:
        ever = seeded_rows.ever_shown(writer, key)
        if ever is not None and carries(ever, sheet, sent):
            raise _Unsure(sent.id, Conflict(0, 0, "", ""))
        return sent.edit
    open_ones = [seed for seed in seeds if seed.outcome is None and seed.id not in met.outcomes]
    decision = decide(standing, _view(standing, sheet, open_ones), sent)
    if decision.edit is None:
        at = standing.hidden if standing.upper is None else standing.upper
        shown = " | ".join(cell.text for cell in standing.cells.values())
        true = " | ".join(text for line in standing.seed.truth.values() for text in line.values())
        raise _Unsure(sent.id, Conflict(at or 0, 0, shown, true))
    if decision.outcome is not None:
        met.outcomes[standing.seed.id] = (standing.seed, decision.outcome, sent.id)
    return decision.edit


class _Screen:
    """One edit on its way from the table as shown to the table as it is."""

    def __init__(self, sheet: Sheet, seeds: Sequence[Seed], sent: NewEdit, met: Met) -> None:
        self.sheet = sheet
        self.sent = sent
        self.met = met
        self.copied = sent.source not in _OWN
        self.ever = {seed.shown: seed.truth for seed in seeds}
        self.was = {(seed.shown, seed.place): seed.truth for seed in seeds}
        self.places = dict(seeded.waiting(sheet, [seed for seed in seeds if seed.id not in met.outcomes]))
        self.done = {seed.place for seed, _, _ in met.outcomes.values() if isinstance(seed, Seed)}

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
                return SetText(self._joined(changes) or tuple(map(self._text, changes)))
            case Mark(changes):
                return Mark(tuple(map(self._mark, changes)))
            case Insert(axis, at, ids, cells):
                rows, cols = self.sheet.row_ids, self.sheet.col_ids
                if axis == "row":
                    rows = (*rows[:at], *ids, *rows[at:])
                else:
                    cols = (*cols[:at], *ids, *cols[at:])
                return replace(edit, cells=tuple(self._true(cell, rows, cols) for cell in cells))
            case Delete(cells=cells):
                return replace(edit, cells=self._withdrawn(cells))
            case ReplaceCells(old, new):
                seed = self._shown_by(old[0]) if len(old) == len(new) == 1 else None
                if seed is not None and self.sent.source in _OWN:
                    self._meet(seed, "missed" if new[0].text == seed.shown else "caught")
                    same = (replace(old[0], text=seed.truth),)
                    return ReplaceCells(same, same)
                return ReplaceCells(self._withdrawn(old), tuple(self._replaced(cell, old) for cell in new))
            case _:
                return edit

    def _withdrawn(self, cells: Sequence[Cell]) -> tuple[Cell, ...]:
        """Cells as they are, of cells as they are shown; the errors among them are not shown any more."""
        hit = {(cell.row, cell.col): seed for cell in cells if (seed := self._shown_by(cell)) is not None}
        for seed in hit.values():
            self._meet(seed, "withdrawn")
        return tuple(replace(cell, text=self._at_first(cell.row, cell.col, cell.text)) for cell in cells)

    def _at_first(self, row: int, col: int, text: str) -> str:
        """The true text of a cell of the table, where ``text`` is what it shows."""
        seed = self.places.get((row, col))
        return seed.truth if seed is not None and seed.shown == text else text

    def _replaced(self, cell: Cell, old: Sequence[Cell]) -> Cell:
        """A cell that takes the place of others, with their true values in its text."""
        inside = [one for one in old if one.row in cell.rows and one.col in cell.cols]
        inside.sort(key=lambda one: (one.row, one.col))
        true = [self._at_first(one.row, one.col, one.text) for one in inside]
        if cell.text == _together(one.text for one in inside):
            return replace(cell, text=_together(true))
        return self._true(cell, self.sheet.row_ids, self.sheet.col_ids)

    def _joined(self, changes: Sequence[TextChange]) -> tuple[TextChange, ...]:
        """Changes that put the texts of several cells into one, with their true values; else nothing."""
        hit = [seed for one in changes if (seed := self.places.get((one.row, one.col))) and seed.shown == one.old]
        whole = _together(one.old for one in changes)
        if not hit or not self.copied or not all(one.new == ("" if at else whole) for at, one in enumerate(changes)):
            return ()
        true = [self._at_first(one.row, one.col, one.old) for one in changes]
        for seed in hit:
            self._meet(seed, "withdrawn")
        news = (_together(true), *[""] * (len(changes) - 1))
        return tuple(replace(one, old=was, new=new) for one, was, new in zip(changes, true, news, strict=True))

    def _true(self, cell: Cell, rows: Sequence[str], cols: Sequence[str]) -> Cell:
        """A cell that is put into the table: the true text where it was there before, or is copied."""
        place = (rows[cell.row], cols[cell.col]) if cell.row < len(rows) and cell.col < len(cols) else None
        if self.copied and place is not None and (cell.text, place) in self.was:
            return replace(cell, text=self.was[cell.text, place])
        return replace(cell, text=self._clean(cell.text))

    def _shown_by(self, cell: Cell) -> Seed | None:
        seed = self.places.get((cell.row, cell.col))
        return seed if seed is not None and seed.shown == cell.text else None

    def _clean(self, text: str) -> str:
        """A text, or the true one where it is copied from a cell that shows an error.

        Raises _Unsure where an error may stand in a longer text: what is true there is not sure.
        """
        if not self.copied or any(cell.text == text for cell in self.sheet.table.cells):
            return text
        if text in self.ever:
            return self.ever[text]
        for place, seed in self.places.items():
            if re.search(rf"(?<!\S){re.escape(seed.shown)}(?!\S)", text):
                raise self._unsure(place, seed)
        return text

    def _text(self, change: TextChange) -> TextChange:
        place = change.row, change.col
        seed = self.places.get(place)
        if seed is not None and change.old == seed.truth:  # made where the true value was shown
            self._meet(seed, "withdrawn")
            return change
        if seed is not None and change.old == seed.shown:
            if self.sent.source in _OWN:
                self._meet(seed, "missed" if change.new == seed.shown else "caught")
            elif self.sent.source == "key" and change.new:  # a split: its other parts stand in other cells
                raise self._unsure(place, seed)
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

    def _unsure(self, place: tuple[int, int], seed: Seed) -> _Unsure:
        return _Unsure(self.sent.id, Conflict(*place, seed.shown, seed.truth))

    def _is_done(self, place: tuple[int, int]) -> bool:
        row, col = place
        ids = self.sheet
        return row < len(ids.row_ids) and col < len(ids.col_ids) and (ids.row_ids[row], ids.col_ids[col]) in self.done

    def _meet(self, seed: Seed, outcome: Outcome) -> None:
        self.met.outcomes.setdefault(seed.id, (seed, outcome, self.sent.id))
        self.done.add(seed.place)


def _together(texts: Iterable[str]) -> str:
    """Texts as a merge of their cells writes them."""
    return " ".join(filter(None, texts))
