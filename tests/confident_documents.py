"""Documents whose cells have confidences by which every figure can be worked out by hand."""

from __future__ import annotations

from pathlib import Path

from scoring.schema import TableType
from scoring.table import Cell, Confidence, Table
from store.db import Db
from store.extractions import Run
from store.home import Home
from store.reviews import add_verdict
from store.table_types import add_table_type
from tests.stored_documents import put_answer, put_document, put_gold

ACCEPTED, ROWS = 48, 8
ARABIC = "السعر"
HEAD = ["article", "quantity", "price", ARABIC]
LINES = TableType.from_json({"name": "lines", "label": "Line items", "columns": [{"name": name} for name in HEAD]})

# Confidence of the price and of the Arabic price in each row; the quantity has .9 everywhere, the article none.
PRICES = [0.5, 0.7, *[0.95] * 6]
ARABIC_PRICES = [0.97] * 4 + [0.99] * 4
# Wrong: the first price of every second document, and the first Arabic price of every fourth.
WRONG_PRICES, WRONG_ARABIC = ACCEPTED // 2, ACCEPTED // 4


def confident_documents(folder: Path) -> Home:
    """A home with order-00.pdf ... accepted, and two open ones: doubt-a.pdf (prices) and doubt-b.pdf (a quantity)."""
    folder.mkdir(parents=True)
    home = Home(folder)
    db = Db(home.database)
    add_table_type(db, LINES, project="orders")
    for number in range(ACCEPTED):
        gold = [[f"part {row}", str(row + 1), f"{number}.{row}0", f"{row}.{number:02}"] for row in range(ROWS)]
        read = [list(line) for line in gold]
        if number % 2 == 0:
            read[0][2] = "7777"
        if number % 4 == 0:
            read[0][3] = "8888"
        said = [[None, 0.9, PRICES[row], ARABIC_PRICES[row]] for row in range(ROWS)]
        key = _add(db, home, f"order-{number:02}.pdf", gold, read, said)
        add_verdict(db, key, verdict="accept", person="ann", id=f"accept-{number}", at_revision=0)
    lines = [["part", "1", "1.10", "1.20"], ["part", "2", "2.10", "2.20"]]
    _add(db, home, "doubt-a.pdf", lines, lines, [[None, 0.9, 0.72, 0.99]] * 2)
    _add(db, home, "doubt-b.pdf", lines, lines, [[None, 0.9, 0.95, 0.99], [None, 0.75, 0.95, 0.99]])
    db.close()
    return home


def table_of(rows: list[list[str]], said: list[list[float | None]] | None = None) -> Table:
    """A table with a header, and with the confidence of each cell where it is told."""
    cells = [Cell(0, col, text, header="column") for col, text in enumerate(HEAD)]
    for row, line in enumerate(rows):
        for col, text in enumerate(line):
            value = said[row][col] if said else None
            sure = () if value is None else (Confidence(value, "text", "cell", "acme"),)
            cells.append(Cell(row + 1, col, text, confidence=sure))
    return Table(len(rows) + 1, len(HEAD), tuple(cells))


def _add(
    db: Db, home: Home, name: str, gold: list[list[str]], read: list[list[str]], said: list[list[float | None]]
) -> int:
    document = put_document(db, home, name, (line[:3] for line in gold), project="orders", doc_type="order")
    put_answer(db, document, Run("acme", "1"), ("lines", table_of(read, said)))
    return put_gold(db, document, table_of(gold), base="extraction").id
