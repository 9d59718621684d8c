"""Results logged to MLflow: CPU and wall time of each document with two tables: python -m benchmarks.tracking"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from sqlite_utils import Database

from benchmarks.figures import Figure, printed
from review_app.mlflow_log import Tracking
from review_app.mlflow_traces import steps
from review_app.tracked_runs import Results
from scoring.schema import TableType
from scoring.table import from_rows
from store.db import Db
from store.documents import add_document
from store.extractions import Run, add_extraction
from store.formats.contract import ReadTable
from store.gold import add_gold
from store.home import Home
from store.pages import PageSize
from store.reviews import add_verdict
from store.scored_documents import scored_documents
from store.scores import ComparedDocument, ScoredDocument, scored_document
from store.table_types import add_table_type

TARGET_MS = 60
ROWS, COLUMNS = 20, 6
HEAD = [f"column {number}" for number in range(COLUMNS)]


def main() -> int:
    """Print the figures; exit status 1 where the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100, help="how many documents, of two tables each")
    parser.add_argument("--runs", type=int, default=3, help="how often to measure")
    options = parser.parse_args()
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="proofgrid-benchmark-") as folder:
        place = Home(Path(folder))
        db = Db(place.database)
        _fill(db, place, options.documents)
        with db.read() as reader:
            scored = scored_documents(db, reader, project="benchmark")
            compared = partial(_compared, db, reader)
            for number in range(options.runs):
                results = Results(f"benchmark {number}", f"benchmark {number}", "reader", scored, compared)
                home = Path(folder, str(number))
                home.mkdir()
                uri = f"sqlite:///{home}/mlflow.db"
                tracking = Tracking(uri, "benchmark", artifacts=home / "artifacts")
                for what in ("logged: 3 runs, 8 files", "logged again: nothing to do", "traces: 3 spans"):
                    began, used = time.perf_counter(), time.process_time()
                    if what.startswith("traces"):
                        tracking.trace(results.key, list(steps(results, reader)), results)
                    else:
                        logged = tracking.log(results, "full", person="ann", told=lambda _: None)
                        assert logged.made == (results.runs("full") if what.startswith("logged:") else 0)
                    for kind, spent in (("CPU", time.process_time() - used), ("wall", time.perf_counter() - began)):
                        found.setdefault(f"{what}, {kind}", []).append(1000 * spent / options.documents)
    figures = [
        Figure(f"each document {what}", values, TARGET_MS if what.startswith("logged:") and "CPU" in what else None)
        for what, values in found.items()
    ]
    return 0 if printed(figures) else 1


def _compared(db: Db, reader: Database, entry: ScoredDocument) -> ComparedDocument:
    return scored_document(db, reader, entry.document.id)


def _fill(db: Db, place: Home, documents: int) -> None:
    columns = [{"name": name} for name in HEAD]
    for kind in ("lines", "taxes"):
        add_table_type(db, TableType.from_json({"name": kind, "columns": columns}), project="benchmark")
    for number in range(documents):
        document, _ = add_document(
            db,
            place,
            b"%PDF-1.7 " + str(number).encode(),
            name=f"order-{number:05}.pdf",
            media_type="application/pdf",
            pages=[PageSize(1, 595, 842)],
            person="ann",
            project="benchmark",
        )
        rows = [[f"{number}-{row}-{col}" for col in range(COLUMNS)] for row in range(ROWS)]
        wrong = [
            [f"{text}?" if col == 2 and row % 5 == 0 else text for col, text in enumerate(line)]
            for row, line in enumerate(rows)
        ]
        gold, read = from_rows([HEAD, *rows], header_rows=1), from_rows([HEAD, *wrong], header_rows=1)
        add_extraction(
            db,
            document.id,
            str(number).encode(),
            file_name="answer.json",
            run=Run("reader", "1"),
            format_name="proofgrid",
            tables=[ReadTable("lines", read), ReadTable("taxes", gold)],
            notes=(),
            person="ann",
        )
        for kind in ("lines", "taxes"):
            added, _ = add_gold(db, document.id, gold, name=kind, base="blank", person="ann", table_type=kind)
            add_verdict(db, added.id, verdict="accept", person="ann", id=f"{kind}-{number}", at_revision=0)


if __name__ == "__main__":
    sys.exit(main())
