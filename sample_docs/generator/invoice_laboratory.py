"""An invoice with twelve lines, a discount and shipping: the unfinished one that the tutorial corrects."""

from __future__ import annotations

from decimal import Decimal

from sample_docs.generator.amounts import cents, money
from sample_docs.generator.paper import Paper, Placed, joined
from sample_docs.generator.reading import Sample, Slip, form, read, records
from sample_docs.generator.schemas import column, column_sum, field_sum, product, table_type
from sample_docs.generator.writers import json_records

INK, GREEN, PALE, GREY = "#1d2a28", "#14514a", "#e9f0ee", "#66736f"
LEFT, RIGHT = 51.0, 544.0

LINES = (
    ("BF-00417", "Borosilicate beaker, 250 ml, low form", "24", "pc", "4.35"),
    ("BF-00422", "Erlenmeyer flask, 500 ml, narrow neck", "12", "pc", "6.80"),
    ("BF-01105", "Filter paper, grade 4, Ø 110 mm, pack of 100", "15", "pack", "9.45"),
    ("BF-01310", "Nitrile gloves, powder free, size M, box of 200", "40", "box", "11.20"),
    ("BF-02058", "Pipette tips 100–1000 µl, sterile, rack of 96", "30", "rack", "7.90"),
    ("BF-02231", "Petri dishes, Ø 90 mm, vented, sleeve of 20", "50", "sleeve", "3.15"),
    ("BF-03007", "pH buffer set 4.01 / 7.00 / 10.01, 3 × 500 ml", "8", "set", "27.50"),
    ("BF-03416", "Conductivity standard 1413 µS/cm, 500 ml", "6", "bottle", "18.75"),
    ("BF-05120", "Magnetic stirrer with heating plate, 5 l", "2", "pc", "289.00"),
    ("BF-05133", "Stirring bar, PTFE, 40 × 8 mm", "20", "pc", "2.65"),
    ("BF-07704", "Calibration weight 100 g, class F1, certified", "1", "pc", "94.60"),
    ("BF-09002", "Safety goggles, anti-fog, EN 166", "10", "pc", "8.40"),
)

SLIPS = {
    "invoice": (
        Slip(
            "unsure",
            1,
            3,
            "MCRI/PO/2024-0381",
            confidence=0.58,
            why="A code with strokes and digits, which no word list knows; read right all the same.",
        ),
        Slip("unsure", 1, 13, "GBP", why="The code stands apart from its amount; no confidence was returned."),
    ),
    "line_items": (
        Slip(
            "misread",
            3,
            4,
            "9.45",
            "945",
            0.981,
            why="The decimal point is lost. The confidence is high: only the product check shows it.",
        ),
        Slip(
            "unsure",
            4,
            2,
            "40",
            confidence=0.55,
            why="A lone short number; read right, but without neighbours to lean on.",
        ),
        Slip("misread", 5, 0, "BF-02058", "BF-O2O58", 0.47, why="Zeros in a code read as the letter O."),
        Slip("missed", 6, why="A row between two long ones was taken for the second line of its neighbour."),
        Slip("misread", 9, 5, "578.00", "573.00", 0.71, why="8 and 3 look alike in small print."),
        Slip("doubled", 10, why="The page was read in two overlapping halves, and the seam went through this row."),
    ),
}


