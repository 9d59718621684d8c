"""Plausible errors put into a value on purpose: a digit taken for another, a lost sign, a moved separator."""

from __future__ import annotations

import re
from random import Random
from typing import Literal, get_args

Corruption = Literal["digit", "sign", "separator"]
CORRUPTIONS: tuple[Corruption, ...] = get_args(Corruption)

# Digits that readers of pages take for each other.
_ALIKE = {"0": "68", "1": "74", "2": "7", "3": "89", "4": "19", "5": "63", "6": "508", "7": "12", "8": "360", "9": "34"}
_NEGATIVE = re.compile(r"\A(\s*)(?:[-\u2212\u2013]\s?(?=[^\s-])(.*)|\((.*\d.*)\))(\s*)\Z", re.DOTALL)
# A decimal part: a separator before its digits, which end the number.
_DECIMAL = re.compile(r"(?<=\d)([.,])(?=\d{1,2}(?!\d|[.,]\d))")
_GROUP = re.compile(r"(?<=\d)[.,\u00a0\u202f ](?=\d{3}(?!\d))")


def corrupted(text: str, kind: Corruption, seed: int) -> str | None:
    """The text with one error of a kind, or None where it has no place for it; the same seed gives the same error.

    What comes back differs from the text in more than white space, is never empty, and keeps its length but for one
    sign or separator. Digits are ASCII ones.
    """
    chance = Random(f"{seed} {kind}")
    match kind:
        case "digit":
            made = _digit(text, chance)
        case "sign":
            made = _sign(text)
        case "separator":
            made = _separator(text, chance)
    return made if made is not None and made.strip() and "".join(made.split()) != "".join(text.split()) else None


def _digit(text: str, chance: Random) -> str | None:
    places = [at for at, letter in enumerate(text) if letter in _ALIKE]
    if not places:
        return None
    at = chance.choice(places)
    return text[:at] + chance.choice(_ALIKE[text[at]]) + text[at + 1 :]


def _sign(text: str) -> str | None:
    """Without its minus, or the parentheses that say the same."""
    found = _NEGATIVE.match(text)
    if found is None or not re.search(r"\d", text):
        return None
    before, minus, parentheses, after = found.groups()
    return f"{before}{parentheses if minus is None else minus}{after}"


def _separator(text: str, chance: Random) -> str | None:
    """1.50 as 150, or 1,500 as 1.5 would be read: a separator lost, or one of thousands taken for one of decimals."""
    decimals, groups = list(_DECIMAL.finditer(text)), list(_GROUP.finditer(text))
    if not decimals and not groups:
        return None
    found = chance.choice([*decimals, *groups])
    if found in decimals:
        return text[: found.start()] + text[found.end() :]
    other = "," if found.group() == "." else "."
    return text[: found.start()] + other + text[found.end() :]
