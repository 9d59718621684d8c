"""A page of a half-year report: two header levels and row labels that span several rows."""

from __future__ import annotations

from sample_docs.generator.paper import Paper, Placed
from sample_docs.generator.reading import Sample, Slip, TrueCell, TrueTable, read
from sample_docs.generator.writers import azure_layout

INK, RED, GREY, PALE = "#17191c", "#8c1d2f", "#6b6f76", "#f7f2ef"
LEFT, RIGHT = 56.0, 539.0
EDGES = (56.0, 136.0, 226.0, 277.0, 328.0, 379.0, 430.0, 481.0, 539.0)

SEGMENTS = (
    (
        "Coastal freight",
        (
            ("Revenue", "412.6", "431.9", "844.5", "438.2", "455.0", "+5.8"),
            ("Operating profit", "38.4", "41.7", "80.1", "36.9", "44.3", "+1.4"),
            ("Margin (%)", "9.3", "9.7", "9.5", "8.4", "9.7", "–"),
        ),
    ),
    (
        "Passenger ferries",
        (
            ("Revenue", "187.3", "264.8", "452.1", "201.5", "281.4", "+6.8"),
            ("Operating profit", "(12.6)", "31.2", "18.6", "(9.8)", "35.1", "+36.0"),
            ("Margin (%)", "(6.7)", "11.8", "4.1", "(4.9)", "12.5", "–"),
        ),
    ),
    (
        "Port services",
        (
            ("Revenue", "96.0", "98.1", "194.1", "101.7", "103.9", "+5.9"),
            ("Operating profit", "15.5", "16.0", "31.5", "17.2", "16.8", "+7.9"),
            ("Margin (%)", "16.1", "16.3", "16.2", "16.9", "16.2", "–"),
        ),
    ),
    (
        "Shared functions",
        (
            ("Revenue", "(22.4)", "(23.0)", "(45.4)", "(24.1)", "(24.6)", "+7.3"),
            ("Operating profit", "(8.8)", "(9.4)", "(18.2)", "(9.1)", "(9.9)", "+4.4"),
        ),
    ),
    (
        "Group",
        (
            ("Revenue", "673.5", "771.8", "1,445.3", "717.3", "815.7", "+6.1"),
            ("Operating profit", "32.5", "79.5", "112.0", "35.2", "86.3", "+8.5"),
            ("Margin (%)", "4.8", "10.3", "7.7", "4.9", "10.6", "–"),
        ),
    ),
)

SLIPS = {
    "segments": (
        Slip("span", 0, 2, "2023", spans=(1, 2), why="The year above three columns was read as spanning two."),
        Slip(
            "span", 5, 0, "Passenger ferries", spans=(2, 1), why="The label above three rows was read as spanning two."
        ),
        Slip(
            "misread",
            6,
            2,
            "(12.6)",
            "12.6",
            0.957,
            why="The brackets of a loss are lost, with high confidence: a minus is gone.",
        ),
        Slip("misread", 9, 3, "16.0", "16.O", 0.61, why="0 read as the letter O."),
        Slip("misread", 8, 6, "103.9", "1039", 0.93, why="The decimal point is lost."),
        Slip("misread", 14, 4, "112.0", "l12.0", 0.704, why="1 read as a small l."),
        Slip(
            "merged", 13, 2, why="Two neighbouring amounts of the last block became one cell; the right one is empty."
        ),
        Slip("unsure", 7, 7, "–", confidence=0.38, why="A dash alone; read right."),
        Slip(
            "unsure", 2, 0, "Coastal freight", confidence=0.64, why="A label in the middle of three rows; read right."
        ),
    )
}


def _page(paper: Paper) -> None:
    paper.fill(0, 0, 14, 842, RED)
    paper.text(LEFT, 52, "SKARVIK SHIPPING PLC", font="Sans-Bold", size=8, colour=RED)
    paper.text(RIGHT, 52, "Half-year report 2024", size=8, colour=GREY, align="right")
    paper.rule(LEFT, 60, RIGHT, 60, width=0.5, colour=RED)
    paper.text(LEFT, 104, "Results by segment", font="Display", size=25, colour=INK)
    paper.lines(
        LEFT,
        132,
        [
            "Revenue of the Group grew by 6.1 % over the first six months, carried by passenger ferries, where two new",
            "crossings opened in April. Freight rates held, while fuel and crew cost more; the margin of coastal "
            "freight",
            "recovered in the second quarter. Port services had one exceptional insurance receipt of 1.2 million.",
        ],
        font="Serif",
        size=9.3,
        leading=14,
    )
    paper.text(LEFT, 198, "Table 4", font="Sans-Bold", size=8.5, colour=RED)
    paper.text(LEFT + 36, 198, "Segment figures in millions of euros, quarters as published, not audited", size=8.5)


