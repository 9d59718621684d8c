"""The pure modules of the review component, run by Node; no package is needed for it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")
MODULES = sorted(Path(__file__).parent.glob("*.test.mjs"))
OLDEST = (20, 19)  # the first one that takes a .js file with imports for a module


def _version() -> tuple[int, ...]:
    asked = subprocess.run([str(NODE), "--version"], capture_output=True, text=True, check=True)
    return tuple(int(part) for part in re.findall(r"\d+", asked.stdout)[:2])


@pytest.mark.skipif(NODE is None, reason="no node here: the pure modules of the component are not tested alone")
@pytest.mark.parametrize("module", MODULES, ids=[module.name.removesuffix(".test.mjs") for module in MODULES])
def test_a_module_does_what_its_tests_say(module: Path) -> None:
    if _version() < OLDEST:
        pytest.skip(f"node {_version()} is older than {OLDEST}: the pure modules are not tested alone")
    ran = subprocess.run([str(NODE), "--test", str(module)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
