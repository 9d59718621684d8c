"""The commands on releases, on documents whose figures can be worked out by hand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from review_app.cli import main
from store.db import Db
from store.documents import add_document
from store.home import Home
from store.pages import PageSize
from tests.released_gold import judge, put
from tests.six_documents import six_documents


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return six_documents(tmp_path_factory.mktemp("six") / "home").folder


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "copy"))


def proofgrid(home: Path, *words: object, status: int = 0) -> str:
    done = CliRunner().invoke(main, [*map(str, words), "--home", str(home)])
    assert done.exit_code == status, done.output
    return done.output


def test_a_release_is_made_listed_and_shown(home: Path) -> None:
    assert "There is no release yet" in proofgrid(home, "release", "list")
    told = proofgrid(home, "release", "make", "2026-12", "--note", "to train on")
    assert told.startswith("hand, 2026-12 (to train on): 6 tables of 6 documents, made by ")
    assert proofgrid(home, "release", "list") == told
    first, *tables = proofgrid(home, "release", "show", "2026-12").splitlines()
    assert first + "\n" == told
    assert len(tables) == 6
    assert any(line.startswith("  right.pdf: lines, revision 0, type lines ") for line in tables)
    assert all("accepted by ann on 20" in line for line in tables)


def test_a_release_as_json_has_all_that_its_signature_covers(home: Path) -> None:
    made = json.loads(proofgrid(home, "release", "make", "first", "--json"))
    (listed,) = json.loads(proofgrid(home, "release", "list", "--json"))["releases"]
    shown = json.loads(proofgrid(home, "release", "show", "first", "--json"))
    members = shown.pop("members")
    assert made == listed == shown
    assert (made["tables"], made["documents"], made["project"]) == (6, 6, "hand")
    assert {"document_sha256", "name", "table_type", "revision", "sha256", "type_signature", "guidelines"} <= {
        *members[0]
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("make", "first"), "project 'hand' has a release 'first' already"),
        (("make", " x"), "the release is called ' x', expected a name without spaces around it"),
        (("make", "x", "--project", "nowhere"), "project 'nowhere' holds no document"),
        (("show", "x"), "there is no release 'x'; expected one of: first"),
    ],
)
def test_what_is_refused_is_told_in_words_with_status_2(home: Path, words: tuple[str, ...], message: str) -> None:
    proofgrid(home, "release", "make", "first")
    assert message in proofgrid(home, "release", *words, status=2)


def test_where_there_are_several_projects_one_has_to_be_named(home: Path) -> None:
    db = Db(home / "proofgrid.db")
    size = [PageSize(1, 9, 9)]
    media = "application/pdf"
    add_document(db, Home(home), b"%PDF", name="a.pdf", media_type=media, pages=size, person="ann", project="other")
    db.close()
    assert "--project is needed, one of: hand, other" in proofgrid(home, "release", "make", "first", status=2)
    assert "no table of project 'other' is accepted" in proofgrid(
        home, "release", "make", "first", "--project", "other", status=2
    )
    proofgrid(home, "release", "make", "first", "--project", "hand")
    assert "6 tables" in proofgrid(home, "release", "show", "first")


def test_verify_covers_releases(home: Path) -> None:
    proofgrid(home, "release", "make", "first")
    assert "Nothing differs" in proofgrid(home, "verify")
    db = Db(home / "proofgrid.db")
    with db.write() as writer:
        writer.conn.execute("drop trigger release_no_update")
        writer.conn.execute("update release set signature = 'x'")
    db.close()
    assert "release first of project hand: its tables have the signature" in proofgrid(home, "verify", status=1)


def test_the_passport_counts_cells_and_tells_each_as_json(home: Path) -> None:
    proofgrid(home, "release", "make", "first")
    _, table, counts, *_ = proofgrid(home, "release", "show", "first", "--passport").splitlines()
    assert table.startswith("  ")
    assert counts == "    cells 9, from blank 9, looked at: never 9"
    members = json.loads(proofgrid(home, "release", "show", "first", "--passport", "--json"))["members"]
    assert {cell["looked_at"] for table in members for cell in table["cells"]} == {"never"}


def test_a_release_is_exported_with_what_it_is(home: Path, tmp_path: Path) -> None:
    made = json.loads(proofgrid(home, "release", "make", "first", "--json"))
    out = tmp_path / "out"
    assert "13 files written" in proofgrid(home, "export", "--release", "first", "-o", out)
    (told,) = out.glob(f"release-{made['signature'][:8]}.json")
    assert json.loads(told.read_text(encoding="utf-8"))["name"] == "first"
    assert len([*out.glob("*.gold.json")]) == len([*out.glob("*.lines.passport.json")]) == 6
    assert "--open-too and --release" in proofgrid(
        home, "export", "--release", "first", "--open-too", "-o", out, status=2
    )


def test_the_difference_of_two_releases_is_told_down_to_the_cell(home: Path) -> None:
    proofgrid(home, "release", "make", "old")
    db = Db(home / "proofgrid.db")
    put(db, 1, 1, 0, "nail")
    db.close()
    proofgrid(home, "release", "make", "new")
    assert proofgrid(home, "release", "diff", "old", "new").splitlines() == [
        "From old to new: 0 tables added, 0 removed, 1 changed, 5 the same",
        "  changed: right.pdf: lines, revision 0 to 1",
        "      row 2, column 1: 'bolt' to 'nail'",
        "",
        "Cell F1 on the 6 tables that both hold, as far as each run was asked for them:",
        "  run 1, reader 1, 6 tables: 78.6 % under old, 75.0 % under new; moved by gold -3.6, by table types 0.0",
        "  run 2, reader 1, repeat 2, 2 tables: 91.7 % under old, 83.3 % under new; "
        "moved by gold -8.3, by table types 0.0",
        "",
        "From a run under old to the next one under new, on the tables of both:",
        "  run 1 to run 2, 2 tables: -8.3 in all; by gold -8.3, by table types 0.0, by the extractor 0.0",
    ]
    told = json.loads(proofgrid(home, "release", "diff", "old", "new", "--json"))
    assert told["tables"][0]["cells"] == [{"row": 1, "col": 0, "what": "text", "old": "bolt", "new": "nail"}]
    assert [run["old"]["matched"] - run["new"]["matched"] for run in told["runs"]] == [1, 1]
    assert "there is no release 'x'" in proofgrid(home, "release", "diff", "old", "x", status=2)


def test_a_scan_tells_what_stands_twice_and_may_fail(home: Path, tmp_path: Path) -> None:
    proofgrid(home, "release", "make", "train")
    lines = proofgrid(home, "release", "scan", "train").splitlines()
    assert lines[:2] == [
        "6 pairs among its 6 documents:",
        "  100.0 % of texts in common: duplicate-row.pdf and no-answer.pdf (release train)",
    ]
    assert lines[-1].startswith("2 of all have fewer than 6 texts in their tables, or no tables")
    rows = tmp_path / "rows.csv"
    rows.write_text("article,quantity,price\nscrew,5,3.33\nhook,7,8.10\n", encoding="utf-8")
    assert "0 pairs between it and 1 other." in proofgrid(home, "release", "scan", "train", rows)
    told = json.loads(proofgrid(home, "release", "scan", "train", "--json", "--fail-on-found", status=1))
    assert (len(told["within"]), told["across"], told["least_share"], told["least_texts"]) == (6, [], 0.8, 6)
    itself = proofgrid(home, "release", "scan", "train", "--against", "train", "--fail-on-found", status=1)
    assert "  the same bytes: right.pdf and right.pdf (release train)" in itself
    assert "project 'x' holds no document" in proofgrid(
        home, "release", "scan", "train", "--against-project", "x", status=2
    )


def test_a_score_against_a_release_stays_whatever_is_corrected_since(home: Path) -> None:
    proofgrid(home, "release", "make", "2026-12")
    before = proofgrid(home, "score", "--release", "2026-12")
    assert before.startswith("against release 2026-12 of hand (")
    held = "\n".join(before.splitlines()[1:])
    assert proofgrid(home, "score").startswith(held)  # after which it tells of repeats
    db = Db(Home(home).database)
    with db.read() as reader:
        (key,) = reader.execute("select min(id) from gold").fetchone()
    put(db, key, 1, 1, "changed since")
    db.close()
    assert proofgrid(home, "score", "--release", "2026-12") == before
    assert not proofgrid(home, "score").startswith(held)


def test_a_release_holds_scores_also_of_a_table_that_is_open_again(home: Path) -> None:
    proofgrid(home, "release", "make", "2026-12")
    held = json.loads(proofgrid(home, "score", "--release", "2026-12", "--json"))
    db = Db(Home(home).database)
    with db.read() as reader:
        (key,) = reader.execute("select min(id) from gold").fetchone()
    judge(db, key, "reopen")
    db.close()
    again = json.loads(proofgrid(home, "score", "--release", "2026-12", "--json"))
    assert again["metrics"] == held["metrics"]
    assert again["release"]["name"] == "2026-12"
    assert len(json.loads(proofgrid(home, "score", "--json"))["documents"]) == len(held["documents"]) - 1


def test_a_gate_holds_against_a_release_and_a_pull_request_is_told_which(home: Path, tmp_path: Path) -> None:
    proofgrid(home, "release", "make", "2026-12")
    told = proofgrid(
        *(home, "score", "--release", "2026-12", "--fail-under", "cell_f1=1", "--markdown", tmp_path / "told.md"),
        status=1,
    )
    assert "cell_f1 is" in told
    assert (tmp_path / "told.md").read_text(encoding="utf-8").startswith("Scores against release 2026\\-12 of hand")


def test_a_score_against_a_release_that_is_not_there_names_those_that_are(home: Path) -> None:
    proofgrid(home, "release", "make", "2026-12")
    told = proofgrid(home, "score", "--release", "2026-11", status=2)
    assert "there is no release '2026-11'; expected one of: 2026-12" in told
