from __future__ import annotations

import io
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from review_app.cli import main

SAMPLES = Path(__file__).parents[2] / "sample_docs"
COMMAND = Path(sys.executable).with_name("proofgrid")
FINISHED = ("invoice-printer", "price-list-arabic")


def environment(home: Path | None = None) -> dict[str, str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PROOFGRID_")}
    return plain if home is None else {**plain, "PROOFGRID_HOME": str(home)}


def proofgrid(*words: object, home: Path | None = None, status: int = 0) -> subprocess.CompletedProcess[str]:
    """What the command printed; its exit status is as expected and nobody was shown a traceback."""
    done = subprocess.run(
        [str(COMMAND), *map(str, words)], capture_output=True, text=True, check=False, env=environment(home)
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def pdf(text: str, **options: Any) -> bytes:
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=(300, 200), invariant=True, **options)
    canvas.drawString(20, 100, text)
    canvas.showPage()
    canvas.save()
    return held.getvalue()


def put(file: Path, content: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())


def scores(home: Path, *words: object) -> Any:
    return json.loads(proofgrid("score", "--json", *words, home=home).stdout)


def with_dates_taken_out(found: Any) -> Any:
    """The scores without what tells two homes apart."""
    return [
        (one["document"], one["passed"], [(table["name"], table["report"]) for table in one["tables"]])
        for one in found["documents"]
    ]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with two finished samples; copy it, do not change it."""
    home = tmp_path_factory.mktemp("filled") / "home"
    done = proofgrid("import", *(SAMPLES / name for name in FINISHED), "--project", "samples", home=home)
    assert done.stdout.endswith("New: 2 table types files, 2 documents, 2 extractions, 2 gold files.\n")
    return home


@pytest.fixture
def home(filled: Path, tmp_path: Path) -> Path:
    return shutil.copytree(filled, tmp_path / "home")


# --- import -----------------------------------------------------------------------------------------------------


def test_the_same_import_again_stores_nothing(home: Path) -> None:
    before = scores(home)
    done = proofgrid("import", *(SAMPLES / name for name in FINISHED), "--project", "samples", home=home)
    assert done.stdout.endswith("New: nothing; already there: 8.\n")
    assert scores(home) == before


def test_import_as_json_tells_each_file_with_its_notes(tmp_path: Path) -> None:
    done = proofgrid("import", SAMPLES / "certificate-steel", "--json", "--home", tmp_path / "home")
    told = json.loads(done.stdout)
    assert told["summary"].startswith("New: 1 table types file, 1 document")
    (extraction,) = (file for file in told["files"] if file["what"] == "extraction")
    assert extraction["outcome"] == "new"
    assert "not UTF-8 (line 1): read as windows-1252, which is a guess" in extraction["notes"]


def test_a_dry_run_says_the_same_and_stores_nothing(tmp_path: Path) -> None:
    words = ("import", SAMPLES / "certificate-steel", "--home", tmp_path / "home")
    planned = proofgrid(*words, "--dry-run").stdout
    assert not (tmp_path / "home").exists()
    assert planned == proofgrid(*words).stdout


OVERLAP = {"n_rows": 1, "n_cols": 2, "cells": [{"row": 0, "col": 0, "col_span": 2}, {"row": 0, "col": 1, "text": "b"}]}

# What lies in the folder, and what is said of it. In each folder stands a document of its own.
REFUSED: dict[str, tuple[bytes | Any, str]] = {
    "encrypted/order.pdf": (pdf("secret", encrypt="word"), "is encrypted and needs a password; give its password"),
    "empty/order.pdf": (b"", "the file is empty (0 bytes)"),
    "truncated/order.pdf": (pdf("half")[:400], "is a PDF that is cut off (its end is missing); get the file again"),
    "no-pdf/order.pdf": (b"Dear Sir,\nplease find", "begins with b'Dear Sir,\\npl', expected a PDF, PNG or JPEG file"),
    "cut/cut.json": (b'{"rows": [\n  {"item": "bolt", "pri', "line 2, column 20: the JSON ends too early"),
    "empty-json/empty.json": ([], "/: a list of 0 entries, expected fields or a list of records"),
    "single/single.json": (b'"only a text"', "/: a single value, expected fields or a list of records"),
    "newer/newer.json": ({"proofgrid": "gold/9", "tables": []}, "/proofgrid: 'gold/9', expected 'gold/1'; written by"),
    "running/running.json": ({"status": "running", "analyzeResult": None}, "status 'running' and no analyzeResult"),
    "overlap/order.gold.json": (
        {"proofgrid": "gold/1", "tables": [{"name": "rows", "table": OVERLAP}]},
        "/tables/0/table: cells '' (row 0, column 0) and 'b' (row 0, column 1) both cover row 0, column 1",
    ),
    "wrong-type/table_types.json": (
        {"proofgrid": "table-types/1", "table_types": [{"name": "rows", "columns": [{"name": "a", "type": "money"}]}]},
        "/table_types/0: columns[0].type is 'money', expected one of text, integer, number",
    ),
    "binary/order.csv": (b"PK\3\4\0\0\0\0\0\0 a spreadsheet", "line 1: a zero byte, expected text"),
    "orphan.json": ({"total": "3"}, "belongs to an unknown document: expected one named 'orphan' beside it or in the"),
    "of-refused/order.json": ({"total": "3"}, "belongs to order.pdf, which was refused"),
}
KEPT: dict[str, tuple[bytes | Any, str]] = {
    "windows/order.csv": ("item;price\nSchräge;1,20 €\nÖse;0,40 €\n".encode("cp1252"), "not UTF-8 (line 2): read as"),
    "utf16/order.csv": ("item;price\nSchräge;1,20 €\n".encode("utf-16"), "table 1 (2 x 2)"),
    "overlap-html/order.html": (
        b"<table><tr><td>a</td><td rowspan=2>b</td></tr><tr><td colspan=2>c</td></tr></table>",
        "table 1: row 2, column 1: also covered the cell 'b' at row 1, column 2 and was made smaller",
    ),
    "good/order.json": ({"rows": [{"item": "bolt", "price": "1.20"}]}, "json-records, of order.pdf: rows (2 x 2)"),
}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A folder of good and bad files, and what the import of it said."""
    folder = tmp_path_factory.mktemp("mixed")
    for name, (content, _) in (REFUSED | KEPT).items():
        put(folder / name, content)
        if not name.endswith(".pdf") and "/" in name and not name.startswith("of-refused"):
            put(folder / name.split("/")[0] / "order.pdf", pdf(name))
    put(folder / "of-refused" / "order.pdf", pdf("cut off")[:300])
    put(folder / "twice" / "order.pdf", pdf("good/order.json"))
    put(folder / "twice" / "order.json", KEPT["good/order.json"][0])
    put(folder / os.fsdecode(b"caf\xe9.pdf"), pdf("a name in another character set"))
    return folder, proofgrid("import", folder, home=folder.parent / f"{folder.name}-home", status=1)


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_file_is_refused_with_its_name_its_place_and_the_reason(
    mixed: tuple[Path, subprocess.CompletedProcess[str]], name: str
) -> None:
    folder, done = mixed
    (line,) = (line for line in done.stderr.splitlines() if f"{folder / name}:" in line)
    assert line.startswith("refused ")
    assert REFUSED[name][1] in line


@pytest.mark.parametrize("name", KEPT)
def test_the_rest_is_imported_and_what_was_repaired_is_told(
    mixed: tuple[Path, subprocess.CompletedProcess[str]], name: str
) -> None:
    folder, done = mixed
    lines = done.stdout.splitlines()
    at = next(at for at, line in enumerate(lines) if f"{folder / name}:" in line)
    notes = [line for line in lines[at + 1 : at + 5] if line.startswith("    note: ")]
    assert lines[at].startswith("new ")
    assert any(KEPT[name][1] in line for line in [lines[at], *notes])


def test_the_same_document_and_extraction_under_another_name_are_known(
    mixed: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, done = mixed
    known = [line for line in done.stdout.splitlines() if line.startswith("known ")]
    assert [line.split(": ")[0].split()[-1] for line in known] == [
        str(folder / "twice" / "order.pdf"),
        str(folder / "twice" / "order.json"),
    ]


def test_a_file_name_that_is_not_unicode_is_refused(mixed: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, done = mixed
    assert f"refused {folder}/caf\N{REPLACEMENT CHARACTER}.pdf: its name is not Unicode text; rename it" in done.stderr


def test_the_summary_counts_what_was_refused(mixed: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    _, done = mixed
    refused = len(REFUSED) + 2  # the document of of-refused/order.json, and the name that is not Unicode
    assert done.stdout.splitlines()[-1].endswith(f"4 extractions; already there: 2; refused: {refused}.")
    assert len(done.stderr.splitlines()) == refused


def test_a_home_after_a_mixed_import_is_sound(mixed: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, _ = mixed
    proofgrid("verify", home=folder.parent / f"{folder.name}-home")


# --- score ------------------------------------------------------------------------------------------------------


def test_score_prints_each_table_with_its_counts_and_the_sums(filled: Path) -> None:
    lines = proofgrid("score", home=filled).stdout.splitlines()
    assert "    Invoice: precision 90.9 %, recall 83.3 %, F1 87.0 % (10 of 12 cells), row recall 100.0 %" in lines[1]
    assert [line.split()[0].rstrip(":") for line in lines[-7:-1]] == [
        "document_pass_rate",
        "cell_f1",
        "cell_precision",
        "cell_recall",
        "graded_f1",
        "row_recall",
    ]


def test_score_as_json_has_the_metrics_and_the_report_of_each_table(filled: Path) -> None:
    found = scores(filled, "--project", "samples")
    assert found["metrics"]["document_pass_rate"] == 0.0
    assert [len(one["tables"]) for one in found["documents"]] == [2, 1]
    assert {"signature", "passed", "rows", "cells", "columns", "differences"} <= found["documents"][0]["tables"][0][
        "report"
    ].keys()


def test_score_tells_the_cause_of_each_failure_and_the_corpus_adds_up(filled: Path) -> None:
    found = scores(filled)
    tables = [table for document in found["documents"] for table in document["tables"]]
    for table in tables:
        explained = [at for finding in table["causes"]["findings"] for at in finding["differences"]]
        assert sorted(explained) == list(range(len(table["report"]["differences"])))
    pooled = found["corpus"]["zero"]["micro"]["exact"]
    assert pooled["matched"] == sum(table["report"]["cells"]["exact"]["matched"] for table in tables)
    assert pooled["f1"] == found["metrics"]["cell_f1"]
    assert found["corpus"]["pass_rate"]["count"] == sum(document["passed"] for document in found["documents"])
    parts = found["corpus"]["by"]["table_type"].values()
    assert sum(part["zero"]["micro"]["exact"]["expected"] for part in parts) == pooled["expected"]
    said = proofgrid("score", home=filled).stdout
    assert "mostly missing value" in said
    assert "too few documents for an interval: 2, expected at least 20" in said


def test_fail_under_keeps_the_exit_status_at_0_where_the_bar_is_met(filled: Path) -> None:
    proofgrid("score", "--fail-under", "cell_f1=0.8", "--fail-under", "row_recall=0.9", home=filled)


def test_fail_under_ends_with_1_and_names_each_metric_below_its_bar(filled: Path) -> None:
    done = proofgrid(
        "score", "--fail-under", "cell_f1=0.99", "--fail-under", "document_pass_rate=1", home=filled, status=1
    )
    assert "cell_f1 is 0.89" in done.stderr
    assert "document_pass_rate is 0, expected at least 1\n" in done.stderr


def test_a_metric_that_is_undefined_fails_its_bar(tmp_path: Path) -> None:
    proofgrid("import", SAMPLES / "invoice-laboratory", home=tmp_path / "home")
    done = proofgrid("score", "--fail-under", "cell_f1=0.5", home=tmp_path / "home", status=1)
    assert "No table has been accepted yet" in done.stdout
    assert "cell_f1 is n/a, expected at least 0.5\n" in done.stderr


# --- export -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "names", "begins"),
    [
        ("gold", ["Tidewell_Invoice_2024-0917-*.gold.json", "price-list-2024-10-*.gold.json"], '{\n "proofgrid"'),
        ("html", ["Tidewell_Invoice_2024-0917-*.html", "price-list-2024-10-*.html"], "<!doctype html>"),
        ("csv", ["Tidewell_*.print_jobs.csv", "Tidewell_*.printer_invoice.csv", "price-list-*.prices.csv"], ""),
        ("jsonl", ["Tidewell_Invoice_2024-0917-*.jsonl", "price-list-2024-10-*.jsonl"], '{"proofgrid": "gold-line/1"'),
    ],
)
def test_gold_is_exported_in_each_format(filled: Path, tmp_path: Path, to: str, names: list[str], begins: str) -> None:
    output = tmp_path / "new" / to
    done = proofgrid("export", "--to", to, "--output", output, home=filled)
    assert done.stdout == f"{len(names)} files written to {output}\n"
    assert len(list(output.iterdir())) == len(names)
    for name in names:
        (file,) = output.glob(name)
        assert file.read_text(encoding="utf-8").startswith(begins)


def test_export_tells_on_stderr_what_a_format_does_not_carry(tmp_path: Path) -> None:
    home, output = tmp_path / "home", tmp_path / "out"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.pdf").write_bytes((SAMPLES / "invoice-laboratory" / "INV-2024-10583.pdf").read_bytes())
    (tmp_path / "in" / "a.gold.html").write_text(
        "<table><tr><td colspan=2>x</td></tr><tr><td>1</td><td>2</td></tr></table>"
    )
    proofgrid("import", tmp_path / "in", home=home)
    done = proofgrid("export", "--to", "csv", "-o", output, home=home)
    (file,) = output.iterdir()
    assert done.stderr == f"{file}: 'table 1' comes back with other merged cells: 1; other header cells: 1\n"


def test_exported_gold_imports_again_to_the_same_scores(filled: Path, tmp_path: Path) -> None:
    proofgrid("export", "--output", tmp_path / "gold", home=filled)
    for name in FINISHED:
        shutil.copytree(SAMPLES / name, tmp_path / "docs" / name, ignore=shutil.ignore_patterns("gold.json"))
    other = tmp_path / "other"
    done = proofgrid("import", tmp_path / "docs", tmp_path / "gold", "--project", "samples", home=other)
    assert done.stdout.endswith("2 gold files.\n")
    assert with_dates_taken_out(scores(other)) == with_dates_taken_out(scores(filled))


def test_open_tables_are_exported_only_when_asked_for(tmp_path: Path) -> None:
    home, output = tmp_path / "home", tmp_path / "gold"
    proofgrid("import", SAMPLES / "invoice-laboratory", home=home)
    assert proofgrid("export", "-o", output, home=home).stdout == f"0 files written to {output}\n"
    assert proofgrid("export", "-o", output, "--open-too", home=home).stdout == f"1 file written to {output}\n"


# --- verify -----------------------------------------------------------------------------------------------------


def tampered(home: Path, sql: str, *values: object) -> None:
    """Change the database behind the back of its guards, as a person with a SQLite shell might."""
    with closing(sqlite3.connect(home / "proofgrid.db")) as connection:
        for (name,) in connection.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            connection.execute(f"drop trigger {name}")
        connection.execute(sql, values)
        connection.commit()


def test_verify_finds_nothing_in_a_sound_home(filled: Path) -> None:
    assert proofgrid("verify", home=filled).stdout == "Nothing differs: all hashes agree and all edit logs replay.\n"
    assert json.loads(proofgrid("verify", "--json", home=filled).stdout) == {"differences": []}


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("update received set body = body || ' ' where rowid = 1", "received file first_extraction.json: sha256 is"),
        ("update extracted_table set body = replace(body, '637.98', '637.96')", "(printer_invoice): sha256 is"),
        ("update gold set body = '{}' where id = 1", "gold table 1 (printer_invoice): cannot be read any more"),
        ("update gold set body = '[]' where id = 1", "gold table 1 (printer_invoice): cannot be read any more"),
    ],
)
def test_verify_names_what_was_tampered_with(home: Path, sql: str, told: str) -> None:
    tampered(home, sql)
    done = proofgrid("verify", home=home, status=1)
    assert told in done.stderr
    assert "difference" in done.stderr.splitlines()[-1]
    assert "Nothing differs" not in done.stdout


def test_verify_names_documents_that_are_changed_or_gone(home: Path) -> None:
    changed, gone = sorted(file for file in (home / "documents").rglob("*") if file.is_file())
    changed.write_bytes(changed.read_bytes() + b" ")
    gone.unlink()
    found = json.loads(proofgrid("verify", "--json", home=home, status=1).stdout)["differences"]
    assert any(f"{changed} has sha256" in one for one in found)
    assert any(f"{gone} is missing" in one for one in found)


# --- wrong use --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("frobnicate",), "No such command 'frobnicate'"),
        (("import",), "Missing argument"),
        (("import", SAMPLES, "--format", "xml"), "format 'xml', expected auto or one of: "),
        (("import", SAMPLES, "--table-type", "rows", "--dry-run"), "table type 'rows' is not in project 'default'"),
        (("score", "--fail-under", "cell_f1"), "expected one of document_pass_rate, cell_f1"),
        (("score", "--fail-under", "cell_f1=95"), "a number from 0 to 1, as cell_f1=0.95"),
        (("score", "--project", "nobody"), "project 'nobody' holds no document; expected one of: samples"),
        (("score", "--run", "77"), "there is no run 77; expected one of: 1 ("),
        (("export",), "Missing option '-o' / '--output'"),
        (("export", "--to", "xml", "-o", "gold"), "'xml' is not one of 'gold', 'html', 'markdown', 'csv'"),
        (("export", "-o", "/proc/nowhere"), "/proc/nowhere: No such file or directory"),
        (("serve", "--port", "70000"), "70000 is not in the range"),
        (("verify", "--home", __file__), "is a file"),
    ],
)
def test_wrong_use_ends_with_2_and_a_word_of_what_was_expected(
    filled: Path, words: tuple[object, ...], told: str
) -> None:
    assert told in proofgrid(*words, home=filled, status=2).stderr


