"""Seconds that the import of 100 two-page PDFs with extractions takes: python -m benchmarks.ingest"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import documents
from benchmarks.figures import Figure, best, printed
from benchmarks.server import imported

DOCUMENTS, ROWS, ROWS_ON_PAGE = 100, 50, 31


def main() -> int:
    """Print the figure; exit status 1 where the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="how many times to measure; the best run counts")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory(prefix="proofgrid-benchmark-") as folder:
        made = Path(folder, "documents")
        documents.write(made, count=DOCUMENTS, rows=ROWS, rows_on_page=ROWS_ON_PAGE, azure=True)
        figures = []
        for number in range(runs):
            home = Path(folder, f"run-{number}")
            first = imported(made, home, project="benchmark")
            again = imported(made, home, project="benchmark")
            figures.append(
                [
                    Figure(f"import of {DOCUMENTS} PDFs with extractions into a fresh home", [first], 60, "s"),
                    Figure("the same import again: nothing new", [again], unit="s"),
                ]
            )
    return 0 if printed(best(figures)) else 1


if __name__ == "__main__":
    sys.exit(main())
