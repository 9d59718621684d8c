from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = Path(sys.executable).parent


@pytest.mark.parametrize(
    "command",
    ["lint-imports", "ruff check .", "ruff format --check .", "mypy"],
)
def test_the_layers_types_and_style_hold(command: str) -> None:
    name, *words = command.split()
    done = subprocess.run([SCRIPTS / name, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for folder in ("scoring", "store", "review_app", "sample_docs")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".js"} and (count := len(path.read_text().splitlines())) > 400
    }
    assert long == {}


def test_every_module_says_in_one_line_what_it_is() -> None:
    for folder in ("scoring", "store", "review_app"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            first = path.read_text().split("\n", 1)[0]
            assert first.startswith('"""'), path
            assert first.rstrip().endswith('"""') or path.name == "__init__.py", path


def test_scoring_alone_needs_no_database_and_no_browser() -> None:
    unwanted = "('streamlit', 'sqlite3', 'pandas', 'plotly', 'store')"
    code = f"import sys, scoring; print([name for name in {unwanted} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
