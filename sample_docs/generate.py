"""Writes all files of every sample document: ``python -m sample_docs.generate``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from sample_docs.generator import (
    arabic_prices,
    bank_statement,
    certificate,
    invoice_laboratory,
    invoice_printer,
    japanese,
    readme,
    segment_report,
    water_scan,
)
from sample_docs.generator.reading import Sample
from sample_docs.generator.writers import as_json

FOLDER = Path(__file__).parent
MAKERS = (
    invoice_laboratory,
    invoice_printer,
    certificate,
    bank_statement,
    segment_report,
    arabic_prices,
    japanese,
    water_scan,
)


def samples() -> Iterator[Sample]:
    """Every sample, made anew."""
    for maker in MAKERS:
        yield maker.sample()


def gold(sample: Sample) -> dict[str, object]:
    """The gold file of a sample: its tables as they are printed, with the boxes of their texts."""
    return {
        "proofgrid": "gold/1",
        "author": "sample_docs.generate",
        "how": "The texts that the generator drew, and the places where it drew them.",
        "tables": [
            {"name": table.name, "table_type": table.table_type, "table": table.to_table().to_json()}
            for table in sample.truth
        ],
    }


def files(sample: Sample) -> Mapping[str, bytes]:
    """What stands in the folder of a sample: the bytes of each file by its name."""
    made = {
        sample.document: sample.pdf,
        sample.first_name: sample.first,
        "table_types.json": as_json({"proofgrid": "table-types/1", "table_types": sample.table_types}),
        "README.md": readme.of_sample(sample).encode(),
    }
    if sample.finished:
        made["gold.json"] = as_json(gold(sample))
    return made


def main() -> int:
    """Writes all files and says where; returns the exit status."""
    made = list(samples())
    for sample in made:
        folder = FOLDER / sample.slug
        folder.mkdir(exist_ok=True)
        for name, content in files(sample).items():
            (folder / name).write_bytes(content)
        print(f"{sample.slug}: {', '.join(sorted(files(sample)))}")
    (FOLDER / "README.md").write_text(readme.overview(made), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
