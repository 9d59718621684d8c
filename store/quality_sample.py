"""Quality samples: accepted cells of a project drawn at random by band of confidence, kept as they were accepted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from statistics import median
from typing import Any, get_args

from sqlite_utils import Database

from scoring.confidence.badges import Level
from scoring.statistics.stratified import allocated
from store import audit, derived, seeded
from store.db import Db, NotFound, StoreError, insert, now, row
from store.rights import expect_right
from store.strip_lines import Line

LEVELS: tuple[Level, ...] = get_args(Level)
# Nobody checks more of them, and they are sent as one list.
MOST_CELLS = 5000

_ACCEPTED = """document.project = ? and g.second_of is null and (select verdict from verdict v where v.gold = g.id
    and v.verdict in ('accept', 'reopen') order by rowid desc limit 1) = 'accept'"""


@dataclass(frozen=True)
class Band:
    """A stratum of a sample: how many accepted cells had this badge, and how many of them were drawn."""

    level: Level
    population: int
    drawn: int


@dataclass(frozen=True)
class Sample:
    """A drawn sample, with the bands that have any cell, the highest confidence first."""

    id: int
    project: str
    seed: int
    bands: tuple[Band, ...]
    drawn_by: str
    drawn_at: str

    @property
    def population(self) -> int:
        """The accepted cells of the project when it was drawn."""
        return sum(band.population for band in self.bands)

    @property
    def drawn(self) -> int:
        """How many cells were drawn of them."""
        return sum(band.drawn for band in self.bands)


@dataclass(frozen=True)
class _Cell:
    """One accepted cell in the order of the draw."""

    lot: str
    gold: int
    revision: int
    level: Level
    label: str
    line: Line
    expected: tuple[float, ...] | None
    """Where it is to be looked for, if it has no box: where its column and its row meet."""


def draw(db: Db, *, project: str, size: int, seed: int, person: str) -> Sample:
    """Draw accepted cells of a project: in proportion to the bands, but of small bands enough to tell of them.

    The same seed draws the same cells of the same tables: their order is that of a hash of seed, file and cell. The
    band is that of the badge that the review shows of the cell, of all accepted cells, also of those that nobody
    doubted. What was marked as unreadable says nothing and is not drawn, nor what waits with a planted error. Raises
    StoreError.
    """
    if not 1 <= size <= MOST_CELLS:
        raise StoreError(f"a sample of {size:,} cells, expected 1 to {MOST_CELLS:,}")
    populations: Counter[Level] = Counter()
    first: dict[Level, list[_Cell]] = {level: [] for level in LEVELS}
    # Looked through beforehand: of a large project that takes seconds, in which others go on saving.
    with db.read() as reader:
        expect_right(reader, person, "rules")
        for cell in _accepted(db, reader, project, seed):
            populations[cell.level] += 1
            kept = first[cell.level]
            kept.append(cell)
            if len(kept) > 4 * size:  # those of a whole project would fill the memory
                kept.sort(key=_lot)
                del kept[size:]
    if not populations:
        raise NotFound(f"project {project!r} has no accepted cell to draw; accept a table first")
    sizes = dict(zip(LEVELS, allocated([populations[level] for level in LEVELS], size), strict=True))
    drawn = [cell for level in LEVELS for cell in sorted(first[level], key=_lot)[: sizes[level]]]
    with db.write() as writer:
        expect_right(writer, person, "rules")
        known = {"project": project, "seed": seed, "size": size, "drawn_by": person, "drawn_at": now()}
        key = insert(writer, "quality_sample", known)
        for level in LEVELS:
            told = {"level": level, "population": populations[level], "drawn": sizes[level]}
            insert(writer, "quality_stratum", {"sample": key, **told})
        # All bands mixed, so that a sample that is checked in part is a sample, too.
        for cell in sorted(drawn, key=_lot):
            insert(writer, "quality_cell", {"sample": key, **_row(cell)})
        told_of = f"{len(drawn)} of {sum(populations.values())} accepted cells, seed {seed}"
        audit.note(writer, person, "drew", f"quality sample {key}", detail=told_of)
        return sample(writer, key)


def samples(reader: Database, *, project: str) -> tuple[Sample, ...]:
    """The samples of a project, the oldest first."""
    keys = [key for (key,) in reader.execute("select id from quality_sample where project = ? order by id", (project,))]
    return tuple(sample(reader, key) for key in keys)


def newest(reader: Database, project: str) -> Sample | None:
    """The sample of a project that was drawn last; None where none was."""
    found = row(reader, "select max(id) as id from quality_sample where project = ?", (project,))
    return sample(reader, found["id"]) if found and found["id"] else None


def sample(reader: Database, key: int) -> Sample:
    """One sample by its number; raises NotFound."""
    found = row(reader, "select * from quality_sample where id = ?", (key,))
    if found is None:
        raise NotFound(f"quality sample {key}: there is none with this number in the database")
    strata = reader.query("select level, population, drawn from quality_stratum where sample = ? order by id", (key,))
    bands = tuple(Band(**entry) for entry in strata if entry["population"])
    return Sample(key, found["project"], found["seed"], bands, found["drawn_by"], found["drawn_at"])


def _accepted(db: Db, reader: Database, project: str, seed: int) -> Iterator[_Cell]:
    hashes: dict[int, tuple[str, int]] = {
        key: (digest, position)
        for key, digest, position in reader.execute(
            "select g.id, d.sha256, g.position from gold g join document d on d.id = g.document where d.project = ?",
            (project,),
        )
    }
    planted = seeded.cells_waiting(reader)
    for table in derived.kept(db, reader, "strip lines", _ACCEPTED, [project]):
        key = table["gold"]
        for part in table["columns"]:
            lines = [Line.from_json(cell) for cell in part["cells"]]
            boxes = [line.box for line in lines if line.box]
            for line in lines:
                if line.mark == "unreadable" or (key, line.row_id, line.col_id) in planted:
                    continue
                named = f"quality {seed} {hashes[key][0]} {hashes[key][1]} {line.row_id} {line.col_id}"
                lot = sha256(named.encode()).hexdigest()
                expected = None if line.box else _expected(line, boxes)
                yield _Cell(lot, key, table["revision"], line.level, part["label"], line, expected)


def _expected(line: Line, boxes: Sequence[tuple[float, ...]]) -> tuple[float, ...] | None:
    """The box at the height of the row and of the width of the column, as far as other cells tell."""
    if line.near is None:
        return None
    page, middle = line.near
    there = [box for box in boxes if box[0] == page]
    if not there:
        return None
    half = median(box[4] - box[2] for box in there) / 2
    left, right = min(box[1] for box in there), max(box[3] for box in there)
    return page, left, max(0.0, middle - half), right, min(1.0, middle + half)


def _lot(cell: _Cell) -> str:
    return cell.lot


def _row(cell: _Cell) -> Mapping[str, Any]:
    line = cell.line
    place: dict[str, str | Sequence[float] | None] = {
        "column": cell.label,
        "label": line.label,
        "box": line.box,
        "near": line.near,
        "expected": cell.expected,
    }
    return {
        "gold": cell.gold,
        "revision": cell.revision,
        "row_id": line.row_id,
        "col_id": line.col_id,
        "level": cell.level,
        "text": line.text,
        "place": json.dumps(place, ensure_ascii=False),
    }
