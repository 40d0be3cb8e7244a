"""What an agent considers in one position: heat on the map, and its best choices beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gonzaga_env.core.editions.edition import Cell, Edition
from gonzaga_env.core.view.game_view import GameView
from gonzaga_env.render.games import player_name
from gonzaga_env.render.gonzaga.layout import Layout
from gonzaga_env.render.gonzaga.map import MARGIN
from gonzaga_env.render.gonzaga.marks import draw_shape
from gonzaga_env.render.gonzaga.panels import stage_text
from gonzaga_env.render.gonzaga.pieces import outlines
from gonzaga_env.render.gonzaga.scene import (
    PANEL_WIDTH,
    board_layers,
    board_size,
    board_with_pieces,
    game_layout,
)
from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import LIGHT, Theme, mixed, nth
from gonzaga_env.render.shapes import (
    Label,
    Layer,
    Line,
    Paint,
    Point,
    Polygon,
    Scene,
    Shape,
    box,
    fitted,
    paragraph,
)

NUM_ROWS = 14  # choices beside the map, at most
_NUM_OUTLINED = 3
_HEADER, _ROW = 236.0, 84.0
_TEXT = 17.0
_SMALLEST, _LARGEST = 0.28, 0.92  # width of a heated hex's mark, to the hex
_LARGEST_OF_PLANS = 0.5  # a plan heats a whole region, whose name should stay readable
_LEAST_SHARE = 0.005  # smaller ones are specks
_LEAST_BAR = 5.0  # pixels, of what is more than nothing
_SIMULATIONS = 136.0  # pixels beside a bar for their number


@dataclass(frozen=True)
class Choice:
    """A choice that an agent considers.

    Attributes:
        text: the choice in words.
        value: what the agent holds of it; a share from 0 to 1 if it plays by probabilities.
        cells: the hexes that it covers; of a plan, those of its region.
        played: whether it was played.
        simulations: how many were spent on it; None if the agent runs none.
    """

    text: str
    value: float
    cells: tuple[Cell, ...] = ()
    played: bool = False
    simulations: int | None = None


@dataclass(frozen=True)
class Considering:
    """All choices of one position.

    Attributes:
        agent: the agent's name.
        unit: what the values count.
        choices: best first; at least one.
        shares: whether values are probabilities.
    """

    agent: str
    unit: str
    choices: tuple[Choice, ...]
    shares: bool

    def text(self, value: float) -> str:
        """Returns a value in words, with as many digits as the largest needs."""
        if self.shares:
            return f"{100 * value:.0f} %" if value >= _LEAST_SHARE or value == 0 else "< 1 %"
        digits = 3 if max(abs(choice.value) for choice in self.choices) <= 1 else 1
        return f"{value:.{digits}f}".replace("-", "\u2212")

    @property
    def lowest(self) -> float:
        """The value at which bars and heat begin: 0, or less if a choice is worth less."""
        return min(0.0, *(choice.value for choice in self.choices))

    def heat(self) -> dict[Cell, float]:
        """Returns what the agent thinks of each hex that a choice covers.

        Of shares, this is the probability that the agent covers the hex; of other values, that of
        the best choice that covers it.
        """
        found: dict[Cell, float] = {}
        for choice in self.choices:
            for cell in choice.cells:
                if self.shares:
                    found[cell] = found.get(cell, 0.0) + choice.value
                else:
                    found[cell] = max(found.get(cell, -math.inf), choice.value)
        return found


def choices_scene(
    edition: Edition, view: GameView, considering: Considering, theme: Theme = LIGHT
) -> Scene:
    """Returns the scene of what an agent considers.

    Hexes bear the more heat the more the agent thinks of them, by size and colour of their mark.
    The best placements are outlined and numbered as in the list beside the map.

    The view is that of the seat to act, before the move.
    """
    width, height = board_size(edition)
    page_size = round(width + PANEL_WIDTH + MARGIN), height
    view = replace(view, last=None)  # its mark would pass for one of the choices
    board = board_layers(edition, view.inactive, theme, page_size)
    layout = game_layout(edition)
    marked = _best(considering) if view.stage == "placing" else []
    # Heat lies below the names of regions, which stay readable.
    heat = Layer(tuple(_heat(considering, view, layout, theme)))
    outlined = Layer(tuple(_outlined(marked, layout, theme)))
    layers = (
        *board_with_pieces(board, edition, view, theme, (heat,), (outlined,)),
        Layer(tuple(_numbers(considering, marked, layout, theme))),
        Layer(tuple(_panel(edition, view, considering, (width, MARGIN + 6), theme))),
    )
    title = f"Gonzaga: what {considering.agent} considers. {stage_text(view)}"
    return Scene(*page_size, title, layers)


def _best(considering: Considering) -> list[tuple[int, Choice]]:
    """Returns rank and choice of the placements to outline."""
    least = _LEAST_SHARE if considering.shares else -math.inf
    ranked = enumerate(considering.choices, start=1)
    found = [(rank, choice) for rank, choice in ranked if choice.cells and choice.value >= least]
    return found[:_NUM_OUTLINED]


def _heat(
    considering: Considering, view: GameView, layout: Layout, theme: Theme
) -> Iterator[Shape]:
    planning = view.stage == "planning"
    held = {cell for fief in view.fiefs for cell in fief.cells} if planning else set()
    low, largest = considering.lowest, _LARGEST_OF_PLANS if planning else _LARGEST
    found = considering.heat()
    high = max(found.values(), default=low)
    for cell, value in found.items():
        if cell in held or (considering.shares and value < _LEAST_SHARE):
            continue
        part = (value - low) / (high - low) if high > low else 1.0
        yield _heated(layout.corners(cell, _size(part, largest)), part, theme)


def _size(part: float, largest: float = _LARGEST) -> float:
    return _SMALLEST + (largest - _SMALLEST) * math.sqrt(part)  # so that the area grows with it


def _heated(corners: tuple[Point, ...], part: float, theme: Theme) -> Polygon:
    fill = mixed(theme.panel, theme.heat, 0.15 + 0.85 * part)
    return Polygon(corners, Paint(fill=fill, stroke=theme.panel, width=1))


def _outlined(
    marked: Sequence[tuple[int, Choice]], layout: Layout, theme: Theme
) -> Iterator[Shape]:
    """Yields outlines of the best placements, the very best unbroken and on top."""
    for rank, choice in reversed(marked):
        for line in outlines(layout, choice.cells):
            yield Line(line, Paint(stroke=theme.on_mark, width=10))
            dash = () if rank == marked[0][0] else (16.0, 12.0)
            yield Line(line, Paint(stroke=theme.mark, width=6, dash=dash))


def _numbers(
    considering: Considering, marked: Sequence[tuple[int, Choice]], layout: Layout, theme: Theme
) -> Iterator[Shape]:
    """Yields number and value of the best placements, each on a hex that has none yet."""
    taken: set[Cell] = set()
    for rank, choice in marked:
        cell = next((cell for cell in choice.cells if cell not in taken), None)
        if cell is None:
            continue
        taken.add(cell)
        x, y = layout.center(cell)
        top, half = y - 0.5 * layout.hex_width, 0.44 * layout.hex_width
        paint = Paint(fill=theme.on_mark, stroke=theme.mark, width=2)
        yield box(x - half, top - 13, x + half, top + 13, paint)
        text = f"{rank}: {considering.text(choice.value)}"
        size = fitted(text, 17, 2 * half - 6)
        yield Label(text, (x, top + 6), size, theme.mark, bold=True)


def _panel(
    edition: Edition, view: GameView, considering: Considering, at: Point, theme: Theme
) -> Iterator[Shape]:
    left, top = at
    yield from _header(edition, view, considering, left, top, theme)
    y = top + _HEADER
    yield from _key(considering, view, left, y, theme)
    y += 62
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
    edition: Edition,
    view: GameView,
    considering: Considering,
    left: float,
    top: float,
    theme: Theme,
) -> Iterator[Shape]:
    """Yields who considers what."""
    title = f"What {considering.agent} considers"
    size = fitted(title, 30, PANEL_WIDTH)
    yield Label(title, (left, top + 30), size, theme.frame, bold=True, anchor="start")
    stage = f"{stage_text(view)} · {view.scenario}"
    yield Label(stage, (left, top + 62), 19, theme.ink, anchor="start")
    if view.to_act is None:
        return
    player = view.players[view.to_act]
    yield from crest(player.seat, (left + 18, top + 100), 18, theme)
    name = f"for {player_name(player)}"
    room = PANEL_WIDTH - 150
    size = fitted(name, 21, room - 46)
    yield Label(name, (left + 46, top + 107), size, theme.ink, bold=True, anchor="start")
    plan = "plans, from what this seat knows" if player.plan is None else player.plan.words
    yield Label(plan, (left, top + 146), fitted(plan, 19, room), theme.ink, anchor="start")
    unit = f"values: {considering.unit}"
    yield from paragraph(unit, (left, top + 174), 16, theme.muted, room, 3)
    if player.fief is not None:
        color = nth(theme.players, player.seat)
        at = left + PANEL_WIDTH - 70, top + 130
        fief = edition.fiefs[player.fief - 1]
        yield from draw_shape(fief, at, 34, color, theme.on_piece, theme.on_piece, color)
        yield Label(f"fief {player.fief}", (at[0], at[1] + 70), 15, theme.muted)


def _key(
    considering: Considering, view: GameView, left: float, y: float, theme: Theme
) -> Iterator[Shape]:
    """Yields the key of the heat, from the least to the most."""
    found = considering.heat()
    if not found:
        return
    high = max(found.values())
    layout = Layout(34, left, y, 1, 5)
    for i in range(5):
        yield _heated(layout.corners((0, i), _size(i / 4)), i / 4, theme)
    text = f"{considering.text(considering.lowest)} to {considering.text(high)}"
    yield Label(text, (left + 186, y + 16), _TEXT, theme.ink, bold=True, anchor="start")
    planning = view.stage == "planning"
    if considering.shares:
        what = "of planning the region" if planning else "of covering the hex"
        what = f"probability {what}"
    else:
        what = f"best {'plan for the region' if planning else 'choice on the hex'}"
    yield Label(what, (left + 186, y + 37), _TEXT, theme.ink, anchor="start")


def _row(
    considering: Considering, choice: Choice, rank: int, left: float, y: float, theme: Theme
) -> Iterator[Shape]:
    """Yields a choice: number, words, value and a bar."""
    if choice.played:
        yield box(left - 8, y - 4, left + PANEL_WIDTH, y + _ROW - 8, Paint(fill=theme.line))
    right = left + PANEL_WIDTH - 10
    yield Label(f"{rank}", (left + 26, y + 18), _TEXT, theme.muted, bold=True, anchor="end")
    value = considering.text(choice.value)
    yield Label(value, (right, y + 18), 19, theme.ink, bold=True, anchor="end")
    yield from paragraph(choice.text, (left + 36, y + 18), 15.5, theme.ink, PANEL_WIDTH - 118, 2)
    low, best = considering.lowest, max(other.value for other in considering.choices)
    start, length, bar = left + 36, right - left - 36, y + 50
    if choice.simulations is not None:
        length -= _SIMULATIONS
        spent = f"{choice.simulations} simulation{'s' * (choice.simulations != 1)}"
        size = fitted(spent, 15, _SIMULATIONS - 8)
        yield Label(spent, (right, bar + 12), size, theme.muted, anchor="end")
    yield box(start, bar, start + length, bar + 14, Paint(fill=theme.panel, stroke=theme.line))
    part = (choice.value - low) / (best - low) if best > low else 1.0
    if part:
        end = start + max(_LEAST_BAR, part * length)
        yield box(start, bar, end, bar + 14, Paint(fill=theme.heat))
    if choice.played:
        yield Label("played", (right, y + 40), _TEXT, theme.ink, italic=True, anchor="end")
