from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from decimal import Decimal

import pytest

from scoring import Confidence, Table, TableType, check, from_rows
from scoring.witness import Change, Witness, witness

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


def ranks(kind: str, *, rows: int, products: bool, tables: int = 60) -> Counter[int | None]:
    counted: Counter[int | None] = Counter()
    for seed in range(tables):
        true, wrong, row = injected(random.Random(f"{kind} {seed}"), kind, rows, in_total=not products)
        found = witness(table(wrong), bill(products=products))
        if found:  # else the slip stayed within the tolerance of the check
            counted[rank(found, row, true[row][3])] += 1
    return counted


@pytest.mark.parametrize("kind", KINDS)
def test_a_slip_in_an_amount_is_found_first_where_its_row_has_a_product(kind: str) -> None:
    counted = ranks(kind, rows=12, products=True)
    assert counted[1] == counted.total() > 50, counted


@pytest.mark.parametrize(
    ("kind", "least_first", "least_in_three"),
    [
        ("digit replaced by one that looks alike", 0.4, 0.8),
        ("digit replaced by any other", 0.05, 0.3),
        ("digit dropped", 0.8, 0.95),
        ("digit added", 0.8, 0.95),
        ("digits transposed", 0.5, 0.8),
        ("sign flipped", 0.95, 1.0),
        ("decimal point moved", 0.95, 1.0),
    ],
)
def test_a_slip_that_only_the_sum_tells_is_mostly_among_the_first(
    kind: str, least_first: float, least_in_three: float
) -> None:
    counted = ranks(kind, rows=6, products=False)
    first, three = counted[1] / counted.total(), sum(counted[at] for at in (1, 2, 3)) / counted.total()
    assert (first >= least_first, three >= least_in_three) == (True, True), counted


def test_a_true_table_has_no_witness() -> None:
    for seed in range(50):
        assert witness(table(true_bill(random.Random(seed), 10)), bill()) == ()


def apply(rows: list[list[str]], changes: tuple[Change, ...]) -> list[list[str]]:
    found = [list(line) for line in rows]
    for change in changes:
        assert change.row is not None
        if change.col is None:
            del found[change.row - 1]
        else:
            assert found[change.row - 1][change.col] == change.old
            found[change.row - 1][change.col] = change.proposed
    return found


def test_each_explanation_repairs_its_check_and_breaks_none_that_holds() -> None:
    for seed in range(40):
        chance = random.Random(seed)
        _, wrong, _ = injected(chance, chance.choice(KINDS), chance.randrange(2, 8))
        if seed % 2:  # a second slip elsewhere
            row = chance.randrange(len(wrong))
            wrong[row][3] = changed(chance, wrong[row][3], chance.choice(KINDS))
        for products in (True, False):
            before = {finding.message for finding in check(table(wrong), bill(products=products))}
            for found in witness(table(wrong), bill(products=products), most=50):
                assert found.finding.message in before
                for explanation in found.explanations:
                    if explanation.changes[0].slip == "row_left_out":
                        continue
                    after = check(table(apply(wrong, explanation.changes)), bill(products=products))
                    assert len(after) == len(before) - explanation.repairs
                    places = {(f.kind, f.row) for f in check(table(wrong), bill(products=products))}
                    moved = explanation.changes[0].col is None
                    assert moved or {(f.kind, f.row) for f in after} <= places, (explanation, after)


def test_confidences_are_shares_that_add_up_to_one_with_none_of_these() -> None:
    _, wrong, _ = injected(random.Random(3), KINDS[0], 8)
    (found,) = witness(table(wrong), bill(products=False), most=10_000)
    assert len(found.explanations) == found.found > 1
    assert sum(e.confidence for e in found.explanations) + found.none == pytest.approx(1)
    assert [e.confidence for e in found.explanations] == sorted(
        (e.confidence for e in found.explanations), reverse=True
    )


def test_an_explanation_says_cell_texts_and_slip() -> None:
    rows = [["bolt", "3", "12.50", "37.50"], ["hinge", "2", "41.00", "87.00"], ["Total", "", "", "119.50"]]
    by_sum, by_product = witness(table(rows), bill())
    best = by_sum.explanations[0]
    assert best.words == "amount '87.00' should be '82.00': 7 was read for 2"
    assert best.changes == (Change("digit_replaced", "bill", 2, 3, "87.00", "82.00"),)
    assert (best.repairs, best.confidence > 0.9, by_product.explanations[0].changes) == (2, True, best.changes)


@pytest.mark.parametrize(
    ("locale", "rows", "proposed"),
    [
        ("de_DE", [["1.234,50 €"], ["10,00"], ["1.294,50"]], "1.284,50 €"),
        ("de_DE", [["1234,50"], ["10,00"], ["1294,50"]], "1284,50"),
        ("fr_FR", [["1 234,50"], ["10,00"], ["1 294,50"]], "1 284,50"),
        ("en", [["(84.50)"], ["10.00"], ["94.50"]], "84.50"),
        ("en", [["$ 84.50"], ["10.00"], ["-74.50"]], "-$ 84.50"),
    ],
)
def test_the_proposed_text_is_written_as_the_column_writes_numbers(
    locale: str, rows: list[list[str]], proposed: str
) -> None:
    table_type = TableType.from_json(
        {
            "name": "t",
            "columns": [{"name": "sum", "type": "currency", "locale": locale}],
            "checks": [{"kind": "sum", "column": "sum", "equals": {"last_row": True}}],
        }
    )
    (found,) = witness(from_rows([["sum"], *rows], header_rows=1), table_type, most=50)
    texts = [change.proposed for e in found.explanations for change in e.changes if change.row == 1]
    assert any(" ".join(text.split()) == proposed for text in texts), texts


