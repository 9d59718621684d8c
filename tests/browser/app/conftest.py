"""The real server as a process of its own, a home filled from the samples, and a link that can be cut."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from benchmarks.link import Link
from benchmarks.server import Server as App
from benchmarks.server import imported
from tests.browser.app.served import served

SAMPLES = Path(__file__).parents[3] / "sample_docs"


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home into which all samples were imported by the command line; copy it, do not change it."""
    home = tmp_path_factory.mktemp("samples") / "home"
    imported(SAMPLES, home, project="samples")
    return home


@pytest.fixture(scope="module")
def app(chromium: Browser, sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server on a copy of the sample home, one per test module."""
    folder = tmp_path_factory.mktemp("app")
    shutil.copytree(sample_home, folder / "home")
    with served(folder) as running:
        yield running


@pytest.fixture
def link(app: App) -> Iterator[Link]:
    relay = Link(app.port)
    yield relay
    relay.close()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A fresh browser profile at the smallest screen that is promised to work."""
    fresh = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield fresh
    fresh.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
