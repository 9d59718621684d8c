"""Charts of confidence: is it right as often as it says, and what does a review of the lowest find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.confidence.calibration import Bin
from scoring.confidence.error_detection import Review

HEIGHT = 340
BLUE, ORANGE, GREY = "#1f5fd0", "#b4540a", "#888888"


def reliability(bins: Sequence[Bin], *, saved: float, tried: float) -> Any:
    """How often cells are right, by what was said of them, with Wilson bars; beneath how many there are."""
    from plotly.subplots import make_subplots

    told = [each for each in bins if each.interval and each.accuracy is not None]
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[0.76, 0.24], vertical_spacing=0.06)
    figure.add_scatter(
        x=[0, 1],
        y=[0, 1],
        mode="lines",
        name="as said",
        line={"color": GREY, "dash": "dot", "width": 1.5},
        row=1,
        col=1,
    )
    figure.add_scatter(
        x=[each.mean_confidence for each in told],
        y=[each.accuracy for each in told],
        mode="markers",
        name="right, with 95 % interval",
        marker={"size": 9, "symbol": "diamond", "color": BLUE},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [each.interval[1] - (each.accuracy or 0) for each in told if each.interval],
            "arrayminus": [(each.accuracy or 0) - each.interval[0] for each in told if each.interval],
            "thickness": 1.5,
            "color": BLUE,
        },
        customdata=[[each.n] for each in told],
        hovertemplate="said %{x:.3f}, right %{y:.1%} of %{customdata[0]:,} cells<extra></extra>",
        row=1,
        col=1,
    )
    figure.add_bar(
        x=[(each.low + each.high) / 2 for each in bins],
        y=[each.n for each in bins],
        width=0.09,
        name="cells",
        marker={"color": BLUE, "opacity": 0.5},
        showlegend=False,
        hovertemplate="%{y:,} cells<extra></extra>",
        row=2,
        col=1,
    )
    _mark(figure, saved, tried, row=1, col=1)
    figure.update_yaxes(title="right", tickformat=".0%", range=[0, 1.05], row=1, col=1)
    figure.update_yaxes(title="cells", nticks=3, rangemode="tozero", row=2, col=1)
    figure.update_xaxes(range=[-0.01, 1.02], row=1, col=1)
    figure.update_xaxes(title="confidence", range=[-0.01, 1.02], row=2, col=1)
    return _laid_out(figure)


def review_budget(review: Sequence[Review], *, saved: float, tried: float) -> Any:
    """Errors found by the share of cells that is reviewed, lowest first; ``saved`` and ``tried`` are such shares."""
    import plotly.graph_objects as go

    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", name="in random order", line={"color": GREY, "dash": "dot", "width": 1.5}
    )
    figure.add_scatter(
        x=[0.0, *(each.share for each in review)],
        y=[0.0, *(each.error_capture for each in review)],
        mode="lines+markers",
        name="lowest confidence first",
        marker={"size": 6, "color": BLUE},
        line={"color": BLUE, "width": 2},
        hovertemplate="review %{x:.0%}: %{y:.1%} of all errors found<extra></extra>",
    )
    _mark(figure, saved, tried, ": %{x:.1%} of cells to review")
    figure.update_xaxes(title="cells reviewed", tickformat=".0%", range=[-0.01, 1.02])
    figure.update_yaxes(title="errors found", tickformat=".0%", range=[0, 1.05])
    return _laid_out(figure)


def _mark(figure: Any, saved: float, tried: float, told: str = "", **cell: int) -> None:
    """A line where the threshold stands now, and another one where it is tried; ``told`` follows its name."""
    marks = [(saved, "threshold now", "solid"), (tried, "tried by hand", "dash")]
    for at, name, dash in marks[: 1 if tried == saved else 2]:
        figure.add_scatter(
            x=[at, at],
            y=[0, 1.02],
            mode="lines",
            name=name,
            line={"color": ORANGE, "dash": dash, "width": 2},
            hovertemplate=f"{name}{told}<extra></extra>",
            **cell,
        )


def _laid_out(figure: Any) -> Any:
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        bargap=0.1,
    )
    return figure
