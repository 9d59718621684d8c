"""Columns of a table type: how each is found, how its values are read, and when two of them are equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, Self, get_args

from scoring.parts import Parts, SchemaError, is_word
from scoring.text import PROFILES, fold, plain_marks
from scoring.values.dates import SHORT_YEAR_FROM, Calendar, DateRules, date_pattern, date_rules
from scoring.values.footnotes import FootnoteMarks, footnote_marks
from scoring.values.locales import LocaleError, currency_signs, number_signs
from scoring.values.numbers import ONE, Credit, NumberRules, Word

ColumnType = Literal["text", "integer", "number", "currency", "percent", "quantity", "date", "boolean", "id"]
Precision = Literal["exact", "printed"]
NUMBERS: tuple[ColumnType, ...] = ("integer", "number", "currency", "percent", "quantity")

TRUE_WORDS = ("✓", "✔", "☑", "x", "yes", "true")
FALSE_WORDS = ("✗", "✘", "☐", "no", "false")
_PERCENT_SIGNS = ("%", "\u066a")
_HUNDREDTH = Decimal("0.01")
# Parts that mean something for some types only; elsewhere they are refused and not silently without effect.
_ONLY_FOR: Mapping[str, tuple[ColumnType, ...]] = {
    "unit": ("integer", "number", "quantity"),
    "units": ("integer", "number", "quantity", "currency"),
    "currency": ("currency",),
    "tolerance": NUMBERS,
    "date_patterns": ("date",),
    "scale": ("integer", "number", "quantity", "currency"),
    "scale_words": NUMBERS,
    "ratio": ("percent",),
    "relative_tolerance": NUMBERS,
    "precision": NUMBERS,
    "dash_is_zero": NUMBERS,
    "credit": NUMBERS,
    "footnote_marks": (*NUMBERS, "date", "boolean"),
    "ignore": ("id",),
    "calendar": ("date",),
    "short_year_from": ("date",),
    "true_words": ("boolean",),
    "false_words": ("boolean",),
}


@dataclass(frozen=True)
class Column:
    """One column: how it is found, how its values are read, and how much it counts.

    ``locale`` says how numbers and month names are written and is never guessed; the default is
    "en". ``null_words`` stand for an absent value, beside the empty text; case does not count.
    ``normalise`` "exact" compares verbatim whatever the type. ``weight`` counts in the row alignment.

    Two numbers are equal where they differ by ``tolerance`` at most, or by ``relative_tolerance``
    (0..1) of the larger one, or with ``precision`` "printed" where both rounded to the coarser
    number of printed decimals are. ``units`` are the words that may stand beside a number: each with
    its factor to ``unit``, or with the name that it is another word for; ``unit`` is also the unit
    of a number without one, and ``currency`` (ISO 4217) is that of an amount. ``scale`` multiplies
    every number but those with a word of ``scale_words``, which brings its own factor. ``ratio``:
    5 % is 0.05. ``dash_is_zero``: a dash alone is 0. ``credit`` says which sign CR has.

    ``date_patterns`` are tried in their order; a date column without any knows ISO dates only. A
    two-digit year lies in the hundred years from ``short_year_from`` (Gregorian) on. Characters of
    ``ignore`` do not count in an id. ``footnote_marks`` are passed over beside the usual ones.
    """

    name: str
    label: str = ""
    type: ColumnType = "text"
    required: bool = False
    key: bool = False
    weight: float = 1.0
    aliases: tuple[str, ...] = ()
    normalise: str = "whitespace"
    tolerance: Decimal = Decimal(0)
    locale: str = "en"
    date_patterns: tuple[str, ...] = ()
    null_words: tuple[str, ...] = ("-", "–", "—", "n/a")
    keep_leading_zeros: bool = True
    unit: str = ""
    units: tuple[tuple[str, Decimal | str], ...] = ()
    currency: str = ""
    scale: Decimal = ONE
    scale_words: tuple[tuple[str, Decimal], ...] = ()
    ratio: bool = False
    relative_tolerance: Decimal = Decimal(0)
    precision: Precision = "exact"
    dash_is_zero: bool = False
    credit: Credit = ""
    footnote_marks: tuple[str, ...] = ()
    ignore: str = ""
    calendar: Calendar = "gregorian"
    short_year_from: int = SHORT_YEAR_FROM
    true_words: tuple[str, ...] = TRUE_WORDS
    false_words: tuple[str, ...] = FALSE_WORDS

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Worked out once: what texts mean is looked up by text and column, many thousand times for a table.
        return hash(tuple(getattr(self, part.name) for part in fields(self)))

    def __getstate__(self) -> dict[str, Any]:
        # Another process has other hashes: what was worked out here stays here.
        return {part.name: getattr(self, part.name) for part in fields(self)}

    @property
    def shown(self) -> str:
        """The label, or the name where there is none."""
        return self.label or self.name

    @property
    def names(self) -> tuple[str, ...]:
        """All header texts that mean this column."""
        return tuple(name for name in (self.name, self.label, *self.aliases) if name)

    @cached_property
    def nulls(self) -> frozenset[str]:
        """The folded texts of an absent value, without those that the column takes for false, true or 0."""
        words = [word for word in self.null_words if not (self.dash_is_zero and plain_marks(word).strip() == "-")]
        return frozenset({"", *map(fold, words)} - (self.truths.keys() if self.type == "boolean" else set()))

    @cached_property
    def truths(self) -> Mapping[str, bool]:
        """The folded words of a boolean column and what each means; a blank one has no meaning."""
        words = {fold(word): True for word in self.true_words} | {fold(word): False for word in self.false_words}
        return {word: truth for word, truth in words.items() if word}

    @cached_property
    def footnotes(self) -> FootnoteMarks:
        """The marks that are passed over."""
        return footnote_marks(self.footnote_marks)

    @cached_property
    def date_rules(self) -> DateRules:
        """How dates are read; raises LocaleError for what the locale or the patterns do not allow."""
        return date_rules(
            self.date_patterns,
            locale=self.locale,
            calendar=self.calendar,
            short_year_from=self.short_year_from,
        )

    @cached_property
    def number_rules(self) -> NumberRules:
        """How numbers are read; raises LocaleError for an unknown locale or currency."""
        words = [*_unit_words(self), *(Word(plain_marks(word), "", factor, True) for word, factor in self.scale_words)]
        if self.type == "percent":
            words += [
                Word(sign, "", _HUNDREDTH, is_scale=True) if self.ratio else Word(sign, "%", ONE)
                for sign in _PERCENT_SIGNS
            ]
        return NumberRules(
            signs=number_signs(self.locale),
            words=tuple(sorted(words, key=lambda word: -len(word.word))),
            currencies=currency_signs(self.locale, self.currency) if self.type == "currency" else {},
            scale=self.scale,
            unit=self.currency or self.unit,
            credit=self.credit,
            dash_is_zero=self.dash_is_zero,
            whole=self.type == "integer",
        )

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; parts at their default are left out."""
        return {
            part.name: _plain(part.name, value)
            for part in fields(self)
            if (value := getattr(self, part.name)) != part.default
        }

    @classmethod
    def from_json(cls, value: object, place: str = "column") -> Self:
        """The column that ``to_json`` wrote; raises SchemaError naming the part."""
        parts = Parts(value, place, {part.name for part in fields(cls)})
        column = cls(
            name=parts.name("name"),
            label=parts.text("label", ""),
            type=parts.one_of("type", get_args(ColumnType), "text"),
            required=parts.truth("required", False),
            key=parts.truth("key", False),
            weight=parts.number("weight", 1.0),
            aliases=parts.texts("aliases", ()),
            normalise=parts.one_of("normalise", tuple(PROFILES), "whitespace"),
            tolerance=parts.amount("tolerance"),
            locale=parts.text("locale", cls.locale),
            date_patterns=parts.texts("date_patterns", ()),
            null_words=parts.texts("null_words", cls.null_words),
            keep_leading_zeros=parts.truth("keep_leading_zeros", True),
            unit=parts.text("unit", ""),
            units=parts.factors_or_names("units"),
            currency=parts.text("currency", ""),
            scale=parts.factor("scale"),
            scale_words=parts.factors("scale_words"),
            ratio=parts.truth("ratio", False),
            relative_tolerance=parts.amount("relative_tolerance", most=1),
            precision=parts.one_of("precision", get_args(Precision), "exact"),
            dash_is_zero=parts.truth("dash_is_zero", False),
            credit=parts.one_of("credit", get_args(Credit), ""),
            footnote_marks=parts.texts("footnote_marks", ()),
            ignore=parts.text("ignore", ""),
            calendar=parts.one_of("calendar", get_args(Calendar), "gregorian"),
            short_year_from=parts.whole("short_year_from", SHORT_YEAR_FROM, least=1, most=9000),
            true_words=parts.texts("true_words", TRUE_WORDS),
            false_words=parts.texts("false_words", FALSE_WORDS),
        )
        _refuse_contradictions(column, place)
        return column


