"""How far a cell may be trusted: the badge of one cell, and the doubts of a table, riskiest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import Literal

from scoring.alignment.align import Alignment, column_of
from scoring.arithmetic.checks import Finding
from scoring.schema import TableType
from scoring.table import Cell, Confidence, Table
from scoring.values.reader import read, same

Level = Literal["high", "medium", "low", "none"]
# A chance, and what speaks for it: a reason in words, or the cell whose badge gives the words. To word the badges of
# all cells takes longer than all else, and few cells are doubts.
Piece = tuple[float, str | Cell]
Evidence = defaultdict[tuple[int, int], list[Piece]]
NO_SCORE = "No score: the extractor reported no confidence"
NOT_EXTRACTED = "this row was not extracted"
REPAIRED = "reading repaired: "
PAGE_READS = "the page reads "

# Chances that are set by hand, until measured ones are known; see ``doubts``.
RISK_WITHOUT_SCORE = 0.5
RISK_OF_MISSED_ROW = 0.5
RISK_OF_FAILED_CHECK = 0.9
RISK_OF_REPAIR = 0.5
RISK_OF_OTHER_WORDS = 0.9


@dataclass(frozen=True)
class Thresholds:
    """From which confidence (0..1) a badge is high, below which it is low, and below which a cell is a doubt.

    Raises ValueError unless low <= doubt <= high. A badge between is medium; on a noisy scan that is
    most cells, so that a doubt has a limit of its own. ``chosen`` tells who chose them and when ("set by Ada on
    2026-11-30"); "" where they are the same for everything. A cell with at least a chosen ``doubt`` is
    accepted: its confidence is no evidence against it, and below it is always a doubt.
    """

    high: float = 0.9
    low: float = 0.6
    doubt: float = 0.8
    chosen: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.doubt <= self.high <= 1:
            found = f"low {self.low}, doubt {self.doubt}, high {self.high}"
            raise ValueError(f"thresholds {found}, expected 0 <= low <= doubt <= high <= 1")


DEFAULT_THRESHOLDS = Thresholds()


@dataclass(frozen=True, slots=True)
class Badge:
    """A level of trust, and the reason in words; "none" means that nothing was said, which is not trust."""

    level: Level
    reason: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """A gold cell to look at, by its grid position; ``risk`` 0..1, ``reasons`` the weightiest first."""

    row: int
    col: int
    level: Level
    reasons: tuple[str, ...]
    risk: float


def weakest(cell: Cell | None) -> Confidence | None:
    """The confidence that decides for a cell: the lowest that has a value, the first of equals; None without one."""
    lowest = None
    for confidence in cell.confidence if cell else ():
        if confidence.value is not None and (lowest is None or confidence.value < (lowest.value or 0.0)):
            lowest = confidence
    return lowest


def badge(cell: Cell | None, *, thresholds: Thresholds = DEFAULT_THRESHOLDS) -> Badge:
    """The badge of a cell by its own confidences: the lowest of them decides, whatever its kind."""
    said = weakest(cell)
    if said is None:
        return Badge("none", NO_SCORE)
    value = said.value or 0.0
    level: Level = "high" if value >= thresholds.high else "medium" if value >= thresholds.low else "low"
    kind = "self-reported confidence" if said.kind == "self-report" else "confidence"
    if not thresholds.chosen:
        return Badge(level, f"{said.unit} {kind} {_shown(value)} ({said.source})")
    own, limit = _told_apart(value, thresholds.high)
    side = "at least" if value >= thresholds.high else "below"
    return Badge(level, f"{said.unit} {kind} {own} ({said.source}), {side} {limit}, {thresholds.chosen}")


def doubts(
    gold: Table,
    pred: Table,
    alignment: Alignment,
    *,
    table_type: TableType | None = None,
    findings: Iterable[Finding] = (),
    repaired: Mapping[tuple[int, int], Sequence[str]] | None = None,
    page_reads: Mapping[tuple[int, int], str] | None = None,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
    by_column: Mapping[int, Thresholds] | None = None,
) -> tuple[Doubt, ...]:
    """The gold cells to look at, riskiest first; cells of equal risk in reading order.

    The pieces of evidence against a cell are taken as independent: ``risk = 1 - product(1 - p)``,
    where p is

    - ``1 - confidence`` for the lowest confidence of the predicted cell that it was read from;
    - .5 where that cell has no confidence although others of the table have one. Where no cell has
      one, that tells no cell from another, and counts for none;
    - ``.9 / k`` for each failed check that k cells took part in, as one of them is wrong;
    - .5 for a row that was not extracted, at its first cell with a text; none of this where
      nothing at all was extracted;
    - .5 where something was changed at the predicted cell while it was read: ``repaired`` tells what, by
      its position;
    - .9 where the page has other words in the box of the predicted cell: ``page_reads`` tells which.

    Confidence, repairs and the words of the page speak of what the extractor read: where gold holds another
    value, a person has changed it, and they count no more. A cell is a doubt when its risk is above
    ``1 - doubt``. The sum of a column would make a doubt of many cells, so it counts only for those that are doubts
    without it. A failed check that thus makes no cell a doubt is put to the riskiest cell that took
    part, the last of equals, so that each is met on the way. Column header cells are no doubts, unless repaired.
    Level "none" means that nothing but a missing score speaks against the cell; else it is "low"
    where the risk is above ``1 - low``, and "medium".

    ``by_column`` has the thresholds of single columns of gold. Chosen ones speak of confidence alone: what else
    there is against a cell is measured by the default ones.
    """
    limits = _Limits(thresholds, by_column or {})
    evidence: Evidence = defaultdict(list)
    unscored = _collect_badges(evidence, gold, pred, alignment, table_type, limits)
    missed = set(alignment.missed) if pred.n_rows else set()
    for cell in gold.cells:
        if cell.row in missed and cell.header != "column" and cell.text.strip():
            missed.remove(cell.row)
            evidence[cell.row, cell.col].append((RISK_OF_MISSED_ROW, NOT_EXTRACTED))
    _collect_told(evidence, gold, pred, alignment, RISK_OF_REPAIR, _repairs(repaired or {}))
    _collect_told(evidence, gold, pred, alignment, RISK_OF_OTHER_WORDS, _other_words(page_reads or {}))
    told = [(finding, _anchors(gold, finding)) for finding in findings if finding.cells]
    for finding, places in told:
        if finding.kind != "sum":
            _add(evidence, places, finding)
    chosen = {place for place, pieces in evidence.items() if limits.is_doubt(place, pieces)}
    for finding, places in told:
        if finding.kind == "sum":
            _add(evidence, [place for place in places if place in chosen], finding)
        if not chosen & set(places):
            riskiest = max(places, key=lambda place: (_risk(evidence[place]), place))
            if finding.kind == "sum":
                _add(evidence, [riskiest], finding)
            chosen.add(riskiest)
    found = []
    for row, col in chosen:
        pieces = sorted(evidence[row, col], key=lambda piece: -piece[0])
        only_unscored = len(pieces) == 1 and (row, col) in unscored
        level: Level = "none" if only_unscored else "low" if limits.is_low((row, col), pieces) else "medium"
        reasons = tuple(_words(source, limits.of(col)) for _, source in pieces)
        found.append(Doubt(row, col, level, reasons, _risk(pieces)))
    return tuple(sorted(found, key=lambda doubt: (-doubt.risk, doubt.row, doubt.col)))


@dataclass(frozen=True)
class _Limits:
    """The thresholds of each column, and what follows from them for the evidence against a cell."""

    default: Thresholds
    by_column: Mapping[int, Thresholds]

    def of(self, col: int) -> Thresholds:
        return self.by_column.get(col, self.default)

    def accepts(self, col: int, confidence: float) -> bool:
        own = self.of(col)
        return bool(own.chosen) and confidence >= own.doubt

    def is_doubt(self, place: tuple[int, int], pieces: Iterable[Piece]) -> bool:
        said, rest = self._parts(place, pieces)
        return said is not None or _risk(rest) > 1 - self.default.doubt + 1e-9

    def is_low(self, place: tuple[int, int], pieces: Iterable[Piece]) -> bool:
        said, rest = self._parts(place, pieces)
        return (said is not None and said < self.of(place[1]).low) or _risk(rest) > 1 - self.default.low + 1e-9

    def _parts(self, place: tuple[int, int], pieces: Iterable[Piece]) -> tuple[float | None, Iterable[Piece]]:
        """The confidence that a chosen threshold speaks of, and the pieces that are measured as everywhere."""
        if not self.of(place[1]).chosen:
            return None, pieces
        said, rest = None, []
        for chance, source in pieces:
            found = None if isinstance(source, str) else weakest(source)
            if found is None:
                rest.append((chance, source))
            else:
                said = found.value
        return said, rest


def _collect_badges(
    evidence: Evidence,
    gold: Table,
    pred: Table,
    alignment: Alignment,
    table_type: TableType | None,
    limits: _Limits,
) -> set[tuple[int, int]]:
    """Add what the badges say; returns the cells without a score among cells that have one."""
    some_scored = any(weakest(cell) is not None for cell in pred.cells)
    rows, cols = dict(alignment.rows), dict(alignment.cols)
    columns = {
        gold_col: column_of(table_type, alignment.gold_columns[gold_col], alignment.pred_columns[pred_col])
        for gold_col, pred_col in cols.items()
    }
    unscored, read_from = set(), pred.grid
    for cell in gold.cells:
        if cell.header == "column" or cell.row not in rows or cell.col not in cols:
            continue
        first = read_from.get((rows[cell.row], cols[cell.col]))
        if first is None:
            continue
        if first.text != cell.text:
            column = columns[cell.col]
            if not same(read(cell.text, column), read(first.text, column), column):
                continue
        said = weakest(first)
        if said is None and some_scored and cell.text.strip():
            unscored.add((cell.row, cell.col))
            evidence[cell.row, cell.col].append((RISK_WITHOUT_SCORE, first))
        elif said is not None and not limits.accepts(cell.col, said.value or 0.0):
            evidence[cell.row, cell.col].append((1 - (said.value or 0.0), first))
    return unscored


def page_says(text: str) -> str:
    """What a page reads, as a reason."""
    return f"{PAGE_READS}\u201c{text}\u201d"


def _repairs(repaired: Mapping[tuple[int, int], Sequence[str]]) -> dict[tuple[int, int], list[str]]:
    return {place: [f"{REPAIRED}{change}" for change in changes] for place, changes in repaired.items()}


def _other_words(page_reads: Mapping[tuple[int, int], str]) -> dict[tuple[int, int], list[str]]:
    return {place: [page_says(text)] for place, text in page_reads.items()}


def _collect_told(
    evidence: Evidence,
    gold: Table,
    pred: Table,
    alignment: Alignment,
    risk: float,
    told: Mapping[tuple[int, int], Sequence[str]],
) -> None:
    """Add what is told of predicted cells at the gold cells that stand for them and have kept their text."""
    rows = {found: row for row, found in alignment.rows}
    cols = {found: col for col, found in alignment.cols}
    for (row, col), reasons in told.items():
        cell = gold.at(rows[row], cols[col]) if row in rows and col in cols else None
        if cell is not None and cell.text == pred.text_at(row, col):
            evidence[cell.row, cell.col] += [(risk, reason) for reason in reasons]


def _words(source: str | Cell, thresholds: Thresholds) -> str:
    return source if isinstance(source, str) else badge(source, thresholds=thresholds).reason


def _anchors(gold: Table, finding: Finding) -> list[tuple[int, int]]:
    """The positions that took part, each moved to the anchor of the cell that covers it."""
    cells = [(gold.at(row, col), (row, col)) for row, col in finding.cells]
    return list(dict.fromkeys(place if cell is None else (cell.row, cell.col) for cell, place in cells))


def _add(evidence: Evidence, places: Iterable[tuple[int, int]], finding: Finding) -> None:
    for place in places:
        evidence[place].append((RISK_OF_FAILED_CHECK / len(finding.cells), finding.message))


def _risk(pieces: Iterable[Piece]) -> float:
    left = 1.0
    for chance, _ in pieces:
        left *= 1 - chance
    return 1 - left


def _shown(value: float, digits: int = 2) -> str:
    # Rounded down: 0.899 is not shown as a round 0.90 beside a badge that it missed.
    return str(Decimal(str(value)).quantize(Decimal(1).scaleb(-digits), ROUND_FLOOR))


def _told_apart(value: float, limit: float) -> tuple[str, str]:
    """Both with two digits, or with as many as it takes to tell them apart."""
    digits = next((many for many in range(2, 9) if value == limit or _shown(value, many) != _shown(limit, many)), 9)
    return _shown(value, digits), _shown(limit, digits)
