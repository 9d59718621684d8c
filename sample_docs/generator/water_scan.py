"""A scanned water analysis: an image-only PDF, turned by /Rotate, skewed, noisy, with a stamp over the table."""

from __future__ import annotations

import io
import math
from dataclasses import replace

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from sample_docs.generator.paper import HEIGHT, WIDTH, Align, Paper, Placed, Word
from sample_docs.generator.reading import Sample, Slip, TrueCell, TrueTable, read
from sample_docs.generator.schemas import column, table_type
from sample_docs.generator.writers import azure_layout
from scoring.table import Box

INK, GREY = "#16181a", "#4d5256"
LEFT, RIGHT = 60.0, 535.0
DPI = 150
# Against the clock, in degrees: how crooked the sheet lay on the glass.
SKEW = -1.3

HEADER = ("Parameter", "Method", "Unit", "Limit", "Result", "Assessment")
EDGES = (60.0, 190.0, 276.0, 336.0, 396.0, 456.0, 535.0)
ROWS = (
    ("Colour", "ISO 7887", "mg/l Pt", "15", "< 5", "complies"),
    ("Turbidity", "ISO 7027-1", "NTU", "1.0", "0.35", "complies"),
    ("pH at 20 °C", "ISO 10523", "–", "6.5–9.5", "7.41", "complies"),
    ("Conductivity at 25 °C", "ISO 7888", "µS/cm", "2500", "648", "complies"),
    ("Nitrate", "ISO 10304-1", "mg/l", "50", "31.8", "complies"),
    ("Nitrite", "ISO 10304-1", "mg/l", "0.50", "< 0.02", "complies"),
    ("Ammonium", "ISO 11732", "mg/l", "0.50", "0.04", "complies"),
    ("Chloride", "ISO 10304-1", "mg/l", "250", "41.5", "complies"),
    ("Sulphate", "ISO 10304-1", "mg/l", "250", "63.0", "complies"),
    ("Iron", "ISO 17294-2", "µg/l", "200", "15", "complies"),
    ("Manganese", "ISO 17294-2", "µg/l", "50", "6.1", "complies"),
    ("Lead", "ISO 17294-2", "µg/l", "10", "1.05", "complies"),
    ("Copper", "ISO 17294-2", "mg/l", "2.0", "0.118", "complies"),
    ("Escherichia coli", "ISO 9308-1", "/100 ml", "0", "0", "complies"),
    ("Coliform bacteria", "ISO 9308-1", "/100 ml", "0", "3", "exceeds"),
    ("Colony count 22 °C", "ISO 6222", "/ml", "100", "12", "complies"),
)

SLIPS = {
    "results": (
        Slip(
            "misread",
            6,
            4,
            "< 0.02",
            "0.02",
            0.957,
            why='"Less than" is lost with high confidence: a limit of detection becomes a measured value.',
        ),
        Slip(
            "misread",
            12,
            4,
            "1.05",
            "105",
            0.803,
            why="The decimal point drowned in the noise; lead seems ten times over its limit.",
        ),
        Slip("misread", 10, 2, "µg/l", "pg/l", 0.594, why="The tail of the letter µ is thin; it was read as p."),
        Slip("misread", 11, 2, "µg/l", "ug/l", 0.611, why="The same letter, read as u."),
        Slip("misread", 5, 1, "ISO 10304-1", "ISO 10304-l", 0.642, why="1 read as a small l."),
        Slip("misread", 13, 4, "0.118", "O.118", 0.55, why="0 read as the letter O."),
        Slip("missed", 9, why="The stamp lies over this row."),
        Slip("merged", 14, 2, why="Unit and limit stand close together; they became one cell, and the next is empty."),
        Slip(
            "unsure",
            15,
            4,
            "3",
            confidence=0.412,
            why="A single digit; read right, and it is the one result that matters.",
        ),
        Slip("unsure", 3, 2, "–", confidence=0.31, why="A dash alone; read right."),
        Slip("unsure", 8, 5, "complies", confidence=0.467, why="The edge of the stamp; read right."),
    )
}


