"""Real output of each system: what it is taken for, how much of it is read, and whether boxes lie on the words.

``samples.tsv`` is the list that a person reads; ``python -m tests.store.test_formats_samples FOLDER`` prints it anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from scoring.table import Box
from store.box_check import words_in
from store.formats import FORMATS, FormatError, ReadTable, recognise
from store.page_text import Word
from store.pages import DocumentError, PageSize, open_document

GOLDEN = Path(__file__).with_name("samples.tsv")
HEAD = "file\tdocument\tformat\ttables\tcells\tspans\tboxes\tconfidences\trepairs\tor why it is refused"
NO_OUTPUT = (".pdf", ".png", ".jpg")
# Files whose document has another name.
DOCUMENTS = {
    "azure/markdown_v4_html_tables__document-extraction-gpt.md": "azdps_invoice_1.pdf",
    "aws-textract/analyzeexpense_invoice_jsclient.json": "default_invoice_1.png",
    "google-docai/invoice_parser_toolbox_invoice_test-0.json": "toolbox_invoice_test.pdf",
    "label-studio/docling_backend_prediction_2305.03393v1-pg9.json": "../docling/2305.03393v1-pg9.pdf",
}
# The share of boxes whose words are the text of their cell, where the document's text layer can tell.
ON_THE_WORDS = 0.95


def outputs(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.glob("*/*")):
        if path.name != "SOURCES.md" and path.suffix not in NO_OUTPUT:
            yield path


def document_of(path: Path) -> Path | None:
    """The document that a sample was made of: the one whose name the sample's own name holds."""
    named = DOCUMENTS.get(f"{path.parent.name}/{path.name}")
    if named:
        return (path.parent / named).resolve()
    found = [file for file in path.parent.iterdir() if file.suffix in NO_OUTPUT and file.stem in path.name]
    return max(found, key=lambda file: (len(file.stem), file.suffix == ".pdf"), default=None)


def pages_of(document: Path | None) -> tuple[PageSize, ...]:
    try:
        return open_document(document.read_bytes()).pages if document else ()
    except DocumentError:
        return ()


def golden(folder: Path) -> list[str]:
    return [HEAD, *(line(folder, path) for path in outputs(folder))]


def line(folder: Path, path: Path) -> str:
    document = document_of(path)
    start = [str(path.relative_to(folder)), document.name if document else ""]
    raw, name = path.read_bytes(), ""
    try:
        name = recognise(raw, path.name)
        tables = FORMATS[name].read(raw, name=path.name, pages=pages_of(document)).tables
    except FormatError as refused:
        return "\t".join([*start, name, *[""] * 6, str(refused)])
    cells = [cell for table in tables for cell in table.table.cells]
    counts = (
        len(tables),
        len(cells),
        sum(cell.row_span > 1 or cell.col_span > 1 for cell in cells),
        sum(cell.box is not None for cell in cells),
        sum(len(cell.confidence) for cell in cells),
        sum(len(table.repairs) for table in tables),
    )
    return "\t".join([*start, name, *map(str, counts), ""])


@pytest.mark.corpus
def test_each_sample_is_read_as_the_list_says_or_refused_with_its_reason(corpus_file: Callable[[str], Path]) -> None:
    assert golden(corpus_file("formats")) == GOLDEN.read_text(encoding="utf-8").splitlines()


SYSTEMS = {
    "azure": (
        "azure/layout_v2.1_sample-layout.json",
        "azure/invoice_v2.1_prebuilt_sample-invoice.json",
        "azure/invoice_v2.1_Invoice-6.json",
    ),
    "textract": ("aws-textract/analyzedoc_sample-invoice.json",),
    "docling": ("docling/2305.03393v1-pg9.json", "docling/table_mislabeled_as_picture.json"),
    "tabula": (
        "tabula/argentina_diputados_voting_record.json",
        "tabula/spanning_cells.json",
        "tabula/twotables.json",
    ),
    "pdfplumber": (
        "pdfplumber/nics-background-checks-2015-11_tables.json",
        "pdfplumber/senate-expenditures_tables.json",
        "pdfplumber/table-curves-example_tables.json",
    ),
}


@pytest.mark.corpus
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_boxes_of_a_system_lie_on_the_words_of_their_cells(system: str, corpus_file: Callable[[str], Path]) -> None:
    folder, off, n_boxes = corpus_file("formats"), [], 0
    for sample in SYSTEMS[system]:
        path = folder / sample
        document = document_of(path)
        read = FORMATS[system].read(path.read_bytes(), name=path.name, pages=pages_of(document))
        for cell_text, inside in boxed(read.tables, document):
            n_boxes += 1
            if not is_on(cell_text, inside):
                off.append((sample, cell_text, inside))
    assert n_boxes >= 5
    assert len(off) <= (1 - ON_THE_WORDS) * n_boxes, f"{len(off)} of {n_boxes}: {off[:10]}"


def boxed(tables: tuple[ReadTable, ...], document: Path | None) -> Iterator[tuple[str, str]]:
    """The text of each cell that has a box, and what the page says there; pages without text are passed over."""
    words_of = words_in(document)
    known: dict[int, Sequence[Word]] = {}
    for cell in (cell for entry in tables for cell in entry.table.cells if cell.box and cell.text.strip()):
        box = cell.box
        assert box is not None
        if box.page not in known:
            known[box.page] = words_of(box.page)
        inside = [word.text for word in known[box.page] if covers(box, word)]
        if known[box.page]:
            yield cell.text, " ".join(inside)


def covers(box: Box, word: Word) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


def is_on(cell_text: str, inside: str) -> bool:
    """Whether the words are those of the cell in any order, or those that it begins with.

    A box tells where a text stands, not how it is broken into lines; some of Docling are round the first line alone.
    """
    told, found = ([sign for sign in text.casefold() if sign.isalnum()] for text in (cell_text, inside))
    return sorted(told) == sorted(found) or (bool(found) and told[: len(found)] == found)


if __name__ == "__main__":
    sys.stdout.write("\n".join([*golden(Path(sys.argv[1])), ""]))
