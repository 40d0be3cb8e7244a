"""A game as a scene: the table at the left, a panel for each player at the right."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render import panels
from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.shapes import Label, Layer, Paint, Scene, Shape, box, fitted, page
from gonzaga_env.render.signorie.icons import effect
from gonzaga_env.render.signorie.player import (
    WIDTH,
    careers,
    column,
    columns_height,
    panel_height,
    player_panel,
    shields,
)
from gonzaga_env.render.signorie.table import HEIGHT as TABLE_HEIGHT
from gonzaga_env.render.signorie.table import WIDTH as TABLE_WIDTH
from gonzaga_env.render.signorie.table import table
from gonzaga_env.signorie.constants import NUM_COLORS
from gonzaga_env.signorie.editions.edition import Edition
from gonzaga_env.signorie.view.game_view import GameView, RowView
from gonzaga_env.signorie.view.words import stage_words

_MARGIN, _TITLE, _GAP = 40.0, 92.0, 26.0
_TOP = _MARGIN + _TITLE


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
        view: the game.
        theme: the colours.
        show_coordinates: without meaning here.
        page_size: width and height of the page; None for `scene_size`.
    """
    width, height = scene_size(edition, len(view.players))
    size = page_size or (width, height)
    paper, frame = page(*size, theme)
    room = height - _TOP - _MARGIN
    layers = [
        paper,
        Layer((*frame.shapes, *_head(edition, width, theme))),
        panels.kept(tuple(table(edition, view, (_MARGIN, _TOP), room, theme))),
    ]
    for seat, at in enumerate(_places(edition, len(view.players))):
        layers.append(panels.kept(tuple(player_panel(edition, view, seat, at, theme))))
    name = f"Signorie: {edition.name}. {stage_words(view)}"
    return Scene(*size, name, tuple(layers))


def scene_size(edition: Edition, num_players: int) -> tuple[int, int]:
    """Returns width and height of `game_scene` in pixels."""
    places = [*_places(edition, num_players)]
    bottom = max(places[-1][1] + panel_height(edition), _TOP + TABLE_HEIGHT)
    return round(max(x for x, _ in places) + WIDTH + _MARGIN), round(bottom + _MARGIN)


def _places(edition: Edition, num_players: int) -> Iterator[tuple[float, float]]:
    """Yields the left upper corners of the panels, in two columns from three players on."""
    columns = 1 if num_players == 2 else 2
    gap = max(_GAP, TABLE_HEIGHT - 2 * panel_height(edition))
    for seat in range(num_players):
        row, column = divmod(seat, columns)
        x = _MARGIN + TABLE_WIDTH + 2 * _GAP + column * (WIDTH + _GAP)
        yield x, _TOP - 6 + row * (panel_height(edition) + gap)


def _head(edition: Edition, width: float, theme: Theme) -> Iterator[Shape]:
    note = "a reconstruction: most values are not those of the printed game"
    text = f"Signorie · {edition.name}"
    yield from panels.title(text, note * edition.reconstruction, width / 2, _MARGIN + 42, theme)


def edition_scene(edition: Edition, theme: Theme = LIGHT) -> Scene:
    """Returns the scene of what an edition prints: columns, careers, tiles, rows of the boards."""
    top, inner = _TOP + 6, WIDTH + 2 * _MARGIN
    columns = columns_height(edition)
    height = top + columns + 2 * 92 + 4 * 132 + 56
    paper, frame = page(round(inner), round(height), theme)
    shapes = [*frame.shapes, *_head(edition, inner, theme)]
    for color in range(NUM_COLORS):
        shapes += column(edition, None, color, (_MARGIN + 120 * color, top), theme)
    shapes += careers(edition, None, (_MARGIN + 612, top), theme)
    y = top + columns + 40
    for name, first, names in (
        ("assignments", edition.first_assignment, edition.assignments),
        ("bonus tiles", edition.first_bonus, edition.bonus_tiles),
    ):
        shapes += _tiles(edition, name, first, names, y, theme)
        y += 92
    for i, board in enumerate(edition.boards):
        shapes.append(_label(f"board {board}", _MARGIN, y + 132 * i, theme))
        for k, career in enumerate((*edition.careers, "marriage")):
            wanted = zip(edition.houses, edition.shields[i][k], strict=True)
            houses = tuple(house for house, number in wanted for _ in range(number))
            at = _MARGIN + 480 * (k % 2), y + 132 * i + 6 + 56 * (k // 2)
            shapes += shields(edition, career, RowView(houses, houses, 0, 0), at, theme)
    title = f"Signorie: what {edition.name} prints"
    return Scene(round(inner), round(height), title, (paper, Layer(tuple(shapes))))


def _tiles(
    edition: Edition, name: str, first: int, names: tuple[str, ...], y: float, theme: Theme
) -> Iterator[Shape]:
    """Yields a row of tiles with their effects."""
    yield _label(name, _MARGIN, y, theme)
    step = WIDTH / len(names)
    for i, tile in enumerate(names):
        x = _MARGIN + step * i
        yield box(x, y + 10, x + step - 6, y + 64, Paint(fill=theme.panel, stroke=theme.line))
        yield from effect(edition, first + i, (x + step / 2, y + 29), 14, step - 16, theme)
        yield Label(tile, (x + step / 2, y + 58), fitted(tile, 13, step - 12), theme.muted)


def _label(text: str, x: float, y: float, theme: Theme) -> Label:
    return Label(text, (x, y), 19, theme.frame, bold=True, anchor="start")
