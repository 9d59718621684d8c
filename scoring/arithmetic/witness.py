"""The smallest change of numbers that makes a failing sum or product hold, with how far to trust it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any

from scoring.arithmetic.checks import Finding, finding_of
from scoring.arithmetic.equations import BoundTable, Equation, Operand, Place, Related, equations
from scoring.arithmetic.slips import WEIGHTS, Slip, SlipKind, corrected, slips_near, slips_of
from scoring.schema import TableType
from scoring.table import Table
from scoring.values.locales import written

# The weight of "none of these" beside that of an explanation; a digit misread for its look-alike has 1.
NONE_OF_THESE = 0.25
# Where rounding alone would do, that nothing is wrong is so many times likelier than all slips together.
ROUNDING = 2.0
# One change that repairs several failing checks is that much likelier for each further one, since
# otherwise as many slips would have been made; about one cell in fifty is misread.
REPAIRS = 50.0
# And that much less for each failing check of its cells that it leaves so.
LEAVES = 0.3
# And that much for each check that it repairs within the tolerance only, not to the last printed digit.
TOLERATED = 0.05
# Two slips in the numbers of one check are rarer than one.
SECOND_SLIP = 0.1
_REPEATED_ROW = 0.6
_MOST_PAIRS = 5000
_FEW_OPERANDS = 20
_WORDS: Mapping[SlipKind, str] = {
    "digit_replaced": "{read} was read for {printed}",
    "digit_dropped": "the digit {printed} was left out",
    "digit_added": "the digit {read} is too much",
    "digits_transposed": "{printed} was read as {read}",
    "sign_flipped": "the sign is wrong",
    "point_moved": "the decimal point is at the wrong place",
    "row_counted_twice": "the row is no addend or is there twice",
    "row_left_out": "a row is left out",
}


@dataclass(frozen=True, slots=True)
class Change:
    """One cell whose text should be another; without a column a whole row is too much or, without a row, is missing."""

    slip: SlipKind
    table: str
    row: int | None
    col: int | None
    old: str
    proposed: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Changes that together make the check hold, and no check fail that holds now.

    ``confidence`` 0..1 is the share of this among all explanations found and "none of these";
    ``repairs`` counts the failing checks that hold then; ``words`` says it to a person.
    """

    changes: tuple[Change, ...]
    confidence: float
    repairs: int
    words: str


@dataclass(frozen=True, slots=True)
class Witness:
    """The explanations of one failing check, the likeliest first; ``none`` 0..1 is the share of "none of these".

    ``found`` counts all explanations, of which only the first few are kept. ``truncated``: the
    search for two changes ended before all were tried.
    """

    finding: Finding
    explanations: tuple[Explanation, ...]
    none: float
    found: int
    truncated: bool = False

    def to_json(self) -> dict[str, Any]:
        """A plain mapping of all parts."""
        return asdict(self)


def witness(
    table: Table, table_type: TableType, *, related: Related | None = None, most: int = 5
) -> tuple[Witness, ...]:
    """For each failing sum, product or tax of a table, the changes that make it hold, at most ``most`` of them.

    One change is searched fully: a digit replaced, left out or added, two adjacent digits
    transposed, the sign, the decimal point (by up to three places), a row that is counted twice or
    left out. Two changes are tried where no cell alone explains it. A change after which a check
    fails that holds now is refused. The weight of a change is how often its slip is met, times what
    the cell's extraction confidence says, times 50 for each further failing check that it repairs,
    times 0.3 for each failing one of its cells
    that it does not, times 0.05 for each that it repairs within the tolerance only. Confidence is the weight divided
    by the sum over all explanations and "none of these". Tables of ``related`` take part with their
    own checks.
    """
    search = _Search(table, table_type, related or {})
    return tuple(search.of(equation, most) for equation in search.failing)


_Slips = tuple[tuple[Operand, Slip], ...]
_Row = tuple[SlipKind, str, int | None, str, str]


@dataclass(frozen=True, slots=True)
class _Found:
    """An explanation and its weight, before its texts are written."""

    weight: float
    repairs: int
    slips: _Slips = ()
    row: _Row | None = None


