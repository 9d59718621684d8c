"""Gold tables: a base and the edits on it; adding edits, and the sheet at any revision."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from hashlib import sha256
from typing import Any, Literal

from sqlite_utils import Database

from scoring.table import Table
from store import edit_json, edits
from store.audit import note_hourly
from store.blind_rows import BASE_OF, HIDES_FIRST
from store.db import Db, NotFound, StoreError, insert, now, row
from store.edits import Conflict, Edit, EditError, Sheet
from store.extractions import WHOLE, dump
from store.leases import expect_free
from store.parsed import parsed
from store.rights import expect_right
from store.timing import LONGEST_MS, is_timed

Base = Literal["extraction", "import", "blank"]
# All of a gold table but what it began as, which may be megabytes and is read only where it is needed.
# A table of the blind slice is keyed from nothing, whatever was extracted.
_PARTS = f"""g.id, g.document, g.position, g.name, g.table_type, {BASE_OF} as base, g.added_by, g.second_of,
    {HIDES_FIRST} as hides_first"""
SOURCES = ("typed", "paste", "fill", "replace", "kin", "first", "page", "region", "key", "undo", "redo", "revert")
_BEGAN = "select coalesce(b.{0}, g.{0}) as {0} from gold g left join blind b on b.gold = g.id where g.id = ?"
# What the store itself makes of decisions between two keyings; no client sends it.
ADJUDICATION = "adjudication"


class Refused(StoreError):
    """Edits that the store did not take; nothing of them was stored."""


class Unfit(Refused):
    """An edit that cannot be read or does not fit the table."""

    def __init__(self, edit: str, message: str) -> None:
        super().__init__(message)
        self.edit = edit


class Frozen(Refused):
    """Edits on an accepted table."""


class Stale(Refused):
    """Edits made on an older revision than the current one.

    ``conflicts`` holds what each edit that no longer fits expected and what it met instead.
    """

    def __init__(
        self, revision: int, after: int, conflicts: Sequence[tuple[str, Conflict]], *, message: str = ""
    ) -> None:
        super().__init__(
            message
            or f"The edits were made on revision {after}, but the table is at revision {revision}: "
            "someone else, or another tab, changed it first. Nothing was overwritten."
        )
        self.revision = revision
        self.conflicts = tuple(conflicts)


@dataclass(frozen=True)
class Gold:
    """One gold table: where it stands and what it began as."""

    id: int
    document: int
    position: int
    name: str
    table_type: str
    base: Base
    added_by: str
    second_of: int | None = None
    """The gold table that is keyed here a second time: then this one is no gold, and counts nowhere."""
    hides_first: bool = False
    """Whether nothing of a first extraction may show beside it now: it is of the blind slice and never accepted yet."""

    @property
    def stands_alone(self) -> bool:
        """Whether whoever keys it may see nothing that anybody else read, person or machine."""
        return self.hides_first or self.second_of is not None


@dataclass(frozen=True)
class NewEdit:
    """An edit as a client sends it; ``id`` is the client's, so that a second send stores nothing twice."""

    id: str
    edit: Edit
    source: str = "typed"
    undoes: str | None = None
    made_at: str = ""
    active_ms: int = 0


@dataclass(frozen=True)
class StoredEdit:
    """An edit as it stands in the log of its gold table."""

    id: str
    revision: int
    edit: Edit
    source: str
    undoes: str | None
    person: str
    made_at: str
    active_ms: int


def add_gold(
    db: Db,
    document: int,
    table: Table,
    *,
    name: str,
    base: Base,
    person: str,
    table_type: str = "",
    extracted_table: int | None = None,
    second_of: Gold | None = None,
) -> tuple[Gold, bool]:
    """The gold table of that name in a document, and whether it is new; one that is there stays as it is."""
    body = dump(table)
    with db.write() as writer:
        known = row(writer, "select id from gold where document = ? and name = ?", (document, name))
        if known is not None:
            return gold(writer, known["id"]), False
        last = row(writer, "select count(*) as n from first_pass where document = ?", (document,))
        key = insert(
            writer,
            "gold",
            {
                "document": document,
                "position": second_of.position if second_of else last["n"] if last else 0,
                "name": name,
                "table_type": table_type,
                "base": base,
                "extracted_table": extracted_table,
                "body": body,
                "sha256": sha256(body.encode()).hexdigest(),
                "added_at": now(),
                "added_by": person,
                "second_of": second_of.id if second_of else None,
            },
        )
        return gold(writer, key), True


def gold(reader: Database, key: int) -> Gold:
    """The gold table with this id; raises NotFound."""
    found = row(reader, f"select {_PARTS} from gold g where g.id = ?", (key,))
    if found is None:
        raise NotFound(f"gold table {key}: there is none with this number in the database")
    return _gold(found)


