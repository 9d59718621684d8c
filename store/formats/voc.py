"""PubTables-1M annotations as Pascal VOC: boxes of rows, columns, headers and spanning cells, with or without words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any
from xml.etree.ElementTree import Element

from scoring.table import LARGEST_COL_SPAN, LARGEST_GRID, LARGEST_ROW_SPAN, Cell, Header, Table
from store.formats import frames, json_shape, json_text, xml_shape
from store.formats.contract import FormatError, Read, ReadTable
from store.formats.repair import fitted
from store.pages import PageSize

_CLASSES = (
    "table",
    "table row",
    "table column",
    "table column header",
    "table projected row header",
    "table spanning cell",
)
_END = b"</annotation>"
# A spanning cell or a header counts for a row or column that it covers by at least this share.
_COVERED = 0.5
_SAME_SHAPE = 0.02
_MOST_COMPARED = 20_000_000

Sides = Sequence[float]  # left, top, right, bottom in pixels of the image


def sniff(raw: bytes, name: str) -> bool:
    """Whether the text begins as a VOC annotation with tables in it."""
    return xml_shape.begins_with(raw, "annotation") and b"<name>table" in raw


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The one table of the annotation: rows by columns, merged where a spanning cell covers them.

    Words may follow the XML in the same file, as the list that PubTables-1M calls ``_words.json``;
    each goes to the cell in which its middle lies. Boxes are pixels of the image of the table, and
    are kept where the document is that image.
    """
    xml, end, words = raw.partition(_END)
    root = xml_shape.root_of(xml + end)
    found = _objects(root)
    if not found["table row"] or not found["table column"]:
        raise FormatError("no rows or no columns, expected objects named 'table row' and 'table column'")
    rows = sorted(found["table row"], key=lambda box: box[1] + box[3])
    cols = sorted(found["table column"], key=lambda box: box[0] + box[2])
    if len(rows) * len(cols) > LARGEST_GRID:
        raise FormatError(f"{len(rows)} rows and {len(cols)} columns, expected at most {LARGEST_GRID:,} positions")
    n_boxes = sum(map(len, found.values()))
    if n_boxes * (len(rows) + len(cols)) > _MOST_COMPARED:
        raise FormatError(f"{n_boxes} objects in {len(rows)} rows and {len(cols)} columns, which no table has")
    notes: list[str] = []
    if len(found["table"]) > 1:
        notes.append(f"{len(found['table'])} tables in one image: their rows and columns were read as one table")
    size = _size(root, pages, notes)
    cells = _cells(rows, cols, found, size)
    table, repairs = fitted(cells, n_rows=len(rows), n_cols=len(cols))
    if words.strip():
        table, lost = _with_words(table, rows, cols, _words(words))
        if lost:
            notes.append(f"{lost} words lie outside the rows and columns and were left out")
    else:
        notes.append("the file holds the structure only: there is no text in the cells")
    around = frames.framed(1, list(found["table"][0]), size) if found["table"] else None
    place = (root.findtext("filename") or "").strip()
    return Read((ReadTable("table 1", table, tuple(notes), repairs, boxes=(around,) if around else (), place=place),))


def _objects(root: Element) -> dict[str, list[Sides]]:
    found: dict[str, list[Sides]] = {name: [] for name in _CLASSES}
    for number, entry in enumerate(root.iter("object"), start=1):
        name = (entry.findtext("name") or "").strip()
        bounds = entry.find("bndbox")
        if name not in found:
            continue
        texts: dict[str, str | None] = {} if bounds is None else {side.tag: side.text for side in bounds}
        sides = xml_shape.sides(texts, ("xmin", "ymin", "xmax", "ymax"))
        if sides is None or sides[2] <= sides[0] or sides[3] <= sides[1]:
            raise FormatError(f"object {number} ({name}): {texts}, expected xmin < xmax and ymin < ymax")
        found[name].append(sides)
    return found


def _size(root: Element, pages: Sequence[PageSize], notes: list[str]) -> frames.Size | None:
    size = frames.size_in(root.findtext("size/width"), root.findtext("size/height"))
    if size is None:
        notes.append("the image has no size in the annotation: boxes were left out")
    elif pages and abs(size[0] / size[1] * pages[0].height / pages[0].width - 1) > _SAME_SHAPE:
        notes.append("the boxes are those of an image of the table alone and were left out: the document is another")
        return None
    return size


