from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from review_app.cli import main
from scoring.table import from_rows
from store.db import Db
from store.documents import add_document
from store.edits import SetText, TextChange
from store.extractions import Run, add_extraction
from store.formats import ReadTable, proofgrid_json
from store.gold import NewEdit, add_edits, add_gold
from store.home import Home
from store.pages import PageSize


def filled(home: Home) -> None:
    """A table with two corrections; the second run repeats the first mistake and makes another of the second."""
    db = Db(home.database)
    size = [PageSize(1, 9, 9)]
    document, _ = add_document(
        db, home, b"%PDF", name="a.pdf", media_type="application/pdf", pages=size, person="ann", project="p"
    )
    for name, price in (("first", "O.40"), ("second", "6.40")):
        rows = from_rows([["item", "price"], ["bo1t", "1.20"], ["nut", price]], header_rows=1)
        stored, _ = add_extraction(
            db,
            document.id,
            name.encode(),
            file_name="x.json",
            run=Run(name),
            format_name="json",
            tables=[ReadTable("t", rows)],
            notes=(),
            person="ann",
        )
        if name == "first":
            gold, _ = add_gold(
                db, document.id, rows, name="t", base="extraction", person="ann", extracted_table=stored.tables[0].id
            )
            change = SetText((TextChange(1, 0, "bo1t", "bolt"), TextChange(2, 1, "O.40", "0.40")))
            add_edits(db, gold.id, [NewEdit("edit-0001", change)], person="bob", after=0)
    db.close()


def proofgrid(home: Home, *words: object, status: int = 0) -> str:
    done = CliRunner().invoke(main, ["replay", *map(str, words), "--home", str(home.folder)])
    assert done.exit_code == status, done.output
    return done.output


def test_corrections_are_replayed_listed_and_written(home: Home, tmp_path: Path) -> None:
    filled(home)
    out = tmp_path / "out"
    assert proofgrid(home, 2, "-o", out, "--fail-on-conflict", status=1).splitlines() == [
        "a.pdf: t: 1 applied, 0 agree, 1 conflict",
        "    row 3, column 2: the newer extraction has another text than the first: "
        "first 'O.40', corrected '0.40', newer '6.40'",
    ]
    (file,) = out.iterdir()
    (written,) = proofgrid_json.read_gold(file.read_bytes()).tables
    assert (written.name, written.table.text_at(1, 0), written.table.text_at(2, 1)) == ("t", "bolt", "6.40")
    (told,) = json.loads(proofgrid(home, 2, "--json"))["tables"]
    assert told["counts"] == {"applied": 1, "conflict": 1}


def test_a_run_that_is_not_there_and_one_with_nothing_to_replay_are_told(home: Home) -> None:
    filled(home)
    assert "there is no run 7" in proofgrid(home, 7, status=2)
    assert "No table that people corrected began from another extraction than that of run 1" in proofgrid(home, 1)