def _refuse_contradictions(column: Column, place: str) -> None:
    for name, types in _ONLY_FOR.items():
        if column.type not in types and getattr(column, name) != getattr(Column, name):
            raise SchemaError(
                f"{place}.{name} is for a column of type {' or '.join(types)}, the type is {column.type!r}"
            )
    if column.type == "quantity" and not (column.unit or column.units):
        raise SchemaError(
            f"{place}.units is missing, expected the units of a quantity, or its one unit as {place}.unit"
        )
    if any(isinstance(factor, Decimal) for _, factor in column.units) and not _base_unit(column):
        raise SchemaError(f"{place}.units has factors, expected a word with the factor 1, or {place}.unit")
    if column.unit and not is_word(column.unit):
        raise SchemaError(f"{place}.unit is {column.unit!r}, expected a word with a letter or a sign in it")
    names = {word: meaning for word, meaning in column.units if isinstance(meaning, str) and meaning != word}
    for word, meaning in names.items():
        if meaning in names:
            raise SchemaError(f"{place}.units.{word} is {meaning!r}, expected the unit itself: {names[meaning]!r}")
    for at, mark in enumerate(column.footnote_marks):
        if not mark.strip() or (mark.isalnum() and any(letter.isdigit() for letter in mark)):
            raise SchemaError(
                f"{place}.footnote_marks[{at}] is {mark!r}, expected a mark without digits or in brackets"
            )
    both = {word for word, _ in column.units} & {word for word, _ in column.scale_words}
    if both:
        raise SchemaError(f"{place}.scale_words has {min(both)!r}, which is one of its units, expected one meaning")
    for word in column.true_words:
        if fold(word) in map(fold, column.false_words):
            raise SchemaError(f"{place}.true_words has {word!r}, which is one of its false_words, expected one meaning")
    for name in ("true_words", "false_words"):
        if "" in map(fold, getattr(column, name)):
            raise SchemaError(f"{place}.{name} has an empty word, expected a text: an empty cell is an absent value")
    _refuse_unknown(column, place)


