"""Charts of the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring import Counts, percent
from scoring.statistics.comparison import Comparison

BAR_HEIGHT, FRAME_HEIGHT = 26, 72


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
