"""Whether the rows and columns of a prediction are told by the same headers as those of gold they stand for."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

from scoring.fidelity.grid_alignment import Alignment
from scoring.fidelity.header_paths import Headers, Path, column_path, row_path
from scoring.fidelity.sheets import Sheet
from scoring.fidelity.text_recovery import found_in_order, likeness, likenesses, path_likeness, taken_apart

Fault = Literal["", "lost", "wrong", "ambiguous"]

_PLACEHOLDER = re.compile(r"(?:col|column|unnamed)[ _:]*\d+", re.IGNORECASE)
# A header text is known if gold has one so like it.
_KNOWN = 0.8
# Two columns under one header where gold has two: the order alone tells which is which.
_AMBIGUOUS = 0.2
# Two headers in one cell, in the order of the columns.
_RUN_TOGETHER = 0.5
# The right header, which another column bears too.
_SHADOWED = 0.6
# One of several headers is another one.
_CONTRADICTED = 0.3
# A header has a word above or beside it that gold has not.
_MORE = 0.9
# A higher header is lost, and the lowest is enough to find the line.
_UNIQUE = 0.75


@dataclass(frozen=True, slots=True)
class Association:
    """What is left of the way from a header to its line: 1 all, 0 nothing; and what is wrong with it."""

    kept: float
    fault: Fault
    gold: Path
    pred: Path


@dataclass(frozen=True)
class Associations:
    """The header paths of the prediction, read where gold has its headers and whatever marks the prediction has."""

    gold: Sheet
    headers: Headers
    pred: Sheet
    alignment: Alignment

    @cached_property
    def first_body_row(self) -> int:
        """The first row of the prediction that stands for a body row of gold; all above is its header."""
        body = [row for row in self.alignment.rows[self.headers.header_rows :] if row >= 0]
        return min(body, default=self.pred.n_rows)

    @cached_property
    def label_cols(self) -> tuple[int, ...]:
        """The columns of the prediction that hold labels: those of gold, and what else stands before the values."""
        labels = {col for col in self.alignment.cols[: self.headers.label_cols] if col >= 0}
        values = [col for col in self.alignment.cols[self.headers.label_cols :] if col >= 0]
        before = range(min(values, default=0))
        return tuple(sorted(labels | {col for col in before if col not in values}))

    @cached_property
    def columns(self) -> Mapping[int, Association]:
        """For each value column of gold that has a counterpart."""
        cols = range(self.headers.label_cols, self.gold.n_cols)
        return _compared(
            {
                col: (column_path(self.gold, self.headers, col), self._column_path(col))
                for col in cols
                if self.alignment.cols[col] >= 0
            }
        )

    @cached_property
    def rows(self) -> Mapping[int, Association]:
        """For each body row of gold that has a counterpart."""
        body = range(self.headers.header_rows, self.gold.n_rows)
        return _compared(
            {
                row: (row_path(self.gold, self.headers, row), self._row_path(row))
                for row in body
                if self.alignment.rows[row] >= 0 and not self.headers.is_section[row]
            }
        )

    def column_at(self, col: int, at_col: int, *, shared: bool) -> Association:
        """How a column of gold is told if its value stands, maybe with others, in a column of the prediction."""
        own = self.columns[col] if self.alignment.cols[col] == at_col else None
        if own is not None and not shared:
            return own
        contained = _contained(column_path(self.gold, self.headers, col), self._texts_above(at_col))
        return own if own is not None and own.kept >= contained.kept else contained

    def row_at(self, row: int, at_row: int, *, shared: bool) -> Association:
        """How a row of gold is told if its value stands, maybe with others, in a row of the prediction."""
        own = self.rows[row] if self.alignment.rows[row] == at_row else None
        if own is not None and not shared:
            return own
        contained = _contained(row_path(self.gold, self.headers, row), self._labels(at_row))
        return own if own is not None and own.kept >= contained.kept else contained

    def _labels(self, at_row: int) -> Path:
        said = (self.pred.texts[at_row][col] for col in self.label_cols if self.pred.said(at_row, col))
        section = self.sections[at_row]
        return ((section,) if section else ()) + tuple(said)

    @cached_property
    def _header_rows(self) -> list[int]:
        rows = set(range(self.first_body_row)) | {
            row for row in self.alignment.rows[: self.headers.header_rows] if row >= 0
        }
        only = {row: self.pred.only_text(row) for row in sorted(rows)}
        known = _known(self._header_texts, list(only.values()))
        return [row for row, text in only.items() if not text or text in known or self._holds_header(text)]

    def _holds_header(self, text: str) -> bool:
        """Whether a header of gold is in a text that is no title, as where headers run together."""
        return any(found_in_order([header], text)[0] for header in self._header_texts)

    def _heads(self, row: int, col: int) -> bool:
        """Whether a header stands at a position, not only the name that a program gives to a column without one."""
        return self.pred.said(row, col) and not _PLACEHOLDER.fullmatch(self.pred.texts[row][col])

    def repeats(self, text: str) -> bool:
        """Whether a text is that of a header, a label or a section of gold."""
        return taken_apart(text).key in self._keys

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(taken_apart(text).key for text in (*self._header_texts, *self._label_texts))

    @cached_property
    def _header_texts(self) -> dict[str, None]:
        rows = range(self.headers.header_rows)
        return dict.fromkeys(text for row in rows for text in self.gold.texts[row] if text)

    @cached_property
    def _label_texts(self) -> dict[str, None]:
        body = range(self.headers.header_rows, self.gold.n_rows)
        labels = (text for row in body for text in self.gold.texts[row][: self.headers.label_cols])
        return dict.fromkeys(text for text in (*labels, *self.headers.sections) if text)

    @cached_property
    def _only_labels(self) -> tuple[str, ...]:
        """For each row of the prediction its text, if it is the only one and gold has a label or section like it.

        A row that stands for one with values has lost them; it is no section.
        """
        values = {
            other
            for row, other in enumerate(self.alignment.rows[self.headers.header_rows :], self.headers.header_rows)
            if not self.headers.is_section[row]
        }
        only = ["" if row in values else self.pred.only_text(row) for row in range(self.pred.n_rows)]
        known = _known(self._label_texts, only)
        return tuple(text if text in known else "" for text in only)

    @cached_property
    def sections(self) -> tuple[str, ...]:
        """The section that each row of the prediction stands under, "" for none."""
        sections, current = [], ""
        for only in self._only_labels:
            sections.append(current)
            current = only or current
        return tuple(sections)

    def _texts_above(self, at_col: int) -> Path:
        texts = (self.pred.texts[row][at_col] for row in self._header_rows if self._heads(row, at_col))
        return tuple(dict.fromkeys(texts))

    def _column_path(self, col: int) -> Path:
        """The texts above; where gold's header spans columns, an empty position is read as the one beside it."""
        path: dict[int, str] = {}
        at_col = self.alignment.cols[col]
        for row in self._header_rows:
            if self._heads(row, at_col):
                path.setdefault(self.pred.owners[row][at_col], self.pred.texts[row][at_col])
                continue
            for beside in self._spanned(col):
                if self.pred.said(row, beside) and self._spanner(self.pred.texts[row][beside], col):
                    path.setdefault(self.pred.owners[row][beside], self.pred.texts[row][beside])
                    break
        return tuple(dict.fromkeys(path.values())) or self._header_beside(col)

    def _header_beside(self, col: int) -> Path:
        """The header of a column without one, if it is in the cell to the left or right, together with another."""
        wanted = column_path(self.gold, self.headers, col)
        for row in self._header_rows:
            for beside in (self.alignment.cols[col] - 1, self.alignment.cols[col] + 1):
                text = self.pred.texts[row][beside] if 0 <= beside < self.pred.n_cols else ""
                if wanted and all(found_in_order([part], text)[0] for part in wanted):
                    return (text,)
        return ()

    def _spanned(self, col: int) -> list[int]:
        """The counterparts of the columns that share a header cell of gold with this one, the nearest first."""
        above = [self.gold.owners[row][col] for row in range(self.headers.header_rows)]
        shared = {other for owner in above for other in self._cols_under.get(owner, ())}
        nearest = sorted(shared, key=lambda other: (abs(other - col), other))
        return [self.alignment.cols[other] for other in nearest if self.alignment.cols[other] >= 0]

    @cached_property
    def _cols_under(self) -> Mapping[int, set[int]]:
        """The columns that each header cell of gold covers."""
        under: defaultdict[int, set[int]] = defaultdict(set)
        for row in range(self.headers.header_rows):
            for col, owner in enumerate(self.gold.owners[row]):
                if owner >= 0:
                    under[owner].add(col)
        return under

    def _spanner(self, text: str, col: int) -> bool:
        above = column_path(self.gold, self.headers, col)
        return any(likeness(other, text) >= _KNOWN for other in above)

    def _row_path(self, row: int) -> Path:
        at_row, continued = self.alignment.rows[row], self._continued(row)
        labels = [self.sections[at_row]]
        for at_col in self.label_cols:
            if self.pred.said(at_row, at_col):
                labels.append(self.pred.texts[at_row][at_col])
                continued = set()
            elif at_col in continued:
                labels.append(self._label_above(at_row, at_col))
        return tuple(dict.fromkeys(filter(None, labels)))

    def _continued(self, row: int) -> set[int]:
        """The columns of the prediction in which a label may be that of the row above, as it is in gold."""
        if row == self.headers.header_rows:
            return set()
        owners = self.gold.owners
        return {
            self.alignment.cols[col]
            for col in range(self.headers.label_cols)
            if not self.gold.said(row, col) or owners[row][col] == owners[row - 1][col]
        }

    def _label_above(self, at_row: int, at_col: int) -> str:
        for above in range(at_row - 1, self.first_body_row - 1, -1):
            if self._only_labels[above]:
                break
            if self.pred.said(above, at_col):
                return self.pred.texts[above][at_col]
        return ""


