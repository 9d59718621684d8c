"""Values of a spreadsheet as they are shown: number formats by ECMA-376 part 1, 18.8.31, as far as tables use them."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from locale import windows_locale

from babel.core import Locale, UnknownLocaleError
from babel.dates import get_day_names, get_month_names

# The built-in format 14 is the short date of whoever opens the file; the year in full cannot be misread.
_OWN_SHORT_DATE = "mm-dd-yy"
_SECTIONS = re.compile(r'(?:"[^"]*"|\\.|\[[^\]]*\]|[^;])+|(?<=;)(?=;)|(?<=;)\Z')
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]'
    r"|(?P<digits>[0#?][0#?,]*(?:\.[0#?]*)?|\.[0#?]+)|(?P<exponent>[eE][+-]0+)|(?P<general>[Gg][Ee][Nn][Ee][Rr][Aa][Ll])"
    r"|(?P<percent>%)|(?P<plain>.)",
    re.DOTALL,
)
_DATE_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[(?P<elapsed>h+|m+|s+)\]|\[\$(?P<currency>[^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]'
    r"|(?P<half>AM/PM|A/P)|(?P<part>y+|m+|d+|h+|s+|e+)|(?P<fraction>\.0+)|(?P<plain>.)",
    re.DOTALL | re.IGNORECASE,
)
_LANGUAGE = re.compile(r"\[\$[^\]-]*-([0-9A-Fa-f]{1,8})\]")
_THOUSANDS = re.compile(r"(?<=\d)(?=(?:\d{3})+\Z)")
_MOST_DIGITS = 15  # a spreadsheet's numbers carry no more
_PLAIN_EXPONENTS = range(-10, 21)
_FIRST_DAY = datetime(1899, 12, 30)


def shown(value: object, code: str) -> str | None:
    """The value as the number format shows it; None where the format is beyond what is understood here.

    Texts are verbatim. Names of months and days are in the language that the format names, else English.
    """
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case str():
            return value
        case int() | float() | Decimal():
            return general(value) if code == "General" else _number(value, code)
        case datetime() | date() | time() | timedelta():
            return _moment(value, code)
        case _:
            return None


def general(value: object) -> str:
    """The value without a format: all its digits, dates as ISO writes them."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return str(value)
    if value != value or abs(value) == float("inf"):
        return str(value)
    number = Decimal(value) if isinstance(value, int) else Decimal(f"{value:.{_MOST_DIGITS}g}")
    if number == 0:
        return "0"
    if number.adjusted() not in _PLAIN_EXPONENTS:
        return f"{number.normalize():E}"
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@lru_cache(maxsize=512)
def _sections(code: str) -> tuple[str, ...]:
    return tuple(_SECTIONS.findall(code)) or (code,)


def _number(value: int | float | Decimal, code: str) -> str | None:
    if value != value or abs(value) == float("inf"):
        return None
    sections = _sections(code)
    if any(re.search(r"\[[<>=]", section) for section in sections) or len(sections) > 4:
        return None
    number = Decimal(value) if isinstance(value, int) else Decimal(f"{value:.{_MOST_DIGITS}g}")
    numeric = sections[:3]
    section, unsigned = numeric[0], False
    if number < 0 and len(numeric) > 1:
        section, unsigned = numeric[1], True
    elif number == 0 and len(numeric) > 2:
        section = numeric[2]
    return _in_section(abs(number) if unsigned else number, section)


@lru_cache(maxsize=512)
def _tokens(section: str) -> tuple[re.Match[str], ...]:
    return tuple(_TOKEN.finditer(section))


def _in_section(number: Decimal, section: str) -> str | None:
    tokens = _tokens(section)
    patterns = [found["digits"] for found in tokens if found["digits"]]
    if len(patterns) > 1 or ("/" in [found["plain"] for found in tokens] and patterns):
        return None  # fractions and masks such as 000-00-0000
    percent = sum(1 for found in tokens if found["percent"])
    exponent = next((found["exponent"] for found in tokens if found["exponent"]), "")
    pattern = patterns[0] if patterns else ""
    digits = _digits(number * Decimal(100) ** percent, pattern, exponent) if pattern else ""
    parts: list[str] = []
    for found in tokens:
        if found["digits"]:
            parts.append(digits.lstrip("-"))
        elif found["general"]:
            parts.append(general(abs(number)))
        elif found["plain"] == "@":
            parts.append(general(number))
        elif not found["exponent"]:
            parts.append(found["quoted"] or found["escaped"] or found["currency"] or found["percent"] or _plain(found))
    minus = digits.startswith("-") or (number < 0 and any(found["general"] for found in tokens))
    return ("-" if minus else "") + "".join(parts).strip(" ")


def _plain(found: re.Match[str]) -> str:
    return found["plain"] or ""


