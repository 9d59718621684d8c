"""What a browser sends about work beside edits: stretches of time, cells seen, answers about pauses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from review_app.tokens import Capability
from store import activity, timing
from store.activity import Activity
from store.db import Db, StoreError
from store.timing import PauseAnswer


@dataclass(frozen=True)
class Work:
    """The part of a request that speaks of time and looks."""

    stretches: tuple[Activity, ...]
    seen: tuple[tuple[str, str], ...]
    answers: tuple[PauseAnswer, ...]
    sent_ms: int | None

    @property
    def is_time(self) -> bool:
        """Whether there is anything in it that is stored only for people whose time is measured."""
        return bool(self.stretches or self.answers)

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Work:
        """The work in the body of a request; raises StoreError where it cannot be read."""
        stretches, answers, sent = body.get("activity") or [], body.get("answers") or [], body.get("sent")
        for name, given in (("activity", stretches), ("answers", answers)):
            if not isinstance(given, list) or not all(isinstance(entry, dict) for entry in given):
                raise StoreError(f"expected {name} to be a list of objects")
        if sent is not None and type(sent) is not int:
            raise StoreError(f"sent {sent!r}, expected whole milliseconds since 1970")
        return cls(
            tuple(map(Activity.from_json, stretches)),
            activity.cells_of(body.get("seen") or ()),
            tuple(map(PauseAnswer.from_json, answers)),
            sent,
        )

    def store(self, db: Db, capability: Capability) -> tuple[str, ...]:
        """Store it for a person; the ids of the stretches and answers that are stored now."""
        person, key = capability.person, capability.gold
        if not (self.is_time or self.seen):
            return ()
        stored = activity.add_activity(db, key, self.stretches, person=person, sent_ms=self.sent_ms, seen=self.seen)
        return (*stored, *timing.add_answers(db, key, self.answers, person=person))
