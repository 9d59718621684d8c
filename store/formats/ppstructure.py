"""PP-StructureV3 and PP-Structure of PaddleOCR: tables, with lines of OCR joined to their cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.table import Box, Cell, Confidence, Table
from store.formats import frames, json_shape, json_text
from store.formats.contract import Read, ReadTable
from store.formats.frames import Size
from store.formats.html_pieces import Piece, numbered
from store.formats.json_shape import Path
from store.pages import PageSize

_KEYS = ("table_res_list", "parsing_res_list")
# Boxes of layout and parsing are the same but for rounding, in pixels.
_SAME = 3.0
# Lines times cells that are compared by place, where the text alone does not tell.
_MOST_COMPARED = 4_000_000


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON is a result of PP-StructureV3, a list of such, or the list of regions of PP-Structure."""
    return bool(_results(json_text.peeked(raw)))


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of each page result, as their ``pred_html`` says.

    Boxes are pixels of the page image, whose width and height the file gives. Cell boxes are taken
    where there is one for each cell and they run as the cells do; their order is not promised. A
    line of OCR belongs to the cell of the same text, or in whose box its middle lies, and the least
    certain line speaks for its cell. The layout score is that of the table as found, not as read.
    """
    value, notes = json_text.load(raw, lines=True)
    results = _results(value)
    if not results:
        raise json_shape.wrong((), value, "an object with table_res_list or parsing_res_list")
    files = {json_shape.text(result, "input_path") for result, _ in results}
    found = [
        (piece, table, where, result)
        for result, path in results
        for piece, table, where in _pieces(result, path, len(files) > 1)
    ]
    tables, doubts = numbered(piece for piece, _, _, _ in found)
    sources = {piece.place: (table, where, result) for piece, table, where, result in found}
    # Tables nested in a cell follow the one that holds them; boxes and lines are those of the outer one.
    joined = tuple(_joined(table, *sources.pop(table.place)) if table.place in sources else table for table in tables)
    if not joined:
        doubts = (*doubts, "the file holds no tables")
    return Read(joined, (*notes, *doubts), "PaddleOCR PP-Structure")


def _results(value: Any) -> list[tuple[Mapping[str, Any], Path]]:
    """The results by page, out of their wrappers; regions of the older PP-Structure are one result."""
    entries = [(entry, (place,)) for place, entry in enumerate(value)] if isinstance(value, list) else [(value, ())]
    found: list[tuple[Mapping[str, Any], Path]] = []
    for entry, path in entries:
        if isinstance(entry, Mapping) and isinstance(entry.get("res"), Mapping):
            inner = entry["res"]
            if any(isinstance(inner.get(key), list) for key in _KEYS):
                found.append((inner, (*path, "res")))
            elif "html" in inner and entry.get("type") == "table":
                found.append((entry, path))
        elif isinstance(entry, Mapping) and any(isinstance(entry.get(key), list) for key in _KEYS):
            found.append((entry, path))
    return found


def _pieces(result: Mapping[str, Any], path: Path, several: bool) -> Iterator[tuple[Piece, Mapping[str, Any], Path]]:
    document = json_shape.text(result, "input_path") if several else ""
    if "res" in result:  # a region of the older PP-Structure, whose boxes have no page size
        table, where = json_shape.inner(result, "res", path), (*path, "res")
        notes = ("its boxes say no page size and were left out",) if result.get("bbox") or "cell_bbox" in table else ()
        yield Piece(json_shape.text(table, "html"), json_text.pointer(where), notes, document=document), table, where
        return
    page, size = _page(result, path), _size(result)
    blocks = [
        (block, where)
        for block, where in json_shape.objects(result, "parsing_res_list", path)
        if block.get("block_label") == "table"
    ]
    tables = list(json_shape.objects(result, "table_res_list", path))
    if not tables:
        for block, where in blocks:
            yield _piece(json_shape.text(block, "block_content"), where, block, result, document), block, where
        return
    by_html = {json_shape.text(block, "block_content"): block for block, _ in blocks}
    for table, where in tables:
        html = json_shape.text(table, "pred_html")
        said = by_html.get(html)
        if said is not None:
            yield _piece(html, where, said, result, document), table, where
            continue
        boxes = [box for box in _cell_boxes(table, page, size, where) if box is not None]
        around = (_around(boxes),) if boxes else ()
        yield Piece(html, json_text.pointer(where), boxes=around, document=document), table, where


def _piece(html: str, where: Path, block: Mapping[str, Any], result: Mapping[str, Any], document: str) -> Piece:
    bounds = block.get("block_bbox")
    box = frames.framed(_page(result, where), frames.corners(bounds), _size(result))
    return Piece(
        html,
        json_text.pointer(where),
        boxes=(box,) if box else (),
        confidence=_layout_confidence(bounds, result, where),
        document=document,
    )


def _layout_confidence(bounds: object, result: Mapping[str, Any], where: Path) -> tuple[Confidence, ...]:
    sides = frames.corners(bounds)
    if sides is None:
        return ()
    for found, _ in json_shape.objects(json_shape.inner(result, "layout_det_res", where), "boxes", where):
        other = frames.corners(found.get("coordinate"))
        if found.get("label") != "table" or other is None:
            continue
        pairs = zip(sides, other, strict=True)
        if all(abs((json_shape.number(a) or 0.0) - (json_shape.number(b) or 0.0)) <= _SAME for a, b in pairs):
            return json_shape.confidence(found.get("score"), "detection", "table", "PaddleOCR layout score")
    return ()


def _page(result: Mapping[str, Any], path: Path) -> int:
    return json_shape.whole(result, "page_index", path, default=0) + 1


def _size(result: Mapping[str, Any]) -> Size | None:
    return frames.size_in(result.get("width"), result.get("height"))


def _cell_boxes(table: Mapping[str, Any], page: int, size: Size | None, where: Path) -> list[Box | None]:
    key = "cell_box_list" if "cell_box_list" in table else "cell_bbox"
    return [frames.framed(page, frames.corners(bounds), size) for bounds in json_shape.entries(table, key, where)]


def _around(boxes: Sequence[Box]) -> Box:
    return Box(
        boxes[0].page,
        min(box.x0 for box in boxes),
        min(box.y0 for box in boxes),
        max(box.x1 for box in boxes),
        max(box.y1 for box in boxes),
    )


def _joined(table: ReadTable, source: Mapping[str, Any], where: Path, result: Mapping[str, Any]) -> ReadTable:
    """The table with boxes and confidence at its cells."""
    page, size = _page(result, where), _size(result)
    boxes = _cell_boxes(source, page, size, where) if "res" not in result else []
    cells = list(table.table.cells)
    notes = []
    if boxes and len(boxes) == len(cells) and _in_order(cells, boxes):
        cells = [replace(cell, box=box) for cell, box in zip(cells, boxes, strict=True)]
    elif boxes:
        why = "in another order than the cells" if len(boxes) == len(cells) else f"for {len(cells)} cells"
        notes.append(f"{len(boxes)} cell boxes {why}: they were left out")
    lines = json_shape.inner(source, "table_ocr_pred", where)
    cells, unplaced = _with_lines(cells, _lines(lines, page, size, (*where, "table_ocr_pred")))
    if unplaced:
        notes.append(f"{unplaced} lines of OCR belong to no single cell: their scores were left out")
    whole = Table(table.table.n_rows, table.table.n_cols, tuple(cells))
    return replace(table, table=whole, notes=(*table.notes, *notes))


def _in_order(cells: Sequence[Cell], boxes: Sequence[Box | None]) -> bool:
    """Whether boxes lie to the right of those of the cells before them in a row, and below those above."""
    right: dict[int, float] = {}
    below: dict[int, float] = {}
    for cell, box in zip(cells, boxes, strict=True):
        if box is None:
            return False
        x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
        if right.get(cell.row, -9.0) > x or below.get(cell.col, -9.0) > y:
            return False
        right[cell.row], below[cell.col] = x, y
    return True


def _lines(
    lines: Mapping[str, Any], page: int, size: Size | None, where: Path
) -> list[tuple[str, Box | None, tuple[Confidence, ...]]]:
    texts, scores, boxes = (json_shape.entries(lines, f"rec_{key}", where) for key in ("texts", "scores", "boxes"))
    found = []
    for place, text in enumerate(texts):
        score = scores[place] if place < len(scores) else None
        box = frames.framed(page, frames.corners(boxes[place]), size) if place < len(boxes) else None
        said = json_shape.confidence(score, "text", "cell", "PaddleOCR line score")
        found.append((json_text.text_of(text) if not isinstance(text, list | dict) else "", box, said))
    return found


def _with_lines(
    cells: list[Cell], lines: Sequence[tuple[str, Box | None, tuple[Confidence, ...]]]
) -> tuple[list[Cell], int]:
    """The cells with the least certain of their lines, and how many lines found no cell of their own."""
    places: dict[str, list[int]] = {}
    for place, cell in enumerate(cells):
        places.setdefault(_bare(cell.text), []).append(place)
    compared = len(lines) * len(cells) <= _MOST_COMPARED
    said: dict[int, list[Confidence]] = {}
    unplaced = 0
    for text, box, confidence in lines:
        found = places.get(_bare(text), [])
        if len(found) != 1 and box is not None and compared:
            found = [place for place, cell in enumerate(cells) if _holds(cell, box, _bare(text))]
        if len(found) == 1:
            said.setdefault(found[0], []).extend(confidence)
        else:
            unplaced += 1
    return [
        replace(cell, confidence=json_shape.lowest(said[place])) if place in said else cell
        for place, cell in enumerate(cells)
    ], unplaced


def _holds(cell: Cell, box: Box, text: str) -> bool:
    if cell.box is None or text not in _bare(cell.text):
        return False
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return cell.box.x0 <= x <= cell.box.x1 and cell.box.y0 <= y <= cell.box.y1


def _bare(text: str) -> str:
    return "".join(text.split())
