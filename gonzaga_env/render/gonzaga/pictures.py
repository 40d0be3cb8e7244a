"""The pictures of Gonzaga: of a game, of an edition, and of what an agent considers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from gonzaga_env.core.board.actions import NUM_PLANS, plan_cards
from gonzaga_env.core.edition import Barrier, Cell, Edition, Site, offset_neighbors
from gonzaga_env.core.editions.validate import MAX_HEXES, OFF_MAP
from gonzaga_env.core.spec import SPEC
from gonzaga_env.core.state import current_fiefs
from gonzaga_env.core.view import GameView
from gonzaga_env.kernel.batch import AnyEngine
from gonzaga_env.render.gonzaga.map import MARGIN, draw_shape, edition_scene
from gonzaga_env.render.gonzaga.pieces import Layout, outlines
from gonzaga_env.render.gonzaga.table import (
    PANEL_HEIGHT,
    PANEL_WIDTH,
    board_layers,
    board_scene,
    board_size,
    board_with_pieces,
    game_layout,
    game_scene,
    player_panel,
    sites_text,
    stage_text,
)
from gonzaga_env.render.gonzaga.text import draw_text
from gonzaga_env.render.palette import LIGHT, Theme, mixed, nth
from gonzaga_env.render.panels import (
    KEY,
    LEAST_SHARE,
    Choice,
    Considering,
    choices_panel,
    value_label,
)
from gonzaga_env.render.pictures import GamePictures
from gonzaga_env.render.shapes import Label, Layer, Line, Paint, Point, Polygon, Scene, Shape

_TEXT = 17.0
_SMALLEST, _LARGEST = 0.28, 0.92  # width of a heated hex's mark, to the hex
_LARGEST_OF_PLANS = 0.5  # a plan heats a whole region, whose name should stay readable


def choices_scene(
    edition: Edition, view: GameView, considering: Considering[Cell], theme: Theme = LIGHT
) -> Scene:
    """Returns the scene of what an agent considers; hexes bear heat, by size and colour of a mark.

    The best placements are outlined and numbered as in the list beside the map. The view is that
    of the seat to act, before the move.
    """
    width, height = board_size(edition)
    page_size = round(width + PANEL_WIDTH + MARGIN), height
    view = replace(view, last=None)  # its mark would pass for one of the choices
    board = board_layers(edition, view.inactive, theme, page_size)
    layout = game_layout(edition)
    marked = considering.best() if view.decision == "place" else []
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


def choice_marks(
    edition: Edition, view: GameView, considering: Considering[Cell], theme: Theme
) -> Iterator[Shape]:
    """Yields outlines and numbers of the best choices: placements, or the regions of plans."""
    layout, marked = game_layout(edition), considering.best()
    yield from _outlined(marked, layout, theme)
    yield from _numbers(considering, marked, layout, theme)


def _heat(
    considering: Considering[Cell], view: GameView, layout: Layout, theme: Theme
) -> Iterator[Shape]:
    planning = view.decision == "plan"
    held = {cell for fief in view.fiefs for cell in fief.cells} if planning else set()
    low, largest = considering.lowest, _LARGEST_OF_PLANS if planning else _LARGEST
    found = considering.heat()
    high = max(found.values(), default=low)
    for cell, value in found.items():
        if cell in held or (considering.shares and value < LEAST_SHARE):
            continue
        part = (value - low) / (high - low) if high > low else 1.0
        yield _heated(layout.corners(cell, _size(part, largest)), part, theme)


def _size(part: float, largest: float = _LARGEST) -> float:
    return _SMALLEST + (largest - _SMALLEST) * math.sqrt(part)  # so that the area grows with it


def _heated(corners: tuple[Point, ...], part: float, theme: Theme) -> Polygon:
    fill = mixed(theme.panel, theme.heat, 0.15 + 0.85 * part)
    return Polygon(corners, Paint(fill=fill, stroke=theme.panel, width=1))


def _outlined(
    marked: Sequence[tuple[int, Choice[Cell]]], layout: Layout, theme: Theme
) -> Iterator[Shape]:
    """Yields outlines of the best placements, the very best unbroken and on top."""
    for rank, choice in reversed(marked):
        for line in outlines(layout, choice.cells):
            yield Line(line, Paint(stroke=theme.on_mark, width=10))
            dash = () if rank == marked[0][0] else (16.0, 12.0)
            yield Line(line, Paint(stroke=theme.mark, width=6, dash=dash))


def _numbers(
    considering: Considering[Cell],
    marked: Sequence[tuple[int, Choice[Cell]]],
    layout: Layout,
    theme: Theme,
) -> Iterator[Shape]:
    """Yields number and value of the best placements, each on a hex that has none yet."""
    taken: set[Cell] = set()
    for rank, choice in marked:
        cell = next((cell for cell in choice.cells if cell not in taken), None)
        if cell is None:
            continue
        taken.add(cell)
        x, y = layout.center(cell)
        at, width = (x, y - 0.5 * layout.hex_width), 0.88 * layout.hex_width
        yield from value_label(considering, rank, choice, at, width, theme)


def _panel(
    edition: Edition, view: GameView, considering: Considering[Cell], at: Point, theme: Theme
) -> Iterator[Shape]:
    left, top = at
    player = None if view.to_act is None else view.players[view.to_act]
    plan = None if player is None else player.plan
    about = "plans, from what this seat knows" if plan is None else plan.words
    stage = f"{stage_text(view)} · {view.scenario}"
    yield from choices_panel(view, considering, stage, at, theme, about)
    yield from _key(considering, view, left, top + KEY, theme)
    if player is not None and player.fief is not None:
        color = nth(theme.players, player.seat)
        at = left + PANEL_WIDTH - 70, top + 130
        fief = edition.fiefs[player.fief - 1]
        yield from draw_shape(fief, at, 34, color, theme.on_piece, theme.on_piece, color)
        yield Label(f"fief {player.fief}", (at[0], at[1] + 70), 15, theme.muted)


def _key(
    considering: Considering[Cell], view: GameView, left: float, y: float, theme: Theme
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
    planning = view.decision == "plan"
    if considering.shares:
        what = "of planning the region" if planning else "of covering the hex"
        what = f"probability {what}"
    else:
        what = f"best {'plan for the region' if planning else 'choice on the hex'}"
    yield Label(what, (left + 186, y + 37), _TEXT, theme.ink, anchor="start")


def covered(engine: AnyEngine, view: GameView, action: int) -> tuple[Cell, ...]:
    """Returns the hexes that a placement covers, or those of a plan's region."""
    edition: Edition = engine.config.edition
    tables, cells = engine.config.tables, edition.grid.cells
    if action == tables.actions.donate:
        return ()
    if action < NUM_PLANS:
        name = tables.actions.region_names[plan_cards(action)[0]]
        regions = view.inactive if name not in view.flourishing else (name,)
        return tuple(c for c in cells if edition.regions.get(edition.mark(c)) in regions)
    fief = int(current_fiefs(engine.state)[0, engine.seats[0]])
    row = int(tables.placements.row(fief, action - NUM_PLANS))
    hexes = np.asarray(tables.placements.cells[row])
    return tuple(cells[i] for i in hexes[hexes < tables.num_hexes].tolist())


