"""Milliseconds to align and to score tables of three sizes, and very large ones: python -m benchmarks.scoring"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable

from scoring import Column, Rules, Table, TableType, from_rows, score
from scoring.alignment.align import align

SIZES = ((30, 8), (200, 10), (2000, 10))
WORDS = (
    "beaker",
    "flask",
    "filter",
    "paper",
    "gloves",
    "tips",
    "buffer",
    "standard",
    "stirrer",
    "goggles",
    "steel",
    "brass",
)


def pair(rows: int, cols: int, *, damage: float, seed: int = 7) -> tuple[Table, Table, TableType]:
    """Gold, a prediction with that share of cells misread and some rows missed or doubled, and the type."""
    chance = random.Random(seed)
    names = [f"column {col}" for col in range(cols)]
    gold = [[_text(chance, col) for col in range(cols)] for _ in range(rows)]
    pred = []
    for row in gold:
        read = [_misread(chance, text) if chance.random() < damage else text for text in row]
        pred += [read] * chance.choices((0, 1, 2), (1, 48, 1))[0]
    kinds = ("id", "text", "integer", "currency")
    columns = tuple(Column(name, type=kinds[col % 4] if col < 8 else "text") for col, name in enumerate(names))  # type: ignore[arg-type]
    return (
        from_rows([names, *gold], header_rows=1),
        from_rows([names, *pred], header_rows=1),
        TableType("benchmark", columns),
    )


def _text(chance: random.Random, col: int) -> str:
    kinds = (
        lambda: f"BF-{chance.randrange(100000):05}",
        lambda: " ".join(chance.choices(WORDS, k=5)),
        lambda: str(chance.randrange(1, 500)),
        lambda: f"{chance.randrange(1, 1_000_000) / 100:,.2f}",
    )
    return kinds[col % 4]()


def _misread(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice("O0l1S5.,") + text[at + 1 :]


def shuffled(rows: int, cols: int, *, damage: float, seed: int = 3) -> tuple[Table, Table, list[int]]:
    """Gold, a prediction in another order without a tenth of the rows, and where each predicted row is from."""
    chance = random.Random(seed)
    gold = [[_text(chance, col) for col in range(cols)] for _ in range(rows)]
    order = [at for at in range(rows) if chance.random() > 0.1]
    chance.shuffle(order)
    pred = [[_misread(chance, text) if chance.random() < damage else text for text in gold[at]] for at in order]
    return from_rows(gold), from_rows(pred), order


def milliseconds(work: Callable[[], object]) -> float:
    """The least CPU time of a few runs."""
    times = []
    while len(times) < 3 or (len(times) < 20 and sum(times) < 0.5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1000


def main() -> None:
    align(*pair(2, 2, damage=0)[:2])  # loads scipy
    print(f"{'size':>10} {'misread':>8} {'align ms':>10} {'score ms':>10} {'typed ms':>10}")
    for rows, cols in SIZES:
        for damage in (0.02, 0.5):
            gold, pred, table_type = pair(rows, cols, damage=damage)
            times = [
                milliseconds(lambda: align(gold, pred)),  # noqa: B023
                milliseconds(lambda: score(gold, pred)),  # noqa: B023
                milliseconds(lambda: score(gold, pred, rules=Rules(table_type))),  # noqa: B023
            ]
            print(f"{rows:>6}x{cols:<3} {damage:>8.0%} " + " ".join(f"{found:>10.1f}" for found in times))
    print(f"\n{'no keys':>10} {'misread':>8} {'align s':>10} {'right':>10} {'peak MB':>10}")
    for damage in (0.1, 0.5, 1.0):
        gold, pred, order = shuffled(5000, 10, damage=damage)
        start = time.process_time()
        found = align(gold, pred)
        seconds = time.process_time() - start
        right = sum(order[pred_row] == gold_row for gold_row, pred_row in found.rows) / len(order)
        # The largest so far of the whole process; macOS counts bytes, Linux kilobytes.
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
        print(f"{'5000x5000':>10} {damage:>8.0%} {seconds:>10.1f} {right:>10.2%} {peak:>10.0f}")


if __name__ == "__main__":
    main()
