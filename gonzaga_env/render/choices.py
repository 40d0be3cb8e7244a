"""What an agent considers in one position: its best choices beside the picture of any game."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.shapes import (
    Label,
    Layer,
    Paint,
    Point,
    Scene,
    Shape,
    box,
    fitted,
    paragraph,
)
from gonzaga_env.tabletop.records.log import called

WIDTH = 500.0  # of the panel
NUM_ROWS = 14  # choices in it, at most
KEY = 236.0  # pixels from its top to the key of what is marked on the board
LEAST_SHARE = 0.005  # smaller ones are specks
NUM_MARKED = 3  # choices marked on the board
_KEY_HEIGHT, _ROW = 62.0, 84.0
_TEXT = 17.0
_MARGIN = 40.0
_LEAST_BAR = 5.0  # pixels of the shortest bar for a positive value
_PLAYOUTS = 136.0  # pixels beside a bar for their number
_NOTE_ROOM = 150.0  # pixels beside the header for a game's own picture


@dataclass(frozen=True)
class Choice:
    """A choice that an agent considers."""

    text: str  # the choice in words
    value: float  # what the agent holds of it; a share from 0 to 1 if it plays by probabilities
    # The places of the board that it is about, such as the hexes that it covers.
    cells: tuple[Any, ...] = ()
    played: bool = False  # whether it was played
    playouts: int | None = None  # how many were spent on it; None if the agent runs none


@dataclass(frozen=True)
class Considering:
    """All choices of one position."""

    agent: str  # the agent's name
    unit: str  # what the values count
    choices: tuple[Choice, ...]  # best first; at least one
    shares: bool  # whether values are probabilities

    def text(self, value: float) -> str:
        """Returns a value in words, with as many digits as the largest needs."""
        if self.shares:
            return f"{100 * value:.0f} %" if value >= LEAST_SHARE or value == 0 else "< 1 %"
        digits = 3 if max(abs(choice.value) for choice in self.choices) <= 1 else 1
        return f"{value:.{digits}f}".replace("-", "\u2212")

    @property
    def lowest(self) -> float:
        """The value at which bars and heat begin: 0, or less if a choice is worth less."""
        return min(0.0, *(choice.value for choice in self.choices))

    def heat(self) -> dict[Any, float]:
        """Returns what the agent thinks of each place that a choice is about.

        Of shares, this is the probability of the choices there; of other values, that of the best.
        """
        found: dict[Any, float] = {}
        for choice in self.choices:
            for cell in choice.cells:
                if self.shares:
                    found[cell] = found.get(cell, 0.0) + choice.value
                else:
                    found[cell] = max(found.get(cell, -math.inf), choice.value)
        return found

    def best(self) -> list[tuple[int, Choice]]:
        """Returns rank and choice of those to mark on the board."""
        least = LEAST_SHARE if self.shares else -math.inf
        ranked = enumerate(self.choices, start=1)
        found = [(rank, one) for rank, one in ranked if one.cells and one.value >= least]
        return found[:NUM_MARKED]


def page_size(board: tuple[float, float], considering: Considering) -> tuple[int, int]:
    """Returns width and height of a page with a board and the choices at its right."""
    listed = KEY + _KEY_HEIGHT + _ROW * min(NUM_ROWS, len(considering.choices)) + 3 * _MARGIN
    return round(board[0] + WIDTH + _MARGIN), round(max(board[1], listed))


def with_choices(
    scene: Scene, left: float, view: Any, considering: Considering, stage: str, theme: Theme
) -> Scene:
    """Returns a scene of `page_size` with the choices."""
    panel = Layer(tuple(choices_panel(view, considering, stage, (left, _MARGIN + 6), theme)))
    title = f"What {considering.agent} considers. {scene.title}"
    return replace(scene, title=title, layers=(*scene.layers, panel))


def value_label(
    considering: Considering, rank: int, choice: Choice, at: Point, width: float, theme: Theme
) -> Iterator[Shape]:
    """Yields rank and value of a choice, in a box around a point of the board."""
    (x, y), half = at, width / 2
    paint = Paint(fill=theme.on_mark, stroke=theme.mark, width=2)
    yield box(x - half, y - 13, x + half, y + 13, paint)
    text = f"{rank}: {considering.text(choice.value)}"
    yield Label(text, (x, y + 6), 17, theme.mark, bold=True).within(width - 6)


def choices_panel(
    view: Any, considering: Considering, stage: str, at: Point, theme: Theme, about: str = ""
) -> Iterator[Shape]:
    """Yields who considers what, and the best choices as bars, `WIDTH` wide."""
    left, top = at
    yield from _header(view, considering, stage, about, at, theme)
    y = top + KEY + _KEY_HEIGHT
    listed = [*_listed(considering)]
    for rank, choice in listed:
        yield from _row(considering, choice, rank, left, y, theme)
        y += _ROW
    ranks = {rank for rank, _ in listed}
    rest = [c for rank, c in enumerate(considering.choices, start=1) if rank not in ranks]
    if rest:
        text = f"and {len(rest)} more"
        if considering.shares:
            text += f", {considering.text(sum(choice.value for choice in rest))} in all"
        yield Label(text, (left, y + 18), _TEXT, theme.muted, italic=True, anchor="start")


def _listed(considering: Considering) -> Iterator[tuple[int, Choice]]:
    """Yields rank and choice of the best choices; the last is that played, if not among them."""
    ranked = [*enumerate(considering.choices, start=1)]
    worse = [pair for pair in ranked[NUM_ROWS:] if pair[1].played]
    yield from ranked[: NUM_ROWS - len(worse)]
    yield from worse


def _header(
    view: Any, considering: Considering, stage: str, about: str, at: Point, theme: Theme
) -> Iterator[Shape]:
    left, top = at
    title = f"What {considering.agent} considers"
    yield Label(title, (left, top + 30), 30, theme.frame, bold=True, anchor="start").within(WIDTH)
    yield Label(stage, (left, top + 62), 19, theme.ink, anchor="start").within(WIDTH)
    if view.to_act is None:
        return
    player, room = view.players[view.to_act], WIDTH - _NOTE_ROOM
    yield from crest(player.seat, (left + 18, top + 100), 18, theme)
    name = f"for {called(player)}"
    size = fitted(name, 21, room - 46)
    yield Label(name, (left + 46, top + 107), size, theme.ink, bold=True, anchor="start")
    about = about or "from what this seat knows"
    yield Label(about, (left, top + 146), 19, theme.ink, anchor="start").within(room)
    unit = f"values: {considering.unit}"
    yield from paragraph(unit, (left, top + 174), 16, theme.muted, room, 3)


def _row(
    considering: Considering, choice: Choice, rank: int, left: float, y: float, theme: Theme
) -> Iterator[Shape]:
    """Yields a choice: number, words, value and a bar."""
    if choice.played:
        yield box(left - 8, y - 4, left + WIDTH, y + _ROW - 8, Paint(fill=theme.line))
    right = left + WIDTH - 10
    yield Label(f"{rank}", (left + 26, y + 18), _TEXT, theme.muted, bold=True, anchor="end")
    value = considering.text(choice.value)
    yield Label(value, (right, y + 18), 19, theme.ink, bold=True, anchor="end")
    yield from paragraph(choice.text, (left + 36, y + 18), 15.5, theme.ink, WIDTH - 118, 2)
    low, best = considering.lowest, max(other.value for other in considering.choices)
    start, length, bar = left + 36, right - left - 36, y + 50
    if choice.playouts is not None:
        length -= _PLAYOUTS
        spent = f"{choice.playouts} playout{'s' * (choice.playouts != 1)}"
        yield Label(spent, (right, bar + 12), 15, theme.muted, anchor="end").within(_PLAYOUTS - 8)
    yield box(start, bar, start + length, bar + 14, Paint(fill=theme.panel, stroke=theme.line))
    part = (choice.value - low) / (best - low) if best > low else 1.0
    if part:
        end = start + max(_LEAST_BAR, part * length)
        yield box(start, bar, end, bar + 14, Paint(fill=theme.heat))
    if choice.played:
        yield Label("played", (right, y + 40), _TEXT, theme.ink, italic=True, anchor="end")
