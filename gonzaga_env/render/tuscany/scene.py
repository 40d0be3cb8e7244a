"""A game as a scene: the table at the left, a panel for each player at the right."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.shapes import Label, Layer, Scene, Shape, fitted, page
from gonzaga_env.render.tuscany.pieces import printed_board
from gonzaga_env.render.tuscany.player import HEIGHT, RADIUS, WIDTH, player_panel
from gonzaga_env.render.tuscany.table import WIDTH as TABLE_WIDTH
from gonzaga_env.render.tuscany.table import table, table_height
from gonzaga_env.tuscany.editions.edition import BOARD_NAMES, Edition
from gonzaga_env.tuscany.view.game_view import GameView
from gonzaga_env.tuscany.view.words import stage_words

_MARGIN, _TITLE, _GAP = 40.0, 92.0, 26.0
_TOP = _MARGIN + _TITLE
_BOARD_WIDTH, _BOARD_HEIGHT = 250.0, 300.0


def game_scene(
    edition: Edition, view: GameView, theme: Theme = LIGHT, show_coordinates: bool = True
) -> Scene:
    """Returns the scene of a game.

    Args:
        edition: the edition that is played.
        view: the game, as its viewer may see it.
        theme: the colours.
        show_coordinates: whether empty hexes bear the names of their cells.
    """
    size = width, height = scene_size(len(view.players))
    paper, frame = page(*size, theme)
    layers = [
        paper,
        Layer((*frame.shapes, *_head(edition, width, theme))),
        *table(edition, view, (_MARGIN, _TOP), height - _TOP - _MARGIN, theme),
    ]
    for seat, at in enumerate(_places(len(view.players))):
        layers += player_panel(edition, view, seat, at, theme, show_coordinates)
    title = f"The Castles of Tuscany: {edition.name}. {stage_words(view)}"
    return Scene(*size, title, tuple(layers))


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


def _head(edition: Edition, width: float, theme: Theme) -> Iterator[Shape]:
    middle = width / 2
    title = f"THE CASTLES OF TUSCANY · {edition.name.upper()}"
    size = fitted(title, 36, width - 6 * _MARGIN)
    yield Label(title, (middle, _MARGIN + 42), size, theme.frame, bold=True, spacing=size / 7)
    if edition.reconstruction:
        note = "a reconstruction: not the boards, cards and tiles of the printed game"
        yield Label(note, (middle, _MARGIN + 68), 17, theme.ink, italic=True)


def edition_scene(edition: Edition, theme: Theme = LIGHT) -> Scene:
    """Returns the scene of an edition's twelve boards (M2), one letter a row."""
    width, height = 4 * _BOARD_WIDTH + 2 * _MARGIN, 3 * _BOARD_HEIGHT + _TITLE + 2 * _MARGIN
    paper, frame = page(width, height, theme)
    shapes = [*frame.shapes, *_head(edition, width, theme)]
    for i, name in enumerate(BOARD_NAMES):
        left = _MARGIN + _BOARD_WIDTH * (i % 4) + 34
        top = _MARGIN + _TITLE + _BOARD_HEIGHT * (i // 4) + 12
        shapes += printed_board(edition, name, left, top, RADIUS, theme)
    title = f"The Castles of Tuscany: boards of {edition.name}"
    return Scene(width, height, title, (paper, Layer(tuple(shapes))))
