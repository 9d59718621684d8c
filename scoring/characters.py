"""Characters that look alike or are not seen, as tables for ``str.translate``."""

from __future__ import annotations

# Characters that a reader does not see: soft hyphen, zero-width space and joiners, bidi marks, BOM.
INVISIBLE: dict[int, None] = dict.fromkeys(map(ord, "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
INVISIBLE |= dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
DASHES: dict[int, str] = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"), "-")
APOSTROPHES: dict[int, str] = dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u2032"), "'")
# U+FF01..FF5E are the full-width forms of ASCII 21..7E.
FULL_WIDTH: dict[int, str] = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
FULL_WIDTH |= {0xFFE5: "¥", 0xFFE1: "£", 0xFFE0: "¢"}
