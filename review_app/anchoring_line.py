"""What the blind slice says of a score, in one sentence for the screen, the report and the terminal."""

from __future__ import annotations

from scoring import percent
from scoring.statistics.anchoring import Anchoring


def anchoring_line(found: Anchoring | None) -> str:
    """Whether the score is flattered by gold that was made from what it scores; "" where nothing was keyed blind."""
    if found is None:
        return ""
    if found.gap is None:
        return f"Whether the score is flattered is not known yet: {found.reason}."
    sides = (
        f"cell F1 is {percent(found.corrected.estimate)} on tables corrected from the extraction and "
        f"{percent(found.blind.estimate)} on those keyed without it"
    )
    if found.low is None or found.high is None:
        return f"Whether the score is flattered is not known yet: {sides}, but there is no interval ({found.reason})."
    between = f"95 % interval {_points(found.low)} to {_points(found.high)}"
    if found.is_flattered:
        return f"Flattered by about {_points(found.gap)} points ({between}): {sides}."
    certain = "The score is not flattered" if found.high < 0 else "Whether the score is flattered is not certain"
    return f"{certain}: {sides}, a gap of {_points(found.gap)} points ({between})."


def _points(share: float) -> str:
    return f"{100 * share:.1f}".replace("-", "\u2212")
