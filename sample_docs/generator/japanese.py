"""A Japanese quotation: full-width text, a triangle for minus, and a language model as the extractor."""

from __future__ import annotations

from decimal import Decimal

from sample_docs.generator.paper import Align, Paper, Placed
from sample_docs.generator.reading import Sample, Slip, form, read, records
from sample_docs.generator.schemas import column, column_sum, field_sum, product, table_type
from sample_docs.generator.writers import json_records

INK, NAVY, RED, PALE, GREY = "#1b1e24", "#24345c", "#b3202c", "#eef1f6", "#626873"
LEFT, RIGHT = 48.0, 547.0
NORMAL, BOLD = "Japanese", "Japanese-Bold"

LINES = (
    ("MK-0101", "六角ボルト M8×25 ステンレス", "500", "本", "18"),
    ("MK-0102", "六角ナット M8 ステンレス", "500", "個", "7"),
    ("MK-0147", "平ワッシャー M8", "1,000", "枚", "3"),
    ("MK-0230", "深溝玉軸受 6204ZZ", "24", "個", "420"),
    ("MK-0231", "深溝玉軸受 6206ZZ", "16", "個", "680"),
    ("MK-0355", "Vベルト A-42", "12", "本", "890"),
    ("MK-0410", "オイルシール 30×45×8", "20", "個", "240"),
    ("MK-0512", "リニアガイド レール長400mm", "4", "組", "12,800"),
    ("MK-0609", "ギヤードモーター 0.4kW", "2", "台", "48,500"),
    ("MK-0720", "近接センサー PNP出力", "6", "個", "3,450"),
    ("MK-0801", "制御盤の組立及び配線作業", "1", "式", "120,000"),
    ("MK-0999", "出精値引き", "1", "式", "▲8,840"),
)
HEADER: tuple[tuple[str, float, Align], ...] = (
    ("品番", LEFT + 8, "left"),
    ("品名・仕様", LEFT + 70, "left"),
    ("数量", 354, "right"),
    ("単位", 384, "center"),
    ("単価", 462, "right"),
    ("金額", RIGHT - 8, "right"),
)

SLIPS = {
    "quotation": (
        Slip(
            "misread",
            1,
            1,
            "2024年10月3日",
            "2024-10-03",
            why="The model wrote the date in another form than the page.",
        ),
        Slip(
            "misread", 1, 8, "¥365,200", "¥356,200", 0.95, why="Two digits changed places, with the usual confidence."
        ),
    ),
    "items": (
        Slip("misread", 1, 3, "本", "木", 0.9, why="Two signs that differ by one short stroke."),
        Slip("misread", 3, 2, "1,000", "１，０００", why="Full-width digits where the page has half-width ones."),
        Slip("missed", 5, why="The row is nearly the same as the one above it (6204ZZ, 6206ZZ) and was left out."),
        Slip(
            "misread",
            7,
            1,
            "オイルシール 30×45×8",
            "オイルツール 30×45×8",
            0.9,
            why="Two kana that differ in the slant of their strokes; the wrong word exists too.",
        ),
        Slip("misread", 12, 4, "▲8,840", "8,840", 0.95, why="The triangle that marks a negative amount is lost."),
        Slip("misread", 12, 5, "▲8,840", "8,840", 0.95, why="The triangle that marks a negative amount is lost."),
        Slip("unsure", 9, 4, confidence=None, why="The model left the confidence out."),
        Slip("unsure", 10, 1, confidence=None, why="The model left the confidence out."),
    ),
}


def yen(amount: Decimal) -> str:
    """A whole amount with commas, a triangle in front of a negative one."""
    return f"▲{-amount:,}" if amount < 0 else f"{amount:,}"


def number(text: str) -> Decimal:
    """The amount that ``yen`` wrote."""
    return Decimal(text.replace(",", "").replace("▲", "-"))


def signs() -> str:
    """Every sign that this document prints, and those that its first extraction mistakes them for."""
    return "".join(
        sorted(
            {sign for placed in _draw(Paper("", ""))[0].written for sign in placed.text}
            | set(map(chr, range(0x20, 0x7F)))
        )
    )


