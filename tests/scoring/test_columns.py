from __future__ import annotations

import os
import pickle
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, get_args

import pytest
from babel import localedata
from hypothesis import given
from hypothesis import strategies as st

from scoring import Column, SchemaError, TableType, check, from_rows, read
from scoring.values.columns import ColumnType
from scoring.values.locales import written
from scoring.values.reader import Flag, differing, in_words, is_null, same
from tests.scoring.typed import MASS, apart, column, value

# Footnotes


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("1,234¹", "¹"),
        ("1,234 **", "**"),
        ("1,234*†", "*†"),
        ("1,234 (a)", "(a)"),
        ("1,234[2]", "[2]"),
        ("1,234ᵃ", "ᵃ"),
        ("*1,234", "*"),
        ("¹ 1,234", "¹"),
        ("[2]1,234", "[2]"),
        ("(b) 1,234", "(b)"),
        ("‡1,234*", "‡ *"),
        ("1,234＊", "*"),
    ],
)
def test_a_footnote_mark_before_or_behind_is_kept_apart(text: str, mark: str) -> None:
    found = value(text)
    assert (found.number, found.footnote, found.flags, found.text) == (1234, mark, ("footnote",), text)


@pytest.mark.parametrize("text", ["1,234 a", "1,234b", "a 1,234", "1,234 (1)", "1,234 (ab)", "1,234 #", "*", "(a)"])
def test_what_is_no_usual_mark_is_no_footnote_unless_declared(text: str) -> None:
    assert not value(text).readable


def test_a_declared_letter_is_a_mark_behind_a_number_and_before_it_with_a_space() -> None:
    marks = {"footnote_marks": ["a", "b", "(1)", "#"]}
    found = [value(text, **marks) for text in ("1,234a", "1,234 b", "a 1,234", "1,234 (1)", "#1,234", "1,234 a#")]
    assert [(each.number, each.footnote) for each in found] == [
        (1234, mark) for mark in ("a", "b", "a", "(1)", "#", "a#")
    ]
    assert not value("a1,234", **marks).readable
    assert value("(1)", **marks).number == -1


def test_a_footnote_is_cut_off_only_where_the_rest_parses() -> None:
    assert (value("n/a*").kind, value("n/a*").footnote) == ("text", "")
    assert value("¹").readable is False
    assert value("yes*", "boolean").value == "true"
    assert value("7*", "id").value == "7*"
    assert value("7*", "text").value == "7*"


@pytest.mark.parametrize("text", ["*" * 99 + "x", "x" + "¹" * 99, "a" * 99 + "x", " *" * 49 + "x", "[1]" * 33 + "x"])
def test_a_run_of_marks_at_no_value_is_refused_at_once(text: str) -> None:
    assert value(text, footnote_marks=["a", "aa"]).flags == ("unparseable",)


def test_values_with_and_without_a_footnote_are_the_same() -> None:
    assert apart("1,234¹", "1,234") == ()


# Equality


def test_a_relative_tolerance_is_a_share_of_the_larger_number() -> None:
    assert apart("100", "99", relative_tolerance="0.01") == ()
    assert apart("100", "98.9", relative_tolerance="0.01") == ("value",)
    assert apart("-100", "-99", relative_tolerance="0.01") == ()
    assert apart("0", "0.001", relative_tolerance="0.01") == ("value",)
    assert apart("0", "0.001", relative_tolerance="0.01", tolerance="0.001") == ()


@pytest.mark.parametrize(
    ("gold", "pred", "equal"),
    [
        ("1.2", "1.24", True),
        ("1.2", "1.25", False),
        ("1.3", "1.25", True),
        ("1.20", "1.24", False),
        ("12", "12.49", True),
        ("-1.3", "-1.25", True),
        ("0", "0.4", True),
        ("0", "0.5", False),
        ("10", "9.99", True),
    ],
)
def test_numbers_may_be_equal_at_the_coarser_printed_precision(gold: str, pred: str, equal: bool) -> None:
    assert (apart(gold, pred, precision="printed") == ()) is equal
    assert apart(gold, pred) == ("value",)


def test_the_printed_precision_follows_the_scale() -> None:
    words = {"scale_words": {"k": 1000}, "precision": "printed"}
    assert value("1.2k", **words).step == 100
    assert apart("1.2k", "1,234", **words) == ()
    assert apart("1.2k", "1,251", **words) == ("value",)
    assert apart("1.23k", "1,251", **words) == ("value",)


# Accounting


