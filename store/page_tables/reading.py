"""A page of a file to its tables, from its text layer or from its picture: what the worker process runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scoring.table import Box, Cell, Confidence, Table
from store.formats.contract import ReadTable
from store.page_tables import second_reader
from store.page_tables.agreement import confidences
from store.page_tables.found import Engines, FoundTable, found_tables, table_in
from store.page_tables.grid import cell_text, sides
from store.page_tables.ocr_trust import word_confidences
from store.page_tables.opinions import opinions
from store.page_tables.page import ReadPage, read_page
from store.page_tables.page_facts import page_facts
from store.page_tables.page_kind import PageFacts, PageKind, needs_ocr, page_kind
from store.page_tables.scanned import read_scan
from store.pages import is_pdf, open_pdf

# From what the words of a page are taken: always the one or the other, or as its kind demands.
TEXT_LAYER, PICTURE, AS_IT_IS = "text layer", "picture", "as it is"
# A word that tesseract is surer of than this, and that is so long, should be in a text layer that is right.
_SURE, _LONG = 0.8, 4


@dataclass(frozen=True)
class PageTables:
    """The tables of a page without names, notes about the page, its kind, and why it was not read; "" where it was."""

    page: int
    tables: tuple[ReadTable, ...]
    notes: tuple[str, ...] = ()
    kind: PageKind = "digital"
    unread: str = ""


def read_tables(file: Path, page: int, parameters: Mapping[str, Any]) -> PageTables:
    """The tables of one page; ``parameters`` say whether ``models`` and ``img2table`` are used.

    With a ``region`` among them the one table whose words lie in it, however small. ``words`` says from what the words
    are taken, ``tesseract`` whether that program may be asked, ``languages`` in which languages it reads, and
    ``second_reader`` whether another one reads the cells, too.
    """
    facts, kind = looked_at(file, page)
    source = parameters.get("words", TEXT_LAYER)
    if kind == "blank" and "region" not in parameters:
        return PageTables(page, (), kind=kind)
    by_ocr = source == PICTURE or (source == AS_IT_IS and kind in ("scan", "garbled", "scan with text layer"))
    if by_ocr and parameters.get("tesseract", True):
        return _by_picture(file, page, facts, kind, parameters)
    if reason := needs_ocr(kind):
        return PageTables(page, (), kind=kind, unread=reason)
    return _by_text_layer(file, page, kind, parameters)


def looked_at(file: Path, page: int) -> tuple[PageFacts, PageKind]:
    """The facts of a page and its kind; an image is a scan, and a page that PDFium cannot load passes for digital."""
    if not is_pdf(file):
        return PageFacts(picture=1.0), "scan"
    from pypdfium2 import PdfiumError

    try:
        with open_pdf(file) as pdf:
            facts = page_facts(pdf[page - 1])
    except PdfiumError:
        return PageFacts(), "digital"
    return facts, page_kind(facts)


def _by_text_layer(file: Path, page: int, kind: PageKind, parameters: Mapping[str, Any]) -> PageTables:
    with open_pdf(file) as pdf:
        read = read_page(pdf, page)
    notes = read.notes
    if kind == "scan with text layer":
        notes = "is a scan; its text layer is the work of an OCR program and may be wrong", *notes
    if kind == "mixed":
        notes = "has a large picture; what is written in the picture itself was not read", *notes
    if not read.words:
        return PageTables(page, (), notes, kind)
    return _with_tables(replace(read, notes=notes), kind, parameters)


def _by_picture(file: Path, page: int, facts: PageFacts, kind: PageKind, parameters: Mapping[str, Any]) -> PageTables:
    # A little less than the page may take: tesseract is to be ended before the process that asked it.
    seconds = 0.9 * float(parameters.get("seconds_per_page", 60))
    read = read_scan(file, page, facts, parameters.get("languages") or (), seconds)
    notes = read.notes
    if kind == "scan with text layer":
        notes = _compared(file, read), *notes
    if not read.words:
        return PageTables(page, (), (*notes, "no word could be read on the picture of the page"), kind)
    return _with_tables(replace(read, notes=notes), kind, parameters)


def words_of_picture(file: Path, page: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The words that OCR reads of a page, ``[text, x0, y0, x1, y1]`` as displayed, and who read them."""
    facts, _ = looked_at(file, page)
    read = read_scan(file, page, facts, (), 0.9 * float(parameters["seconds_per_page"]))
    boxes = [read.box(sides(word)) for word in read.words]
    entries = [
        [word.text, *(round(side, 5) for side in box.to_json()[1:])]
        for word, box in zip(read.words, boxes, strict=True)
    ]
    return {"words": entries, "read_by": read.read_by}


def _with_tables(read: ReadPage, kind: PageKind, parameters: Mapping[str, Any]) -> PageTables:
    engines = Engines(parameters["models"], parameters["img2table"])
    if region := parameters.get("region"):
        found, notes = table_in(read, read.sides(Box(read.number, *region["box"])), engines)
    else:
        found, notes = found_tables(read, engines)
    second = bool(parameters.get("second_reader")) and read.script in second_reader.SCRIPTS
    tables = tuple(as_read(table, read, second=second) for table in found)
    return PageTables(read.number, tables, (*read.notes, *notes), kind)


def _compared(file: Path, read: ReadPage) -> str:
    """How many of the words that were read for sure the text layer of a scan has, too."""
    with open_pdf(file) as pdf:
        layer = Counter(word.text for word in read_page(pdf, read.number).words)
    told = Counter(
        word.text for word, sure in zip(read.words, read.sure, strict=True) if sure > _SURE and len(word.text) >= _LONG
    )
    both, every = (told & layer).total(), told.total()
    return f"is a scan; of {every} longer words that were read for sure on its picture, its text layer has {both}"


def as_read(found: FoundTable, page: ReadPage, *, second: bool) -> ReadTable:
    """The table with texts, boxes on the page as displayed, and confidence; a ``second`` reader where it is wanted."""
    told = opinions(found.grid, page, second=second) if page.sure else {}
    trust = word_confidences(found.grid, found.others, page, told) if told else confidences(found.grid, found.others)
    cells = tuple(
        Cell(
            cell.row,
            cell.col,
            told[cell].text if cell in told else cell_text(cell, page.words),
            cell.row_span,
            cell.col_span,
            "column" if cell.header else "",
            page.box(cell.sides) if cell.sides else None,
            trust.get(cell, ()),
        )
        for cell in found.grid.cells
    )
    seen: tuple[Confidence, ...] = ()
    if found.score is not None:
        seen = (
            Confidence(min(found.score, 0.99), "detection", "table", "score of the layout model", f"{found.score:.3f}"),
        )
    return ReadTable(
        "",
        Table(found.grid.n_rows, found.grid.n_cols, cells),
        notes=(f"words by {page.read_by}", f"rows and columns by {found.grid.builder}", *found.notes),
        boxes=(page.box(found.region),),
        confidence=seen,
    )
