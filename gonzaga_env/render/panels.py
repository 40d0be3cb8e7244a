"""What the pictures of all games have in common: titles, players' panels, points and turns."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Generic, TypeVar

from gonzaga_env.kernel.sentences import third_person
from gonzaga_env.kernel.view import Player, View, player_name
from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import Theme, nth
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Layer,
    Line,
    Paint,
    Point,
    Scene,
    Shape,
    box,
    fitted,
    paragraph,
    text_width,
)

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


PlaceT = TypeVar("PlaceT", bound=Hashable)  # places of a board, such as hexes


@dataclass(frozen=True)
class Choice(Generic[PlaceT]):
    """A choice that an agent considers."""

    text: str  # the choice in words
    value: float  # the agent's value of it; a share from 0 to 1 if it plays by probabilities
    # The places of the board that it is about, such as the hexes that it covers.
    cells: tuple[PlaceT, ...] = ()
    played: bool = False  # whether it was played
    playouts: int | None = None  # how many were spent on it; None if the agent runs none


@dataclass(frozen=True)
class Considering(Generic[PlaceT]):
    """All choices of one position."""

    agent: str  # the agent's name
    unit: str  # what the values count
    choices: tuple[Choice[PlaceT], ...]  # best first; at least one
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

    def heat(self) -> dict[PlaceT, float]:
        """Returns what the agent thinks of each place that a choice is about.

        Of shares, this is the probability of the choices there; of other values, that of the best.
        """
        found: dict[PlaceT, float] = {}
        for choice in self.choices:
            for cell in choice.cells:
                if self.shares:
                    found[cell] = found.get(cell, 0.0) + choice.value
                else:
                    found[cell] = max(found.get(cell, -math.inf), choice.value)
        return found

    def best(self) -> list[tuple[int, Choice[PlaceT]]]:
        """Returns rank and choice of those to mark on the board."""
        least = LEAST_SHARE if self.shares else -math.inf
        ranked = enumerate(self.choices, start=1)
        found = [(rank, one) for rank, one in ranked if one.cells and one.value >= least]
        return found[:NUM_MARKED]


def page_size(board: tuple[float, float], considering: Considering[PlaceT]) -> tuple[int, int]:
    listed = KEY + _KEY_HEIGHT + _ROW * min(NUM_ROWS, len(considering.choices)) + 3 * _MARGIN
    return round(board[0] + WIDTH + _MARGIN), round(max(board[1], listed))


def with_choices(
    scene: Scene,
    left: float,
    view: View,
    considering: Considering[PlaceT],
    stage: str,
    theme: Theme,
) -> Scene:
    """Returns a scene of `page_size` with the choices."""
    panel = Layer(tuple(choices_panel(view, considering, stage, (left, _MARGIN + 6), theme)))
    title = f"What {considering.agent} considers. {scene.title}"
    return replace(scene, title=title, layers=(*scene.layers, panel))


def value_label(
    considering: Considering[PlaceT],
    rank: int,
    choice: Choice[PlaceT],
    at: Point,
    width: float,
    theme: Theme,
) -> Iterator[Shape]:
    """Yields rank and value of a choice, in a box around a point of the board."""
    (x, y), half = at, width / 2
    paint = Paint(fill=theme.on_mark, stroke=theme.mark, width=2)
    yield box(x - half, y - 13, x + half, y + 13, paint)
    text = f"{rank}: {considering.text(choice.value)}"
    yield Label(text, (x, y + 6), 17, theme.mark, bold=True).within(width - 6)


def choices_panel(
    view: View,
    considering: Considering[PlaceT],
    stage: str,
    at: Point,
    theme: Theme,
    about: str = "",
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


def _listed(considering: Considering[PlaceT]) -> Iterator[tuple[int, Choice[PlaceT]]]:
    """Yields rank and choice of the best choices; the last is that played, if not among them."""
    ranked = [*enumerate(considering.choices, start=1)]
    worse = [pair for pair in ranked[NUM_ROWS:] if pair[1].played]
    yield from ranked[: NUM_ROWS - len(worse)]
    yield from worse


def _header(
    view: View, considering: Considering[PlaceT], stage: str, about: str, at: Point, theme: Theme
) -> Iterator[Shape]:
    left, top = at
    title = f"What {considering.agent} considers"
    yield Label(title, (left, top + 30), 30, theme.frame, bold=True, anchor="start").within(WIDTH)
    yield Label(stage, (left, top + 62), 19, theme.ink, anchor="start").within(WIDTH)
    if view.to_act is None:
        return
    player, room = view.players[view.to_act], WIDTH - _NOTE_ROOM
    yield from crest(player.seat, (left + 18, top + 100), 18, theme)
    name = f"for {player_name(player)}"
    size = fitted(name, 21, room - 46)
    yield Label(name, (left + 46, top + 107), size, theme.ink, bold=True, anchor="start")
    about = about or "from what this seat knows"
    yield Label(about, (left, top + 146), 19, theme.ink, anchor="start").within(room)
    unit = f"values: {considering.unit}"
    yield from paragraph(unit, (left, top + 174), 16, theme.muted, room, 3)


def _row(
    considering: Considering[PlaceT],
    choice: Choice[PlaceT],
    rank: int,
    left: float,
    y: float,
    theme: Theme,
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


MARGIN = 40.0
TOP = MARGIN + 92  # below the title
INSET = 24.0  # from a panel's left side to its content
_LEAST_SCALE = 60  # points over the width of a bar, at least


@lru_cache(maxsize=512)
def cached_layer(shapes: tuple[Shape, ...]) -> Layer:
    """Returns a layer, the same one for equal shapes: most moves change few panels."""
    return Layer(shapes)


@lru_cache(maxsize=256)
def drawn_layer(draw: Callable[..., Iterable[Shape]], *values: Hashable) -> Layer:
    """Returns the layer of the shapes of `draw(*values)`, the same one for equal values."""
    return Layer(tuple(draw(*values)))


def title(text: str, note: str, middle: float, baseline: float, theme: Theme) -> Iterator[Shape]:
    size = fitted(text.upper(), 38, 2 * middle - 280)
    paint = theme.frame
    yield Label(text.upper(), (middle, baseline), size, paint, bold=True, spacing=round(size / 5.4))
    if note:
        yield Label(note, (middle, baseline + 25), 17, theme.ink, italic=True)


def viewer_words(view: View) -> str:
    """Returns the viewer in words: a picture of one seat's knowledge must not look complete."""
    if isinstance(view.viewer, int):
        return f"as {player_name(view.players[view.viewer])} sees it"
    return "what lies open" if view.viewer == "public" else "everything is shown"


