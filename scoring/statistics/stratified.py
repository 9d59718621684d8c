"""The error rate of a population of which some cells were checked, drawn at random within strata, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scoring.statistics.proportions import check_level, exact_interval

# With fewer checked cells an interval would be wide enough for any opinion.
FEWEST_OF_A_STRATUM = 10
FEWEST_OF_ALL = 30


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of a population: how many cells it has, and how many of those that were checked are right and wrong.

    ``unclear`` are those of which nobody could tell.
    """

    name: str
    population: int
    right: int
    wrong: int
    unclear: int = 0

    def __post_init__(self) -> None:
        if min(self.right, self.wrong, self.unclear) < 0 or self.right + self.wrong + self.unclear > self.population:
            told = f"{self.right} right, {self.wrong} wrong and {self.unclear} unclear"
            raise ValueError(f"stratum {self.name!r}: {told} of {self.population}, expected no more than there are")

    @property
    def checked(self) -> int:
        """How many were found to be right or wrong."""
        return self.right + self.wrong

    @property
    def is_whole(self) -> bool:
        """Whether all of it was checked, so that nothing is left to chance."""
        return self.checked == self.population


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """An error rate, 0..1, with its interval ``low`` to ``high``; None where it can not be given, with the reason.

    ``worst`` is the rate if all that nobody could tell were wrong.
    """

    name: str
    population: int
    checked: int
    wrong: int
    unclear: int
    rate: float | None
    low: float | None
    high: float | None
    worst: float | None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """A plain mapping; what is undefined is null."""
        return asdict(self)


def error_rate(stratum: Stratum, *, level: float = 0.95) -> ErrorRate:
    """The error rate of one stratum: its cells were drawn one by one, so that those of one page do no harm.

    The interval is that of Clopper and Pearson (see ``proportions.exact_interval``), a little too wide where much of
    the stratum was drawn; of one that was checked whole the rate is known. Raises ValueError for a level outside 0..1.
    """
    check_level(level)
    if stratum.checked < min(FEWEST_OF_A_STRATUM, stratum.population) or not stratum.checked:
        return _without(stratum, [stratum], f"{stratum.checked} checked, expected {FEWEST_OF_A_STRATUM} or more")
    rate = stratum.wrong / stratum.checked
    between = (rate, rate) if stratum.is_whole else exact_interval(stratum.wrong, stratum.checked, level=level)
    return _rate(stratum, [stratum], rate, between or (0.0, 1.0))


def stratified_error_rate(strata: Sequence[Stratum], *, level: float = 0.95) -> ErrorRate:
    """The error rate of all strata together: that of each counts for as many cells as it has, not as were checked.

    The estimate is the stratified mean (Cochran, "Sampling Techniques", 3rd ed. 1977, ch. 5, 5.1). Its usual interval
    shrinks to nothing where no error was found, and errors are rare here; so it is that of Fay and Feuer, "Confidence
    intervals for directly standardized rates: a method based on the gamma distribution", Statistics in Medicine 16,
    1997: counts of rare errors as Poisson, exact for equal weights, and bounded above by the heaviest single error that
    was not met, which without any gives at most about 3.7 / n for a proportional sample. A stratum that was checked
    whole adds what it has, and nothing to the interval. Raises ValueError for a level outside 0..1.
    """
    check_level(level)
    there = [stratum for stratum in strata if stratum.population]
    if not there:
        return _without(Stratum("", 0, 0, 0), there, "there is no cell")
    whole = Stratum("", *(sum(parts) for parts in zip(*map(_numbers, there), strict=True)))
    if whole.checked < min(FEWEST_OF_ALL, whole.population):
        return _without(whole, there, f"{whole.checked} checked, expected {FEWEST_OF_ALL} or more")
    if missing := [stratum.name for stratum in there if not stratum.checked]:
        return _without(whole, there, f"nothing checked yet of: {', '.join(missing)}")
    rate = sum(_share(stratum, whole) * stratum.wrong / stratum.checked for stratum in there)
    drawn = [stratum for stratum in there if not stratum.is_whole]
    known = sum(_share(stratum, whole) * stratum.wrong / stratum.checked for stratum in there if stratum.is_whole)
    low, high = _gamma_interval([(_share(one, whole) / one.checked, one.wrong) for one in drawn], level)
    most = sum(_share(stratum, whole) for stratum in drawn)
    return _rate(whole, there, rate, (known + low, known + min(high, most)))


