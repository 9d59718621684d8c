"""The home folder: where database, document files and caches lie."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs


@dataclass(frozen=True)
class Home:
    """Paths below one folder; nothing is created by naming them."""

    folder: Path

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.folder / "proofgrid.db"

    @property
    def log(self) -> Path:
        """Where faults of the program are written down."""
        return self.folder / "proofgrid.log"

    @property
    def cache(self) -> Path:
        """Page images and words: may be deleted at any time."""
        return self.folder / "cache"

    def document_file(self, sha256: str) -> Path:
        """Where the bytes of a document lie, by their hash."""
        return self.folder / "documents" / sha256[:2] / sha256

    def unlocked_file(self, sha256: str) -> Path:
        """Where the copy without encryption of a document lies that came with a password; others have none."""
        return self.folder / "unlocked" / sha256[:2] / sha256

    def readable_file(self, sha256: str) -> Path:
        """The file by which the pages of a document are read: its copy without encryption, else the document itself."""
        copy = self.unlocked_file(sha256)
        return copy if copy.exists() else self.document_file(sha256)


def home_of(database: Path) -> Home:
    """The home folder to which a database belongs."""
    return Home(database.parent)


def find_home(folder: Path | None = None) -> Home:
    """The folder given, else PROOFGRID_HOME, else the platform's folder for user data."""
    if folder is not None:
        return Home(folder)
    named = os.environ.get("PROOFGRID_HOME")
    return Home(Path(named) if named else Path(platformdirs.user_data_dir("proofgrid", appauthor=False)))
