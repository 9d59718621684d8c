"""Typed values: what a cell's text means in its column, read by declared rules and never guessed."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from scoring.text import PROFILES, fold, plain_marks
from scoring.values.columns import NUMBERS, Column
from scoring.values.dates import lacks_order, read_date
from scoring.values.footnotes import without_footnote
from scoring.values.locales import LARGEST_NUMBER_OF_CHARACTERS
from scoring.values.numbers import EXACT, ONE, has_other_unit, read_number

# What a table without a table type is read with: text, and only the empty cell is empty.
PLAIN = Column("", null_words=())

Flag = Literal["unparseable", "unknown_unit", "ambiguous", "footnote", "dash_as_zero"]
Part = Literal["value", "unit"]
# So many different texts are kept with what they mean, some 25 MB: a table is read again after each edit of it.
_MOST_KEPT = 65_536
_VARIATION_SELECTORS = dict.fromkeys((0xFE0E, 0xFE0F))


@dataclass(frozen=True, slots=True)
class Value:
    """The meaning of one text.

    ``kind`` is "null" for an absent value, "number" (``value`` is a Decimal in the column's base
    unit), "date" (ISO 8601 text as far as printed: "2024-10-14", "2024-10", "2024", "--10-14"),
    "boolean" ("true" or "false"), "id" or "text". ``text`` is the normalised text. ``unit`` is "%",
    the currency or the unit; "" where none is printed or declared. ``factor`` is what the printed
    number was multiplied with. ``footnote`` is the mark that was passed over. ``flags`` say what
    went wrong or was passed over, see ``in_words``; an "unparseable" text is of the kind "text".
    """

    kind: Literal["null", "text", "number", "date", "boolean", "id"]
    value: Decimal | str
    text: str
    unit: str = ""
    flags: tuple[Flag, ...] = ()
    footnote: str = ""
    factor: Decimal = ONE

    @property
    def readable(self) -> bool:
        """False where the text does not parse as the type of its column."""
        return "unparseable" not in self.flags

    @property
    def number(self) -> Decimal | None:
        """The value where it is a number, else None."""
        return self.value if isinstance(self.value, Decimal) else None

    @property
    def step(self) -> Decimal:
        """What one in the last printed digit of a number means: 0.01 for 1.20, 100 for 1.2k; 0 for other values."""
        if not isinstance(self.value, Decimal) or "dash_as_zero" in self.flags:
            return Decimal(0)
        printed = self.value.as_tuple().exponent
        return Decimal((0, self.factor.as_tuple().digits, printed if isinstance(printed, int) else 0))


@lru_cache(maxsize=_MOST_KEPT)
def read(text: str, column: Column = PLAIN) -> Value:
    """The value of a text in a column; never raises and never guesses.

    A number is read with the signs of the column's locale: valid groups, one sign at most (leading
    or trailing minus, U+2212, parentheses, in Japanese a triangle, CR and DR where declared), one
    unit at most (a currency sign or ISO code in a currency column, a percent sign in a percent
    column, where 5 % is 5 unless it is a ratio; else the declared words), and one declared scale
    word at most. Dates are read by the declared patterns in their order. Footnote marks before and
    behind a value are cut off, and kept, where the rest parses. What does not parse stays text.
    """
    normal = PROFILES[column.normalise](text)
    if is_null(text, column):
        return Value("null", "", normal)
    if column.type == "text":
        return Value("text", normal, normal)
    if column.type == "id":
        return Value("id", _code(normal, column), normal)
    if len(text) > LARGEST_NUMBER_OF_CHARACTERS:
        return Value("text", normal, normal, flags=("unparseable",))
    marks = plain_marks(text).strip()
    if found := _typed(marks, normal, column):
        return found
    for rest, mark in without_footnote(marks, column.footnotes):
        # 5 m² is no 5 m with a note.
        exponent = mark[0] in "²³" and rest[-1:].isalpha() and column.number_rules.takes_units
        if not exponent and (found := _typed(rest, normal, column, mark)):
            return found
    return Value("text", normal, normal, flags=("unparseable", *_reasons(marks, column)))


def is_null(text: str, column: Column = PLAIN) -> bool:
    """Whether a text stands for an absent value: nothing to see, or a null word of the column."""
    # Of ASCII, fold leaves this; most cells are.
    folded = " ".join(text.lower().replace("_", " ").split()) if text.isascii() else fold(text)
    return folded in column.nulls


def same(gold: Value, pred: Value, column: Column = PLAIN) -> bool:
    """Whether two values are equal after normalisation: whether nothing differs, see ``differing``."""
    return not differing(gold, pred, column)


def differing(gold: Value, pred: Value, column: Column = PLAIN) -> tuple[Part, ...]:
    """What differs after normalisation: nothing, the "value", the "unit" (5 EUR for 5 GBP) or both.

    Numbers are equal within the column's tolerance, relative tolerance or printed precision, the
    last of which rounds half up; units by their name, where an absent unit goes with any. Values
    of two kinds differ. A value that does not parse is compared as text. An "exact" column is
    compared verbatim. Two absent values are equal.
    """
    if gold.kind == pred.kind == "null":
        return ()
    if column.normalise == "exact":
        return () if gold.kind != "null" and pred.kind != "null" and gold.text == pred.text else ("value",)
    if gold.kind != pred.kind:
        return ("value",)
    if isinstance(gold.value, Decimal) and isinstance(pred.value, Decimal):
        value: tuple[Part, ...] = () if gold.value == pred.value or _near(gold, pred, column) else ("value",)
        return value if not gold.unit or not pred.unit or gold.unit == pred.unit else (*value, "unit")
    return () if gold.value == pred.value else ("value",)


def in_words(flag: Flag, column: Column = PLAIN) -> str:
    """What a flag of a value in a column means, for a person."""
    match flag:
        case "unparseable":
            return f"does not parse as {column.type}"
        case "unknown_unit":
            return "has a unit that the column does not declare"
        case "ambiguous" if column.date_patterns:
            return "fits more than one date pattern, the first one is taken"
        case "ambiguous":
            return "is a date in more than one order of day and month, and the column declares none"
        case "footnote":
            return "has a footnote mark, which is passed over"
        case "dash_as_zero":
            return "is a dash, which is 0 in this column"


def _typed(marks: str, normal: str, column: Column, footnote: str = "") -> Value | None:
    flags: tuple[Flag, ...] = ("footnote",) if footnote else ()
    if column.type in NUMBERS:
        number = read_number(marks, column.number_rules)
        if number is None:
            return None
        if number.is_dash:
            flags = (*flags, "dash_as_zero")
        return Value("number", number.value, normal, number.unit, flags, footnote, number.factor)
    if column.type == "date":
        day = read_date(marks, column.date_rules)
        if day is None:
            return None
        return Value("date", day[0], normal, "", (*flags, "ambiguous") if day[1] else flags, footnote)
    truth = column.truths.get(fold(marks.translate(_VARIATION_SELECTORS)))
    return None if truth is None else Value("boolean", "true" if truth else "false", normal, "", flags, footnote)


def _reasons(marks: str, column: Column) -> tuple[Flag, ...]:
    if column.type == "date":
        return ("ambiguous",) if lacks_order(marks, column.date_rules) else ()
    if column.type in NUMBERS:
        return ("unknown_unit",) if has_other_unit(marks, column.number_rules) else ()
    return ()


def _code(normal: str, column: Column) -> str:
    code = normal
    if column.ignore:
        # All dashes and all spaces are one. Where nothing else is left they are the id.
        ignored = plain_marks(column.ignore)
        code = "".join(letter for letter in normal if plain_marks(letter) not in ignored) or normal
    return code if column.keep_leading_zeros else code.lstrip("0") or "0"


def _near(gold: Value, pred: Value, column: Column) -> bool:
    assert isinstance(gold.value, Decimal)
    assert isinstance(pred.value, Decimal)
    apart = EXACT.abs(EXACT.subtract(gold.value, pred.value))
    if apart <= column.tolerance:
        return True
    larger = max(abs(gold.value), abs(pred.value))
    if column.relative_tolerance and apart <= EXACT.multiply(larger, column.relative_tolerance):
        return True
    step = max(gold.step, pred.step)
    if column.precision == "exact" or not step:
        return False
    return _rounded(gold.value, step) == _rounded(pred.value, step)


def _rounded(number: Decimal, step: Decimal) -> Decimal:
    return EXACT.to_integral_value(EXACT.divide(number, step))
