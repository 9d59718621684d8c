"""A bank statement of two pages: one table of transactions that goes on over the page break."""

from __future__ import annotations

from decimal import Decimal

from sample_docs.generator.amounts import money
from sample_docs.generator.paper import Align, Paper, Placed
from sample_docs.generator.reading import Sample, Slip, form, read, records
from sample_docs.generator.schemas import column, column_sum, field_sum, table_type
from sample_docs.generator.writers import json_records

INK, BLUE, SAND, GREY = "#1b2430", "#0b3d66", "#f3efe6", "#66707c"
LEFT, RIGHT = 48.0, 547.0
OPENING = Decimal("2418.63")
ON_FIRST_PAGE = 21

# date, details, paid out, paid in
MOVES = (
    ("02 Sep", "DIRECT DEBIT  Halden Water Services 00471-9", "38.20", ""),
    ("02 Sep", "CARD  Greengrocer Pell Street", "14.75", ""),
    ("03 Sep", "STANDING ORDER  Rent, 12 Alder Row", "1,150.00", ""),
    ("04 Sep", "CARD  Valley Rail, season ticket", "86.40", ""),
    ("05 Sep", "FASTER PAYMENT  M. Okonjo, theatre tickets", "", "42.00"),
    ("06 Sep", "CASH  Branch 0014, Market Square", "60.00", ""),
    ("06 Sep", "CARD  Bakery Lindqvist", "8.15", ""),
    ("09 Sep", "CHEQUE 000318", "125.00", ""),
    ("09 Sep", "DIRECT DEBIT  Northlight Energy", "71.06", ""),
    ("10 Sep", "CARD  Books at the Bridge", "23.98", ""),
    ("11 Sep", "CARD  Pharmacy Thornby 0117", "11.01", ""),
    ("12 Sep", "FASTER PAYMENT  Council, refund of deposit", "", "150.00"),
    ("13 Sep", "CARD  Greengrocer Pell Street", "19.60", ""),
    ("13 Sep", "DIRECT DEBIT  Telephone Co-operative", "24.50", ""),
    ("16 Sep", "CARD  Ironmonger Hask & Daughter", "47.89", ""),
    ("16 Sep", "CARD  Bakery Lindqvist", "8.15", ""),
    ("17 Sep", "TRANSFER  To savings 00000018", "200.00", ""),
    ("18 Sep", "CARD  Cinema Orpheum", "18.00", ""),
    ("19 Sep", "INTEREST  Gross, to 18 September", "", "1.07"),
    ("20 Sep", "CARD  Cafe Meridian", "5.50", ""),
    ("20 Sep", "CARD  Cafe Meridian", "5.50", ""),
    ("23 Sep", "DIRECT DEBIT  Halden Valley Library Friends", "3.00", ""),
    ("23 Sep", "CARD  Bicycle Workshop Kerr", "104.30", ""),
    ("24 Sep", "CHEQUE 000319", "36.00", ""),
    ("25 Sep", "SALARY  Weir & Partners, ref 0925-7731", "", "2,764.11"),
    ("26 Sep", "CARD  Garden Centre Lowfield", "52.20", ""),
    ("27 Sep", "DIRECT DEBIT  Household insurance 7710/03", "28.75", ""),
    ("27 Sep", "CASH  Branch 0014, Market Square", "80.00", ""),
    ("30 Sep", "FASTER PAYMENT  M. Okonjo, share of gas bill", "", "35.53"),
    ("30 Sep", "CARD  Greengrocer Pell Street", "16.32", ""),
    ("30 Sep", "FEE  Paper statement", "1.50", ""),
)

SLIPS = {
    "statement": (
        Slip(
            "misread",
            1,
            4,
            "2,418.63",
            "2,418.68",
            0.902,
            why="3 and 8 look alike; opening plus in minus out no longer gives closing.",
        ),
        Slip(
            "unsure", 1, 1, "00000042", confidence=0.66, why="A row of equal digits is easily miscounted; read right."
        ),
    ),
    "transactions": (
        Slip("misread", 8, 1, "CHEQUE 000318", "CHEQUE 0003l8", 0.69, why="1 read as a small l."),
        Slip(
            "slid",
            5,
            3,
            "42.00",
            confidence=0.948,
            to=2,
            why='The amount slid from "paid in" to "paid out": there are no rules between the columns.',
        ),
        Slip("misread", 17, 2, "200.00", "20.00", 0.877, why="A zero is lost; the running balance shows it."),
        Slip(
            "invented",
            21,
            cells=("Date", "Details", "Paid out", "Paid in", "Balance"),
            why="The header is printed again on page 2 and was taken for a transaction.",
        ),
        Slip("missed", 22, why="The first row after the page break was taken for the header of page 2."),
        Slip("misread", 31, 0, "30 Sep", "3O Sep", 0.51, why="0 read as the letter O."),
        Slip("unsure", 21, 4, confidence=0.49, why="The last row above the footer; read right."),
        Slip("unsure", 25, 3, confidence=None, why="No confidence was returned."),
    ),
}

