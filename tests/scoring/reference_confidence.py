"""Slow and obvious measures of confidence that the fast ones are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import comb, inf, log

from scipy.stats import beta


def auroc(confidence: Sequence[float], right: Sequence[bool]) -> float | None:
    """Every pair of a wrong and a right cell."""
    pairs = [
        1.0 if low < high else 0.5 if low == high else 0.0
        for low, is_right in zip(confidence, right, strict=True)
        if not is_right
        for high, other_right in zip(confidence, right, strict=True)
        if other_right
    ]
    return sum(pairs) / len(pairs) if pairs else None


def calibration_error(confidence: Sequence[float], right: Sequence[bool], bins: int) -> float:
    """Bin after bin, cell after cell."""
    total = 0.0
    for at in range(bins):
        low, high = at / bins, (at + 1) / bins
        members = [
            (c, y) for c, y in zip(confidence, right, strict=True) if low <= c < high or (at == bins - 1 and c == 1)
        ]
        if members:
            accuracy = sum(y for _, y in members) / len(members)
            said = sum(c for c, _ in members) / len(members)
            total += len(members) / len(confidence) * abs(accuracy - said)
    return total


def areas(confidence: Sequence[float], right: Sequence[bool]) -> tuple[float, float, float]:
    """AURC, E-AURC and AUGRC: the mean over every order that sorts the cells by falling confidence."""
    cells = list(zip(confidence, right, strict=True))
    orders = [
        order for order in permutations(cells) if all(order[at][0] >= order[at + 1][0] for at in range(len(cells) - 1))
    ]
    n = len(cells)

    def curve(verdicts: Sequence[bool]) -> tuple[float, float]:
        risks, joint = [], []
        for k in range(1, n + 1):
            errors = sum(not y for y in verdicts[:k])
            risks.append(errors / k)
            joint.append(errors / n)
        return sum(risks) / n, sum(joint) / n

    found = [curve([y for _, y in order]) for order in orders]
    aurc = sum(risk for risk, _ in found) / len(found)
    augrc = sum(joint for _, joint in found) / len(found)
    best, _ = curve(sorted(right, reverse=True))
    return aurc, aurc - best, augrc


def errors_reviewed(confidence: Sequence[float], right: Sequence[bool], share: float) -> float:
    """Wrong cells among the lowest: whole blocks of equal scores first, then the same part of each cell of one."""
    left, found = share * len(confidence), 0.0
    for score in sorted(set(confidence)):
        block = [y for c, y in zip(confidence, right, strict=True) if c == score]
        part = min(1.0, left / len(block))
        found += part * sum(not y for y in block)
        left -= part * len(block)
    return found


def binomial_at_most(k: int, n: int, p: float) -> float:
    """The chance of at most k of n, term by term."""
    return sum(comb(n, at) * p**at * (1 - p) ** (n - at) for at in range(k + 1))


def largest_accepted(confidence: Sequence[float], right: Sequence[bool], sizes: Sequence[int], alpha: float) -> float:
    """The lowest threshold of conformal risk control, each tried; documents follow each other with these sizes."""
    kept = inf
    for tau in sorted(set(confidence), reverse=True):
        at, losses = 0, []
        for size in sizes:
            own = range(at, at + size)
            losses.append(sum(confidence[i] >= tau and not right[i] for i in own) / size)
            at += size
        n = len(sizes)
        if n / (n + 1) * sum(losses) / n + 1 / (n + 1) > alpha + 1e-12:
            break
        kept = tau
    return kept


def design_effect(wrong: Sequence[int], cells: Sequence[int]) -> float:
    """The variance of the ratio over documents against that of independent cells, sum by sum."""
    documents, total = len(cells), sum(cells)
    rate = sum(wrong) / total
    squares = sum((w - rate * a) ** 2 for w, a in zip(wrong, cells, strict=True))
    variance = documents / (documents - 1) * squares / total**2
    return max(1.0, variance / (rate * (1 - rate) / total))


def promised(
    confidence: Sequence[float], right: Sequence[bool], document: Sequence[int], alpha: float, delta: float
) -> float | None:
    """The threshold of the fixed sequence, each accepted set taken anew."""
    cells = sorted(zip(confidence, right, document, strict=True), key=lambda cell: -cell[0])

    def whole_blocks(n: int) -> int:
        return sum(c >= cells[n - 1][0] for c, _, _ in cells)

    first = 3 * next(n for n in range(1, 10**6) if n * log(1 - alpha) <= log(delta))
    while len({d for _, _, d in cells[:first]}) < 20:
        first += 1
        if first > len(cells):
            return None
    if first > len(cells):
        return None
    first, tau = whole_blocks(first), None
    for step in range(25):
        n = whole_blocks(round(first + step * (len(cells) - first) / 24))
        accepted = [cell for cell in cells if cell[0] >= cells[n - 1][0]]
        names = sorted({d for _, _, d in accepted})
        sizes = [sum(d == name for _, _, d in accepted) for name in names]
        wrong = [sum(d == name and not y for _, y, d in accepted) for name in names]
        effective = n / (design_effect(wrong, sizes) if 0 < sum(wrong) < n else 1)
        errors = sum(wrong) / n * effective
        upper = 1.0 if sum(wrong) == n else float(beta.ppf(1 - delta, errors + 1, effective - errors))
        if upper > alpha:
            return tau
        tau = accepted[-1][0]
    return tau
