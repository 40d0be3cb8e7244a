"""Draws the ratings of a tournament with their intervals."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from gonzaga_env.kernel.text_table import shortened

from .ratings import ANCHOR_RATING
from .standings import Standings

_INK, _MUTED, _GRID, _DOT = "#1f2328", "#6b7280", "#e5e7eb", "#2a6f97"
_LONGEST_NAME = 24
_PLAIN: dict[str, Any] = {"parse_math": False}  # a name is no formula


def draw(standings: Sequence[Standings]) -> bytes:
    """Returns a PNG with a row for each number of players."""
    heights = [1.3 + 0.42 * len(table.agents) for table in standings]
    figure = Figure((7.0, sum(heights)), dpi=160, layout="constrained", facecolor="white")
    axes = figure.subplots(len(standings), squeeze=False, height_ratios=heights)
    for own, table in zip(axes[:, 0], standings, strict=True):
        _draw_ratings(own, table)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def _draw_ratings(axes: Axes, standings: Standings) -> None:
    """Draws ratings with their intervals; an open end is an arrow from the end that is known."""
    agents, rows = standings.agents, np.arange(len(standings.agents))
    known = [end for a in agents for end in (a.rating.low, a.rating.high) if end is not None]
    margin = max(40.0, 0.06 * (max(known) - min(known)))
    left, right = min(known) - margin, max(known) + margin
    axes.axvline(ANCHOR_RATING, color=_MUTED, linewidth=1, zorder=0)
    axes.hlines(rows, left, right, color=_GRID, linewidth=0.8, zorder=0)
    axes.set(xlim=(left, right), ylim=(len(rows) - 0.5, -0.5))
    for row, rating in enumerate(agent.rating for agent in agents):
        low = left if rating.low is None else rating.low
        high = right if rating.high is None else rating.high
        axes.plot([low, high], [row, row], color=_DOT, linewidth=2, solid_capstyle="butt")
        axes.plot(low, row, "<" if rating.low is None else "|", color=_DOT, markersize=8)
        axes.plot(high, row, ">" if rating.high is None else "|", color=_DOT, markersize=8)
        ends = [end for end in (rating.low, rating.high) if end is not None]
        at = rating.rating if len(ends) == 2 else [*ends, ANCHOR_RATING][0]
        if len(ends) == 2:
            axes.plot(at, row, "o", color=_DOT, markersize=6.5)
        axes.annotate(
            rating.text,
            (at, row),
            (0, 6),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=8,
            color=_INK,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    names = (shortened(agent.name, _LONGEST_NAME) for agent in agents)
    axes.set_yticks(rows, [f"{name}  {rank}" for rank, name in enumerate(names, 1)], **_PLAIN)
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    label = f"rating with 95% interval, {shortened(standings.anchor, _LONGEST_NAME)} at 1000"
    if len(known) < 2 * len(agents):
        label += "; arrow: no game bounds this end"
    axes.set_xlabel(label, color=_MUTED, fontsize=8, **_PLAIN)
    title = f"{standings.num_players} players, {standings.games:,} games"
    axes.set_title(title, loc="left", fontsize=10.5, color=_INK)
    axes.tick_params(length=0, labelsize=9, colors=_INK)
    for spine in axes.spines.values():
        spine.set_visible(False)
