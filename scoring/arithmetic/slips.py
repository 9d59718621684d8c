"""What one slip makes of a printed number: a digit, a sign or the decimal point that is wrong."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Literal

from scoring.confusions import DIGITS_ALIKE
from scoring.values.columns import Column
from scoring.values.locales import number_signs, written
from scoring.values.reader import Value, read

SlipKind = Literal[
    "digit_replaced",
    "digit_dropped",
    "digit_added",
    "digits_transposed",
    "sign_flipped",
    "point_moved",
    "row_counted_twice",
    "row_left_out",
]
# How often each slip is met beside the others, by judgement; a digit is misread for one that looks
# alike (weight 1) far more often than for another.
ALIKE = 1.0
WEIGHTS: dict[SlipKind, float] = {
    "digit_replaced": 0.2,
    "digit_dropped": 0.25,
    "digit_added": 0.25,
    "digits_transposed": 0.25,
    "sign_flipped": 0.3,
    "point_moved": 0.3,
    "row_counted_twice": 0.03,
    "row_left_out": 0.03,
}
FARTHEST_POINT = 3
# More numbers than these within the tolerance tell nothing about one of them.
_MOST_NUMBERS = 200
_ONE = Decimal(1)


@dataclass(frozen=True, slots=True)
class Slip:
    """A number that one slip turned into the printed one: which, with how many decimals, and the slip.

    ``read`` and ``printed`` are the digits that were changed: what is there and what should be.
    """

    kind: SlipKind
    number: Decimal
    places: int
    weight: float
    read: str = ""
    printed: str = ""


def slips_near(
    value: Value, column: Column, wanted: Decimal, slack: Decimal, *, decimals_met: Collection[int]
) -> Iterator[Slip]:
    """The numbers of ``wanted`` - slack to ``wanted`` + slack that one slip may have turned into this value.

    A number may have as many decimals as the value has, or one more or less where such numbers are
    met beside it.
    """
    number, places, low, high = _number(value), places_of(value), wanted - slack, wanted + slack
    if number is None:
        return
    if number and low <= -number <= high:
        yield Slip("sign_flipped", -number, places, WEIGHTS["sign_flipped"])
    for power in range(-FARTHEST_POINT, FARTHEST_POINT + 1):
        if power and number and low <= (moved := number.scaleb(power)) <= high and _allowed(moved, column):
            needed = _needed(moved, value, places)
            if needed == places or needed in decimals_met:
                yield Slip("point_moved", moved, needed, WEIGHTS["point_moved"])
    if number < 0:
        low, high = -high, -low
    old, sign = _digits(abs(number) / value.step, places), -1 if number < 0 else 1
    for decimals in {places, *({places - 1, places + 1} & set(decimals_met))}:
        step = value.step.scaleb(places - decimals)
        first = int((max(low, Decimal(0)) / step).to_integral_value(ROUND_CEILING))
        last = int((high / step).to_integral_value(ROUND_FLOOR))
        if last - first > _MOST_NUMBERS:
            continue
        for units in range(first, last + 1):
            found = slip_between(old, _digits(Decimal(units), decimals), places, decimals)
            proposed = sign * units * step
            if found and proposed != number and _allowed(proposed, column):
                kind, was, should = found
                yield Slip(kind, proposed, decimals, _weight(kind, was, should), was, should)


def slips_of(value: Value, column: Column, *, any_digit: bool) -> Iterator[Slip]:
    """All numbers that one slip may have turned into this value; digits for look-alikes alone, or any.

    Dropped digits, which may be anything, are among them with ``any_digit`` only.
    """
    number, places = _number(value), places_of(value)
    if number is None:
        return
    sign = -1 if number < 0 else 1
    if number:
        yield Slip("sign_flipped", -number, places, WEIGHTS["sign_flipped"])
    for power in range(-FARTHEST_POINT, FARTHEST_POINT + 1):
        if power and number and _allowed(moved := number.scaleb(power), column):
            yield Slip("point_moved", moved, _needed(moved, value, places), WEIGHTS["point_moved"])
    old = _digits(abs(number) / value.step, places)
    news: list[tuple[SlipKind, str, str, str]] = []
    for at, digit in enumerate(old):
        others = [d for d in "0123456789" if d != digit and (any_digit or frozenset((d, digit)) in DIGITS_ALIKE)]
        news += [("digit_replaced", old[:at] + other + old[at + 1 :], digit, other) for other in others]
        if at + 1 < len(old) and digit != old[at + 1]:
            both = old[at + 1] + digit
            news.append(("digits_transposed", old[:at] + both + old[at + 2 :], digit + old[at + 1], both))
        if len(old) > places + 1:
            news.append(("digit_added", old[:at] + old[at + 1 :], digit, ""))
    if any_digit:
        news += [
            ("digit_dropped", old[:at] + digit + old[at:], "", digit)
            for at in range(len(old) + 1)
            for digit in "0123456789"
        ]
    for kind, new, was, should in news:
        proposed = sign * int(new) * value.step
        leading_zero = new.startswith("0") and len(new) > places + 1
        if proposed != number and not leading_zero:
            yield Slip(kind, proposed, places, _weight(kind, was, should), was, should)


def slip_between(old: str, new: str, places: int, decimals: int) -> tuple[SlipKind, str, str] | None:
    """The slip that turned the digits ``new`` into ``old``, with the digits read and printed; None where none did.

    ``places`` and ``decimals`` tell how many of the old and the new digits are decimals.
    """
    if len(old) == len(new) and places == decimals:
        wrong = [at for at in range(len(old)) if old[at] != new[at]]
        if len(wrong) == 1:
            return "digit_replaced", old[wrong[0]], new[wrong[0]]
        if len(wrong) == 2 and wrong[1] == wrong[0] + 1:
            was, should = (text[wrong[0] : wrong[1] + 1] for text in (old, new))
            return ("digits_transposed", was, should) if was == should[::-1] else None
        return None
    if places != decimals and old[: len(old) - places] != new[: len(new) - decimals]:
        return None  # A digit behind the point leaves those before it as they are.
    if len(new) == len(old) + 1 and (digit := _one_more(old, new)):
        return "digit_dropped", "", digit
    if len(old) == len(new) + 1 and (digit := _one_more(new, old)):
        return "digit_added", digit, ""
    return None


def corrected(text: str, slip: Slip, value: Value, column: Column) -> str:
    """The text of the number that a slip leads to, in the column's locale and with what stands around it."""
    digits = written(abs(slip.number / value.factor), column.locale, places=slip.places)
    signs = number_signs(column.locale)
    core = re.search(r"\d(?:.*\d)?", text)
    options = [digits]
    if core:
        group = re.sub(rf"[\d{re.escape(signs.decimal)}]", "", core[0])
        whole = re.split(re.escape(signs.decimal), core[0])[0]
        if not group and len(whole) > 3:
            digits = digits.replace(signs.group, "")
        around = text[: core.start()] + digits + text[core.end() :]
        bare = re.sub(r"[-−–()]", "", around).strip()
        options = [around, bare, f"-{bare}", digits]
    if slip.number < 0:
        options.append(f"-{digits}")
    return next((option for option in options if read(option, column).number == slip.number), options[-1])


def _number(value: Value) -> Decimal | None:
    return value.number if value.step else None


def places_of(value: Value) -> int:
    """How many decimals a number is printed with; 0 for other values."""
    return max(0, -(value.step / value.factor).adjusted()) if value.step else 0


def _digits(units: Decimal, places: int) -> str:
    return str(int(units)).zfill(places + 1)


def _needed(number: Decimal, value: Value, places: int) -> int:
    """How many decimals write a number, at least so many as the value has."""
    exponent = (number / value.factor).normalize().as_tuple().exponent
    return max(places, -exponent) if isinstance(exponent, int) else places


def _allowed(number: Decimal, column: Column) -> bool:
    return column.type != "integer" or number == number.to_integral_value()


def _one_more(short: str, long: str) -> str:
    """The digit that the longer text has more; "" where it is not just one."""
    at = next((at for at in range(len(short)) if short[at] != long[at]), len(short))
    return long[at] if short[at:] == long[at + 1 :] else ""


def _weight(kind: SlipKind, was: str, should: str) -> float:
    return ALIKE if kind == "digit_replaced" and frozenset((was, should)) in DIGITS_ALIKE else WEIGHTS[kind]
