"""TEDS and TEDS-struct: one minus the edit distance of two HTML table trees over the size of the larger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from rapidfuzz.distance import Levenshtein

from scoring.metrics.kernels import expect_affordable, run, tree_distance
from scoring.reading.html_grid import Element, first_table, parse, whole_number
from scoring.text_pairs import all_pairs

Mode = Literal["ibm", "normalised"]
Content = str | tuple[str, ...]
_NO_CONTENT = -1


@dataclass(frozen=True, slots=True)
class TreeDistance:
    """Edits that make one table tree of the other, and the number of nodes to compare that with."""

    edits: float
    nodes: int

    @property
    def score(self) -> float:
        """``1 - edits / nodes``: 1 for equal trees, and below 0 for very different ones; 1 where nodes is 0."""
        return 1.0 - self.edits / self.nodes if self.nodes else 1.0


@dataclass(frozen=True, slots=True)
class _Tree:
    """Nodes in postorder: leftmost leaf, label and content of each; ``size`` counts all elements in the table."""

    left: tuple[int, ...]
    labels: tuple[tuple[str, int, int], ...]
    contents: tuple[Content | None, ...]
    size: int


def teds(gold: str, pred: str, *, structure_only: bool = False, mode: Mode = "ibm") -> TreeDistance:
    """The edit distance of the first tables of two HTML documents, ``score`` being TEDS (TEDS-struct without texts).

    Insertion and deletion cost 1; renaming costs 1 where tag, colspan or rowspan differ, and for two ``td`` the
    Levenshtein distance of their contents (characters and tags) over the longer one.

    ``mode="ibm"`` gives the values of PubTabNet's ``metric.py`` (Zhong et al. 2020, arXiv:1911.10683), its quirks
    included: the table must be a child of body (else 0), the text of ``th`` is never compared, sections are nodes,
    elements inside cells raise the size that is divided by, and scores below 0 occur. A span that is no whole number
    counts as 1, two empty tables score 1; the reference program fails on both.

    ``mode="normalised"`` repairs this: first table anywhere, ``th`` is ``td``, sections do not count, white space is
    one space, markup inside cells does not count, the size is that of the larger tree, so that scores are 0 to 1.
    Raises TooLargeError.
    """
    if mode == "ibm":
        expected, predicted = _ibm_tree(gold), _ibm_tree(pred)
    else:
        expected, predicted = _plain_tree(gold), _plain_tree(pred)
    if expected is None or predicted is None:
        return TreeDistance(1.0, 1) if mode == "ibm" or expected is not predicted else TreeDistance(0.0, 0)
    size = max(expected.size, predicted.size)
    if expected == predicted:
        return TreeDistance(0.0, size)
    edits = _distance(expected, predicted, structure_only=structure_only)
    return TreeDistance(edits if mode == "ibm" else min(edits, size), size)


@lru_cache(maxsize=4)
def _ibm_tree(html: str) -> _Tree | None:
    table = parse(html).find("body/table")
    if table is None:
        return None
    return _tree(table, sum(1 for _ in table.iter("*")) - 1)


@lru_cache(maxsize=4)
def _plain_tree(html: str) -> _Tree | None:
    table = first_table(parse(html))
    if table is None:
        return None
    left: list[int] = []
    labels: list[tuple[str, int, int]] = []
    contents: list[Content | None] = []
    for line in table.iter("tr"):
        first = len(left)
        for cell in line.iterchildren("td", "th"):
            left.append(len(left))
            labels.append(("td", *_spans(cell)))
            contents.append(" ".join("".join(cell.itertext()).split()))
        left.append(first)
        labels.append(("tr", 1, 1))
        contents.append(None)
    return _Tree((*left, 0), (*labels, ("table", 1, 1)), (*contents, None), len(left) + 1)


def _tree(table: Element, size: int) -> _Tree:
    left: list[int] = []
    labels: list[tuple[str, int, int]] = []
    contents: list[Content | None] = []
    open_nodes: list[tuple[str, Iterator[Element], int]] = [(table.tag, iter(table), 0)]
    while open_nodes:
        tag, children, first = open_nodes[-1]
        child = next(children, None)
        if child is None:
            open_nodes.pop()
            left.append(first)
            labels.append((tag, 1, 1))
            contents.append(None)
        elif child.tag == "td":
            left.append(len(left))
            labels.append(("td", *_spans(child)))
            contents.append(_tokens(child))
        else:
            open_nodes.append((child.tag, iter(child), len(left)))
    return _Tree(tuple(left), tuple(labels), tuple(contents), size)


def _spans(cell: Element) -> tuple[int, int]:
    return whole_number(cell.get("colspan")), whole_number(cell.get("rowspan"))


def _tokens(cell: Element) -> Content:
    """The characters inside a cell and each tag as one token; tails of nested ``td`` are lost, as in the reference."""
    if not len(cell):
        return cell.text or ""
    tokens: list[str] = list(cell.text or "")
    open_nodes = [(cell, iter(cell))]
    while open_nodes:
        node, children = open_nodes[-1]
        child = next(children, None)
        if child is not None:
            tokens.append(f"<{child.tag}>")
            tokens += child.text or ""
            open_nodes.append((child, iter(child)))
            continue
        open_nodes.pop()
        if open_nodes:
            if node.tag != "unk":
                tokens.append(f"</{node.tag}>")
            if node.tag != "td":
                tokens += node.tail or ""
    return tuple(tokens)


def _distance(gold: _Tree, pred: _Tree, *, structure_only: bool) -> float:
    roots_gold, roots_pred = _key_roots(gold.left), _key_roots(pred.left)
    in_gold, in_pred = (
        sum(node - tree.left[node] + 1 for node in roots) for tree, roots in ((gold, roots_gold), (pred, roots_pred))
    )
    steps = in_gold * in_pred
    expect_affordable(steps)
    names = {label: index for index, label in enumerate(dict.fromkeys(gold.labels + pred.labels))}
    of_gold = {} if structure_only else _numbered(gold.contents)
    of_pred = {} if structure_only else _numbered(pred.contents)
    distance = np.zeros(0)
    if of_gold and of_pred:
        distance = all_pairs(list(of_gold), list(of_pred), Levenshtein.normalized_distance).ravel()
    n_gold, n_pred = len(gold.left), len(pred.left)
    return run(  # type: ignore[no-any-return]
        tree_distance,
        steps,
        _array(gold.left),
        _array(pred.left),
        _array(roots_gold),
        _array(roots_pred),
        _array([names[label] for label in gold.labels]),
        _array([names[label] for label in pred.labels]),
        _array([_NO_CONTENT if content is None else of_gold.get(content, _NO_CONTENT) for content in gold.contents]),
        _array([_NO_CONTENT if content is None else of_pred.get(content, _NO_CONTENT) for content in pred.contents]),
        distance,
        len(of_pred),
        np.zeros(n_gold * n_pred),
        np.zeros((n_gold + 1) * (n_pred + 1)),
    )


def _numbered(contents: Sequence[Content | None]) -> dict[Content, int]:
    return {content: index for index, content in enumerate(dict.fromkeys(c for c in contents if c is not None))}


def _key_roots(left: Sequence[int]) -> list[int]:
    """The nodes that no node further up shares its leftmost leaf with: roots of the subtrees to be compared."""
    return sorted({leaf: node for node, leaf in enumerate(left)}.values())


def _array(numbers: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, dtype=np.int64)
