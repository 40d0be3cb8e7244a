"""A game as a scene: the map with its pieces, and the panels beside it.

Layers, lowest first: the ground (paper, terrain, frame, title, legend and coordinates), fiefs, the
mark of the last move, marks of the sites, rings, names of the sites, panels. Only fiefs, rings and
panels change from one picture to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gonzaga_env.core.edition import Cell, Edition
from gonzaga_env.core.view.game_view import GameView, PlacedFief, PlacedRing
from gonzaga_env.render.game.coordinates import coordinates
from gonzaga_env.render.game.header import HEADER_HEIGHT, header
from gonzaga_env.render.game.pieces import draw_fief, draw_mark, draw_ring, draw_wanted
from gonzaga_env.render.game.player import PANEL_HEIGHT, player_panel
from gonzaga_env.render.game.words import stage_text
from gonzaga_env.render.map.layout import Layout
from gonzaga_env.render.map.scene import (
    LEGEND_GAP,
    MARGIN,
    TITLE_HEIGHT,
    PrintedMap,
    board_layout,
    map_size,
    page,
    printed_map,
)
from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.shapes import Layer, Scene, Shape

PANEL_WIDTH = 500.0
_LEFT, _GAP = 58.0, 22.0
# The columns' numbers lie between title and map, and between map and legend.
_TOP, _BELOW = MARGIN + TITLE_HEIGHT + 20, 20


def game_scene(
    edition: Edition, view: GameView, theme: Theme = LIGHT, show_coordinates: bool = True
) -> Scene:
    """Returns the scene of a game.

    Args:
        edition: the edition that is played.
        view: the game, as its viewer may see it.
        theme: the colours.
        show_coordinates: whether rows and columns are numbered along the edges of the map.
    """
    layout = game_layout(edition)
    panels_left = layout.left + layout.width + _LEFT
    width = round(panels_left + PANEL_WIDTH + MARGIN)
    height = max(map_size(layout)[1] + _BELOW, round(_panels_bottom(len(view.players)) + MARGIN))
    printed = printed_map(edition, layout, theme, view.inactive, LEGEND_GAP + _BELOW)
    layers = (
        _ground(printed, width, height, layout if show_coordinates else None, theme),
        *(_fief(edition, fief, layout, theme) for fief in view.fiefs),
        Layer(tuple(_mark(view, layout, theme))),
        printed.marks,
        _wanted(edition, _own_objective(view), layout, theme),
        *(_ring(ring, layout, theme) for ring in view.rings),
        printed.names,
        *_panels(edition, view, panels_left, theme),
    )
    title = f"Gonzaga: {view.edition}, scenario {view.scenario}. {stage_text(view)}"
    return Scene(width, height, title, layers)


def game_layout(edition: Edition) -> Layout:
    """Returns the positions of the hexes in `game_scene`, in pixels."""
    return board_layout(edition, _LEFT, _TOP)


@lru_cache(maxsize=16)
def _ground(
    printed: PrintedMap, width: float, height: float, layout: Layout | None, theme: Theme
) -> Layer:
    """Returns all that lies under the pieces, or beside them; coordinates if a layout is given."""
    paper, frame = page(width, height, theme)
    around = (paper, printed.terrain, frame, printed.around)
    edges = () if layout is None else tuple(coordinates(layout, theme))
    return Layer((*(shape for layer in around for shape in layer.shapes), *edges))


@lru_cache(maxsize=8)
def _site_cells(edition: Edition) -> frozenset[Cell]:
    return frozenset(site.at for site in (*edition.cities, *edition.harbors))


@lru_cache(maxsize=1024)  # a fief stays where it is (R4.6)
def _fief(edition: Edition, fief: PlacedFief, layout: Layout, theme: Theme) -> Layer:
    return Layer(tuple(draw_fief(layout, fief, theme, _site_cells(edition))))


def _mark(view: GameView, layout: Layout, theme: Theme) -> Iterator[Shape]:
    if view.last is not None:
        yield from draw_mark(layout, view.last.cells, theme)


def _own_objective(view: GameView) -> tuple[str, ...]:
    """Returns the symbols of the objective of the seat that looks."""
    own = view.players[view.viewer].objective if isinstance(view.viewer, int) else None
    return () if own is None else own.symbols


@lru_cache(maxsize=128)
def _wanted(edition: Edition, symbols: tuple[str, ...], layout: Layout, theme: Theme) -> Layer:
    """Returns the marks of an objective's cities."""
    cities = [city.at for city in edition.cities if city.group in symbols]
    return Layer(tuple(shape for at in cities for shape in draw_wanted(layout, at, theme)))


@lru_cache(maxsize=1024)
def _ring(ring: PlacedRing, layout: Layout, theme: Theme) -> Layer:
    return Layer(tuple(draw_ring(layout, ring, theme)))


def _panels_bottom(num_players: int) -> float:
    return MARGIN + 6 + HEADER_HEIGHT + num_players * (PANEL_HEIGHT + _GAP)


def _panels(edition: Edition, view: GameView, left: float, theme: Theme) -> Iterator[Layer]:
    top = MARGIN + 6
    yield _panel(tuple(header(view, (left, top), PANEL_WIDTH, theme)))
    for seat in range(len(view.players)):
        at = left, top + HEADER_HEIGHT + seat * (PANEL_HEIGHT + _GAP)
        yield _panel(tuple(player_panel(edition, view, seat, at, PANEL_WIDTH, theme)))


@lru_cache(maxsize=256)
def _panel(shapes: tuple[Shape, ...]) -> Layer:
    """Returns the layer of a panel, the same one for equal panels: most moves change few."""
    return Layer(shapes)
