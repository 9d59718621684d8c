"""How a locale writes numbers, currencies and the names of months and weekdays, from CLDR."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from babel import Locale, UnknownLocaleError
from babel.core import get_global

from scoring.text import fold, plain_marks, visible

# Longer runs of digits are no amounts, and Decimal would overflow on a hostile one.
LARGEST_NUMBER_OF_CHARACTERS = 100
# Signs and words that name one currency everywhere and that CLDR does not list for every locale.
_MONEY_WORDS = {"€": "EUR", "₹": "INR", "₩": "KRW", "₪": "ILS", "₺": "TRY", "₽": "RUB", "₫": "VND", "฿": "THB"}
_MONEY_WORDS |= {"₴": "UAH", "₦": "NGN", "₱": "PHP", "円": "JPY", "元": "CNY", "원": "KRW"}
_MONEY_WORDS |= {"US$": "USD", "A$": "AUD", "NZ$": "NZD", "HK$": "HKD", "NT$": "TWD", "S$": "SGD", "R$": "BRL"}
# One sign, several currencies: what a column that names its currency may mean by it.
_SHARED_SIGNS = {
    "$": "ARS AUD BBD BMD BND BSD BZD CAD CLP COP CUP DOP FJD GYD HKD JMD KYD LRD MXN NAD NZD SBD SGD SRD TTD TWD USD "
    "UYU XCD",
    "£": "EGP FKP GBP GIP LBP SDG SHP SSP SYP",
    "¥": "CNY JPY",
    "kr": "DKK ISK NOK SEK",
}


class LocaleError(ValueError):
    """A locale, currency or date pattern that is not known; the message says which and what was expected."""


@dataclass(frozen=True)
class NumberSigns:
    """What a number may look like in one locale; all texts are folded by ``plain_marks`` first.

    ``number`` matches a whole unsigned number. ``currencies`` maps signs and ISO codes to one name:
    the ISO code where the locale gives the sign to one currency, else the sign itself. ``minus`` are
    the signs of a negative number, beside brackets; ``decimal`` and ``group`` are those to write.
    """

    number: re.Pattern[str]
    minus: str
    decimal: str
    group: str
    currencies: Mapping[str, str]


@lru_cache(maxsize=128)
def number_signs(locale: str) -> NumberSigns:
    """The signs of a locale such as "de_DE"; raises LocaleError for one that CLDR does not have.

    Groups are three digits (two from the second on where the locale groups so, as in India),
    parted by the locale's sign, by one space of any kind, by an apostrophe, or by U+066C. The first
    group does not begin with 0: "0,001" in English is no number, and is not read as 1.
    """
    found = _locale(locale)
    symbols = found.number_symbols
    latin = symbols.get("latn") or symbols.get(found.default_numbering_system, {})
    decimal = plain_marks(latin.get("decimal", "."))
    group = plain_marks(latin.get("group", ","))
    groups = f"[{re.escape(group)} '\u066c]"
    fraction = f"(?:[{re.escape(decimal)}\u066b](?P<fraction>[0-9]+))?"
    whole = rf"[1-9][0-9]{{0,2}}(?P<sign>{groups})[0-9]{{3}}(?:(?P=sign)[0-9]{{3}})*"
    if found.decimal_formats[None].grouping[1] == 2:
        whole += rf"|[1-9][0-9]?(?P<sign2>{groups})(?:[0-9]{{2}}(?P=sign2))*[0-9]{{3}}"
    number = re.compile(rf"(?P<whole>{whole}|[0-9]+|(?=[{re.escape(decimal)}\u066b])){fraction}")
    # Japanese accounts mark a negative amount by a triangle.
    minus = "-▲△" if found.language == "ja" else "-"
    return NumberSigns(number, minus, decimal, latin.get("group", ","), _currencies(found))


def written(number: Decimal, locale: str, *, places: int = 0) -> str:
    """A number as the locale writes it, in groups of three digits with at least so many decimals.

    Babel's own writer is not used: it groups 1000000000 as 1000000'000 for de_CH.
    """
    signs = number_signs(locale)
    exponent = number.as_tuple().exponent
    most = max(places, -exponent if isinstance(exponent, int) else 0)
    whole, _, fraction = f"{number:,.{most}f}".partition(".")
    fraction = fraction[:places] + fraction[places:].rstrip("0")
    return whole.replace(",", signs.group) + (signs.decimal + fraction if fraction else "")


@lru_cache(maxsize=128)
def month_names(locale: str) -> Mapping[str, int]:
    """Folded month names of a locale and of its language, long and short, to 1..12; no full stops."""
    return {fold(name).rstrip("."): number for number, name in _names(locale, "months")}


@lru_cache(maxsize=128)
def day_names(locale: str) -> frozenset[str]:
    """Folded weekday names of a locale and of its language, long and short; no full stops."""
    return frozenset(fold(name).rstrip(".") for _, name in _names(locale, "days"))


def name_to_write(locale: str, what: Literal["months", "days"], number: int, *, short: bool) -> str:
    """The name that a locale writes in a date for a month (1..12) or for a weekday (0, Monday, to 6)."""
    names: Mapping[int, str] = getattr(_locale(locale), what)["format"]["abbreviated" if short else "wide"]
    return names[number]


def currency_signs(locale: str, currency: str = "") -> Mapping[str, str]:
    """Signs and words for money, to the ISO code that they stand for in a locale, else to themselves.

    A sign that several currencies share stands for ``currency`` where that is one of them; the
    other signs, and all without it, stand for what the locale gives them to. Raises LocaleError for
    a currency that is no ISO 4217 code.
    """
    signs = number_signs(locale).currencies
    if not currency:
        return signs
    if currency not in get_global("all_currencies"):
        raise LocaleError(f"currency {currency!r}, expected an ISO 4217 code such as EUR")
    return {**signs, **{sign: currency for sign, codes in _SHARED_SIGNS.items() if currency in codes.split()}}


def _names(locale: str, what: str) -> Iterator[tuple[int, str]]:
    found = _locale(locale)
    # The language alone comes last: en_GB writes "Sept", en writes "Sep", and both are met.
    for source in (found, Locale(found.language)):
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                yield from getattr(source, what).get(context, {}).get(width, {}).items()


def _locale(locale: str) -> Locale:
    try:
        return Locale.parse(locale.replace("-", "_"))
    except (UnknownLocaleError, ValueError, TypeError):
        raise LocaleError(f"locale {locale!r}, expected a name such as en_GB, de_DE or ar_EG") from None


def _currencies(found: Locale) -> dict[str, str]:
    codes = {code: code for code in get_global("all_currencies")}
    signs = {plain_marks(visible(sign)).strip(): code for code, sign in found.currency_symbols.items()}
    # Signs of several currencies that the locale gives to none stay themselves: "$" alone need not be USD.
    return {sign: sign for sign in "$£¥"} | _MONEY_WORDS | signs | codes
