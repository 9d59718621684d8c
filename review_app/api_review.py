"""The work of the review routes: a table as JSON; edits, activity and verdicts stored; what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

from sqlite_utils import Database

from review_app import discussion, leasing, review_view, seeded_view
from review_app.api_requests import Answer
from review_app.granting import issue_token, issuing
from review_app.settings import database
from review_app.tokens import Capability
from review_app.work_sent import Work
from store import (
    activity,
    comments,
    documents,
    gold,
    hiding,
    leases,
    queue,
    reviews,
    seeded,
    seeded_edits,
    seeded_rows,
    timing,
    work_time,
)
from store import regions as store_regions
from store.audit import note_hourly
from store.comparison import compare
from store.db import Db, StoreError
from store.gold import Gold, Stale
from store.seeded import Seed
from store.seeded_rows import RowSeed, Standing
from store.timing import TimingOff

MOST_WAITING = 100


def read_table(asked: Mapping[str, str], capability: Capability) -> bytes:
    """Everything that the review of one table shows, as ``table_text`` writes it; the reading is noted."""
    waiting = [int(word) for word in asked.get("waiting", "").split(",") if word.isdecimal()]
    text = table_text(capability.gold, capability.person, waiting[:MOST_WAITING], asked.get("queue", ""))
    with database().read() as reader:
        note_hourly(database(), reader, capability.person, "read", f"table {capability.gold}")
    return text


def table_text(key: int, person: str, waiting: Sequence[int] = (), chosen: str = "") -> bytes:
    """Everything that the review of one table shows, and tokens for tables with waiting edits; raises NotFound.

    ``chosen`` is the filter of the queue that the person follows, as an address has it.
    """
    db, token_for = database(), issuing(person)
    with db.read() as reader:
        comparison = compare(db, reader, key)
        rows = seeded_rows.shown_row(db, comparison)
        errors = seeded.shown_errors(db, comparison)
        table = {
            "gold": key,
            "revision": comparison.revision,
            "name": comparison.label,
            "status": comparison.status,
            "blind": comparison.gold.hides_first,
            "page": comparison.blind_page,
            "form": bool(comparison.table_type and comparison.table_type.form),
            "rtl": bool(comparison.table_type and comparison.table_type.rtl),
            "document": review_view.document_json(comparison.document, documents.pages(reader, comparison.document.id)),
            "tables": [
                {
                    "gold": other.gold.id,
                    "name": other.label,
                    "status": other.status,
                    "doubts": len(other.doubts),
                    "pages": review_view.places(other),
                    "comments": comments.open_threads(reader, other.gold.id),
                    "token": token_for(other.gold.id),
                }
                for entry in _beside(reader, comparison.gold, person)
                for other in (comparison if entry.id == key else compare(db, reader, entry.id),)
            ],
            "lease": leasing.holder_json(leases.holder(reader, key, apart_from=person)),
            "queue": _place(db, reader, key, person, chosen),
            "sheet": seeded_view.shown_sheet(comparison.sheet, errors, rows).to_json(),
            "first": seeded_view.first_text(comparison, errors, rows),
            "history": review_view.history(gold.history(reader, key)),
            "threads": discussion.threads(reader, key),
            "guidelines": discussion.guidelines_json(reader, comparison, person),
            "review": {
                "active_ms": work_time.correction_time(reader, key).by_person.get(person, 0),
                "timed": timing.is_timed(reader, person),
                "seen": sorted(activity.seen_cells(reader, key, person=person)),
                "reopened": _was_reopened(reviews.verdicts(reader, key)),
            },
            "waiting": [{"gold": other, "token": token_for(other)} for other in waiting],
            **seeded_view.refreshed(comparison, rows),
        }
    return review_view.written(table)


def _beside(reader: Database, own: Gold, person: str) -> Sequence[Gold]:
    """The tables of a document that a person may see beside the open one, with it; a second keying stands alone."""
    if own.second_of is not None:
        return (own,)
    hidden = hiding.withheld(reader, person)
    return [entry for entry in gold.gold_tables(reader, own.document) if entry.id not in hidden]


def _was_reopened(verdicts: Sequence[Mapping[str, Any]]) -> bool:
    given = [entry["verdict"] for entry in verdicts if entry["verdict"] in ("accept", "reopen")]
    return bool(given) and given[-1] == "reopen"


def store_edits(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Append the edits of a request, then say what they changed."""
    db, key, after = database(), capability.gold, body.get("after")
    sent = body.get("edits", [])
    if type(after) is not int or not isinstance(sent, list) or not all(isinstance(e, dict) for e in sent):
        raise StoreError("expected after (a revision) and edits (a list)")
    new = [gold.new_edit(edit) for edit in sent]
    work = Work.from_json(body)
    try:
        with db.write():  # one wait for the disk for both
            _, met = seeded_edits.add_edits(db, key, new, person=capability.person, after=after)
            work.store(db, capability)
    except Stale as stale:
        if hit := seeded_edits.withdraw(db, key, new, person=capability.person):
            raise Stale(stale.revision, after, stale.conflicts, message=seeded_view.withdrawn_words(hit)) from None
        raise
    with db.read() as reader:
        comparison = compare(db, reader, key)
        stored = [edit.id for edit in new]
        told = {"seeded": seeded_view.met_json(met)} if met.outcomes or met.altered else {}
        rows = seeded_rows.standing(reader, key, comparison.sheet)
        for seed, _, _ in met.outcomes.values():
            if isinstance(seed, RowSeed):  # the browser has the rows as they were shown until it reads the table anew
                rows = Standing(seed, comparison.sheet)
        fresh = seeded_view.refreshed(comparison, rows)
        return 200, {"revision": comparison.revision, "stored": stored, **told, **fresh}


