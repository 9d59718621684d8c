"""How many tables of digital PDFs are found, and how well: Proofgrid's extractor beside others, on corpora with gold.

    python -m benchmarks.extractors --corpora FOLDER --sets icdar2013,synthetic-multilang
    python -m benchmarks.extractors --corpora FOLDER --sets icdar2013:clean,icdar2013:noisy --engines ocr

FOLDER has a folder per set, with PDFs and a ``.gold.json`` beside each. Every page is read, in a process of its own;
tables are compared on pages with gold, false tables on the others are counted apart. A set with ``:clean`` or
``:noisy`` is made into scans first (``benchmarks.rasters``).
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.extractor_engines import ENGINES, Found, installed
from benchmarks.figures import machine
from benchmarks.rasters import rasterised
from benchmarks.table_gold import NOTHING, GoldTable, Similarity, compare, paired, read_gold, texts, tidy
from scoring.confidence.calibration import calibration
from scoring.confidence.error_detection import auroc
from scoring.metrics.grits import grits_texts
from scoring.metrics.overlap import Overlap
from scoring.table import Cell, Table
from store.extractors.page_worker import Limits, PageFailed, PageWorker
from store.page_tables import models

LIMITS = Limits(seconds=120, memory_mb=6000)
MOST_SECONDS = 1.5
# The least GriTS-Con of the extractor ocr on pages of ICDAR 2013 made into scans.
SCANS = {"clean": 0.885, "noisy": 0.76}
LEAST_SURE = re.compile(r"\(bin (\d) of \d\)")
READERS = re.compile(r"one reader|two readers (have the same|differ: text of PP|differ)")
BORNE_OUT = re.compile(r"(all|some|no) other(s| builders)")
VOTED = re.compile(r"(\d of \d) .* as ([^;]+);")


@dataclass(frozen=True)
class Trusted:
    """A cell with a confidence: whose grid it is of, how many others agree, and whether it is right."""

    kind: str
    voted: tuple[str, str]
    value: float | None
    right: bool
    document: str


@dataclass
class Measured:
    """What one engine did on one set."""

    tables: list[Similarity] = field(default_factory=list)
    predicted: int = 0
    false_elsewhere: int = 0
    unmatched: Overlap = field(default_factory=lambda: Overlap(0, 0, 0, 1.0))
    seconds: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    worst: list[tuple[float, str]] = field(default_factory=list)
    trusted: list[Trusted] = field(default_factory=list)

    def row(self, name: str) -> list[str]:
        """The texts of one line of the table."""
        found = sum(table.found for table in self.tables)
        n = len(self.tables)
        return [
            name,
            f"{2 * found / (self.predicted + n):.3f}" if n else "n/a",
            f"{found}/{n}",
            f"{self.content.f1:.3f}",
            f"{self.by_table:.3f}",
            f"{sum((table.topology for table in self.tables), self.unmatched).f1:.3f}",
            f"{sum(table.same_size for table in self.tables) / n:.2f}",
            f"{sum(table.rows_found for table in self.tables) / sum(table.rows for table in self.tables):.3f}",
            f"{sum(self.seconds) / max(1, len(self.seconds)):.2f}",
            str(self.false_elsewhere),
            f"{len(self.seconds)}/{len(self.seconds) + len(self.failed)}",
        ]

    @property
    def content(self) -> Overlap:
        """GriTS-Con of all tables of pages with gold, those that match none too."""
        return sum((table.content for table in self.tables), self.unmatched)

    @property
    def by_table(self) -> float:
        """The mean GriTS-Con of the gold tables, 0 where one was not found."""
        return sum(table.content.f1 for table in self.tables if table.found) / len(self.tables)


HEAD = ["", "det F1", "found", "GriTS-Con", "by table", "GriTS-Top", "dims", "rows", "CPU s/p", "false", "pages read"]


def measured(worker: PageWorker, files: Sequence[tuple[Path, list[GoldTable], int]]) -> Measured:
    """Run one engine over the pages."""
    total = Measured()
    for file, gold, n_pages in files:
        regions: dict[int, list[list[float]]] = {}
        for table in gold:
            regions.setdefault(table.page, []).append(table.box.to_json()[1:])
        uses = {"models": not models.missing(), "img2table": True, "regions": regions}
        uses |= {"second_reader": not models.missing(models.RECOGNISER)}
        for page, result in zip(range(1, n_pages + 1), worker.read(file, range(1, n_pages + 1), uses), strict=True):
            there = [table for table in gold if table.page == page]
            if isinstance(result, PageFailed):
                total.failed.append(f"{file.name} page {page}: {result.reason}")
                total.tables += [compare(table.table, None) for table in there]
                continue
            seconds, found = result
            total.seconds.append(seconds)
            _count(total, there, found, f"{file.stem} p{page}")
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return total


def _count(total: Measured, gold: Sequence[GoldTable], found: Found, place: str) -> None:
    if not gold:
        total.false_elsewhere += len(found)
        return
    total.predicted += len(found)
    tables = [tidy(table) for table, _ in found]
    pairs = paired(gold, [box for _, box in found])
    for at, one in enumerate(gold):
        pred = tables[pairs[at]] if at in pairs else None
        total.tables.append(compare(one.table, pred))
        total.worst.append((total.tables[-1].content.f1 if pred else 0.0, f"{place} ({'found' if pred else 'missed'})"))
        if pred:
            _verdicts(total, one.table, pred, place.split()[0])
    for at in set(range(len(found))) - set(pairs.values()):
        total.unmatched += compare(tables[at], NOTHING).content.__class__(
            0, tables[at].n_rows * tables[at].n_cols, 0, 1.0
        )


def _verdicts(total: Measured, gold: Table, pred: Table, document: str) -> None:
    """Whether each cell with a confidence is right: its text at the aligned place; structure: the neighbours', too."""
    aligned = grits_texts(texts(gold), texts(pred), mode="ms-2023")
    rows, cols = ({p: g for g, p in pairs} for pairs in (aligned.rows, aligned.cols))

    def same(row: int, col: int, there_row: int, there_col: int) -> bool:
        return _plain(pred.text_at(row, col)) == _plain(gold.text_at(there_row, there_col))

    for cell in pred.cells:
        if not cell.confidence or not cell.text:
            continue
        gold_cell = gold.at(rows[cell.row], cols[cell.col]) if cell.row in rows and cell.col in cols else None
        text = gold_cell is not None and _plain(gold_cell.text) == _plain(cell.text)
        around = text and gold_cell is not None and _same_around(cell, gold_cell, same)
        for confidence in cell.confidence:
            right = text if confidence.kind == "text" else around
            total.trusted.append(
                Trusted(confidence.kind, _voted(confidence.source), confidence.value, bool(right), document)
            )


