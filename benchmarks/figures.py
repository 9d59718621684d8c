"""Figures: many measurements as p50 and p95, the best of a few runs, in one printed table."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True)
class Figure:
    """What was measured: all single measurements of one run, and the bound that their p95 should keep."""

    what: str
    measured: Sequence[float]
    target: float | None = None
    unit: str = "ms"

    @property
    def p50(self) -> float:
        """The value that half of the measurements do not exceed."""
        return self._quantile(0.5)

    @property
    def p95(self) -> float:
        """The value that 95 of 100 measurements do not exceed."""
        return self._quantile(0.95)

    def _quantile(self, share: float) -> float:
        in_order = sorted(self.measured)
        return in_order[math.ceil(share * len(in_order)) - 1]

    @property
    def row(self) -> list[str]:
        """The texts of one line of the table."""
        target = "" if self.target is None else f"< {self.target:g}"
        verdict = "" if self.target is None else "kept" if self.p95 < self.target else "MISSED"
        return [self.what, str(len(self.measured)), f"{self.p50:.1f}", f"{self.p95:.1f}", target, self.unit, verdict]


def best(runs: Sequence[Sequence[Figure]]) -> list[Figure]:
    """Of each figure the run with the lowest p95: what else runs on the machine only ever makes it slower."""
    return [min(same, key=lambda figure: figure.p95) for same in zip(*runs, strict=True)]


def printed(figures: Sequence[Figure]) -> bool:
    """Print the table and the machine; whether all targets were kept."""
    head = ["", "n", "p50", "p95", "target", "unit", ""]
    rows = [head, *(figure.row for figure in figures)]
    widths = [max(len(row[col]) for row in rows) for col in range(len(head))]
    for row in rows:
        cells = [
            text.ljust(width) if col in (0, 5, 6) else text.rjust(width)
            for col, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())
    print(f"\n{machine()}")
    return all(figure.target is None or figure.p95 < figure.target for figure in figures)


def machine() -> str:
    """The date, the machine, and what else it had to do."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, load average {load}"
    )
