"""A game as a scene: the map with its pieces, and the panels beside it.

Layers, lowest first: the ground (paper, terrain, frame, title, legend and coordinates), fiefs, the
mark of the last move, marks of the sites, rings, names of the sites, panels. Only fiefs, rings and
panels change from one picture to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gonzaga_env.core.edition import Cell, Edition
from gonzaga_env.core.state import SOURCES
from gonzaga_env.core.view import PLACES, GameView, PlacedFief, PlacedRing, PlayerView
from gonzaga_env.kernel.view import player_name
from gonzaga_env.render import icons
from gonzaga_env.render.gonzaga.map import (
    LEGEND_GAP,
    MARGIN,
    TITLE_HEIGHT,
    PrintedMap,
    board_layout,
    draw_shape,
    map_size,
    printed_map,
    symbol_color,
)
from gonzaga_env.render.gonzaga.pieces import Layout, draw_fief, draw_mark, draw_ring, draw_wanted
from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import LIGHT, Theme, nth
from gonzaga_env.render.panels import (
    INSET,
    bar,
    cached_layer,
    ground,
    head,
    key,
    turns,
    viewer_words,
)
from gonzaga_env.render.shapes import Circle, Label, Layer, Paint, Point, Scene, Shape, paragraph

HEADER_HEIGHT, PANEL_WIDTH, PANEL_HEIGHT = 318.0, 500.0, 286.0
_HEADER_TEXT, _TEXT = 19.0, 18.0
_COLUMN = 98.0


def header(view: GameView, at: Point, width: float, theme: Theme) -> Iterator[Shape]:
    left, top = at
    title = stage_text(view)
    yield Label(title, (left, top + 30), 30, theme.frame, bold=True, anchor="start").within(width)
    yield Label(
        viewer_words(view), (left + width, top + 58), 16, theme.muted, italic=True, anchor="end"
    )
    yield Label(view.scenario, (left, top + 62), 22, theme.ink, bold=True, anchor="start")
    inactive = f"inactive: {', '.join(view.inactive)}" if view.inactive else "all regions flourish"
    yield from paragraph(inactive, (left, top + 90), _HEADER_TEXT, theme.ink, width, 2)
    sites = sites_text(view)
    yield Label(sites, (left, top + 136), _HEADER_TEXT, theme.ink, anchor="start").within(width)
    yield from _turns(view, left, top + 168, theme)
    yield from _last(view, left, top + 204, width, theme)
    at = left, top + HEADER_HEIGHT - 40
    yield from key(SOURCES, at, 2 * width / len(SOURCES), len(SOURCES) // 2, theme)


def _turns(view: GameView, left: float, y: float, theme: Theme) -> Iterator[Shape]:
    if view.to_act is None:
        names = " and ".join(player_name(player) for player in view.players if player.won)
        yield Label(f"won by {names}", (left, y + 6), 20, theme.ink, bold=True, anchor="start")
        return
    placing = view.decision == "place"
    text = "turn order" if placing else "planning"
    yield Label(text, (left, y + 6), _HEADER_TEXT, theme.muted, anchor="start")
    seats = view.order if placing else range(len(view.players))
    yield from turns(seats, view.to_act, (left + 130, y), theme)


def _last(view: GameView, left: float, y: float, width: float, theme: Theme) -> Iterator[Shape]:
    yield Label("last move", (left, y + 6), _HEADER_TEXT, theme.muted, anchor="start")
    if view.last is None:
        yield Label("none", (left + 118, y + 6), _HEADER_TEXT, theme.ink, anchor="start")
        return
    yield from crest(view.last.seat, (left + 130, y), 13, theme)
    yield from paragraph(view.last.words, (left + 154, y + 6), 18, theme.ink, width - 154, 3)


def player_panel(
    edition: Edition, view: GameView, seat: int, at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields the panel of a player: crest, score by source, rings, fief, cards and objective."""
    player, (left, top), right = view.players[seat], at, at[0] + PANEL_WIDTH
    yield from ground(view, seat, at, (PANEL_WIDTH, PANEL_HEIGHT), theme)
    x, inner = left + INSET, PANEL_WIDTH - 2 * INSET + 8
    yield from head(player, _note(view, player), (x, top + 36), inner, 80, theme)
    score = str(player.score)
    yield Label(score, (x + inner, top + 39), 34, theme.ink, bold=True, anchor="end")
    yield from bar(view, player.scores, (x, top + 62), inner, theme)
    yield from _rings(edition.size.rings, player, x, top + 112, theme)
    yield from _objective(edition, player, x, top + 146, theme)
    yield from _fief(edition, player, right - 78, top + 150, theme)
    pieces = player.largest_group
    rows = {
        "group": f"{pieces} piece{'s' * (pieces > 1)} connected" if pieces else "none",
        "leagues": ", ".join(player.leagues) or "none",
    }
    if view.to_act is not None:
        rows |= {"plan": plan_text(player, view), "locked": locked_text(player)}
    for i, (name, text) in enumerate(rows.items()):
        y, room = top + 183 + 29 * i, inner - _COLUMN - (130 if i == 0 else 0)
        yield Label(name, (x, y), _TEXT, theme.muted, anchor="start")
        yield Label(text, (x + _COLUMN, y), _TEXT, theme.ink, anchor="start").within(room)


