"""Amazon Textract, AnalyzeDocument: tables of CELL, MERGED_CELL and WORD blocks, in one answer or several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.table import Cell, Confidence
from store.formats import json_shape, json_text, rows, textract_answers
from store.formats.contract import FormatError, Read, ReadTable, Repair, some
from store.formats.json_shape import Path, entries, objects, whole
from store.formats.repair import fitted
from store.pages import PageSize

_MARKS = {"SELECTED": "☒", "NOT_SELECTED": "☐"}
# What a table's own block points to beside its cells; the blocks repeat words that may stand in cells too.
_TITLES = {"TABLE_TITLE": "title", "TABLE_FOOTER": "footer"}


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON is an answer with Blocks of a BlockType, several of them, or the state of a job."""
    value = json_text.peeked(raw)
    if textract_answers.is_answer(value, "Blocks", entry="BlockType"):
        return True
    return (
        isinstance(value, dict)
        and "JobStatus" in value
        and "DocumentMetadata" in value
        and "ExpenseDocuments" not in value
    )


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of an answer, or of a list of answers: the parts of one job, or one answer for each page.

    A merged cell holds the words of all cells that it covers. A cell's confidence is kept beside
    that of its least certain word: the one speaks of the structure, the other of the reading.
    Selection elements are written ☒ and ☐. Rows and columns are those that the answer gives, also on
    a page that lies on its side. A title or footer that stands in no cell is a note of its table.
    """
    answers, doubts = textract_answers.answers_in(raw, "Blocks")
    tables: list[ReadTable] = []
    for blocks in _operations(answers, doubts):
        tables += (_table(blocks, *found) for found in blocks.of_type("TABLE"))
    found = [table for table in tables if table.table.cells]
    if len(found) < len(tables):
        empty = [table.place for table in tables if not table.table.cells]
        doubts.append(f"{some('table', empty)} without cells left out")
    if not found:
        doubts.append("the answer holds no tables")
    version = textract_answers.version(answers, "AnalyzeDocumentModelVersion")
    return Read(rows.numbered(found), tuple(doubts), "Amazon Textract", version)


@dataclass
class _Blocks:
    """The blocks of one operation by their id; an id that stands twice is the first block of it."""

    by_id: dict[str, tuple[Mapping[str, Any], Path]] = field(default_factory=dict)
    default_page: int = 1

    def add(self, found: Iterable[tuple[Mapping[str, Any], Path]]) -> None:
        for block, path in found:
            name = block.get("Id")
            if not isinstance(name, str):
                raise json_shape.wrong((*path, "Id"), name, "the id of a block")
            self.by_id.setdefault(name, (block, path))

    def of_type(self, kind: str) -> Iterator[tuple[Mapping[str, Any], Path]]:
        return (found for found in self.by_id.values() if found[0].get("BlockType") == kind)

    def related(self, block: Mapping[str, Any], path: Path, kind: str) -> Iterator[tuple[Mapping[str, Any], Path]]:
        """The blocks that a block names under a type of relationship; names of blocks that are not there are none."""
        for relation, where in objects(block, "Relationships", path):
            if relation.get("Type") == kind:
                for name in entries(relation, "Ids", where):
                    if isinstance(name, str) and name in self.by_id:
                        yield self.by_id[name]

    def page(self, block: Mapping[str, Any], path: Path) -> int:
        return whole(block, "Page", path, default=self.default_page, least=1)


@dataclass
class _Content:
    """The words and marks of one cell in order, each once."""

    texts: list[str] = field(default_factory=list)
    words: list[Confidence] = field(default_factory=list)
    marks: list[Confidence] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def add(self, blocks: _Blocks, cell: Mapping[str, Any], path: Path) -> None:
        for child, _ in blocks.related(cell, path, "CHILD"):
            name, kind = child["Id"], child.get("BlockType")
            if name in self.seen or kind not in ("WORD", "SELECTION_ELEMENT"):
                continue
            self.seen.add(name)
            if kind == "WORD":
                self.texts.append(json_shape.text(child, "Text"))
                self.words += textract_answers.said(child, "text", "word", "Textract word confidence")
            else:
                self.texts.append(_MARKS.get(json_shape.text(child, "SelectionStatus"), ""))
                self.marks += textract_answers.said(child, "detection", "word", "Textract selection element confidence")


def _operations(answers: textract_answers.Answers, doubts: list[str]) -> list[_Blocks]:
    """The blocks put together that belong together: ids are unique in one operation only.

    The answers of one job speak of their pages. Where none does, each is an operation of its own on one page.
    """
    parts = [list(objects(answer, "Blocks", path)) for answer, path in answers]
    if len(parts) > 1 and not any("Page" in block for found in parts for block, _ in found):
        doubts.append("the answers name no pages: the first was taken for page 1, the next for page 2, and so on")
        operations = [_Blocks(default_page=number) for number in range(1, len(parts) + 1)]
    else:
        operations = [_Blocks()] * len(parts)
    for operation, found in zip(operations, parts, strict=True):
        operation.add(found)
    return list({id(operation): operation for operation in operations}.values())


def _table(blocks: _Blocks, table: Mapping[str, Any], path: Path) -> ReadTable:
    single = [found for found in blocks.related(table, path, "CHILD") if found[0].get("BlockType") == "CELL"]
    merged = [
        found for found in blocks.related(table, path, "MERGED_CELL") if found[0].get("BlockType") == "MERGED_CELL"
    ]
    places = [_place(cell, where) for cell, where in single]
    covered: set[str] = set()
    words: set[str] = set()
    cells: list[Cell] = []
    repairs: list[Repair] = []
    marks = 0
    for cell, where in (*merged, *single):
        if cell["Id"] in covered:
            continue
        content = _Content()
        content.add(blocks, cell, where)
        if cell["BlockType"] == "MERGED_CELL":
            parts = [found for found in blocks.related(cell, where, "CHILD") if found[0].get("BlockType") == "CELL"]
            for part, at in sorted(parts, key=lambda found: _place(*found)):
                if part["Id"] not in covered:
                    covered.add(part["Id"])
                    content.add(blocks, part, at)
        words |= content.seen
        marks += len(content.marks)
        placed = _cell(cell, where, content, blocks.page(cell, where))
        if placed.box is None and cell.get("Geometry") is not None:
            repairs.append(Repair(placed.row, placed.col, "its box is no rectangle and was left out"))
        cells.append(placed)
    try:
        fit, refitted = fitted(
            cells,
            n_rows=max((row + 1 for row, _ in places), default=0),
            n_cols=max((col + 1 for _, col in places), default=0),
        )
    except FormatError as cause:
        raise FormatError(f"{json_text.pointer(path)}: {cause}") from None
    notes = list(_titles(blocks, table, path, words))
    if marks:
        notes.append(f"selection elements shown as ☒ and ☐: {marks}")
    box = textract_answers.box(table, blocks.page(table, path))
    return ReadTable(
        "",
        fit,
        tuple(notes),
        (*repairs, *refitted),
        boxes=() if box is None else (box,),
        confidence=textract_answers.said(table, "detection", "table", "Textract table confidence"),
        place=json_text.pointer(path),
    )


def _cell(cell: Mapping[str, Any], path: Path, content: _Content, page: int) -> Cell:
    row, col = _place(cell, path)
    return json_shape.cell(
        path,
        row=row,
        col=col,
        text=" ".join(text for text in content.texts if text),
        row_span=whole(cell, "RowSpan", path, default=1) or 1,
        col_span=whole(cell, "ColumnSpan", path, default=1) or 1,
        header="column" if "COLUMN_HEADER" in entries(cell, "EntityTypes", path) else "",
        box=textract_answers.box(cell, page),
        confidence=(
            *textract_answers.said(cell, "structure", "cell", "Textract cell confidence"),
            *json_shape.lowest(content.words),
            *json_shape.lowest(content.marks),
        ),
    )


def _place(cell: Mapping[str, Any], path: Path) -> tuple[int, int]:
    """Row and column from 0 on; Textract counts from 1."""
    return whole(cell, "RowIndex", path, least=1) - 1, whole(cell, "ColumnIndex", path, least=1) - 1


def _titles(blocks: _Blocks, table: Mapping[str, Any], path: Path, words: set[str]) -> Iterator[str]:
    for kind, called in _TITLES.items():
        for title, where in blocks.related(table, path, kind):
            content = _Content()
            content.add(blocks, title, where)
            if content.texts and not content.seen & words:
                yield f"{called}: {' '.join(content.texts)}"