def turns(
    seats: Sequence[int], to_act: int | None, at: Point, theme: Theme, arrows: bool = True
) -> Iterator[Shape]:
    """Yields the crests of seats in a row, in their order; a dot marks who is to act."""
    x, y = at
    for place, seat in enumerate(seats):
        if seat == to_act:
            yield Circle((x, y), 21, Paint(fill=theme.mark, stroke=theme.on_mark, width=2))
        yield from crest(seat, (x, y), 13, theme)
        x += 62
        if arrows and place < len(seats) - 1:
            arrow = (x - 34, y - 6), (x - 27, y), (x - 34, y + 6)
            yield Line(arrow, Paint(stroke=theme.muted, width=2.4))


def table_head(
    view: View,
    stage: str,
    note: str,
    order: Sequence[int],
    last: str,
    at: Point,
    width: float,
    theme: Theme,
) -> Iterator[Shape]:
    """Yields stage, end, the turn order or who has won, and the last move in words."""
    (left, top), over = at, view.to_act is None
    yield Label(stage, (left, top + 26), 28, theme.frame, bold=True, anchor="start").within(width)
    yield Label(note, (left, top + 56), 19, theme.ink, anchor="start").within(width - 180)
    end = left + width, top + 56
    yield Label(viewer_words(view), end, 15, theme.muted, italic=True, anchor="end")
    shown = [player.seat for player in view.players if player.won] if over else order
    text = "won by" if over else "turn order"
    yield Label(text, (left, top + 96), 17, theme.muted, anchor="start")
    yield from turns(shown, view.to_act, (left + 120, top + 90), theme, arrows=not over)
    yield Label("last", (left, top + 138), 17, theme.muted, anchor="start")
    if view.last is not None:
        yield from crest(view.last.seat, (left + 120, top + 132), 12, theme)
        words = Label(third_person(last), (left + 146, top + 138), 17, theme.ink, anchor="start")
        yield words.within(width - 150)


def key(
    names: Sequence[str], at: Point, step: float, columns: int, theme: Theme
) -> Iterator[Shape]:
    """Yields the key of the players' bars: the colours of the parts, in rows."""
    for i, name in enumerate(names):
        x, y = at[0] + step * (i % columns), at[1] + 26 * (i // columns)
        yield box(x, y - 12, x + 16, y + 4, Paint(fill=nth(theme.sources, i)))
        yield Label(name, (x + 24, y + 2), 17, theme.ink, anchor="start")


def ground(view: View, seat: int, at: Point, size: Point, theme: Theme) -> Iterator[Shape]:
    (left, top), (width, height) = at, size
    if view.to_act == seat:
        halo = Paint(fill=theme.mark, stroke=theme.on_mark, width=1.5)
        yield box(left - 6, top - 6, left + width + 6, top + height + 6, halo)
    paint = Paint(fill=theme.panel, stroke=theme.line, width=1.5)
    yield box(left, top, left + width, top + height, paint)
    yield box(left, top, left + 8, top + height, Paint(fill=nth(theme.players, seat)))


def part_title(text: str, at: Point, theme: Theme) -> Label:
    return Label(text, at, 19, theme.frame, bold=True, anchor="start")


def by_parts(scores: Sequence[int], starts: Sequence[int]) -> tuple[int, ...]:
    """Returns points by part, of points by source; each part is given by its first source."""
    return tuple(sum(scores[start:stop]) for start, stop in pairwise(starts))


def head(
    player: Player, note: str, at: Point, width: float, right: float, theme: Theme
) -> Iterator[Shape]:
    x, y = at
    yield from crest(player.seat, (x + 17, y - 6), 18, theme)
    name = player.name or f"Player {player.seat}"
    size = fitted(name, 24, width - right - 66 - text_width(note, 17))
    yield Label(name, (x + 46, y), size, theme.ink, bold=True, anchor="start")
    after = x + 56 + text_width(name, size)
    yield Label(note, (after, y), 17, theme.muted, italic=True, anchor="start")


def bar(
    view: View, points: Sequence[int], at: Point, width: float, theme: Theme
) -> Iterator[Shape]:
    """Yields a player's points by source, on one scale for all players."""
    x, y = at
    scale = width / max(_LEAST_SCALE, *(other.score for other in view.players))
    yield box(x, y, x + width, y + 24, Paint(fill=theme.paper, stroke=theme.line, width=1))
    for i, number in enumerate(points):
        if not number:
            continue
        paint = Paint(fill=nth(theme.sources, i), stroke=theme.panel)
        yield box(x, y, x + number * scale, y + 24, paint)
        if text_width(str(number), 16) < number * scale:
            middle = x + number * scale / 2
            yield Label(str(number), (middle, y + 18), 16, theme.on_source, bold=True)
        x += number * scale
