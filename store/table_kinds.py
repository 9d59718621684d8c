"""Which table type each table of a file on its way in has, and the gold tables that are opened for what is new."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.schema import TableType
from store import blind, extractions, gold, table_types
from store.db import Db
from store.documents import Document
from store.formats import ReadTable, json_records
from store.turns import Turns

Typed = Sequence[tuple[ReadTable, TableType | None]]


@dataclass(frozen=True)
class Kinds:
    """The table types of a project, and the name of the one for tables that tell none ("" = none)."""

    known: Sequence[TableType]
    told: str = ""

    def of(self, tables: Sequence[ReadTable], beside: Sequence[TableType] = ()) -> Typed:
        """The tables with their types; one that its header tells takes the name of its type, with a note.

        ``beside`` are the types that lie beside the file and are meant for it: they are asked first.
        """
        names = {entry.name for entry in tables}
        typed: list[tuple[ReadTable, TableType | None]] = []
        for entry in tables:
            kind = self._kind(entry, beside)
            if kind and kind.name not in names:
                names.add(kind.name)
                note = f"{entry.name} was taken for {kind.name} by its header"
                entry = replace(entry, name=kind.name, notes=(*entry.notes, note))
            typed.append((entry, kind))
        return typed

    def _kind(self, entry: ReadTable, beside: Sequence[TableType]) -> TableType | None:
        named = next((kind for kind in (*beside, *self.known) if kind.name == entry.name), None)
        if named:
            return named
        told = next((kind for kind in self.known if kind.name == self.told), None)
        if told and told.form == _is_form(entry):
            return told
        return table_types.fitting(beside, entry.table, entry.name) or table_types.fitting(
            self.known, entry.table, entry.name
        )


def open_gold(
    db: Db, documents: Iterable[Document], types_of: Mapping[tuple[int, str], str], kinds: Kinds, *, person: str
) -> None:
    """Open a gold table for each table of a first extraction for which the document has none, imported or open.

    Where nothing could be read of the first one, it is the first of which something could. ``types_of`` holds
    the table types that are known from the import, by document and table name.
    """
    with Turns(db) as turns:
        for document in documents:
            with turns.part():
                _open_gold_of(db, document, types_of, kinds, person)


def _open_gold_of(
    db: Db, document: Document, types_of: Mapping[tuple[int, str], str], kinds: Kinds, person: str
) -> None:
    with db.write() as writer:
        first = extractions.first_extraction(writer, document.id, with_tables=True)
        if first is None:
            return
        there = [
            extractions.table_for(first, entry.name, entry.position) for entry in gold.gold_tables(writer, document.id)
        ]
        for table in first.tables:
            if table in there:
                continue
            kind = types_of.get((document.id, table.name))
            if kind is None:  # an earlier import stored the extraction and was cut off here
                fitting = table_types.fitting(kinds.known, table.table, table.name)
                kind = fitting.name if fitting else ""
            gold.add_gold(
                db,
                document.id,
                table.table,
                name=table.name,
                base="extraction",
                person=person,
                table_type=kind,
                extracted_table=table.id,
            )
        blind.draw(writer, document.project, document=document.id)


def _is_form(entry: ReadTable) -> bool:
    return entry.name == json_records.FORM and entry.table.n_rows == 2
