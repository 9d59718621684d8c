"""Memory and time of score-pairs and merge-scores on files of growing length: python -m benchmarks.pairs"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.figures import machine
from benchmarks.scoring import pair
from scoring import Table

# How much more memory ten times as many pairs may take.
GROWTH_MB = 10
METRICS = "cer"


def write(file: Path, count: int) -> None:
    """A file of so many pairs of small tables, ten different ones in turn."""
    texts = []
    for seed in range(10):
        gold, pred, _ = pair(4, 4, damage=0.2, seed=seed)
        texts.append({"gold_html": _html(gold), "pred_html": _html(pred), "lang": "en" if seed % 2 else "ko"})
    with file.open("w") as out:
        for number in range(count):
            out.write(json.dumps({"id": number, **texts[number % 10]}) + "\n")


def _html(table: Table) -> str:
    rows = ("".join(f"<td>{table.text_at(row, col)}</td>" for col in range(4)) for row in range(table.n_rows))
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def run(*words: object) -> tuple[float, float]:
    """Wall seconds and the most resident megabytes that one process of a command had."""
    start = time.perf_counter()
    command = [str(Path(sys.executable).with_name("proofgrid")), *map(str, words)]
    child = os.posix_spawn(
        command[0],
        command,
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ],
    )
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def main() -> int:
    """Print the figures; exit status 1 where memory grows with the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, nargs="+", default=[10_000, 100_000], help="how many pairs to score")
    counts = parser.parse_args().pairs
    print(f"{'':<44}{'pairs':>10}{'seconds':>10}{'MB':>8}")
    with tempfile.TemporaryDirectory(prefix="proofgrid-benchmark-") as name:
        folder = Path(name)
        source, scores, summary = (folder / each for each in ("pairs.jsonl", "scores.jsonl", "summary.json"))
        shards = [folder / f"{number}.jsonl" for number in (1, 2, 3)]
        found: dict[str, list[float]] = {}
        for count in counts:
            write(source, count)
            common = ("score-pairs", source, "--metrics", METRICS, "--by", "lang")
            jobs: dict[str, tuple[object, ...]] = {
                "score-pairs --summary": (*common, "-o", scores, "--summary", summary),
                "score-pairs --workers 2": (*common, "-o", folder / "pool.jsonl", "--workers", 2),
                **{
                    f"score-pairs --shard {number}/3": (*common, "-o", file, "--shard", f"{number}/3")
                    for number, file in enumerate(shards, start=1)
                },
                "merge-scores --summary": ("merge-scores", *shards, "-o", folder / "merged", "--summary", summary),
            }
            for title, words in jobs.items():
                seconds, megabytes = run(*words)
                found.setdefault(title, []).append(megabytes)
                print(f"{title:<44}{count:>10,}{seconds:>10.1f}{megabytes:>8.0f}")
            whole = scores.read_bytes()
            if not whole == (folder / "pool.jsonl").read_bytes() == (folder / "merged").read_bytes():
                print("MISSED: one process, a pool and merged shards differ")
                return 1
    grown = any(sizes[-1] - sizes[0] > GROWTH_MB for sizes in found.values())
    print(
        f"\n{'MISSED' if grown else 'kept'}: no more than {GROWTH_MB} MB more for the longest file; all bytes are equal"
    )
    print(machine())
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
