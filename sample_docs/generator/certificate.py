"""A German inspection certificate 3.1 for steel bars: leading zeros, decimal commas, units in the cells."""

from __future__ import annotations

from sample_docs.generator.paper import Align, Paper, Placed
from sample_docs.generator.reading import Sample, Slip, TrueCell, TrueTable, read
from sample_docs.generator.schemas import column, table_type
from sample_docs.generator.writers import csv_rows

INK, BLUE, PALE, GREY = "#14181f", "#1f3a5f", "#e8edf3", "#5c6675"
LEFT, RIGHT = 45.0, 550.0

HEADER = ("Probe", "Schmelze", "Lage", "Rp0,2", "Rm", "A5 [%]", "Z [%]", "KV bei -20 °C", "Bewertung")
EDGES = (45.0, 82.0, 138.0, 172.0, 236.0, 310.0, 356.0, 402.0, 488.0, 550.0)
ROWS = (
    ("Soll", "", "", "≥ 355 MPa", "470–630 MPa", "≥ 22,0", "", "≥ 27 J", ""),
    ("01", "004711", "L", "388 MPa", "520 MPa", "27,5", "64", "84 J", "i. O."),
    ("02", "004711", "L", "391 MPa", "524 MPa", "26,8", "63", "79 J", "i. O."),
    ("03", "004711", "Q", "382 MPa", "ca. 520 MPa", "25,4", "61", "58 J", "i. O."),
    ("04", "004712", "L", "402 MPa", "541 MPa", "26,1", "62", "88 J", "i. O."),
    ("05", "004712", "L", "399 MPa", "538 MPa", "26,0", "62", "91 J", "i. O."),
    ("06", "004712", "Q", "395 MPa", "534 MPa", "24,9", "59", "47 J", "i. O."),
    ("07", "005008", "L", "376 MPa", "507 MPa", "28,2", "66", "102 J", "i. O."),
    ("08", "005008", "Q", "371 MPa", "ca. 500 MPa", "21,8", "57", "41 J", "Nachprüfung"),
    ("08a", "005008", "Q", "373 MPa", "503 MPa", "23,6", "58", "44 J", "i. O."),
)
CHEMISTRY = (
    ("Schmelze", "C", "Si", "Mn", "P", "S", "Cr", "Ni", "Cu", "CEV"),
    ("004711", "0,168", "0,21", "1,38", "0,014", "0,006", "0,08", "0,06", "0,15", "0,43"),
    ("004712", "0,174", "0,22", "1,41", "0,012", "0,007", "0,07", "0,05", "0,14", "0,44"),
    ("005008", "0,161", "0,19", "1,36", "0,015", "0,005", "0,09", "0,07", "0,16", "0,42"),
)

_ZEROS = "The table went through a spreadsheet, which took the text for a number and dropped the leading zeros."
_SIGN = 'The file is in Windows-1252, which has no sign for "greater or equal"; it became a question mark.'
SLIPS = {
    "mechanical": (
        Slip("misread", 1, 3, "≥ 355 MPa", "? 355 MPa", why=_SIGN),
        Slip("misread", 1, 5, "≥ 22,0", "? 22,0", why=_SIGN),
        Slip("misread", 1, 7, "≥ 27 J", "? 27 J", why=_SIGN),
        *(Slip("misread", row, 0, f"0{row - 1}", f"{row - 1}", why=_ZEROS) for row in range(2, 10)),
        Slip(
            "misread", 4, 4, "ca. 520 MPa", "520 MPa", why='"ca." was taken for noise; now an estimate looks measured.'
        ),
        Slip("misread", 7, 7, "47 J", "41 J", why="7 and 1 look alike."),
        Slip("misread", 6, 5, "26,0", "260", why="The decimal comma is lost: 260 % elongation."),
        Slip("misread", 9, 8, "Nachprüfung", "Nachprufung", why="The dots of the umlaut are lost."),
        Slip("merged", 8, 1, why="Melt number and the single letter after it became one cell; the next one is empty."),
    )
}


