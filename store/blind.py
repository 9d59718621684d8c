"""The blind slice: a random share of tables is keyed without the first extraction, shown only after acceptance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from sqlite_utils import Database

from scoring.table import Box, Table
from store.blank_table import blank
from store.blind_rows import HIDES_FIRST
from store.db import Db, StoreError, insert, now, row
from store.extractions import WHOLE, dump
from store.rights import expect_right
from store.table_types import table_type

# A table that somebody has begun, or seen, is not blind any more; imported gold was not keyed here, and what a person
# had read from a region was asked for.
_ELIGIBLE = f"""select g.id, g.position, g.table_type, g.extracted_table, d.sha256 from first_pass g
join document d on d.id = g.document
join extracted_table on extracted_table.id = g.extracted_table
join extraction on extraction.id = extracted_table.extraction
where d.project = :project and (:document is null or d.id = :document) and g.base = 'extraction' and {WHOLE}
    and not exists (select 1 from blind where blind.gold = g.id)
    and not exists (select 1 from edit where edit.gold = g.id)
    and not exists (select 1 from verdict where verdict.gold = g.id)
    and not exists (select 1 from activity where activity.gold = g.id)
    and not exists (select 1 from seen_cell where seen_cell.gold = g.id)
    and not exists (select 1 from lease_event where lease_event.gold = g.id)
    and not exists (select 1 from first_pass o where o.document = g.document and o.base = 'import')
order by g.id"""

_COUNTS = f"""select g.id, d.name as document, g.position, {HIDES_FIRST} as is_hidden from blind b
join gold g on g.id = b.gold join document d on d.id = g.document where d.project = ? order by b.number"""


@dataclass(frozen=True)
class BlindRule:
    """Which share of the tables of a project is keyed blind, 0..1; the same seed draws the same tables."""

    share: float
    seed: int


@dataclass(frozen=True)
class BlindTable:
    """A table of the blind slice; ``position`` is its place in the document, from 0."""

    gold: int
    document: str
    position: int
    is_hidden: bool


def rule_of(reader: Database, project: str) -> BlindRule | None:
    """The rule of a project that was set last; None where nobody set one, so that nothing is drawn."""
    found = row(reader, "select share, seed from blind_rule where project = ? order by id desc", (project,))
    return BlindRule(found["share"], found["seed"]) if found else None


def set_rule(db: Db, project: str, rule: BlindRule, *, person: str) -> tuple[int, ...]:
    """Keep a rule and draw by it among the tables that nobody has begun or seen; returns the tables newly drawn.

    Tables that were drawn before stay drawn. Raises StoreError for a share that is none.
    """
    if not 0 <= rule.share <= 1:
        raise StoreError(f"a share of {rule.share:g}, expected a number from 0 (nothing more is drawn) to 1")
    with db.write() as writer:
        expect_right(writer, person, "rules")
        known = {"project": project, "share": rule.share, "seed": rule.seed}
        insert(writer, "blind_rule", {**known, "person": person, "at": now()})
        return draw(writer, project)


def draw(writer: Database, project: str, *, document: int | None = None) -> tuple[int, ...]:
    """Draw by the rule of a project, in a transaction of the caller; returns the tables newly drawn.

    Each table is drawn on its own, by a hash of seed, file and place: neither the order of the import nor what was
    extracted has a say, and a larger share holds the tables of a smaller one.
    """
    rule = row(writer, "select id, share, seed from blind_rule where project = ? order by id desc", (project,))
    if rule is None or not rule["share"]:
        return ()
    drawn = []
    for entry in list(writer.query(_ELIGIBLE, {"project": project, "document": document})):
        if lot(rule["seed"], entry["sha256"], entry["position"]) >= rule["share"]:
            continue
        kind = table_type(writer, entry["table_type"], project=project) if entry["table_type"] else None
        body = dump(blank(kind))
        values = {"gold": entry["id"], "rule": rule["id"], "body": body, "sha256": sha256(body.encode()).hexdigest()}
        insert(writer, "blind", {**values, "page": _page(writer, entry["extracted_table"]), "at": now()})
        drawn.append(entry["id"])
    return tuple(drawn)


def lot(seed: int, digest: str, position: int) -> float:
    """The lot of a table, 0..1: it is drawn where this is below the share."""
    return int(sha256(f"blind {seed} {digest} {position}".encode()).hexdigest()[:13], 16) / 16**13


def slice_of(reader: Database, project: str) -> tuple[BlindTable, ...]:
    """The tables of a project that were drawn, in the order of the draw."""
    return tuple(
        BlindTable(entry["id"], entry["document"], entry["position"], bool(entry["is_hidden"]))
        for entry in reader.query(_COUNTS, (project,))
    )


def page_of(reader: Database, key: int) -> int | None:
    """The page on which a drawn table stands, as far as it is known."""
    found = row(reader, "select page from blind where gold = ?", (key,))
    return found["page"] if found else None


def hides_in(reader: Database, document: int) -> bool:
    """Whether a table of a document hides its first extraction now."""
    return row(reader, f"select 1 from first_pass g where g.document = ? and {HIDES_FIRST}", (document,)) is not None


def _page(writer: Database, extracted: int) -> int | None:
    found = row(writer, "select body, boxes from extracted_table where id = ?", (extracted,))
    if found is None:
        return None
    boxes: Sequence[Box] = [Box.from_json(box) for box in json.loads(found["boxes"])]
    table = Table.from_json(json.loads(found["body"]))
    pages = [box.page for box in (*boxes, *(cell.box for cell in table.cells if cell.box))]
    return min(pages, default=None)
