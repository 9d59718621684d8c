"""The folders that the scorer of PulseBench-Tab compares: ``ground_truth/`` and ``predictions/``, a file per table."""

from __future__ import annotations

from collections.abc import Iterator

from store.exports.written import ByDocument, Export, Given, with_ids
from store.formats import html


def write(documents: ByDocument, given: Given) -> Iterator[Export]:
    """Gold and first extraction of each table as HTML under one name; no prediction where nothing was extracted."""
    for tables in documents:
        for id, entry in with_ids(tables):
            yield Export(f"ground_truth/{id}.html", _page(html.written(entry.sheet.table)))
            if entry.first is not None:
                yield Export(f"predictions/{id}.html", _page(html.written(entry.first.table)))


def _page(table: str) -> bytes:
    return f"{table}\n".encode()