def _head(paper: Paper) -> None:
    paper.disc(LEFT + 18, 62, 18, "", edge=INK, width=1.6)
    for row in range(3):
        y = 56 + 7 * row
        paper.curve(
            [
                (LEFT + 5, y),
                (LEFT + 11, y - 6),
                (LEFT + 15, y + 6),
                (LEFT + 19, y),
                (LEFT + 23, y - 6),
                (LEFT + 27, y + 6),
                (LEFT + 31, y),
            ],
            width=1.3,
        )
    paper.text(LEFT + 48, 60, "Lindmoor Water Laboratory", font="Serif-Bold", size=16)
    paper.text(
        LEFT + 48,
        75,
        "Pump Lane 5, Lindmoor LM00 2AA · 01632 960 222 · lab@lindmoor.example",
        font="Serif",
        size=8,
        colour=GREY,
    )
    paper.rule(LEFT, 90, RIGHT, 90, width=1)
    paper.text(LEFT, 122, "REPORT OF ANALYSIS  W-24-03318", font="Serif-Bold", size=12)
    for row, (label, value, right_label, right) in enumerate(
        (
            ("Client", "Parish Council of Upper Lindmoor", "Sampled", "15 October 2024, 08:40"),
            ("Sampling point", "Village hall, kitchen tap", "Received", "15 October 2024, 11:15"),
            ("Sampled by", "T. Abernethy", "Reported", "18 October 2024"),
        )
    ):
        y = 144 + 15 * row
        paper.text(LEFT, y, label, font="Serif", size=9, colour=GREY)
        paper.text(LEFT + 82, y, value, font="Serif", size=9.5)
        paper.text(350, y, right_label, font="Serif", size=9, colour=GREY)
        paper.text(412, y, right, font="Serif", size=9.5)


def _table(paper: Paper) -> TrueTable:
    top, height = 196.0, 21.0
    cells = []
    paper.fill(LEFT, top, RIGHT, top + height, "#e3e3e0")
    for row, texts in enumerate((HEADER, *ROWS)):
        y = top + height * row
        for col, text in enumerate(texts):
            align: Align = "left" if col < 3 or col == 5 else "right"
            x = EDGES[col] + 5 if align == "left" else EDGES[col + 1] - 8
            bold = row == 0 or text == "exceeds" or (row == 15 and col == 4)
            placed = paper.text(x, y + 14, text, font="Serif-Bold" if bold else "Serif", size=9.3, align=align)
            area = paper.box(EDGES[col], y, EDGES[col + 1], y + height)
            cells.append(TrueCell(row, col, placed, header="column" if row == 0 else "", area=area))
        paper.rule(LEFT, y, RIGHT, y, width=0.6)
    bottom = top + height * (len(ROWS) + 1)
    paper.rule(LEFT, bottom, RIGHT, bottom, width=0.6)
    for x in EDGES:
        paper.rule(x, top, x, bottom, width=0.6)
    return TrueTable("results", "results", tuple(cells))


def _foot(paper: Paper) -> None:
    paper.lines(
        LEFT,
        578,
        [
            "Assessment: the sample does not comply for coliform bacteria. Flush the tap, repeat within",
            "three days. Limits after the drinking water directive; results refer to the sample as received.",
        ],
        font="Serif",
        size=9.3,
        leading=14,
    )
    paper.text(LEFT, 690, "Head of laboratory", font="Serif", size=8, colour=GREY)
    paper.rule(LEFT, 678, LEFT + 170, 678, width=0.5)
    paper.text(
        LEFT,
        790,
        "This report may only be copied as a whole. Lindmoor Water Laboratory is fictional.",
        font="Serif",
        size=7.5,
        colour=GREY,
    )
    paper.text(RIGHT, 790, "Page 1 of 1", font="Serif", size=7.5, colour=GREY, align="right")


def _after_printing(paper: Paper) -> None:
    """What ended up on the sheet by hand: a stamp over the table and a signature."""
    paper.stamp(452, 396, ["RECEIVED", "21 OCT 2024"], turned=8, colour="#3b4a86")
    paper.curve(
        [
            (LEFT + 10, 672),
            (LEFT + 20, 630),
            (LEFT + 34, 640),
            (LEFT + 26, 668),
            (LEFT + 30, 684),
            (LEFT + 48, 640),
            (LEFT + 60, 660),
            (LEFT + 70, 676),
            (LEFT + 84, 646),
            (LEFT + 96, 664),
            (LEFT + 104, 674),
            (LEFT + 124, 652),
            (LEFT + 148, 660),
        ],
        colour="#22305f",
        width=1.4,
    )


def seen_at(x: float, y: float) -> tuple[float, float]:
    """Where a place of the clean page lies on the scan as displayed, both as fractions of the page."""
    turn = math.radians(SKEW)
    across, down = (x - 0.5) * WIDTH, (y - 0.5) * HEIGHT
    return (
        0.5 + (math.cos(turn) * across + math.sin(turn) * down) / WIDTH,
        0.5 + (math.cos(turn) * down - math.sin(turn) * across) / HEIGHT,
    )