def _head(paper: Paper) -> dict[str, Placed]:
    paper.fill(LEFT, 40, RIGHT, 43, NAVY)
    paper.text((LEFT + RIGHT) / 2, 78, "御 見 積 書", font=BOLD, size=22, colour=NAVY, align="center")
    fields = {"customer": paper.text(LEFT, 122, "海野製作所株式会社", font=BOLD, size=13)}
    paper.text(LEFT + 132, 122, "御中", font=NORMAL, size=11)
    paper.rule(LEFT, 129, 282, 129, width=0.8)
    paper.text(LEFT, 152, "下記の通り御見積申し上げます。", font=NORMAL, size=9)
    for row, (key, label, value) in enumerate(
        [
            ("subject", "件名", "搬送装置の部品一式"),
            ("delivery", "納期", "御注文後 約4週間"),
            ("terms", "支払条件", "月末締め翌月末払い"),
            ("valid", "有効期限", "2024年11月2日"),
        ]
    ):
        y = 174 + 17 * row
        paper.text(LEFT, y, label, font=NORMAL, size=9, colour=GREY)
        placed = paper.text(LEFT + 60, y, value, font=NORMAL, size=9.5)
        paper.rule(LEFT, y + 5, 282, y + 5, width=0.3, colour="#b7bcc7")
        if key in ("subject", "valid"):
            fields["valid_until" if key == "valid" else key] = placed
    for row, (key, label, value) in enumerate(
        (("quotation_number", "見積番号", "Q-2024-0093"), ("quotation_date", "見積日", "2024年10月3日"))
    ):
        paper.text(400, 112 + 16 * row, label, font=NORMAL, size=9, colour=GREY)
        fields[key] = paper.text(RIGHT, 112 + 16 * row, value, font=NORMAL, size=9.5, align="right")
    fields["seller"] = paper.text(400, 160, "みなと架空工機株式会社", font=BOLD, size=11)
    paper.lines(
        400,
        176,
        ["〒000-0000", "架空県港町1-2-3 第二ビル4階", "電話 00-0000-0000", "担当 山本 花"],
        font=NORMAL,
        size=8,
        leading=13,
        colour=GREY,
    )
    # the company's square seal
    paper.fill(512, 192, 546, 226, "", edge=RED, radius=2)
    for place, sign in enumerate("みなと之印"):
        paper.text(
            537 - 16 * (place // 3), 203 + 10 * (place % 3), sign, font=BOLD, size=8.5, colour=RED, align="center"
        )
    return fields


def _items(paper: Paper) -> list[list[Placed | None]]:
    top, height = 300.0, 22.0
    paper.fill(LEFT, top, RIGHT, top + height, NAVY)
    for label, x, align in HEADER:
        paper.text(x, top + 14.5, label, font=BOLD, size=9, colour="#ffffff", align=align)
    rows: list[list[Placed | None]] = []
    for place, (code, name, quantity, unit, price) in enumerate(LINES):
        y = top + height * (place + 1)
        if place % 2:
            paper.fill(LEFT, y, RIGHT, y + height, PALE)
        texts = (code, name, quantity, unit, price, yen(number(quantity) * number(price)))
        rows.append(
            [
                paper.text(x, y + 14.5, text, font=NORMAL, size=9, align=align)
                for text, (_, x, align) in zip(texts, HEADER, strict=True)
            ]
        )
    bottom = top + height * (len(LINES) + 1)
    paper.fill(LEFT, top, RIGHT, bottom, "", edge=NAVY)
    for x in (LEFT + 62, 312.0, 364.0, 404.0, 472.0):
        paper.rule(x, top, x, bottom, width=0.3, colour="#9aa3b8")
    return rows


def _totals(paper: Paper) -> dict[str, Placed]:
    subtotal = sum((number(line[2]) * number(line[4]) for line in LINES), Decimal(0))
    tax = (subtotal / 10).quantize(Decimal(1))
    fields = {}
    for row, (key, label, amount) in enumerate(
        (("subtotal", "小計", subtotal), ("tax", "消費税(10%)", tax), ("", "合計", subtotal + tax))
    ):
        y = 604.0 + 20 * row
        paper.text(404, y, label, font=BOLD if not key else NORMAL, size=9.5)
        placed = paper.text(RIGHT - 8, y, yen(amount), font=BOLD if not key else NORMAL, size=9.5, align="right")
        paper.rule(396, y + 6, RIGHT, y + 6, width=0.3 if key else 1, colour=NAVY)
        if key:
            fields[key] = placed
    paper.fill(LEFT, 252, 282, 284, PALE, edge=NAVY)
    paper.text(LEFT + 10, 272, "御見積金額(税込)", font=BOLD, size=10, colour=NAVY)
    fields["total"] = paper.text(272, 273, f"¥{yen(subtotal + tax)}", font=BOLD, size=15, colour=NAVY, align="right")
    return fields


def _foot(paper: Paper) -> None:
    paper.text(LEFT, 604, "備考", font=BOLD, size=9.5, colour=NAVY)
    paper.lines(
        LEFT,
        622,
        ["1. 運賃は弊社負担といたします。", "2. 据付工事及び試運転は含みません。", "3. ▲は値引きを示します。"],
        font=NORMAL,
        size=8.5,
        leading=15,
    )
    paper.rule(LEFT, 786, RIGHT, 786, width=0.6, colour=NAVY)
    paper.text(LEFT, 800, "登録番号 T0000000000000", font=NORMAL, size=7.5, colour=GREY)
    paper.text(RIGHT, 800, "1 / 1", font=NORMAL, size=7.5, colour=GREY, align="right")


def _draw(paper: Paper) -> tuple[Paper, dict[str, Placed], list[list[Placed | None]]]:
    fields = _head(paper)
    rows = _items(paper)
    fields |= _totals(paper)
    _foot(paper)
    return paper, fields, rows


_YEN = {"locale": "ja_JP"}
_DAY = {"locale": "ja_JP", "date_patterns": ["%Y年%m月%d日"]}
TABLE_TYPES = [
    table_type(
        "quotation",
        "御見積書",
        [
            column("quotation_number", "見積番号", "id", required=True),
            column("quotation_date", "見積日", "date", required=True, **_DAY),
            column("valid_until", "有効期限", "date", **_DAY),
            column("seller", "発行者"),
            column("customer", "宛先", required=True),
            column("subject", "件名"),
            column("subtotal", "小計", "currency", **_YEN),
            column("tax", "消費税", "currency", aliases=["消費税(10%)"], **_YEN),
            column("total", "御見積金額(税込)", "currency", required=True, weight=2.0, aliases=["合計"], **_YEN),
        ],
        [field_sum([("subtotal", 1), ("tax", 1)], "total", "0")],
        form=True,
    ),
    table_type(
        "items",
        "明細",
        [
            column("code", "品番", "id", required=True, key=True),
            column("name", "品名・仕様", required=True, aliases=["品名"]),
            column("quantity", "数量", "integer", required=True, **_YEN),
            column("unit", "単位"),
            column("unit_price", "単価", "currency", **_YEN),
            column("amount", "金額", "currency", required=True, weight=2.0, **_YEN),
        ],
        [product(["quantity", "unit_price"], "amount", "0"), column_sum("amount", "quotation", "subtotal", "0")],
    ),
]


def sample() -> Sample:
    """The document, its first extraction and the truth."""
    paper, fields, rows = _draw(Paper("御見積書 Q-2024-0093", "みなと架空工機株式会社"))
    quotation = form(
        "quotation", "quotation", {column["name"]: fields[column["name"]] for column in TABLE_TYPES[0]["columns"]}
    )
    items = records("items", "items", [column["name"] for column in TABLE_TYPES[1]["columns"]], rows)
    first = json_records(
        ("page-to-json, a language model", "2024-09"),
        read(quotation, SLIPS["quotation"], seed=71, usual=(0.9, 0.99), step=0.05),
        [read(items, SLIPS["items"], seed=72, usual=(0.9, 0.99), step=0.05)],
        boxes=False,
    )
    return Sample(
        slug="quotation-japanese",
        title="Japanese quotation for machine parts",
        about="A quotation in Japanese: nine fields and twelve items, amounts in whole yen, a negative amount marked "
        "with a "
        "triangle (▲8,840), kanji, both kana and Latin type codes side by side.",
        made="Drawn with reportlab. The first extraction is JSON records as a language model returns them: it states "
        "its own "
        "confidence, which is 0.9, 0.95 or 1.0 whatever the page says, and it knows pages but no boxes.",
        document="見積書_Q-2024-0093.pdf",
        pdf=paper.pdf(),
        first_name="first_extraction.json",
        first=first,
        table_types=TABLE_TYPES,
        truth=(quotation, items),
        slips=SLIPS,
        finished=False,
    )
