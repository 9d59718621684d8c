"""An Arabic price list: right to left, two kinds of digits, category labels that span rows."""

from __future__ import annotations

from sample_docs.generator.paper import Paper, Placed
from sample_docs.generator.reading import Sample, Slip, TrueCell, TrueTable, read
from sample_docs.generator.schemas import column, table_type
from sample_docs.generator.writers import html_table

INK, GREEN, GOLD, PALE, GREY = "#1e2722", "#0f5a4a", "#b98a2f", "#f4f0e4", "#69726d"
LEFT, RIGHT = 45.0, 550.0

HEADER = ("الفئة", "رمز الصنف", "الصنف", "الوحدة", "سعر الجملة", "سعر التجزئة", "أقل كمية")
# Edges from the right: the first column of the table stands at the right side of the page.
EDGES = (550.0, 474.0, 412.0, 270.0, 214.0, 156.0, 98.0, 45.0)
ON_REQUEST = "السعر عند الطلب"
CATEGORIES = (
    (
        "ورق",
        (
            ("1001", "ورق تصوير صغير، وزن ٨٠ غم", "رزمة", "18.50", "22.00", "10"),
            ("1004", "ورق تصوير كبير، وزن ٨٠ غم", "رزمة", "36.75", "42.00", "5"),
            ("1012", "ورق ملون BRISTOL، خمسة ألوان", "رزمة", "24.00", "29.50", "5"),
        ),
    ),
    (
        "أقلام",
        (
            ("2003", "قلم حبر جاف أزرق", "علبة ٥٠", "٢٥٫٠٠", "٣١٫٥٠", "٤"),
            ("2005", "قلم رصاص HB", "علبة ١٢", "٩٫٢٥", "١٢٫٠٠", "١٠"),
            ("2011", "قلم تحديد أصفر", "قطعة", "٢٫٤٠", "٣٫٢٥", "٢٤"),
        ),
    ),
    (
        "دفاتر",
        (
            ("3002", "دفتر مسطر، ١٠٠ ورقة", "قطعة", "٥٫٧٥", "٧٫٥٠", "٢٠"),
            ("3007", "دفتر رسم، ٢٠ ورقة", "قطعة", "٨٫٠٠", "١٠٫٥٠", "١٢"),
            ("3015", "سجل محاسبة، ٢٠٠ صفحة", "قطعة", "١٧٫٢٥", "٢١٫٠٠", "٦"),
        ),
    ),
    (
        "حفظ الملفات",
        (
            ("4001", "ملف بحلقتين، عرض ٨ سم", "قطعة", "٧٫٩٠", "٩٫٧٥", "٢٠"),
            ("4006", "حافظة بلاستيكية شفافة", "علبة ١٠٠", "١٥٫٠٠", "١٩٫٠٠", "٣"),
            ("4020", "خزانة ملفات بأربعة أدراج", "قطعة", ON_REQUEST, "", "١"),
        ),
    ),
)

SLIPS = {
    "prices": (
        Slip("merged", 0, 4, why="Two short headers were read as one; the column beside it has none."),
        Slip(
            "misread",
            4,
            2,
            "قلم حبر جاف أزرق",
            "قلم خبر جاف أزرق",
            why="A dot too many: two letters differ by one dot only.",
        ),
        Slip("misread", 4, 5, "٣١٫٥٠", "٢١٫٥٠", why="The Arabic-Indic digits 2 and 3 look alike."),
        Slip("misread", 7, 4, "٥٫٧٥", "٥٧٥", why="The Arabic decimal sign, a small comma, is lost."),
        Slip("misread", 11, 4, "١٥٫٠٠", "١٠٫٠٠", why="Five is a ring and zero a dot in these digits."),
        Slip("span", 4, 0, "أقلام", spans=(2, 1), why="The label beside three rows was read as spanning two."),
        Slip("missed", 8, why="A row between two alike ones was skipped."),
        Slip(
            "misread",
            10,
            1,
            "4001",
            "1004",
            why="A European number inside a right-to-left row, put together from the wrong end.",
        ),
    )
}


def _head(paper: Paper) -> None:
    paper.fill(0, 0, 595.3, 96, GREEN)
    paper.fill(0, 96, 595.3, 99, GOLD)
    # an eight-pointed star
    for number in range(2):
        side = 15.0
        middle_x, middle_y = RIGHT - 22, 47.0
        if number:
            paper.shape(
                [
                    (middle_x, middle_y - 1.414 * side),
                    (middle_x + 1.414 * side, middle_y),
                    (middle_x, middle_y + 1.414 * side),
                    (middle_x - 1.414 * side, middle_y),
                ],
                GOLD,
            )
        else:
            paper.fill(middle_x - side, middle_y - side, middle_x + side, middle_y + side, GOLD)
    paper.disc(RIGHT - 22, 47, 8, GREEN)
    paper.text(
        RIGHT - 56, 46, "مؤسسة نخلة الوادي للقرطاسية", font="Arabic-Bold", size=17, colour="#ffffff", align="right"
    )
    paper.text(
        RIGHT - 56,
        66,
        "لوازم المكاتب والمدارس، بيع بالجملة والتجزئة",
        font="Arabic",
        size=9,
        colour="#d9e6e1",
        align="right",
    )
    paper.text(LEFT, 42, "قائمة الأسعار", font="Arabic-Bold", size=15, colour="#f3d58d")
    paper.text(LEFT, 64, "أكتوبر ٢٠٢٤", font="Arabic", size=10, colour="#ffffff")
    paper.text(
        RIGHT,
        128,
        "الأسعار بالريال، وتشمل ضريبة القيمة المضافة، وتسري من ١ إلى ٣١ أكتوبر ٢٠٢٤",
        font="Arabic",
        size=9,
        align="right",
    )
    paper.text(RIGHT, 146, "رقم القائمة: ٠٠٤٧", font="Arabic", size=9, colour=GREY, align="right")