def test_a_row_that_stands_twice_is_told() -> None:
    rows = true_bill(random.Random(5), 6)
    (found,) = witness(table([*rows[:2], *rows[1:]]), bill(products=False))
    change = found.explanations[0].changes[0]
    assert (change.slip, change.row in (2, 3), change.proposed) == ("row_counted_twice", True, "")


def foot(rows: list[list[str]]) -> tuple[Table, TableType]:
    names = ["region", "q1", "q2", "q3", "year"]
    columns: list[dict[str, str]] = [{"name": name, "type": "integer"} for name in names[1:]]
    table_type = TableType.from_json(
        {
            "name": "sales",
            "columns": [{"name": "region"}, *columns],
            "checks": [{"kind": "cross_foot", "columns": names[1:4], "total": "year"}],
        }
    )
    return from_rows([names, *rows], header_rows=1), table_type


FOOT = [
    ["North", "120", "340", "118", "578"],
    ["South", "77", "410", "260", "747"],
    ["West", "95", "66", "31", "192"],
    ["All", "292", "816", "409", "1517"],
]


def test_a_row_that_was_left_out_is_told_where_all_sums_miss_it() -> None:
    found = witness(*foot([FOOT[0], *FOOT[2:]]))
    assert len(found) == 4
    for each in found:
        best = each.explanations[0]
        assert (best.changes[0].slip, best.repairs) == ("row_left_out", 4)
        assert best.words == "a row is left out: q1 77 | q2 410 | q3 260 | year 747"


def test_a_wrong_cell_of_a_cross_footed_table_is_told_by_both_sums() -> None:
    rows = [list(row) for row in FOOT]
    rows[1][2] = "470"
    found = witness(*foot(rows))
    assert [each.explanations[0].changes[0].proposed for each in found] == ["410", "410"]
    assert all(each.explanations[0].confidence > 0.9 and each.explanations[0].repairs == 2 for each in found)


def test_two_slips_that_only_together_explain_a_sum_are_found() -> None:
    rows = [list(row) for row in FOOT]
    rows[0][1], rows[0][2] = "170", "310"  # 120 and 340
    row_sum = next(each for each in witness(*foot(rows), most=20) if each.finding.row == 1)
    assert row_sum.finding.message == "q1 170 + q2 310 + q3 118 = 598, year says 578"
    proposed = [tuple(change.proposed for change in e.changes) for e in row_sum.explanations]
    # Taken by itself each column tells its own cell.
    columns = [each for each in witness(*foot(rows)) if each.finding.row == 4]
    assert [each.explanations[0].changes[0].proposed for each in columns] == ["120", "340"]
    assert ("120", "340") in proposed or any(len(texts) == 1 for texts in proposed)


def test_a_long_sum_of_which_pairs_are_many_says_that_the_search_was_cut() -> None:
    chance = random.Random(1)
    cents = [chance.randrange(10_000, 9_000_000) for _ in range(200)]
    rows = [["x", "", "", amount(each)] for each in cents]
    wrong = [*rows, ["Total", "", "", amount(sum(cents) + 123_457_913)]]
    (found,) = witness(table(wrong), bill(products=False))
    assert all(len(e.changes) == 2 or e.changes[0].slip == "row_left_out" for e in found.explanations)


def test_low_confidence_of_a_cell_speaks_for_it() -> None:
    rows = [["a", "", "", "17.00"], ["b", "", "", "17.50"], ["Total", "", "", "28.50"]]
    plain = table(rows)
    doubted = tuple(
        replace(cell, confidence=(Confidence(0.3 if cell.row == 2 else 0.99, "text", "cell", "OCR"),))
        if cell.col == 3 and cell.row
        else cell
        for cell in plain.cells
    )
    (found,) = witness(replace(plain, cells=doubted), bill(products=False))
    assert (found.explanations[0].changes[0].row, found.explanations[0].changes[0].proposed) == (2, "11.50")


def test_rounding_makes_none_of_these_likelier() -> None:
    rows = [["a", "", "", "3.33"]] * 6 + [["Total", "", "", "20.00"]]
    (found,) = witness(table(rows), bill(products=False))
    assert found.finding.message == (
        "column amount adds up to 19.98, the last row says 20.00, explained by rounding of 6 numbers"
    )
    assert found.none > 0.66


def test_a_field_of_another_table_is_not_changed_against_its_own_checks() -> None:
    invoice_type = TableType.from_json(
        {
            "name": "invoice",
            "form": True,
            "columns": [{"name": name, "type": "currency"} for name in ("net", "tax", "due")],
            "checks": [{"kind": "sum_fields", "terms": [["net", 1], ["tax", 1]], "equals": "due"}],
        }
    )
    lines = replace(bill(), checks=())
    lines = TableType.from_json(
        lines.to_json()
        | {"checks": [{"kind": "sum", "column": "amount", "equals": {"table": "invoice", "column": "net"}}]}
    )
    invoice = from_rows([["net", "tax", "due"], ["94.50", "20.00", "114.50"]], header_rows=1)
    rows = table([["a", "", "", "41.00"], ["b", "", "", "53.00"]])
    (found,) = witness(rows, lines, related={"invoice": (invoice, invoice_type)}, most=50)
    assert {change.table for e in found.explanations for change in e.changes} == {"bill"}
    without = TableType.from_json(invoice_type.to_json() | {"checks": []})
    (found,) = witness(rows, lines, related={"invoice": (invoice, without)}, most=50)
    assert {"invoice", "bill"} == {change.table for e in found.explanations for change in e.changes}
