from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from review_app.cli import main
from review_app.serving import sample_folders
from store import extractions
from store.db import Db
from store.home import Home
from store.ingest import ingest


def told(home: Home, *words: str) -> dict[str, object]:
    done = CliRunner().invoke(main, [*words, "--home", str(home.folder), "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def test_the_demo_has_results_and_two_runs_to_compare_beside_the_first_extractions(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    db = Db(home.database)
    samples, runs = sample_folders()
    ingest(db, home, [samples], person="demo", project="samples")
    before = told(home, "score", "--project", "samples")
    done = ingest(db, home, [runs], person="demo", project="samples")
    assert {entry.outcome for entry in done.entries} == {"new"}
    # The first extractions are still what is scored.
    assert told(home, "score", "--project", "samples")["metrics"] == before["metrics"]
    with db.read() as reader:
        named = {name: key for key, name in extractions.runs(reader, project="samples")}
    [auto] = [key for name, key in named.items() if name.startswith("auto ")]
    [other] = [key for name, key in named.items() if name.startswith("pdfplumber ")]
    compared: Any = told(home, "compare", str(auto), str(other))
    assert len(compared["documents"]) == 4
    assert len({(entry["passed_a"], entry["passed_b"]) for entry in compared["documents"]}) > 1
    gate = ["compare", str(auto), str(other), "--fail-on-regression", "--home", str(home.folder)]
    refused = CliRunner().invoke(main, gate)
    assert (refused.exit_code, refused.stderr) == (1, "Too few documents to tell: 4, expected at least 6\n")