def _head(paper: Paper) -> None:
    paper.fill(LEFT, 36, LEFT + 34, 70, BLUE)
    paper.shape(
        [(LEFT + 6, 62), (LEFT + 17, 43), (LEFT + 28, 62), (LEFT + 23, 62), (LEFT + 17, 52), (LEFT + 11, 62)], "#ffffff"
    )
    paper.text(LEFT + 44, 52, "STAHLWERK ESCHENRODA GMBH", font="Sans-Bold", size=13, colour=BLUE)
    paper.text(LEFT + 44, 65, "Blankstahl · Schmiedestücke · Werkstoffprüfung", size=8, colour=GREY)
    paper.text(RIGHT, 50, "Abnahmeprüfzeugnis 3.1", font="Sans-Bold", size=13, align="right")
    paper.text(RIGHT, 64, "nach DIN EN 10204:2005-01", size=8.5, align="right")
    paper.rule(LEFT, 78, RIGHT, 78, width=1.5, colour=BLUE)
    top, middle, height = 88.0, 297.5, 26.0
    fields = (
        (
            "Besteller / Purchaser",
            "Kessel- und Apparatebau Lindhorst KG",
            "Zeugnis-Nr. / Certificate no.",
            "APZ 2024-03-0187",
        ),
        ("Bestellung / Order no.", "4500 0815 03", "Werksauftrag / Works order", "WA 0072914"),
        ("Erzeugnis / Product", "Stabstahl rund, blank, gezogen", "Werkstoff / Material", "S355J2+C (1.0577)"),
        ("Abmessung / Dimension", "Ø 42,00 mm h9 × 6.000 mm", "Stückzahl, Masse / Pieces, mass", "36 Stück, 2.348 kg"),
        (
            "Lieferbedingung / Standard",
            "DIN EN 10277:2018-09",
            "Lieferzustand / Condition",
            "kaltgezogen, spannungsarm geglüht",
        ),
    )
    for number, (left_label, left, right_label, right) in enumerate(fields):
        y = top + height * number
        for x, end, label, value in ((LEFT, middle, left_label, left), (middle, RIGHT, right_label, right)):
            paper.fill(x, y, end, y + height, "", edge="#9aa7b8")
            paper.text(x + 5, y + 9, label, size=6.2, colour=GREY)
            paper.text(x + 5, y + 20.5, value, size=9)


def _mechanical(paper: Paper) -> TrueTable:
    paper.text(LEFT, 240, "1  Mechanische Prüfung", font="Sans-Bold", size=10, colour=BLUE)
    paper.text(
        RIGHT,
        240,
        "Zugversuch DIN EN ISO 6892-1 B · Kerbschlagbiegeversuch DIN EN ISO 148-1",
        size=7,
        colour=GREY,
        align="right",
    )
    top, height = 247.0, 19.0
    cells = []
    paper.fill(LEFT, top, RIGHT, top + height, BLUE)
    paper.fill(LEFT, top + height, RIGHT, top + 2 * height, PALE)
    for row, texts in enumerate((HEADER, *ROWS)):
        base = top + height * row + 12.6
        for col, text in enumerate(texts):
            middle = (EDGES[col] + EDGES[col + 1]) / 2
            font = "Sans-Bold" if row == 0 else "Sans-Italic" if row == 1 else "Sans"
            placed: Placed | None = None
            if text:
                placed = paper.text(
                    middle, base, text, font=font, size=8, align="center", colour="#ffffff" if row == 0 else INK
                )
            cells.append(TrueCell(row, col, placed, header="column" if row == 0 else ""))
        paper.rule(LEFT, base + 6.4, RIGHT, base + 6.4, width=0.4, colour="#9aa7b8")
    bottom = top + height * (len(ROWS) + 1)
    for x in EDGES:
        paper.rule(x, top, x, bottom, width=0.4, colour="#9aa7b8")
    paper.text(
        LEFT,
        bottom + 11,
        "Probe 08: Bruchdehnung unter Soll, Nachprüfung 08a bestanden. L = längs, Q = quer, i. O. = in Ordnung.",
        size=6.8,
        colour=GREY,
    )
    return TrueTable("mechanical", "mechanical", tuple(cells))


def _chemistry(paper: Paper) -> None:
    paper.text(
        LEFT,
        498,
        "2  Chemische Zusammensetzung (Schmelzenanalyse, Massenanteile in %)",
        font="Sans-Bold",
        size=10,
        colour=BLUE,
    )
    top, height, step = 505.0, 17.0, (RIGHT - LEFT) / len(CHEMISTRY[0])
    paper.fill(LEFT, top, RIGHT, top + height, PALE)
    for row, texts in enumerate(CHEMISTRY):
        align: Align = "center"
        for col, text in enumerate(texts):
            paper.text(
                LEFT + step * (col + 0.5),
                top + height * row + 11.6,
                text,
                size=8,
                align=align,
                font="Sans-Bold" if row == 0 else "Sans",
            )
        paper.rule(LEFT, top + height * (row + 1), RIGHT, top + height * (row + 1), width=0.4, colour="#9aa7b8")
    paper.rule(LEFT, top, RIGHT, top, width=0.4, colour="#9aa7b8")


