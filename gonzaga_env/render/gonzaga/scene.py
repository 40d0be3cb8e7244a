"""A game as a scene: the map with its pieces, and the panels beside it.

Layers, lowest first: the ground (paper, terrain, frame, title, legend and coordinates), fiefs, the
mark of the last move, marks of the sites, rings, names of the sites, panels. Only fiefs, rings and
panels change from one picture to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gonzaga_env.core.board.edition import Cell, Edition
from gonzaga_env.core.view.game_view import GameView, PlacedFief, PlacedRing
from gonzaga_env.render.gonzaga.layout import Layout
from gonzaga_env.render.gonzaga.map import (
    LEGEND_GAP,
    MARGIN,
    TITLE_HEIGHT,
    PrintedMap,
    board_layout,
    map_size,
    printed_map,
)
from gonzaga_env.render.gonzaga.panels import (
    HEADER_HEIGHT,
    PANEL_HEIGHT,
    PANEL_WIDTH,
    header,
    player_panel,
    stage_text,
)
from gonzaga_env.render.gonzaga.pieces import draw_fief, draw_mark, draw_ring, draw_wanted
from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.panels import kept
from gonzaga_env.render.shapes import Layer, Scene

_LEFT, _GAP = 58.0, 22.0
# The columns' numbers lie between title and map, and between map and legend.
_TOP, _BELOW = MARGIN + TITLE_HEIGHT + 20, 20


def game_scene(
    edition: Edition, view: GameView, theme: Theme = LIGHT, show_coordinates: bool = True
) -> Scene:
    """Returns the scene of a game."""
    layout = game_layout(edition)
    panels_left = layout.left + layout.width + _LEFT
    width = round(panels_left + PANEL_WIDTH + MARGIN)
    bottom = MARGIN + 6 + HEADER_HEIGHT + len(view.players) * (PANEL_HEIGHT + _GAP)
    height = max(round(map_size(layout)[1] + _BELOW), round(bottom + MARGIN))
    board = board_layers(edition, view.inactive, theme, (width, height), show_coordinates)
    layers = (
        *board_with_pieces(board, edition, view, theme),
        *_panels(edition, view, panels_left, theme),
    )
    title = f"Gonzaga: {view.edition}, scenario {view.scenario}. {stage_text(view)}"
    return Scene(width, height, title, layers)


def board_scene(edition: Edition, view: GameView, theme: Theme = LIGHT) -> Scene:
    """Returns the scene of a game's board alone, for pages that show the players by other means."""
    board = board_layers(edition, view.inactive, theme)
    layers = board_with_pieces(board, edition, view, theme)
    width, height = board_size(edition)
    return Scene(width, height, f"Gonzaga: {view.edition}, scenario {view.scenario}", layers)


def board_layers(
    edition: Edition,
    inactive: tuple[str, ...],
    theme: Theme = LIGHT,
    size: tuple[int, int] | None = None,
    show_coordinates: bool = True,
) -> PrintedMap:
    """Returns what stays the same of a board: of an edition with some regions inactive."""
    layout, gap = game_layout(edition), LEGEND_GAP + _BELOW
    size = size or board_size(edition)
    return printed_map(edition, layout, size, theme, inactive, gap, show_coordinates)


def board_size(edition: Edition) -> tuple[int, int]:
    """Returns width and height of `board_scene` in pixels."""
    layout = game_layout(edition)
    return round(layout.left + layout.width + _LEFT), round(map_size(layout)[1] + _BELOW)


def board_with_pieces(
    board: PrintedMap,
    edition: Edition,
    view: GameView,
    theme: Theme,
    on_ground: tuple[Layer, ...] = (),
    on_fiefs: tuple[Layer, ...] = (),
) -> tuple[Layer, ...]:
    """Returns a board and the pieces that a viewer sees, and layers to put between them."""
    fiefs = (fief_layer(edition, fief, theme) for fief in view.fiefs)
    rings = (ring_layer(edition, ring, theme) for ring in view.rings)
    below = board.ground, *on_ground, board.lines, *fiefs, mark_layer(edition, view, theme)
    above = board.marks, wanted_layer(edition, view, theme), *rings, board.names
    return (*below, *on_fiefs, *above)


def game_layout(edition: Edition) -> Layout:
    """Returns the positions of the hexes in `game_scene` and `board_scene`, in pixels."""
    return board_layout(edition, _LEFT, _TOP)


@lru_cache(maxsize=8)
def _site_cells(edition: Edition) -> frozenset[Cell]:
    return frozenset(site.at for site in (*edition.cities, *edition.harbors))


@lru_cache(maxsize=1024)  # a fief stays where it is (R4.6)
def fief_layer(edition: Edition, fief: PlacedFief, theme: Theme) -> Layer:
    """Returns a fief, the same layer for equal fiefs as long as it is kept."""
    layout = game_layout(edition)
    return Layer(tuple(draw_fief(layout, fief, theme, _site_cells(edition))))


@lru_cache(maxsize=1024)
def ring_layer(edition: Edition, ring: PlacedRing, theme: Theme) -> Layer:
    """Returns a ring, the same layer for equal rings as long as it is kept."""
    return Layer(tuple(draw_ring(game_layout(edition), ring, theme)))


def mark_layer(edition: Edition, view: GameView, theme: Theme) -> Layer:
    """Returns the mark of the last move; nothing if there is none."""
    cells = () if view.last is None else view.last.cells
    return Layer(tuple(draw_mark(game_layout(edition), cells, theme)) if cells else ())


def wanted_layer(edition: Edition, view: GameView, theme: Theme) -> Layer:
    """Returns the marks of the cities of the viewer's own objective; nothing for spectators."""
    own = view.players[view.viewer].objective if isinstance(view.viewer, int) else None
    return _wanted(edition, () if own is None else own.symbols, game_layout(edition), theme)


@lru_cache(maxsize=128)
def _wanted(edition: Edition, symbols: tuple[str, ...], layout: Layout, theme: Theme) -> Layer:
    """Returns the marks of an objective's cities."""
    cities = [city.at for city in edition.cities if city.group in symbols]
    return Layer(tuple(shape for at in cities for shape in draw_wanted(layout, at, theme)))


def _panels(edition: Edition, view: GameView, left: float, theme: Theme) -> Iterator[Layer]:
    top = MARGIN + 6
    yield kept(tuple(header(view, (left, top), PANEL_WIDTH, theme)))
    for seat in range(len(view.players)):
        at = left, top + HEADER_HEIGHT + seat * (PANEL_HEIGHT + _GAP)
        yield kept(tuple(player_panel(edition, view, seat, at, theme)))
