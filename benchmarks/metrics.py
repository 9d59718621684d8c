"""CPU seconds of each published metric over a file of pairs, beside other programs: python -m benchmarks.metrics"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import rivals
from benchmarks.figures import machine
from benchmarks.scoring import pair as misread
from scoring import Table
from scoring.metrics.catalogue import METRICS, USUAL

# The five metrics whose published programs are slow, and what they may take together.
TARGET, WITHIN = ("tlag", "teds", "teds_struct", "grits_con", "grits_top"), 4.0
# What the recorded times call a metric of ours.
RECORDED = {"grits_con_kg": "kensho_con", "grits_top_kg": "kensho_top"}
RUNS = 3
# Real pairs near a number of cells, which is the geometric mean of both tables.
NEAR = {30: (24, 37), 100: (80, 125), 250: (190, 330), 500: (350, 700)}
# Tables of ten columns of which every sixth cell was misread and some rows were missed or doubled.
MADE, COLUMNS, DAMAGE = (100, 500, 1000, 3000), 10, 1 / 6

Pair = tuple[str, str]


def seconds(metrics: Sequence[str], pairs: Sequence[Pair]) -> list[float]:
    """CPU seconds that each pair takes in one pass over all of them."""
    each = []
    for gold, pred in pairs:
        start = time.process_time()
        for name in metrics:
            METRICS[name].score(gold, pred)
        each.append(time.process_time() - start)
    return each


def best(measure: Callable[[], list[float]]) -> list[float]:
    """The fastest of a few passes: what else runs on the machine only ever makes it slower."""
    return min((measure() for _ in range(RUNS)), key=sum)


def recorded(file: Path) -> Sequence[Mapping[str, Any]]:
    """What the published programs took for the same pairs, as recorded beside them; empty where it is not known."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def reference_seconds(entries: Sequence[Mapping[str, Any]], name: str) -> list[float]:
    """The recorded seconds of the program for a metric, pair by pair; empty where there are none."""
    theirs = RECORDED.get(name, name)
    return [entry["cpu_sec"][theirs] for entry in entries] if entries and theirs in entries[0]["cpu_sec"] else []


def print_all(pairs: Sequence[Pair], entries: Sequence[Mapping[str, Any]]) -> bool:
    """Each metric over all pairs; whether the target was kept."""
    cold = sum(seconds(TARGET, pairs))
    print(f"{'':<24}{'pairs':>7}{'seconds':>9}{'slowest ms':>12}{'reference s':>13}{'ratio':>7}")
    for name in METRICS:
        each = best(lambda: seconds([name], pairs))  # noqa: B023
        known = reference_seconds(entries, name)
        beside = f"{sum(known):>13.1f}{sum(known) / sum(each):>7.0f}" if known else ""
        print(f"{name:<24}{len(pairs):>7}{sum(each):>9.2f}{max(each) * 1000:>12.1f}{beside}")
    for title, names in (("T-LAG, TEDS, GriTS", TARGET), ("all usual metrics", USUAL)):
        each = best(lambda: seconds(names, pairs))  # noqa: B023
        print(f"{title:<24}{len(pairs):>7}{sum(each):>9.2f}{max(each) * 1000:>12.1f}")
        if names is TARGET:
            kept = sum(each) < WITHIN
    print(f"\nT-LAG, TEDS and GriTS together: {'kept' if kept else 'MISSED'} the target of {WITHIN:g} s warm;")
    print(f"{cold:.2f} s the first time, with what has to be loaded.")
    return kept


def print_by_size(pairs: Sequence[Pair], entries: Sequence[Mapping[str, Any]]) -> None:
    """How many times as fast as the recorded programs, by size of table."""
    sizes = [(entry["n_gold"] * entry["n_pred"]) ** 0.5 for entry in entries]
    near = {size: [at for at, of in enumerate(sizes) if low <= of <= high] for size, (low, high) in NEAR.items()}
    near = {size: places for size, places in near.items() if places}
    print("\nrecorded seconds / ours, by number of cells (real pairs)")
    print(f"{'cells about':<24}" + "".join(f"{size:>9}" for size in near))
    print(f"{'pairs':<24}" + "".join(f"{len(places):>9}" for places in near.values()))
    for name in METRICS:
        known = reference_seconds(entries, name)
        if known:
            cells = []
            for places in near.values():
                ours = sum(best(lambda: seconds([name], [pairs[at] for at in places])))  # noqa: B023
                cells.append(f"{sum(known[at] for at in places) / ours:>9.0f}")
            print(f"{name:<24}" + "".join(cells))


