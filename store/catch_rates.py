"""How many seeded errors were caught, of those that somebody met: by kind, by badge and by person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from scoring.statistics.proportions import proportion_interval

# Of a person with fewer, others are told nothing: the interval would be wide enough for any opinion.
FEWEST_OF_A_PERSON = 30


@dataclass(frozen=True)
class CatchRate:
    """Errors caught out of those met; one that was withdrawn was not met."""

    name: str
    caught: int
    met: int

    @property
    def rate(self) -> float | None:
        """0..1, or None where none was met."""
        return self.caught / self.met if self.met else None

    def to_json(self) -> dict[str, Any]:
        """A plain mapping, with the 95 % Wilson interval."""
        interval = proportion_interval(self.caught, self.met)
        low, high = interval or (None, None)
        told = {"name": self.name, "caught": self.caught, "met": self.met, "rate": self.rate}
        return {**told, "low": low, "high": high}


@dataclass(frozen=True)
class CatchRates:
    """The whole, and its parts with the lowest rate first.

    ``people`` are those with at least FEWEST_OF_A_PERSON; ``others`` is how many people had fewer.
    """

    whole: CatchRate
    kinds: Sequence[CatchRate]
    levels: Sequence[CatchRate]
    people: Sequence[CatchRate]
    others: int

    def to_json(self) -> dict[str, Any]:
        """A plain mapping."""
        parts = {"kinds": self.kinds, "levels": self.levels, "people": self.people}
        told = {name: [rate.to_json() for rate in rates] for name, rates in parts.items()}
        return {"whole": self.whole.to_json(), **told, "people_with_fewer": self.others}


def catch_rates(reader: Database, *, project: str | None = None, person: str | None = None) -> CatchRates:
    """The rates of a project or of all, of all people or of one."""
    met = list(
        reader.query(
            "select c.kind, c.level, o.person, o.outcome = 'caught' as caught from seeded_outcome o "
            "join seeded_cell c on c.id = o.seeded join gold g on g.id = c.gold join document d on d.id = g.document "
            "where o.outcome <> 'withdrawn' and (:project is null or d.project = :project) "
            "and (:person is null or o.person = :person)",
            {"project": project, "person": person},
        )
    )

    def by(name: str) -> list[CatchRate]:
        of = Counter(entry[name] for entry in met)
        caught = Counter(entry[name] for entry in met if entry["caught"])
        return sorted((CatchRate(key, caught[key], of[key]) for key in of), key=lambda one: (one.rate or 0, one.name))

    people = by("person")
    enough = [one for one in people if one.met >= FEWEST_OF_A_PERSON]
    whole = CatchRate("", sum(entry["caught"] for entry in met), len(met))
    return CatchRates(whole, by("kind"), by("level"), enough, len(people) - len(enough))
