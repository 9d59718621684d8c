"""Seconds and memory that 10,000 small documents with an extraction each take: python -m benchmarks.import_many

With ``--json-lines MB`` one JSON Lines file of that size is imported too, a line for each document.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.figures import Figure, printed
from store.db import Db
from store.extractors.fixtures import pdf
from store.home import Home
from store.ingest import ingest

ROWS = 3


def main() -> int:
    """Print the figures; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000, help="how many documents are imported")
    parser.add_argument("--json-lines", type=int, default=0, metavar="MB", help="size of a JSON Lines file")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="proofgrid-benchmark-") as folder:
        files, home = Path(folder, "files"), Path(folder, "home")
        files.mkdir()
        for number in range(asked.documents):
            (files / f"order-{number:05}.pdf").write_bytes(pdf([f"Order {number}"]))
            (files / f"order-{number:05}.json").write_text(json.dumps(records(number, ROWS)))
        seconds, busy, peak = _apart(home, files)
        again, _, _ = _apart(home, files)
        limit = 120 * asked.documents / 10_000
        found = [
            Figure(f"import of {asked.documents} documents with an extraction each", [seconds], limit, "s"),
            Figure("of that processor time, however busy the machine", [busy], unit="s"),
            Figure("the same import again: nothing new", [again], unit="s"),
            Figure("peak memory of the import", [peak], 500, "MB"),
        ]
        if asked.json_lines:
            lines = Path(folder, "answers.jsonl")
            _write_lines(lines, asked.documents, asked.json_lines)
            seconds, busy, peak = _apart(home, lines)
            size = lines.stat().st_size / 1e6
            found += [
                Figure(f"import of JSON Lines of {size:.0f} MB", [seconds], unit="s"),
                Figure("of that processor time", [busy], unit="s"),
                Figure("peak memory of that import", [peak], 500, "MB"),
            ]
    return 0 if printed(found) else 1


def records(number: int, rows: int) -> dict[str, object]:
    """An answer with one field and so many rows, each with a confidence."""
    lines = [
        {
            "item": f"bolt {number}-{row}",
            "quantity": str(row + 1),
            "price": f"{row}.{number % 100:02}",
            "confidence": 0.9,
        }
        for row in range(rows)
    ]
    return {"number": f"INV-{number}", "rows": lines}


def _write_lines(file: Path, documents: int, megabytes: int) -> None:
    rows = max(1, megabytes * 1_000_000 // documents // 85)
    with file.open("w") as lines:
        for number in range(documents):
            lines.write(json.dumps({"document": f"order-{number:05}.pdf", "answer": records(number, rows)}) + "\n")


def _apart(home: Path, *paths: Path) -> tuple[float, float, float]:
    """Seconds, processor time and peak memory in MB of an import in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_imported, (home, paths))


def _imported(home: Path, paths: tuple[Path, ...]) -> tuple[float, float, float]:
    place = Home(home)
    db = Db(place.database)
    start, busy = time.perf_counter(), time.process_time()
    done = ingest(db, place, paths, person="benchmark", project="benchmark")
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    db.close()
    if done.refused:
        raise SystemExit(f"refused: {done.refused[0].line()}")
    return (
        seconds,
        busy,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3),
    )


if __name__ == "__main__":
    sys.exit(main())
