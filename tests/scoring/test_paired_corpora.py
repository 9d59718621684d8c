from __future__ import annotations

import json

import pytest

from scoring import Rules, Table, TableType, from_rows, score
from scoring.corpus import Corpus, TableScore, corpus, table_score
from scoring.paired_corpora import paired

TYPE = TableType.from_json({"name": "lines", "columns": [{"name": "article", "required": True}, {"name": "amount"}]})
GOLD = [["beaker", "1"], ["flask", "2"]]
RIGHT, ONE_WRONG, ONE_ROW = GOLD, [["beaker", "1"], ["flask", "9"]], [["beaker", "1"]]


def table(document: str, pred: list[list[str]] | None, gold: list[list[str]] = GOLD) -> TableScore:
    def lines(rows: list[list[str]]) -> Table:
        return from_rows([["article", "amount"], *rows], header_rows=1)

    report = score(lines(gold), None if pred is None else lines(pred), rules=Rules(TYPE))
    state = "scored" if pred is not None else "missing"
    return table_score(report, document=document, table="lines", table_type="lines", state=state)  # type: ignore[arg-type]


def run(**documents: list[list[str]] | None) -> Corpus:
    return corpus(table(name, pred) for name, pred in documents.items())


def test_three_documents_differ_as_worked_out_by_hand() -> None:
    # A: 4, 4 and 3 right of 4; B: 4, 3 of 4, and 2 of 2 predicted of 4 expected.
    found = paired([run(a=RIGHT, b=RIGHT, c=ONE_WRONG)], [run(a=RIGHT, b=ONE_WRONG, c=ONE_ROW)])
    f1 = found.headline["f1"]
    assert (f1.a, f1.b) == pytest.approx((2 * 11 / 24, 2 * 9 / 22))
    assert f1.difference == pytest.approx(18 / 22 - 22 / 24)
    assert (f1.documents, f1.differing) == (3, 2)
    assert f1.p_value == pytest.approx(2 / 4)  # of four swaps, the two that keep b and c together are as extreme
    assert [(pair.name, pair.passed_a, pair.passed_b, pair.flip) for pair in found.documents] == [
        ("a", True, True, ""),
        ("b", True, False, "worse"),
        ("c", False, False, ""),
    ]
    assert [rate.share for rate in found.pass_rates] == pytest.approx([2 / 3, 1 / 3])
    assert (found.passes.only_a, found.passes.only_b) == (1, 0)


def test_fields_come_worst_first_with_counts_of_their_own() -> None:
    found = paired([run(a=RIGHT, b=RIGHT)], [run(a=ONE_WRONG, b=ONE_WRONG)])
    assert [(pair.field, pair.a.matched, pair.b.matched) for pair in found.fields] == [
        ("amount", 4, 2),
        ("article", 4, 4),
    ]
    assert found.fields[0].comparison.difference == pytest.approx(-0.5)
    assert found.fields[1].comparison.difference == 0


def test_a_column_that_gold_does_not_have_counts_in_the_headline_and_is_no_field() -> None:
    wider = [["beaker", "1", "x"], ["flask", "2", "y"]]
    found = paired([run(a=wider)], [run(a=RIGHT)])
    assert found.headline["precision"].a == pytest.approx(4 / 6)
    assert {pair.field for pair in found.fields} == {"article", "amount"}


def test_documents_that_one_side_lacks_are_left_out_and_named() -> None:
    found = paired([run(a=RIGHT, b=RIGHT)], [run(b=RIGHT, c=ONE_WRONG)])
    assert [pair.name for pair in found.documents] == ["b"]
    assert (found.only_a, found.only_b) == (("a",), ("c",))


def test_a_document_that_failed_on_one_side_counts_as_missed_there() -> None:
    found = paired([run(a=RIGHT)], [run(a=None)])
    assert found.headline["recall"].b == 0
    assert found.documents[0].flip == "worse"


def test_repeats_are_averaged_and_pass_only_where_all_of_them_do() -> None:
    found = paired([run(a=RIGHT), run(a=ONE_WRONG)], [run(a=RIGHT)])
    assert found.repeats == (2, 1)
    assert found.headline["f1"].a == pytest.approx((1 + 0.75) / 2)
    assert found.documents[0].flip == "better"


def test_a_regression_of_many_documents_is_told_and_one_of_few_is_not() -> None:
    few, many = ([f"d{at}" for at in range(number)] for number in (3, 12))
    sides = [
        paired([run(**dict.fromkeys(names, RIGHT))], [run(**dict.fromkeys(names, ONE_WRONG))]) for names in (few, many)
    ]
    assert sides[0].regressions == ()
    assert [text.split(" (")[0] for text in sides[1].regressions] == [
        "cell F1 fell by 25.0 points",
        "field lines · amount fell by 50.0 points",
    ]
    # 12 documents: p = 2 / 2 ** 12, of two fields one has a difference; Holm doubles it.
    assert sides[1].fields[0].comparison.p_value == pytest.approx(2 / 2**12)
    assert sides[1].fields[0].holm == pytest.approx(2 * 2 / 2**12)


def test_a_gain_is_no_regression() -> None:
    names = [f"d{at}" for at in range(12)]
    found = paired([run(**dict.fromkeys(names, ONE_WRONG))], [run(**dict.fromkeys(names, RIGHT))])
    assert found.regressions == ()
    assert all(pair.flip == "better" for pair in found.flipped)


def test_nothing_in_common_is_undefined_and_can_be_written() -> None:
    found = paired([run(a=RIGHT)], [run(b=RIGHT)])
    assert found.headline["f1"].difference is None
    assert json.loads(json.dumps(found.to_json()))["headline"]["f1"]["p_value"] is None


def test_a_side_without_runs_is_refused() -> None:
    with pytest.raises(ValueError, match="0 corpora of A and 1 of B"):
        paired([], [run(a=RIGHT)])


def test_with_fewer_than_six_documents_nothing_can_be_told_from_chance() -> None:
    def compared(documents: int) -> str:
        names = [f"d{number}" for number in range(documents)]
        return paired([run(**dict.fromkeys(names, RIGHT))], [run(**dict.fromkeys(names, ONE_WRONG))]).undecidable

    assert compared(5) == "Too few documents to tell: 5, expected at least 6"
    assert compared(6) == ""