def _note(view: GameView, player: PlayerView) -> str:
    if player.won:
        return "winner"
    if player.seat in view.order:
        return PLACES[view.order.index(player.seat)]
    return ""


def _rings(number: int, player: PlayerView, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    yield Label("rings", (x, y + 6), _TEXT, theme.muted, anchor="start")
    for i in range(number):
        center = (x + _COLUMN + 12 + 32 * i, y)
        if i < player.rings:
            yield Circle(center, 10, Paint(stroke=theme.ink, width=7))
            yield Circle(center, 10, Paint(stroke=nth(theme.players, player.seat), width=5))
        else:
            yield Circle(center, 10, Paint(stroke=theme.line, width=2, dash=(3, 3)))


def _fief(
    edition: Edition, player: PlayerView, x: float, y: float, theme: Theme
) -> Iterator[Shape]:
    """Yields the fief of the round as its shape, with the number of its card below (R1.7)."""
    if player.fief is None:
        return
    color = nth(theme.players, player.seat)
    fief = edition.fiefs[player.fief - 1]
    yield from draw_shape(fief, (x, y), 34, color, theme.on_piece, theme.on_piece, color)
    text = f"fief {player.fief} · card {player.card}"
    yield Label(text, (x, y + 66), 15, theme.muted)


def _objective(
    edition: Edition, player: PlayerView, x: float, y: float, theme: Theme
) -> Iterator[Shape]:
    yield Label("objective", (x, y + 6), _TEXT, theme.muted, anchor="start")
    if player.objective is None:
        text = "hidden" if edition.size.objectives else "none"
        yield Label(text, (x + _COLUMN, y + 6), _TEXT, theme.ink, anchor="start")
        return
    for i, name in enumerate(player.objective.symbols):
        color = symbol_color(edition, name)
        yield from icons.symbol(name, (x + _COLUMN + 15 + 38 * i, y), 14, color)
    cities = sum(city.group in player.objective.symbols for city in edition.cities)
    held = f"{player.objective.held} of {cities}"
    yield Label(held, (x + _COLUMN + 80, y + 6), _TEXT, theme.ink, anchor="start")


def stage_text(view: GameView) -> str:
    """Returns round and stage, such as "Round 6, the last: placing"."""
    if view.to_act is None:
        return f"Over after {view.round} rounds"
    last = ", the last" if view.last_round else ""
    return f"Round {view.round}{last}: {view.stage}"


def sites_text(view: GameView) -> str:
    """Returns how many flourishing sites are open, and what that means for the end (R7.1)."""
    text = f"{view.open_sites} flourishing sites open"
    if view.to_act is None or view.last_round:
        return text
    return f"{text}; at {view.open_sites_at_end}, one round is left"


def plan_text(player: PlayerView, view: GameView) -> str:
    """Returns a player's plan of this round, as far as the viewer knows it."""
    if player.plan is not None:
        return player.plan.words + (", sealed" if view.decision == "plan" else "")
    return "sealed" if player.planned else "not yet"


def locked_text(player: PlayerView) -> str:
    """Returns the cards that are not available in this round (R3.3)."""
    return "none" if player.locked is None else ", ".join(player.locked.cards)


_LEFT, _GAP = 58.0, 22.0
# The columns' numbers lie between title and map, and between map and legend.
_TOP, _BELOW = MARGIN + TITLE_HEIGHT + 20, 20


def game_scene(
    edition: Edition, view: GameView, theme: Theme = LIGHT, show_coordinates: bool = True
) -> Scene:
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
    cities = [city.at for city in edition.cities if city.group in symbols]
    return Layer(tuple(shape for at in cities for shape in draw_wanted(layout, at, theme)))


def _panels(edition: Edition, view: GameView, left: float, theme: Theme) -> Iterator[Layer]:
    top = MARGIN + 6
    yield cached_layer(tuple(header(view, (left, top), PANEL_WIDTH, theme)))
    for seat in range(len(view.players)):
        at = left, top + HEADER_HEIGHT + seat * (PANEL_HEIGHT + _GAP)
        yield cached_layer(tuple(player_panel(edition, view, seat, at, theme)))
