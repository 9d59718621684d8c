"""Which table of any run's extraction belongs to which gold table of its document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from sqlite_utils import Database

from scoring.alignment.assignment import best_pairs
from scoring.table import Table
from store import extractions, gold
from store.db import Db
from store.extractions import ExtractedTable, Extraction
from store.gold import Gold

# One millionth: any text in common at all.
_LEAST = 1e-6


def table_of(db: Db, reader: Database, found: Extraction, entry: Gold) -> ExtractedTable | None:
    """The table of an extraction that belongs to a gold table; None where there is none.

    Gold is begun from the first extraction, where names and places tell. Another run numbers what it found in its
    own way, so that nameless tables of it are told by their contents (``by_contents``).
    """
    first = extractions.first_extraction(reader, entry.document)
    if first is None or found.id == first.id:
        return extractions.table_for(found, entry.name, entry.position)
    tables = gold.gold_tables(reader, entry.document)
    named = {table.name: table for table in found.tables}
    if entry.name in named:
        return named[entry.name]
    waiting = [each for each in tables if each.name not in named]
    names = {each.name for each in tables}
    nameless = [table for table in found.tables if table.name.startswith("table ") and table.name not in names]
    pairs = by_contents(
        [gold.current(db, reader, each.id)[1].table for each in waiting], [table.table for table in nameless]
    )
    at = pairs.get(waiting.index(entry))
    return None if at is None else nameless[at]


def by_contents(golds: Sequence[Table], tables: Sequence[Table]) -> Mapping[int, int]:
    """Which table goes with which gold table, by their indices, so that the most cell texts agree in all.

    Those with no text in common are no pair; at equal sums the order decides (``best_pairs``).
    """
    texts = [[_texts(table) for table in side] for side in (golds, tables)]
    alike = np.array([[_overlap(one, other) for other in texts[1]] for one in texts[0]], dtype=np.float64)
    if not alike.size:
        return {}
    return dict(best_pairs(alike, np.full(len(tables), _LEAST)))


def _texts(table: Table) -> Counter[str]:
    return Counter(text for cell in table.cells if (text := " ".join(cell.text.split())))


def _overlap(one: Counter[str], other: Counter[str]) -> float:
    """The Dice coefficient of two bags of texts, 0..1 in whole millionths."""
    every = one.total() + other.total()
    return round(2 * (one & other).total() / every, 6) if every else 0.0
