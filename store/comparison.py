"""A gold table beside its first extraction: alignment, badges, checks, doubts and score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sqlite_utils import Database

from scoring.alignment.align import Alignment, align
from scoring.arithmetic.checks import Finding, check
from scoring.confidence.badges import DEFAULT_THRESHOLDS, Badge, Doubt, Thresholds, badge, doubts, page_says
from scoring.diagnosis.causes import Causes, causes
from scoring.report import Report, Rules, score
from scoring.schema import TableType, bind
from scoring.table import Cell, Table
from scoring.values.reader import PLAIN, read, same
from store import blind, documents, extractions, gold
from store.db import Db, row
from store.documents import Document
from store.edits import Sheet
from store.extractions import ExtractedTable, Extraction
from store.gold import Gold
from store.page_readings import page_readings
from store.table_pairing import table_of
from store.table_types import table_type
from store.thresholds import ALL_FIELDS, limits_of

NOTHING = Table(0, 0)
MOST_KEPT = 64


@dataclass(frozen=True)
class Comparison:
    """One gold table at one revision, its first extraction, and what follows from the two."""

    gold: Gold
    document: Document
    revision: int
    sheet: Sheet
    status: str
    table_type: TableType | None
    extraction: Extraction | None
    first: ExtractedTable | None
    related: Mapping[str, tuple[Table, TableType]]
    readings: Mapping[tuple[int, int], str]
    thresholds: Mapping[str, Thresholds]
    blind_page: int | None = None
    """Where a table stands that hides its first extraction, so that the person finds it."""

    @cached_property
    def alignment(self) -> Alignment:
        """The rows and columns of gold matched to those of the first extraction."""
        return align(self.sheet.table, self.first_table, table_type=self.table_type)

    @property
    def label(self) -> str:
        """What the table is called on screen: the label of its type if named like it, a number if nameless."""
        kind, name = self.table_type, self.gold.name.strip()
        if self.gold.hides_first:  # its name may be a heading that the extractor read
            name = f"{kind.shown} (table {self.gold.position + 1}" if kind else f"Table {self.gold.position + 1} ("
            place = "" if self.blind_page is None else f"page {self.blind_page}"
            return f"{name}{', ' * bool(kind and place)}{place})".removesuffix(" ()")
        return kind.shown if kind and kind.name == name else name or f"Table {self.gold.position + 1}"

    @property
    def first_table(self) -> Table:
        """The table as first extracted; a table without rows where nothing was extracted."""
        return self.first.table if self.first else NOTHING

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The checks of the table type that fail on gold now."""
        return check(self.sheet.table, self.table_type, related=self.related) if self.table_type else ()

    @cached_property
    def page_reads(self) -> dict[tuple[int, int], str]:
        """What the page reads, by the position of the extracted cell, where that is another value in its column."""
        table, kind = self.first_table, self.table_type
        bound = bind(table, kind).columns if kind and self.readings else ()
        found = {}
        for (line, col), text in self.readings.items():
            at = bound[col] if bound else None
            column = kind.columns[at] if kind and at is not None else PLAIN
            if not same(read(text, column), read(table.text_at(line, col), column), column):
                found[line, col] = text
        return found

    @cached_property
    def limits(self) -> tuple[dict[int, Thresholds], dict[int, Thresholds]]:
        """The thresholds that people set for columns of gold, and for those of the first extraction."""
        if not self.thresholds:
            return {}, {}
        own, others = self.alignment.gold_columns, self.alignment.pred_columns
        match = dict(self.alignment.cols)
        named = [at if at is not None or col not in match else others[match[col]] for col, at in enumerate(own)]
        of_first = list(others)
        for col, found in match.items():
            of_first[found] = named[col]
        return self._limits(named), self._limits(of_first)

    def _limits(self, columns: Sequence[int | None]) -> dict[int, Thresholds]:
        names = [
            self.table_type.columns[at].name if self.table_type and at is not None else ALL_FIELDS for at in columns
        ]
        found = [self.thresholds.get(name, self.thresholds.get(ALL_FIELDS)) for name in names]
        return {col: limits for col, limits in enumerate(found) if limits}

    def badge(self, cell: Cell | None) -> Badge:
        """The badge of a cell of the first extraction, by its confidence and the thresholds of its column.

        It is low where the page has other words in the cell's box, whatever the extractor said.
        """
        own, reading = self.confidence_badge(cell), self.page_reads.get((cell.row, cell.col)) if cell else None
        return own if reading is None else Badge("low", f"{page_says(reading)}; {own.reason}")

    def confidence_badge(self, cell: Cell | None) -> Badge:
        """The badge by confidence and thresholds alone, whatever the page reads."""
        return badge(cell, thresholds=self.limits[1].get(cell.col, DEFAULT_THRESHOLDS) if cell else DEFAULT_THRESHOLDS)

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """The gold cells to look at, riskiest first; cells that a person has settled are left out."""
        found = doubts(
            self.sheet.table,
            self.first_table,
            self.alignment,
            table_type=self.table_type,
            findings=self.findings,
            repaired=self.first.repaired if self.first else None,
            page_reads=self.page_reads,
            by_column=self.limits[0],
        )
        return tuple(doubt for doubt in found if not self._settled(doubt))

    @cached_property
    def report(self) -> Report:
        """The score of the first extraction against gold as it is now."""
        return score(self.sheet.table, self.first.table if self.first else None, rules=Rules(self.table_type))

    @cached_property
    def causes(self) -> Causes:
        """Why the first extraction differs from gold as it is now, told without the text of the page."""
        return causes(
            self.sheet.table,
            self.first.table if self.first else None,
            table_type=self.table_type,
            other_gold=[table for table, _ in self.related.values()],
        )

    def rests_on_the_same(self, other: Comparison) -> bool:
        """Whether both follow from the same state; sheets and tables are the same values where nothing changed."""
        mine, others = self.related, other.related
        return (
            self.sheet is other.sheet
            and self.first_table is other.first_table
            and (self.revision, self.status, self.gold, self.document)
            == (other.revision, other.status, other.gold, other.document)
            and (self.extraction and self.extraction.id) == (other.extraction and other.extraction.id)
            and self.table_type == other.table_type
            and self.thresholds == other.thresholds
            and mine.keys() == others.keys()
            and all(table is others[name][0] and kind == others[name][1] for name, (table, kind) in mine.items())
        )

    def _settled(self, doubt: Doubt) -> bool:
        cell = self.sheet.table.at(doubt.row, doubt.col)
        return cell is not None and bool(self.sheet.mark_at(cell.row, cell.col))


