"""Ratings with their intervals as part of a page, drawn from the data beside the picture.

The drawing needs no script: every agent is one stop of the Tab key, and hovering over it, touching
it or stepping to it shows its figures and how its interval lies to those of the others. Horizontal
places are percentages, so that text keeps its size on narrow screens.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

_ROW = 44  # height of an agent, pixels
_AXIS = 26
_MARKS = 6  # on the axis, about
ANCHOR = 1000


@dataclass(frozen=True)
class Row:
    """An agent's line in the data.

    Attributes:
        players: P.
        agent: its name.
        rating: None where no game bounds it on one side.
        low: the lower end of the 95 % interval; None if it is open.
        high: the upper end; None if it is open.
        win_share: in percent.
        score: points on average.
        games: number of games.
    """

    players: int
    agent: str
    rating: int | None
    low: int | None
    high: int | None
    win_share: str
    score: str
    games: int

    @property
    def rating_text(self) -> str:
        """The rating as the page's table has it."""
        if self.low is None:
            return "unknown" if self.high is None else f"at most {self.high}"
        return f"at least {self.low}" if self.high is None else str(self.rating)

    @property
    def interval_text(self) -> str:
        """The interval in words, as far as the rating does not say it."""
        if self.low is None or self.high is None or self.low == self.high:
            return ""
        return f"{self.low} to {self.high}"


def read_rows(path: Path) -> list[Row]:
    """Returns the lines of a leaderboard's data; none if the file holds something else."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = csv.DictReader(file)
        wanted = {"players", "agent", "rating", "low", "high", "win_share", "score", "games"}
        if not wanted <= set(lines.fieldnames or ()):
            return []
        return [
            Row(
                int(line["players"]),
                line["agent"],
                *(_integer(line[name]) for name in ("rating", "low", "high")),
                line["win_share"],
                line["score"],
                int(line["games"]),
            )
            for line in lines
        ]


def draw_ratings(app: Sphinx, tree: nodes.document) -> None:
    """Replaces pictures of ratings, whose data lies beside them, by drawings in the page."""
    for image in list(tree.findall(nodes.image)):
        data = Path(app.srcdir, image["uri"]).with_suffix(".csv")
        if data.is_file() and (rows := read_rows(data)):
            app.env.note_dependency(str(data))
            image.replace_self(nodes.raw("", drawing(rows), format="html"))


def drawing(rows: Sequence[Row]) -> str:
    """Returns a figure with a drawing for each number of players, as HTML."""
    parts = [_part(players, list(own)) for players, own in groupby(rows, lambda row: row.players)]
    note = (
        "Rating with 95% interval; an arrow points to an end that no game bounds. "
        "Hover over an agent, touch it or step to it with Tab for its figures."
    )
    return f'<div class="ratings">{"".join(parts)}<p>{note}</p></div>'


def _part(players: int, rows: Sequence[Row]) -> str:
    """Returns the drawing for one number of players."""
    left, right, step = _axis(rows)

    def at(value: float) -> float:
        return min(max(100 * (value - left) / (right - left), 0), 100)

    height = _ROW * len(rows)
    marks = range(-(-left // step) * step, right + 1, step)
    ticks = "".join(_tick(value, at(value), height) for value in marks)
    agents = "".join(_agent(i, row, height, at) for i, row in enumerate(rows))
    return (
        f'<p class="ratings-title">{players} players</p>'
        f'<svg width="100%" height="{height + _AXIS}" role="group" '
        f'aria-label="Ratings with {players} players">'
        f'<g aria-hidden="true">{ticks}</g>{agents}</svg>'
    )


def _axis(rows: Sequence[Row]) -> tuple[int, int, int]:
    """Returns the ends of the axis, around all closed intervals, and the step of its marks."""
    known = [end for row in rows if None not in (row.low, row.high) for end in (row.low, row.high)]
    low, high = min(known), max(known)
    margin = max((high - low) // 16, 20)
    rough = (high - low + 2 * margin) / _MARKS
    power = 10 ** math.floor(math.log10(rough))
    step = next(int(power * n) for n in (1, 2, 5, 10) if power * n >= rough)
    return low - margin, high + margin, step


def _tick(value: int, place: float, height: int) -> str:
    kind = "anchor" if value == ANCHOR else "grid"
    return (
        f'<line class="{kind}" x1="{place:.2f}%" x2="{place:.2f}%" y1="0" y2="{height}"/>'
        f'<text class="mark" x="{place:.2f}%" y="{height + 18}">{value}</text>'
    )


def _agent(index: int, row: Row, height: int, at: Callable[[float], float]) -> str:
    """Returns an agent's name, figures and interval, and the band that shows while it is chosen."""
    top, middle = index * _ROW, index * _ROW + 31
    low = 0.0 if row.low is None else at(row.low)
    high = 100.0 if row.high is None else at(row.high)
    shapes = (
        f'<rect class="band" x="{low:.2f}%" y="0" width="{high - low:.2f}%" height="{height}"/>'
        f'<line class="grid" x1="0" x2="100%" y1="{middle}" y2="{middle}"/>'
        f'<line class="interval" x1="{low:.2f}%" x2="{high:.2f}%" y1="{middle}" y2="{middle}"/>'
    )
    if row.rating is not None:
        shapes += f'<circle cx="{at(row.rating):.2f}%" cy="{middle}" r="5"/>'
    if row.low is None:
        shapes += _arrow("0%", middle, "M9,-5L0,0L9,5")
    if row.high is None:
        shapes += _arrow("100%", middle, "M-9,-5L0,0L-9,5")
    interval = row.interval_text and f" ({row.interval_text})"
    brief = f"{row.rating_text}{interval}, wins {row.win_share}%"
    rest = f", {row.score} points, {row.games:,} games"
    name = escape(row.agent)
    return (
        f'<g class="agent" tabindex="0" role="img" aria-label="{name}: {brief}{rest}">'
        f'<rect class="row" x="0" y="{top}" width="100%" height="{_ROW}"/>{shapes}'
        f'<text x="0" y="{top + 18}">{name}</text>'
        f'<text class="rating" x="100%" y="{top + 18}">{row.rating_text}</text>'
        f'<text class="figures" x="100%" y="{top + 18}">{brief}<tspan>{rest}</tspan></text></g>'
    )


def _arrow(place: str, middle: int, path: str) -> str:
    return f'<svg x="{place}" y="{middle}" overflow="visible"><path d="{path}"/></svg>'


def _integer(text: str) -> int | None:
    return int(text) if text else None
