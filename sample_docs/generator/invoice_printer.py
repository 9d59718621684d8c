"""An invoice with a credit line, returned pallets, tax and rounding to five cents."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from sample_docs.generator.amounts import cents, money
from sample_docs.generator.paper import Align, Paper, Placed
from sample_docs.generator.reading import Sample, Slip, form, read, records
from sample_docs.generator.schemas import column, column_sum, field_sum, product, table_type
from sample_docs.generator.writers import json_records

INK, ACCENT, PALE, GREY = "#20242c", "#c2491d", "#f6ece6", "#71757d"
LEFT, RIGHT = 62.0, 538.0

LINES = (
    ("24-3311", "Paperback 14 × 21 cm, 248 pages, matt cover", "1,250", "1.846"),
    ("24-3311", "Gold foil on cover, per copy", "1,250", "0.119"),
    ("24-3318", "Bookmarks 5 × 15 cm, 300 g/m², both sides", "5,000", "0.0385"),
    ("24-3318", "Express surcharge, bookmarks", "1", "45.00"),
    ("24-3320", "Posters A2, 150 g/m², one side", "60", "2.15"),
    ("24-3302", "Proof copies, digital print", "4", "18.75"),
    ("24-3254", "Credit: covers misprinted, our note CN-0098", "-180", "0.62"),
    ("", "Euro pallet, returnable", "2", "12.40"),
    ("", "Euro pallets returned on 3 September", "-3", "12.40"),
)

SLIPS = {
    "printer_invoice": (
        Slip("unsure", 1, 1, "02/10/2024", confidence=0.62, why="Day and month could be swapped; read right."),
        Slip("misread", 1, 7, "637.96", "637.98", 0.913, why="6 and 8 look alike; net, tax and total no longer agree."),
        Slip(
            "misread", 1, 8, "-0.01", "", why="The rounding line is rare in training data and was not returned at all."
        ),
    ),
    "print_jobs": (
        Slip(
            "misread",
            3,
            3,
            "0.0385",
            "0.385",
            0.834,
            why="A price with four decimals, made to look like one with three: a zero is lost.",
        ),
        Slip(
            "merged",
            5,
            1,
            confidence=0.59,
            why="A short quantity close to a long description: the two cells became one.",
        ),
        Slip(
            "misread",
            7,
            4,
            "-111.60",
            "111.60",
            0.962,
            why="The minus of the credit line is lost, with high confidence: it is one thin stroke.",
        ),
        Slip("unsure", 6, 0, "24-3302", confidence=None, why="No confidence was returned for this cell."),
        Slip("unsure", 9, 2, "-3", confidence=0.44, why="A lone sign and digit; read right."),
    ),
}


def amount(quantity: str, price: str) -> Decimal:
    """What a line costs, to the cent."""
    return cents(Decimal(quantity.replace(",", "")) * Decimal(price))


def _head(paper: Paper) -> dict[str, Placed]:
    # three sheets coming out of a press
    for sheet, colour in enumerate(("#f0c9b8", "#dd8a66", ACCENT)):
        paper.fill(LEFT + 7 * sheet, 46 + 5 * sheet, LEFT + 7 * sheet + 24, 46 + 5 * sheet + 32, colour)
    seller = paper.text(LEFT, 117, "Tidewell Print Works", font="Display", size=21, colour=INK)
    paper.text(LEFT, 131, "Books · Posters · Small runs, since 1987", size=8, colour=GREY)
    paper.text(RIGHT, 74, "Invoice", font="Display", size=34, colour=ACCENT, align="right")
    number = paper.text(RIGHT, 94, "2024/0917", font="Sans-Bold", size=11, align="right")
    paper.text(LEFT, 170, "FOR", font="Sans-Bold", size=7, colour=ACCENT)
    buyer = paper.text(LEFT, 185, "Old Quay Books Ltd", font="Sans-Bold", size=10)
    paper.lines(LEFT, 199, ["Ms N. Achterberg", "4 Harbour Parade", "Port Ellery, X00 AA00"], leading=13)
    paper.text(250, 170, "DATE", font="Sans-Bold", size=7, colour=ACCENT)
    date = paper.text(250, 185, "02/10/2024", size=10)
    paper.text(250, 212, "DUE", font="Sans-Bold", size=7, colour=ACCENT)
    due = paper.text(250, 226, "16/10/2024", size=10)
    paper.text(345, 170, "YOUR VAT NUMBER", font="Sans-Bold", size=7, colour=ACCENT)
    vat = paper.text(345, 185, "IE 0000000 AA", size=10)
    paper.text(345, 212, "OUR CONTACT", font="Sans-Bold", size=7, colour=ACCENT)
    paper.text(345, 226, "Ewan Strand, 020 7946 0917", size=10)
    return {
        "invoice_number": number,
        "invoice_date": date,
        "due_date": due,
        "seller": seller,
        "buyer": buyer,
        "buyer_vat": vat,
    }


def _items(paper: Paper) -> list[list[Placed | None]]:
    top = 262.0
    columns: tuple[tuple[str, float, Align], ...] = (
        ("Job", LEFT, "left"),
        ("Description", LEFT + 56, "left"),
        ("Quantity", 382, "right"),
        ("Price each", 458, "right"),
        ("Net amount", RIGHT, "right"),
    )
    for label, x, align in columns:
        paper.text(x, top, label, font="Sans-Bold", size=8, colour=ACCENT, align=align)
    paper.rule(LEFT, top + 6, RIGHT, top + 6, width=1.2, colour=INK)
    rows: list[list[Placed | None]] = []
    for number, (job, description, quantity, price) in enumerate(LINES):
        y = top + 22 + 23 * number
        credit = quantity.startswith("-")
        if credit:
            paper.fill(LEFT - 6, y - 14.5, RIGHT + 6, y + 7.5, PALE)
        texts = (job, description, quantity, price, money(amount(quantity, price)))
        rows.append(
            [
                paper.text(x, y, text, size=9, align=align) if text else None
                for text, (_, x, align) in zip(texts, columns, strict=True)
            ]
        )
        paper.rule(LEFT, y + 7.5, RIGHT, y + 7.5, width=0.3, colour="#d7d2cd")
    return rows


def _totals(paper: Paper) -> dict[str, Placed]:
    net = sum((amount(quantity, price) for _, _, quantity, price in LINES), Decimal(0))
    tax = cents(net * Decimal("0.23"))
    total = ((net + tax) * 20).quantize(Decimal(1), ROUND_HALF_UP) / 20
    fields = {}
    y = 500.0
    for key, label, value in (
        ("net_total", "Net total", money(net)),
        ("tax", "VAT", money(tax)),
        ("rounding", "Rounding to 5 cents", money(total - net - tax)),
    ):
        paper.text(345, y, label, size=9, colour=GREY)
        if key == "tax":
            fields["tax_rate"] = paper.text(368, y, "23 %", size=9, colour=GREY)
        fields[key] = paper.text(RIGHT, y, value, size=9.5, align="right")
        y += 18
    paper.rule(345, y - 10, RIGHT, y - 10, width=1.2, colour=INK)
    paper.text(345, y + 10, "To pay", font="Sans-Bold", size=11)
    fields["currency"] = paper.text(446, y + 10, "EUR", font="Sans-Bold", size=9, colour=ACCENT, align="right")
    fields["total"] = paper.text(RIGHT, y + 11, money(total), font="Display", size=17, colour=INK, align="right")
    return fields


def _foot(paper: Paper) -> None:
    paper.lines(
        LEFT,
        500,
        [
            "Payment within 14 days, please.",
            "The credit for job 24-3254 settles our note",
            "CN-0098 of 20 September in full.",
        ],
        size=8.5,
        leading=13,
        colour=GREY,
    )
    paper.fill(0, 770, 595.3, 842, INK)
    columns = (
        ["Tidewell Print Works", "The Old Maltings, 12 Weir Lane", "Tidewell TW00 9ZZ"],
        ["020 7946 0900", "hello@tidewell-print.example", "www.tidewell-print.example"],
        ["Sample Bank plc", "IBAN GB00 EXMP 0000 0000 0000 00", "VAT number GB 000 0000 00"],
    )
    for x, lines in zip((LEFT, 250.0, 400.0), columns, strict=True):
        paper.lines(x, 794, lines, size=7, leading=10.5, colour="#d9d6d2")


TABLE_TYPES = [
    table_type(
        "printer_invoice",
        "Invoice",
        [
            column("invoice_number", "Invoice number", "id", required=True),
            column("invoice_date", "Date", "date", required=True, locale="en_IE", date_patterns=["%d/%m/%Y"]),
            column("due_date", "Due", "date", locale="en_IE", date_patterns=["%d/%m/%Y"]),
            column("seller", "Seller", required=True),
            column("buyer", "Buyer", required=True, aliases=["For"]),
            column("buyer_vat", "Your VAT number", "id"),
            column("net_total", "Net total", "currency", required=True, locale="en_IE"),
            column("tax", "VAT", "currency", locale="en_IE"),
            column("rounding", "Rounding", "currency", locale="en_IE", aliases=["Rounding to 5 cents"]),
            column("tax_rate", "VAT rate", "percent", locale="en_IE"),
            column("total", "To pay", "currency", required=True, weight=2.0, locale="en_IE"),
            column("currency", "Currency"),
        ],
        [field_sum([("net_total", 1), ("tax", 1), ("rounding", 1)], "total", "0")],
        form=True,
    ),
    table_type(
        "print_jobs",
        "Print jobs",
        [
            column("job", "Job", "id"),
            column("description", "Description", required=True),
            column("quantity", "Quantity", "integer", required=True, locale="en_IE"),
            column("price_each", "Price each", "currency", locale="en_IE"),
            column("net_amount", "Net amount", "currency", required=True, weight=2.0, locale="en_IE"),
        ],
        [product(["quantity", "price_each"], "net_amount"), column_sum("net_amount", "printer_invoice", "net_total")],
    ),
]


def sample() -> Sample:
    """The document, its first extraction and the truth."""
    paper = Paper("Invoice 2024/0917", "Tidewell Print Works")
    fields = _head(paper)
    rows = _items(paper)
    fields |= _totals(paper)
    _foot(paper)
    invoice = form(
        "printer_invoice",
        "printer_invoice",
        {column["name"]: fields[column["name"]] for column in TABLE_TYPES[0]["columns"]},
    )
    items = records("print_jobs", "print_jobs", [column["name"] for column in TABLE_TYPES[1]["columns"]], rows)
    first = json_records(
        ("leafreader", "2.9.4"),
        read(invoice, SLIPS["printer_invoice"], seed=21),
        [read(items, SLIPS["print_jobs"], seed=22, usual=(0.86, 0.995))],
        boxes=False,
    )
    return Sample(
        slug="invoice-printer",
        title="Invoice of a printer, with a credit line, tax and rounding",
        about="An English invoice of one page: twelve fields and nine line items, two of them negative (a credit and "
        "returned pallets), unit prices of two to four decimals, VAT, and a total rounded to five cents.",
        made="Drawn with reportlab. The first extraction is JSON records: every leaf has a value, a confidence and a "
        "page number, but no box, as from an older version of the same extractor.",
        document="Tidewell_Invoice_2024-0917.pdf",
        pdf=paper.pdf(),
        first_name="first_extraction.json",
        first=first,
        table_types=TABLE_TYPES,
        truth=(invoice, items),
        slips=SLIPS,
        finished=True,
    )