def is_empty(reader: Database) -> bool:
    """Whether there is no gold table in any project."""
    return row(reader, "select 1 from gold limit 1") is None


def gold_tables(reader: Database, document: int) -> tuple[Gold, ...]:
    """The gold tables of a document in order, without those that are keyed a second time."""
    rows = reader.query(f"select {_PARTS} from first_pass g where g.document = ? order by g.position", (document,))
    return tuple(_gold(entry) for entry in rows)


def base_table(reader: Database, key: int) -> Table:
    """What a gold table began as; raises NotFound."""
    found = row(reader, _BEGAN.format("sha256"), (key,))
    if found is None:
        raise NotFound(f"gold table {key}: there is none with this number in the database")

    def body() -> str:
        stored = row(reader, _BEGAN.format("body"), (key,))
        return str(stored["body"]) if stored else ""

    return parsed(found["sha256"], body)


def history(reader: Database, key: int, *, after: int = 0) -> tuple[StoredEdit, ...]:
    """The edits of a gold table that came after a revision, in order."""
    rows = reader.query("select * from edit where gold = ? and revision > ? order by revision", (key, after))
    return tuple(
        StoredEdit(
            id=entry["id"],
            revision=entry["revision"],
            edit=edit_json.from_json(json.loads(entry["body"])),
            source=entry["source"],
            undoes=entry["undoes"],
            person=entry["person"],
            made_at=entry["made_at"],
            active_ms=entry["active_ms"],
        )
        for entry in rows
    )


def states(reader: Database, key: int) -> list[Sheet]:
    """All revisions of a gold table: index 0 is the base, -1 the current one."""
    return edits.states(base_table(reader, key), (stored.edit for stored in history(reader, key)))


def sheet_at(reader: Database, key: int, number: int) -> Sheet:
    """The sheet of a gold table at a revision; raises NotFound for one that the log does not reach."""
    log = [stored.edit for stored in history(reader, key) if stored.revision <= number]
    if len(log) != number:
        raise NotFound(f"gold table {key}: its edit log has {len(log)} of the edits up to revision {number}")
    return reduce(edits.apply, log, edits.sheet(base_table(reader, key)))


def revision(reader: Database, key: int) -> int:
    """The number of edits that a gold table has."""
    found = row(reader, "select max(revision) as n from edit where gold = ?", (key,))
    return int(found["n"] or 0) if found else 0


def current(db: Db, reader: Database, key: int) -> tuple[int, Sheet]:
    """The newest revision and its sheet.

    The log only grows, so a sheet folded earlier is a sound start for folding the rest.
    """
    start, sheet = db.folded.get(key) or (0, None)
    if not start:  # until the first edit, a draw may have given the table another beginning
        base = base_table(reader, key)
        sheet = sheet if sheet is not None and sheet.table is base else edits.sheet(base)
    assert sheet is not None
    number = start
    if start > revision(reader, key):  # this reader sees an older state than the one folded last
        return revision(reader, key), states(reader, key)[-1]
    for stored in history(reader, key, after=start):
        sheet, number = edits.apply(sheet, stored.edit), stored.revision
    db.folded[key] = (number, sheet)
    return number, sheet


def status(reader: Database, key: int) -> Literal["open", "accepted"]:
    """Whether a gold table stands accepted: its last accept was not followed by a reopening."""
    found = row(
        reader,
        "select verdict from verdict where gold = ? and verdict in ('accept', 'reopen') order by rowid desc",
        (key,),
    )
    return "accepted" if found is not None and found["verdict"] == "accept" else "open"


def is_offered(reader: Database, table: Gold, beside: Sequence[Gold]) -> bool:
    """Whether a table stands beside imported gold because it was extracted too, and nobody has said anything of it."""
    if table.base != "extraction" or all(other.base != "import" for other in beside) or _is_drawn(reader, table):
        return False
    judged = row(reader, "select 1 from verdict where gold = ?", (table.id,))
    return judged is None and not revision(reader, table.id)


def _is_drawn(reader: Database, table: Gold) -> bool:
    """Whether a table began as what was read from a region that a person drew."""
    of_region = (
        "select 1 from gold join extracted_table on extracted_table.id = gold.extracted_table "
        f"join extraction on extraction.id = extracted_table.extraction where gold.id = ? and not ({WHOLE})"
    )
    return row(reader, of_region, (table.id,)) is not None


def expect_open(writer: Database, key: int, *, person: str) -> None:
    """Raise NotAllowed, Leased or Frozen where this person can change nothing of a gold table now."""
    expect_right(writer, person, "review")
    expect_free(writer, key, person=person)
    if status(writer, key) == "accepted":
        raise Frozen("The table is accepted and frozen; reopen it to go on correcting.")