class GonzagaPictures(GamePictures[Edition, GameView, Cell]):
    """The pictures of Gonzaga; places are hexes."""

    panel_size = PANEL_WIDTH, PANEL_HEIGHT
    plies = 2
    stage = staticmethod(stage_text)
    note = staticmethod(sites_text)
    text = staticmethod(draw_text)
    scene = staticmethod(game_scene)
    board = staticmethod(board_scene)
    panel = staticmethod(player_panel)
    edition_scene = staticmethod(edition_scene)
    choices = staticmethod(choices_scene)
    covered = staticmethod(covered)
    marks = staticmethod(choice_marks)

    def name(self, view: GameView) -> str:
        return view.scenario

    def played(self, view: GameView) -> str:
        inactive = f"; inactive: {', '.join(view.inactive)}" if view.inactive else ""
        return f"Scenario {view.scenario}{inactive}"

    def skipped(self, before: GameView, after: GameView) -> bool:
        """Returns whether a plan stays sealed: a round's plans are one picture, when revealed."""
        return before.decision == after.decision == "plan" and before.round == after.round


PICTURES = GonzagaPictures(SPEC)


def drawable(edition: Edition) -> Edition | None:
    """Returns an edition without the faults that a drawing cannot show; None if no map is left.

    Hexes with an undefined mark, sites off the map, barrier edges that are not sides between two
    hexes of the map, fiefs without cells and castles on no cell are left out. An edition without
    faults stays the same.
    """
    known = edition.regions.keys() | edition.seas.keys()
    marks = tuple(tuple(m if m in known else OFF_MAP for m in row) for row in edition.marks)
    used = {mark for row in marks for mark in row}
    cleaned = replace(
        edition,
        marks=marks,
        regions={mark: name for mark, name in edition.regions.items() if mark in used},
        seas={mark: name for mark, name in edition.seas.items() if mark in used},
    )
    if not 0 < len(cleaned.grid) <= MAX_HEXES:
        return None
    return replace(
        cleaned,
        cities=_on_map(cleaned, edition.cities),
        harbors=_on_map(cleaned, edition.harbors),
        barriers=tuple(_sides_only(cleaned, barrier) for barrier in edition.barriers),
        fiefs=tuple(
            replace(fief, castles=tuple(i for i in fief.castles if 0 <= i < len(fief.cells)))
            for fief in edition.fiefs
            if fief.cells
        ),
    )


def _on_map(edition: Edition, sites: tuple[Site, ...]) -> tuple[Site, ...]:
    on_map = (site for site in sites if site.at in edition.grid.index)
    return tuple(replace(site, name=site.name or "?") for site in on_map)


def _sides_only(edition: Edition, barrier: Barrier) -> Barrier:
    index = edition.grid.index
    sides = (
        (one, other)
        for one, other in barrier.edges
        if one in index and other in index and other in offset_neighbors(*one)
    )
    return replace(barrier, edges=tuple(sides))
