from __future__ import annotations

from typing import Any

import pytest

from scoring.table import Box
from store.formats import FormatError, json_shape
from store.formats.html import tables_in
from store.formats.json_text import Number


@pytest.mark.parametrize("value", [7, "x", {"a": 1}])
def test_what_is_no_list_of_objects_is_named_by_its_pointer(value: Any) -> None:
    with pytest.raises(FormatError, match=r"^/a~1b/0/rows"):
        list(json_shape.objects({"rows": value}, "rows", ("a/b", 0)))
    with pytest.raises(FormatError, match=r"^/rows/1: .*expected an object"):
        list(json_shape.objects({"rows": [{}, value if value != {"a": 1} else []]}, "rows", ()))


@pytest.mark.parametrize("value", [True, "x", Number("NaN"), Number("1.5"), Number("-1"), [], {}, "9" * 5000])
def test_what_is_no_whole_number_is_refused(value: Any) -> None:
    with pytest.raises(FormatError, match=r"^/row: .*expected a whole number from 0 on"):
        json_shape.whole({"row": value}, "row", ())


def test_a_whole_number_may_be_written_with_a_point() -> None:
    assert json_shape.whole({"row": Number("3.0")}, "row", ()) == 3


def test_an_absent_number_is_the_default() -> None:
    assert json_shape.whole({"row": None}, "row", (), default=1) == 1
    with pytest.raises(FormatError):
        json_shape.whole({}, "row", ())


@pytest.mark.parametrize("value", [None, True, "NaN", "1e999", "", [], 10**400])
def test_only_finite_numbers_are_numbers(value: Any) -> None:
    assert json_shape.number(value) is None


def test_a_rectangle_stands_round_its_points_unless_one_is_wild() -> None:
    corners = [(0.5, 0.1), (0.25, Number("0.2"))]
    assert json_shape.around(1, corners) == Box(1, 0.25, 0.1, 0.5, 0.2)
    assert json_shape.around(1, [*corners, ("NaN", 0)]) is None
    assert json_shape.around(1, []) is None
    assert json_shape.around(0, corners) is None


def test_confidence_off_the_scale_keeps_what_was_received() -> None:
    (said,) = json_shape.confidence(Number("97.5"), "text", "word", "OCR", scale=100)
    assert (said.value, said.raw) == (0.975, "97.5")
    (off,) = json_shape.confidence(Number("97.5"), "text", "word", "OCR")
    assert (off.value, off.raw) == (None, "97.5")
    assert json_shape.confidence(None, "text", "word", "OCR") == ()


def test_the_least_certain_speaks_for_all() -> None:
    found = [*json_shape.confidence(0.9, "text", "word", "OCR"), *json_shape.confidence(0.4, "text", "word", "OCR")]
    (said,) = json_shape.lowest(found)
    assert (said.value, said.source) == (0.4, "OCR, lowest of 2")
    assert json_shape.lowest(found[:1]) == tuple(found[:1])
    assert json_shape.lowest([]) == ()


def test_html_inside_another_format_is_read_as_html_is() -> None:
    (table,) = tables_in("<div><tr><th>a</th></tr><tr><td>1")
    assert [cell.text for cell in table.table.cells] == ["a", "1"]
    assert table.notes == ("the rows stand outside a <table>: one was put round them",)
    assert tables_in("no tags") == ()
