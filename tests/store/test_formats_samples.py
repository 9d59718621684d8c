from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePath

import pytest

from store.formats import FormatError, recognise

# By folder of the samples, and by file where a folder holds several kinds.
FORMATS_OF = {
    "docling": "docling",
    "otsl-fintabnet": "otsl",
    "csv-xlsx": "csv",
    "unstructured": "unstructured",
    "paddleocr": "ppstructure",
    "tabula": "tabula",
    "label-studio": "label-studio",
    "icdar2013": "icdar2013",
    "pubtabnet": "pubtabnet",
}
FORMATS_OF_FILES = {
    "pubtables1m-pascalvoc/competition-dataset-us_us-001_table_0.xml": "voc",
    "pubtables1m-pascalvoc/competition-dataset-us_us-001_tables.json": "pubtables",
    "pdfplumber/nics-background-checks-2015-11_tables.json": "pdfplumber",
    "pdfplumber/senate-expenditures_tables.json": "pdfplumber",
    "pdfplumber/table-curves-example_tables.json": "pdfplumber",
    "camelot/column_span_1_lattice-page-1-table-1.json": "camelot",
    "camelot/foo_lattice-page-1-table-1.json": "camelot",
    "camelot/hybrid_multipage_stream-page-1-table-1.json": "camelot",
    "camelot/hybrid_multipage_stream-page-2-table-1.json": "camelot",
    "camelot/row_span_1_lattice-page-1-table-1.json": "camelot",
    "docling/2305.03393v1-pg9.doctags.txt": "otsl",
    "docling/2305.03393v1-pg9.md": "",
}


@pytest.mark.corpus
def test_each_sample_is_taken_for_what_it_is_and_no_other(corpus_file: Callable[[str], Path]) -> None:
    folder = corpus_file("formats")
    wrong = []
    for path in sorted(folder.glob("*/*")):
        name = str(path.relative_to(folder))
        if path.suffix not in {".json", ".jsonl", ".html", ".md", ".txt", ".csv", ".xlsx", ".xml"}:
            continue
        if path.name == "SOURCES.md":
            continue
        try:
            found = recognise(path.read_bytes(), path.name)
        except FormatError:
            found = "refused"
        expected = FORMATS_OF_FILES.get(name, FORMATS_OF.get(path.parent.name, ""))
        if path.suffix == ".xlsx":
            expected = "xlsx"
        ours = {*FORMATS_OF.values(), *FORMATS_OF_FILES.values(), "xlsx"} - {"", "csv", "html"}
        if (expected and found != expected) or (not expected and found in ours):
            wrong.append(f"{PurePath(name)}: {found}, expected {expected or 'another'}")
    assert wrong == []