COLUMNS: tuple[tuple[str, float, Align], ...] = (
    ("Date", LEFT + 6, "left"),
    ("Details", LEFT + 58, "left"),
    ("Paid out", 396, "right"),
    ("Paid in", 464, "right"),
    ("Balance", RIGHT - 6, "right"),
)


def _letterhead(paper: Paper, page: int) -> None:
    paper.fill(0, 0, 595.3, 60, BLUE)
    # hills and a river
    paper.curve(
        [
            (LEFT, 40),
            (LEFT + 8, 18),
            (LEFT + 14, 18),
            (LEFT + 20, 32),
            (LEFT + 24, 24),
            (LEFT + 30, 22),
            (LEFT + 38, 40),
        ],
        colour="#ffffff",
        width=2,
    )
    paper.curve([(LEFT, 45), (LEFT + 12, 40), (LEFT + 24, 50), (LEFT + 38, 45)], colour="#9cc4e4", width=1.6)
    paper.text(LEFT + 50, 36, "Halden Valley Savings Bank", font="Serif-Bold", size=15, colour="#ffffff")
    paper.text(LEFT + 50, 49, "Owned by its savers", font="Serif-Italic", size=8.5, colour="#cfe0ee")
    paper.text(RIGHT, 36, "Your statement", size=12, colour="#ffffff", align="right")
    paper.text(RIGHT, 49, f"Page {page} of 2", size=8, colour="#cfe0ee", align="right")
    paper.rule(LEFT, 792, RIGHT, 792, width=0.5, colour=BLUE)
    paper.text(
        LEFT,
        803,
        "Halden Valley Savings Bank (a fictional bank) · Market Square 1 · Haldenby HV00 0AA · 01632 960 900 · "
        "halden-valley.example",
        size=6.8,
        colour=GREY,
    )
    paper.text(
        LEFT,
        813,
        "Eligible deposits are protected as the law provides. Please check this statement and tell us within 60 days "
        "of anything you do not recognise.",
        size=6.8,
        colour=GREY,
    )


def _summary(paper: Paper) -> dict[str, Placed]:
    paper.lines(LEFT, 96, ["Miss Ada R. Thistlewood", "12 Alder Row", "Haldenby", "HV00 1ZZ"], size=9.5, leading=13.5)
    fields = {}
    for number, (key, label, value) in enumerate(
        [
            ("account_number", "Account number", "00000042"),
            ("sort_code", "Sort code", "00-00-14"),
            ("period", "Period", "1 to 30 September 2024"),
        ]
    ):
        paper.text(300, 96 + 15 * number, label, size=8.5, colour=GREY)
        fields[key] = paper.text(400, 96 + 15 * number, value, size=9)
    paper.text(300, 141, "Account", size=8.5, colour=GREY)
    paper.text(400, 141, "Everyday account", size=9)
    paper.fill(LEFT, 164, RIGHT, 206, SAND, radius=3)
    out = sum((Decimal(move[2].replace(",", "")) for move in MOVES if move[2]), Decimal(0))
    paid_in = sum((Decimal(move[3].replace(",", "")) for move in MOVES if move[3]), Decimal(0))
    for x, key, label, amount in (
        (LEFT + 12, "opening_balance", "Opening balance", OPENING),
        (LEFT + 140, "paid_in", "Paid in", paid_in),
        (LEFT + 268, "paid_out", "Paid out", out),
        (LEFT + 392, "closing_balance", "Closing balance", OPENING + paid_in - out),
    ):
        paper.text(x, 179, label, size=8, colour=GREY)
        fields[key] = paper.text(x, 196, money(amount), font="Sans-Bold", size=12, colour=BLUE)
    return fields | {"account_holder": next(placed for placed in paper.written if placed.text.startswith("Miss Ada"))}


