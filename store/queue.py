"""The queue: which gold table to take next, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from sqlite_utils import Database

from scoring import SCORING_VERSION, bind
from scoring.schema import header_text
from store import documents, gold
from store.comments import open_threads
from store.comparison import Comparison, compare
from store.db import Db, row

KIND = "queue entry"

# An entry follows from the edits, verdicts, comments and extractions of its document, and from the table types.
KNOWN = f"""select g.id as gold, kept.body, kept.signature,
    (select group_concat(o.id || ':' || (select count(*) from edit where edit.gold = o.id))
        from gold o where o.document = g.document) as edits,
    (select max(rowid) from verdict where verdict.gold = g.id) as verdict,
    (select max(rowid) from comment where comment.gold = g.id) as comment,
    (select min(id) from extraction where extraction.document = g.document) as extraction,
    (select max(id) from table_type where table_type.project = document.project) as types
from gold g join document on document.id = g.document
left join derived kept on kept.gold = g.id and kept.kind = '{KIND}'"""


@dataclass(frozen=True)
class Entry:
    """One gold table in the queue.

    ``why`` is the reason in words for it to stand where it stands, ``comments`` the number of open threads.
    """

    gold: int
    project: str
    document: str
    doc_type: str
    table: str
    status: str
    rows: int
    cols: int
    doubts: int
    risk: float
    why: str
    comments: int


@dataclass(frozen=True)
class Place:
    """Where a gold table stands in the queue of its project, and which table comes after it."""

    done: int
    of: int
    next: int | None


def entries(db: Db, reader: Database, *, project: str | None = None) -> tuple[Entry, ...]:
    """The gold tables of a project, or of all: open ones by falling risk, then the accepted ones.

    Tables of one document stand together, where the riskiest of them stands.
    """
    found = _entries(db, reader, project)
    risk: dict[tuple[str, str], float] = {}
    for entry in found:
        if entry.status != "accepted":
            of = (entry.project, entry.document)
            risk[of] = max(entry.risk, risk.get(of, 0.0))

    def order(entry: Entry) -> tuple[Any, ...]:
        accepted = entry.status == "accepted"
        return (accepted, 0.0 if accepted else -risk[entry.project, entry.document], entry.document, entry.gold)

    return tuple(sorted(found, key=order))


def place(db: Db, reader: Database, key: int) -> Place:
    """The place of a gold table: how many of its project are accepted, and the next open one."""
    document = documents.document(reader, gold.gold(reader, key).document)
    all_of_them = entries(db, reader, project=document.project)
    others = [entry for entry in all_of_them if entry.status != "accepted" and entry.gold != key]
    # The order of the queue changes with every edit, so the next one is not the one that stood after
    # this one, but first another table of the same document, then the head of the queue.
    beside = (entry for entry in others if entry.document == document.name and entry.gold > key)
    following = next(beside, others[0] if others else None)
    return Place(
        sum(entry.status == "accepted" for entry in all_of_them),
        len(all_of_them),
        following.gold if following else None,
    )


def _entries(db: Db, reader: Database, project: str | None) -> list[Entry]:
    """The entries as last derived where nothing has changed since, else derived anew and kept."""
    found = []
    for known in reader.query(f"{KNOWN} where ? is null or project = ?", (project, project)):
        key, body, kept = known.pop("gold"), known.pop("body"), known.pop("signature")
        signature = json.dumps([SCORING_VERSION, known], sort_keys=True)
        if signature == kept:
            found.append(Entry(**json.loads(body)))
            continue
        entry = _derived(compare(db, reader, key), _flagged(reader, key), open_threads(reader, key))
        with db.write() as writer:
            writer.execute(
                "insert or replace into derived (gold, kind, signature, body) values (?, ?, ?, ?)",
                (key, KIND, signature, json.dumps(asdict(entry), ensure_ascii=False)),
            )
        found.append(entry)
    return found


def _flagged(reader: Database, key: int) -> str:
    last = row(reader, "select verdict, reason from verdict where gold = ? order by rowid desc", (key,))
    return (last["reason"] or "no reason given") if last and last["verdict"] == "flag" else ""


def _derived(found: Comparison, flagged: str, comments: int) -> Entry:
    table = found.sheet.table
    if found.status == "accepted":
        status, why = "accepted", "Accepted" if found.gold.base != "import" else "Gold that was imported"
    elif flagged:
        status, why = "flagged", f"Flagged: {flagged}"
    else:
        status, why = ("started" if found.revision else "open"), _why(found)
    doubts = () if status == "accepted" else found.doubts  # of an accepted table nobody asks for them
    return Entry(
        gold=found.gold.id,
        project=found.document.project,
        document=found.document.name,
        doc_type=found.document.doc_type,
        table=found.label,
        status=status,
        rows=table.n_rows - table.header_rows,
        cols=table.n_cols,
        doubts=len(doubts),
        risk=1.0 - _product(1.0 - doubt.risk for doubt in doubts),
        why=why,
        comments=comments,
    )


def _why(found: Comparison) -> str:
    if found.first is None:
        return "Nothing was extracted for this table"
    if not found.doubts:
        return "No doubtful cell; read it once against the page"
    worst = found.doubts[0]
    column = _column(found, worst.col)
    is_form = found.table_type is not None and found.table_type.form
    where = column if is_form else f"Row {worst.row - found.sheet.table.header_rows + 1}, {column}"
    return f"{where}: {worst.reasons[0]}"


def _column(found: Comparison, col: int) -> str:
    table = found.sheet.table
    if found.table_type is not None:
        named = bind(table, found.table_type).columns[col]
        if named is not None:
            return found.table_type.columns[named].shown
    return header_text(table, col, table.header_rows) or f"column {col + 1}"


def _product(factors: Iterator[float]) -> float:
    result = 1.0
    for factor in factors:
        result *= factor
    return result
