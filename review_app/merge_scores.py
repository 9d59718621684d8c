"""Merging the shards that score-pairs wrote into the file that it would have written at once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from review_app.pair_summary import Summary
from review_app.score_pairs import Footer
from review_app.whole_file import replacing
from scoring.metrics.catalogue import METRICS
from scoring.reading.json_value import json_value

# A footer names some metrics and fields.
_LONGEST_FOOTER = 65_536


class ShardError(Exception):
    """Shards that do not belong together or are not whole; the message names the files."""


def read_footer(path: Path) -> Footer:
    """The footer of a shard; raises ShardError and OSError."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _LONGEST_FOOTER))
        last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
    try:
        found = json_value(last)["shard"]
        footer = Footer(**{**found, "metrics": tuple(found["metrics"]), "by": tuple(found["by"])})
        if not 1 <= footer.number <= footer.of or footer.pairs < 0 or set(footer.metrics) - set(METRICS):
            raise ValueError
        return footer
    except (ValueError, TypeError, KeyError):
        raise ShardError(
            f"{path}: its last line does not say which shard it is; it was cut off, or not written by this version "
            "of score-pairs with --shard"
        ) from None


def shards(paths: Sequence[Path], *, allow_missing: bool = False) -> Mapping[int, tuple[Path, Footer]]:
    """The files by the number of their shard, from 1; raises ShardError where they do not make a whole, and OSError."""
    found: dict[int, tuple[Path, Footer]] = {}
    for path in paths:
        footer = read_footer(path)
        if footer.number in found:
            other, _ = found[footer.number]
            raise ShardError(f"{other} and {path} are both shard {footer.number} of {footer.of}, expected each once")
        found[footer.number] = path, footer
    first, expected = next(iter(found.values()))
    for path, footer in found.values():
        for name, what in _SAME.items():
            if getattr(footer, name) != getattr(expected, name):
                these, those = (_shown(getattr(each, name)) for each in (expected, footer))
                raise ShardError(f"{first} and {path} are not parts of one whole: {what} {these} and {those}")
    missing = [str(number) for number in range(1, expected.of + 1) if number not in found]
    if missing and not allow_missing:
        which = f"shard {missing[0]} is" if len(missing) == 1 else f"shards {', '.join(missing[:20])} are"
        raise ShardError(
            f"{which} missing of {expected.of}; there are only {', '.join(str(path) for path, _ in found.values())}. "
            "Name the rest too, or go on without by --allow-missing"
        )
    return found


_SAME = {
    "of": "the numbers of shards are",
    "version": "the versions of the scores are",
    "metrics": "the metrics are",
    "by": "the fields to group by are",
    "sha256": "the files of pairs have the hashes",
    "pairs": "the numbers of pairs are",
}


def merge_files(found: Mapping[int, tuple[Path, Footer]], output: Path) -> Summary:
    """Write the lines of the shards in the order of the pairs; those of missing shards are left out.

    Shards are dealt out like cards, so that taking one line of each in turn restores the order, with one line in
    memory. Raises ShardError where a shard is not whole, OSError and TooManyGroupsError.
    """
    _, whole = next(iter(found.values()))
    summary = Summary(whole.metrics, whole.by)
    with ExitStack() as stack:
        files = {number: stack.enter_context(path.open("rb")) for number, (path, _) in found.items()}
        with replacing(output) as file:
            for pair in range(whole.pairs):
                number = pair % whole.of + 1
                if number in files:
                    line = files[number].readline()
                    summary.add(_read(line, found[number][0]))
                    file.write(line)
            for number, rest in files.items():
                _expect_end(rest, *found[number])
    return summary


def _read(line: bytes, path: Path) -> dict[str, Any]:
    try:
        scored: dict[str, Any] = json.loads(line)
        if "id" not in scored:
            raise KeyError("id")
    except (ValueError, KeyError, TypeError):
        raise _not_whole(path) from None
    return scored


def _expect_end(rest: BinaryIO, path: Path, footer: Footer) -> None:
    if rest.readline() != footer.line().encode("ascii") or rest.readline():
        raise _not_whole(path)


def _not_whole(path: Path) -> ShardError:
    return ShardError(f"{path}: it has not the lines that its last line tells of; score this shard again")


def _shown(value: object) -> str:
    return (", ".join(map(str, value)) or "none") if isinstance(value, tuple) else str(value)