def _seen(box: Box) -> Box:
    corners = [seen_at(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
    return Box(
        box.page,
        round(min(x for x, _ in corners), 5),
        round(min(y for _, y in corners), 5),
        round(max(x for x, _ in corners), 5),
        round(max(y for _, y in corners), 5),
    )


def _seen_table(table: TrueTable) -> TrueTable:
    def seen(placed: Placed) -> Placed:
        return Placed(placed.text, tuple(Word(word.text, _seen(word.box)) for word in placed.words))

    return replace(
        table, cells=tuple(replace(cell, placed=cell.placed and seen(cell.placed), area=None) for cell in table.cells)
    )


def _scan(clean: bytes) -> bytes:
    """The printed page as an office scanner sees it: crooked, unevenly lit, blurred, speckled, JPEG."""
    chance = np.random.default_rng(81)
    sheet = pypdfium2.PdfDocument(clean)[0].render(scale=DPI / 72).to_pil().convert("L")
    sheet = sheet.rotate(SKEW, Image.Resampling.BICUBIC, fillcolor=205).filter(ImageFilter.GaussianBlur(0.7))
    light = np.asarray(sheet, dtype=np.float64)
    rows, cols = light.shape
    across, down = np.meshgrid(np.linspace(0, 1, cols), np.linspace(0, 1, rows))
    light = 36 + light * 0.82 - 18 * across**3 - 10 * down**4  # grey paper, darker towards two edges
    light += chance.normal(0, 7.5, light.shape)
    for _ in range(260):  # dust on the glass
        y, x = int(chance.integers(2, rows - 3)), int(chance.integers(2, cols - 3))
        light[y : y + int(chance.integers(1, 3)), x : x + int(chance.integers(1, 3))] -= 90
    fold = int(rows * 0.497)
    light[fold : fold + 2, :] -= 16  # the sheet came folded in an envelope
    light[fold + 2 : fold + 4, :] += 10
    for hole_x, hole_y in ((0.035, 0.36), (0.035, 0.63)):  # holes of a ring binder
        light[(across - hole_x) ** 2 + ((down - hole_y) * HEIGHT / WIDTH) ** 2 < 0.00018] = 70
    image = Image.fromarray(np.clip(light, 0, 255).astype(np.uint8))
    out = io.BytesIO()
    # The sheet went in sideways; /Rotate turns it upright again when it is shown.
    image.transpose(Image.Transpose.ROTATE_90).save(out, "JPEG", quality=38, dpi=(DPI, DPI))
    return out.getvalue()


def _image_pdf(jpeg: bytes) -> bytes:
    out = io.BytesIO()
    # reportlab takes the size of the page as displayed and turns it itself.
    canvas = Canvas(out, pagesize=A4, invariant=1)
    canvas.setTitle("Scan_20241021_0007")
    canvas.setAuthor("Office scanner")
    canvas.setProducer("sample_docs.generate")
    canvas.setPageRotation(90)
    canvas.drawImage(ImageReader(io.BytesIO(jpeg)), 0, 0, A4[1], A4[0])
    canvas.save()
    return out.getvalue()


TABLE_TYPES = [
    table_type(
        "results",
        "Results",
        [
            column("parameter", "Parameter", required=True, key=True),
            column("method", "Method", "id"),
            column("unit", "Unit", normalise="exact"),
            column("limit", "Limit"),
            column("result", "Result", required=True, weight=2.0),
            column("assessment", "Assessment"),
        ],
    )
]


def sample() -> Sample:
    """The document, its first extraction and the truth."""
    paper = Paper("Report of analysis W-24-03318", "Lindmoor Water Laboratory")
    _head(paper)
    before = list(paper.written)
    table = _table(paper)
    inside = len(paper.written)
    _foot(paper)
    after = paper.written[inside:]
    _after_printing(paper)
    first = azure_layout(
        read(table, SLIPS["results"], seed=82, usual=(0.81, 0.994)),
        before,
        after,
        angle=-SKEW,
        seen_at=seen_at,
        unsure=lambda number: 0.842 + number * 37 % 150 / 1000,
    )
    return Sample(
        slug="water-analysis-scan",
        title="Scanned water analysis, sideways and crooked",
        about="A laboratory report of one page that was printed, stamped and scanned: an image without any text "
        "layer, stored "
        "sideways with /Rotate 90, crooked by 1.3 degrees, unevenly lit, speckled, folded and with a stamp over the "
        "table.",
        made="A clean page is drawn with reportlab, rendered at 150 dpi with PDFium, turned, blurred, speckled and "
        "saved as "
        "JPEG with Pillow and NumPy (fixed seed). The first extraction has the shape of Azure Document Intelligence "
        "layout "
        "v4, with four-cornered polygons that follow the skew. It was written by the generator, not by Azure.",
        document="Scan_20241021_0007.pdf",
        pdf=_image_pdf(_scan(paper.pdf())),
        first_name="first_extraction.json",
        first=first,
        table_types=TABLE_TYPES,
        truth=(_seen_table(table),),
        slips=SLIPS,
        finished=False,
        notes=(
            'Limits and results are text: "< 0.02" and "0.02" are different answers.',
            "Boxes are fractions of the page as displayed, that is upright, after /Rotate.",
        ),
    )
