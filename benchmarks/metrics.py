"""CPU seconds of each published metric over a file of pairs: python -m benchmarks.metrics [PAIRS.jsonl]"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.figures import machine
from scoring.metrics import METRICS, USUAL

# The five metrics whose published programs are slow, and what they may take together.
TARGET, WITHIN = ("tlag", "teds", "teds_struct", "grits_con", "grits_top"), 4.0
# What the recorded times call a metric of ours.
RECORDED = {"grits_con_kg": "kensho_con", "grits_top_kg": "kensho_top"}
RUNS = 3

Pair = tuple[str, str]


def seconds(metrics: Sequence[str], pairs: Sequence[Pair]) -> tuple[float, float]:
    """CPU seconds of one pass over all pairs, and the most that one pair took."""
    each = []
    for gold, pred in pairs:
        start = time.process_time()
        for name in metrics:
            METRICS[name].score(gold, pred)
        each.append(time.process_time() - start)
    return sum(each), max(each)


def best(measure: Callable[[], tuple[float, float]]) -> tuple[float, float]:
    """The fastest of a few passes: what else runs on the machine only ever makes it slower."""
    return min(measure() for _ in range(RUNS))


def reference_seconds(file: Path) -> Mapping[str, float]:
    """What the published programs took for the same pairs, as recorded beside them; empty where it is not known."""
    if not file.exists():
        return {}
    recorded: list[dict[str, Any]] = [json.loads(line)["cpu_sec"] for line in file.read_text().splitlines()]
    totals = {name: sum(entry[name] for entry in recorded) for name in recorded[0]}
    return {name: totals[RECORDED.get(name, name)] for name in METRICS if RECORDED.get(name, name) in totals}


def main(words: Sequence[str]) -> int:
    folder = Path(os.environ.get("PROOFGRID_CORPORA", Path(__file__).parents[2] / "shared"))
    file = Path(words[0]) if words else folder / "pairs" / "pairs.jsonl"
    if not file.exists():
        print(f"{file} is not there; name a file of pairs, or their folder by PROOFGRID_CORPORA", file=sys.stderr)
        return 2
    entries = [json.loads(line) for line in file.read_text().splitlines()]
    pairs = [(entry["gold_html"], entry["pred_html"]) for entry in entries]
    reference = reference_seconds(file.with_name("reference_scores.jsonl"))

    cold = seconds(TARGET, pairs)[0]
    print(f"{'':<24}{'pairs':>7}{'seconds':>9}{'slowest ms':>12}{'reference s':>13}{'ratio':>7}")
    for name in METRICS:
        total, most = best(lambda: seconds([name], pairs))  # noqa: B023
        known = f"{reference[name]:>13.1f}{reference[name] / total:>7.0f}" if name in reference else ""
        print(f"{name:<24}{len(pairs):>7}{total:>9.2f}{most * 1000:>12.1f}{known}")
    for title, names in (("T-LAG, TEDS, GriTS", TARGET), ("all usual metrics", USUAL)):
        total, most = best(lambda: seconds(names, pairs))  # noqa: B023
        print(f"{title:<24}{len(pairs):>7}{total:>9.2f}{most * 1000:>12.1f}")
        if names is TARGET:
            kept = total < WITHIN
    print(f"\nT-LAG, TEDS and GriTS together: {'kept' if kept else 'MISSED'} the target of {WITHIN:g} s warm;")
    print(f"{cold:.2f} s the first time, with what has to be loaded.\n{machine()}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