def _known(gold: Iterable[str], pred: Sequence[str]) -> set[str]:
    """Those texts of the prediction that are like one of gold."""
    texts, of_gold = [text for text in dict.fromkeys(pred) if text], list(gold)
    if not texts or not of_gold:
        return set()
    likest = likenesses(of_gold, texts).max(axis=0)
    return {text for text, alike in zip(texts, likest.tolist(), strict=True) if alike >= _KNOWN}


def _compared(paths: Mapping[int, tuple[Path, Path]]) -> dict[int, Association]:
    golds = {_key(gold): gold for gold, _ in paths.values()}
    lasts = Counter(gold[-1] for gold in golds.values() if gold)
    elsewhere = {taken_apart(text).key for gold in golds.values() for text in gold}
    kept = {line: path_likeness(gold, pred) for line, (gold, pred) in paths.items()}
    bearers: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for line, (gold, pred) in paths.items():
        bearers[_key(pred)][_key(gold)] = kept[line]
    shared = {key: _Shared.of(key, by_gold, golds) for key, by_gold in bearers.items() if len(by_gold) > 1}
    compared = {}
    for line, (gold, pred) in paths.items():
        share, fault = _told(gold, pred, kept[line], golds, shared.get(_key(pred)))
        if fault == "wrong" and _key(pred) not in golds:
            if _contradicts(gold, pred, elsewhere):
                share *= _CONTRADICTED
            elif set(gold) < set(pred):
                share = max(share, _MORE)
            elif lasts[gold[-1]] == 1 and set(pred) < set(gold) and pred[-1] == gold[-1]:
                share = max(share, _UNIQUE)
        compared[line] = Association(share, fault, gold, pred)
    return compared


