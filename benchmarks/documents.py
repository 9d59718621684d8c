"""Generated documents: PDFs with one table each, and extractions of it with confidence and boxes."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = A4
MOST_ROWS_ON_PAGE = 38
SIZE, LEADING, TOP, LEFT = 8.0, 17.0, 110.0, 42.0
COLUMNS = (
    ("position", "id", 40),
    ("article", "id", 62),
    ("description", "text", 152),
    ("quantity", "integer", 48),
    ("unit", "text", 40),
    ("unit_price", "currency", 58),
    ("discount", "percent", 48),
    ("amount", "currency", 60),
)
WORDS = ("beaker", "flask", "filter", "paper", "gloves", "tips", "buffer", "standard", "stirrer", "goggles", "tubing")
LINE_OF_TEXT = "The goods remain our property until they are paid in full; claims are to be made within fourteen days."
TABLE_TYPES = {
    "proofgrid": "table-types/1",
    "table_types": [
        {
            "name": "line_items",
            "label": "Line items",
            "columns": [
                {"name": name, "type": kind, "required": name != "discount", "key": name == "article"}
                for name, kind, _ in COLUMNS
            ],
            "checks": [{"kind": "product", "factors": ["quantity", "unit_price"], "product": "amount"}],
        }
    ],
}


@dataclass(frozen=True)
class Word:
    """A text on the page: where it stands in fractions of the page, and how sure the invented extractor is."""

    page: int
    text: str
    box: tuple[float, float, float, float]
    confidence: float


def write(
    folder: Path, *, count: int, rows: int, rows_on_page: int, azure: bool = False, twice: bool = False, start: int = 1
) -> None:
    """Write so many documents with their extractions; every second one as an Azure answer, if asked for.

    ``twice`` gives each document a second table, the same rows without a table type; numbers begin with ``start``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table_types.json").write_text(json.dumps(TABLE_TYPES))
    for number in range(start, start + count):
        chance = random.Random(number)
        name = f"order-{number:04}"
        lines = list(drawn(folder / f"{name}.pdf", name, texts(chance, number, rows), rows_on_page, chance))
        made = azure_answer(lines) if azure and number % 2 else _records(lines)
        if twice:
            made["copy"] = made["line_items"]
        (folder / f"{name}.json").write_text(json.dumps(made))


def texts(chance: random.Random, number: int, rows: int) -> Iterator[list[str]]:
    for row in range(1, rows + 1):
        quantity, cents = chance.randrange(1, 60), chance.randrange(40, 30_000)
        yield [
            f"{number:04}-{row:02}",
            f"BF-{chance.randrange(100_000):05}",
            " ".join(chance.sample(WORDS, 4)),
            str(quantity),
            chance.choice(("pack", "piece", "box")),
            f"{cents / 100:,.2f}",
            "",
            f"{quantity * cents / 100:,.2f}",
        ]


def drawn(
    file: Path,
    title: str,
    texts: Iterable[list[str]],
    rows_on_page: int,
    chance: random.Random,
    *,
    misread: float = 0.04,
) -> Iterator[list[list[Word]]]:
    """Draws the document; the lines of its table, each cell the words that an extractor would find in it."""
    canvas = Canvas(str(file), pagesize=A4, invariant=1)
    header = [name.replace("_", " ") for name, _, _ in COLUMNS]
    body = [header, *texts]
    pages = max(2, math.ceil(len(body) / MOST_ROWS_ON_PAGE))
    for page in range(1, pages + 1):
        canvas.setFont("Helvetica-Bold", 15)
        canvas.drawString(LEFT, HEIGHT - 60, f"Order {title}, page {page}")
        canvas.setFont("Helvetica", SIZE)
        on_page = body[(page - 1) * rows_on_page :][: rows_on_page if page < pages else None]
        for line, cells in enumerate(on_page):
            down = TOP + line * LEADING
            yield [_cell(canvas, page, col, text, down, chance, misread) for col, text in enumerate(cells)]
            canvas.line(LEFT, HEIGHT - down - 5, WIDTH - LEFT, HEIGHT - down - 5)
        for line in range(8 if page == pages else 4):
            canvas.drawString(LEFT, 120 - line * 11, LINE_OF_TEXT)
        canvas.showPage()
    canvas.save()