def test_a_dash_is_absent_unless_the_column_takes_it_for_zero() -> None:
    for text in ("-", "–", "—", "\u2212"):
        assert (value(text, dash_is_zero=True).number, value(text, dash_is_zero=True).flags) == (0, ("dash_as_zero",))
        assert not is_null(text, column(dash_is_zero=True))
    assert value("-").kind == "null"
    assert value("n/a", dash_is_zero=True).kind == value("", dash_is_zero=True).kind == "null"
    assert value("$ –", "currency", locale="en_US", dash_is_zero=True).unit == "USD"
    assert value("-*", dash_is_zero=True).footnote == "*"
    assert not value("(-)", dash_is_zero=True).readable
    assert not value("--", dash_is_zero=True).readable


def test_a_dash_for_zero_has_no_printed_precision() -> None:
    assert apart("-", "0.00", dash_is_zero=True, precision="printed") == ()
    assert apart("-", "0.4", dash_is_zero=True, precision="printed") == ("value",)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5 CR", -5),
        ("5CR", -5),
        ("5 Cr.", -5),
        ("CR 5", -5),
        ("5 DR", 5),
        ("5 dr.", 5),
        ("5", 5),
        ("-5", -5),
        ("$5 CR", -5),
    ],
)
def test_credit_has_the_declared_sign_and_debit_the_other(text: str, number: int) -> None:
    assert value(text, "currency", credit="negative").number == number
    if "r" in text.lower():
        assert value(text, "currency", credit="positive").number == -number


@pytest.mark.parametrize(
    "text", ["-5 CR", "(5) CR", "5- CR", "5 CR CR", "5 CR DR", "+5 DR", "5 CRX", "CR", "-(5)", "+-5"]
)
def test_a_number_with_two_signs_or_half_a_word_is_refused(text: str) -> None:
    assert not value(text, credit="negative").readable


def test_credit_is_no_sign_where_it_is_not_declared() -> None:
    assert not value("5 CR").readable
    assert value("5 CRC", "currency", credit="negative").unit == "CRC"


# Ids and check marks


@pytest.mark.parametrize("text", ["12-34 5", "12 345", "12\u201134\u00a05", "1-2-3-4-5", "12345"])
def test_ignored_characters_do_not_count_in_an_id(text: str) -> None:
    assert apart("12345", text, "id", ignore=" -") == ()
    assert value(text, "id", ignore=" -").text == text.replace("\u00a0", " ")


def test_an_id_keeps_what_is_not_ignored() -> None:
    assert apart("12-34", "1234", "id") == ("value",)
    assert apart("12/34", "1234", "id", ignore=" -") == ("value",)
    assert apart("A-007", "A007", "id", ignore="-") == ()
    assert value("0-07", "id", ignore="-", keep_leading_zeros=False).value == "7"
    assert value("- -", "id", ignore=" -").value == "- -"


@pytest.mark.parametrize("text", ["✓", "✔", "✔\ufe0f", "☑", "x", "X", "Yes", "TRUE", " ✓ ", "✓*"])
def test_a_check_mark_is_true(text: str) -> None:
    assert (value(text, "boolean").kind, value(text, "boolean").value) == ("boolean", "true")


@pytest.mark.parametrize("text", ["✗", "✘", "☐", "no", "False"])
def test_a_cross_is_false(text: str) -> None:
    assert (value(text, "boolean").kind, value(text, "boolean").value) == ("boolean", "false")


def test_an_empty_box_is_absent_and_another_word_is_refused() -> None:
    assert value("", "boolean").kind == value("n/a", "boolean").kind == "null"
    assert value("maybe", "boolean").flags == ("unparseable",)


def test_declared_words_take_the_place_of_the_usual_ones_and_go_before_null_words() -> None:
    words = {"true_words": ["ja"], "false_words": ["nein", "-"]}
    assert [value(text, "boolean", **words).value for text in ("Ja", "nein", "-")] == ["true", "false", "false"]
    assert not is_null("-", column("boolean", **words))
    assert not value("✓", "boolean", **words).readable
    assert apart("ja", "nein", "boolean", **words) == ("value",)


# Flags and errors


def test_every_flag_is_said_in_words() -> None:
    for flag in get_args(Flag):
        assert in_words(flag, column("date")).split()[0] in {"does", "has", "is"}
    assert in_words("unparseable", column("date")) == "does not parse as date"
    assert in_words("ambiguous", column("date", date_patterns=["%d/%m/%Y"])) == (
        "fits more than one date pattern, the first one is taken"
    )


