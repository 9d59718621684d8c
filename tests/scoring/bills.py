"""Bills whose amounts are products and add up, with one slip in an amount, and where the witness ranks the truth."""

from __future__ import annotations

import random
from collections import Counter
from decimal import Decimal

from scoring import Table, TableType, from_rows
from scoring.arithmetic.witness import Witness, witness

HEAD = ["article", "quantity", "price", "amount"]
ARTICLES = ("bolt", "washer", "bracket", "hinge", "beaker", "funnel", "gasket", "spring", "cable", "clamp")


def bill(*, locale: str = "en", products: bool = True) -> TableType:
    number = {"type": "currency", "locale": locale}
    checks = [{"kind": "sum", "column": "amount", "equals": {"last_row": True}}]
    if products:
        checks.append({"kind": "product", "factors": ["quantity", "price"], "product": "amount"})
    return TableType.from_json(
        {
            "name": "bill",
            "columns": [
                {"name": "article"},
                {"name": "quantity", "type": "integer", "locale": locale},
                {"name": "price", **number},
                {"name": "amount", **number},
            ],
            "checks": checks,
        }
    )


def amount(cents: int) -> str:
    return f"{cents / 100:,.2f}"


def true_bill(chance: random.Random, rows: int) -> list[list[str]]:
    lines, total = [], 0
    for at in range(rows):
        quantity, price = chance.randrange(1, 60), chance.randrange(100, 90_000)
        total += quantity * price
        lines.append([f"{chance.choice(ARTICLES)} {at}", str(quantity), amount(price), amount(quantity * price)])
    return [*lines, ["Total", "", "", amount(total)]]


def table(rows: list[list[str]]) -> Table:
    return from_rows([HEAD, *rows], header_rows=1)


def changed(chance: random.Random, text: str, kind: str) -> str:
    """The text after one slip of a kind; the text itself where it cannot be made."""
    at = chance.choice([place for place, letter in enumerate(text) if letter.isdigit()])
    digits = text.replace(",", "").replace(".", "")
    match kind:
        case "digit replaced by one that looks alike":
            pairs = {"1": "7", "7": "1", "3": "8", "8": "3", "5": "6", "6": "5", "0": "8", "4": "9", "9": "4", "2": "7"}
            return text[:at] + pairs[text[at]] + text[at + 1 :]
        case "digit replaced by any other":
            return text[:at] + chance.choice([d for d in "0123456789" if d != text[at]]) + text[at + 1 :]
        case "digit dropped" | "digit added":
            at = chance.randrange(len(digits))
            more = digits[:at] + chance.choice("123456789") + digits[at:]
            new = more if kind == "digit added" else digits[:at] + digits[at + 1 :]
            return amount(int(new)) if "." in text else new or text
        case "digits transposed":
            at = chance.randrange(len(digits) - 1) if len(digits) > 1 else 0
            new = digits[:at] + digits[at : at + 2][::-1] + digits[at + 2 :]
            return amount(int(new)) if "." in text else new
        case "sign flipped":
            return f"-{text}"
        case _:
            return amount(int(digits) * chance.choice((10, 100)))


KINDS = (
    "digit replaced by one that looks alike",
    "digit replaced by any other",
    "digit dropped",
    "digit added",
    "digits transposed",
    "sign flipped",
    "decimal point moved",
)


def injected(
    chance: random.Random, kind: str, rows: int, *, in_total: bool = True
) -> tuple[list[list[str]], list[list[str]], int]:
    """A true bill, and one of which an amount went wrong in some way, and its row."""
    while True:
        true = true_bill(chance, rows)
        row = chance.randrange(rows + in_total)
        text = changed(chance, true[row][3], kind)
        if text != true[row][3] and Decimal(text.replace(",", "")) != Decimal(true[row][3].replace(",", "")):
            wrong = [list(line) for line in true]
            wrong[row][3] = text
            return true, wrong, row


def rank(found: tuple[Witness, ...], row: int, proposed: str) -> int | None:
    """At which place the true text of the amount stands, from 1, in the witness of the sum."""
    for at, explanation in enumerate(found[0].explanations, 1):
        change, *more = explanation.changes
        if not more and (change.row, change.col, change.proposed) == (row + 1, 3, proposed):
            return at
    return None


def ranks(kind: str, *, rows: int, products: bool, seeds: range = range(60)) -> Counter[int | None]:
    counted: Counter[int | None] = Counter()
    for seed in seeds:
        true, wrong, row = injected(random.Random(f"{kind} {seed}"), kind, rows, in_total=not products)
        found = witness(table(wrong), bill(products=products))
        if found:  # else the slip stayed within the tolerance of the check
            counted[rank(found, row, true[row][3])] += 1
    return counted
