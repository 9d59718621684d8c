"""Digital pages with gold made into scans: what OCR has to read, with gold that people made for the page as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from benchmarks.table_gold import GoldTable
from store.pages import drawn

MANNERS = ("clean", "noisy")
Files = Mapping[Path, tuple[list[GoldTable], int]]


def rasterised(files: Files, manner: str, folder: Path, step: int = 1) -> dict[Path, tuple[list[GoldTable], int]]:
    """Every ``step``-th page with gold as a PDF of one picture in ``folder``.

    ``clean``: 200 dpi grey. ``noisy``: 150 dpi, up to 0.8 degrees askew, blurred, with noise, JPEG quality 60; gold
    boxes stay those of the page before it was turned.
    """
    pages = [(file, page) for file, (gold, _) in files.items() for page in sorted({table.page for table in gold})]
    made = {}
    for number, (file, page) in enumerate(pages):
        if number % step:
            continue
        target = folder / f"{file.stem}_p{page}_{manner}.pdf"
        if manner == "clean":
            drawn(file, page, 200).convert("L").save(target, resolution=200, quality=95)
        else:
            _worn(drawn(file, page, 150).convert("L"), number).save(target, resolution=150, quality=60)
        tables = [
            replace(table, document=target.stem, page=1, box=replace(table.box, page=1))
            for table in files[file][0]
            if table.page == page
        ]
        made[target] = tables, 1
    return made


def _worn(page: Image.Image, seed: int) -> Image.Image:
    chance = np.random.default_rng(seed)
    turned = page.rotate(chance.uniform(-0.8, 0.8), Image.Resampling.BICUBIC, fillcolor=255)
    grey = np.asarray(turned.filter(ImageFilter.GaussianBlur(0.7)), np.float32)
    return Image.fromarray(np.clip(grey * 0.96 + chance.normal(0, 10, grey.shape), 0, 255).astype(np.uint8))