def _head(paper: Paper) -> dict[str, Placed]:
    paper.fill(0, 0, 595.3, 8, GREEN)
    paper.fill(LEFT, 36, LEFT + 40, 76, GREEN, radius=4)
    # a conical flask, half full
    paper.shape(
        [(LEFT + 17, 42), (LEFT + 23, 42), (LEFT + 23, 52), (LEFT + 32, 70), (LEFT + 8, 70), (LEFT + 17, 52)], "#ffffff"
    )
    paper.shape([(LEFT + 14.5, 61), (LEFT + 25.5, 61), (LEFT + 29, 68), (LEFT + 11, 68)], "#7fb8ac")
    seller = paper.text(
        LEFT + 52, 55, "Brindle & Fenn Laboratory Supplies Ltd", font="Serif-Bold", size=14, colour=GREEN
    )
    paper.text(LEFT + 52, 70, "Glassware · Consumables · Instruments", font="Sans-Italic", size=8.5, colour=GREY)
    paper.lines(
        RIGHT,
        46,
        ["7 Kiln Yard, Unit 3", "Northwick NW00 3ZZ", "Tel. 01632 960 417", "accounts@brindle-fenn.example"],
        size=7.5,
        leading=10.5,
        colour=GREY,
        align="right",
    )
    paper.rule(LEFT, 92, RIGHT, 92, width=0.8, colour=GREEN)
    paper.text(LEFT, 132, "Invoice to", size=7.5, colour=GREY)
    buyer = paper.text(LEFT, 146, "Marlowe Coastal Research Institute", font="Sans-Bold", size=9.5)
    paper.lines(
        LEFT, 159, ["Accounts Payable, Room 0.14", "Lighthouse Road 21", "Saltmere SM00 1AA"], size=9, leading=12.5
    )
    paper.text(LEFT, 232, "INVOICE", font="Serif-Bold", size=22, colour=GREEN)
    fields = {}
    for number, (key, label, value) in enumerate(
        [
            ("invoice_number", "Invoice number", "INV-2024-10583"),
            ("invoice_date", "Invoice date", "14 October 2024"),
            ("due_date", "Payment due", "13 November 2024"),
            ("order_reference", "Your order", "MCRI/PO/2024-0381"),
        ]
    ):
        y = 136 + 16 * number
        paper.text(360, y, label, size=8, colour=GREY)
        fields[key] = paper.text(RIGHT, y, value, font="Sans-Bold" if number == 0 else "Sans", size=9, align="right")
        paper.rule(360, y + 4.5, RIGHT, y + 4.5, width=0.3, colour="#c4d0cd")
    paper.text(360, 218, "Customer number", size=8, colour=GREY)
    paper.text(RIGHT, 218, "004410", size=9, align="right")
    paper.text(360, 232, "Delivery note", size=8, colour=GREY)
    paper.text(RIGHT, 232, "DN-88120 of 11 October 2024", size=9, align="right")
    return fields | {"seller": seller, "buyer": buyer}


def _items(paper: Paper) -> list[list[Placed]]:
    top = 252.0
    paper.fill(LEFT, top, RIGHT, top + 20, GREEN)
    edges = {
        "Article": LEFT + 6,
        "Description": LEFT + 68,
        "Qty": 352.0,
        "Unit": 366.0,
        "Unit price": 468.0,
        "Amount": RIGHT - 6,
    }
    for label, x in edges.items():
        align = "right" if label in ("Qty", "Unit price", "Amount") else "left"
        paper.text(x, top + 13.2, label, font="Sans-Bold", size=8, colour="#ffffff", align=align)  # type: ignore[arg-type]
    rows = []
    for number, (article, description, quantity, unit, price) in enumerate(LINES):
        y = top + 20 + 20 * number
        if number % 2:
            paper.fill(LEFT, y, RIGHT, y + 20, PALE)
        base = y + 13.2
        rows.append(
            [
                paper.text(LEFT + 6, base, article, size=8.5),
                paper.text(LEFT + 68, base, description, size=8.5),
                paper.text(352, base, quantity, size=8.5, align="right"),
                paper.text(366, base, unit, size=8.5),
                paper.text(468, base, price, size=8.5, align="right"),
                paper.text(RIGHT - 6, base, money(Decimal(quantity) * Decimal(price)), size=8.5, align="right"),
            ]
        )
    bottom = top + 20 + 20 * len(LINES)
    paper.rule(LEFT, bottom, RIGHT, bottom, width=0.8, colour=GREEN)
    return rows


def _totals(paper: Paper) -> dict[str, Placed]:
    subtotal = sum((Decimal(line[2]) * Decimal(line[4]) for line in LINES), Decimal(0))
    discount = cents(subtotal * Decimal("0.05"))
    shipping = Decimal("18.50")
    tax = cents((subtotal - discount + shipping) * Decimal("0.20"))
    total = subtotal - discount + shipping + tax
    fields = {}
    for number, (key, label, value) in enumerate(
        [
            ("subtotal", "Subtotal", money(subtotal)),
            ("discount", "less 5 % framework discount", money(discount)),
            ("shipping", "Shipping and insurance", money(shipping)),
            ("tax", "VAT 20 %", money(tax)),
        ]
    ):
        y = 531 + 16 * number
        paper.text(360, y, label, size=8.5, colour=GREY)
        fields[key] = paper.text(RIGHT - 6, y, value, size=9, align="right")
    paper.fill(350, 587, RIGHT, 611, GREEN)
    paper.text(360, 602.5, "Total due", font="Sans-Bold", size=10, colour="#ffffff")
    paper.text(474, 602.5, "GBP", font="Sans-Bold", size=8, colour="#ffffff", align="right")
    fields["total"] = paper.text(
        RIGHT - 6, 603, f"£{money(total)}", font="Sans-Bold", size=11, colour="#ffffff", align="right"
    )
    return fields


