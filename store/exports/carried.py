"""What an exported file does not give back when it is imported again, in words: no loss is silent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.shown import brief
from scoring.table import Cell, Table
from store.exports.written import Export
from store.formats.contract import Format, FormatError, ReadTable


def checked(name: str, body: bytes, tables: Sequence[tuple[str, Table]], form: Format) -> Export:
    """The file with a note for each of its tables that its own reader does not read back as it was.

    Told are names, sizes, texts, spans, headers and holes; boxes and confidence are in none of these formats.
    """
    try:
        found = form.read(body, name=name, pages=()).tables
    except FormatError as wrong:
        return Export(name, body, (f"cannot be imported again: {wrong}",))
    if len(found) != len(tables):
        return Export(name, body, (f"of its {len(tables)} tables {len(found)} come back when it is imported again",))
    lost = ((title, list(_lost(title, table, other))) for (title, table), other in zip(tables, found, strict=True))
    return Export(name, body, tuple(f"{title!r} comes back with {'; '.join(what)}" for title, what in lost if what))


def _lost(title: str, table: Table, found: ReadTable) -> Iterator[str]:
    other = found.table
    if found.name != title:
        yield f"the name {found.name!r}"
    if (table.n_rows, table.n_cols) != (other.n_rows, other.n_cols):
        yield f"{other.n_rows} x {other.n_cols} in place of {table.n_rows} x {table.n_cols} rows and columns"
    pairs = [(cell, _at(other, cell.row, cell.col)) for cell in table.cells]
    changed = [(cell, kin.text if kin else "") for cell, kin in pairs if cell.text != (kin.text if kin else "")]
    if changed:
        cell, text = changed[0]
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        yield (
            f"other texts: row {cell.row + 1}, column {cell.col + 1}: {brief(cell.text)} as {brief(text)} "
            f"({len(cell.text):,} and {len(text):,} characters){more}"
        )
    yield from _counted("other merged cells", [(c.row_span, c.col_span) != _spans(kin) for c, kin in pairs])
    yield from _counted("other header cells", [cell.header != (kin.header if kin else "") for cell, kin in pairs])
    if len(table.cells) < table.n_rows * table.n_cols:
        grid = [(row, col) for row in range(table.n_rows) for col in range(table.n_cols) if table.at(row, col) is None]
        yield from _counted("empty cells in place of none", [other.at(*place) is not None for place in grid])


def _counted(what: str, wrong: Sequence[bool]) -> Iterator[str]:
    if count := sum(wrong):
        yield f"{what}: {count}"


def _spans(cell: Cell | None) -> tuple[int, int]:
    return (cell.row_span, cell.col_span) if cell else (1, 1)


def _at(table: Table, row: int, col: int) -> Cell | None:
    """The cell that begins here."""
    cell = table.at(row, col) if row < table.n_rows and col < table.n_cols else None
    return cell if cell is not None and (cell.row, cell.col) == (row, col) else None
