"""Milliseconds to find the causes of error, and how often damage is found: python -m benchmarks.causes"""

from __future__ import annotations

import random
from collections import Counter

from benchmarks.scoring import milliseconds, pair
from scoring import from_rows
from scoring.diagnosis.causes import causes
from tests.scoring.damage import DAMAGES, order_type, three_at_once

TABLES = 1000


def main() -> None:
    causes(from_rows([["a", "1"], ["b", "2"]]), from_rows([["1", "a"], ["2", "c"]]))  # loads scipy
    print(f"{'size':>10} {'misread':>8} {'causes ms':>10} {'typed ms':>10}")
    for rows, cols in ((20, 6), (200, 10), (5000, 10)):
        for damage in (0.02, 0.5):
            gold, pred, table_type = pair(rows, cols, damage=damage)
            times = [
                milliseconds(lambda: causes(gold, pred)),  # noqa: B023
                milliseconds(lambda: causes(gold, pred, table_type=table_type)),  # noqa: B023
            ]
            print(f"{rows:>6}x{cols:<3} {damage:>8.0%} " + " ".join(f"{found:>10.1f}" for found in times))
    injected = [make(random.Random(f"{name} {seed}")) for name, make in DAMAGES.items() for seed in range(20)]
    table_type = order_type()
    every = milliseconds(
        lambda: [
            causes(d.gold, d.pred, table_type=table_type, source_text=d.source, other_gold=d.others) for d in injected
        ]
    )
    print(f"one damage in 6 to 15 rows of 7 columns, with source text: {every / len(injected):.2f} ms for each table")
    for apart in (True, False):
        three(apart=apart)


def three(*, apart: bool) -> None:
    """Prints how many of the tables with three damages were told exactly, and the recall of each."""
    right, there, found = 0, Counter[str](), Counter[str]()
    for seed in range(TABLES):
        damaged = three_at_once(random.Random(seed), apart=apart)
        types = (order_type(), order_type(key=True), None)
        told = {
            (f.label, f.gold_cells, f.gold_rows, f.pred_cells, f.pred_rows)
            for f in causes(damaged.gold, damaged.pred, table_type=types[seed % 3], source_text=damaged.source).findings
        }
        there.update(label for label, *_ in damaged.expected)
        found.update(place[0] for place in damaged.expected if place in told)
        right += told == set(damaged.expected)
    where = "in rows of their own" if apart else "wherever they fall"
    print(f"three damages {where}: {right / TABLES:.1%} of {TABLES} tables exactly right; recall")
    print("   " + ", ".join(f"{label} {found[label] / there[label]:.3f}" for label in sorted(there)))


if __name__ == "__main__":
    main()
