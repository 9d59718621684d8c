from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_a_wheel_holds_all_that_the_app_and_its_demo_need(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    wanted = {
        str(path.relative_to(ROOT))
        for folder in ("scoring", "store", "review_app")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    samples = {
        f"review_app/{path.relative_to(ROOT)}"
        for folder in ("sample_docs", "sample_runs")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".pdf", ".json", ".csv", ".html"}
    }
    assert (wanted | samples) - names == set()