def _cell(
    paper: Paper,
    row: int,
    col: int,
    span: tuple[int, int],
    top: float,
    bottom: float,
    text: str,
    *,
    bold: bool,
    header: str,
) -> TrueCell:
    left, right = EDGES[col], EDGES[col + span[1]]
    base = (top + bottom) / 2 + 3
    font = "Sans-Bold" if bold else "Sans"
    placed: Placed | None = None
    if text and col < 2:
        placed = paper.text(left + 5, base, text, font=font, size=8.3)
    elif text and header and span[1] > 1:
        placed = paper.text((left + right) / 2, base, text, font=font, size=8.3, align="center")
    elif text:
        placed = paper.text(right - 7, base, text, font=font, size=8.3, align="right")
    return TrueCell(row, col, placed, "", span[0], span[1], header, paper.box(left, top, right, bottom))  # type: ignore[arg-type]


def _table(paper: Paper) -> TrueTable:
    top, height = 208.0, 20.0

    def at(row: int) -> float:
        return top + height * row

    paper.fill(LEFT, at(0), RIGHT, at(2), PALE)
    paper.rule(LEFT, at(0), RIGHT, at(0), width=1.4, colour=RED)
    cells = []
    for row, col, rows, cols, text in (
        (0, 0, 2, 1, "Segment"),
        (0, 1, 2, 1, "Figure"),
        (0, 2, 1, 3, "2023"),
        (0, 5, 1, 2, "2024"),
        (0, 7, 2, 1, "Change %"),
        (1, 2, 1, 1, "Q1"),
        (1, 3, 1, 1, "Q2"),
        (1, 4, 1, 1, "Half-year"),
        (1, 5, 1, 1, "Q1"),
        (1, 6, 1, 1, "Q2"),
    ):
        cells.append(_cell(paper, row, col, (rows, cols), at(row), at(row + rows), text, bold=True, header="column"))
    paper.rule(EDGES[2] + 6, at(1), EDGES[5] - 4, at(1), width=0.5)
    paper.rule(EDGES[5] + 6, at(1), EDGES[7] - 4, at(1), width=0.5)
    paper.rule(LEFT, at(2), RIGHT, at(2), width=0.8)
    row = 2
    for name, figures in SEGMENTS:
        group = name == "Group"
        if group:
            paper.fill(LEFT, at(row), RIGHT, at(row + len(figures)), PALE)
        cells.append(
            _cell(paper, row, 0, (len(figures), 1), at(row), at(row + len(figures)), name, bold=True, header="row")
        )
        for label, *amounts in figures:
            cells.append(_cell(paper, row, 1, (1, 1), at(row), at(row + 1), label, bold=group, header="row"))
            for col, amount in enumerate(amounts, 2):
                cells.append(_cell(paper, row, col, (1, 1), at(row), at(row + 1), amount, bold=group, header=""))
            row += 1
        paper.rule(LEFT, at(row), RIGHT, at(row), width=1.4 if group else 0.4, colour=RED if group else "#b9b2ac")
    return TrueTable("segments", None, tuple(cells))


def _after(paper: Paper) -> None:
    paper.lines(
        LEFT,
        542,
        [
            "Amounts in brackets are negative. Shared functions include the elimination of sales between segments.",
            "Change % compares the first half of 2024 with the first half of 2023.",
        ],
        size=7.5,
        leading=11,
        colour=GREY,
    )
    paper.text(LEFT, 596, "Outlook", font="Display", size=15, colour=INK)
    paper.lines(
        LEFT,
        618,
        [
            "For the full year the Board expects revenue between 3.0 and 3.2 billion and an operating margin of at "
            "least",
            "8 %. Bookings for the autumn crossings stand 4 % above those of last year. The main risks are the price "
            "of",
            "marine fuel, of which about half is hedged until March, and the ice season in the northern ports.",
        ],
        font="Serif",
        size=9.3,
        leading=14,
    )
    paper.rule(LEFT, 796, RIGHT, 796, width=0.5, colour=RED)
    paper.text(LEFT, 808, "Skarvik Shipping plc is a fictional company", size=7, colour=GREY)
    paper.text(RIGHT, 808, "17", font="Sans-Bold", size=9, colour=RED, align="right")


def sample() -> Sample:
    """The document, its first extraction and the truth."""
    paper = Paper("Half-year report 2024, results by segment", "Skarvik Shipping plc")
    _page(paper)
    before = list(paper.written)
    table = _table(paper)
    inside = len(paper.written)
    _after(paper)
    first = azure_layout(
        read(table, SLIPS["segments"], seed=51, usual=(0.95, 0.997)),
        before,
        paper.written[inside:],
        unsure=lambda number: 0.981 + number % 17 / 1000,
    )
    return Sample(
        slug="segment-report",
        title="Half-year report with two header levels and merged cells",
        about="A page of a company report: a financial table with two header levels (years above quarters), row "
        "labels that "
        "span two or three rows, amounts in brackets for losses, dashes, and running text around it.",
        made="Drawn with reportlab. The first extraction has the shape of Azure Document Intelligence layout v4: "
        "words with "
        "polygons in inches, confidences and spans; cells with spans and kinds. It was written by the generator, not "
        "by Azure.",
        document="Skarvik_half-year_2024_p17.pdf",
        pdf=paper.pdf(),
        first_name="first_extraction.json",
        first=first,
        table_types=[],
        truth=(table,),
        slips=SLIPS,
        finished=True,
        notes=("This table has no table type: it is a grid, in which positions, spans and header marks count.",),
    )
