"""What docs/statistics.md names, is there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")


MODULES = (
    "proportions",
    "intervals",
    "comparison",
    "multiple_tests",
    "repeated_runs",
    "agreement",
    "sample_size",
    "stratified",
)


def test_each_function_that_the_page_names_is_in_that_module() -> None:
    named = re.findall(rf"`({'|'.join(MODULES)})\.(\w+)`", PAGE)
    assert len(named) >= 11
    found = {module: importlib.import_module(f"scoring.statistics.{module}") for module in MODULES}
    assert [name for module, name in named if not hasattr(found[module], name)] == []
