"""PubTabNet: a line of JSON for each table with its structure and cells as tokens, and an image of the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from scoring.table import Table
from store.comparison import Comparison
from store.exports.images import Picture, table_picture
from store.exports.written import ByDocument, Export, Given, with_ids


def write(documents: ByDocument, given: Given) -> Iterator[Export]:
    """``pubtabnet.jsonl`` and ``train/<table>.png``; boxes are pixels of the image."""
    lines: list[str] = []
    for tables in documents:
        for id, entry in with_ids(tables):
            picture = table_picture(entry, given)
            if picture:
                yield Export(f"train/{id}.png", picture.body)
            lines.append(json.dumps(_line(id, entry, len(lines), picture), ensure_ascii=False))
    yield Export("pubtabnet.jsonl", "".join(f"{line}\n" for line in lines).encode())


def _line(id: str, entry: Comparison, number: int, picture: Picture | None) -> dict[str, Any]:
    table = entry.sheet.table
    return {
        "filename": f"{id}.png",
        "split": "train",
        "imgid": number,
        "html": {"structure": {"tokens": list(_structure(table))}, "cells": list(_cells(table, picture))},
    }


def _structure(table: Table) -> Iterator[str]:
    head = table.header_rows
    for section, rows in (("thead", range(head)), ("tbody", range(head, table.n_rows))):
        if not rows:
            continue
        yield f"<{section}>"
        for row in rows:
            yield "<tr>"
            for col in range(table.n_cols):
                cell = table.at(row, col)
                if cell is None or (cell.row_span == cell.col_span == 1):
                    yield from ("<td>", "</td>")
                elif (cell.row, cell.col) == (row, col):
                    yield "<td"
                    yield from (
                        f' {name}="{span}"'
                        for name, span in (("rowspan", cell.row_span), ("colspan", cell.col_span))
                        if span > 1
                    )
                    yield from (">", "</td>")
            yield "</tr>"
        yield f"</{section}>"


def _cells(table: Table, picture: Picture | None) -> Iterator[dict[str, Any]]:
    """The cells in the order of their ``<td>``; a hole is an empty one."""
    for row in range(table.n_rows):
        for col in range(table.n_cols):
            cell = table.at(row, col)
            if cell is not None and (cell.row, cell.col) != (row, col):
                continue
            entry: dict[str, Any] = {"tokens": list(cell.text) if cell else []}
            if cell and cell.text and picture and (box := picture.pixels(cell.box)):
                entry["bbox"] = list(box)
            yield entry