def as_judged(reader: Database, found: Comparison) -> Comparison:
    """The same with the thresholds that counted when the table was last accepted: its badges are those of that time.

    As it is where the table was never accepted, or the thresholds are still the same.
    """
    last = row(reader, "select max(at) as at from verdict where gold = ? and verdict = 'accept'", (found.gold.id,))
    if last is None or last["at"] is None:
        return found
    then = limits_of(reader, found.document.project, found.gold.table_type, at=last["at"])
    return found if then == found.thresholds else replace(found, thresholds=then)


def compare(db: Db, reader: Database, key: int, *, run: int | None = None) -> Comparison:
    """A gold table beside the first extraction of its document, of any run or of one; raises NotFound.

    A second keying, and a table of the blind slice until it is accepted, stand alone: nothing that anybody else read
    can follow from them.
    """
    found = gold.gold(reader, key)
    is_alone = found.stands_alone
    document = documents.document(reader, found.document)
    revision, sheet = gold.current(db, reader, key)
    extraction = None if is_alone else extractions.first_extraction(reader, document.id, run=run)
    related: dict[str, tuple[Table, TableType]] = {}
    for other in () if is_alone else gold.gold_tables(reader, document.id):
        kind = table_type(reader, other.table_type, project=document.project) if other.table_type else None
        if kind is not None and other.id != key:
            related[other.table_type] = (gold.current(db, reader, other.id)[1].table, kind)
    first = table_of(db, reader, extraction, found) if extraction else None
    fresh = Comparison(
        gold=found,
        document=document,
        revision=revision,
        sheet=sheet,
        status=gold.status(reader, key),
        table_type=table_type(reader, found.table_type, project=document.project) if found.table_type else None,
        extraction=extraction,
        first=first,
        related=related,
        # Doubts are of the first extraction of all; a run is compared to be scored.
        readings={} if is_alone or run is not None else page_readings(db, reader, key, document, first),
        thresholds=limits_of(reader, document.project, found.table_type),
        blind_page=blind.page_of(reader, key) if found.hides_first else None,
    )
    # What was worked out for the same state is still true.
    kept: dict[tuple[int, int | None], Comparison] = db.remembered.setdefault("comparisons", {})
    known = kept.get((key, run))
    if known is not None and known.rests_on_the_same(fresh):
        return known
    kept[key, run] = fresh
    while len(kept) > MOST_KEPT:
        kept.pop(next(iter(kept)), None)
    return fresh
