"""The queue: which gold tables a person wants to see, in which order, and which one comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from sqlite_utils import Database

from store import derived, documents, gold, hiding, leases
from store.assignment import assignees
from store.db import Db
from store.queue_entry import Entry

Order = Literal["risk", "document", "age"]
Chosen = Literal["todo", "open", "skipped", "flagged", "accepted", "all"]

# When more documents than these have changed, all entries are read again.
MOST_CHANGED = 500
# What comes after all that is open: a skipped table waits for later, a flagged one for someone else.
_AFTER = {"open": 0, "started": 0, "skipped": 1, "flagged": 2, "accepted": 3}
_STATUSES: Mapping[Chosen, frozenset[str]] = {
    "todo": frozenset({"open", "started", "skipped", "flagged"}),
    "open": frozenset({"open", "started"}),
    "skipped": frozenset({"skipped"}),
    "flagged": frozenset({"flagged"}),
    "accepted": frozenset({"accepted"}),
    "all": frozenset({"open", "started", "skipped", "flagged", "accepted"}),
}


@dataclass(frozen=True)
class Filter:
    """Which tables of the queue, and in which order; an empty part leaves nothing out.

    ``assigned`` is "mine", "nobody" or the name of somebody else.
    Every one of the ``words`` must stand in the document's name or type, the table's name, or the reason.
    """

    words: str = ""
    status: Chosen = "todo"
    project: str = ""
    table_type: str = ""
    level: str = ""
    reason: str = ""
    comments: str = ""
    assigned: str = ""
    order: Order = "risk"

    @classmethod
    def of(cls, parts: Mapping[str, Any], *, project: str | None = None) -> Filter:
        """The filter of an address; parts that it does not know are left out, and a wrong one is the default."""
        known = {part.name: str(parts[part.name]) for part in fields(cls) if parts.get(part.name)}
        for name, words in (("status", Chosen), ("order", Order)):
            if known.get(name) not in get_args(words):
                known.pop(name, None)
        return cls(**{"project": project or "", **known})  # type: ignore[arg-type]  # checked just above


@dataclass(frozen=True)
class Place:
    """Where a gold table stands in the queue: how many are accepted, of how many, and which one comes after it.

    ``beyond`` is true where the list that was chosen has no other table, so that the next one is of all to do.
    """

    done: int
    of: int
    next: int | None
    beyond: bool = False


@dataclass(frozen=True)
class Listing:
    """The entries that a filter lets through, and how many each choice of one of its parts would let through."""

    entries: tuple[Entry, ...]
    counts: Mapping[str, Mapping[str, int]]


def listing(db: Db, reader: Database, chosen: Filter, *, person: str = "") -> Listing:
    """The entries in their order that a person may see; each count of a part goes by all other parts.

    So it tells what a choice would give.
    """
    hidden = hiding.unlisted(reader, person)
    meant = assignees(db, reader)
    words = chosen.words.casefold().split()
    statuses = _STATUSES[chosen.status]
    counts: dict[str, Counter[str]] = {
        part: Counter() for part in ("status", "project", "table_type", "level", "reason", "comments", "assigned")
    }
    found = []
    for entry, text in _in_order(db, reader, chosen.order):
        if entry.gold in hidden:
            continue
        if words and not all(word in text for word in words):
            continue
        whose = _whose(meant.get(entry.gold, ""), person)
        failed = [
            part
            for part, passes in (
                ("status", entry.status in statuses),
                ("project", not chosen.project or entry.project == chosen.project),
                ("table_type", not chosen.table_type or entry.table_type == chosen.table_type),
                ("level", not chosen.level or entry.level == chosen.level),
                ("reason", not chosen.reason or chosen.reason in entry.reasons),
                ("comments", not chosen.comments or entry.comments > 0),
                ("assigned", not chosen.assigned or chosen.assigned == whose),
            )
            if not passes
        ]
        if not failed:
            found.append(entry)
        if len(failed) < 2:
            for part in failed or counts:
                counts[part].update((whose,) if part == "assigned" else _values(entry, part))
    return Listing(tuple(found), counts)


def entries(db: Db, reader: Database, chosen: Filter, *, person: str = "") -> tuple[Entry, ...]:
    """The entries that a filter lets through, in its order, of those that a person may see."""
    return listing(db, reader, chosen, person=person).entries


def place(db: Db, reader: Database, key: int, chosen: Filter | None = None, *, person: str = "") -> Place:
    """The place of a gold table in the queue of a filter; without one, in all that is to do in its project.

    Tables that somebody other than the person has now never come next; those that are meant for somebody else come
    when no other is left.
    """
    document = documents.document(reader, gold.gold(reader, key).document)
    everything = Filter(project=document.project)
    chosen = chosen or everything
    found = listing(db, reader, chosen, person=person)
    whole = found.counts["status"]
    done, of = whole["accepted"], sum(whole[status] for status in _AFTER)
    taken = leases.held(reader, apart_from=person)
    others = [entry for entry in found.entries if entry.gold != key and entry.gold not in taken]
    meant = assignees(db, reader)
    others = [entry for entry in others if meant.get(entry.gold, person) == person] or others
    if others or chosen == everything:
        return Place(done, of, _following(others, key, document.name, chosen.order))
    following = place(db, reader, key, person=person).next
    return Place(done, of, following, beyond=following is not None)


def _following(others: Sequence[Entry], key: int, document: str, order: Order) -> int | None:
    # By risk the order changes with every edit, so the next one is not the one that stood after this one, but
    # first another table of the same document that was not put off, then the head of the queue.
    beside = (entry for entry in others if entry.document == document and entry.gold > key and _is_open(entry))
    if order == "document":
        beside = (entry for entry in others if (entry.document, entry.gold) > (document, key) and _is_open(entry))
    elif order == "age":
        beside = (entry for entry in others if entry.gold > key and _is_open(entry))
    following = next(beside, others[0] if others else None)
    return following.gold if following else None


def _whose(name: str, person: str) -> str:
    return "nobody" if not name else "mine" if name == person else name


def _is_open(entry: Entry) -> bool:
    return entry.status in _STATUSES["open"]


def _values(entry: Entry, part: str) -> Iterable[str]:
    match part:
        case "reason":
            return entry.reasons
        case "level":
            return (entry.level,) if entry.level else ()
        case "comments":
            return ("open",) if entry.comments else ()
        case _:
            return (str(getattr(entry, part)),)


def _in_order(db: Db, reader: Database, order: Order) -> tuple[tuple[Entry, str], ...]:
    """All entries with the text that is searched; sorted anew only where something changed."""
    known, sorted_by = _known(db, reader)
    if order not in sorted_by:
        found = sorted(known.values(), key=_order(known.values(), order))
        sorted_by[order] = tuple((entry, _searched(entry)) for entry in found)
    return sorted_by[order]


def _searched(entry: Entry) -> str:
    return f"{entry.document} {entry.table} {entry.doc_type} {entry.why}".casefold()


def _order(all_of_them: Iterable[Entry], order: Order) -> Any:
    """Open tables, then skipped ones, flagged ones (each the latest last), and accepted ones.

    By risk, tables of one document stand together, where the riskiest of them stands.
    """
    risk: dict[tuple[str, str], float] = {}
    for entry in all_of_them:
        if _is_open(entry):
            of = (entry.project, entry.document)
            risk[of] = max(entry.risk, risk.get(of, 0.0))

    def by(entry: Entry) -> tuple[Any, ...]:
        after = _AFTER[entry.status]
        if order == "age":
            return (after, entry.gold)
        if order == "document":
            return (after, entry.document, entry.gold)
        if entry.status in ("skipped", "flagged"):
            return (after, entry.judged)
        return (after, 0.0 if after else -risk[entry.project, entry.document], entry.document, entry.gold)

    return by


def _known(db: Db, reader: Database) -> tuple[dict[int, Entry], dict[Order, tuple[tuple[Entry, str], ...]]]:
    """All entries by number, taken from the last time but for the documents that changed since."""
    newest = derived.newest(reader)
    last = db.remembered.get("queue")
    if last is not None and last[0] == newest:
        return last[1], last[2]
    behind = last is not None and any(newest[name] < number for name, number in last[0].items())
    changed = derived.changed_since(reader, last[0]) if last and not behind else ()
    if last is not None and changed and len(changed) <= MOST_CHANGED:
        where, known = f"g.document in ({', '.join('?' * len(changed))})", dict(last[1])
    elif last is not None and not behind and not changed:
        where, known = "0", dict(last[1])
    else:
        where, changed, known = "1", (), {}
    for value in derived.kept(db, reader, "queue entry", where, changed):
        entry = Entry.from_json(value)
        known[entry.gold] = entry
    sorted_by: dict[Order, tuple[tuple[Entry, str], ...]] = {}
    if not behind:  # a reader that sees an older state is served, but nothing is kept of it
        db.remembered["queue"] = (newest, known, sorted_by)
    return known, sorted_by
