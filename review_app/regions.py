"""The routes for a region that a person drew: read the table in it, and take it into gold as a table of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from review_app.settings import database, settings
from review_app.tokens import Capability
from store import gold, hiding, regions, table_types
from store.db import StoreError
from store.regions import Reading


def read(body: Mapping[str, Any], capability: Capability) -> Reading:
    """What an extractor finds in the region of a request; nothing is stored yet."""
    document, page, box = body.get("document"), body.get("page"), body.get("box")
    fits = isinstance(box, list) and len(box) == 4 and all(isinstance(side, int | float) for side in box)
    if type(document) is not int or type(page) is not int or not isinstance(box, list) or not fits:
        raise StoreError("expected document and page (whole numbers) and box (four fractions of the page)")
    if not all(map(math.isfinite, box)) or not (0 <= box[0] < box[2] <= 1 and 0 <= box[1] < box[3] <= 1):
        raise StoreError(f"box {box}, expected x0 < x1 and y0 < y1 as fractions 0 to 1 of the page")
    with database().read() as reader:
        hiding.expect_open(reader, document, capability.person)
        # A token for a table is good for its own document.
        if capability.gold and gold.gold(reader, capability.gold).document != document:
            raise StoreError("the token is of a table of another document")
    return regions.read(database(), settings().home, document, page, box)


def keep(reading: Reading, capability: Capability) -> tuple[int, Mapping[str, Any]]:
    """Store what was found as a run of its own, and tell its tables."""
    db = database()
    kept = regions.keep(db, reading, person=capability.person)
    with db.read() as reader:
        types = table_types.table_types(reader, project=reading.document.project)
    tables = []
    for entry in kept.tables:
        kind = table_types.fitting(types, entry.table, entry.name)
        tables.append(
            {
                "table": entry.id,
                "n_rows": entry.table.n_rows,
                "n_cols": entry.table.n_cols,
                "cells": [cell.to_json() for cell in entry.table.cells],
                "type": kind.shown if kind else "",
                "notes": list(entry.remarks),
            }
        )
    return 200, {"extractor": kept.extractor, "tables": tables}