def _foot(paper: Paper) -> None:
    paper.text(LEFT, 531, "Payment", font="Sans-Bold", size=8.5, colour=GREEN)
    paper.lines(
        LEFT,
        545,
        [
            "Please pay within 30 days without deduction and quote the",
            "invoice number. Goods remain our property until paid in full.",
            "Questions about this invoice: Mrs O. Tarrant, extension 14.",
        ],
        size=8,
        leading=11.5,
        colour=GREY,
    )
    paper.lines(LEFT, 604, ["Thank you for your order."], font="Serif-Italic", size=10, colour=GREEN)
    paper.rule(LEFT, 776, RIGHT, 776, width=0.5, colour=GREEN)
    columns = (
        ["Brindle & Fenn Laboratory Supplies Ltd", "Registered office: 7 Kiln Yard, Northwick"],
        ["Sample Bank plc · Sort code 00-00-00", "Account 00000000 · IBAN GB00 EXMP 0000 0000 0000 00"],
        ["VAT no. GB 000 0000 00", "Page 1 of 1"],
    )
    for x, lines in zip((LEFT, 232.0, 458.0), columns, strict=True):
        paper.lines(x, 789, lines, size=6.8, leading=9.5, colour=GREY)


TABLE_TYPES = [
    table_type(
        "invoice",
        "Invoice",
        [
            column("invoice_number", "Invoice number", "id", required=True),
            column("invoice_date", "Invoice date", "date", required=True, locale="en_GB", date_patterns=["%d %B %Y"]),
            column("due_date", "Payment due", "date", locale="en_GB", date_patterns=["%d %B %Y"]),
            column("order_reference", "Your order", "id"),
            column("seller", "Seller", required=True),
            column("buyer", "Buyer", required=True, aliases=["Invoice to"]),
            column("subtotal", "Subtotal", "currency", locale="en_GB"),
            column("discount", "Discount", "currency", locale="en_GB"),
            column("shipping", "Shipping", "currency", locale="en_GB", aliases=["Shipping and insurance"]),
            column("tax", "VAT", "currency", locale="en_GB"),
            column("total", "Total due", "currency", required=True, weight=2.0, locale="en_GB"),
            column("payment_terms", "Payment terms"),
            column("customer_number", "Customer number", "id", keep_leading_zeros=True),
            column("currency", "Currency"),
        ],
        [field_sum([("subtotal", 1), ("discount", -1), ("shipping", 1), ("tax", 1)], "total")],
        form=True,
    ),
    table_type(
        "line_items",
        "Line items",
        [
            column("article", "Article", "id", required=True, aliases=["Article no."]),
            column("description", "Description"),
            column("quantity", "Quantity", "integer", required=True, aliases=["Qty"], locale="en_GB"),
            column("unit", "Unit"),
            column("unit_price", "Unit price", "currency", locale="en_GB"),
            column("amount", "Amount", "currency", required=True, weight=2.0, locale="en_GB"),
        ],
        [product(["quantity", "unit_price"], "amount"), column_sum("amount", "invoice", "subtotal")],
    ),
]


def sample() -> Sample:
    """The document, its first extraction and the truth."""
    paper = Paper("Invoice INV-2024-10583", "Brindle & Fenn Laboratory Supplies Ltd")
    head = _head(paper)
    rows = _items(paper)
    totals = _totals(paper)
    _foot(paper)
    found = {placed.text: placed for placed in paper.written}
    terms = joined([found["Please pay within 30 days without deduction and quote the"]])
    fields = head | totals | {"customer_number": found["004410"], "currency": found["GBP"]}
    fields["payment_terms"] = Placed("within 30 days", terms.words[2:5])
    invoice = form(
        "invoice", "invoice", {column["name"]: fields[column["name"]] for column in TABLE_TYPES[0]["columns"]}
    )
    items = records("line_items", "line_items", [column["name"] for column in TABLE_TYPES[1]["columns"]], rows)
    first = json_records(
        ("leafreader", "3.2.0"),
        read(invoice, SLIPS["invoice"], seed=11),
        [read(items, SLIPS["line_items"], seed=12)],
    )
    return Sample(
        slug="invoice-laboratory",
        title="Invoice for laboratory supplies, with discount and shipping",
        about="An English invoice of one page: fourteen fields and twelve line items, a discount before tax, shipping, "
        "and VAT on the sum of all of it.",
        made="Drawn with reportlab. The first extraction is JSON records: every leaf has a value, a confidence and a "
        "box.",
        document="INV-2024-10583.pdf",
        pdf=paper.pdf(),
        first_name="first_extraction.json",
        first=first,
        table_types=TABLE_TYPES,
        truth=(invoice, items),
        slips=SLIPS,
        finished=False,
    )
