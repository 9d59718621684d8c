"""Builds that are broken on purpose: each shows that a test of docs/acceptance.md fails where the app does wrong.

    python -m tests.broken_builds [WORD...]

For each break of tests/breaks/*.toml the tree is copied, the break is made in the copy and its test is run there. The
test has to fail by an assertion of its own, and to pass on the sound copy. WORD chooses the breaks whose list, test or
file contains it. A line for each tells what was broken and at which line of the test it was seen; exit status 1 where
one went unseen.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

ROOT = Path(__file__).parents[1]
BREAKS = Path(__file__).parent / "breaks"
LEFT_OUT = (".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
# A test that fails while it only opens a table says that nothing works, and not what it is for.
OPENING = ("open_table", "opened", "open", "start")
SLOWEST_S = 300
# How long a browser test waits for what does not come: most broken builds are seen by that.
PATIENCE_MS = 8_000
PASSED = "the test passed"


@dataclass(frozen=True)
class Broken:
    """One break: a text of a file that is replaced, what that breaks in one sentence, and the test that must see it.

    ``page`` is the name of the list that it stands in.
    """

    page: str
    test: str
    file: str
    find: str
    put: str
    breaks: str

    def made_in(self, tree: Path) -> str:
        """The broken text of the file; raises ValueError where the text to find is not there exactly once."""
        text = (tree / self.file).read_text(encoding="utf-8")
        if (count := text.count(self.find)) != 1:
            raise ValueError(f"{self.test}: {self.file} has this {count} times, expected once: {self.find}")
        return text.replace(self.find, self.put)


def broken_builds() -> list[Broken]:
    """All breaks, by file and in order."""
    pages = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(BREAKS.glob("*.toml"))}
    return [Broken(page=name, **entry) for name, page in pages.items() for entry in page["broken"]]


def file_of(test: str) -> Path:
    """The file that holds a test, relative to the root; a parameter in brackets is passed over."""
    name = test.partition("[")[0]
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if re.search(rf"^def {name}\(", path.read_text(encoding="utf-8"), re.MULTILINE):
            return path.relative_to(ROOT)
    raise ValueError(f"{test}: no file under tests has it")


def how_it_ended(report: Path) -> tuple[bool, str]:
    """Whether the test failed by an assertion, and where; from the report that pytest wrote (JUnit)."""
    cases = ElementTree.parse(report).findall(".//testcase")
    failed = [failure for case in cases for failure in case.findall("failure")]
    if not cases or any(case.find("error") is not None or case.find("skipped") is not None for case in cases):
        return False, "the test did not run"
    if not failed:
        return False, PASSED
    told = (failed[0].text or "").splitlines()
    places = [line for line in told if re.match(r"tests/\S+:\d+: in ", line)]
    where = " < ".join(f"{line.split(':')[1]} {line.split(' in ')[1]}" for line in reversed(places))
    message = next((line.removeprefix("E").strip() for line in told if line.startswith("E ")), "")
    if not re.match(r"AssertionError|assert |Failed: DID NOT RAISE", message) or "Traceback" in message:
        return False, f"no assertion: {message} ({where})"
    if any(line.rsplit(" in ", 1)[1] in OPENING for line in places):
        return False, f"nothing works: {message} ({where})"
    return True, f"line {where}: {message}"


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of the tree, and of nothing that was made by tools."""
    with tempfile.TemporaryDirectory(prefix="broken-build-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
        yield tree


def cannot_be_read(file: Path) -> str:
    """Why a broken file is no program any more; "" where it is one. Without Node nothing is said of JavaScript."""
    if file.suffix == ".py":
        compile(file.read_text(encoding="utf-8"), file, "exec")
    elif file.suffix == ".js" and (node := shutil.which("node")) is not None:
        words = [node, "--check", "--input-type=module"]
        checked = subprocess.run(words, input=file.read_bytes(), capture_output=True, check=False)
        return checked.stderr.decode() if checked.returncode else ""
    return ""


def ran(test: str, tree: Path) -> tuple[bool, str]:
    """Whether a test failed by an assertion in a tree, and where; or what it did instead."""
    report = tree.parent / "report.xml"
    report.unlink(missing_ok=True)
    name = f"{file_of(test)}::{test}"
    words = ["-m", "pytest", "-q", "-x", "--tb=short", "-p", "no:cacheprovider", f"--junitxml={report}", name]
    # Without bytecode: what was made of the text before is not to be taken for the text of now.
    env = {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "PROOFGRID_PATIENCE_MS": str(PATIENCE_MS)}
    in_tree = partial(
        subprocess.run, cwd=tree, env={**os.environ, **env}, capture_output=True, text=True, timeout=SLOWEST_S
    )
    try:
        done = in_tree([sys.executable, *words], check=False)
    except subprocess.TimeoutExpired:
        return False, f"not done after {SLOWEST_S} s"
    return how_it_ended(report) if report.exists() else (False, done.stdout.strip()[-300:])


def ran_broken(broken: Broken, tree: Path) -> tuple[bool, str]:
    """Run the test of a break on the broken copy, and put the copy right again."""
    file = tree / broken.file
    sound = file.read_text(encoding="utf-8")
    try:
        file.write_text(broken.made_in(tree), encoding="utf-8")
        problem = cannot_be_read(file)
        return (False, problem) if problem else ran(broken.test, tree)
    finally:
        file.write_text(sound, encoding="utf-8")


@click.command(help=__doc__)
@click.argument("words", nargs=-1)
def main(words: tuple[str, ...]) -> None:
    every = broken_builds()
    named = {broken: f"{broken.page} {broken.test} {broken.file}" for broken in every}
    chosen = [broken for broken in every if not words or any(word in named[broken] for word in words)]
    unseen = 0
    sound: dict[str, str] = {}
    with copied() as tree:
        for broken in chosen:
            if broken.test not in sound:
                sound[broken.test] = ran(broken.test, tree)[1]
            if sound[broken.test] != PASSED:
                caught, where = False, f"fails on the sound build: {sound[broken.test]}"
            else:
                caught, where = ran_broken(broken, tree)
            unseen += not caught
            outcome = "caught" if caught else "UNSEEN"
            click.echo(" | ".join((outcome, broken.breaks, broken.file, broken.test, where[:400])))
    click.echo(f"{len(chosen) - unseen} of {len(chosen)} broken builds were caught.")
    sys.exit(bool(unseen))


if __name__ == "__main__":
    main()
