"""Waiting for what a person would wait for, and no longer than a person would."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from playwright.sync_api import Page, expect

Found = TypeVar("Found")
LONGEST_MS = 20_000
STEP_MS = 50


def at_rest(page: Page) -> None:
    """Wait until Streamlit runs nothing: a run disables buttons, and draws tabs anew under the pointer."""
    shell = page.get_by_test_id("stApp")
    expect(shell).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=LONGEST_MS)
    expect(shell).to_have_attribute("data-test-script-state", "notRunning", timeout=LONGEST_MS)


def until(page: Page, found: Callable[[], Found]) -> Found:
    """What is found, once it is something: what a browser sends as it leaves arrives on its own."""
    for _ in range(LONGEST_MS // STEP_MS):
        if something := found():
            return something
        page.wait_for_timeout(STEP_MS)
    raise AssertionError(f"nothing came within {LONGEST_MS} ms")


def painted(page: Page) -> None:
    """Wait until what follows a key press is on the screen, too: boxes and crop come after the frame of the table."""
    frame = "requestAnimationFrame"
    page.evaluate(f"() => new Promise(done => {frame}(() => {frame}(() => setTimeout(done, 60))))")