def _gamma_interval(parts: Sequence[tuple[float, int]], level: float) -> tuple[float, float]:
    """The bounds of Fay and Feuer for a sum of counts, each with its weight."""
    from scipy.special import gammaincinv

    if not parts:
        return 0.0, 0.0
    tail = (1 - level) / 2
    total = sum(weight * count for weight, count in parts)
    variance = sum(weight * weight * count for weight, count in parts)
    heaviest = max(weight for weight, _ in parts)
    low = float(gammaincinv(total * total / variance, tail)) * variance / total if variance else 0.0
    above, spread = total + heaviest, variance + heaviest * heaviest
    return low, float(gammaincinv(above * above / spread, 1 - tail)) * spread / above


def allocated(populations: Sequence[int], size: int) -> tuple[int, ...]:
    """How many cells to draw of each stratum: in proportion to it, but of a small one enough to tell of it.

    Of each at least twice FEWEST_OF_A_STRATUM, as far as it has them and half of the sample allows; together ``size``,
    or all there are. Raises ValueError for a size below 1.
    """
    if size < 1:
        raise ValueError(f"a sample of {size} cells, expected 1 or more")
    there = [at for at, population in enumerate(populations) if population]
    if size >= sum(populations):
        return tuple(populations)
    least = min(2 * FEWEST_OF_A_STRATUM, size // (2 * len(there))) if there else 0
    found = [min(least, population) for population in populations]
    while (left := size - sum(found)) > 0:
        room = {at: populations[at] - found[at] for at in there if populations[at] > found[at]}
        # What each lacks of its share of the whole, largest remainders last, so that the same numbers give the same.
        wanted = {at: max(0.0, size * populations[at] / sum(populations) - found[at]) for at in room}
        if not any(wanted.values()):
            wanted = {at: float(space) for at, space in room.items()}
        shares = {at: left * wanted[at] / sum(wanted.values()) for at in room}
        taken = {at: min(room[at], int(share)) for at, share in shares.items()}
        if not any(taken.values()):
            taken = dict.fromkeys(sorted(room, key=lambda at: (-shares[at], at))[:left], 1)
        for at, number in taken.items():
            found[at] += number
    return tuple(found)


def _numbers(stratum: Stratum) -> tuple[int, int, int, int]:
    return stratum.population, stratum.right, stratum.wrong, stratum.unclear


def _share(stratum: Stratum, whole: Stratum) -> float:
    return stratum.population / whole.population


def _worst(strata: Sequence[Stratum]) -> float | None:
    """The rate with all that is unclear as wrong; None where nothing of a stratum was looked at."""
    looked = [(stratum, stratum.checked + stratum.unclear) for stratum in strata]
    population = sum(stratum.population for stratum in strata)
    if not looked or not all(of for _, of in looked):
        return None
    return sum(stratum.population / population * (stratum.wrong + stratum.unclear) / of for stratum, of in looked)


def _rate(of: Stratum, strata: Sequence[Stratum], rate: float, between: tuple[float, float]) -> ErrorRate:
    low, high = max(0.0, min(between[0], rate)), min(1.0, max(between[1], rate))
    return ErrorRate(of.name, of.population, of.checked, of.wrong, of.unclear, rate, low, high, _worst(strata))


def _without(of: Stratum, strata: Sequence[Stratum], reason: str) -> ErrorRate:
    return ErrorRate(of.name, of.population, of.checked, of.wrong, of.unclear, None, None, None, None, reason)
