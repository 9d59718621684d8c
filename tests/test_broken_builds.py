"""The list of broken builds does not rot: python -m tests.broken_builds can still make and see each of them."""

from __future__ import annotations

import re

import pytest

from tests.broken_builds import ROOT, Broken, broken_builds, file_of

BUILDS = broken_builds()


def test_each_test_that_the_complaints_name_has_a_broken_build() -> None:
    page = (ROOT / "docs" / "acceptance.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    assert named - {broken.test.partition("[")[0] for broken in BUILDS} == set()


@pytest.mark.parametrize("broken", BUILDS, ids=lambda broken: f"{broken.test}: {broken.breaks}")
def test_a_broken_build_can_still_be_made(broken: Broken) -> None:
    text = broken.made_in(ROOT)
    assert text != (ROOT / broken.file).read_text(encoding="utf-8")
    assert (ROOT / file_of(broken.test)).exists()
    if broken.file.endswith(".py"):
        compile(text, broken.file, "exec")
