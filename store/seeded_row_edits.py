"""What an edit means that was made on a table with a seeded error of structure: stored, met with, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from store import edits
from store.edits import Delete, Edit, EditError, Insert, Mark, Move, ReplaceCells, SetText, Several, Sheet, Step
from store.edits import TextChange as Change
from store.gold import NewEdit
from store.seeded import Outcome
from store.seeded_rows import RowSeed, Standing

_OWN = ("typed", "page")
# What a person does to put right what they see; anything else that covers the rows is neither caught nor missed.
_MENDING = ("typed", "page", "key", "paste", "region")


@dataclass(frozen=True)
class Decision:
    """What is to be stored (None: refused, as what is true is not sure), and what came of the error (None: nothing)."""

    edit: Edit | None
    outcome: Outcome | None = None


def decide(found: Standing, view: Sheet, sent: NewEdit) -> Decision:
    """What to do with an edit; ``view`` is the table as it is shown.

    An edit that reaches nothing but the rows of the error is stored as one that changes nothing: gold is right there.
    """
    if not _fits(view, sent.edit):
        # Made where the true rows were shown; what fits neither is refused.
        return Decision(sent.edit, "withdrawn") if _fits(found.sheet, sent.edit) else Decision(None)
    reach = _Reach(found, view, sent)
    if not reach.inside:
        return Decision(None if reach.copies else sent.edit)
    match sent.edit:
        case Mark(changes):
            within = [one for one in changes if one.new and (one.row, one.col) in found.cells]
            if not within:
                return Decision(sent.edit)
            outside = tuple(one for one in changes if one not in within)
            kept: Edit = Mark(outside) if outside else _nothing(found)
            return Decision(kept, "missed" if all(one.new == "confirmed" for one in within) else "caught")
        case SetText(changes) if sent.source in _OWN:
            within_texts = [one for one in changes if (one.row, one.col) in found.cells]
            others = tuple(one for one in changes if one not in within_texts)
            passed = all(one.new == one.old for one in within_texts)
            return Decision(SetText(others) if others else _nothing(found), "missed" if passed else "caught")
    if reach.outside:
        return Decision(None)
    # A row that is there twice, with its texts, shows nobody what is missing.
    copies_a_row = isinstance(sent.edit, Insert) and sent.source == "key" and any(cell.text for cell in sent.edit.cells)
    mends = sent.source in _MENDING and not copies_a_row
    return Decision(_nothing(found), "caught" if mends else "withdrawn")


def _nothing(found: Standing) -> Edit:
    """An edit on a row of the error that leaves it as it is."""
    at = found.hidden if found.upper is None else found.upper
    id = found.seed.hidden if found.upper is None else found.seed.upper
    assert at is not None
    assert id is not None
    name, text = next(iter(found.seed.truth[id].items()))
    return SetText((Change(at, found.sheet.col_ids.index(name), text, text),))


def _fits(sheet: Sheet, edit: Edit) -> bool:
    try:
        edits.apply(sheet, edit)
    except EditError:
        return False
    return True


class _Reach:
    """Whether an edit reaches the rows of an error, anything else, and brings texts that may be copied from there."""

    def __init__(self, found: Standing, view: Sheet, sent: NewEdit) -> None:
        self.found = found
        self.inside = self.outside = self.copies = False
        self.sent = sent
        self.shown = {cell.text for cell in found.cells.values()}
        if sent.source in ("key", "undo", "redo", "revert"):
            self.shown -= {""}  # cleared, and not copied from an empty cell
        for step in sent.edit.edits if isinstance(sent.edit, Several) else (sent.edit,):
            self._step(step, view)
            view = edits.apply(view, step)

    def _step(self, step: Step, now: Sheet) -> None:
        end, hides = now.table.n_rows, self.found.hidden is not None
        match step:
            case SetText(changes) | Mark(changes):
                for change in changes:
                    self._at(now, change.row, change.col)
            case ReplaceCells(old, new):
                for cell in (*old, *new):
                    for at in ((at, col) for at in cell.rows for col in cell.cols):
                        self._at(now, *at)
            case Insert(axis="row", at=at):
                self._both(hides and at == end, not (hides and at == end))
            case Delete(axis="row", ids=ids):
                mine = self.found.seed.upper in ids
                self._both(mine, not mine or len(ids) > 1)
            case Move(axis="row", at=at, ids=ids, to=to):
                count = len(ids)
                last = hides and end in (at + count, to + count)
                self._both(last or (hides and self.found.seed.upper in ids), True)
            case Insert() | Delete() | Move():  # a column goes through all rows
                self._both(True, True)
        if self.sent.source not in _OWN:
            self.copies = self.copies or any(text in self.shown for text in _brought(step))

    def _at(self, now: Sheet, at: int, col: int) -> None:
        seed, rows, cols = self.found.seed, now.row_ids, now.col_ids
        texts = seed.shown[seed.upper] if seed.upper is not None else None
        mine = (
            bool(texts) and at < len(rows) and rows[at] == seed.upper and col < len(cols) and cols[col] in (texts or {})
        )
        self._both(mine, not mine)

    def _both(self, inside: bool, outside: bool) -> None:
        self.inside, self.outside = self.inside or inside, self.outside or outside


def carries(seed: RowSeed, sheet: Sheet, sent: NewEdit) -> bool:
    """Whether an edit brings to a table what only an error of its rows has shown there, also after that was met.

    Copied are texts that stand nowhere in their column, or two of one row in columns that are not theirs. What a person
    typed or took from the page is their own reading.
    """
    if sent.source in _OWN or seed.upper is None:
        return False
    truth, texts = seed.truth[seed.upper], seed.shown[seed.upper] or {}
    misplaced = {(col, text) for col, text in texts.items() if text and text != truth.get(col)}
    ids, before = sheet.col_ids, {(cell.col, cell.text) for cell in sheet.table.cells}
    steps = sent.edit.edits if isinstance(sent.edit, Several) else (sent.edit,)
    for step in steps:
        in_row: dict[int, int] = {}
        for row, col, text in _placed(step):
            if col < len(ids) and (ids[col], text) in misplaced:
                in_row[row] = in_row.get(row, 0) + 1
                if (col, text) not in before or in_row[row] > 1:
                    return True
    return False


def _placed(step: Step) -> Iterator[tuple[int, int, str]]:
    """Row, column and text of what a step brings."""
    match step:
        case SetText(changes):
            yield from ((one.row, one.col, one.new) for one in changes if one.new != one.old)
        case Insert(axis="row", cells=cells) | ReplaceCells(new=cells):
            yield from ((cell.row, cell.col, cell.text) for cell in cells)


def _brought(step: Step) -> Iterator[str]:
    """The texts that a step puts where other ones were."""
    match step:
        case SetText(changes):
            yield from (one.new for one in changes if one.new != one.old)
        case Insert(cells=cells):
            yield from (cell.text for cell in cells if cell.text)
        case ReplaceCells(old, new):
            before = {cell.text for cell in old}
            yield from (cell.text for cell in new if cell.text and cell.text not in before)
