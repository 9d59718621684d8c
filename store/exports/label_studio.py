"""Label Studio: a task for each page, each cell a labelled rectangle with its text, to be imported there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from scoring.table import Box, Cell
from store.comparison import Comparison
from store.exports.images import page_picture
from store.exports.written import ByDocument, Export, Given, with_ids

# The labelling set-up that shows the tasks; Label Studio asks for it when a project is made.
_CONFIG = """<View>
  <Image name="image" value="$image" zoom="true"/>
  <RectangleLabels name="cells" toName="image">
    <Label value="table"/><Label value="table_cell"/><Label value="table_merged_cell"/>
    <Label value="column_header"/><Label value="row_header"/>
  </RectangleLabels>
  <TextArea name="text" toName="image" perRegion="true" editable="true"/>
</View>
"""
_LABELS = {"column": "column_header", "row": "row_header"}


def write(documents: ByDocument, given: Given) -> Iterator[Export]:
    """``tasks.gold.json`` (annotations), ``config.xml`` and ``images/``; cells without a box are left out."""
    tasks: list[dict[str, Any]] = []
    for tables in documents:
        for page in sorted({cell.box.page for entry in tables for cell in entry.sheet.table.cells if cell.box}):
            picture = page_picture(tables[0], given, page)
            if picture is None:
                continue
            name = f"images/{tables[0].document.export_stem}.page-{page}.png"
            yield Export(name, picture.body)
            results = list(_results(tables, page, picture.width, picture.height))
            annotation = {"id": len(tasks) + 1, "result": results, "was_cancelled": False}
            data = {"image": name, "document_sha256": tables[0].document.sha256, "page": page}
            tasks.append({"id": len(tasks) + 1, "data": data, "annotations": [annotation], "predictions": []})
    if tasks:
        yield Export("config.xml", _CONFIG.encode())
        yield Export("tasks.gold.json", json.dumps(tasks, ensure_ascii=False, indent=1).encode())


def _results(tables: Sequence[Comparison], page: int, width: int, height: int) -> Iterator[dict[str, Any]]:
    about = {"to_name": "image", "original_width": width, "original_height": height, "image_rotation": 0}
    for whole, entry in with_ids(tables):
        cells = [(cell, cell.box) for cell in entry.sheet.table.cells if cell.box and cell.box.page == page]
        if not cells:
            continue
        boxes = [box for _, box in cells]
        around = Box(
            page,
            min(box.x0 for box in boxes),
            min(box.y0 for box in boxes),
            max(box.x1 for box in boxes),
            max(box.y1 for box in boxes),
        )
        home = f"{whole}-{page}"
        yield _rectangle(home, around, "table", about, "")
        yield _words(home, around, entry.gold.name, about)
        for cell, box in cells:
            id = f"{home}-{cell.row}-{cell.col}"
            yield _rectangle(id, box, _label(cell), about, home)
            if cell.text:
                yield _words(id, box, cell.text, about)


def _rectangle(id: str, box: Box, label: str, about: dict[str, Any], parent: str) -> dict[str, Any]:
    value = _percents(box) | {"rectanglelabels": [label]}
    if parent:
        value["parentId"] = parent
    return {"id": id, "type": "rectanglelabels", "from_name": "cells", **about, "value": value}


def _words(id: str, box: Box, text: str, about: dict[str, Any]) -> dict[str, Any]:
    value = _percents(box) | {"text": [text]}
    return {"id": id, "type": "textarea", "from_name": "text", **about, "value": value}


def _label(cell: Cell) -> str:
    merged = cell.row_span > 1 or cell.col_span > 1
    return _LABELS.get(cell.header) or ("table_merged_cell" if merged else "table_cell")


def _percents(box: Box) -> dict[str, Any]:
    sides = {"x": box.x0, "y": box.y0, "width": box.x1 - box.x0, "height": box.y1 - box.y0}
    return {name: round(side * 100, 4) for name, side in sides.items()} | {"rotation": 0}
