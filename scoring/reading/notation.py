"""Texts that differ in characters or in notation (LaTeX, HTML, Markdown) only, brought to one form."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby

from scoring.characters import APOSTROPHES, DASHES, INVISIBLE
from scoring.reading.latex_symbols import ACCENTS, ARGUMENTS, SYMBOLS

_QUOTES = dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u02ba"), '"')
_QUOTES |= dict.fromkeys(map(ord, "\u201a\u201b"), "'")
# Alike on paper: fraction and division slash, ratio, n-ary sum and product, increment, operators for dots and stars.
_SIGNS = "\u2044\u2215\u2236\u2211\u220f\u2206\u22c5\u2219\u2217\u2223"
_LOOKALIKE = dict(zip(map(ord, _SIGNS), "//:ΣΠΔ··*|", strict=True))
_VARIATIONS = range(0xFE00, 0xFE10)
# NFKC would make 4² into 42 and 5① into 51.
_KEPT_FORMS = ("<super>", "<sub>", "<circle>")
_SPACES = re.compile(r"\s+")
_MIXED_NUMBER = re.compile("(?<=[0-9])(?=[\u00bc-\u00be\u2150-\u215f\u2189])")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")

# Everything that could be notation; a text without it is only tidied.
_MARKUP = re.compile(r"[\\$<&*^_{}~`]|[^\x00-\x7f]")
_BARE = str.maketrans("", "", "\\$<>&*^_{}~`")
# Notation inside notation ("&amp;lt;sup&amp;gt;") is read again; more rounds than this are no longer writing.
_MOST_ROUNDS = 6
_ENTITY = re.compile(r"&(?:amp;)*(#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{1,31};)")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,9})(?:\s[^<>]*)?/?>")
_SPACE_TAG = re.compile(r"br|p|div|li|ul|ol|tr|td|th|hr|table|tbody|thead")
_SILENT_TAG = re.compile(r"b|i|u|s|em|strong|sup|sub|span|small|big|font|code|tt|del|ins|mark|a|math|wbr")
_DOLLARS = re.compile(r"\\.|\$+", re.DOTALL)
_SPELT = re.compile(r"(?<=[0-9.,]) +(?=[0-9.,])|(?<![A-Za-z\\])(?<=[A-Za-z]) +(?=[A-Za-z](?![A-Za-z]))")
_LATEX = re.compile(r"\\([A-Za-z]+)\*?(\s*)|\\\\\*?(?:\[-?[0-9.]+[a-z]{2}\])?|\\(.?)|([{}])", re.DOTALL)
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_OPTION = re.compile(r"\s*\[[^\[\]{}]{0,99}\]")
_ARGUMENT = re.compile(r"\s*(?:(\{)|\*)")
_ACCENTED = re.compile(r"[^\W\d_]|\{|\\[ij]\b")
_ALIGNED = re.compile(r"\{(?:array|tabular)\}")
_PLAIN_FRACTION = re.compile(r"\\[dtc]?frac\s*([0-9])\s*([0-9])")
_SIDE = re.compile(r"\\(?:left|right)\s*\.")
_SUM = re.compile(r"[^\s({][^{}]*[-+\u2212\u00b1]")
_ABOUT = re.compile(r"(^|[\s(\[])~(?=\s*[0-9$.\\+-])")
_EMPHASIS = re.compile(r"\\.|\*+|_+", re.DOTALL)
_MARKS = "!-/:-@\\[-`{-~\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7"
_MARKS += "\u2010-\u205e\u2190-\u2bff\u3001-\u3030"
_AROUND_MARKS = re.compile(rf" +(?=[{_MARKS}])|(?<=[{_MARKS}]) +")
_LEADERS = re.compile(r" ?(?:(?:\. ?){4,}|_{4,} ?)")
_DASH_RUN = re.compile(r"-{2,}")
_OPERATORS = re.compile(r"\+/-|<=|>=|->|``|''|`")
_OPERATOR = {"+/-": "±", "<=": "≤", ">=": "≥", "->": "→", "``": '"', "''": '"', "`": "'"}
# Signs that are printed high by themselves: stars, daggers, degrees and primes need no mark for it.
_HIGH = re.compile(r"\^(?=[*†‡°'\"])|\^[∘o](?![a-z])")
_HIGHS = re.compile(r"\^{2,}")

_BLANK = frozenset(("", "n/a", "n.a.", "n.a", "none", "nil", "null", "nan", "/"))
_BLANK_RUN = re.compile(r"[-.…]+|_+")


def unicode(text: str) -> str:
    """The text with one character for each of those that look alike; case, superscripts and wording are kept.

    Dashes are "-", quotes straight, digits of every script 0 to 9, spaces one space, ligatures and full-width forms
    their letters (NFKC, character by character), "½" is "1/2"; what is not seen is left out. Superscripts, subscripts
    and circled digits stay as they are.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", _MIXED_NUMBER.sub(" ", text))
        text = unicodedata.normalize("NFC", text.translate(_PLAIN))
    elif not text.isprintable():
        text = text.translate(_PLAIN)
    return _SPACES.sub(" ", text).strip()