def _cell(paper: Paper, row: int, col: int, rows: int, cols: int, top: float, height: float, text: str) -> TrueCell:
    right, left = EDGES[col], EDGES[col + cols]
    base = top + height * rows / 2 + 3.2
    header = row == 0
    font = "Arabic-Bold" if header or col == 0 else "Arabic"
    colour = "#ffffff" if header else GREEN if col == 0 else INK
    placed: Placed | None = None
    if text and (header or col != 2):
        placed = paper.text((left + right) / 2, base, text, font=font, size=9, colour=colour, align="center")
    elif text:
        placed = paper.text(right - 7, base, text, font=font, size=9, colour=colour, align="right")
    return TrueCell(row, col, placed, "", rows, cols, "column" if header else "row" if col == 0 else "")


def _table(paper: Paper) -> TrueTable:
    top, height = 164.0, 30.0
    paper.fill(LEFT, top, RIGHT, top + height, GREEN)
    cells = [_cell(paper, 0, col, 1, 1, top, height, text) for col, text in enumerate(HEADER)]
    row = 1
    for name, items in CATEGORIES:
        start = top + height * row
        paper.fill(EDGES[1], start, EDGES[0], start + height * len(items), PALE)
        cells.append(_cell(paper, row, 0, len(items), 1, start, height, name))
        for texts in items:
            y = top + height * row
            for col, text in enumerate(texts, 1):
                if text == ON_REQUEST:
                    cells.append(_cell(paper, row, col, 1, 2, y, height, text))
                elif text:
                    cells.append(_cell(paper, row, col, 1, 1, y, height, text))
            row += 1
            last = texts is items[-1]
            paper.rule(
                LEFT,
                top + height * row,
                RIGHT if last else EDGES[1],
                top + height * row,
                width=0.9 if last else 0.3,
                colour=GOLD,
            )
    bottom = top + height * row
    for x in EDGES[1:-1]:
        above_request = bottom - height if x == EDGES[5] else bottom
        paper.rule(x, top + height, x, above_request, width=0.3, colour="#d8cfb4")
    paper.fill(LEFT, top, RIGHT, bottom, "", edge=GREEN)
    return TrueTable("prices", "prices", tuple(cells))


def _foot(paper: Paper) -> None:
    paper.text(RIGHT, 590, "شروط البيع", font="Arabic-Bold", size=10.5, colour=GREEN, align="right")
    for number, line in enumerate(
        (
            "• يسري سعر الجملة ابتداء من أقل كمية مذكورة في القائمة.",
            "• التوصيل داخل المدينة مجاني للطلبات التي تزيد على ٣٠٠ ريال.",
            "• يمكن استبدال البضاعة خلال سبعة أيام مع إبراز الفاتورة.",
        )
    ):
        paper.text(RIGHT, 610 + 18 * number, line, font="Arabic", size=9, align="right")
    paper.rule(LEFT, 776, RIGHT, 776, width=0.8, colour=GOLD)
    paper.text(
        RIGHT,
        792,
        "مؤسسة خيالية لأغراض العرض. شارع النخيل، الطابق الأول",
        font="Arabic",
        size=8,
        colour=GREY,
        align="right",
    )
    paper.text(LEFT, 808, "sales@nakhla.example", size=8, colour=GREY)
    paper.text(297, 792, "صفحة ١ من ١", font="Arabic", size=8, colour=GREY, align="center")


TABLE_TYPES = [
    table_type(
        "prices",
        "قائمة الأسعار",
        [
            column("category", HEADER[0]),
            column("code", HEADER[1], "id", required=True, key=True),
            column("item", HEADER[2], required=True),
            column("unit", HEADER[3]),
            column("wholesale", HEADER[4], "currency", locale="ar_EG", null_words=[ON_REQUEST]),
            column("retail", HEADER[5], "currency", weight=2.0, locale="ar_EG", null_words=[ON_REQUEST]),
            column("least_quantity", HEADER[6], "integer", locale="ar_EG"),
        ],
        rtl=True,
    )
]


def sample() -> Sample:
    """The document, its first extraction and the truth."""
    paper = Paper("قائمة الأسعار، أكتوبر ٢٠٢٤", "مؤسسة نخلة الوادي للقرطاسية")
    _head(paper)
    table = _table(paper)
    _foot(paper)
    return Sample(
        slug="price-list-arabic",
        title="Arabic price list, right to left",
        about="A price list in Arabic: the first column stands at the right, category labels span three rows, one "
        "price cell "
        'spans two columns ("price on request"), Latin words stand inside right-to-left text, and the paper '
        "goods have European digits where all other rows have Arabic-Indic ones.",
        made="Drawn with reportlab; letters are joined with arabic-reshaper and ordered with python-bidi. The first "
        "extraction is an HTML page with rowspan and colspan, without confidence and without boxes.",
        document="price-list-2024-10.pdf",
        pdf=paper.pdf(),
        first_name="first_extraction.html",
        first=html_table(
            read(table, SLIPS["prices"], seed=61),
            title="price-list-2024-10",
            language="ar",
            direction="rtl",
            generator="tablewright 0.8.2",
        ),
        table_types=TABLE_TYPES,
        truth=(table,),
        slips=SLIPS,
        finished=True,
    )