def add_edits(db: Db, key: int, new: Sequence[NewEdit], *, person: str, after: int) -> int:
    """Append edits in one transaction and return the new revision; they are durable when it returns.

    ``after`` is the revision on which the first of them was made. Edits that are stored already
    (a repeated send) are passed over. Raises Leased, Stale, Frozen or Unfit, and stores nothing then.
    """
    with db.write() as writer:
        expect_right(writer, person, "review")
        gold(writer, key)
        known = [edit for edit in new if _is_stored(writer, key, edit)]
        fresh = [edit for edit in new if edit not in known]
        number, sheet = current(db, writer, key)
        if not fresh:
            return number
        expect_open(writer, key, person=person)
        if number != after + len(known):
            raise Stale(number, after, _conflicts(sheet, fresh))
        stored_at, timed = now(), is_timed(writer, person)
        for place, edit in enumerate(fresh, start=1):
            if edit.undoes and row(writer, "select 1 from edit where id = ? and gold = ?", (edit.undoes, key)) is None:
                raise Unfit(edit.id, f"edit {edit.id} undoes {edit.undoes!r}, which is no edit of this table")
            try:
                sheet = edits.apply(sheet, edit.edit)
            except Conflict as conflict:
                raise Stale(number, after, [(edit.id, conflict)]) from None
            except EditError as wrong:
                raise Unfit(edit.id, str(wrong)) from None
            kept = edit if timed else replace(edit, active_ms=0)
            insert(writer, "edit", _row(key, kept, number + place, person, stored_at))
        note_hourly(db, writer, person, "changed", f"table {key}")
    db.folded[key] = (number + len(fresh), sheet)
    return number + len(fresh)


def new_edit(value: Mapping[str, Any]) -> NewEdit:
    """The edit that a client sent; raises Unfit where a part is missing or of another type."""
    key, undoes, source = value.get("id"), value.get("undoes"), value.get("source", "typed")
    active_ms, made_at = value.get("active_ms", 0), value.get("at", "")
    if not isinstance(key, str) or not 8 <= len(key) <= 64:
        raise Unfit(str(key), f"edit id {key!r}, expected a text of 8 to 64 characters made by the client")
    if undoes is not None and not isinstance(undoes, str):
        raise Unfit(key, f"undoes {undoes!r}, expected the id of an edit or nothing")
    if source not in SOURCES:
        raise Unfit(key, f"source {source!r}, expected one of {', '.join(SOURCES)}")
    if type(active_ms) is not int or not 0 <= active_ms <= LONGEST_MS or not isinstance(made_at, str):
        raise Unfit(key, f"active_ms {active_ms!r} and at {made_at!r}, expected whole milliseconds and a time")
    if made_at and not is_time(made_at):
        raise Unfit(key, f"at {made_at!r}, expected a time such as 2026-11-30T09:15:00Z, or nothing")
    body = value.get("edit")
    if not isinstance(body, Mapping):
        raise Unfit(key, f"edit {body!r}, expected a mapping with a kind")
    try:
        edit = edit_json.from_json(body)
    except EditError as wrong:
        raise Unfit(key, str(wrong)) from None
    return NewEdit(key, edit, source, undoes, made_at, active_ms)


def is_time(text: str) -> bool:
    """Whether a text is a time in ISO 8601."""
    try:
        return datetime.fromisoformat(text) is not None
    except ValueError:
        return False


def _is_stored(writer: Database, key: int, edit: NewEdit) -> bool:
    found = row(writer, "select gold, body from edit where id = ?", (edit.id,))
    if found is None:
        return False
    if found["gold"] != key or edit_json.from_json(json.loads(found["body"])) != edit.edit:
        raise Unfit(edit.id, f"edit {edit.id} is stored already with other contents; send it under a new id")
    return True


def _conflicts(sheet: Sheet, fresh: Sequence[NewEdit]) -> list[tuple[str, Conflict]]:
    conflicts = []
    for edit in fresh:
        try:
            sheet = edits.apply(sheet, edit.edit)
        except Conflict as conflict:
            conflicts.append((edit.id, conflict))
        except EditError:
            continue  # it points at a row that is gone; there is no value to show
    return conflicts


def _row(key: int, edit: NewEdit, number: int, person: str, stored_at: str) -> dict[str, Any]:
    return {
        "id": edit.id,
        "gold": key,
        "revision": number,
        "body": json.dumps(edit_json.to_json(edit.edit), ensure_ascii=False),
        "undoes": edit.undoes,
        "source": edit.source,
        "person": person,
        "made_at": edit.made_at or stored_at,
        "stored_at": stored_at,
        "active_ms": edit.active_ms,
    }


def _gold(entry: Mapping[str, Any]) -> Gold:
    return Gold(
        id=entry["id"],
        document=entry["document"],
        position=entry["position"],
        name=entry["name"],
        table_type=entry["table_type"],
        base=entry["base"],
        added_by=entry["added_by"],
        second_of=entry["second_of"],
        hides_first=bool(entry["hides_first"]),
    )
