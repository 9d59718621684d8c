from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.schema import TableType
from scoring.table import from_rows
from store.formats import FORMATS, FormatError, proofgrid_json, recognise
from store.formats.proofgrid_json import GoldTable, read_gold, read_guidelines, read_table_types, write_gold

TABLE = from_rows([["item", "qty"], ["bolt", "2"]], header_rows=1)


def raw(value: Any) -> bytes:
    return json.dumps(value).encode()


def test_gold_that_is_written_is_read_again() -> None:
    written = write_gold([("line_items", "items", TABLE), ("grid", "", TABLE)], author="ann", how="keyed twice")
    assert recognise(written, "x.json") == proofgrid_json.GOLD
    found = read_gold(written)
    assert (found.author, found.how) == ("ann", "keyed twice")
    assert found.tables == (GoldTable("line_items", "items", TABLE), GoldTable("grid", "", TABLE))


def test_table_types_are_read() -> None:
    kind = {"name": "line_items", "columns": [{"name": "amount", "type": "currency"}]}
    written = raw({"proofgrid": "table-types/1", "table_types": [kind]})
    assert recognise(written, "x.json") == proofgrid_json.TABLE_TYPES
    assert read_table_types(written) == (TableType.from_json(kind),)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"proofgrid": "gold/2"}, "/proofgrid: 'gold/2', expected 'gold/1'"),
        ({"proofgrid": "gold/1"}, "/tables: missing, expected a list"),
        ({"proofgrid": "gold/1", "tables": [{"table": {}}]}, "/tables/0: expected an object with a name"),
        ({"proofgrid": "gold/1", "tables": [{"name": "a"}]}, "/tables/0/table: missing"),
        (
            {"proofgrid": "gold/1", "tables": [{"name": "a", "table": {"n_rows": 1}}]},
            "/tables/0/table: table with keys",
        ),
        (
            {
                "proofgrid": "gold/1",
                "tables": [{"name": "a", "table": {"n_rows": 1, "n_cols": 1, "cells": [{"row": 5, "col": 0}]}}],
            },
            "/tables/0/table: cell '' at row 5",
        ),
        (
            {"proofgrid": "gold/1", "tables": [{"name": "a", "table": TABLE.to_json()}] * 2},
            "/tables/1/name: 'a'",
        ),
        (
            {
                "proofgrid": "gold/1",
                "tables": [
                    {"name": "a", "table": {"n_rows": 1, "n_cols": 1, "cells": [{"row": 0, "col": 0, "txt": "x"}]}}
                ],
            },
            "/tables/0/table/cells/0/txt: not known, expected one of row, col, text",
        ),
        (
            {"proofgrid": "gold/1", "tables": [{"name": "a", "table": {"n_rows": 0, "n_cols": 10**9, "cells": []}}]},
            "/tables/0/table: table of 0 rows and 1000000000 columns",
        ),
        ({"proofgrid": "gold/1", "author": "\ud800", "tables": []}, "half of a character"),
    ],
)
def test_wrong_gold_is_refused_with_its_pointer(value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_gold(raw(value))


def types_with(guidelines: Any) -> bytes:
    kind = {"name": "items", "columns": [{"name": "amount"}], "guidelines": guidelines}
    return raw({"proofgrid": "table-types/1", "table_types": [kind, {"name": "other", "columns": [{"name": "a"}]}]})


def test_guidelines_are_a_text_or_its_lines_and_no_part_of_the_rules() -> None:
    assert read_guidelines(types_with("# One\n\ntwo")) == {"items": "# One\n\ntwo"}
    assert read_guidelines(types_with(["# One", "", "two"])) == {"items": "# One\n\ntwo"}
    signatures = {read_table_types(types_with(text))[0].signature for text in ("one", "two", "")}
    assert len(signatures) == 1


@pytest.mark.parametrize(
    ("wrong", "message"), [(7, "expected a text"), (["a", 1], "its lines"), ("x" * 50_001, "50,001")]
)
def test_wrong_guidelines_are_refused_with_their_pointer(wrong: Any, message: str) -> None:
    with pytest.raises(FormatError, match=rf"/table_types/0/guidelines: .*{message}"):
        read_guidelines(types_with(wrong))


def test_a_wrong_table_type_is_refused_with_its_place() -> None:
    with pytest.raises(FormatError, match=r"/table_types/0: .*columns\[0\].type"):
        read_table_types(
            raw({"proofgrid": "table-types/1", "table_types": [{"name": "a", "columns": [{"name": "b", "type": "c"}]}]})
        )


@pytest.mark.parametrize(
    ("text", "format_name"),
    [
        ('{"analyzeResult": {}}', "azure"),
        ('[{"a": 1}]', "json-records"),
        ('```json\n{"a": 1}\n```', "json-records"),
        ("<p><table><tr><td>a</table>", "html"),
        ("a;b\n1;2\n", "csv"),
    ],
)
def test_formats_are_told_by_content(text: str, format_name: str) -> None:
    assert recognise(text.encode(), "table.csv") == format_name
    assert recognise(text.encode("utf-16"), "table.csv") == format_name


def test_what_fits_no_format_is_refused_with_its_beginning() -> None:
    with pytest.raises(FormatError, match=r"begins with b'hello', expected one of: .*azure"):
        recognise(b"hello", "letter.doc")


SEEDS = (
    b'{"analyzeResult": {"content": "a", "pages": [{"pageNumber": 1, "width": 1, "height": 1, "unit": "inch", '
    b'"words": [{"content": "a", "polygon": [0,0,1,0,1,1,0,1], "span": {"offset": 0, "length": 1}}]}], "tables": '
    b'[{"rowCount": 1, "columnCount": 1, "cells": [{"rowIndex": 0, "columnIndex": 0, "content": "a"}]}]}}',
    b'{"a": {"value": 1, "confidence": 0.5, "box": [1, 0, 0, 1, 1]}, '
    b'"rows": [{"x": [1, {"y": null}], "x_confidence": 1}]}',
    b"<table><tr><td rowspan=2 colspan=3>a<td>b<tr><td>c<table><tr></table></table>",
    b'a,b;"c\n1,2\t3|"4"\n',
)


@settings(deadline=None)
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0, 400), st.binary(max_size=3)), max_size=6))
def test_damaged_files_are_read_or_refused_but_never_crash(seed: bytes, changes: list[tuple[int, bytes]]) -> None:
    damaged = seed
    for place, put in changes:
        place %= len(damaged) + 1
        damaged = damaged[:place] + put + damaged[place + len(put) :]
    for module in FORMATS.values():
        module.sniff(damaged, "a.csv")
        with suppress(FormatError):
            module.read(damaged, name="a.csv", pages=())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 999) | st.floats(allow_nan=False) | st.text("ab1.", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["a", "b", "value", "confidence", "box", "amount", "currency", "items", "data", "page", "a_confidence"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@given(VALUES)
def test_any_json_is_read_or_refused_as_records(value: Any) -> None:
    with suppress(FormatError):
        FORMATS["json-records"].read(raw(value), name="a.json", pages=())


@pytest.mark.parametrize(
    ("number", "told"),
    [("NaN", "NaN"), ("-Infinity", "Infinity, or a number too large"), ("1e999", "Infinity, or a number too large")],
)
def test_a_number_without_end_is_told_in_the_words_of_json_with_its_place(number: str, told: str) -> None:
    cell = f'{{"row": 0, "col": 0, "text": "NaN", "box": [1, 0, {number}, 1, 1]}}'
    table = f'{{"n_rows": 1, "n_cols": 1, "cells": [{cell}]}}'
    raw = f'{{"proofgrid": "gold/1", "tables": [{{"name": "t", "table": {table}}}]}}'
    with pytest.raises(FormatError) as refused:
        read_gold(raw.encode())
    assert str(refused.value) == f"/tables/0/table/cells/0/box/2: {told}, expected a finite number"