def store_activity(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Store stretches of work, cells seen and answers about pauses."""
    work = Work.from_json(body)
    stored = work.store(database(), capability)
    if work.is_time and not stored:
        raise TimingOff(f"The time of {capability.person} is not measured: timing is switched off.")
    return 200, {"stored": list(stored)}


def store_verdict(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Record a verdict; on acceptance the answer has the score, and always what comes next."""
    db, key = database(), capability.gold
    verdict, name, revision = body.get("verdict"), body.get("id"), body.get("revision")
    chosen = str(body.get("queue") or "")
    if not isinstance(name, str) or type(revision) is not int or not isinstance(verdict, str):
        raise StoreError("expected id (a text), revision (a whole number) and verdict (a word)")
    missed: tuple[Seed | RowSeed, ...] = ()
    with db.write() as writer:
        status = reviews.add_verdict(
            db,
            key,
            verdict=verdict,  # type: ignore[arg-type]  # checked by the store
            person=capability.person,
            id=name,
            at_revision=revision,
            reason=str(body.get("reason") or ""),
        )
        if verdict == "accept":
            sheet = gold.current(db, writer, key)[1]
            missed = (
                *seeded_rows.accepted_with(db, key, sheet, person=capability.person),
                *seeded.accepted_with(db, key, sheet, person=capability.person),
            )
    with db.read() as reader:
        answer: dict[str, Any] = {"status": status, "score": None}
        if missed:
            answer["seeded"] = seeded_view.missed_json(missed)
        place = queue.place(db, reader, key, _filter(chosen), person=capability.person)
        following = place.next
        answer["next"], answer["beyond"] = _next(following, capability.person), place.beyond
        answer["queue"] = None if following is None else _place(db, reader, following, capability.person, chosen)
        if status == "accepted" and gold.gold(reader, key).second_of is None:
            report = compare(db, reader, key).report
            answer["score"] = {
                "passed": report.passed,
                "reason": report.first_reason,
                "precision": report.exact.precision,
                "recall": report.exact.recall,
                "f1": report.exact.f1,
            }
        return 200, answer


def add_region_table(body: Mapping[str, Any], capability: Capability) -> Answer:
    """A new gold table from what was read in a region, with the token to open it."""
    table = body.get("table")
    if type(table) is not int:
        raise StoreError("expected table, the number of a table that was read from a region")
    added = store_regions.add_table(database(), table, person=capability.person)
    return 200, {"gold": added.id, "name": added.name, "token": issue_token(capability.person, added.id)}


def _next(key: int | None, person: str) -> dict[str, Any] | None:
    return None if key is None else {"gold": key, "token": issue_token(person, key)}


def _filter(chosen: str) -> queue.Filter | None:
    return queue.Filter.of(dict(parse_qsl(chosen))) if chosen else None


def _place(db: Db, reader: Database, key: int, person: str, chosen: str) -> dict[str, Any]:
    place = queue.place(db, reader, key, _filter(chosen), person=person)
    return {"done": place.done, "of": place.of, "next": _next(place.next, person)}
