"""Numbers with their sign, unit and scale, read by the declared rules of one column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Literal, NamedTuple

from scoring.values.locales import NumberSigns

# A number of 100 characters times a factor of 30 digits has to stay exact.
EXACT = Context(prec=200, rounding=ROUND_HALF_UP)
ONE = Decimal(1)

Credit = Literal["", "negative", "positive"]
_A_DIGIT = re.compile("[0-9]")
_NOT_A_DIGIT = re.compile("[^0-9]+")
# All that may stand before the first and after the last digit, sign or bracket.
_HEAD = re.compile(r"[^0-9+\-()▲△]+")
_TAIL = re.compile(r"[^0-9+\-()]+$")
# What stands before or behind a number, but not a sign of the number itself: "l,234" is no 234 of the unit "l,".
_BESIDE = re.compile(r"^[^0-9+\-(]*[^0-9+\-(.,']|[^0-9).,'][^0-9)]*$")
_LONGEST_CURRENCY = 12
_LEDGER_HEAD = re.compile(r"(cr|dr)(?![a-z])\.?\s*", re.IGNORECASE)
_LEDGER_TAIL = re.compile(r"(?<![a-z])(cr|dr)\.?$", re.IGNORECASE)


class Word(NamedTuple):
    """A word beside a number: a unit with the factor to its base unit, or a scale such as k or bps."""

    word: str
    unit: str
    factor: Decimal
    is_scale: bool = False


class Number(NamedTuple):
    """A number that was read: ``value`` is the printed number times ``factor``, exactly."""

    value: Decimal
    unit: str
    factor: Decimal
    is_dash: bool = False


@dataclass(frozen=True)
class NumberRules:
    """How the numbers of one column are written and what they mean; texts are folded by ``plain_marks``.

    ``words`` are tried in their order, so that longer ones come first; ``currencies`` maps signs to
    names. ``scale`` multiplies a number without a scale word, ``unit`` is the unit of one without
    a unit. ``credit`` is the sign of CR, and DR has the other one. ``whole``: no fraction.
    """

    signs: NumberSigns
    words: tuple[Word, ...] = ()
    currencies: Mapping[str, str] = field(default_factory=dict)
    scale: Decimal = ONE
    unit: str = ""
    credit: Credit = ""
    dash_is_zero: bool = False
    whole: bool = False

    @property
    def takes_units(self) -> bool:
        """Whether anything but a sign may stand beside a number."""
        return bool(self.words or self.currencies)


def read_number(text: str, rules: NumberRules) -> Number | None:
    """The number of a whole text, or None: nothing is skipped, and nothing is taken that is not declared.

    Around the digits may stand one sign (+, a minus before or behind, brackets, or CR and DR where
    the column declares them), one unit and one scale word, in any order.
    """
    number_of, rest, unit, scale, factor = rules.signs.number.fullmatch, text.strip(), "", None, ONE
    signed = negative = False
    may_be_dash = rules.dash_is_zero and _A_DIGIT.search(rest) is None
    while (match := number_of(rest)) is None:
        if may_be_dash and rest == "-":
            return Number(Decimal(0), unit or rules.unit, ONE, is_dash=True)
        if not signed and not may_be_dash and (cut := _without_sign(rest, rules)):
            signed, (rest, negative) = True, cut
        elif word := _word(rest, rules.words, unit=not unit, scale=scale is None):
            rest = rest[len(word.word) :] if rest.startswith(word.word) else rest[: -len(word.word)]
            if word.is_scale:
                scale = word.factor
            else:
                unit, factor = word.unit, word.factor
        elif not unit and (found := _without_currency(rest, rules.currencies)):
            rest, unit = found
        else:
            return None
        rest = rest.strip()
    whole, fraction = match.group("whole", "fraction")
    if not whole.isdigit():
        whole = _NOT_A_DIGIT.sub("", whole) or "0"
    number = Decimal(f"{whole}.{fraction}" if fraction else whole)
    if negative and number:
        number = number.copy_negate()
    if scale is None:
        scale = rules.scale
    if scale != ONE:
        factor = EXACT.multiply(factor, scale)
    if factor != ONE:
        number = EXACT.multiply(number, factor)
    if rules.whole and number != number.to_integral_value():
        return None
    return Number(number, unit or rules.unit, factor)


def has_other_unit(text: str, rules: NumberRules) -> bool:
    """Whether a text that is no number here would be one without what stands before or behind it."""
    bare = _BESIDE.sub("", text)
    return rules.takes_units and bare != text.strip() and read_number(bare, rules) is not None


def _without_sign(text: str, rules: NumberRules) -> tuple[str, bool] | None:
    if text and text[0] in "+" + rules.signs.minus:
        return text[1:], text[0] != "+"
    if text.endswith("-"):
        return text[:-1], True
    if text.startswith("(") and text.endswith(")"):
        return text[1:-1], True
    if rules.credit:
        if found := _LEDGER_TAIL.search(text):
            return text[: found.start()], (found[1].lower() == "cr") == (rules.credit == "negative")
        if found := _LEDGER_HEAD.match(text):
            return text[found.end() :], (found[1].lower() == "cr") == (rules.credit == "negative")
    return None


def _word(text: str, words: tuple[Word, ...], *, unit: bool, scale: bool) -> Word | None:
    for word in words:
        if (scale if word.is_scale else unit) and (
            text.endswith(word.word)
            # k5 is rather a code than five thousand.
            or (text.startswith(word.word) and not (word.is_scale and word.word.isalnum()))
        ):
            return word
    return None


def _without_currency(text: str, currencies: Mapping[str, str]) -> tuple[str, str] | None:
    if not currencies:
        return None
    if head := _HEAD.match(text):
        for end in range(min(head.end(), _LONGEST_CURRENCY), 0, -1):
            if name := currencies.get(text[:end].strip()):
                return text[end:], name
    if tail := _TAIL.search(text):
        for start in range(max(tail.start(), len(text) - _LONGEST_CURRENCY), len(text)):
            if name := currencies.get(text[start:].strip()):
                return text[:start], name
    return None
