"""Keystrokes and the time that a skilled person takes for them: the keystroke-level model of Card, Moran and Newell.

Times: K 0.2 s for each key (an average skilled typist, 55 words a minute), P 1.1 s to point, H 0.4 s to bring the
hand to the mouse or back, M 1.35 s to think or look. A held modifier counts as one key for as long as it is held.

Where M stands: before each error (look at the page, find what is wrong), before each text that is typed (read it from
the page), before each command that changes the structure, and at each stop that turns out to be right. Not before
single steps to a place that is seen already, and not before keys that follow from the one before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

K, P, H, M = 0.2, 1.1, 0.4, 1.35
CLICK = H + P + K + H
MODIFIERS = ("Control", "Alt", "Shift")

Place = TypeVar("Place", bound=Hashable)


def keys_of(text: str) -> Iterator[str]:
    """The presses that type a text on an English keyboard."""
    for sign in text:
        yield f"Shift+{sign}" if sign.isupper() or sign in '"()%?' else sign


def strokes(presses: Iterable[str]) -> int:
    """How many keys go down for these presses, modifiers among them."""
    count, held = 0, frozenset[str]()
    for press in presses:
        *modifiers, _ = press.split("+") if press != "+" else ["+"]
        count += 1 + len(frozenset(modifiers) - held)
        held = frozenset(modifiers)
    return count


@dataclass
class Effort:
    """What corrections of one kind cost."""

    errors: int = 0
    strokes: int = 0
    clicks: int = 0
    thoughts: int = 0

    @property
    def seconds(self) -> float:
        """The time by the model."""
        return self.strokes * K + self.clicks * CLICK + self.thoughts * M


@dataclass
class Tally:
    """Effort by kind of error; what is done between two calls of ``begin`` counts for the kind named first."""

    by_kind: dict[str, Effort] = field(default_factory=dict)
    _kind: str = ""
    _presses: list[str] = field(default_factory=list)

    def begin(self, kind: str) -> None:
        """From now on everything is for one more error of this kind."""
        self.end()
        self._kind = kind
        self.now.errors += 1

    @property
    def now(self) -> Effort:
        """The effort that is being counted."""
        return self.by_kind.setdefault(self._kind, Effort())

    def press(self, presses: Sequence[str]) -> None:
        """Keys went down."""
        self._presses += presses

    def click(self) -> None:
        """The hand went to the mouse, clicked and came back; a held modifier was let go."""
        self.end()
        self.now.clicks += 1

    def end(self) -> None:
        """No more keys for the present error."""
        if self._presses:
            self.now.strokes += strokes(self._presses)
        self._presses = []


def shortest(
    start: Place, goal: Callable[[Place], bool], steps: Callable[[Place], Iterable[tuple[str, Place]]]
) -> list[str]:
    """The fewest presses from one place to another; steps gives each press with where it leads."""
    came: dict[Place, tuple[Place, str] | None] = {start: None}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if goal(here):
            path = []
            while (before := came[here]) is not None:
                here, press = before
                path.append(press)
            return path[::-1]
        for press, there in steps(here):
            if there not in came:
                came[there] = (here, press)
                waiting.append(there)
    raise ValueError(f"no keys lead from {start} to the goal")


def rewriting(old: str, new: str, *, at_end: Sequence[str], at_start: Sequence[str]) -> list[str]:
    """The fewest presses in ready mode that make a cell's text another one, without the key that commits it.

    ``at_end`` and ``at_start`` begin to edit the old text there.
    """
    start = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    rest_old, rest_new = old[start:], new[start:]
    pairs = enumerate(zip(reversed(rest_old), reversed(rest_new), strict=False))
    end = next((at for at, (a, b) in pairs if a != b), min(len(rest_old), len(rest_new)))
    gone, fresh = len(rest_old) - end, [*keys_of(rest_new[: len(rest_new) - end])]
    ways = [
        [*keys_of(new)],
        [*at_end, *["ArrowLeft"] * end, *["Backspace"] * gone, *fresh],
        [*at_start, *["ArrowRight"] * start, *["Delete"] * gone, *fresh],
    ]
    return min(ways, key=strokes)
