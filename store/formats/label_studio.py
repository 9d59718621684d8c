"""Label Studio: tasks with cells drawn as rectangles, whose grid is rebuilt from their boxes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from scoring.table import LARGEST_COL_SPAN, LARGEST_ROW_SPAN, Box, Cell, Confidence, Header, TableError
from store.formats import json_shape, json_text
from store.formats.contract import FormatError, Read, ReadTable
from store.formats.grid_from_boxes import MOST_CELLS, laid_out
from store.formats.grid_lines import Sides
from store.formats.json_shape import Path
from store.formats.repair import fitted
from store.formats.rows import numbered
from store.pages import PageSize

# Of the labels that Docling's backend writes, and their plain kin, by what they say of a cell.
_CELLS: Mapping[str, Header] = {
    "table_cell": "",
    "cell": "",
    "table_merged_cell": "",
    "merged_cell": "",
    "column_header": "column",
    "row_header": "row",
    "row_section": "row",
}
_TABLES = {"table"}
_LOOKED_AT = 20
_DATA = ("image", "file", "pdf", "document", "ocr")


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON is a task, or a list of tasks, with data and annotations, predictions or drafts."""
    value = json_text.peeked(raw)
    return any(
        isinstance(entry, Mapping)
        and isinstance(entry.get("data"), Mapping)
        and any(isinstance(entry.get(kind), list) for kind in ("annotations", "predictions", "drafts"))
        for entry in (islice(value, _LOOKED_AT) if isinstance(value, list) else [value])
    )


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of each task: its first prediction, else its last annotation that was not cancelled.

    Of a file with ``.gold.`` in its name, annotations come first. Rectangles labelled ``table_cell``,
    ``column_header``, ``row_header``, ``row_section`` or ``table_merged_cell`` are cells; rows and
    columns follow from where they lie. Cells belong to the table that they name as their parent, or
    in which their middle lies. A text stands in the rectangle or in a result of the same id; that of a
    table is its name. Turned rectangles are turned back in pixels. Scores of predictions have no fixed
    scale. Tasks that Proofgrid wrote tell page and hash of their document.
    """
    value, notes = json_text.load(raw, lines=True)
    tasks = list(json_shape.listed(value if isinstance(value, list) else [value], ()))
    doubts: list[str] = []
    tables: list[ReadTable] = []
    version = ""
    for task, path in tasks:
        where = path if isinstance(value, list) else ()
        found = _chosen(task, where, gold_first=".gold." in name.lower(), notes=doubts)
        if found is None:
            continue
        document = _document(task) if len(tasks) > 1 else ""
        answer, at = found
        version = version or json_shape.text(answer, "model_version")
        data = json_shape.inner(task, "data", where)
        sha256 = json_shape.text(data, "document_sha256")
        first_page = json_shape.whole(data, "page", (*where, "data"), default=1) if sha256 else 1
        made = [replace(table, sha256=sha256) for table in _tables(answer, at, document, max(1, first_page), doubts)]
        if not made:
            doubts.append(f"{json_text.pointer(where)}: no rectangles labelled as cells of a table")
        tables += made
    if tables:
        notes = (*notes, "rows and columns were rebuilt from the boxes of cells")
    return Read(tuple(tables), (*notes, *doubts), version or "Label Studio")


def _chosen(
    task: Mapping[str, Any], path: Path, *, gold_first: bool, notes: list[str]
) -> tuple[Mapping[str, Any], Path] | None:
    """The prediction or annotation that counts; what was passed over is a note."""
    predictions = list(json_shape.objects(task, "predictions", path))[:1]
    annotations = [
        (entry, where)
        for entry, where in json_shape.objects(task, "annotations", path)
        if entry.get("was_cancelled") is not True
    ][-1:]
    kinds = [("annotation", annotations), ("prediction", predictions)]
    if not gold_first:
        kinds.reverse()
    kinds.append(("draft", list(json_shape.objects(task, "drafts", path))[-1:]))
    there = [(kind, entries[0]) for kind, entries in kinds if entries]
    if not there:
        notes.append(f"{json_text.pointer(path)}: a task without predictions and annotations")
        return None
    others = [kind for kind, _ in there[1:]]
    if others:
        notes.append(f"{json_text.pointer(path)}: its {there[0][0]} was read, not its {' and '.join(others)}")
    return there[0][1]


def _document(task: Mapping[str, Any]) -> str:
    """The name of the file that the task shows, from the address under data."""
    data = json_shape.inner(task, "data", ())
    texts = [data.get(key) for key in _DATA] + list(data.values())
    for text in texts:
        if isinstance(text, str) and text.strip():
            try:
                address = urlsplit(text)
            except ValueError:
                return text
            shown = address.query.rpartition("d=")[2] if "local-files" in address.path else address.path
            return PurePosixPath(unquote(shown)).name or text
    return ""


@dataclass
class _Region:
    """A rectangle: its label, corners in percent of the page, text and score."""

    label: str
    sides: Sides
    page: int
    parent: str
    id: str
    texts: list[str] = field(default_factory=list)
    confidence: tuple[Confidence, ...] = ()

    @property
    def box(self) -> Box | None:
        left, top, right, bottom = self.sides
        try:
            return Box(self.page, *(round(side / 100, 6) for side in (left, top, right, bottom)))
        except TableError:
            return None


def _tables(
    answer: Mapping[str, Any], path: Path, document: str, first_page: int, notes: list[str]
) -> Iterator[ReadTable]:
    regions = _regions(answer, path, first_page, notes)
    outlines = [region for region in regions if region.label in _TABLES]
    cells = [region for region in regions if region.label in _CELLS]
    of_table: dict[str, list[_Region]] = {outline.id: [] for outline in outlines}
    rest: dict[str, list[_Region]] = {}
    for cell in cells:
        home = cell.parent if cell.parent in of_table else _around(cell, outlines)
        (of_table[home] if home is not None else rest.setdefault(f"page {cell.page}", [])).append(cell)
    said = json_shape.confidence(answer.get("score"), "extraction", "table", "Label Studio prediction score")
    groups = [("".join(outline.texts), outline.box, of_table[outline.id]) for outline in outlines]
    groups += (("", None, found) for found in rest.values())
    made = (_table(inside, name, box, path, document, said) for name, box, inside in groups if inside)
    yield from numbered(made)


def _regions(answer: Mapping[str, Any], path: Path, first_page: int, notes: list[str]) -> list[_Region]:
    """The rectangles with the texts of their ids, in the order of the file."""
    found: dict[str, _Region] = {}
    texts: dict[str, list[str]] = {}
    for place, (entry, where) in enumerate(json_shape.objects(answer, "result", path)):
        value = json_shape.inner(entry, "value", where)
        id = json_shape.text(entry, "id") or f"#{place}"
        text = value.get("text")
        texts.setdefault(id, []).extend(
            part for part in (text if isinstance(text, list) else [text]) if isinstance(part, str) and part
        )
        labels = value.get("rectanglelabels")
        if not isinstance(labels, list) or not labels or not isinstance(labels[0], str) or id in found:
            continue
        sides = _sides(value, entry)
        if sides is None:
            notes.append(f"{json_text.pointer(where)}: is no rectangle (x, y, width, height) and was left out")
            continue
        page = json_shape.whole(entry, "item_index", where, default=0) + first_page
        said = json_shape.confidence(entry.get("score"), "extraction", "cell", "Label Studio result score")
        label = "_".join(labels[0].lower().split())
        found[id] = _Region(label, sides, page, json_shape.text(value, "parentId"), id, confidence=said)
    for id, region in found.items():
        region.texts = list(dict.fromkeys(texts[id]))
    return list(found.values())


def _sides(value: Mapping[str, Any], entry: Mapping[str, Any]) -> Sides | None:
    """Left, top, right, bottom in percent of the page, round a rectangle that may be turned about its corner."""
    x, y, width, height = (json_shape.number(value.get(key)) for key in ("x", "y", "width", "height"))
    if x is None or y is None or width is None or height is None or width < 0 or height < 0:
        return None
    angle = json_shape.number(value.get("rotation")) or 0.0
    if not angle:
        return x, y, x + width, y + height
    # Percents of width and of height are of different length: a turn is one in pixels only.
    across = json_shape.number(entry.get("original_width")) or 100.0
    down = json_shape.number(entry.get("original_height")) or 100.0
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    wide, tall = width * across, height * down
    xs = [x + (a * cos - b * sin) / across for a in (0.0, wide) for b in (0.0, tall)]
    ys = [y + (a * sin + b * cos) / down for a in (0.0, wide) for b in (0.0, tall)]
    sides = min(xs), min(ys), max(xs), max(ys)
    return sides if all(map(math.isfinite, sides)) else None


def _around(cell: _Region, outlines: Sequence[_Region]) -> str | None:
    x, y = (cell.sides[0] + cell.sides[2]) / 2, (cell.sides[1] + cell.sides[3]) / 2
    for outline in outlines:
        left, top, right, bottom = outline.sides
        if outline.page == cell.page and left <= x <= right and top <= y <= bottom:
            return outline.id
    return None


def _table(
    regions: Sequence[_Region], name: str, box: Box | None, path: Path, document: str, said: tuple[Confidence, ...]
) -> ReadTable:
    if len(regions) > MOST_CELLS:
        raise FormatError(
            f"{json_text.pointer(path)}: {len(regions)} cells in one table, expected at most {MOST_CELLS}"
        )
    cells = [
        Cell(
            row,
            col,
            "\n".join(region.texts),
            min(tall, LARGEST_ROW_SPAN),
            min(wide, LARGEST_COL_SPAN),
            _CELLS[region.label],
            region.box,
            region.confidence,
        )
        for region, (row, col, tall, wide) in zip(regions, laid_out([r.sides for r in regions]), strict=True)
    ]
    n_rows = max(cell.row + cell.row_span for cell in cells)
    n_cols = max(cell.col + cell.col_span for cell in cells)
    whole, repairs = fitted(sorted(cells, key=lambda cell: (cell.row, cell.col)), n_rows=n_rows, n_cols=n_cols)
    notes = () if whole.header_rows else ("no leading row is labelled as header",)
    return ReadTable(
        name,
        whole,
        notes,
        repairs,
        boxes=(box,) if box else (),
        confidence=said,
        place=json_text.pointer(path),
        document=document,
    )