@pytest.mark.parametrize(
    ("part", "place", "expected"),
    [
        ({"type": "number", "calendar": "buddhist"}, "calendar", "of type date, the type is 'number'"),
        ({"type": "text", "units": {"kg": 1}}, "units", "integer or number or quantity or currency"),
        ({"type": "number", "ratio": True}, "ratio", "of type percent"),
        ({"type": "percent", "scale": 100}, "scale", "the type is 'percent'"),
        ({"type": "quantity"}, "units", "missing"),
        ({"type": "quantity", "units": {"g": "0.001"}}, "units", "the factor 1"),
        ({"type": "quantity", "units": {"5": 1}}, "units", "a letter or a sign"),
        ({"type": "quantity", "unit": "5"}, "unit", "a letter or a sign"),
        ({"type": "quantity", "units": {"kg": 1, "kilo": "kg", "K": "kilo"}}, "units.K", "the unit itself: 'kg'"),
        ({"type": "quantity", "units": {"": 1}}, "units", "a letter or a sign"),
        ({"type": "quantity", "units": {"kg": 0}}, "units.kg", "greater than 0"),
        ({"type": "quantity", "units": {"kg": -1}}, "units.kg", "greater than 0"),
        ({"type": "quantity", "units": {"kg": None}}, "units.kg", "the name of a unit"),
        ({"type": "quantity", "units": ["kg"]}, "units", "an object of words"),
        ({"type": "number", "scale_words": {"k": "kilo"}}, "scale_words.k", "a factor greater than 0"),
        ({"type": "number", "scale_words": {"k": "1e400"}}, "scale_words.k", "a factor greater than 0"),
        ({"type": "number", "scale_words": {"k": True}}, "scale_words.k", "a factor greater than 0"),
        ({"type": "number", "scale": "NaN"}, "scale", "a factor greater than 0"),
        ({"type": "quantity", "units": {"m": 1}, "scale_words": {"m": "0.001"}}, "scale_words", "one of its units"),
        ({"type": "currency", "currency": "EURO"}, "currency", "ISO 4217"),
        ({"type": "number", "relative_tolerance": 5}, "relative_tolerance", "up to 1"),
        ({"type": "number", "precision": "shown"}, "precision", "one of exact, printed"),
        ({"type": "number", "credit": "minus"}, "credit", "negative, positive"),
        ({"type": "number", "footnote_marks": ["1"]}, "footnote_marks[0]", "without digits or in brackets"),
        ({"type": "number", "footnote_marks": ["a", " "]}, "footnote_marks[1]", "without digits or in brackets"),
        ({"type": "date", "calendar": "julian"}, "calendar", "gregorian, buddhist, japanese"),
        ({"type": "date", "short_year_from": 69.5}, "short_year_from", "a whole number"),
        ({"type": "date", "calendar": "japanese", "date_patterns": ["%y/%m"]}, "date_patterns[0]", "'%y'"),
        ({"type": "boolean", "true_words": ["x"], "false_words": ["X"]}, "true_words", "one of its false_words"),
        ({"type": "boolean", "false_words": [""]}, "false_words", "an empty cell is an absent value"),
    ],
)
def test_a_contradiction_is_refused_with_its_place(part: dict[str, Any], place: str, expected: str) -> None:
    with pytest.raises(SchemaError) as told:
        Column.from_json({"name": "x", **part}, "columns[3]")
    assert str(told.value).startswith(f"columns[3].{place}")
    assert expected in str(told.value)


# What a reviewer is told


@pytest.mark.parametrize(
    ("text", "kind", "more", "message"),
    [
        ("5 lb", "quantity", MASS, "'5 lb' does not parse as quantity: it has a unit that the column does not declare"),
        ("S kg", "quantity", MASS, "'S kg' does not parse as quantity (en)"),
        (
            "6年4月",
            "date",
            {"calendar": "japanese", "date_patterns": ["%Y年%m月%d日"]},
            "'6年4月' does not parse as date (expected one like 令和6年10月31日)",
        ),
        (
            "31.10.2567",
            "date",
            {"calendar": "buddhist", "locale": "th_TH", "date_patterns": ["%d %B %Y"]},
            "'31.10.2567' does not parse as date (expected one like 31 ตุลาคม 2567)",
        ),
        ("maybe", "boolean", {}, "'maybe' does not parse as boolean (expected ✓ or ✗)"),
    ],
)
def test_a_text_that_does_not_parse_is_told_with_what_was_expected(
    text: str, kind: str, more: dict[str, Any], message: str
) -> None:
    table = from_rows([["x"], [text]], header_rows=1)
    assert [found.message for found in check(table, TableType("t", (column(kind, **more),)))] == [message]


@pytest.mark.parametrize("ratio", [False, True])
def test_a_percentage_enters_a_product_as_its_hundredth_once(ratio: bool) -> None:
    columns: list[dict[str, Any]] = [
        {"name": "net"},
        {"name": "rate", "type": "percent", "ratio": ratio},
        {"name": "tax"},
    ]
    columns = [{"type": "number"} | each for each in columns]
    rule = {"kind": "product", "factors": ["net", "rate"], "product": "tax"}
    table_type = TableType.from_json({"name": "t", "columns": columns, "checks": [rule]})
    good = from_rows([["net", "rate", "tax"], ["200", "19 %", "38"]], header_rows=1)
    wrong = from_rows([["net", "rate", "tax"], ["200", "19 %", "39"]], header_rows=1)
    assert (len(check(good, table_type)), len(check(wrong, table_type))) == (0, 1)