class _PlainForms(dict[int, str]):
    """The plain form of each character, found out when it is first met."""

    def __missing__(self, code: int) -> str:
        form = self[code] = _plain_form(chr(code))
        return form


_PLAIN = _PlainForms({code: "" for code in (*INVISIBLE, *_VARIATIONS)} | DASHES | APOSTROPHES | _QUOTES | _LOOKALIKE)


def _plain_form(character: str) -> str:
    kind = unicodedata.category(character)
    if kind == "Zs" or character.isspace():
        return " "
    if kind == "Cc":
        return ""
    if kind == "Nd":
        return str(unicodedata.decimal(character))
    how = unicodedata.decomposition(character)
    if not how.startswith("<") or how.startswith(_KEPT_FORMS):
        return character
    form = unicodedata.normalize("NFKC", character)
    # An accent that stands alone would become a space with an accent.
    return character if form.startswith(" ") else form.translate(_PLAIN)


def math(text: str) -> str:
    """The text in plain Unicode, the same for LaTeX, HTML, Markdown and plain notation, case kept; never raises.

    What ``unicode`` does, and: a superscript is ``^2``, a subscript ``_i``, whatever it was written with; commands
    and entities are their characters, a fraction is ``a/b``; bold marks, math delimiters and all braces are left out;
    ``<br>`` is a space; no spaces stand around punctuation and operators; a run of dashes is one; rows of four or
    more leader dots are left out. A dash or "n/a" stays: ``is_blank`` tells it. Doing it twice changes nothing more.
    """
    for _ in range(_MOST_ROUNDS):
        if _MARKUP.search(text) is None:
            return _tidy(text)
        before, text = text, _tidy(_levels(unicode(_without_markup(text))))
        if text == before:
            return text
    return _tidy(unicode(text.translate(_BARE)))


def plain(text: str) -> str:
    """The text without the notation of LaTeX, HTML and Markdown, its characters and spaces as they are otherwise."""
    return _without_markup(text).strip() if _MARKUP.search(text) else text


def is_blank(text: str) -> bool:
    """Whether a text says that there is no value: empty, dashes, dots, "n/a", "NA", "none", "nil", "null"."""
    plain = math(text)
    # "Na" is sodium.
    return plain.lower() in _BLANK or plain in ("NA", "na") or _BLANK_RUN.fullmatch(plain) is not None


def _without_markup(text: str) -> str:
    if "&" in text:
        text = _ENTITY.sub(lambda found: html.unescape(f"&{found[1]}"), text)
    if "<" in text:
        text = _TAG.sub(_tag, text)
    if "~" in text:
        text = _ABOUT.sub(r"\1∼", text.replace("~~", "")).replace("\\~", "\\∼").replace("~", " ")
    if "$" in text:
        text = _without_dollars(text)
    if "*" in text or "_" in text:
        text = _without_emphasis(text)
    if "\\" in text or "{" in text or "}" in text:
        text = "".join(_latex(_SIDE.sub("", _PLAIN_FRACTION.sub(r"{\1/\2}", text))))
    return text


def _tag(found: re.Match[str]) -> str:
    name = found[2].lower()
    if _SPACE_TAG.fullmatch(name):
        return " "
    if not _SILENT_TAG.fullmatch(name):
        return found[0]
    if found[1]:
        return ""
    return {"sup": "^", "sub": "_"}.get(name, "")


def _without_dollars(text: str) -> str:
    """The text without the dollars that enclose mathematics; those of amounts ("$5 to $10") stay."""
    pieces: list[str] = []
    opened: list[int] = []  # the pieces that are dollars without a partner
    end = 0
    for found in _DOLLARS.finditer(text):
        if found[0][0] == "\\":
            continue
        pieces.append(text[end : found.start()])
        end = found.end()
        inside = pieces[-1]
        plain = opened and _MARKUP.search(inside) is None
        money = text[end : end + 1].isdigit() or (inside[:1].isdigit() and inside[-1:].isalpha())
        if opened and inside.strip() and not (plain and money):
            pieces[opened.pop()] = ""
            pieces[-1] = _SPELT.sub("", inside)
            pieces.append("{}")  # parts "\\circ$C"
        else:
            opened.append(len(pieces))
            pieces.append(found[0])
    return "".join(pieces) + text[end:]


