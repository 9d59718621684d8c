"""Writes every sample document, its first extraction, table types, gold and README: ``python -m sample_docs.generate``."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

from sample_docs.generator.reading import Sample, Slip
from sample_docs.generator.writers import as_json

FOLDER = Path(__file__).parent
MAKERS = (
    "invoice_laboratory",
    "invoice_printer",
    "certificate",
)


def samples() -> Iterator[Sample]:
    """Every sample, made anew."""
    for name in MAKERS:
        yield importlib.import_module(f"sample_docs.generator.{name}").sample()


if __name__ == "__main__":
    for sample in samples():
        (FOLDER / sample.slug).mkdir(exist_ok=True)
        (FOLDER / sample.slug / sample.document).write_bytes(sample.pdf)
        (FOLDER / sample.slug / sample.first_name).write_bytes(sample.first)
