from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from store.formats import FormatError, Read, parquet, recognise

HTML = "<table><tr><td>{}</td></tr></table>"


def made(*rows: dict[str, Any]) -> bytes:
    held = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), held)
    return held.getvalue()


def read(raw: bytes, name: str = "train.parquet") -> Read:
    assert recognise(raw, name) == "parquet"
    return parquet.read(raw, name=name, pages=())


def test_each_row_is_the_table_of_its_sample() -> None:
    rows = [{"sample_id": f"english_{n:04}", "ground_truth_html": HTML.format(n), "language": "en"} for n in range(450)]
    tables = read(made(*rows)).tables
    assert len(tables) == 450
    assert [(table.document, table.place, table.table.text_at(0, 0)) for table in tables[448:]] == [
        ("english_0448", "row 448", "448"),
        ("english_0449", "row 449", "449"),
    ]
    assert {table.name for table in tables} == {"table 1"}


def test_predictions_are_read_before_the_truth_but_not_as_gold() -> None:
    raw = made({"id": "a", "gt_html": HTML.format("right"), "pred_html": HTML.format("read")})
    found = read(raw)
    assert (found.tables[0].table.text_at(0, 0), found.tables[0].document) == ("read", "")
    assert found.notes == ("column pred_html was read, not gt_html",)
    assert read(raw, "train.gold.parquet").tables[0].table.text_at(0, 0) == "right"


def test_the_document_may_be_named_by_the_path_of_the_image() -> None:
    rows = [{"image": {"bytes": b"x" * 99, "path": f"pages/{n}.png"}, "html": HTML.format(n)} for n in (1, 2)]
    assert [table.document for table in read(made(*rows)).tables] == ["1.png", "2.png"]


def test_rows_without_a_name_or_a_table_are_told() -> None:
    found = read(made({"html": HTML.format(1)}, {"html": ""}, {"html": None}))
    assert found.notes == ("row 1: no table in its HTML", "row 2: no table in its HTML")
    assert len(found.tables) == 1


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (made({"text": "a", "score": 1.0}), "columns of text: text; expected one of HTML"),
        (made({"score": 1.0}), "columns of text: none"),
        (made({"html": HTML})[:-40], "the Parquet file is damaged"),
        (b"PAR1", "the Parquet file is damaged"),
    ],
)
def test_other_data_sets_and_damaged_files_are_refused(raw: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(raw)
