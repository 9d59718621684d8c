"""A sample of accepted cells as the JSON of docs/review_api.md, and what a person found of one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from review_app.api_requests import Answer
from review_app.settings import database, settings
from review_app.strip_view import tables_json
from review_app.tokens import Capability
from store import documents, quality_check, quality_sample, timing
from store.audit import note_hourly
from store.db import StoreError
from store.gold import gold
from store.quality_check import SampledCell, Verdict
from store.strips import strip_tables


def sample_json(asked: Mapping[str, str], person: str) -> dict[str, Any]:
    """The cells of the sample of a project drawn last, as far as the person may check them; "sample" null without one.

    How sure the extractor was of a cell stands nowhere in it: whoever checks looks at the page.
    """
    db = database()
    with db.read() as reader:
        projects = documents.projects(reader)
        project = asked.get("project") or settings().project or (projects[0] if projects else "")
        of = quality_sample.newest(reader, project)
        if of is None:
            return {"project": project, "sample": None, "tables": {}, "lines": [], "others": 0, "timed": False}
        found = quality_check.to_check(reader, of, person=person)
        tables = strip_tables(reader, {key: (0, gold(reader, key).name) for key in {one.gold for one in found.cells}})
        timed = timing.is_timed(reader, person)
        note_hourly(db, reader, person, "read", f"quality sample {of.id}")
    told = {"id": of.id, "drawn": of.drawn, "population": of.population}
    lines = [_line(one) for one in found.cells]
    tokens = tables_json(tables, person)
    return {
        "project": project,
        "sample": told,
        "tables": tokens,
        "lines": lines,
        "others": found.others,
        "timed": timed,
    }


def store_check(body: Mapping[str, Any], capability: Capability) -> Answer:
    """Keep what the person found of one cell."""
    cell, verdict, name = body.get("cell"), body.get("verdict"), body.get("id")
    seen, reason = body.get("seen"), body.get("reason", "")
    if type(cell) is not int or not isinstance(name, str) or not 8 <= len(name) <= 64:
        raise StoreError("expected cell (a number) and id (a text of 8 to 64 characters)")
    if not isinstance(reason, str) or not (seen is None or isinstance(seen, str)):
        raise StoreError("expected seen (a text, or nothing) and reason (a text)")
    quality_check.add_check(
        database(), cell, id=name, verdict=_verdict(verdict), person=capability.person, seen=seen, reason=reason
    )
    return 200, {"stored": name}


def _verdict(sent: object) -> Verdict:
    for verdict in get_args(Verdict):
        if sent == verdict:
            return verdict  # type: ignore[no-any-return]
    raise StoreError(f"verdict {sent!r}, expected right, wrong, cannot tell, or an empty text to take it back")


def _line(one: SampledCell) -> dict[str, Any]:
    checked = one.checked
    return {
        "cell": one.id,
        "gold": one.gold,
        "row_id": one.row_id,
        "col_id": one.col_id,
        "column": one.column,
        "label": one.label,
        "text": one.text,
        "box": one.box,
        "near": one.near,
        "expected": one.expected,
        "checked": checked and {"verdict": checked.verdict, "seen": checked.seen, "reason": checked.reason},
    }
