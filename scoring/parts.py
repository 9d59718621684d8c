"""The parts of a JSON object, each read with its type and an error that names its place."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Collection, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from scoring.shown import brief


class SchemaError(ValueError):
    """A table type that cannot be read: says what was found, where, and what was expected."""


_MISSING: Any = object()
_A_FACTOR = "a factor greater than 0"
# Beyond them is no amount of a document, and sums of such numbers fill the memory.
_MOST_DIGITS, _MOST_EXPONENT = 40, 30
_LARGEST = sys.float_info.max


class Parts:
    """A JSON object at a named place; each reader returns one part or raises SchemaError.

    ``known`` are the names that may occur: another one is refused, so that a slip such as
    "requierd" is not silently without effect.
    """

    def __init__(self, value: object, place: str, known: Collection[str] = (), *, inside: str | None = None) -> None:
        if not isinstance(value, dict):
            raise SchemaError(f"{place} is {brief(value)}, expected an object in braces")
        self._value: dict[str, Any] = value
        self._inside = f"{place}." if inside is None else inside
        for name in value:
            if known and name not in known:
                raise SchemaError(f"{self._inside}{name} is not known, expected one of {', '.join(sorted(known))}")

    def part(self, name: str, default: Any = _MISSING) -> Any:
        """The part as it is."""
        if name in self._value:
            return self._value[name]
        if default is _MISSING:
            raise SchemaError(f"{self._inside}{name} is missing")
        return default

    def text(self, name: str, default: str = _MISSING) -> str:
        """A text."""
        value = self.part(name, default)
        if not isinstance(value, str):
            raise self._wrong(name, value, "a text")
        return value

    def name(self, name: str) -> str:
        """A text that is not blank; there is no default."""
        value = self.text(name)
        if not value.strip():
            raise self._wrong(name, value, "a text that is not blank")
        return value

    def one_of(self, name: str, choices: Sequence[str], default: str = _MISSING) -> Any:
        """One of several words."""
        value = self.part(name, default)
        if value not in choices:
            raise self._wrong(name, value, f"one of {', '.join(choices)}")
        return value

    def truth(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self.part(name, default)
        if not isinstance(value, bool):
            raise self._wrong(name, value, "true or false")
        return value

    def number(self, name: str, default: float, *, most: float = math.inf) -> float:
        """A finite number from 0 to ``most``."""
        value = self.part(name, default)
        usable = isinstance(value, int | float) and not isinstance(value, bool)
        if not usable or not 0 <= value <= min(most, _LARGEST):
            raise self._wrong(name, value, "a number from 0 on" if most == math.inf else f"a number from 0 to {most:g}")
        return float(value)

    def amount(self, name: str, default: str = "0", *, least: int | None = 0, most: float = math.inf) -> Decimal:
        """A decimal number, written as a text ("0.01") or as a number, of no more digits than any document has."""
        value = self.part(name, default)
        if isinstance(value, str | int | float | Decimal) and not isinstance(value, bool):
            try:
                amount = Decimal(str(value))
            except (InvalidOperation, ValueError):
                amount = Decimal("NaN")
            if amount.is_finite() and not _is_extreme(amount):
                if (least is None or amount >= least) and amount <= most:
                    return amount
            elif amount.is_finite():
                raise self._wrong(
                    name, value, f"at most {_MOST_DIGITS} digits, from 1e-{_MOST_EXPONENT} to 1e{_MOST_EXPONENT}"
                )
        upto = "" if most == math.inf else f" up to {most:g}"
        raise self._wrong(name, value, f'a decimal number{upto} such as "0.01"')

    def whole(self, name: str, default: int, *, least: int, most: int) -> int:
        """A whole number from ``least`` to ``most``."""
        value = self.part(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self._wrong(name, value, f"a whole number from {least} to {most}")
        return value

    def factor(self, name: str) -> Decimal:
        """A number to multiply with, 1 where it is not there; see ``factor_of``."""
        value = self.part(name, 1)
        if (factor := factor_of(value)) is None:
            raise self._wrong(name, value, f'{_A_FACTOR} such as 1000 or "0.001"')
        return factor

    def factors(self, name: str) -> tuple[tuple[str, Decimal], ...]:
        """An object of words, each with its factor."""
        return tuple((word, factor) for word, factor in self._words(name, names=False) if isinstance(factor, Decimal))

    def factors_or_names(self, name: str) -> tuple[tuple[str, Decimal | str], ...]:
        """An object of words, each with its factor or with the name that it is another word for."""
        return self._words(name, names=True)

    def _words(self, name: str, *, names: bool) -> tuple[tuple[str, Decimal | str], ...]:
        value = self.part(name, {})
        if not isinstance(value, dict):
            raise self._wrong(name, value, "an object of words in braces")
        found: list[tuple[str, Decimal | str]] = []
        for word, meaning in value.items():
            if not is_word(word):
                raise SchemaError(f"{self._inside}{name} has the word {word!r}, expected a letter or a sign in it")
            if (factor := factor_of(meaning)) is not None:
                found.append((word, factor))
            elif names and isinstance(meaning, str) and meaning.strip():
                found.append((word, meaning))
            else:
                expected = _A_FACTOR + (" or the name of a unit" if names else "")
                raise SchemaError(f"{self._inside}{name}.{word} is {brief(meaning)}, expected {expected}")
        return tuple(found)

    def texts(self, name: str, default: tuple[str, ...] = _MISSING) -> tuple[str, ...]:
        """A list of texts."""
        value = self.part(name, default)
        if not isinstance(value, list | tuple) or not all(isinstance(entry, str) for entry in value):
            raise self._wrong(name, value, "a list of texts")
        return tuple(value)

    def entries(self, name: str, default: Sequence[Any] = _MISSING) -> Sequence[Any]:
        """A list."""
        value = self.part(name, default)
        if not isinstance(value, list | tuple):
            raise self._wrong(name, value, "a list")
        return value

    def _wrong(self, name: str, value: object, expected: str) -> SchemaError:
        return SchemaError(f"{self._inside}{name} is {brief(value)}, expected {expected}")


def is_word(text: str) -> bool:
    """Whether a text can be told from a number: it has a letter, or a sign that is none of a number."""
    return re.search(r"[^\W\d_]|[^\w\s+\-().,']", text) is not None


def _is_extreme(amount: Decimal) -> bool:
    digits, exponent = amount.as_tuple().digits, amount.as_tuple().exponent
    assert isinstance(exponent, int)
    return len(digits) > _MOST_DIGITS or abs(amount.adjusted()) > _MOST_EXPONENT or abs(exponent) > _MOST_DIGITS


def factor_of(value: object) -> Decimal | None:
    """A factor, a number or a text such as "0.001"; None for what is none.

    It lies between 1e-15 and 1e15 and has at most 30 digits, so that products stay exact.
    """
    if not isinstance(value, str | int | float | Decimal) or isinstance(value, bool):
        return None
    try:
        factor = Decimal(str(value))
    except (InvalidOperation, ValueError):
        return None
    usable = (
        factor.is_finite() and Decimal("1e-15") <= factor <= Decimal("1e15") and len(factor.as_tuple().digits) <= 30
    )
    return factor if usable else None
