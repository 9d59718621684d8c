"""What is kept in memory for long is not looked through for garbage again and again."""

from __future__ import annotations

import gc
import time

# A full collection that takes longer has looked at much that stays: the kept lists of a large project, or all modules.
SLOW_S = 0.05
# What was laid aside and is garbage by now, as of sessions that are gone, is found once in so many full collections.
LOOKED_AT_AGAIN = 1000


class LaidAside:
    """A callback of the garbage collector that lays aside what a slow full collection left (``gc.callbacks``).

    Streamlit makes a full collection after every run, while the browser waits for the server to send what it made: of a
    project with 10,000 documents that is 0.3 s each time.
    """

    def __init__(self, slow_s: float = SLOW_S, looked_at_again: int = LOOKED_AT_AGAIN) -> None:
        self._slow_s, self._looked_at_again = slow_s, looked_at_again
        self._began, self._collections = 0.0, 0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        """Note when a full collection begins, and lay aside what it left when it was slow."""
        if info["generation"] < 2:
            return
        if phase == "start":
            self._began = time.thread_time()
            return
        self._collections += 1
        if time.thread_time() - self._began >= self._slow_s:
            gc.freeze()
        elif self._collections % self._looked_at_again == 0:
            gc.unfreeze()  # the next collection is a slow one
