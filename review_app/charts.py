"""Charts of the results."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log10
from typing import Any

from review_app.wording import duration
from scoring import Counts, percent
from scoring.effort.durations import Durations
from scoring.statistics.comparison import Comparison

BAR_HEIGHT, FRAME_HEIGHT = 26, 72
GROUP_HEIGHT = 46
# More points of a group are drawn by as many of them, evenly by rank: the shape is the same, and the page stays quick.
MOST_POINTS = 200
_SHORTEST_MS = 100.0
# Marks of the logarithmic scale: those of every decade, and finer ones where the scale is short.
_TICKS = {100: "0.1 s", 1_000: "1 s", 10_000: "10 s", 60_000: "1 min", 600_000: "10 min", 3_600_000: "1 h"}
_TICKS |= {36_000_000: "10 h", 360_000_000: "100 h"}
_FINE_TICKS = {200: "0.2 s", 500: "0.5 s", 2_000: "2 s", 5_000: "5 s", 20_000: "20 s", 30_000: "30 s", 120_000: "2 min"}
_FINE_TICKS |= {300_000: "5 min", 1_200_000: "20 min", 1_800_000: "30 min", 7_200_000: "2 h", 18_000_000: "5 h"}
MOST_TICKS = 12
# Seen on white as on the dark ground.
_POINT, _BOX, _BOX_FILL, _GRID = "#3b82f6", "#c8641a", "rgba(200, 100, 26, 0.12)", "rgba(128, 128, 128, 0.25)"


def fields(named: Sequence[tuple[str, Counts]]) -> Any:
    """One bar per field: F1 of exact cells, with precision and recall as marks; worst field on top."""
    import plotly.graph_objects as go

    defined = [(name, counts) for name, counts in named if counts.f1 is not None][::-1]
    names = [name for name, _ in defined]
    figure = go.Figure()
    figure.add_bar(
        y=names,
        x=[counts.f1 for _, counts in defined],
        orientation="h",
        name="F1",
        marker_color="#1f5fd0",
        opacity=0.75,
        customdata=[[counts.matched, counts.predicted, counts.expected] for _, counts in defined],
        hovertemplate="%{y}<br>F1 %{x:.1%}<br>%{customdata[0]:g} right, %{customdata[1]} extracted, "
        "%{customdata[2]} expected<extra></extra>",
    )
    for label, symbol, values in (
        ("Precision", "line-ns-open", [counts.precision for _, counts in defined]),
        ("Recall", "diamond-open", [counts.recall for _, counts in defined]),
    ):
        figure.add_scatter(
            y=names,
            x=values,
            mode="markers",
            name=label,
            marker={"symbol": symbol, "size": 11, "line": {"width": 2}, "color": "#b4540a"},
            hovertemplate=f"%{{y}}<br>{label} %{{x:.1%}}<extra></extra>",
        )
    figure.update_layout(
        height=FRAME_HEIGHT + BAR_HEIGHT * max(1, len(names)),
        margin={"l": 0, "r": 16, "t": 24, "b": 24},
        xaxis={"range": [0, 1.02], "tickformat": ".0%"},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0},
        bargap=0.35,
    )
    return figure


def differences(named: Sequence[tuple[str, Comparison]]) -> Any:
    """One mark per field: the difference of F1 in points with its 95 % interval, worst on top; zero is drawn."""
    import plotly.graph_objects as go

    known = [(name, found) for name, found in named if found.difference is not None][::-1]
    values = [100 * (found.difference or 0.0) for _, found in known]
    ends = [
        (found.difference, found.difference) if found.low is None or found.high is None else (found.low, found.high)
        for _, found in known
    ]
    figure = go.Figure()
    figure.add_scatter(
        y=[name for name, _ in known],
        x=values,
        mode="markers",
        marker={
            "size": 11,
            "symbol": ["triangle-left" if value < 0 else "triangle-right" for value in values],
            "color": ["#c0392b" if value < 0 else "#1f7a45" for value in values],
        },
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [100 * (high or 0.0) - value for (_, high), value in zip(ends, values, strict=True)],
            "arrayminus": [value - 100 * (low or 0.0) for (low, _), value in zip(ends, values, strict=True)],
            "thickness": 1.5,
            "color": "#888888",
        },
        customdata=[[percent(found.a), percent(found.b), found.documents] for _, found in known],
        hovertemplate="%{y}<br>%{customdata[0]} → %{customdata[1]} in %{customdata[2]} documents<extra></extra>",
    )
    figure.add_vline(x=0, line_width=1, line_color="#888")
    figure.update_layout(
        height=FRAME_HEIGHT + BAR_HEIGHT * max(1, len(known)),
        margin={"l": 0, "r": 16, "t": 24, "b": 40},
        xaxis={"title": "B - A, points of F1", "zeroline": False},
        showlegend=False,
    )
    return figure


def pareto(named: Sequence[tuple[str, int]]) -> Any:
    """A bar for each cause by the values that it hits, largest first; a line for the share of all up to it."""
    import plotly.graph_objects as go

    names, values = [name for name, _ in named], [value for _, value in named]
    every = sum(values)
    together = [100 * sum(values[: at + 1]) / every for at in range(len(values))]
    figure = go.Figure()
    figure.add_bar(
        x=names,
        y=values,
        name="values hit",
        marker_color="#1f5fd0",
        opacity=0.75,
        hovertemplate="%{x}: %{y}<extra></extra>",
    )
    figure.add_scatter(
        x=names,
        y=together,
        name="together, % of all wrong values",
        yaxis="y2",
        mode="lines+markers",
        line={"color": "#b4540a", "width": 2},
        hovertemplate="%{x}: %{y:.0f} % together<extra></extra>",
    )
    figure.update_layout(
        height=300,
        margin={"l": 0, "r": 0, "t": 24, "b": 24},
        yaxis={"title": "values hit", "rangemode": "tozero"},
        yaxis2={
            "overlaying": "y",
            "side": "right",
            "range": [0, 105],
            "showgrid": False,
            "tickvals": [0, 25, 50, 75, 100],
            "ticksuffix": " %",
        },
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0},
        bargap=0.35,
    )
    return figure


def spread(named: Sequence[tuple[str, Durations, Sequence[float]]]) -> Any:
    """Durations in milliseconds of each group on a logarithmic scale: its points, and a box where it has quartiles.

    The first group stands on top. Boxes are those of the summaries, so that they agree with what is told in numbers.
    """
    import plotly.graph_objects as go

    names = [f"{escape(name.replace('_', ' '))}, n = {summary.n:,}" for name, summary, _ in named]
    figure = go.Figure()
    drawn: list[float] = []
    for at, (_, summary, values) in enumerate(named):
        points = [max(value, _SHORTEST_MS) for value in _thinned(values)]
        quartiles = (summary.low_quartile_ms, summary.median_ms, summary.high_quartile_ms)
        box = [max(each, _SHORTEST_MS) for each in quartiles if each is not None]
        drawn += [*points, *box]
        figure.add_scatter(
            x=points,
            # By the golden ratio: neighbours in rank lie apart in height, and the same each time.
            y=[at + 0.56 * ((number * 0.618034) % 1 - 0.5) for number in range(len(points))],
            mode="markers",
            marker={"size": 6, "color": _POINT, "opacity": 0.85},
            customdata=[duration(value) for value in points],
            hovertemplate=f"{names[at]}<br>%{{customdata}}<extra></extra>",
        )
        if not box:
            continue
        low, middle, high = box
        top, bottom = at - 0.34, at + 0.34
        outline = {"x": [low, high, high, low, low], "y": [top, top, bottom, bottom, top]}
        figure.add_scatter(
            **outline,
            mode="lines",
            fill="toself",
            fillcolor=_BOX_FILL,
            line={"color": _BOX, "width": 1.5},
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=[middle, middle],
            y=[top, bottom],
            mode="lines",
            line={"color": _BOX, "width": 3.5},
            hovertemplate=f"{names[at]}<br>median {duration(middle)}<extra></extra>",
        )
    ticks, ends = _scale(drawn)
    for at, (_, summary, values) in enumerate(named):
        if summary.too_few and not values:
            figure.add_annotation(x=0, xref="paper", y=at, text="too few", showarrow=False, xanchor="left")
    figure.update_layout(
        height=FRAME_HEIGHT + GROUP_HEIGHT * max(1, len(names)),
        margin={"l": 0, "r": 24, "t": 8, "b": 40},
        showlegend=False,
        xaxis={
            "type": "log",
            "range": [log10(end) for end in ends],
            "tickvals": list(ticks),
            "ticktext": list(ticks.values()),
            "showgrid": True,
            "gridcolor": _GRID,
        },
        yaxis={
            "tickvals": list(range(len(names))),
            "ticktext": names,
            "range": [len(names) - 0.5, -0.5],
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
        },
    )
    return figure


def _scale(drawn: Sequence[float]) -> tuple[dict[int, str], tuple[float, float]]:
    """The marks of a scale for these durations, and where it begins and ends: at the marks around them."""
    fine = dict(sorted((_TICKS | _FINE_TICKS).items()))
    least, most = min(drawn, default=1_000), max(drawn, default=60_000)
    low = max((tick for tick in fine if tick < least), default=min(fine))
    high = min((tick for tick in fine if tick > most), default=max(fine))
    within = {tick: name for tick, name in fine.items() if low <= tick <= high}
    coarse = {tick: name for tick, name in within.items() if tick in _TICKS}
    return (within if len(within) <= MOST_TICKS else coarse), (low * 0.95, high * 1.05)


def _thinned(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    if len(ordered) <= MOST_POINTS:
        return ordered
    return [ordered[round(at * (len(ordered) - 1) / (MOST_POINTS - 1))] for at in range(MOST_POINTS)]
