"""A game as a scene: the table at the left, a panel for each player at the right."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render.choices import Considering, value_label
from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.panels import title
from gonzaga_env.render.shapes import Layer, Paint, Polygon, Scene, Shape, page
from gonzaga_env.render.tuscany.pieces import corners, printed_board
from gonzaga_env.render.tuscany.player import HEIGHT, RADIUS, WIDTH, player_panel, region_places
from gonzaga_env.render.tuscany.table import WIDTH as TABLE_WIDTH
from gonzaga_env.render.tuscany.table import table, table_height
from gonzaga_env.tuscany.board.geometry import CELL_NAMES
from gonzaga_env.tuscany.editions.edition import BOARD_NAMES, Edition
from gonzaga_env.tuscany.view.game_view import GameView
from gonzaga_env.tuscany.view.words import stage_words

_MARGIN, _TITLE, _GAP = 40.0, 92.0, 26.0
_TOP = _MARGIN + _TITLE
_BOARD_WIDTH, _BOARD_HEIGHT = 250.0, 300.0


def game_scene(
    edition: Edition,
    view: GameView,
    theme: Theme = LIGHT,
    show_coordinates: bool = True,
    page_size: tuple[int, int] | None = None,
) -> Scene:
    """Returns the scene of a game.

    Args:
        edition: the edition that is played.
        view: the game, as its viewer may see it.
        theme: the colours.
        show_coordinates: whether empty hexes bear the names of their cells.
        page_size: width and height of the page; None for `scene_size`.
    """
    width, height = scene_size(len(view.players))
    size = page_size or (width, height)
    paper, frame = page(*size, theme)
    layers = [
        paper,
        Layer((*frame.shapes, *_head(edition, width, theme))),
        *table(edition, view, (_MARGIN, _TOP), height - _TOP - _MARGIN, theme),
    ]
    for seat, at in enumerate(_places(len(view.players))):
        layers += player_panel(edition, view, seat, at, theme, show_coordinates)
    name = f"The Castles of Tuscany: {edition.name}. {stage_words(view)}"
    return Scene(*size, name, tuple(layers))


def scene_size(num_players: int) -> tuple[int, int]:
    """Returns width and height of `game_scene` in pixels."""
    x, y = [*_places(num_players)][-1]
    return round(x + WIDTH + _MARGIN), round(y + HEIGHT + _MARGIN)


def _places(num_players: int) -> Iterator[tuple[float, float]]:
    """Yields the left upper corners of the panels: four make two columns.

    They reach down as far as the table does, and more panels than that make it longer.
    """
    columns = 2 if num_players == 4 else 1
    rows = num_players // columns
    gap = max(_GAP, (table_height(num_players) - rows * HEIGHT) / (rows - 1))
    for seat in range(num_players):
        row, column = divmod(seat, columns)
        x = _MARGIN + TABLE_WIDTH + 2 * _GAP + column * (WIDTH + _GAP)
        yield x, _TOP - 6 + row * (HEIGHT + gap)


def choice_marks(view: GameView, considering: Considering, theme: Theme) -> Iterator[Shape]:
    """Yields outlines and values of the best choices on the region of the seat to act."""
    seat = view.to_act
    if seat is None or not view.players[seat].layout:
        return
    places = region_places(view.players[seat], [*_places(len(view.players))][seat])
    for rank, choice in reversed(considering.best()):
        at = places.centers[CELL_NAMES.index(choice.cells[0])]
        outline = corners(at, 0.96 * RADIUS)
        yield Polygon(outline, Paint(stroke=theme.on_mark, width=9))
        yield Polygon(outline, Paint(stroke=theme.mark, width=5))
        yield from value_label(considering, rank, choice, (at[0], at[1] - 26), 1.6 * RADIUS, theme)


def _head(edition: Edition, width: float, theme: Theme) -> Iterator[Shape]:
    note = "a reconstruction: not the boards, cards and tiles of the printed game"
    text = f"The Castles of Tuscany · {edition.name}"
    yield from title(text, note * edition.reconstruction, width / 2, _MARGIN + 42, theme)


def edition_scene(edition: Edition, theme: Theme = LIGHT) -> Scene:
    """Returns the scene of an edition's twelve boards (M2), one letter a row."""
    width, height = 4 * _BOARD_WIDTH + 2 * _MARGIN, 3 * _BOARD_HEIGHT + _TITLE + 2 * _MARGIN
    paper, frame = page(width, height, theme)
    shapes = [*frame.shapes, *_head(edition, width, theme)]
    for i, name in enumerate(BOARD_NAMES):
        left = _MARGIN + _BOARD_WIDTH * (i % 4) + 34
        top = _MARGIN + _TITLE + _BOARD_HEIGHT * (i // 4) + 12
        shapes += printed_board(edition, name, left, top, RADIUS, theme)
    name = f"The Castles of Tuscany: boards of {edition.name}"
    return Scene(width, height, name, (paper, Layer(tuple(shapes))))
