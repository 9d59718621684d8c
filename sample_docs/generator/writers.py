"""The four formats of the first extractions: JSON records, Azure layout JSON, HTML and CSV."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Sequence
from typing import Any

from sample_docs.generator.paper import Placed, around
from sample_docs.generator.reading import ReadCell, ReadTable
from scoring.table import Box

# A4 in inches, as Azure measures a PDF page.
WIDTH, HEIGHT = 8.2677, 11.6929


def as_json(value: object) -> bytes:
    """JSON in UTF-8 with two blanks of indent and short lists on one line, so that it can be read and compared."""
    return (_folded(value, 0) + "\n").encode()


def _folded(value: object, depth: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(flat) + 2 * depth <= 118:
        return flat
    inner = "  " * (depth + 1)
    if isinstance(value, dict):
        items = [f"{json.dumps(key, ensure_ascii=False)}: {_folded(item, depth + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner + item for item in items) + "\n" + "  " * depth + "}"
    return "[\n" + ",\n".join(inner + _folded(item, depth + 1) for item in value) + "\n" + "  " * depth + "]"


def json_records(
    extractor: tuple[str, str],
    fields: ReadTable | None,
    lists: Sequence[ReadTable],
    *,
    boxes: bool = True,
    confidences: bool = True,
) -> bytes:
    """Records whose leaves are ``{"value", "confidence", "page", "box"}``: fields at the top, then lists of rows.

    The header row of each table names the keys. A part that the extractor did not give is left out.
    """

    def leaf(cell: ReadCell | None) -> dict[str, Any]:
        if cell is None or not cell.text:
            return {"value": None}
        plain: dict[str, Any] = {"value": cell.text}
        if confidences and cell.confidence is not None:
            plain["confidence"] = cell.confidence
        if cell.box is not None:
            plain["page"] = cell.box.page
            if boxes:
                plain["box"] = cell.box.to_json()
        return plain

    def rows(table: ReadTable) -> list[dict[str, Any]]:
        header, *body = table.rows
        keys = [cell.text for cell in header if cell is not None]
        return [{key: leaf(cell) for key, cell in zip(keys, row, strict=True)} for row in body]

    plain: dict[str, Any] = {"extractor": {"name": extractor[0], "version": extractor[1]}}
    if fields is not None:
        plain.update(rows(fields)[0])
    return as_json(plain | {table.name: rows(table) for table in lists})


def csv_rows(table: ReadTable, *, delimiter: str, encoding: str) -> bytes:
    """Delimited text with a header line and CR LF; a sign that the encoding lacks becomes a question mark."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([["" if cell is None else cell.text for cell in row] for row in table.rows])
    return out.getvalue().encode(encoding, errors="replace")


def html_table(table: ReadTable, *, title: str, language: str, direction: str, generator: str) -> bytes:
    """A page with one table: ``thead`` with ``th``, ``tbody`` with ``td``, rowspan and colspan where over 1."""

    def line(row: Sequence[ReadCell | None]) -> str:
        out = []
        for cell in row:
            if cell is None:
                continue
            tag = "th" if cell.header else "td"
            spans = "".join(
                f' {name}="{span}"'
                for name, span in (("rowspan", cell.row_span), ("colspan", cell.col_span))
                if span > 1
            )
            out.append(f"<{tag}{spans}>{html.escape(cell.text, quote=False)}</{tag}>")
        return f"    <tr>{''.join(out)}</tr>"

    head = [row for row in table.rows if all(cell is None or cell.header == "column" for cell in row)]
    body = table.rows[len(head) :]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{language}" dir="{direction}">',
            "<head>",
            '  <meta charset="utf-8">',
            f'  <meta name="generator" content="{generator}">',
            f"  <title>{title}</title>",
            "</head>",
            "<body>",
            "<table>",
            "  <thead>",
            *map(line, head),
            "  </thead>",
            "  <tbody>",
            *map(line, body),
            "  </tbody>",
            "</table>",
            "</body>",
            "</html>",
            "",
        ]
    ).encode()


