from __future__ import annotations

import json
import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Counts, Rules, Table, TableType, from_rows, score
from scoring.corpus import Corpus, TableScore, corpus, from_json, merge, table_score

TYPE = TableType.from_json(
    {"name": "lines", "columns": [{"name": "article", "required": True}, {"name": "amount", "type": "number"}]}
)
OTHER_TYPE = TableType.from_json({"name": "totals", "columns": [{"name": "article"}, {"name": "amount"}]})
GOLD = [["beaker", "1.50"], ["flask", "2"], ["paper", "3"]]


def lines(*rows: list[str]) -> Table:
    return from_rows([["article", "amount"], *rows], header_rows=1)


def entry(
    document: str, pred: list[list[str]] | None = GOLD, *, gold: list[list[str]] = GOLD, **named: object
) -> TableScore:
    kind = named.pop("kind", TYPE)
    report = score(lines(*gold), None if pred is None else lines(*pred), rules=Rules(kind))  # type: ignore[arg-type]
    given = {"table": "lines", "table_type": kind.name, **named}  # type: ignore[attr-defined]
    return table_score(report, document=document, **given)  # type: ignore[arg-type]


def written(found: Corpus) -> str:
    return json.dumps(found.to_json())


MIXED = (
    entry("a", tags=[("language", "en"), ("condition", "scan"), ("condition", "rotated")]),
    entry("b", [["beaker", "1.50"], ["flusk", "2"]], tags=[("language", "ko"), ("condition", "scan")]),
    entry("b", [["beeker", "1.5"]], table="more", kind=OTHER_TYPE, tags=[("language", "ko")]),
    entry("c", None, state="missing", reason="no file of this name", tags=[("language", "ko")]),
    entry("d", [["flasks", "2"], ["papers", "3.1"]], tags=[("language", "en")]),
    entry("e", [], gold=[]),
    table_score(None, document="f", table="", state="broken", reason="no JSON"),
)


def test_parts_merged_in_any_order_and_grouping_have_the_same_bytes() -> None:
    whole = written(corpus(MIXED))
    for order in permutations([corpus(MIXED[:2]), corpus(MIXED[2:3]), corpus(MIXED[3:])]):
        one, two, three = order
        assert written(merge(merge(one, two), three)) == written(merge(one, merge(two, three))) == whole


@given(st.randoms(use_true_random=False), st.integers(1, 30))
def test_sums_of_similarities_do_not_depend_on_the_order(chance: random.Random, count: int) -> None:
    texts = ["beaker", "beeker", "baker", "bek", "", "1.50"]
    tables = [entry(f"{at}", [[chance.choice(texts), chance.choice(texts)] for _ in range(3)]) for at in range(count)]
    whole = written(corpus(tables))
    chance.shuffle(tables)
    parts = [corpus(tables[at::3]) for at in range(3)]
    assert written(merge(parts[2], merge(parts[0], parts[1]))) == whole


def test_a_corpus_read_back_from_json_is_the_same() -> None:
    found = corpus(MIXED)
    assert from_json(json.loads(written(found))) == found


def test_merging_with_nothing_changes_nothing() -> None:
    assert merge(corpus(MIXED), corpus([])) == corpus(MIXED)


def test_a_table_that_is_in_both_parts_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="table 'lines' of document 'b' is there twice"):
        merge(corpus(MIXED[:2]), corpus(MIXED[1:]))


def test_macro_means_are_over_tables_documents_and_fields_and_say_how_many() -> None:
    # Three documents: two of one table each, all right and all wrong; one of a right and of a half-right table.
    half = [["beaker", "9"], ["flask", "9"], ["paper", "9"]]
    found = corpus(
        [
            entry("right"),
            entry("wrong", [["x", "7"], ["y", "7"], ["z", "7"]]),
            entry("both"),
            entry("both", half, table="second"),
        ]
    )
    right, wrong, both = (
        next(d.exact.f1 for d in found.documents if d.name == name) for name in ("right", "wrong", "both")
    )
    assert (right, wrong, both) == (1.0, 0.0, 0.75)
    assert (found.macro_documents.mean, found.macro_documents.units) == (pytest.approx((1 + 0 + 0.75) / 3), 3)
    assert (found.zero.macro_f1.mean, found.zero.macro_f1.units) == (pytest.approx((1 + 0 + 1 + 0.5) / 4), 4)
    assert found.zero.micro_exact == Counts(15, 24, 24)
    fields = {name: counts.f1 for (_, name), counts in found.fields.items()}
    assert fields == {"article": 9 / 12, "amount": 6 / 12}
    assert (found.macro_fields.mean, found.macro_fields.units) == (0.625, 2)


