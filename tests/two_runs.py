"""A home whose documents two extractors have read, one of them twice, with gold for all of them."""

from __future__ import annotations

from pathlib import Path

from scoring.schema import TableType
from scoring.table import from_rows
from store.db import Db
from store.extractions import Run
from store.home import Home
from store.reviews import add_verdict
from store.table_types import add_table_type
from tests.stored_documents import put_answer, put_document, put_gold

DOCUMENTS = 24
HEAD = ["article", "quantity", "price"]
LINES = TableType.from_json({"name": "lines", "label": "Line items", "columns": [{"name": name} for name in HEAD]})

Rows = list[list[str]]


def two_runs(folder: Path, *, accepted: bool = True) -> Home:
    """Documents order-00.pdf ... of four lines each.

    Run 1, "steady", has every quantity of the even documents wrong. Runs 2 and 3 are repeats of "hasty": they have the
    quantities right, and every price wrong but those of order-00; the second repeat misses the last line, too.
    """
    home = Home(folder)
    folder.mkdir(parents=True)
    db = Db(home.database)
    add_table_type(db, LINES, project="orders")
    for number in range(DOCUMENTS):
        rows = [HEAD, *([f"part {number}-{line}", str(line + 1), f"{number}.{line}0"] for line in range(4))]
        wrong_quantities = [HEAD, *([article, f"{quantity}0", price] for article, quantity, price in rows[1:])]
        wrong_prices = [HEAD, *([article, quantity, f"9{price}"] for article, quantity, price in rows[1:])]
        hasty = wrong_prices if number else rows
        document = put_document(db, home, f"order-{number:02}.pdf", rows, project="orders")
        gold = put_gold(db, document, from_rows(rows, header_rows=1))
        if accepted:
            add_verdict(db, gold.id, verdict="accept", person="ann", id=f"accept-{number}", at_revision=0)
        answers = [(Run("steady", "1"), rows if number % 2 else wrong_quantities), (Run("hasty", "7"), hasty)]
        for run, answer in [*answers, (Run("hasty", "7", repeat=2), hasty[:-1])]:
            put_answer(db, document, run, ("table 1", from_rows(answer, header_rows=1)))
    db.close()
    return home