def _foot(paper: Paper) -> None:
    paper.text(LEFT, 598, "3  Bestätigung", font="Sans-Bold", size=10, colour=BLUE)
    paper.lines(
        LEFT,
        613,
        [
            "Es wird bestätigt, dass die Lieferung den Anforderungen der Bestellung entspricht. Verwechslungsprüfung, "
            "Sicht- und",
            "Maßkontrolle: ohne Beanstandung. Kennzeichnung: Schmelze, Werkstoff, Herstellerzeichen. Das Material ist "
            "frei von",
            "Radioaktivität (Messung bei Eingang, Grenzwert 0,1 µSv/h).",
        ],
        size=7.8,
        leading=11.5,
    )
    paper.text(LEFT, 690, "Eschenroda, 18.03.2024", size=9)
    paper.rule(LEFT, 697, LEFT + 150, 697, width=0.4)
    paper.text(LEFT, 706, "Ort, Datum / Place, date", size=6.2, colour=GREY)
    paper.curve(
        [
            (392, 690),
            (404, 652),
            (414, 664),
            (402, 688),
            (410, 700),
            (424, 664),
            (432, 678),
            (438, 690),
            (444, 668),
            (456, 676),
            (466, 684),
            (474, 668),
            (500, 680),
        ],
        colour="#23408f",
        width=1.1,
    )
    paper.rule(380, 697, RIGHT, 697, width=0.4)
    paper.text(380, 706, "Dipl.-Ing. H. Wendlandt, Abnahmebeauftragter", size=6.2, colour=GREY)
    paper.disc(330, 676, 27, "", edge="#23408f", width=1.4)
    paper.disc(330, 676, 20, "", edge="#23408f", width=0.6)
    paper.text(330, 675, "APZ", font="Sans-Bold", size=9, colour="#23408f", align="center")
    paper.text(330, 685, "W 03", font="Sans-Bold", size=8, colour="#23408f", align="center")
    paper.rule(LEFT, 780, RIGHT, 780, width=0.5, colour=BLUE)
    paper.text(
        LEFT,
        791,
        "Stahlwerk Eschenroda GmbH · Hammerweg 3 · 00000 Eschenroda · Tel. 030 23125 000 · "
        "pruefung@stahlwerk-eschenroda.example",
        size=6.6,
        colour=GREY,
    )
    paper.text(
        LEFT,
        801,
        "Amtsgericht Musterstadt HRB 00000 · USt-IdNr. DE000000000 · Geschäftsführer: B. Ohlendorf",
        size=6.6,
        colour=GREY,
    )
    paper.text(RIGHT, 801, "Seite 1 von 1", size=6.6, colour=GREY, align="right")


TABLE_TYPES = [
    table_type(
        "mechanical",
        "Mechanische Prüfung",
        [
            column("specimen", "Probe", "id", required=True, keep_leading_zeros=True),
            column("heat", "Schmelze", "id", keep_leading_zeros=True),
            column("direction", "Lage"),
            column("yield_strength", "Rp0,2", required=True),
            column("tensile_strength", "Rm", required=True, weight=2.0),
            column("elongation", "A5 [%]", "text", aliases=["A5"]),
            column("reduction", "Z [%]", "integer", aliases=["Z"], locale="de_DE"),
            column("impact_energy", "KV bei -20 °C", aliases=["KV"]),
            column("verdict", "Bewertung"),
        ],
    )
]


def sample() -> Sample:
    """The document, its first extraction and the truth."""
    paper = Paper("Abnahmeprüfzeugnis 3.1 APZ 2024-03-0187", "Stahlwerk Eschenroda GmbH")
    _head(paper)
    mechanical = _mechanical(paper)
    _chemistry(paper)
    _foot(paper)
    return Sample(
        slug="certificate-steel",
        title="German inspection certificate 3.1 for steel bars",
        about="A materials certificate after DIN EN 10204: mechanical tests of ten specimens with units inside the "
        "cells "
        '("520 MPa", "ca. 520 MPa"), specimen numbers such as "03", melt numbers with leading zeros, decimal commas, '
        "a row of required values, and a second table (chemistry) that was not asked for.",
        made="Drawn with reportlab. The first extraction is a CSV file as a German spreadsheet saves it: semicolons, "
        "Windows-1252, CR LF, no confidence and no boxes.",
        document="APZ_2024-03-0187.pdf",
        pdf=paper.pdf(),
        first_name="first_extraction.csv",
        first=csv_rows(read(mechanical, SLIPS["mechanical"], seed=31), delimiter=";", encoding="cp1252"),
        table_types=TABLE_TYPES,
        truth=(mechanical,),
        slips=SLIPS,
        finished=True,
        notes=(
            "Only the table of mechanical tests is wanted; the file of the extractor holds no other.",
            '"520 MPa" and "ca. 520 MPa" are different answers: a measured and an estimated strength. So are "03" and '
            '"3". The columns are therefore text or id, not number.',
        ),
    )
