"""Ten tables in which sixty known errors of extraction are planted, and the truth that corrects them."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.documents import COLUMNS, TABLE_TYPES, Word, azure_answer, drawn, texts

ROWS = 12
KINDS = {
    "wrong": "wrong value",
    "missed": "missed row",
    "twice": "duplicate row",
    "merged": "merged neighbours",
    "broken": "split cell",
    "shifted": "shifted column",
}
SHIFTED_ROWS = 3
# The errors of each table; where they stand is drawn by a generator with the table's number as its seed.
PLAN = (
    "wrong wrong wrong missed twice merged broken",
    "wrong wrong missed twice merged shifted",
    "wrong wrong missed merged broken shifted",
    "wrong wrong missed twice broken shifted",
    "wrong twice merged broken shifted",
    "wrong wrong missed twice merged broken",
    "wrong wrong missed twice merged shifted",
    "wrong wrong wrong merged broken shifted",
    "wrong wrong wrong merged broken shifted",
    "wrong wrong wrong wrong broken shifted",
)
QUANTITY, UNIT, UNIT_PRICE, DISCOUNT, AMOUNT = 3, 4, 5, 6, 7
ARTICLE, DESCRIPTION = 1, 2
ALIKE = {"0": "O", "1": "l", "2": "7", "3": "8", "4": "9", "5": "S", "6": "8", "7": "1", "8": "3", "9": "4"}
ALIKE |= {"a": "o", "e": "c", "o": "a", "i": "l", "l": "1", "r": "n", "t": "f", "u": "v"}
SURE, DOUBTFUL = 0.97, 0.55
WORDS_BROKEN_OFF = 2


@dataclass(frozen=True)
class Planted:
    """One error: its kind, the body row of the truth where it stands, and its column there."""

    kind: str
    row: int
    col: int


@dataclass(frozen=True)
class Case:
    """One document: the truth without its header, what was read (None where a merged cell covers), its errors."""

    name: str
    truth: tuple[tuple[str, ...], ...]
    read: tuple[tuple[str | None, ...], ...]
    errors: tuple[Planted, ...]


Line = list[list[Word] | None]


def write(folder: Path) -> list[Case]:
    """Write the ten documents with their extractions; what was done to each."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table_types.json").write_text(json.dumps(TABLE_TYPES))
    return [_written(folder, number, kinds.split()) for number, kinds in enumerate(PLAN, start=1)]


def _written(folder: Path, number: int, kinds: list[str]) -> Case:
    chance = random.Random(number)
    name = f"planted-{number:02}"
    truth = tuple(tuple(row) for row in texts(chance, number, ROWS))
    lines = list(drawn(folder / f"{name}.pdf", name, [list(row) for row in truth], ROWS + 1, chance, misread=0))
    sure: list[Line] = [[[replace(word, confidence=SURE) for word in words] for words in line] for line in lines]
    errors = _placed(chance, kinds)
    read = [sure[0]]
    by_row = {error.row: error for error in errors}
    inside: set[int] = set()
    for row in range(ROWS):
        if row in inside:
            continue
        error = by_row.get(row)
        height = SHIFTED_ROWS if error and error.kind == "shifted" else 1
        inside |= set(range(row, row + height))
        right = sure[row + 1 : row + 1 + height]
        read += _damaged(error, right, chance) if error else right
    _false_alarm(read, chance)
    (folder / f"{name}.json").write_text(json.dumps(azure_answer(read)))
    shown = tuple(tuple(None if words is None else _text(words) for words in line) for line in read[1:])
    return Case(name, truth, shown, errors)


def _text(words: list[Word]) -> str:
    return " ".join(word.text for word in words)


def _placed(chance: random.Random, kinds: list[str]) -> tuple[Planted, ...]:
    """Errors and whole rows in a drawn order, no two errors in one row."""
    used = sum(SHIFTED_ROWS if kind == "shifted" else 1 for kind in kinds)
    order = [*kinds, *[""] * (ROWS - used)]
    chance.shuffle(order)
    row, placed = 0, []
    for kind in order:
        col = {"missed": 0, "twice": 0, "broken": DESCRIPTION, "shifted": DISCOUNT}.get(kind, 0)
        if kind == "wrong":
            col = chance.choice((ARTICLE, DESCRIPTION, QUANTITY, UNIT_PRICE, AMOUNT, AMOUNT))
        if kind == "merged":
            col = chance.choice((ARTICLE, QUANTITY, QUANTITY))
        if kind:
            placed.append(Planted(kind, row, col))
        row += SHIFTED_ROWS if kind == "shifted" else 1
    return tuple(placed)


def _damaged(error: Planted, lines: list[Line], chance: random.Random) -> list[Line]:
    line = lines[0]
    if error.kind == "missed":
        return []
    if error.kind == "twice":
        return [line, list(line)]
    if error.kind == "merged":
        both = [*(line[error.col] or ()), *(line[error.col + 1] or ())]
        return [[*line[: error.col], both, None, *line[error.col + 2 :]]]
    if error.kind == "broken":
        words = line[error.col] or []
        kept, lost = words[:-WORDS_BROKEN_OFF], words[-WORDS_BROKEN_OFF:]
        below: Line = [lost if col == error.col else [] for col in range(len(COLUMNS))]
        return [[*line[: error.col], kept, *line[error.col + 1 :]], below]
    if error.kind == "shifted":
        return [[*one[:UNIT_PRICE], [], one[UNIT_PRICE], *one[AMOUNT:]] for one in lines]
    words = list(line[error.col] or ())
    at = chance.randrange(len(words))
    # Two of three misread words are doubtful to the extractor, too.
    confidence = DOUBTFUL if chance.random() < 2 / 3 else SURE
    words[at] = replace(words[at], text=misread(words[at].text, chance), confidence=confidence)
    return [[*line[: error.col], words, *line[error.col + 1 :]]]


def misread(text: str, chance: random.Random) -> str:
    """The text with one sign taken for another, as by an optical reader."""
    place = chance.choice([place for place, sign in enumerate(text) if sign in ALIKE])
    return text[:place] + ALIKE[text[place]] + text[place + 1 :]


def _false_alarm(read: list[Line], chance: random.Random) -> None:
    """One right value in each table is doubtful to the extractor: a stop that a reviewer makes for nothing."""
    row = chance.randrange(1, len(read))
    words = read[row][0]
    if words:
        read[row] = [[replace(word, confidence=DOUBTFUL) for word in words], *read[row][1:]]
