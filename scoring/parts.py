"""The parts of a JSON object, each read with its type and an error that names its place."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any


class SchemaError(ValueError):
    """A table type that cannot be read: says what was found, where, and what was expected."""


_MISSING: Any = object()


class Parts:
    """A JSON object at a named place; each reader returns one part or raises SchemaError.

    ``known`` are the names that may occur: another one is refused, so that a slip such as
    "requierd" is not silently without effect.
    """

    def __init__(self, value: object, place: str, known: Collection[str] = (), *, inside: str | None = None) -> None:
        if not isinstance(value, dict):
            raise SchemaError(f"{place} is {_short(value)}, expected an object in braces")
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
        usable = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not usable or not 0 <= value <= most:
            raise self._wrong(name, value, "a number from 0 on" if most == math.inf else f"a number from 0 to {most:g}")
        return float(value)

    def amount(self, name: str, default: str = "0", *, least: int | None = 0) -> Decimal:
        """A decimal number, written as a text ("0.01") or as a number."""
        value = self.part(name, default)
        if isinstance(value, str | int | float | Decimal) and not isinstance(value, bool):
            try:
                amount = Decimal(str(value))
            except InvalidOperation:
                amount = Decimal("NaN")
            if amount.is_finite() and (least is None or amount >= least):
                return amount
        raise self._wrong(name, value, 'a decimal number such as "0.01"')

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
        return SchemaError(f"{self._inside}{name} is {_short(value)}, expected {expected}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