def azure_layout(
    table: ReadTable,
    before: Sequence[Placed],
    after: Sequence[Placed],
    *,
    angle: float = 0.0,
    seen_at: Callable[[float, float], tuple[float, float]] = lambda x, y: (x, y),
    unsure: Callable[[int], float] = lambda number: 0.99,
) -> bytes:
    """One page in the shape of Azure Document Intelligence layout v4: words with spans, and one table.

    ``before`` and ``after`` are the texts around the table. ``seen_at`` turns a place on the clean page into the
    place on the scan. ``unsure`` gives the confidence of the n-th word outside the table.
    """
    content = ""
    words: list[dict[str, Any]] = []
    lines: list[dict[str, Any]] = []

    def polygon(box: Box) -> list[float]:
        corners = ((box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1))
        return [round(side, 4) for x, y in corners for side in (seen_at(x, y)[0] * WIDTH, seen_at(x, y)[1] * HEIGHT)]

    def write(parts: Sequence[tuple[str, Box, float]]) -> list[dict[str, int]]:
        nonlocal content
        if not parts:
            return []
        start = len(content)
        for text, box, confidence in parts:
            span = {"offset": len(content), "length": len(text)}
            words.append({"content": text, "polygon": polygon(box), "confidence": confidence, "span": span})
            content += text + " "
        content = content[:-1]
        spans = [{"offset": start, "length": len(content) - start}]
        lines.append(
            {"content": content[start:], "polygon": polygon(around(box for _, box, _ in parts)), "spans": spans}
        )
        content += "\n"
        return spans

    def around_table(texts: Sequence[Placed]) -> None:
        for placed in texts:
            write([(word.text, word.box, unsure(len(words) + n)) for n, word in enumerate(placed.words)])

    around_table(before)
    table_start = len(content)
    cells = []
    for cell in table.cells:
        plain: dict[str, Any] = {}
        if cell.header:
            plain["kind"] = "columnHeader" if cell.header == "column" else "rowHeader"
        plain |= {"rowIndex": cell.row, "columnIndex": cell.col}
        if cell.row_span > 1:
            plain["rowSpan"] = cell.row_span
        if cell.col_span > 1:
            plain["columnSpan"] = cell.col_span
        plain["content"] = cell.text
        area = cell.area or cell.box
        if area is not None:
            plain["boundingRegions"] = [{"pageNumber": area.page, "polygon": polygon(area)}]
        plain["spans"] = write([(word.text, word.box, word.confidence) for word in cell.words])
        cells.append(plain)
    areas = [cell.area or cell.box for cell in table.cells]
    whole = around(area for area in areas if area is not None)
    table_span = {"offset": table_start, "length": len(content) - 1 - table_start}
    around_table(after)
    page = {
        "pageNumber": 1,
        "angle": angle,
        "width": WIDTH,
        "height": HEIGHT,
        "unit": "inch",
        "words": words,
        "lines": lines,
        "spans": [{"offset": 0, "length": len(content) - 1}],
    }
    result = {
        "apiVersion": "2024-11-30",
        "modelId": "prebuilt-layout",
        "stringIndexType": "unicodeCodePoint",
        "content": content[:-1],
        "pages": [page],
        "tables": [
            {
                "rowCount": table.n_rows,
                "columnCount": table.n_cols,
                "cells": cells,
                "boundingRegions": [{"pageNumber": 1, "polygon": polygon(whole)}],
                "spans": [table_span],
            }
        ],
        "styles": [],
        "contentFormat": "text",
    }
    return as_json(
        {
            "status": "succeeded",
            "createdDateTime": "2024-10-21T09:14:02Z",
            "lastUpdatedDateTime": "2024-10-21T09:14:05Z",
            "analyzeResult": result,
        }
    )
