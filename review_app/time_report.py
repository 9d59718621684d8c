"""Correction time as lines for a terminal and as JSON: medians by group, and how they hang on the cut-off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from review_app.wording import count, duration
from scoring.effort.durations import FEWEST, Durations, by_group, durations, sensitivity
from store.timing import Adjustment, PauseAnswer
from store.work_time import Work
from store.worked_cells import CONFIRMED, CORRECTED

NO_TYPE = "(no table type)"
FROM_EXTRACTION, FROM_SCRATCH = "from the extraction", "from scratch"
BEGINNINGS = {"extraction": FROM_EXTRACTION, "blank": FROM_SCRATCH}
PHASES = ("orientation", "correction", "verification", "adjudication", "reopening")


@dataclass(frozen=True)
class TimeReport:
    """The work on accepted tables in groups; work on open tables is told apart, since it is not done.

    ``own_minutes`` and ``answers`` are what people said about their time: it is shown beside, and changes nothing.
    """

    work: tuple[Work, ...]
    cutoff_ms: int
    own_minutes: tuple[Adjustment, ...] = ()
    answers: tuple[PauseAnswer, ...] = ()

    @cached_property
    def accepted(self) -> tuple[Work, ...]:
        """The work on tables that stand accepted."""
        return tuple(entry for entry in self.work if entry.is_accepted)

    @cached_property
    def open_ms(self) -> int:
        """The active time on tables that are still open."""
        return sum(entry.time.active_ms for entry in self.work if not entry.is_accepted)

    @cached_property
    def tables(self) -> Durations:
        """Active time per table, all people together."""
        return durations(_per_table(self.accepted, self.cutoff_ms).values())

    @cached_property
    def samples(self) -> dict[str, list[tuple[str, float]]]:
        """Single durations in milliseconds with their group, by what they are grouped by.

        One for each table; for columns, errors and work on cells: for each cell; for pages: for the cells of a table
        on one page, together.
        """
        types = {entry.gold: entry.table_type or NO_TYPE for entry in self.accepted}
        per_table = _per_table(self.accepted, self.cutoff_ms)
        phases: dict[tuple[str, int], int] = {}
        for entry in self.accepted:
            for phase, ms in entry.by_cutoff[self.cutoff_ms].items():
                phases[phase, entry.gold] = phases.get((phase, entry.gold), 0) + ms
        cells = [(entry, cell) for entry in self.accepted for cell in entry.cells]
        pages: dict[tuple[int, int], int] = {}
        for entry, cell in cells:
            if cell.page is not None:
                pages[cell.page, entry.gold] = pages.get((cell.page, entry.gold), 0) + cell.active_ms
        named = [
            (f"{entry.table}: {cell.column}", cell.active_ms) for entry, cell in cells if cell.column and cell.done
        ]
        worked = [(cell.error, cell.active_ms) for _, cell in cells if cell.done == CORRECTED]
        begun = self._begun
        return {
            "table type": [(types[key], ms) for key, ms in per_table.items()],
            "beginning": [
                (word, per_table[key]) for word in BEGINNINGS.values() for key in begun if begun[key] == word
            ],
            "phase": [(p, ms) for p in PHASES for (phase, _), ms in phases.items() if phase == p],
            "person": [(entry.person, entry.time.active_ms) for entry in self.accepted],
            "page": [(f"page {page}", ms) for (page, _), ms in sorted(pages.items())],
            "column": sorted(named),
            "work on a cell": sorted((cell.done, cell.active_ms) for _, cell in cells),
            "error of a corrected cell": sorted(worked),
        }

    @cached_property
    def groups(self) -> dict[str, dict[str, Durations]]:
        """The summaries of ``samples``."""
        return {name: by_group(values) for name, values in self.samples.items()}

    @cached_property
    def beginnings(self) -> dict[str, dict[str, Durations]]:
        """Active time per table of each table type, from the extraction and from scratch."""
        per_table, begun = _per_table(self.accepted, self.cutoff_ms), self._begun
        types = {entry.gold: entry.table_type or NO_TYPE for entry in self.accepted}
        return {
            kind: {
                word: durations(ms for key, ms in per_table.items() if types[key] == kind and begun.get(key) == word)
                for word in BEGINNINGS.values()
            }
            for kind in sorted({types[key] for key in begun})
        }

    @cached_property
    def sensitivity(self) -> dict[int, tuple[Durations, float | None]]:
        """Active time per table under each cut-off, and its median against that under the one of this report."""
        cutoffs = sorted({cutoff for entry in self.accepted for cutoff in entry.by_cutoff} | {self.cutoff_ms})
        values = {cutoff: list(_per_table(self.accepted, cutoff).values()) for cutoff in cutoffs}
        return sensitivity(values, cutoff_ms=self.cutoff_ms)

    def to_json(self) -> dict[str, Any]:
        """All of it as one plain mapping, times in milliseconds."""
        return {
            "cutoff_ms": self.cutoff_ms,
            "quantiles": "linear interpolation (Hyndman and Fan type 7)",
            "fewest": FEWEST,
            "tables": self.tables.to_json(),
            "by": {
                name: {key: summary.to_json() for key, summary in group.items()} for name, group in self.groups.items()
            },
            "beginnings": {
                kind: {word: summary.to_json() for word, summary in words.items()}
                for kind, words in self.beginnings.items()
            },
            "sensitivity": {
                str(cutoff): {**summary.to_json(), "against": against}
                for cutoff, (summary, against) in self.sensitivity.items()
            },
            "apart": {name: sum(getattr(entry.time, name) for entry in self.accepted) for name in APART},
            "open_tables": {"tables": len(self._open), "active_ms": self.open_ms},
            "own_minutes": [
                {"person": own.person, "gold": own.gold, "minutes": own.minutes, "reason": own.reason}
                for own in self.own_minutes
            ],
            "pauses_said_to_be_work_ms": sum(said.gap_ms for said in self.answers if said.was_working),
        }

    def lines(self) -> Iterator[str]:
        """The report for a terminal."""
        if not self.accepted:
            yield "No work on an accepted table has been measured yet, so there is no correction time to report."
        else:
            yield (
                f"Correction time of {count(self.tables.n, 'accepted table')}, cut-off {self.cutoff_ms / 1000:g} s: "
                f"{duration(self.tables.total_ms)} in all"
            )
            for name, group in self.groups.items():
                if group:
                    yield from _block(name, group)
            yield from _block(
                "cut-off",
                {f"{cutoff / 1000:g} s": summary for cutoff, (summary, _) in self.sensitivity.items()},
                {f"{cutoff / 1000:g} s": against for cutoff, (_, against) in self.sensitivity.items()},
            )
            apart = [f"{word} {duration(sum(getattr(e.time, n) for e in self.accepted))}" for n, word in APART.items()]
            yield f"\nNot in these times: {', '.join(apart)}"
        if self.open_ms:
            yield f"Still open: {count(len(self._open), 'table')}, {duration(self.open_ms)} so far"
        if self.own_minutes:
            minutes = sum(own.minutes for own in self.own_minutes)
            entries = count(len(self.own_minutes), "entry", "entries")
            yield f"Said by people, beside what was measured: {minutes:+g} min in {entries}"

    @property
    def _begun(self) -> dict[int, str]:
        """What each table began as; imported gold is left out, as nobody knows what it cost."""
        return {entry.gold: BEGINNINGS[entry.base] for entry in self.accepted if entry.base in BEGINNINGS}

    @property
    def _open(self) -> set[int]:
        return {entry.gold for entry in self.work if not entry.is_accepted}


APART = {
    "idle_ms": "idle",
    "hidden_ms": "tab not in front",
    "waiting_ms": "waiting for the server",
    "load_ms": "loading",
}


def cell_seconds(work: Sequence[Work], done: str) -> Durations:
    """How long single cells that were corrected, or confirmed, had the focus."""
    assert done in (CORRECTED, CONFIRMED)
    return durations(cell.active_ms for entry in work for cell in entry.cells if cell.done == done)


def _per_table(work: Sequence[Work], cutoff_ms: int) -> dict[int, int]:
    found: dict[int, int] = {}
    for entry in work:
        found[entry.gold] = found.get(entry.gold, 0) + sum(entry.by_cutoff[cutoff_ms].values())
    return found


def _block(
    name: str, group: Mapping[str, Durations], against: Mapping[str, float | None] | None = None
) -> Iterator[str]:
    width = max(len(name) + 3, *(len(key) for key in group)) + 2
    heads = ("n", "median", "quartiles", "trimmed mean", "in all")
    yield ""
    yield f"{'by ' + name:<{width}}{heads[0]:>4}  {heads[1]:>12}  {heads[2]:>25}  {heads[3]:>12}  {heads[4]:>12}"
    for key, summary in group.items():
        if summary.too_few:
            middle = f"{'too few':>12}  {'':>25}  {'':>12}"
        else:
            quartiles = f"{duration(summary.low_quartile_ms)} to {duration(summary.high_quartile_ms)}"
            middle = f"{duration(summary.median_ms):>12}  {quartiles:>25}  {duration(summary.trimmed_mean_ms):>12}"
        ratio = (against or {}).get(key)
        yield f"{key:<{width}}{summary.n:>4}  {middle}  {duration(summary.total_ms):>12}" + (
            f"  {ratio:.2f} times" if ratio is not None else ""
        )
