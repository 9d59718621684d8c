"""The fonts of the sample documents: cut down from Noto to the needed signs, and given to reportlab.

``python -m sample_docs.generator.fonts`` cuts them anew; it needs Debian's fonts-noto-core and fonts-noto-cjk,
the script parts of Noto. The samples themselves are made from the small files in ``sample_docs/fonts``.
"""

from __future__ import annotations

from pathlib import Path

import arabic_reshaper.letters
from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont as PdfFont

FONTS = Path(__file__).parent.parent / "fonts"
NOTO = Path("/usr/share/fonts/truetype/noto")
NOTO_CJK = Path("/usr/share/fonts/opentype/noto")

LATIN = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x180)])) + "–—‘’“”„•…€"
ARABIC = (
    "".join(map(chr, [*range(0x20, 0x40), *range(0x5B, 0x60), *range(0x660, 0x66D), *range(0x621, 0x653)]))
    + "،؛؟«»–"
    + "".join(form for forms in arabic_reshaper.letters.LETTERS_ARABIC.values() for form in forms)
    + "ﻵﻶﻷﻸﻹﻺﻻﻼ"
)
MATH = "".join(map(chr, range(0x20, 0x7F))) + "≤≥−"
# How far the signs of a font reach above and below the line, in parts of the font size.
REACH = {"Arabic": (0.95, 0.35), "Japanese": (0.88, 0.14)}
REACH_LATIN = (0.76, 0.22)

SHIPPED = {
    "Sans": "NotoSans-Regular",
    "Sans-Bold": "NotoSans-Bold",
    "Sans-Italic": "NotoSans-Italic",
    "Serif": "NotoSerif-Regular",
    "Serif-Bold": "NotoSerif-Bold",
    "Serif-Italic": "NotoSerif-Italic",
    "Display": "NotoSerifDisplay-Bold",
    "Math": "NotoSansMath-Regular",
    "Arabic": "NotoSansArabic-Regular",
    "Arabic-Bold": "NotoSansArabic-Bold",
    "Japanese": "NotoSansCJKjp-Regular",
    "Japanese-Bold": "NotoSansCJKjp-Bold",
}


def register() -> None:
    """Tells reportlab the shipped fonts by their short names; a second call changes nothing."""
    known = pdfmetrics.getRegisteredFontNames()
    for name, stem in SHIPPED.items():
        if name not in known:
            pdfmetrics.registerFont(PdfFont(name, str(FONTS / f"{stem}.ttf")))


def reach(font: str) -> tuple[float, float]:
    """How far text in a font reaches above and below its line, in parts of the font size."""
    return REACH.get(font.split("-")[0], REACH_LATIN)


def runs(text: str, font: str) -> list[tuple[str, str]]:
    """The text in pieces, each with a font that has its signs: Latin in Arabic text, "≥" in Latin text."""
    pieces: list[tuple[str, str]] = []
    for sign in text:
        weight = "-Bold" if font.endswith("-Bold") else ""
        has = next((name for name in (font, f"Sans{weight}", "Math") if ord(sign) in _signs(name)), font)
        if pieces and pieces[-1][1] == has:
            pieces[-1] = pieces[-1][0] + sign, has
        else:
            pieces.append((sign, has))
    return pieces


def width(text: str, font: str, size: float) -> float:
    """How wide a text is in points."""
    return sum(float(pdfmetrics.stringWidth(piece, name, size)) for piece, name in runs(text, font))


def _signs(font: str) -> dict[int, int]:
    signs: dict[int, int] = pdfmetrics.getFont(font).face.charToGlyph
    return signs


def cut() -> None:
    """Writes ``sample_docs/fonts``: each font with only the signs that the samples use."""
    from sample_docs.generator.japanese import signs  # the text of that sample decides which of 65,000 signs stay

    for name, stem in SHIPPED.items():
        if name.startswith("Japanese"):
            source = TTFont(NOTO_CJK / f"{stem.replace('CJKjp', 'CJK')}.ttc", fontNumber=0, recalcTimestamp=False)
        else:
            source = TTFont(NOTO / f"{stem}.ttf", recalcTimestamp=False)
        text = ARABIC if name.startswith("Arabic") else MATH if name == "Math" else LATIN
        options = subset.Options(
            hinting=False, layout_features=[], notdef_outline=True, name_IDs=[0, 1, 2, 4, 6, 13, 14]
        )
        cutter = subset.Subsetter(options)
        cutter.populate(text=signs() if name.startswith("Japanese") else text)
        cutter.subset(source)
        if "CFF " in source:
            _use_quadratic_outlines(source)
        source.save(FONTS / f"{stem}.ttf")


def _use_quadratic_outlines(font: TTFont) -> None:
    """Turns the cubic outlines of a CFF font, which reportlab cannot embed, into TrueType ones."""
    glyphs = font.getGlyphSet()
    quadratic = {}
    for name in font.getGlyphOrder():
        pen = TTGlyphPen(glyphs)
        glyphs[name].draw(Cu2QuPen(pen, max_err=1.0, reverse_direction=True))
        quadratic[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder, font["glyf"].glyphs = font.getGlyphOrder(), quadratic
    for name, (advance, _) in font["hmtx"].metrics.items():
        quadratic[name].recalcBounds(font["glyf"])
        font["hmtx"].metrics[name] = (advance, quadratic[name].xMin)
    largest = font["maxp"]
    largest.tableVersion = 0x00010000
    for part in ("Zones", "TwilightPoints", "Storage", "FunctionDefs", "InstructionDefs", "StackElements"):
        setattr(largest, f"max{part}", 1 if part == "Zones" else 0)
    largest.maxSizeOfInstructions = largest.maxComponentElements = 0
    font["post"].formatType = 3.0
    for table in ("CFF ", "VORG"):
        if table in font:
            del font[table]
    font.sfntVersion = "\x00\x01\x00\x00"


if __name__ == "__main__":
    cut()
