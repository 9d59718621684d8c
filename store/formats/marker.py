"""Marker: the tables in its tree of blocks, with the boxes of cells where they are real."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.table import Box, Table
from store.formats import frames, json_shape, json_text
from store.formats.contract import Read
from store.formats.frames import Size
from store.formats.html_pieces import Piece, numbered
from store.formats.json_shape import Path
from store.pages import PageSize

_TABLES = ("Table", "TableOfContents", "Form")
_PAGE = re.compile(r"/page/(\d{1,9})/")
_REFERENCE = re.compile(r"""<content-ref\s+src=["']([^"']*)["']\s*>(?:\s*</content-ref>)?""")
# Cells without a place of their own stand as specks of about one point at the corner of their table.
_SPECK = 2.0


def sniff(raw: bytes, name: str) -> bool:
    """Whether the JSON is a tree of blocks under a Document, or the list of blocks of the chunk output."""
    value = json_text.peeked(raw)
    if not isinstance(value, Mapping):
        return False
    blocks = value.get("blocks")
    first = blocks[0] if isinstance(blocks, list) and blocks else None
    return (value.get("block_type") == "Document" and "children" in value) or (
        isinstance(first, Mapping) and "block_type" in first and "page_info" in value
    )


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The blocks of type Table, TableOfContents and Form that hold a table, in the order of the tree.

    Pages are counted from 0 in the ids of blocks. Boxes of cells are taken where there is one for
    each cell; specks of a point or two stand for "no box". Marker gives no confidence.
    """
    value, notes = json_text.load(raw)
    if not isinstance(value, Mapping):
        raise json_shape.wrong((), value, "a Document of blocks")
    sizes = frames.sizes_of(pages) | _sizes(value)
    found = list(_blocks(value))
    tables, doubts = numbered(_piece(block, path, sizes) for block, path in found)
    # Tables nested in a cell follow the one that holds them; the boxes are those of the outer one.
    blocks = {json_text.pointer(path): (block, path) for block, path in found}
    placed = []
    for table in tables:
        source = blocks.pop(table.place, None)
        boxed = _Boxed(table.table) if source is None else _boxed(table.table, *source, sizes)
        placed.append(replace(table, table=boxed.table, notes=(*table.notes, *boxed.notes)))
    if not placed:
        doubts = (*doubts, "the file holds no tables")
    return Read(tuple(placed), (*notes, *doubts), "Marker")


def _children(block: Mapping[str, Any], path: Path) -> Iterator[tuple[Mapping[str, Any], Path]]:
    for key in ("children", "blocks"):
        yield from json_shape.objects(block, key, path)


def _blocks(root: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Path]]:
    """The blocks that are tables, not those inside them."""
    stack: list[tuple[Mapping[str, Any], Path]] = [(root, ())]
    while stack:
        block, path = stack.pop()
        html = json_shape.text(block, "html")
        if block.get("block_type") in _TABLES and ("<t" in html or block.get("block_type") == "Table"):
            yield block, path
        else:
            stack += reversed(list(_children(block, path)))


def _sizes(root: Mapping[str, Any]) -> dict[int, Size]:
    """Page sizes from the boxes of Page blocks, or from page_info of the chunk output."""
    pages = [(block, _page(block)) for block, _ in json_shape.objects(root, "children", ())]
    for key, info in json_shape.inner(root, "page_info", ()).items():
        if isinstance(info, Mapping) and key.isdecimal() and len(key) < 10:
            pages.append((info, int(key) + 1))
    sizes = {}
    for block, page in pages:
        around = _corners(block)
        size = frames.size_in(around[2], around[3]) if around else None
        if size:
            sizes[page] = size
    return sizes


def _page(block: Mapping[str, Any]) -> int:
    told = _PAGE.match(json_shape.text(block, "id") + "/")
    return int(told[1]) + 1 if told else 1


def _corners(block: Mapping[str, Any]) -> tuple[object, object, object, object] | None:
    return frames.corners(block.get("bbox")) or frames.corners(block.get("polygon"))


def _piece(block: Mapping[str, Any], path: Path, sizes: Mapping[int, Size]) -> Piece:
    inside = {json_shape.text(child, "id"): json_shape.text(child, "html") for child, _ in _children(block, path)}
    html = _REFERENCE.sub(lambda found: inside.get(found[1], ""), json_shape.text(block, "html"))
    page = _page(block)
    box = frames.framed(page, _corners(block), sizes.get(page))
    kind = json_shape.text(block, "block_type")
    notes = () if kind == "Table" else (f"Marker calls it {kind}",)
    return Piece(html, json_text.pointer(path), notes, (box,) if box else ())


@dataclass(frozen=True)
class _Boxed:
    table: Table
    notes: tuple[str, ...] = ()


def _boxed(table: Table, block: Mapping[str, Any], path: Path, sizes: Mapping[int, Size]) -> _Boxed:
    """The table with the boxes of its cells, which stand in the order of the HTML."""
    children = [child for child, _ in _children(block, path) if child.get("block_type") == "TableCell"]
    if not children:
        return _Boxed(table)
    if len(children) != len(table.cells):
        return _Boxed(table, (f"{len(children)} boxes for {len(table.cells)} cells: they were left out",))
    page = _page(block)
    boxes: list[Box | None] = []
    for child in children:
        around = _corners(child)
        is_speck = around is not None and all(
            (json_shape.number(around[end]) or 0.0) - (json_shape.number(around[end - 2]) or 0.0) < _SPECK
            for end in (2, 3)
        )
        boxes.append(None if is_speck else frames.framed(page, around, sizes.get(page)))
    lost = sum(box is None for box in boxes)
    cells = tuple(replace(cell, box=box) for cell, box in zip(table.cells, boxes, strict=True))
    note = (f"{lost} of {len(boxes)} boxes of cells are no more than a point or not usable: left out",) if lost else ()
    return _Boxed(replace(table, cells=cells), note)
