"""The review of one table as the JSON of docs/review_api.md."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Mapping
from typing import Any

from scoring.schema import bind
from store import edit_json
from store.comparison import Comparison
from store.documents import Document
from store.gold import StoredEdit
from store.pages import TILE_SHARPNESS, PageSize

IMAGE_DPI = 150
# Texts of first extractions that are kept, since they never change: some 10,000 cells are 3 MB.
KEPT_TEXTS = 16

_texts: dict[tuple[object, ...], str] = {}
_turn = threading.Lock()


def refreshed(comparison: Comparison) -> dict[str, Any]:
    """What changes with every edit: alignment, columns, doubts and failed checks."""
    return {
        "aligned": {"rows": aligned_rows(comparison), "cols": _aligned_cols(comparison)},
        "columns": _columns(comparison),
        "doubts": [
            {"row": doubt.row, "col": doubt.col, "level": doubt.level, "reasons": list(doubt.reasons)}
            for doubt in comparison.doubts
        ],
        "findings": [
            {"row": finding.row, "col": finding.col, "message": finding.message} for finding in comparison.findings
        ],
    }


def aligned_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """The rows of both tables in the order in which they are shown.

    A gold row stands with its match. A first-extraction row without a match stands after the
    match of the row before it in its own table, so that a duplicate follows its original.
    """
    alignment = comparison.alignment
    match = dict(alignment.rows)
    header = comparison.sheet.table.header_rows
    shown: list[tuple[int | None, int | None, str]] = [
        (row, match.get(row), "header" if row < header else "matched" if row in match else "missed")
        for row in range(comparison.sheet.table.n_rows)
    ]
    duplicates = set(alignment.duplicates)
    for row in sorted({*alignment.extra, *duplicates}):
        before = [(first, place) for place, (_, first, _) in enumerate(shown) if first is not None and first < row]
        place = max(before)[1] if before else header - 1
        shown.insert(place + 1, (None, row, "duplicate" if row in duplicates else "extra"))
    return [{"gold": gold, "first": first, "kind": kind} for gold, first, kind in shown]


def first_extraction(comparison: Comparison) -> dict[str, Any] | None:
    """The first extraction of the table with its badges and the notes of what was repaired."""
    if comparison.extraction is None or comparison.first is None:
        return None
    table = comparison.first.table
    return {
        "extraction": comparison.extraction.id,
        "extractor": comparison.extraction.extractor,
        "received_at": comparison.extraction.received_at,
        "sha256": comparison.extraction.received_sha256,
        "n_rows": table.n_rows,
        "n_cols": table.n_cols,
        "cells": [cell.to_json() for cell in table.cells],
        "badges": [
            {"row": cell.row, "col": cell.col, "level": given.level, "reason": given.reason}
            for cell in table.cells
            if not cell.header
            for given in (comparison.badge(cell),)
        ],
        "place": comparison.first.place,
        "boxes": [box.to_json() for box in comparison.first.boxes],
        "notes": [*comparison.extraction.notes, *comparison.first.remarks],
    }


def written(table: Mapping[str, Any]) -> bytes:
    """The answer with everything of a table as the bytes to send; ``first`` is a text already, or None."""
    rest = {key: part for key, part in table.items() if key != "first"}
    text = json.dumps(rest, ensure_ascii=False, separators=(",", ":"))
    return f'{text[:-1]},"first":{table["first"] or "null"}}}'.encode()


def first_text(comparison: Comparison) -> str | None:
    """The first extraction of the table as JSON text; kept, as it changes with table type and thresholds alone."""
    if comparison.extraction is None or comparison.first is None:
        return None
    extraction, reads = comparison.extraction, tuple(comparison.page_reads.items())
    limits = tuple(comparison.limits[1].items())
    # What is received at the same moment under the same numbers is the same, in whatever home.
    key = (extraction.id, extraction.received_at, extraction.received_sha256, comparison.first.id, reads, limits)
    with _turn:
        if (kept := _texts.get(key)) is not None:
            return kept
    made = json.dumps(first_extraction(comparison), ensure_ascii=False, separators=(",", ":"))
    with _turn:
        _texts[key] = made
        while len(_texts) > KEPT_TEXTS:
            del _texts[next(iter(_texts))]
    return made


def history(stored: tuple[StoredEdit, ...]) -> list[dict[str, Any]]:
    """The edit log, oldest first."""
    return [
        {
            "id": edit.id,
            "edit": edit_json.to_json(edit.edit),
            "undoes": edit.undoes,
            "source": edit.source,
            "person": edit.person,
            "at": edit.made_at,
        }
        for edit in stored
    ]


def document_json(document: Document, of: tuple[PageSize, ...]) -> dict[str, Any]:
    """A document with its pages, their size and addresses."""
    digest, is_pdf = document.sha256, document.media_type == "application/pdf"
    pages = [
        {
            "number": page.number,
            "width": round(page.width, 2),
            "height": round(page.height, 2),
            "image": f"/api/page/{digest}/{page.number}@{IMAGE_DPI}.webp",
            "tiles": f"/api/tile/{digest}/{page.number}",
            "sharpest": TILE_SHARPNESS[-1 if is_pdf else 0],
            "words": f"/api/words/{digest}/{page.number}",
        }
        for page in of
    ]
    return {"id": document.id, "sha256": digest, "name": document.name, "project": document.project, "pages": pages}


def places(comparison: Comparison) -> list[dict[str, int]]:
    """How many cells of gold, and doubtful ones, stand on which page, as far as their place is known."""
    doubts = {(doubt.row, doubt.col) for doubt in comparison.doubts}
    cells: Counter[int] = Counter()
    doubtful: Counter[int] = Counter()
    for cell in comparison.sheet.table.cells:
        if cell.box:
            cells[cell.box.page] += 1
            doubtful[cell.box.page] += (cell.row, cell.col) in doubts
    return [{"page": page, "cells": cells[page], "doubts": doubtful[page]} for page in sorted(cells)]


def _aligned_cols(comparison: Comparison) -> list[dict[str, Any]]:
    match = dict(comparison.alignment.cols)
    matched = set(match.values())
    shown: list[dict[str, Any]] = [
        {"gold": col, "first": match.get(col)} for col in range(comparison.sheet.table.n_cols)
    ]
    shown += [{"gold": None, "first": col} for col in range(comparison.first_table.n_cols) if col not in matched]
    return shown


def _columns(comparison: Comparison) -> list[dict[str, Any] | None]:
    kind = comparison.table_type
    if kind is None:
        return [None] * comparison.sheet.table.n_cols
    named = [kind.columns[at] if at is not None else None for at in bind(comparison.sheet.table, kind).columns]
    return [
        {
            "name": column.name,
            "label": column.shown,
            "type": column.type,
            "required": column.required,
            "key": column.key,
        }
        if column
        else None
        for column in named
    ]