def test_fields_of_the_same_name_are_kept_apart_by_table_type() -> None:
    assert list(corpus(MIXED).fields) == [
        ("lines", "amount"),
        ("lines", "article"),
        ("totals", "amount"),
        ("totals", "article"),
    ]


def test_a_missing_prediction_is_left_out_or_counted_as_missed_and_the_coverage_says_how_many() -> None:
    found = corpus([entry("a"), entry("b", None, state="missing", reason="no file")])
    assert found.exclude.micro_exact == Counts(6, 6, 6)
    assert found.zero.micro_exact == Counts(6, 6, 12)
    assert (found.coverage.count, found.coverage.of, found.coverage.share) == (1, 2, 0.5)


def test_the_completion_rate_counts_failed_documents_and_tells_why_they_failed() -> None:
    found = corpus(MIXED)
    assert (found.completion.count, found.completion.of) == (4, 6)
    assert [(table.document, table.state, table.reason) for table in found.failures] == [
        ("c", "missing", "no file of this name"),
        ("f", "broken", "no JSON"),
    ]


def test_a_document_passes_where_all_its_tables_do_and_an_empty_one_has_no_verdict() -> None:
    found = corpus(MIXED)
    assert {document.name: document.passed for document in found.documents} == {
        "a": True,
        "b": False,
        "c": False,
        "d": False,
        "e": None,
        "f": False,
    }
    assert (found.pass_rate.count, found.pass_rate.of) == (1, 5)
    assert found.zero.empty == 2  # e, where nothing was expected, and f, of which nothing is known


def test_the_pass_rate_has_its_wilson_interval() -> None:
    passing = [entry(f"pass {at}") for at in range(18)]
    found = corpus([*passing, *(entry(f"fail {at}", []) for at in range(2))])
    assert found.pass_rate.interval == pytest.approx((0.6990, 0.9721), abs=5e-5)
    assert corpus([]).pass_rate.to_json() == {"count": 0, "of": 0, "share": None, "low": None, "high": None}


def test_the_interval_of_micro_f1_is_that_of_documents_and_needs_twenty_of_them() -> None:
    tables = [entry(f"{at}", [*GOLD[: at % 4], ["x", "7"]]) for at in range(30)]
    found = corpus(tables).intervals["f1"]
    assert (found.estimate, found.documents) == (corpus(tables).zero.micro_exact.f1, 30)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.5 < found.high
    assert "few" in corpus(tables[:19]).intervals["f1"].reason


def test_a_broken_prediction_of_a_table_without_rows_does_not_pass() -> None:
    assert entry("a", None, gold=[]).passed
    assert not entry("a", None, gold=[], state="broken", reason="no JSON").passed


def test_a_part_has_the_tables_with_that_value_and_two_values_put_a_table_in_two_parts() -> None:
    found = corpus(MIXED)
    assert {value: len(part.tables) for value, part in found.by("language").items()} == {"": 2, "en": 2, "ko": 3}
    assert {value: len(part.tables) for value, part in found.by("condition").items()} == {
        "": 5,
        "rotated": 1,
        "scan": 2,
    }
    assert {value: len(part.tables) for value, part in found.by("table_type").items()} == {
        "": 1,
        "lines": 5,
        "totals": 1,
    }
    assert found.by("language")["ko"].zero.micro_exact == Counts(3, 6, 18)
    assert list(found.to_json()["by"]) == ["table_type", "condition", "language"]
    assert list(found.to_json(by=["language"])["by"]["language"]["ko"]) == list(found.summary())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"exact": [1, 2]}, r"tables\[0\].exact is \[1, 2\], expected three numbers"),
        ({"columns": ["amount"]}, r"tables\[0\].columns is .*, expected a list of pairs"),
        ({"state": "lost"}, r"tables\[0\].state is 'lost', expected one of scored, missing, broken, refused"),
        ({"extra": 1}, r"tables\[0\].extra is not known"),
    ],
)
def test_json_that_is_no_corpus_is_refused_by_its_place(change: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        from_json({"tables": [{**MIXED[0].to_json(), **change}]})
