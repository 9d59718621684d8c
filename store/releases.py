"""Gold releases: named, frozen sets of accepted tables, each at one revision with the rules that held for it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from sqlite_utils import Database

from scoring.schema import TableType
from store import audit, gold, table_types
from store.db import Db, NotFound, StoreError, insert, now, row
from store.documents import expect_name
from store.edits import Sheet
from store.guidelines import guidelines
from store.rights import expect_right
from store.webhooks import tell

# The last verdict of each accepted table, in an order that does not hang on numbers of this database.
_ACCEPTED = """select g.id as gold, d.id as document, d.name as document_name, d.sha256 as document_sha256,
    g.position, g.name, g.table_type, v.person as accepted_by, v.at as accepted_at,
    coalesce((select max(revision) from edit where edit.gold = g.id), 0) as revision
from first_pass g join document d on d.id = g.document
join verdict v on v.rowid =
    (select max(rowid) from verdict where gold = g.id and verdict in ('accept', 'reopen'))
where d.project = ? and v.verdict = 'accept' order by d.sha256, g.position"""

_TABLES = """select r.gold, d.id as document, d.name as document_name, d.sha256 as document_sha256,
    g.position, g.name, g.table_type, r.accepted_by, r.accepted_at, r.revision, r.sha256, r.type_signature,
    r.guidelines, r.seen
