"""Stored tables as values, kept by the hash of their text: what is stored never changes, and reading it takes time."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable

from scoring.table import Table

# Some 200 MB: the tables of the documents that people work on now.
MOST_CELLS = 200_000

_kept: OrderedDict[str, Table] = OrderedDict()
_n_cells = 0
_turn = threading.Lock()


def parsed(sha256: str, body: Callable[[], str]) -> Table:
    """The table whose text has this hash; ``body`` is asked for the text where the table is not kept."""
    with _turn:
        if (known := _kept.get(sha256)) is not None:
            _kept.move_to_end(sha256)
            return known
    table = Table.from_json(json.loads(body()))
    keep(sha256, table)
    return table


def keep(sha256: str, table: Table) -> None:
    """Keep a table whose text has this hash: one that was just written need not be read again."""
    global _n_cells
    with _turn:
        if sha256 not in _kept:
            _kept[sha256] = table
            _n_cells += len(table.cells)
        while len(_kept) > 1 and _n_cells > MOST_CELLS:
            _, dropped = _kept.popitem(last=False)
            _n_cells -= len(dropped.cells)