# Properties

LOCALES = sorted(name for name in localedata.locale_identifiers() if name != "root")
COLUMNS = [
    *(column(kind, **({"unit": "kg"} if kind == "quantity" else {})) for kind in get_args(ColumnType)),
    column("number", locale="de_DE", precision="printed", scale=1000, scale_words={"k": 1000, "bps": "0.0001"}),
    column("currency", locale="en_GB", currency="USD", credit="negative", dash_is_zero=True, relative_tolerance="0.1"),
    column(
        "currency", locale="ja_JP", tolerance="0.5", scale_words={"千": 1000, "万": 10000}, footnote_marks=["a", "注"]
    ),
    column("quantity", **MASS, credit="positive", precision="printed", footnote_marks=["g"]),
    column("percent", locale="ar_EG", ratio=True, scale_words={"bps": "0.0001"}),
    column("date", date_patterns=["%d/%m/%Y", "%m/%d/%Y", "%d %B %y"], short_year_from=1900),
    column("date", locale="ja_JP", calendar="japanese", date_patterns=["%Y年%m月%d日", "%Y.%m"]),
    column("date", locale="th_TH", calendar="buddhist", date_patterns=["%d %b %Y", "%d/%m/%y"]),
    column("boolean", true_words=["-", "✓"], null_words=["✓", "n/a"]),
    column("id", ignore=" -0", keep_leading_zeros=False),
    column("number", normalise="exact"),
]
PIECES = ["1", "0", "23", ",", ".", "-", "−", "(", ")", " ", "$", "€", "kg", "g", "k", "%", "CR", "¹", "*", "[1]", "a"]
PIECES += [
    "令和",
    "元",
    "年",
    "月",
    "日",
    "2567",
    "/",
    "03",
    "Sep",
    "ก.พ.",
    "✓",
    "\ufe0f",
    "٣",
    "٫",
    "\u00ad",
    "▲",
    "_",
    "²",
]
texts = st.one_of(st.text(max_size=30), st.lists(st.sampled_from(PIECES), max_size=9).map("".join))


@given(st.decimals(min_value=-(10**15), max_value=10**15, places=4), st.sampled_from(LOCALES))
def test_every_number_that_any_locale_writes_is_read_back(number: Decimal, locale: str) -> None:
    assert value(written(number, locale), locale=locale).number == number


@given(texts, st.sampled_from(COLUMNS))
def test_reading_never_raises_and_is_told_in_known_flags(text: str, rule: Column) -> None:
    found = read(text, rule)
    assert found == read(text, rule)
    assert set(found.flags) <= set(get_args(Flag))
    assert found.readable or found.kind == "text"
    assert bool(found.footnote) is ("footnote" in found.flags)
    assert (found.kind == "null") is is_null(text, rule)
    assert same(found, found, rule)


@given(texts, texts, st.sampled_from(COLUMNS))
def test_the_same_is_the_same_in_both_directions(one: str, other: str, rule: Column) -> None:
    first, second = read(one, rule), read(other, rule)
    assert differing(first, second, rule) == differing(second, first, rule)


@given(*[st.decimals(min_value=-9, max_value=9, places=places) for places in (2, 1)])
def test_the_printed_precision_is_that_of_both_rounded(fine: Decimal, coarse: Decimal) -> None:
    equal = fine.quantize(Decimal("0.1"), ROUND_HALF_UP) == coarse
    assert (apart(f"{fine}", f"{coarse}", precision="printed") == ()) is equal


@given(st.sampled_from(COLUMNS))
def test_every_column_is_read_back_from_its_json(rule: Column) -> None:
    assert Column.from_json(rule.to_json()) == rule


def test_a_column_sent_to_another_process_is_the_same_key_there(tmp_path: Path) -> None:
    column = Column("amount", type="currency", tolerance=Decimal("0.01"))
    assert hash(column) == hash(Column("amount", type="currency", tolerance=Decimal("0.01")))
    sent = tmp_path / "column.pickle"
    sent.write_bytes(pickle.dumps(column))
    there = (
        "import pickle, sys; from decimal import Decimal; from scoring import Column; "
        "column = pickle.load(open(sys.argv[1], 'rb')); "
        "assert column in {Column('amount', type='currency', tolerance=Decimal('0.01'))}"
    )
    subprocess.run([sys.executable, "-c", there, sent], check=True, env={**os.environ, "PYTHONHASHSEED": "7"})
