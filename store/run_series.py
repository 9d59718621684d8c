"""Runs that differ in nothing but their number of repeat: what is compared, and how the repeats of one differ."""

from __future__ import annotations

from dataclasses import dataclass

from sqlite_utils import Database

from store.db import NotFound
from store.extractions import OVER_DOCUMENTS


@dataclass(frozen=True)
class Series:
    """One extractor, at one version with the same parameters, in one project: its runs, first repeat first."""

    runs: tuple[int, ...]
    project: str
    extractor: str

    @property
    def name(self) -> str:
        """What it is called: the extractor, and how often it ran."""
        return self.extractor + (f", {len(self.runs)} repeats" if len(self.runs) > 1 else "")

    def only(self, run: int) -> Series:
        """One of its runs by itself."""
        repeat = f", repeat {self.runs.index(run) + 1}" if len(self.runs) > 1 else ""
        return Series((run,), self.project, self.extractor + repeat)


def all_series(reader: Database, *, project: str | None = None) -> tuple[Series, ...]:
    """The series of a project, or of all, oldest first; runs that read regions are left out."""
    rows = reader.query(
        "select id, project, trim(extractor || ' ' || version) as name, parameters from run "
        f"where (:project is null or project = :project) and {OVER_DOCUMENTS} order by repeat, id",
        {"project": project},
    )
    alike: dict[tuple[str, str, str], list[int]] = {}
    for entry in rows:
        alike.setdefault((entry["project"], entry["name"], entry["parameters"]), []).append(entry["id"])
    found = [Series(tuple(runs), of, name) for (of, name, _), runs in alike.items()]
    return tuple(sorted(found, key=lambda series: series.runs))


def series_of(reader: Database, run: int) -> Series:
    """The series that a run belongs to; raises NotFound naming those that there are."""
    every = all_series(reader)
    for series in every:
        if run in series.runs:
            return series
    names = ", ".join(f"{number} ({series.extractor})" for series in every for number in series.runs)
    raise NotFound(f"there is no run {run}; expected one of: {names or 'none yet'}")


def tried(reader: Database, run: int) -> frozenset[int]:
    """The documents that a run was asked for: those it answered, and those it failed at."""
    rows = reader.query(
        "select document from extraction where run = :run union select document from attempt where run = :run",
        {"run": run},
    )
    return frozenset(entry["document"] for entry in rows)