def _voted(source: str) -> tuple[str, str]:
    """What a confidence was counted by: the builder and how many agree, or how many agree and the bin of the word."""
    if voted := VOTED.match(source):
        return voted[2], voted[1]
    place, agreed, readers = LEAST_SURE.search(source), BORNE_OUT.search(source), READERS.search(source)
    return (agreed[0], f"{place[1]} {readers[0]}") if place and agreed and readers else ("", "")


def _same_around(cell: Cell, gold: Cell, same) -> bool:  # type: ignore[no-untyped-def]
    right = same(cell.row, cell.col + cell.col_span, gold.row, gold.col + gold.col_span)
    below = same(cell.row + cell.row_span, cell.col, gold.row + gold.row_span, gold.col)
    return bool(right and below)


def _plain(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def _printed(rows: list[list[str]]) -> None:
    widths = [max(len(row[col]) for row in rows) for col in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def _confidence_lines(total: Measured) -> Iterator[str]:
    for kind in ("text", "structure"):
        cells = [cell for cell in total.trusted if cell.kind == kind]
        yield _confidence_line(f"confidence in {kind}", [(cell.value, cell.right) for cell in cells])
        yield _confidence_line("  by rates counted on the other half of the documents", list(_by_other_half(cells)))
        for voted in sorted({cell.voted for cell in cells}):
            rights = [cell.right for cell in cells if cell.voted == voted]
            yield f"  {kind:10}{voted[0]:28}{voted[1]:33}{sum(rights)} right of {len(rights)}, {rate(rights):.3f}"


def rate(rights: Sequence[bool]) -> float:
    """The share that is right, drawn a little to the middle, so that few cells never make it 0 or 1 (Laplace)."""
    return (sum(rights) + 1) / (len(rights) + 2)


def _by_other_half(cells: Sequence[Trusted]) -> Iterator[tuple[float | None, bool]]:
    half = {document: at % 2 for at, document in enumerate(sorted({cell.document for cell in cells}))}
    counted: dict[tuple[int, tuple[str, str]], list[bool]] = {}
    for cell in cells:
        counted.setdefault((half[cell.document], cell.voted), []).append(cell.right)
    for cell in cells:
        rights = counted.get((1 - half[cell.document], cell.voted))
        yield (rate(rights) if rights else None), cell.right


def _confidence_line(what: str, cells: Sequence[tuple[float | None, bool]]) -> str:
    scored = [(value, right) for value, right in cells if value is not None]
    if not scored:
        return f"{what}: none of {len(cells)} cells has one"
    values, verdicts = zip(*scored, strict=True)
    told = calibration(values, verdicts)
    return (
        f"{what}: {told.n} of {len(cells)} cells have one, {told.accuracy:.3f} right, "
        f"AUROC {auroc(values, verdicts) or 0:.3f}, ECE {told.ece:.3f}"
    )


def main() -> int:
    """Print the table; status 1 where a target is missed."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--corpora", type=Path, required=True, help="folder with a folder per set")
    asked.add_argument("--sets", default="icdar2013,synthetic-multilang")
    asked.add_argument("--engines", default=",".join(name for name, _, _ in ENGINES))
    asked.add_argument("--documents", default="", help="only documents whose name has one of these parts, by commas")

    asked.add_argument("--step", type=int, default=1, help="of pages made into scans only every so many-th")
    asked.add_argument("--worst", type=int, default=8, help="how many of the worst tables to name")
    given = asked.parse_args()
    kept = True
    for name in given.sets.split(","):
        files = _files(given.corpora, name, given.documents.split(","), given.step)
        rows, notes = [HEAD], []
        for engine, function, package in ENGINES:
            if engine not in given.engines.split(","):
                continue
            if not installed(package):
                notes.append(f"{engine}: not measured, {package} is not installed")
                continue
            worker = PageWorker("benchmarks.extractor_engines", function, LIMITS)
            total = measured(worker, files)
            worker.close()
            rows.append(total.row(engine))
            notes += [f"{engine} failed on {line}" for line in total.failed]
            if engine == "digital":
                notes += [f"worst: {value:.2f} {place}" for value, place in sorted(total.worst)[: given.worst]]
                notes += _confidence_lines(total)
                kept &= _targets(total, name, notes)
            if engine in ("ocr", "ocr by one reader"):
                notes += [f"worst: {value:.2f} {place}" for value, place in sorted(total.worst)[: given.worst]]
                notes += _confidence_lines(total)
                least = SCANS.get(name.partition(":")[2])
                kept &= least is None or _target(f"GriTS-Con >= {least}", total.content.f1 >= least, notes)
            if engine == "digital in regions" and name == "icdar2013":
                kept &= _target("by table >= .94 with regions given", total.by_table >= 0.94, notes)
        print(f"\n{name}: {len(files)} documents, {sum(pages for _, _, pages in files)} pages")
        _printed(rows)
        print("\n".join(notes))
    if why := models.missing():
        print(f"without the models: {why}")
    print(machine())
    return 0 if kept else 1


def _files(corpora: Path, name: str, parts: Sequence[str], step: int) -> list[tuple[Path, list[GoldTable], int]]:
    """The documents of a set whose names have one of the parts, made into scans where the set's name says so."""
    folder, _, manner = name.partition(":")
    files = {
        file: gold for file, gold in read_gold(corpora / folder).items() if any(part in file.stem for part in parts)
    }
    if manner:
        files = rasterised(files, manner, Path(tempfile.mkdtemp(prefix=f"proofgrid-{manner}-")), step)
    return [(file, gold, n_pages) for file, (gold, n_pages) in files.items()]


def _targets(total: Measured, name: str, notes: list[str]) -> bool:
    seconds = sum(total.seconds) / max(1, len(total.seconds))
    targets = {f"CPU <= {MOST_SECONDS} s a page": seconds <= MOST_SECONDS}
    if name == "icdar2013":
        targets |= {"GriTS-Con >= .91": total.content.f1 >= 0.91, "by table >= .91": total.by_table >= 0.91}
    else:
        targets |= {"all tables found": all(table.found for table in total.tables)}
    return all([_target(what, met, notes) for what, met in targets.items()])


def _target(what: str, met: bool, notes: list[str]) -> bool:
    notes.append(f"target {what}: {'kept' if met else 'MISSED'}")
    return met


if __name__ == "__main__":
    sys.exit(main())