@dataclass(frozen=True, slots=True)
class _Shared:
    """A header of the prediction over several lines that gold tells apart: how many it names, and if it names all."""

    named: int
    all_in_it: bool

    @classmethod
    def of(cls, key: str, by_gold: Mapping[str, float], golds: Mapping[str, Path]) -> Self:
        named = sum(alike >= _KNOWN for alike in by_gold.values())
        return cls(named, all(taken_apart(text).key in key for gold in by_gold for text in golds[gold]))


def _told(
    gold: Path, pred: Path, alike: float, golds: Mapping[str, Path], shared: _Shared | None
) -> tuple[float, Fault]:
    if not gold:
        return 1.0, ""
    if not pred:
        return 0.0, "lost"
    if _key(pred) != _key(gold) and _key(pred) in golds:
        return 0.0, "wrong"
    if shared is None:
        return alike, "" if alike == 1.0 else "wrong"
    if shared.all_in_it and not shared.named:
        return _RUN_TOGETHER, "ambiguous"
    mine = alike >= _KNOWN and shared.named == 1
    return min(alike, _SHADOWED if mine else _AMBIGUOUS), "ambiguous"


def _contradicts(gold: Path, pred: Path, elsewhere: set[str]) -> bool:
    """Whether a header is replaced, not only lost: by one of another line of gold, or by one that is not in gold."""
    mine, its = ({taken_apart(text).key: text for text in path} for path in (gold, pred))
    lost = {key: text for key, text in mine.items() if key not in its}
    new = {key: text for key, text in its.items() if key not in mine}
    if lost and any(key in elsewhere for key in new):
        return True
    return any(not any(_related(text, other) for other in its.values()) for text in lost.values()) and any(
        not any(_related(other, text) for other in mine.values()) for text in new.values()
    )


def _related(text: str, other: str) -> bool:
    """Whether one text could be read as the other, or be a part of it."""
    first, second = (set(taken_apart(one).tokens) for one in (text, other))
    return first <= second or second <= first or likeness(text, other) > 0.0


def _contained(gold: Path, pred: Path) -> Association:
    """How a line is told by a header that it shares with others: its own words must be in it."""
    whole = " ".join(pred)
    if not gold or all(found_in_order([text], whole)[0] for text in gold):
        return Association(1.0, "", gold, pred)
    return Association(0.0, "wrong" if pred else "lost", gold, pred)


def _key(path: Sequence[str]) -> str:
    return "".join(taken_apart(text).key for text in path)
