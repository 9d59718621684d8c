"""Streamlit's own part of a page, and when it can be used."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def at_rest(page: Page) -> None:
    """Wait until no run is under way: it would disable buttons, and draw tabs and expanders anew under the pointer."""
    shell = page.get_by_test_id("stApp")
    expect(shell).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=20_000)
    expect(shell).to_have_attribute("data-test-script-state", "notRunning", timeout=20_000)
