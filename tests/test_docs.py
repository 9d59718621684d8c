"""What the documents say is there, is there; what is there, they say."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest
from openpyxl import Workbook
from pyarrow import Table as ArrowTable
from pyarrow.parquet import write_table

import scoring
from review_app.cli import main
from review_app.score_report import METRICS
from scoring import Acceptance, Column, TableType
from scoring.corpus import corpus
from store.exporting import EXPORTS
from store.formats import FORMATS, proofgrid_json, recognise
from store.pages import PageSize

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
FORMATS_PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
PAGES = [
    README,
    ROOT / "benchmarks" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "sample_docs").rglob("README.md")),
]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)|<img[^>]+src=\"([^\"]+)\"")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def section(heading: str) -> str:
    """The text of docs/formats.md under a heading, up to the next one of its level."""
    assert f"\n### {heading}\n" in FORMATS_PAGE, f"docs/formats.md has no heading {heading!r}"
    return re.split(r"\n##+ ", FORMATS_PAGE.split(f"\n### {heading}\n")[1])[0]


def example(heading: str) -> bytes:
    found = FENCE.search(section(heading))
    assert found is not None, f"docs/formats.md shows no example of {heading}"
    return BINARY.get(heading, str.encode)(found[2])


def workbook(text: str) -> bytes:
    """The workbook whose one sheet shows these lines."""
    book, held = Workbook(), io.BytesIO()
    (sheet,) = book.worksheets
    sheet.title = "line_items"
    for row in csv.reader(io.StringIO(text)):
        sheet.append(row)
    book.save(held)
    return held.getvalue()


def parquet(text: str) -> bytes:
    """The Parquet file of these rows."""
    held = io.BytesIO()
    write_table(ArrowTable.from_pylist(list(csv.DictReader(io.StringIO(text)))), held)
    return held.getvalue()


# Of formats that are no text the page shows what is in them.
BINARY = {"xlsx": workbook, "parquet": parquet}


def rows_of(table: str, text: str) -> set[str]:
    """The names in the first column of the Markdown table that follows a line."""
    assert table in text, f"docs/formats.md has no table {table!r}"
    body = text.split(table)[1].lstrip("\n").split("\n\n")[0]
    return {name for line in body.splitlines()[2:] for name in re.findall(r"^\| `([^`]+)`", line)}


@pytest.mark.parametrize("name", sorted(main.commands))
def test_each_command_is_documented(name: str) -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES) + (ROOT / "Makefile").read_text()
    assert re.search(rf"\bproofgrid\)? {name}\b", text)


def test_the_commands_in_the_readme_parse() -> None:
    for line in re.findall(r"^proofgrid (.+?)(?:\s+#.*)?$", README.read_text(encoding="utf-8"), re.MULTILINE):
        name, *words = line.split()
        command = main.commands[name]
        command.make_parser(click.Context(command)).parse_args(words)


@pytest.mark.parametrize("name", FORMATS)
def test_the_example_of_each_format_is_read_as_that_format(name: str) -> None:
    raw, file = example(name), "order.csv" if name == "csv" else "order"
    assert recognise(raw, file) == name
    read = FORMATS[name].read(raw, name=file, pages=(PageSize(1, 612, 792),))
    assert all(table.table.header_rows == 1 for table in read.tables)
    assert [note for table in read.tables for note in table.notes if "header" not in note] == []


def test_the_examples_of_the_own_files_are_read() -> None:
    (gold,) = proofgrid_json.read_gold(example("gold/1")).tables
    assert gold.table.text_at(1, 1) == "1.20"
    invoice, items = proofgrid_json.read_table_types(example("table-types/1"))
    assert {type(check).__name__ for kind in (invoice, items) for check in kind.checks} == {
        "Product",
        "Sum",
        "SumOfFields",
    }


def test_each_format_and_each_export_has_its_line() -> None:
    assert rows_of("## What is read\n", FORMATS_PAGE) == {*FORMATS, "gold/1", "table-types/1"}
    exports = FORMATS_PAGE.split("## Exports\n")[1]
    assert rows_of("the first eight digits of its hash.\n", exports) == set(EXPORTS)


@pytest.mark.parametrize(
    ("heading", "value"), [("Table type", TableType), ("Column", Column), ("Acceptance", Acceptance)]
)
def test_each_key_of_a_table_type_is_described(heading: str, value: type) -> None:
    assert rows_of(f"**{heading}**\n", section("table-types/1")) == {part.name for part in fields(value)}  # type: ignore[arg-type]


def test_the_kinds_of_checks_are_described() -> None:
    assert rows_of("**Check**\n", section("table-types/1")) == {"product", "sum", "sum_fields", "cross_foot", "totals"}


def test_the_python_example_of_the_readme_runs_and_prints_what_it_should() -> None:
    (code,) = (code for language, code in FENCE.findall(README.read_text(encoding="utf-8")) if language == "python")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    # Header rows of a table without a type count: four of six cells.
    assert done.stdout == (
        "0.6666666666666666 1 of 3 rows missed, row recall 66.7 % is under 100.0 %, first missed row: 'nut | 0.40'\n"
    )


EXAMPLES = [
    (page, code)
    for page in PAGES
    for language, code in FENCE.findall(page.read_text(encoding="utf-8"))
    if language == "python"
]


def test_the_pages_that_explain_python_show_an_example() -> None:
    pages = {page.name for page, _ in EXAMPLES}
    assert {"README.md", "causes.md", "confidence.md", "metrics.md", "statistics.md"} <= pages


@pytest.mark.parametrize(("page", "code"), EXAMPLES, ids=[page.name for page, _ in EXAMPLES])
def test_each_python_example_runs_as_printed_and_prints_what_its_comments_say(
    page: Path, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(code, str(page), "exec"), {})
    told = [line.removeprefix("# ") for line in code.splitlines() if line.startswith("# ")]
    assert not told or capsys.readouterr().out.splitlines() == told


def test_the_page_of_the_score_report_names_each_key_of_the_json() -> None:
    text = (ROOT / "docs" / "score_report.md").read_text(encoding="utf-8")
    keys = [*METRICS, *corpus([]).to_json()]
    assert [key for key in keys if key != "documents" and f"`{key}`" not in text] == []


def test_scoring_offers_what_it_names_in_order() -> None:
    assert all(hasattr(scoring, name) for name in scoring.__all__)
    constants = [name for name in scoring.__all__ if name.isupper()]
    classes = [name for name in scoring.__all__ if name[0].isupper() and not name.isupper()]
    functions = [name for name in scoring.__all__ if name[0].islower()]
    assert scoring.__all__ == [*sorted(constants), *sorted(classes), *sorted(functions)]
    assert len(set(scoring.__all__)) == len(scoring.__all__)


def test_the_page_of_keys_tells_the_key_map() -> None:
    written = subprocess.run(
        [sys.executable, "-c", "import keys; print(keys.page(), end='')"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT / "docs",
    ).stdout
    assert (ROOT / "docs" / "keys.md").read_text(encoding="utf-8") == written, "python docs/keys.py writes it"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_link_and_image_leads_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = [first or second for first, second in LINK.findall(text)]
    local = [target for target in targets if not re.match(r"[a-z]+:", target)]
    missing = [target for target in local if not (page.parent / target).exists()]
    assert missing == []


def test_the_map_of_scoring_has_each_module_once() -> None:
    page = (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8").split("## Packages")[1]
    rows = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("| `")]
    told = {(package.strip(" `"), name) for package, names in rows for name in re.findall(r"`(\w+)`", names)}
    there = {(path.parent.name, path.stem) for path in (ROOT / "scoring").rglob("*.py") if path.stem != "__init__"}
    assert told == there


def test_every_test_that_the_complaints_name_exists() -> None:
    page = (ROOT / "docs" / "acceptance.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    there = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(named) > 30
    assert named - there == set()
