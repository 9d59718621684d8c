from __future__ import annotations

import random
from dataclasses import replace

import pytest

from scoring import Confidence, Table, TableType, check, from_rows
from scoring.arithmetic.witness import Change, witness
from tests.scoring.bills import KINDS, bill, changed, injected, ranks, table, true_bill


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
    rows = [list(FOOT[0])]
    rows[0][1], rows[0][2] = "170", "-340"
    table, table_type = foot(rows)
    across = TableType.from_json(
        table_type.to_json() | {"checks": [table_type.checks[0].to_json() | {"total_row": False}]}
    )
    (found,) = witness(table, across)
    assert found.finding.message == "q1 170 + q2 -340 + q3 118 = -52, year says 578"
    best = found.explanations[0]
    assert [(change.old, change.proposed) for change in best.changes] == [("170", "120"), ("-340", "340")]
    assert best.words == "q1 '170' should be '120': 7 was read for 2; q2 '-340' should be '340': the sign is wrong"
    assert not found.truncated


def test_two_slips_of_a_product_are_found() -> None:
    rows = [["bolt", "-3", "12.80", "37.50"]]
    only_products = TableType.from_json(bill().to_json() | {"checks": [bill().checks[1].to_json()]})
    (found,) = witness(table(rows), only_products, most=50)
    assert ("3", "12.50") in [tuple(change.proposed for change in e.changes) for e in found.explanations]


def test_a_long_sum_of_which_pairs_are_many_says_that_the_search_was_cut() -> None:
    # 1 for 7 in the thousands and in the cents: 200 x 199 pairs do.
    rows = [["x", "", "", "1,111.11"]] * 200 + [["Total", "", "", "228,222.06"]]
    (found,) = witness(table(rows), bill(products=False))
    assert found.truncated
    assert all(len(e.changes) == 2 for e in found.explanations)


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