def _cell(
    canvas: Canvas, page: int, col: int, text: str, down: float, chance: random.Random, share: float
) -> list[Word]:
    across = LEFT + sum(width for _, _, width in COLUMNS[:col])
    words = []
    for part in text.split():
        canvas.drawString(across, HEIGHT - down, part)
        width = stringWidth(part, "Helvetica", SIZE)
        box = (across / WIDTH, (down - SIZE) / HEIGHT, (across + width) / WIDTH, (down + 2) / HEIGHT)
        misread = chance.random() < share
        read = part.replace("0", "O", 1).replace("1", "l", 1) if misread else part
        words.append(Word(page, read, box, round(chance.uniform(0.3, 0.7) if misread else chance.uniform(0.9, 1), 3)))
        across += width + stringWidth(" ", "Helvetica", SIZE)
    return words


def _around(words: list[Word]) -> list[float]:
    sides = list(zip(*(word.box for word in words), strict=True))
    return [min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3])]


def _records(lines: list[list[list[Word]]]) -> dict[str, Any]:
    names = [name for name, _, _ in COLUMNS]
    rows = []
    for cells in lines[1:]:
        row: dict[str, Any] = {}
        for name, words in zip(names, cells, strict=True):
            row[name] = {
                "value": " ".join(word.text for word in words),
                "confidence": min((word.confidence for word in words), default=0.9),
                "box": [words[0].page, *_around(words)] if words else None,
            }
        rows.append(row)
    return {"extractor": {"name": "invented", "version": "1.0"}, "line_items": rows}


def azure_answer(lines: Sequence[Sequence[list[Word] | None]]) -> dict[str, Any]:
    """An Azure layout answer of the lines; None is a position that the cell to its left covers."""
    content, cells = "", []
    last = max((words[0].page for line in lines for words in line if words), default=2)
    found: dict[int, list[dict[str, Any]]] = {page: [] for page in range(1, max(2, last) + 1)}
    for row, line in enumerate(lines):
        for col, words in enumerate(line):
            if words is None:
                cells[-1]["columnSpan"] = cells[-1].get("columnSpan", 1) + 1
                continue
            start = len(content)
            for word in words:
                span = {"offset": len(content), "length": len(word.text)}
                entry = {"content": word.text, "polygon": _polygon(list(word.box)), "confidence": word.confidence}
                found[word.page].append({**entry, "span": span})
                content += word.text + " "
            cell: dict[str, Any] = {"rowIndex": row, "columnIndex": col, "content": content[start:-1] if words else ""}
            if words:
                cell["spans"] = [{"offset": start, "length": len(content) - 1 - start}]
                cell["boundingRegions"] = [{"pageNumber": words[0].page, "polygon": _polygon(_around(words))}]
            cells.append({**cell, "kind": "columnHeader"} if row == 0 else cell)
    pages = [
        {"pageNumber": number, "width": WIDTH / 72, "height": HEIGHT / 72, "unit": "inch", "words": words}
        for number, words in found.items()
    ]
    table = {"rowCount": len(lines), "columnCount": len(COLUMNS), "cells": cells}
    result = {"apiVersion": "2024-11-30", "modelId": "prebuilt-layout", "stringIndexType": "textElements"}
    return {"status": "succeeded", "analyzeResult": {**result, "content": content, "pages": pages, "tables": [table]}}


def _polygon(box: list[float]) -> list[float]:
    x0, y0, x1, y1 = (round(side * (HEIGHT if at % 2 else WIDTH) / 72, 4) for at, side in enumerate(box))
    return [x0, y0, x1, y0, x1, y1, x0, y1]