def _share(inner: tuple[float, float], outer: tuple[float, float]) -> float:
    """How much of the first stretch lies within the second."""
    common = min(inner[1], outer[1]) - max(inner[0], outer[0])
    return max(0.0, common) / (inner[1] - inner[0])


def _covered(lines: Sequence[Sides], box: Sides, axis: int) -> range:
    """The lines that the box covers by half or more: rows for axis 1, columns for axis 0."""
    hits = [
        number
        for number, line in enumerate(lines)
        if _share((line[axis], line[axis + 2]), (box[axis], box[axis + 2])) >= _COVERED
    ]
    return range(hits[0], hits[-1] + 1) if hits else range(0)


def _cells(
    rows: Sequence[Sides], cols: Sequence[Sides], found: Mapping[str, Sequence[Sides]], size: frames.Size | None
) -> list[Cell]:
    heads = {row for box in found["table column header"] for row in _covered(rows, box, 1)}
    projected = {row for box in found["table projected row header"] for row in _covered(rows, box, 1)}
    spans = [(_covered(rows, box, 1), _covered(cols, box, 0)) for box in found["table spanning cell"]]
    spans += [(range(row, row + 1), range(len(cols))) for row in sorted(projected)]
    plain = ((range(row, row + 1), range(col, col + 1)) for row in range(len(rows)) for col in range(len(cols)))
    cells: list[Cell] = []
    taken: set[tuple[int, int]] = set()
    for down, across in chain(spans, plain):
        places = {(row, col) for row in down for col in across}
        if not places or places & taken:
            continue
        taken |= places
        header: Header = "column" if down[0] in heads else "row" if down[0] in projected else ""
        corners = (cols[across[0]][0], rows[down[0]][1], cols[across[-1]][2], rows[down[-1]][3])
        cells.append(
            Cell(
                down[0],
                across[0],
                "",
                min(len(down), LARGEST_ROW_SPAN),
                min(len(across), LARGEST_COL_SPAN),
                header,
                frames.framed(1, corners, size),
            )
        )
    return cells


def _words(raw: bytes) -> list[tuple[str, Sides]]:
    value, _ = json_text.load(raw)
    if isinstance(value, Mapping):
        value = value.get("words")
    if not isinstance(value, list):
        raise json_shape.wrong((), value, "a list of words after the annotation")
    words: list[tuple[str, Sides]] = []
    for entry, path in json_shape.listed(value, ()):
        bounds = [json_shape.number(side) for side in json_shape.entries(entry, "bbox", path)]
        sides = [side for side in bounds if side is not None]
        if len(sides) != 4 or len(bounds) != 4:
            raise json_shape.wrong((*path, "bbox"), entry.get("bbox"), "four finite numbers")
        words.append((json_shape.text(entry, "text"), sides))
    return words


def _with_words(
    table: Table, rows: Sequence[Sides], cols: Sequence[Sides], words: Sequence[tuple[str, Sides]]
) -> tuple[Table, int]:
    """The table with the words in its cells, and how many lie in none."""
    tops, lefts = _edges([row[1::2] for row in rows]), _edges([col[0::2] for col in cols])
    texts: dict[tuple[int, int], list[str]] = {}
    lost = 0
    for text, (x0, y0, x1, y1) in words:
        row, col = bisect_right(tops, (y0 + y1) / 2) - 1, bisect_right(lefts, (x0 + x1) / 2) - 1
        cell = table.at(row, col)
        if cell is None:
            lost += 1
        else:
            texts.setdefault((cell.row, cell.col), []).append(text)
    cells = (_filled(cell, texts.get((cell.row, cell.col), ())) for cell in table.cells)
    return Table(table.n_rows, table.n_cols, tuple(cells)), lost


def _filled(cell: Cell, words: Sequence[Any]) -> Cell:
    return Cell(cell.row, cell.col, " ".join(words), cell.row_span, cell.col_span, cell.header, cell.box)


def _edges(lines: Sequence[Sides]) -> list[float]:
    """Where each line begins, halfway to the one before, and where the last one ends."""
    middles = [(before[1] + after[0]) / 2 for before, after in pairwise(lines)]
    found = [lines[0][0], *middles, lines[-1][1]]
    return list(accumulate(found, max))