from release_table r join gold g on g.id = r.gold join document d on d.id = g.document
where r.release = ? order by d.sha256, g.position"""


@dataclass(frozen=True)
class Release:
    """One release; ``signature`` is a hash of all its tables: two with the same hold the same gold."""

    id: int
    project: str
    name: str
    note: str
    signature: str
    person: str
    made_at: str


@dataclass(frozen=True)
class ReleasedTable:
    """A gold table at the revision that a release holds.

    ``sha256`` is that of its sheet there; ``type_signature`` that of its table type, "" for a grid; ``guidelines``
    the hash of their text, "" where there were none. ``seen`` are the cells that somebody had before them by then,
    as JSON pairs of row id and column id.
    """

    gold: int
    document: int
    document_name: str
    document_sha256: str
    position: int
    name: str
    table_type: str
    accepted_by: str
    accepted_at: str
    revision: int
    sha256: str
    type_signature: str
    guidelines: str
    seen: str

    @property
    def signed(self) -> list[str | int]:
        """What the signature of a release is made of: nothing that hangs on numbers of this database."""
        return [
            *(self.document_sha256, self.name, self.table_type, self.revision, self.sha256),
            *(self.type_signature, self.guidelines, digest(self.seen), self.accepted_by, self.accepted_at),
        ]

    def to_json(self) -> dict[str, Any]:
        """All of it but what was seen, which the passport tells."""
        plain = asdict(self)
        del plain["seen"]
        return plain


def make_release(db: Db, *, project: str, name: str, note: str = "", person: str) -> Release:
    """Freeze all accepted tables of a project under a name, as they stand now, and return the release.

    Raises StoreError for an odd name, one that is taken, and where nothing is accepted. People go on working
    meanwhile: the release holds what one reader saw.
    """
    expect_name(name, of="release", such_as="2026-12")
    with db.read() as reader:
        expect_right(reader, person, "export")
        _expect_free(reader, project, name)
        made_at = now()
        tables = list(_accepted(reader, project))
    if not tables:
        raise StoreError(f"no table of project {project!r} is accepted, so that there is nothing to release")
    with db.write() as writer:
        _expect_free(writer, project, name)
        last = row(writer, "select coalesce(max(id), 0) as id from release")
        key = (last["id"] if last else 0) + 1
        for table in tables:
            parts = ("gold", "revision", "sha256", "type_signature", "guidelines", "seen", "accepted_by", "accepted_at")
            insert(writer, "release_table", {"release": key, **{part: getattr(table, part) for part in parts}})
        values = {"id": key, "project": project, "name": name, "note": note}
        insert(writer, "release", {**values, "signature": signature(tables), "person": person, "made_at": made_at})
        audit.note(writer, person, "made", f"release {name}", detail=f"project {project}")
        made = release(writer, name, project=project)
        told = {"release": name, "tables": len(tables), "signature": made.signature, "person": person}
        tell(writer, "release", project, told)
        return made


def accepted(reader: Database, *, project: str) -> int:
    """How many tables a release of a project would hold now."""
    found = row(reader, f"select count(*) as n from ({_ACCEPTED})", (project,))
    return int(found["n"]) if found else 0


def releases(reader: Database, *, project: str | None = None) -> tuple[Release, ...]:
    """The releases of all projects or of one, oldest first."""
    rows = reader.query("select * from release where ? is null or project = ? order by id", (project, project))
    return tuple(Release(**entry) for entry in rows)


def release(reader: Database, name: str, *, project: str | None = None) -> Release:
    """The release of that name.

    Raises NotFound naming those there are, and StoreError where several projects have one and none is named.
    """
    every = releases(reader, project=project)
    found = [each for each in every if each.name == name]
    if not found:
        known = ", ".join(each.name for each in every) or "none yet"
        raise NotFound(f"there is no release {name!r}{_of(project)}; expected one of: {known}")
    if len(found) > 1:
        raise StoreError(f"projects {', '.join(each.project for each in found)} have a release {name!r}: name one")
    return found[0]


def released_tables(reader: Database, key: int) -> tuple[ReleasedTable, ...]:
    """The tables of a release, document by document."""
    return tuple(ReleasedTable(**entry) for entry in reader.query(_TABLES, (key,)))


def released_sheet(reader: Database, table: ReleasedTable) -> Sheet:
    """The sheet that a release holds, folded from the edit log: whatever was done since, it is the same."""
    return gold.sheet_at(reader, table.gold, table.revision)


def released_type(reader: Database, made: Release, table: ReleasedTable) -> TableType | None:
    """The table type as it was; None for a grid."""
    if not table.type_signature:
        return None
    return table_types.version_of(reader, table.type_signature, project=made.project)


def signature(tables: Iterable[ReleasedTable]) -> str:
    """The hash of all tables of a release."""
    return digest("\n".join(sorted(json.dumps(table.signed, ensure_ascii=False) for table in tables)))


def sheet_sha256(sheet: Sheet) -> str:
    """The hash of a sheet: of its table, ids and marks as JSON with sorted keys."""
    return digest(json.dumps(sheet.to_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def digest(text: str) -> str:
    """The sha256 of a text."""
    return sha256(text.encode()).hexdigest()


def _expect_free(reader: Database, project: str, name: str) -> None:
    taken = row(reader, "select person, made_at from release where project = ? and name = ?", (project, name))
    if taken is not None:
        made = f"{taken['person']} made it on {taken['made_at'][:10]}"
        raise StoreError(
            f"project {project!r} has a release {name!r} already ({made}): it stays as it is; take another"
        )


def _accepted(reader: Database, project: str) -> Iterator[ReleasedTable]:
    for entry in list(reader.query(_ACCEPTED, (project,))):
        kind = table_types.table_type(reader, entry["table_type"], project=project) if entry["table_type"] else None
        words = guidelines(reader, entry["table_type"], project=project)
        seen = reader.execute(
            "select distinct row_id, col_id from seen_cell where gold = ? order by row_id, col_id", (entry["gold"],)
        ).fetchall()
        yield ReleasedTable(
            **entry,
            sha256=sheet_sha256(gold.sheet_at(reader, entry["gold"], entry["revision"])),
            type_signature=kind.signature if kind else "",
            guidelines=words.sha256 if words else "",
            seen=json.dumps(seen, ensure_ascii=False),
        )


def _of(project: str | None) -> str:
    return "" if project is None else f" of project {project!r}"