def _transactions(paper: Paper) -> list[list[Placed | None]]:
    rows: list[list[Placed | None]] = []
    balance = OPENING
    top = 222.0
    for number, (date, details, out, paid_in) in enumerate(MOVES):
        if number == ON_FIRST_PAGE:
            paper.text(
                RIGHT - 6,
                top + 22 + 25 * ON_FIRST_PAGE + 2,
                "continued on page 2",
                font="Sans-Italic",
                size=8,
                colour=GREY,
                align="right",
            )
            paper.next_page()
            _letterhead(paper, 2)
            paper.text(LEFT, 96, "Account 00000042, 1 to 30 September 2024, continued", size=8.5, colour=GREY)
            top = 108.0
        place = number if number < ON_FIRST_PAGE else number - ON_FIRST_PAGE
        if place == 0:
            paper.rule(LEFT, top, RIGHT, top, width=1, colour=BLUE)
            for label, x, align in COLUMNS:
                paper.text(x, top + 13, label, font="Sans-Bold", size=8.5, colour=BLUE, align=align)
            paper.rule(LEFT, top + 19, RIGHT, top + 19, width=0.5, colour=BLUE)
        y = top + 35 + 25 * place
        if place % 2:
            paper.fill(LEFT, y - 16, RIGHT, y + 9, "#f8f6f1")
        balance += Decimal(paid_in.replace(",", "") or 0) - Decimal(out.replace(",", "") or 0)
        texts = (date, details.replace("  ", " "), out, paid_in, money(balance))
        rows.append(
            [
                paper.text(x, y, text, size=8.8, align=align) if text else None
                for text, (_, x, align) in zip(texts, COLUMNS, strict=True)
            ]
        )
    return rows


def _foot(paper: Paper, rows: int) -> None:
    y = 108.0 + 24 + 25 * rows + 14
    paper.rule(LEFT, y - 10, RIGHT, y - 10, width=1, colour=BLUE)
    paper.fill(LEFT, y + 20, RIGHT, y + 94, SAND, radius=3)
    paper.text(LEFT + 12, y + 38, "Good to know", font="Sans-Bold", size=9, colour=BLUE)
    paper.lines(
        LEFT + 12,
        y + 53,
        [
            "Gross interest on this account is 0.85 % a year, paid on the 19th of each month.",
            "You have no arranged overdraft. An unarranged overdraft costs nothing for the first 15.00.",
            "From 1 November paper statements cost 1.75. You can change to statements by e-mail at any branch.",
        ],
        size=8.5,
        leading=14,
    )


_POUNDS = {"locale": "en_GB"}
TABLE_TYPES = [
    table_type(
        "statement",
        "Bank statement",
        [
            column("account_holder", "Account holder"),
            column("account_number", "Account number", "id", required=True, keep_leading_zeros=True),
            column("sort_code", "Sort code", "id", keep_leading_zeros=True),
            column("period", "Period"),
            column("opening_balance", "Opening balance", "currency", required=True, **_POUNDS),
            column("paid_in", "Paid in", "currency", **_POUNDS),
            column("paid_out", "Paid out", "currency", **_POUNDS),
            column("closing_balance", "Closing balance", "currency", required=True, weight=2.0, **_POUNDS),
        ],
        [field_sum([("opening_balance", 1), ("paid_in", 1), ("paid_out", -1)], "closing_balance")],
        form=True,
    ),
    table_type(
        "transactions",
        "Transactions",
        [
            column("date", "Date", "date", required=True, locale="en_GB", date_patterns=["%d %b"]),
            column("details", "Details", required=True),
            column("paid_out", "Paid out", "currency", weight=2.0, **_POUNDS),
            column("paid_in", "Paid in", "currency", weight=2.0, **_POUNDS),
            column("balance", "Balance", "currency", required=True, **_POUNDS),
        ],
        [column_sum("paid_out", "statement", "paid_out"), column_sum("paid_in", "statement", "paid_in")],
    ),
]


def sample() -> Sample:
    """The document, its first extraction and the truth."""
    paper = Paper("Statement of account 00000042, September 2024", "Halden Valley Savings Bank")
    _letterhead(paper, 1)
    fields = _summary(paper)
    rows = _transactions(paper)
    _foot(paper, len(MOVES) - ON_FIRST_PAGE)
    statement = form(
        "statement", "statement", {column["name"]: fields[column["name"]] for column in TABLE_TYPES[0]["columns"]}
    )
    table = records("transactions", "transactions", [column["name"] for column in TABLE_TYPES[1]["columns"]], rows)
    first = json_records(
        ("rowfinder", "1.14"),
        read(statement, SLIPS["statement"], seed=41),
        [read(table, SLIPS["transactions"], seed=42)],
    )
    return Sample(
        slug="bank-statement",
        title="Bank statement over two pages",
        about="An English bank statement: eight fields and 31 transactions in one table that goes on over the page "
        "break, "
        "with a running balance and two amount columns of which one is empty in each row. Two rows of 20 September "
        "are really the same: two coffees, not a duplicate.",
        made="Drawn with reportlab. The first extraction is JSON records with confidences, pages and boxes; both pages "
        "are one list.",
        document="Statement_00000042_2024-09.pdf",
        pdf=paper.pdf(),
        first_name="first_extraction.json",
        first=first,
        table_types=TABLE_TYPES,
        truth=(statement, table),
        slips=SLIPS,
        finished=False,
    )
