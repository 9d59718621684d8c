"""How many wrong and right cells are held against the words of their page: python -m benchmarks.page_readings"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.planted import ALIKE, misread
from benchmarks.table_gold import read_gold, texts
from scoring.metrics.grits import grits_texts
from scoring.table import Box, Cell, Table
from store.page_readings import worked_out
from store.page_tables import models
from store.page_tables.reading import PICTURE, read_tables
from store.pages import open_pdf

# One cell of so many is damaged.
ONE_OF = 10


@dataclass(frozen=True)
class Boxed:
    """A table of a PDF whose texts are right and whose cells have boxes."""

    pdf: Path
    table: Table


def boxed(folder: Path) -> Iterator[Boxed]:
    """The gold tables of each PDF of a folder that has a ``.gold.json`` beside it, cells with their boxes."""
    for file in sorted(folder.glob("*.gold.json")):
        value = json.loads(file.read_text(encoding="utf-8"))
        for entry in value["tables"]:
            cells = []
            for one in entry["cells"]:
                page = one.get("page") or entry.get("page")
                size = value["pages"][page - 1]
                (x0, x1), (y0, y1) = sorted(one["bbox"][::2]), sorted(one["bbox"][1::2])
                box = Box(page, x0 / size["w"], y0 / size["h"], x1 / size["w"], y1 / size["h"])
                rows, cols = one["r1"] - one["r0"] + 1, one["c1"] - one["c0"] + 1
                cells.append(Cell(one["r0"], one["c0"], one["text"], rows, cols, box=box))
            n_rows, n_cols = max(c.row + c.row_span for c in cells), max(c.col + c.col_span for c in cells)
            yield Boxed(file.with_name(value["doc"]), Table(n_rows, n_cols, tuple(cells)))


def look_alike(text: str, chance: random.Random) -> str:
    """One sign taken for another that looks like it."""
    return misread(text, chance) if any(sign in ALIKE for sign in text) else ""


def one_less(text: str, chance: random.Random) -> str:
    """One sign lost: a digit, a point, a sign of a number."""
    at = chance.randrange(len(text))
    return text[:at] + text[at + 1 :]


def turned(text: str, chance: random.Random) -> str:
    """Two signs that stand side by side exchanged."""
    places = [at for at in range(len(text) - 1) if text[at] != text[at + 1] and " " not in text[at : at + 2]]
    if not places:
        return ""
    at = chance.choice(places)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def nothing(text: str, chance: random.Random) -> str:
    """The whole text left out."""
    return " " if text else ""


DAMAGES: dict[str, Callable[[str, random.Random], str]] = {
    "look-alike sign": look_alike,
    "sign lost": one_less,
    "signs exchanged": turned,
    "text lost": nothing,
}


def damaged(table: Table, chance: random.Random) -> tuple[Table, dict[tuple[int, int], str]]:
    """The table with one cell of ten damaged, and by which kind each."""
    done: dict[tuple[int, int], str] = {}
    cells = []
    for cell in table.cells:
        if len(cell.text.strip()) > 1 and chance.randrange(ONE_OF) == 0:
            kind = chance.choice(sorted(DAMAGES))
            text = DAMAGES[kind](cell.text, chance)
            if text and "".join(text.split()) != "".join(cell.text.split()):
                done[cell.row, cell.col] = kind
                cell = replace(cell, text=text.strip())
        cells.append(cell)
    return replace(table, cells=tuple(cells)), done


def by_ocr(folder: Path, *, show: bool) -> str:
    """The first table of each document read from its picture by tesseract, its region given, gold as the judge."""
    cells = wrong = found = told = right = 0
    for pdf, (tables, _) in read_gold(folder).items():
        for gold in tables[:1]:
            with open_pdf(pdf) as opened:
                width, height = opened.get_page_size(gold.page - 1)
            sides = (
                gold.box.x0 - 4 / width,
                gold.box.y0 - 4 / height,
                gold.box.x1 + 4 / width,
                gold.box.y1 + 4 / height,
            )
            uses = {"models": not models.missing(), "img2table": True, "words": PICTURE, "languages": ["eng"]}
            region = {"page": gold.page, "box": list(sides)}
            for read in read_tables(pdf, gold.page, {**uses, "second_reader": False, "region": region}).tables:
                readings = worked_out(pdf, read.table)
                aligned = grits_texts(texts(gold.table), texts(read.table), mode="ms-2023")
                rows, cols = ({there: here for here, there in pairs} for pairs in (aligned.rows, aligned.cols))
                for cell in read.table.cells:
                    if cell.row not in rows or cell.col not in cols:
                        continue
                    own, place = gold.table.text_at(rows[cell.row], cols[cell.col]), (cell.row, cell.col)
                    is_wrong = _letters(own) != _letters(cell.text)
                    cells, wrong, found = cells + 1, wrong + is_wrong, found + (is_wrong and place in readings)
                    if place in readings:
                        told, right = told + 1, right + (_letters(own) == _letters(readings[place]))
                        if show:
                            print(f"  {pdf.name} {place}: {cell.text!r}, page {readings[place]!r}, gold {own!r}")
    return (
        f"{folder.name} by tesseract: {cells} cells, {told} held against the page, {right} of the readings are gold; "
        f"of {wrong} cells with wrong letters or digits {found} are held against it"
    )


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def main() -> int:
    """Print the figures of each folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="folders with PDFs and their .gold.json")
    parser.add_argument("--show", action="store_true", help="print each right cell that is held against its page")
    parser.add_argument("--ocr", action="store_true", help="read the first table of each document by tesseract instead")
    asked = parser.parse_args()
    for folder in asked.folders if asked.ocr else ():
        print(by_ocr(folder, show=asked.show))
    for folder in () if asked.ocr else asked.folders:
        chance = random.Random(1)
        cells = false = tables = 0
        planted, found = Counter[str](), Counter[str]()
        for one in boxed(folder):
            told = worked_out(one.pdf, one.table)
            tables, cells, false = tables + 1, cells + len(one.table.cells), false + len(told)
            for place, reading in told.items() if asked.show else ():
                print(f"  {one.pdf.name} {place}: {one.table.text_at(*place)!r}, the page reads {reading!r}")
            wrong, done = damaged(one.table, chance)
            again = worked_out(one.pdf, wrong)
            planted.update(done.values())
            found.update(kind for place, kind in done.items() if place in again)
        print(f"{folder.name}: {tables} tables, {cells} cells with boxes; {false} right cells held against the page")
        for kind in DAMAGES:
            print(f"  {kind}: {found[kind]} of {planted[kind]} found")
        print(f"  all: {found.total()} of {planted.total()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
