"""Seconds and memory to read HTML of 60,000 cells and Textract JSON of 100 MB: python -m benchmarks.formats"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, printed
from store.formats import FORMATS, recognise

CELLS, COLUMNS = 60_000, 20
MB = 1_000_000
MOST_MEMORY_MB = 1_000


def main() -> int:
    """Print the figures; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=100, help="size of the Textract answer")
    size = parser.parse_args().megabytes
    with tempfile.TemporaryDirectory(prefix="proofgrid-benchmark-") as folder:
        html, _ = _apart(Path(folder, "file.html"), _html())
        textract, peak = _apart(Path(folder, "file.textract"), _textract(size * MB))
    found = [
        Figure(f"HTML of {CELLS:,} cells recognised and read", html, 0.5, "s"),
        Figure(f"Textract JSON of {size} MB recognised and read", textract, 20 * size / 100, "s"),
        Figure("peak memory of that", [peak], MOST_MEMORY_MB, "MB"),
    ]
    return 0 if printed(found) else 1


def _apart(file: Path, raw: bytes) -> tuple[list[float], float]:
    """Seconds and peak memory of reading a file in a process of its own."""
    file.write_bytes(raw)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_read, (file,))


def _read(file: Path) -> tuple[list[float], float]:
    raw, kind, seconds = file.read_bytes(), file.suffix.removeprefix("."), []
    for _ in range(3 if kind == "html" else 1):
        started = time.perf_counter()
        name = recognise(raw, f"file.{kind}")
        assert name == kind, name
        tables = FORMATS[name].read(raw, name="file", pages=()).tables
        seconds.append(time.perf_counter() - started)
        assert sum(len(entry.table.cells) for entry in tables) >= CELLS // 2
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _html() -> bytes:
    row = "<tr>" + "".join(f"<td>{number}.50</td>" for number in range(COLUMNS)) + "</tr>"
    return f"<table>{row * (CELLS // COLUMNS)}</table>".encode()


def _textract(size: int) -> bytes:
    """An answer with pages of tables of 50 x 8 cells, written piece by piece until it is so large."""
    pieces, length, page = [], 0, 0
    while length < size:
        page += 1
        piece = ",".join(json.dumps(block) for block in _page(page))
        pieces.append(piece)
        length += len(piece)
    head = f'{{"DocumentMetadata":{{"Pages":{page}}},"AnalyzeDocumentModelVersion":"1.0","Blocks":['
    return f"{head}{','.join(pieces)}]}}".encode()


def _page(page: int, rows: int = 50, cols: int = 8) -> list[dict[str, Any]]:
    def placed(row: int, col: int, kind: str, name: str, **more: Any) -> dict[str, Any]:
        left, top = 0.05 + col * 0.1123456789, 0.05 + row * 0.0179876543
        box = {"Width": 0.0912345678, "Height": 0.0145678901, "Left": left, "Top": top}
        corners = [(left, top), (left + 0.0912, top), (left + 0.0912, top + 0.0145), (left, top + 0.0145)]
        polygon = [{"X": x, "Y": y} for x, y in corners]
        return {
            "BlockType": kind,
            "Id": name,
            "Confidence": 99.12345886230469,
            "Geometry": {"BoundingBox": box, "Polygon": polygon},
            "Page": page,
            **more,
        }

    cells, words = [], []
    for row in range(rows):
        for col in range(cols):
            cell, word = f"{page}-c-{row}-{col}", f"{page}-w-{row}-{col}"
            words.append(placed(row, col, "WORD", word, Text=f"{row * col}.50", TextType="PRINTED"))
            spans = {"RowIndex": row + 1, "ColumnIndex": col + 1, "RowSpan": 1, "ColumnSpan": 1}
            child = [{"Type": "CHILD", "Ids": [word]}]
            cells.append(placed(row, col, "CELL", cell, Relationships=child, **spans))
    ids = [cell["Id"] for cell in cells]
    return [placed(0, 0, "TABLE", f"{page}-t", Relationships=[{"Type": "CHILD", "Ids": ids}]), *cells, *words]


if __name__ == "__main__":
    sys.exit(main())
