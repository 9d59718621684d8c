"""Tables that a file holds as pieces of HTML, each with its place: numbered through the file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoring.table import Box, Confidence, Table
from store.formats.contract import FormatError, ReadTable, Repair
from store.formats.html import tables_in


@dataclass(frozen=True)
class Piece:
    """A piece of HTML, or a table where there is none, and what the file says of it; the rest as in ``ReadTable``."""

    html: str
    place: str
    notes: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()
    confidence: tuple[Confidence, ...] = ()
    document: str = ""
    table: Table | None = None
    repairs: tuple[Repair, ...] = ()


def numbered(pieces: Iterable[Piece]) -> tuple[tuple[ReadTable, ...], tuple[str, ...]]:
    """The tables of all pieces, and a note for each piece without one.

    What a piece says goes to its first table; further ones are nested in it. A name that a caption
    gives is kept once for each document.
    """
    tables: list[ReadTable] = []
    notes: list[str] = []
    names: set[tuple[str, str]] = set()
    counts: dict[str, int] = {}
    for piece in pieces:
        first = counts.get(piece.document, 0) + 1
        found = _found(piece, first)
        if not found:
            notes.append(f"{piece.place}: no table in its HTML")
        for at, table in enumerate(found):
            taken = (piece.document, table.name) in names
            said = replace(
                table,
                name=f"table {first + at}" if taken else table.name,
                place=piece.place,
                document=piece.document,
            )
            names.add((said.document, said.name))
            if not at:
                said = replace(said, notes=(*piece.notes, *said.notes), boxes=piece.boxes, confidence=piece.confidence)
            tables.append(said)
        counts[piece.document] = first + len(found) - 1
    return tuple(tables), tuple(notes)


def _found(piece: Piece, first: int) -> tuple[ReadTable, ...]:
    if piece.table is not None:
        return (ReadTable(f"table {first}", piece.table, repairs=piece.repairs),)
    try:
        return tables_in(piece.html, first=first)
    except FormatError as wrong:
        raise FormatError(f"{piece.place}: {wrong}") from None
