"""A data set as Hugging Face lays it out: Parquet files with images and HTML, and a card that names the columns."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from scoring.table import Cell
from store.comparison import Comparison
from store.exports.images import table_picture
from store.exports.written import ByDocument, Export, Given, with_ids
from store.formats import html

# Rows of one file, and the bytes of images after which a new one begins.
_MOST_ROWS, _LARGEST = 1000, 200_000_000

_CELL = pa.struct(
    [
        *(pa.field(name, pa.int32()) for name in ("row", "col", "row_span", "col_span")),
        pa.field("text", pa.string()),
        pa.field("header", pa.string()),
        pa.field("page", pa.int32()),
        pa.field("box", pa.list_(pa.float64())),
    ]
)
_TEXTS = (
    *("id", "document", "document_sha256", "project", "doc_type", "table", "table_type"),
    *("html", "first_extraction_html"),
)
_COLUMNS = [
    pa.field("image", pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())])),
    *(pa.field(name, pa.string()) for name in _TEXTS),
    *(pa.field(name, pa.int32()) for name in ("rows", "cols", "header_rows")),
    pa.field("cells", pa.list_(_CELL)),
]
_CARD = """---
configs:
- config_name: default
  data_files:
  - split: train
    path: data/train-*.parquet
---

# Tables with corrected answers

Each row is one table: the image of its place on the page, the corrected answer as HTML (`html`) and as `cells`, and
what the extractor returned first (`first_extraction_html`). Boxes are x0, y0, x1, y1 as fractions of the page.
Exported from Proofgrid.
"""


def write(documents: ByDocument, given: Given) -> Iterator[Export]:
    """``data/train-00000.parquet`` and so on, and ``README.md``: ``datasets.load_dataset(FOLDER)`` loads them."""
    rows: list[dict[str, Any]] = []
    number = size = 0
    for tables in documents:
        for id, entry in with_ids(tables):
            rows.append(_row(id, entry, given))
            size += len((rows[-1]["image"] or {}).get("bytes", b""))
            if len(rows) >= _MOST_ROWS or size >= _LARGEST:
                yield _shard(rows, number)
                rows, size, number = [], 0, number + 1
    if rows or not number:
        yield _shard(rows, number)
    yield Export("README.md", _CARD.encode())


def _shard(rows: list[dict[str, Any]], number: int) -> Export:
    schema = pa.schema(_COLUMNS, metadata={"huggingface": json.dumps(_features())})
    made = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), made, row_group_size=100)
    return Export(f"data/train-{number:05}.parquet", made.getvalue())


def _features() -> dict[str, Any]:
    # Without them the library would show an image as a struct of bytes.
    numbers = {name: {"dtype": "int32", "_type": "Value"} for name in ("rows", "cols", "header_rows")}
    texts = {name: {"dtype": "string", "_type": "Value"} for name in _TEXTS}
    cell: dict[str, Any] = {
        name: {"dtype": "int32", "_type": "Value"} for name in ("row", "col", "row_span", "col_span", "page")
    }
    cell |= {name: {"dtype": "string", "_type": "Value"} for name in ("text", "header")}
    cell["box"] = {"feature": {"dtype": "float64", "_type": "Value"}, "_type": "List"}
    features = {"image": {"_type": "Image"}, **texts, **numbers, "cells": {"feature": cell, "_type": "List"}}
    return {"info": {"features": features}}


def _row(id: str, entry: Comparison, given: Given) -> dict[str, Any]:
    table, picture = entry.sheet.table, table_picture(entry, given)
    return {
        "image": {"bytes": picture.body, "path": f"{id}.png"} if picture else None,
        "id": id,
        "document": entry.document.name,
        "document_sha256": entry.document.sha256,
        "project": entry.document.project,
        "doc_type": entry.document.doc_type,
        "table": entry.gold.name,
        "table_type": entry.gold.table_type,
        "html": html.written(table),
        "first_extraction_html": html.written(entry.first.table) if entry.first else None,
        "rows": table.n_rows,
        "cols": table.n_cols,
        "header_rows": table.header_rows,
        "cells": [_cell(cell) for cell in table.cells],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    plain = {name: getattr(cell, name) for name in ("row", "col", "row_span", "col_span", "text", "header")}
    sides = [cell.box.x0, cell.box.y0, cell.box.x1, cell.box.y1] if cell.box else None
    return {**plain, "page": cell.box.page if cell.box else None, "box": sides}