def print_rivals(pairs: Sequence[Pair], entries: Sequence[Mapping[str, Any]], *, cells: int, limit: float) -> None:
    """The programs that are installed here on the same pairs: seconds and values."""
    few = [
        pair for pair, entry in zip(pairs, entries, strict=True) if (entry["n_gold"] * entry["n_pred"]) ** 0.5 <= cells
    ]
    print(f"\nprograms installed here, in this process; apted on the {len(few)} pairs of up to {cells} cells")
    head = f"{'':<24}{'program':<32}{'pairs':>6}{'theirs s':>10}{'ours s':>8}{'ratio':>7}"
    print(f"{head}{'no value':>10}{'too long':>10}  largest difference")
    for name, rival in rivals.installed().items():
        those = few if rival.slow else pairs
        theirs = [rivals.tried(rival, *pair, limit=limit) for pair in those]
        ours = sum(best(lambda: seconds([name], those)))  # noqa: B023
        differences = [
            abs(outcome.value - _headline(METRICS[name].score(*pair)))
            for pair, outcome in zip(those, theirs, strict=True)
            if outcome.value is not None
        ]
        total = sum(outcome.seconds for outcome in theirs)
        late = sum(not outcome.in_time for outcome in theirs)
        failed = sum(outcome.value is None for outcome in theirs) - late
        print(
            f"{name:<24}{rival.program:<32}{len(those):>6}{total:>10.2f}{ours:>8.2f}{total / ours:>7.1f}"
            f"{failed:>10}{late:>10}  {max(differences, default=0):.1e}"
        )


def print_made(*, limit: float) -> None:
    """Made tables of growing size: seconds of each program and ours, and how the ratio grows."""
    known = rivals.installed()
    print(f"\nmade tables, every sixth cell misread; theirs s / ours s = ratio, at most {limit:g} CPU s a pair")
    print(f"{'cells':<16}" + "".join(f"{size:>28}" for size in MADE))
    tables = {size: tuple(map(_html, misread(size // COLUMNS - 1, COLUMNS, damage=DAMAGE)[:2])) for size in MADE}
    for name in METRICS:
        shown = []
        for gold, pred in tables.values():
            # What was read is remembered for a while; with each copy a little different, all are read anew.
            copies = [(gold + " " * at, pred + " " * at) for at in range(30 if len(gold) < 20_000 else 3)]
            ours = sum(best(lambda: seconds([name], copies))) / len(copies)  # noqa: B023
            if name in known:
                outcomes = [rivals.tried(known[name], *copies[0], limit=limit)]
                if outcomes[0].seconds < 0.1:
                    outcomes = [rivals.tried(known[name], *copy, limit=limit) for copy in copies]
                theirs = sum(outcome.seconds for outcome in outcomes) / len(outcomes)
                sign = "" if outcomes[0].in_time else ">"
                shown.append(f"{sign}{theirs:.4f} / {ours:.4f} = {sign}{theirs / ours:.3g}")
            else:
                shown.append(f"{ours:.4f}")
        print(f"{name:<16}" + "".join(f"{text:>28}" for text in shown), flush=True)


def _html(table: Table) -> str:
    rows = (
        "".join(f"<td>{table.text_at(row, col)}</td>" for col in range(table.n_cols)) for row in range(table.n_rows)
    )
    return f"<html><body><table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table></body></html>"


def _headline(value: Any) -> float:
    return float(value["f1"] if isinstance(value, Mapping) else value)


def main() -> int:
    """Print all figures; exit status 1 where the target is missed."""
    folder = Path(os.environ.get("PROOFGRID_CORPORA", Path(__file__).parents[2] / "shared"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", nargs="?", type=Path, default=folder / "pairs" / "pairs.jsonl")
    parser.add_argument("--cells", type=int, default=120, help="the largest pairs that apted is given")
    parser.add_argument("--limit", type=float, default=60, help="CPU seconds that another program has for a pair")
    wanted = parser.parse_args()
    if not wanted.pairs.exists():
        print(
            f"{wanted.pairs} is not there; name a file of pairs, or their folder by PROOFGRID_CORPORA", file=sys.stderr
        )
        return 2
    lines = [json.loads(line) for line in wanted.pairs.read_text().splitlines()]
    pairs = [(entry["gold_html"], entry["pred_html"]) for entry in lines]
    entries = recorded(wanted.pairs.with_name("reference_scores.jsonl"))
    kept = print_all(pairs, entries)
    if entries:
        print_by_size(pairs, entries)
    if entries and rivals.installed():
        print_rivals(pairs, entries, cells=wanted.cells, limit=wanted.limit)
        print_made(limit=wanted.limit)
    else:
        print("\nNo other program is installed here: pip install -r benchmarks/requirements.txt to compare with them.")
    print(f"\n{machine()}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