def test_a_database_that_is_none_is_refused_in_words(tmp_path: Path) -> None:
    put(tmp_path / "proofgrid.db", b"these are not the bytes of a database, however long they go on" * 40)
    done = proofgrid("verify", home=tmp_path, status=2)
    assert done.stderr.startswith(f"{tmp_path / 'proofgrid.db'}: cannot be opened as a Proofgrid database")


# --- help, home, serve ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(main.commands))
def test_the_help_of_each_command_has_an_example(name: str) -> None:
    shown = proofgrid(name, "--help").stdout
    assert f"Example: proofgrid {name}" in shown


def test_the_home_option_comes_before_the_environment(filled: Path, tmp_path: Path) -> None:
    assert "Invoice" in proofgrid("score", home=filled).stdout
    other = tmp_path / "other"
    proofgrid("import", SAMPLES / "certificate-steel", "--home", other, home=filled)
    assert (other / "proofgrid.db").exists()


@pytest.mark.parametrize("words", [("score",), ("verify",), ("time",), ("export", "-o", "out")])
def test_a_home_without_data_is_an_error_and_is_not_made(tmp_path: Path, words: tuple[str, ...]) -> None:
    typo = tmp_path / "typo"
    told = proofgrid(*words, "--home", typo, home=tmp_path, status=2).stderr
    assert told == f"there is no Proofgrid data in {typo}; import something first\n"
    assert not typo.exists()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_is_ended_leaves_no_process_and_no_port_behind(filled: Path, ending: signal.Signals) -> None:
    with closing(socket.socket()) as attempt:
        attempt.bind(("127.0.0.1", 0))
        port = attempt.getsockname()[1]
    words = [str(COMMAND), "serve", "--no-open", "--port", str(port)]
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(filled))
    try:
        assert _within(30, lambda: _answers(port))
        assert f"port {port} is taken" in proofgrid("serve", "--port", port, home=filled, status=2).stderr
        server.send_signal(ending)
        assert server.wait(timeout=30) == (0 if ending == signal.SIGTERM else -ending)
    finally:
        server.kill()
        server.wait()
    assert _within(15, lambda: not _listens(port))


def _within(seconds: float, is_so: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not (found := is_so()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def _answers(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1):
        return True
    return False


def _listens(port: int) -> bool:
    with closing(socket.socket()) as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0
