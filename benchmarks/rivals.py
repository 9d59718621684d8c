"""Public programs for the same metrics, where they are installed: benchmarks/requirements.txt."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from types import FrameType
from typing import Any

from lxml import html
from rapidfuzz.distance import Levenshtein

from scoring.metrics.error_rates import linear


@dataclass(frozen=True)
class Rival:
    """A program with a function that scores HTML gold and prediction; a slow one is given small pairs only."""

    program: str
    score: Callable[[str, str], float]
    slow: bool = False


@dataclass(frozen=True)
class Outcome:
    """What came of one pair: CPU seconds, and the value, or None where the program failed or ran out of time."""

    seconds: float
    value: float | None
    in_time: bool = True


def installed() -> Mapping[str, Rival]:
    """The rivals that can be imported here, by the name of our metric."""
    found: dict[str, Rival] = {}
    if find_spec("apted"):
        program = "apted 1.0.3, TEDS as published"
        found["teds"] = Rival(program, lambda gold, pred: _teds(gold, pred, structure_only=False), slow=True)
        found["teds_struct"] = Rival(program, lambda gold, pred: _teds(gold, pred, structure_only=True), slow=True)
    if find_spec("grits"):
        import grits

        def grits_f1(gold: str, pred: str, part: str, score: Any) -> float:
            return float(score(grits.html_to_grids(gold)[part], grits.html_to_grids(pred)[part])[0])

        found["grits_con_kg"] = Rival("grits-metric 0.7.0", lambda g, p: grits_f1(g, p, "con", grits.grits_con))
        found["grits_top_kg"] = Rival("grits-metric 0.7.0", lambda g, p: grits_f1(g, p, "top", grits.grits_top))
    if find_spec("jiwer"):
        import jiwer

        # It knows nothing of HTML, and whoever uses it on tables must read them first: here by our reader.
        program = "jiwer 4.0.0 after our reading"
        found["cer"] = Rival(program, lambda gold, pred: float(jiwer.cer(linear(gold), linear(pred))))
        found["wer"] = Rival(program, lambda gold, pred: float(jiwer.wer(linear(gold), linear(pred))))
    return found


def tried(rival: Rival, gold: str, pred: str, *, limit: float) -> Outcome:
    """Score one pair within so many CPU seconds."""
    start = time.process_time()
    try:
        with _limited(limit):
            value = rival.score(gold, pred)
    except TimeoutError:
        return Outcome(limit, None, in_time=False)
    except Exception:  # noqa: BLE001 - whatever it fails with, it has no value
        return Outcome(time.process_time() - start, None)
    return Outcome(time.process_time() - start, value)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# TEDS from its definition (Zhong et al. 2020, arXiv:1911.10683, and the quirks of its program that change values), with
# the tree edit distance of apted. The program's own Levenshtein works on lists in Python; the one here is rapidfuzz,
# so that what is timed is faster than what is published.
@dataclass(frozen=True, eq=False)
class _Node:
    label: tuple[str, int, int]
    content: tuple[str, ...] | None
    children: tuple[_Node, ...]


def _teds(gold: str, pred: str, *, structure_only: bool) -> float:
    import apted

    class Costs(apted.Config):  # type: ignore[misc]
        valuecls = float

        def rename(self, one: _Node, other: _Node) -> float:
            if one.label != other.label:
                return 1.0
            if structure_only or not (one.content or other.content):
                return 0.0
            return float(Levenshtein.normalized_distance(one.content or (), other.content or ()))

    tables = [_table(text) for text in (gold, pred)]
    if None in tables:
        return 0.0
    size = max(len(table.xpath(".//*")) for table in tables)
    trees = [_tree(table) for table in tables]
    return 1.0 - float(apted.APTED(*trees, Costs()).compute_edit_distance()) / size


def _table(text: str) -> Any:
    if "<html" not in text.lower() or "<body" not in text.lower():
        text = f"<html><body>{text}</body></html>"
    found = html.fromstring(text, parser=html.HTMLParser(remove_comments=True, encoding="utf-8")).xpath("body/table")
    return found[0] if found else None


def _tree(element: Any) -> _Node:
    if element.tag == "td":
        spans = int(element.get("colspan", "1")), int(element.get("rowspan", "1"))
        return _Node(("td", *spans), tuple(_tokens(element))[1:-1], ())
    return _Node((element.tag, 1, 1), None, tuple(_tree(child) for child in element))


def _tokens(element: Any) -> Iterator[str]:
    yield f"<{element.tag}>"
    yield from element.text or ""
    for child in element:
        yield from _tokens(child)
    if element.tag != "unk":
        yield f"</{element.tag}>"
    if element.tag != "td":
        yield from element.tail or ""
