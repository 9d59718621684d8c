"""Writes what a real extractor returns for the sample documents: ``python -m benchmarks.sample_runs auto``.

``auto`` is that of Proofgrid, without models; ``pdfplumber`` must be installed (benchmarks/requirements.txt).
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from click.testing import CliRunner

from review_app.cli import main
from store.db import Db
from store.formats import extraction
from store.formats import pdfplumber as dump
from store.home import Home
from store.pages import PageSize

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "sample_runs"
DOCUMENTS = sorted((ROOT / "sample_docs").glob("*/*.pdf"))


def write_auto() -> None:
    """The answers of ``auto`` as they were received, on one line each."""
    with tempfile.TemporaryDirectory() as folder:
        for words in (["import", *map(str, DOCUMENTS)], ["extract", "--extractor", "auto"]):
            CliRunner().invoke(main, [*words, "--home", folder], catch_exceptions=False)
        db = Db(Home(Path(folder)).database)
        with db.read() as reader:
            answers = reader.query(
                "select document.name, received.body from extraction join document on document.id = document "
                "join received on received.sha256 = received"
            )
            for answer in list(answers):
                value = json.loads(answer["body"])
                _write("auto", answer["name"], value)


def write_pdfplumber() -> None:
    """The tables that pdfplumber finds with its default settings; none is an answer, too."""
    import pdfplumber  # type: ignore[import-not-found]

    for file in DOCUMENTS:
        with pdfplumber.open(file) as pdf:
            tables = [
                {"text": table.extract(), "bbox": table.bbox, "rows": [row.cells for row in table.rows], "page": number}
                for number, page in enumerate(pdf.pages, 1)
                for table in page.find_tables()
            ]
            sizes = [PageSize(at, float(page.width), float(page.height)) for at, page in enumerate(pdf.pages, 1)]
        read = dump.read(json.dumps(tables).encode(), name=file.name, pages=sizes).tables if tables else ()
        answer = extraction.write(read, extractor="pdfplumber", version=pdfplumber.__version__)
        _write("pdfplumber", file.name, json.loads(answer))


def _write(run: str, document: str, value: object) -> None:
    target = FOLDER / run / f"{Path(document).stem}.json"
    target.parent.mkdir(exist_ok=True)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    target.write_text(text + "\n", encoding="utf-8")
    print(target.relative_to(FOLDER), len(text))


if __name__ == "__main__":
    {"auto": write_auto, "pdfplumber": write_pdfplumber}[sys.argv[1]]()
