"""How long an import of 100 two-page PDFs with their extractions takes: ``python -m benchmarks.ingest``."""

from __future__ import annotations

import io
import json
import tempfile
import time
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from store.db import Db
from store.home import Home
from store.ingest import ingest

DOCUMENTS = 100
ROWS = 40
LIMIT_SECONDS = 60.0


def document(number: int) -> tuple[bytes, bytes]:
    """A PDF of two pages and an Azure answer with one table and its words on each."""
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=(595, 842), invariant=True)
    pages, tables, offset = [], [], 0
    for page in (1, 2):
        words, cells = [], []
        for row in range(ROWS):
            for col in range(6):
                text, x, y = f"{number}-{page}-{row}-{col}", 50 + 80 * col, 40 + 19 * row
                canvas.drawString(x, 842 - y, text)
                box = [x / 72, (y - 12) / 72, (x + 60) / 72, y / 72]
                polygon = [box[0], box[1], box[2], box[1], box[2], box[3], box[0], box[3]]
                span = {"offset": offset, "length": len(text)}
                offset += len(text) + 1
                words.append({"content": text, "polygon": polygon, "confidence": 0.9, "span": span})
                region = {"pageNumber": page, "polygon": polygon}
                cells.append(
                    {"rowIndex": row, "columnIndex": col, "content": text, "spans": [span], "boundingRegions": [region]}
                )
        canvas.showPage()
        pages.append({"pageNumber": page, "width": 595 / 72, "height": 842 / 72, "unit": "inch", "words": words})
        tables.append({"rowCount": ROWS, "columnCount": 6, "cells": cells})
    canvas.save()
    answer = {"analyzeResult": {"content": "", "pages": pages, "tables": tables}}
    return held.getvalue(), json.dumps(answer).encode()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "in"
        files.mkdir()
        for number in range(DOCUMENTS):
            for suffix, raw in zip((".pdf", ".json"), document(number), strict=True):
                (files / f"doc{number}").with_suffix(suffix).write_bytes(raw)
        home = Home(Path(folder) / "home")
        db = Db(home.database)
        for what in ("import", "import again"):
            start = time.perf_counter()
            result = ingest(db, home, [files], person="benchmark")
            seconds = time.perf_counter() - start
            print(f"{what}: {seconds:.1f} s (limit {LIMIT_SECONDS:.0f} s). {result.summary()}")
        db.close()


if __name__ == "__main__":
    main()
