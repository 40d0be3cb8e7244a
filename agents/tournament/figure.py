"""Draws a tournament: ratings with their intervals next to the matrix of win shares."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from ..evaluation.report import shorten
from ..statistics.estimates import Estimate
from ..statistics.rankings import ANCHOR_RATING
from ..statistics.ratings import Rating
from .report import EVEN, pairs_heading
from .standings import Standings

_INK, _MUTED, _GRID, _EMPTY, _DOT = "#1f2328", "#6b7280", "#e5e7eb", "#f3f4f6", "#2a6f97"
_BELOW_ABOVE = "PuOr"  # orange below a half, violet above; told apart by colour-blind readers
_LONGEST_NAME = 24
_RATINGS_WIDTH = 6.0  # inches


def draw(standings: Sequence[Standings]) -> bytes:
    """Returns a PNG with a row for each number of players."""
    heights = [1.3 + 0.42 * len(table.agents) for table in standings]
    most = max(len(table.agents) for table in standings)
    widths = (_RATINGS_WIDTH, min(max(1.0 + 0.6 * most, 2.8), _RATINGS_WIDTH))
    figure = Figure(
        figsize=(sum(widths), sum(heights)),
        dpi=160,
        layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12),
        facecolor="white",
    )
    axes = figure.subplots(
        len(standings), 2, squeeze=False, height_ratios=heights, width_ratios=widths
    )
    for (left, right), table in zip(axes, standings, strict=True):
        _draw_ratings(left, table)
        _draw_pairs(right, table)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def _draw_ratings(axes: Axes, standings: Standings) -> None:
    rows = np.arange(len(standings.agents))
    ratings = [agent.rating for agent in standings.agents]
    known = [value for r in ratings for value in (r.low, r.high) if value is not None]
    margin = max(40.0, 0.06 * (max(known) - min(known)))
    left, right = min(known) - margin, max(known) + margin
    axes.axvline(ANCHOR_RATING, color=_MUTED, linewidth=1, zorder=0)
    axes.hlines(rows, left, right, color=_GRID, linewidth=0.8, zorder=0)
    axes.set(xlim=(left, right), ylim=(len(rows) - 0.5, -0.5))
    for row, rating in enumerate(ratings):
        _draw_rating(axes, row, rating)
    names = (shorten(agent.name, _LONGEST_NAME) for agent in standings.agents)
    axes.set_yticks(rows, [f"{name}  {rank}" for rank, name in enumerate(names, 1)])
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    label = f"rating with 95% interval, {shorten(standings.anchor, _LONGEST_NAME)} at 1000"
    if any(None in (rating.low, rating.high) for rating in ratings):
        label += "; arrow: no game bounds this end"
    axes.set_xlabel(label, color=_MUTED, fontsize=8)
    _plain(axes, f"{standings.num_players} players, {standings.games:,} games")


def _draw_rating(axes: Axes, row: int, rating: Rating) -> None:
    """Draws a rating with its interval; where that is open, an arrow from the end that is known."""
    left, right = axes.get_xlim()
    low = left if rating.low is None else rating.low
    high = right if rating.high is None else rating.high
    axes.plot([low, high], [row, row], color=_DOT, linewidth=2, solid_capstyle="butt")
    axes.plot(low, row, "<" if rating.low is None else "|", color=_DOT, markersize=8)
    axes.plot(high, row, ">" if rating.high is None else "|", color=_DOT, markersize=8)
    bounds = [end for end in (rating.low, rating.high) if end is not None]
    at = rating.rating if len(bounds) == 2 else [*bounds, ANCHOR_RATING][0]
    if len(bounds) == 2:
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


def _draw_pairs(axes: Axes, standings: Standings) -> None:
    size = len(standings.agents)
    shares = [[np.nan if s is None else s.mean for s in row] for row in standings.pairs]
    axes.set_facecolor(_EMPTY)
    axes.imshow(shares, cmap=_BELOW_ABOVE, vmin=-0.15, vmax=1.15, aspect="auto")
    lines = np.arange(size + 1) - 0.5
    axes.hlines(lines, -0.5, size - 0.5, color="white", linewidth=1.5)
    axes.vlines(lines, -0.5, size - 0.5, color="white", linewidth=1.5)
    for row, estimates in enumerate(standings.pairs):
        for column, share in enumerate(estimates):
            if row != column:
                _draw_share(axes, row, column, share)
    names = [str(i) for i in range(1, size + 1)]
    axes.set_xticks(range(size), names)
    axes.set_yticks(range(size), names)
    axes.xaxis.tick_top()
    axes.set_xlabel("bold: 95% interval excludes 50%", color=_MUTED, fontsize=8)
    _plain(axes, f"{pairs_heading(standings.num_players)} column")


def _draw_share(axes: Axes, row: int, column: int, share: Estimate | None) -> None:
    """Writes a win share in percent, bold where its interval excludes a half."""
    text = "·" if share is None else f"{share.mean * 100:.0f}"
    is_bold = share is not None and share.side_of(EVEN) != 0
    is_dark = share is not None and abs(share.mean - 0.5) > 0.35
    axes.text(
        column,
        row,
        text,
        ha="center",
        va="center",
        fontsize=9,
        color="white" if is_dark else _INK,
        fontweight="bold" if is_bold else "normal",
    )


def _plain(axes: Axes, title: str) -> None:
    axes.set_title(title, loc="left", fontsize=10.5, color=_INK)
    axes.tick_params(length=0, labelsize=9, colors=_INK)
    for spine in axes.spines.values():
        spine.set_visible(False)