class _Search:
    """The equations of a document's tables, and which of them each cell takes part in."""

    def __init__(self, table: Table, table_type: TableType, related: Related) -> None:
        every = {**related, table_type.name: (table, table_type)}
        sheets = {name: BoundTable.of(*both) for name, both in every.items()}
        self.tables = {sheet.type.name: sheet.table for sheet in sheets.values()}
        own = list(equations(sheets[table_type.name], related))
        others = [
            equation
            for name, sheet in sheets.items()
            if name != table_type.name
            for equation in equations(sheet, every)
        ]
        self.name = table_type.name
        self.failing = [equation for equation in own if not equation.holds]
        self.equations = [*own, *others]
        self.mean_confidence: dict[int, float] = {}
        self.of_place: dict[Place, list[Equation]] = defaultdict(list)
        for equation in self.equations:
            for place in {operand.place for operand in (*equation.operands, equation.said)}:
                self.of_place[place].append(equation)

    def of(self, equation: Equation, most: int) -> Witness:
        found, truncated = self._single(equation), False
        if not found:
            found, truncated = self._pairs(equation)
        found += self._rows(equation)
        # What repairs another check as well is not explained by rounding.
        alone = sum(each.weight for each in found if each.repairs == 1)
        none = NONE_OF_THESE + ROUNDING * alone * equation.explained_by_rounding
        total = none + sum(each.weight for each in found)
        found.sort(key=lambda each: -each.weight)
        kept = tuple(self._explanation(each, each.weight / total) for each in found[:most])
        return Witness(finding_of(equation, self.name), kept, none / total, len(found), truncated)

    def _single(self, equation: Equation) -> list[_Found]:
        numbers = [operand.number for operand in equation.operands]
        found: dict[tuple[Place, Decimal], _Found] = {}
        for at in range(len(numbers) + 1):
            for operand, slip in _near(equation, at, numbers, equation.said.number):
                key = operand.place, slip.number
                judged = self._judged(equation, ((operand, slip),))
                # Two slips may lead to one number, as a zero too much and the point: it is as likely as both.
                if judged and key in found:
                    first, second = sorted((found[key], judged), key=lambda each: -each.weight)
                    judged = replace(first, weight=first.weight + second.weight)
                if judged:
                    found[key] = judged
        return list(found.values())

    def _pairs(self, equation: Equation) -> tuple[list[_Found], bool]:
        tried: list[_Found] = []
        for count, pair in enumerate(_sum_pairs(equation) if equation.shape == "sum" else _other_pairs(equation)):
            if count == _MOST_PAIRS:
                return tried, True
            if pair and (found := self._judged(equation, pair)):
                tried.append(found)
        return tried, False

    def _judged(self, equation: Equation, slips: _Slips) -> _Found | None:
        """The explanation with its weight; None where the check still fails or one breaks that holds now."""
        changed = {operand.place: slip.number for operand, slip in slips}
        if not equation.holds_with(changed):
            return None
        touched = {id(other): other for place in changed for other in self.of_place[place]}
        repairs = leaves = tolerated = 0
        for other in touched.values():
            left = abs(other.difference_with(changed))
            if other.holds and left > other.tolerance:
                return None
            leaves += left > other.tolerance
            repairs += not other.holds and left <= other.tolerance
            tolerated += not other.holds and (other.said.value.step or other.tolerance) / 2 <= left <= other.tolerance
        weight = REPAIRS ** (repairs - 1) * LEAVES**leaves * TOLERATED**tolerated * SECOND_SLIP ** (len(slips) - 1)
        for operand, slip in slips:
            weight *= slip.weight * self._doubt(equation, operand)
        return _Found(weight, repairs, slips)

    def _doubt(self, equation: Equation, operand: Operand) -> float:
        """How much less its confidence speaks for a cell than the mean of the check's cells; 1 without confidence."""
        own = self._confidence(operand)
        if own is None:
            return 1.0
        if id(equation) not in self.mean_confidence:
            every = (self._confidence(other) for other in (*equation.operands, equation.said))
            told = [confidence for confidence in every if confidence is not None]
            self.mean_confidence[id(equation)] = sum(told) / len(told)
        return (1.05 - own) / (1.05 - self.mean_confidence[id(equation)])

    def _confidence(self, operand: Operand) -> float | None:
        cell = self.tables[operand.table].at(operand.row, operand.col)
        said = () if cell is None else cell.confidence
        of_cell = [c.value for c in said if c.value is not None and c.unit in ("word", "cell", "field")]
        return min(of_cell, default=None)

    def _rows(self, equation: Equation) -> Iterator[_Found]:
        """A row that is too much or that is missing, judged by all sums over the same rows."""
        if not equation.down:
            return
        name = equation.operands[0].table
        sums = [other for other in self.equations if other.down and other.operands[0].table == name]
        for operand in equation.operands:
            gone = {place: Decimal(0) for other in sums for place in other.places_of_row(operand.row)}
            if not equation.holds_with(gone) or any(other.holds and not other.holds_with(gone) for other in sums):
                continue
            repairs = sum(1 for other in sums if not other.holds and other.holds_with(gone))
            weight = _REPEATED_ROW if self._repeated(operand) else WEIGHTS["row_counted_twice"]
            text = self._row_text(name, operand.row)
            yield _Found(
                weight * REPAIRS ** (repairs - 1), repairs, row=("row_counted_twice", name, operand.row, text, "")
            )
        gaps = [other for other in sums if not other.holds]
        if self._fits_as_row(name, {other.operands[0].col: other.difference for other in gaps}, sums):
            missing = " | ".join(f"{other.operands[0].column.shown} {_written(other)}" for other in gaps)
            weight = WEIGHTS["row_left_out"] * REPAIRS ** (len(gaps) - 1)
            yield _Found(weight, len(gaps), row=("row_left_out", name, None, "", missing))

    def _fits_as_row(self, name: str, gaps: Mapping[int, Decimal], sums: Sequence[Equation]) -> bool:
        """Whether the numbers of a missing row would fulfil what is asked of each row, as far as sums tell them."""
        told = {**{other.operands[0].col: Decimal(0) for other in sums}, **gaps}
        for equation in self.equations:
            cols = [operand.col for operand in equation.operands]
            if equation.down or equation.said.table != name or not {*cols, equation.said.col} <= told.keys():
                continue
            if abs(equation.compute([told[col] for col in cols]) - told[equation.said.col]) > equation.tolerance:
                return False
        return True

    def _repeated(self, operand: Operand) -> bool:
        table = self.tables[operand.table]
        row = [table.text_at(operand.row, col).strip() for col in range(table.n_cols)]
        near = (operand.row - 1, operand.row + 1)
        return any(row == [table.text_at(other, col).strip() for col in range(table.n_cols)] for other in near)

    def _row_text(self, name: str, row: int) -> str:
        table = self.tables[name]
        return " | ".join(text for col in range(table.n_cols) if (text := table.text_at(row, col).strip()))

    def _explanation(self, found: _Found, confidence: float) -> Explanation:
        if found.row is not None:
            kind, name, row, old, proposed = found.row
            said = f"{_WORDS[kind]}: {old or proposed}"
            return Explanation((Change(kind, name, row, None, old, proposed),), confidence, found.repairs, said)
        changes, words = [], []
        for operand, slip in found.slips:
            old = self.tables[operand.table].text_at(operand.row, operand.col)
            proposed = corrected(old, slip, operand.value, operand.column)
            changes.append(Change(slip.kind, operand.table, operand.row, operand.col, old, proposed))
            how = _WORDS[slip.kind].format(read=slip.read, printed=slip.printed)
            words.append(f"{operand.column.shown} {old!r} should be {proposed!r}: {how}")
        return Explanation(tuple(changes), confidence, found.repairs, "; ".join(words))


