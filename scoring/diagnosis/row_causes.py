"""Causes of error that hit rows as a whole: shifted, merged, split, repeated, made up or missed rows."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.alignment.align import Texts
from scoring.diagnosis.finding import CauseFinding, CauseLabel, Compared, row_text, values_in
from scoring.text import fold, similarity

# How many rows without a partner are tried on each side of where a row should stand.
_NEIGHBOURS = 3
# A text that stands in more rows tells nothing about which row is meant.
_MOST_ROWS_OF_TEXT = 50


def row_findings(compared: Compared) -> tuple[CauseFinding, ...]:
    """The findings that hit whole data rows; each row belongs to at most one.

    In this order: repeated header, shifted row, merged and split rows, repeated row, row that is
    made up or too much, missed row. Only rows without a partner and their neighbours are tried, so
    that time grows with the rows that are wrong.
    """
    rows = _Rows(compared)
    return (
        *_repeated_headers(rows),
        *_shifted_without_partner(rows),
        *_shifted_in_place(rows),
        *_merged(rows),
        *_split(rows),
        *_repeated(rows),
        *_too_much(rows),
        *_missed(rows),
    )


@dataclass
class _Rows:
    """The data rows of two tables, counted from 0 after the header, and which are not yet explained."""

    compared: Compared
    gold: Texts = field(init=False)
    pred: Texts = field(init=False)
    partner_of_gold: dict[int, int] = field(init=False)
    partner_of_pred: dict[int, int] = field(init=False)
    missed: list[int] = field(init=False)
    extra: list[int] = field(init=False)

    def __post_init__(self) -> None:
        found = self.compared.alignment
        self.gold, self.pred = found.gold_texts, found.pred_texts
        pairs = [(g - found.gold_header, p - found.pred_header) for g, p in found.data_rows]
        self.partner_of_gold, self.partner_of_pred = dict(pairs), {p: g for g, p in pairs}
        self.missed = [row - found.gold_header for row in found.missed if row >= found.gold_header]
        only_pred = sorted((*found.extra, *found.duplicates))
        self.extra = [row - found.pred_header for row in only_pred if row >= found.pred_header]

    def take(
        self, label: CauseLabel, explanation: str, gold_rows: Sequence[int], pred_rows: Sequence[int]
    ) -> CauseFinding:
        """The finding of these rows, which no later rule looks at."""
        found = self.compared.alignment
        for row in gold_rows:
            self.partner_of_pred.pop(self.partner_of_gold.pop(row, -1), None)
            _remove(self.missed, row)
        for row in pred_rows:
            self.partner_of_gold.pop(self.partner_of_pred.pop(row, -1), None)
            _remove(self.extra, row)
        in_gold = [row + found.gold_header for row in gold_rows]
        in_pred = [row + found.pred_header for row in pred_rows]
        told = self.compared.of_rows(in_gold, in_pred)
        return self.compared.finding(label, explanation, told, gold_rows=in_gold, pred_rows=in_pred)

    def gold_text(self, row: int) -> str:
        return row_text(self.compared.gold, row + self.compared.alignment.gold_header)

    def pred_text(self, row: int) -> str:
        return row_text(self.compared.pred, row + self.compared.alignment.pred_header)

    def wrong_cells(self, gold_row: int) -> int:
        """How many differences a pair of rows has."""
        return len(self.compared.by_gold_row.get(gold_row + self.compared.alignment.gold_header, ()))


def _remove(rows: list[int], row: int) -> None:
    if _has(rows, row):
        del rows[bisect_left(rows, row)]


def _has(rows: Sequence[int], row: int) -> bool:
    """Whether a row is one of some rows that are in order."""
    at = bisect_left(rows, row)
    return at < len(rows) and rows[at] == row


def _repeated_headers(rows: _Rows) -> Iterator[CauseFinding]:
    gold, alignment = rows.compared.gold, rows.compared.alignment
    names = [
        "\t".join(fold(gold.text_at(row, col)) for col, _ in alignment.cols) for row in range(alignment.gold_header)
    ]
    for row in list(rows.extra):
        line = "\t".join(map(fold, rows.pred[row]))
        if line.strip() and any(similarity(name, line) >= rows.compared.thresholds.header_row for name in names):
            yield rows.take("header_as_row", f"the header is repeated as the row {rows.pred_text(row)}", [], [row])


def _shifted_without_partner(rows: _Rows) -> Iterator[CauseFinding]:
    """A missed row whose cells stand, in part or all, at other places of a predicted row without a partner."""
    rows_of: dict[str, list[int]] = defaultdict(list)
    bags = {row: Counter(filter(None, rows.pred[row])) for row in rows.extra}
    for row, bag in bags.items():
        for text in bag:
            rows_of[text].append(row)
    found = []
    for row in rows.missed:
        bag = Counter(filter(None, rows.gold[row]))
        candidates = {
            other for text in bag if len(rows_of.get(text, ())) <= _MOST_ROWS_OF_TEXT for other in rows_of.get(text, ())
        }
        for other in candidates:
            share = (bag & bags[other]).total() / max(bag.total(), bags[other].total())
            if share >= rows.compared.thresholds.row_bag and (bag & bags[other]).total() > 1:
                found.append((-share, row, other))
    for _, row, other in sorted(found):
        if _has(rows.missed, row) and _has(rows.extra, other):
            said = f"the cells of {rows.gold_text(row)} stand at other places: {rows.pred_text(other)}"
            yield rows.take("row_shift", said, [row], [other])


def _shifted_in_place(rows: _Rows) -> Iterator[CauseFinding]:
    """A row, or part of it from some column on, whose cells stand a fixed number of columns away."""
    cols = rows.compared.alignment.cols
    rank = {lane: at for at, lane in enumerate(sorted(range(len(cols)), key=lambda lane: cols[lane][1]))}
    for row, other in list(rows.partner_of_gold.items()):
        if rows.wrong_cells(row) < 2:
            continue
        by = _moved_by(rows, row, other, rank)
        if by:
            where = f"{abs(by)} column{'s' * (abs(by) > 1)} too far {'right' if by > 0 else 'left'}"
            said = f"the cells of {rows.gold_text(row)} stand {where}: {rows.pred_text(other)}"
            yield rows.take("row_shift", said, [row], [other])


def _moved_by(rows: _Rows, row: int, other: int, rank: Mapping[int, int]) -> int:
    gold, pred, cols = rows.gold[row], rows.pred[other], rows.compared.alignment.cols
    told = rows.compared.by_gold_row[row + rows.compared.alignment.gold_header]
    wrong_cols = {rows.compared.differences[at].gold_col for at in told}
    wrong = [lane for lane in range(len(cols)) if cols[lane][0] in wrong_cols]
    with_text = [lane for lane in wrong if gold[lane]]
    if not {gold[lane] for lane in with_text} & {pred[lane] for lane in wrong}:
        return 0
    steps = Counter(
        rank[at] - rank[lane]
        for lane in with_text
        for at in wrong
        if at != lane and pred[at] and rows.compared.same(gold[lane], pred[at], cols[lane][0])
    )
    by, moved = max(steps.items(), key=lambda step: (step[1], -abs(step[0]), step[0]), default=(0, 0))
    return by if moved > 1 and moved >= rows.compared.thresholds.row_bag * len(with_text) else 0


def _merged(rows: _Rows) -> Iterator[CauseFinding]:
    for run, other in _joined(rows, rows.gold, rows.pred, merged=True):
        texts = " and ".join(rows.gold_text(row) for row in run)
        yield rows.take("merged_rows", f"{texts} became one row: {rows.pred_text(other)}", run, [other])


def _split(rows: _Rows) -> Iterator[CauseFinding]:
    for run, other in _joined(rows, rows.pred, rows.gold, merged=False):
        texts = " and ".join(rows.pred_text(row) for row in run)
        yield rows.take("split_row", f"{rows.gold_text(other)} became {len(run)} rows: {texts}", [other], run)


def _joined(rows: _Rows, parts: Texts, wholes: Texts, *, merged: bool) -> Iterator[tuple[list[int], int]]:
    """Runs of rows of one table that together are one row of the other, one of them without a partner."""
    partner, loose, free = (
        (rows.partner_of_gold, rows.missed, rows.extra) if merged else (rows.partner_of_pred, rows.extra, rows.missed)
    )
    limits = rows.compared.thresholds
    before = list(_partners_before(len(parts), partner))
    for row in list(loose):
        best: tuple[float, list[int], int] = (0.0, [], -1)
        for run in _runs(row, len(parts), limits.joined_rows):
            matched = [at for at in run if not _has(loose, at)]
            if not _has(loose, row) or len(matched) > 1 or any(at not in partner for at in matched):
                continue
            if not matched and run[0] != row:
                continue  # Tried when its first row was.
            for whole in [partner[matched[0]]] if matched else _near(free, before[run[0]]):
                own = _likeness([parts[matched[0]]], wholes[whole]) if matched else 0.0
                if own + limits.joined_gain >= 1:
                    continue
                least = max(limits.joined, own + limits.joined_gain, best[0])
                if (score := _likeness([parts[at] for at in run], wholes[whole], least=least)) > least:
                    best = score, run, whole
        if best[1]:
            yield best[1], best[2]


def _runs(row: int, count: int, most: int) -> Iterator[list[int]]:
    """The runs of two to ``most`` rows that hold a row."""
    for first in range(max(0, row - most + 1), row + 1):
        for last in range(max(row, first + 1), min(count, first + most)):
            yield list(range(first, last + 1))


def _partners_before(count: int, partner: Mapping[int, int]) -> Iterator[int]:
    """For each row where the partner of the closest row before it stands; -1 where there is none."""
    last = -1
    for row in range(count):
        yield last
        last = partner.get(row, last)


def _near(free: Sequence[int], place: int) -> Sequence[int]:
    at = bisect_left(free, place)
    return free[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]


def _likeness(run: Sequence[Sequence[str]], whole: Sequence[str], *, least: float = 0.0) -> float:
    """Mean similarity, over the columns with a text, of the texts of a run put together with one row.

    0 where their lengths alone tell that it is not above ``least``.
    """
    lanes: list[tuple[set[str], str]] = []
    most = 0.0
    for lane, text in enumerate(whole):
        texts = [row[lane] for row in run if row[lane]]
        if not texts and not text:
            continue
        joined = {" ".join(texts), "".join(texts)} | ({texts[0]} if len(set(texts)) == 1 else set())
        lanes.append((joined, text))
        most += max(_most_alike(one, text) for one in joined)
    if not lanes or most <= least * len(lanes):
        return 0.0
    return sum(max(similarity(one, text) for one in joined) for joined, text in lanes) / len(lanes)


def _most_alike(one: str, other: str) -> float:
    """What the similarity of two texts of these lengths is at most."""
    longer = max(len(one), len(other))
    return min(len(one), len(other)) / longer if longer else 1.0


def _repeated(rows: _Rows) -> Iterator[CauseFinding]:
    seen = {rows.pred[row] for row in rows.partner_of_pred}
    for row in list(rows.extra):
        if any(rows.pred[row]) and rows.pred[row] in seen:
            yield rows.take("duplicated_row", f"the row {rows.pred_text(row)} stands there again", [], [row])
        seen.add(rows.pred[row])


def _too_much(rows: _Rows) -> Iterator[CauseFinding]:
    source, pred, header = rows.compared.source, rows.compared.pred, rows.compared.alignment.pred_header
    for row in list(rows.extra):
        text = rows.pred_text(row)
        if not values_in(pred, row + header):
            yield rows.take("extra_row", "there is an empty row that gold does not have", [], [row])
        elif source is None:
            said = f"gold has no row {text}, and without the text of the document nothing tells where it is from"
            yield rows.take("unsupported_unknown", said, [], [row])
        elif _support(rows, row) < rows.compared.thresholds.supported:
            yield rows.take("hallucinated_row", f"most of {text} does not occur in the document", [], [row])
        else:
            yield rows.take("extra_row", f"{text} occurs in the document, but gold has no such row", [], [row])


def _support(rows: _Rows, row: int) -> float:
    """The share of the texts of a predicted row that occur in the document."""
    compared = rows.compared
    gold_of = {pred_col: gold_col for gold_col, pred_col in compared.alignment.cols}
    assert compared.source is not None
    there = []
    for col in range(compared.pred.n_cols):
        text = compared.pred.text_at(row + compared.alignment.pred_header, col)
        if text.strip():
            column = compared.columns[gold_of[col]] if col in gold_of else None
            there.append(compared.source.has(text, column) if column else compared.source.has(text))
    return sum(there) / len(there)


def _missed(rows: _Rows) -> Iterator[CauseFinding]:
    for row in list(rows.missed):
        yield rows.take("missed_row", f"the row {rows.gold_text(row)} was not extracted", [row], [])