def _digits(number: Decimal, pattern: str, exponent: str) -> str:
    """The number in a pattern such as ``#,##0.00``; with an exponent, one digit before the point."""
    whole, _, places = pattern.partition(".")
    thousands = len(whole) - len(whole.rstrip(","))
    grouped = "," in whole.rstrip(",")
    number = number / Decimal(1000) ** thousands
    tail = ""
    if exponent:
        power = number.adjusted() if number else 0
        number = number.scaleb(-power)
        if abs(number.quantize(Decimal(1).scaleb(-len(places)), ROUND_HALF_UP)) >= 10:
            number, power = number / 10, power + 1
        sign = "-" if power < 0 else exponent[1].replace("-", "")
        tail = f"{exponent[0].upper()}{sign}{abs(power):0{len(exponent) - 2}d}"
    try:
        rounded = number.quantize(Decimal(1).scaleb(-len(places)), ROUND_HALF_UP)
    except ArithmeticError:  # more digits than a Decimal holds
        rounded = Decimal(int(number))
    before, _, after = f"{abs(rounded):f}".partition(".")
    before = before.lstrip("0").rjust(sum(place == "0" for place in whole), "0")
    if grouped:
        before = _THOUSANDS.sub(",", before)
    while after and places[len(after) - 1] in "#?" and after[-1] == "0":
        after = after[:-1]
    point = "." if "." in pattern else ""
    return ("-" if rounded < 0 else "") + before + point + after + tail


def _moment(value: datetime | date | time | timedelta, code: str) -> str | None:
    if code.lower() in ("general", "@", ""):
        return general(value)
    section = _sections(code)[0]
    if section.lower() == _OWN_SHORT_DATE and isinstance(value, date):
        return f"{value:%Y-%m-%d}"
    tokens = list(_DATE_TOKEN.finditer(section))
    fraction = max((len(found["fraction"]) - 1 for found in tokens if found["fraction"]), default=0)
    moment, elapsed = _rounded(value, fraction)
    language = _language(section)
    half = any(found["half"] for found in tokens)
    parts: list[str] = []
    for place, found in enumerate(tokens):
        if found["elapsed"]:
            unit = {"h": 3600, "m": 60, "s": 1}[found["elapsed"][0].lower()]
            parts.append(f"{int(elapsed.total_seconds() // unit):0{len(found['elapsed'])}d}")
        elif found["half"]:
            words = ("AM", "PM") if len(found["half"]) > 3 else ("A", "P")
            parts.append(words[moment.hour >= 12])
        elif found["fraction"]:
            parts.append(f".{moment.microsecond:06d}"[: fraction + 1])
        elif found["part"]:
            parts.append(_part(found["part"].lower(), moment, language, half, _is_minute(tokens, place)))
        else:
            parts.append(found["quoted"] or found["escaped"] or found["currency"] or _plain(found))
    return "".join(parts).strip(" ")


def _rounded(value: datetime | date | time | timedelta, fraction: int) -> tuple[datetime, timedelta]:
    """The moment, rounded to the digits of a second that are shown, and how long it is from day 0."""
    if isinstance(value, timedelta):
        moment = _FIRST_DAY + value if abs(value) < timedelta(days=1_000_000) else _FIRST_DAY
    elif isinstance(value, time):
        moment = datetime.combine(_FIRST_DAY.date(), value)
    elif isinstance(value, datetime):
        moment = value
    else:
        moment = datetime(value.year, value.month, value.day)
    step = 10 ** (6 - min(fraction, 6))
    over = moment.microsecond % step
    moment -= timedelta(microseconds=over)
    if over * 2 >= step and moment < datetime.max - timedelta(seconds=2):
        moment += timedelta(microseconds=step)
    return moment, moment - _FIRST_DAY


def _is_minute(tokens: list[re.Match[str]], place: int) -> bool:
    """Whether an ``m`` means minutes: it follows hours or comes before seconds."""
    before = next((t for t in reversed(tokens[:place]) if t["part"] or t["elapsed"]), None)
    after = next((t for t in tokens[place + 1 :] if t["part"] or t["elapsed"]), None)
    return (before is not None and (before["part"] or before["elapsed"])[0].lower() == "h") or (
        after is not None and (after["part"] or after["elapsed"])[0].lower() == "s"
    )


def _part(part: str, moment: datetime, language: Locale, half: bool, minutes: bool) -> str:
    count = len(part)
    match part[0]:
        case "y" | "e":
            return f"{moment.year % 100:02d}" if part[0] == "y" and count <= 2 else f"{moment.year:04d}"
        case "m" if minutes and count <= 2:
            return f"{moment.minute:0{count}d}"
        case "m" if count <= 2:
            return f"{moment.month:0{count}d}"
        case "m":
            name: str = get_month_names("abbreviated" if count == 3 else "wide", locale=language)[moment.month]
            return name[:1] if count == 5 else name
        case "d" if count <= 2:
            return f"{moment.day:0{count}d}"
        case "d":
            return str(get_day_names("abbreviated" if count == 3 else "wide", locale=language)[moment.weekday()])
        case "h":
            hour = (moment.hour % 12 or 12) if half else moment.hour
            return f"{hour:0{min(count, 2)}d}"
        case _:
            return f"{moment.second:0{min(count, 2)}d}"


@lru_cache(maxsize=64)
def _language(section: str) -> Locale:
    """The language that a format names by its Windows number, as in ``[$-407]``; English where there is none."""
    told = _LANGUAGE.search(section)
    name = windows_locale.get(int(told[1], 16) & 0xFFFF, "en_US") if told else "en_US"
    try:
        return Locale.parse(name)
    except (UnknownLocaleError, ValueError):
        return Locale("en", "US")