def _refuse_unknown(column: Column, place: str) -> None:
    try:
        number_signs(column.locale)
    except LocaleError as wrong:
        raise SchemaError(f"{place}.locale: {wrong}") from None
    try:
        currency_signs(column.locale, column.currency)
    except LocaleError as wrong:
        raise SchemaError(f"{place}.currency: {wrong}") from None
    for at, pattern in enumerate(column.date_patterns):
        try:
            date_pattern(pattern, column.locale, column.calendar)
        except LocaleError as wrong:
            raise SchemaError(f"{place}.date_patterns[{at}]: {wrong}") from None


def _unit_words(column: Column) -> list[Word]:
    base, meanings = _base_unit(column), dict(column.units)
    words = [Word(plain_marks(column.unit), column.unit, ONE)] if column.unit and column.unit not in meanings else []
    for word, meaning in column.units:
        # Another word for a word that has a factor has it too.
        factor = meanings.get(meaning) if isinstance(meaning, str) else meaning
        name = base if isinstance(factor, Decimal) else str(meaning)
        words.append(Word(plain_marks(word), name, factor if isinstance(factor, Decimal) else ONE))
    return words


def _base_unit(column: Column) -> str:
    ones = [word for word, factor in column.units if isinstance(factor, Decimal) and factor == ONE]
    return column.unit or (ones[0] if ones else "")


def _plain(name: str, value: Any) -> Any:
    if name in ("units", "scale_words"):
        return {word: str(meaning) for word, meaning in value}
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, Decimal) else value