def _without_emphasis(text: str) -> str:
    """The text without the stars and underscores of Markdown around words; those of significance stay."""
    pieces: list[str] = []
    opened: dict[str, int] = {}  # the marks that wait for their partner: where they are
    end = 0
    for found in _EMPHASIS.finditer(text):
        mark = found[0]
        if mark[0] == "\\":
            continue
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        pieces.append(text[end : found.start()])
        end = found.end()
        closes = next((part for part in (mark, mark[:2], mark[:1]) if part in opened), "")
        if closes and not before.isspace() and not after.isalnum():
            partner = opened[closes]
            pieces[partner] = ""
            opened = {other: place for other, place in opened.items() if place < partner}
            pieces.append(mark[len(closes) :])
            continue
        if after and not after.isspace() and not before.isalnum() and before not in ("^", "{", "}"):
            opened[mark] = len(pieces)
        pieces.append(mark)
    return "".join(pieces) + text[end:]


def _latex(text: str) -> Iterator[str]:
    """The text in pieces, commands as what they stand for."""
    closing = _closing(text)
    instead: dict[int, str] = {}  # what is put for a brace
    accent = ""
    place = 0
    while (found := _LATEX.search(text, place)) is not None:
        piece = text[place : found.start()]
        place = found.end()
        if accent and piece:
            piece, accent = piece[0] + accent + piece[1:], ""
        yield piece
        name, space, sign, brace = found.groups()
        if brace:
            yield instead.get(found.start(), "")
            continue
        if name is None:
            if not sign:
                yield " "
            elif sign in ACCENTS and _ACCENTED.match(text, place) is not None:
                accent = ACCENTS[sign]
            elif sign not in "()[]{}/!":
                yield " " if sign in ",;:>" or sign.isspace() else sign
            continue
        if name in ACCENTS:
            accent = ACCENTS[name]
        elif name in ARGUMENTS:
            count = ARGUMENTS[name] + (name == "begin" and _ALIGNED.match(text, place) is not None)
            place = _after_arguments(text, found.end(1), count, closing)
        elif name.endswith("frac"):
            _fraction(text, place, closing, instead)
        else:
            meaning = SYMBOLS.get(name, name)
            if accent and meaning:
                meaning, accent = meaning.replace("ı", "i") + accent, ""
            # LaTeX swallows the space after a command, yet it parts the name of a function from what follows.
            yield meaning + (space if meaning[-1:].isascii() and meaning[-1:].isalpha() else "")
    rest = text[place:]
    yield rest[:1] + accent + rest[1:] if accent and rest else rest


def _closing(text: str) -> dict[int, int]:
    """The place of the brace that closes each brace."""
    opened: list[int] = []
    closing: dict[int, int] = {}
    for found in _BRACES.finditer(text):
        if found[0] == "{":
            opened.append(found.start())
        elif found[0] == "}" and opened:
            closing[opened.pop()] = found.start()
    return closing


def _after_arguments(text: str, place: int, count: int, closing: dict[int, int]) -> int:
    for _ in range(count):
        while (option := _OPTION.match(text, place)) is not None:
            place = option.end()
        found = _ARGUMENT.match(text, place)
        if found is None:
            break
        if found[1]:
            end = closing.get(found.end() - 1)
            if end is None:
                break
            place = end + 1
        else:
            place = found.end()
    return place


def _fraction(text: str, place: int, closing: dict[int, int], instead: dict[int, str]) -> None:
    """Has the braces of the two arguments at a place replaced by a slash, and by parentheses around a sum."""
    end = closing.get(place)
    found = None if end is None else _ARGUMENT.match(text, end + 1)
    if end is None or found is None or not found[1]:
        return
    second = found.end() - 1
    instead[end] = "/"
    for start, stop in ((place, end), (second, closing.get(second))):
        if stop is not None and _SUM.match(text, start + 1, stop):
            instead[start], instead[stop] = "(", ")" + instead.get(stop, "")


def _levels(text: str) -> str:
    """The text with superscripts and subscripts of Unicode written as ``^2`` and ``_2``."""
    if text.isascii():
        return text
    return _NOT_ASCII.sub(lambda found: "".join(_level(found[0])), text)


class _Levels(dict[str, str]):
    """The mark of each character for being printed high or low, found out when it is first met."""

    def __missing__(self, character: str) -> str:
        how = unicodedata.decomposition(character)
        mark = self[character] = "^" if how.startswith("<super>") else "_" if how.startswith("<sub>") else ""
        return mark


_LEVELS = _Levels()


def _level(run: str) -> Iterator[str]:
    for mark, characters in groupby(run, _LEVELS.__getitem__):
        letters = "".join(characters)
        yield mark + unicode(unicodedata.normalize("NFKC", letters)) if mark else letters


def _tidy(text: str) -> str:
    text = _SPACES.sub(" ", text).strip()
    if text.isalnum():
        return text
    if not all(letter in ". _" for letter in text):
        text = _LEADERS.sub(" ", text)
    text = _DASH_RUN.sub("-", _AROUND_MARKS.sub("", text))
    text = _OPERATORS.sub(lambda found: _OPERATOR[found[0]], text)
    return _HIGH.sub(lambda found: "" if found[0] == "^" else "°", _HIGHS.sub("^", text)).strip()