def _near(equation: Equation, at: int, numbers: Sequence[Decimal], said: Decimal) -> Iterator[tuple[Operand, Slip]]:
    """The slips in one number, the last index being that of the number said, after which the check may hold."""
    difference = said - equation.compute(numbers) if equation.shape != "sum" else equation.difference
    last = at == len(numbers)
    operand, number = (equation.said, said) if last else (equation.operands[at], numbers[at])
    slope = Decimal(-1) if last else equation.slope(at, numbers)
    if slope:
        slack = (equation.tolerance + equation.rounding) / abs(slope)
        wanted = number + difference / slope
        for slip in slips_near(operand.value, operand.column, wanted, slack, decimals_met=equation.decimals):
            yield operand, slip


def _sum_pairs(equation: Equation) -> Iterator[_Slips]:
    """Two slips of a sum that together add what is missing, exactly."""
    any_digit = len(equation.operands) <= _FEW_OPERANDS
    by_gain: dict[Decimal, list[tuple[int, Operand, Slip]]] = defaultdict(list)
    every = (*((operand, operand.factor) for operand in equation.operands), (equation.said, Decimal(-1)))
    for at, (operand, factor) in enumerate(every):
        for slip in slips_of(operand.value, operand.column, any_digit=any_digit):
            by_gain[factor * (slip.number - operand.number)].append((at, operand, slip))
    for gain, first in by_gain.items():
        for one in first:
            for other in by_gain.get(equation.difference - gain, ()):
                if one[0] < other[0]:
                    yield (one[1], one[2]), (other[1], other[2])


def _other_pairs(equation: Equation) -> Iterator[_Slips]:
    """Two slips of a product or a tax; an empty one for each that was tried in vain."""
    numbers = [operand.number for operand in equation.operands]
    for at, operand in enumerate(equation.operands):
        for slip in slips_of(operand.value, operand.column, any_digit=True):
            changed = [*numbers[:at], slip.number, *numbers[at + 1 :]]
            for other in range(at + 1, len(numbers) + 1):
                yield ()
                for second in _near(equation, other, changed, equation.said.number):
                    yield (operand, slip), second


def _written(equation: Equation) -> str:
    column, step = equation.said.column, equation.said.value.step
    places = max(0, -step.adjusted()) if step else 0
    return written(equation.difference, column.locale, places=places)
