"""The panel of one player."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.core.constants import NUM_RINGS
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.view.game_log import PLACES
from gonzaga_env.core.view.game_view import GameView, PlayerView
from gonzaga_env.render import icons
from gonzaga_env.render.game.crest import crest
from gonzaga_env.render.game.words import locked_text, plan_text, player_name
from gonzaga_env.render.map.legend import draw_shape
from gonzaga_env.render.map.sites import symbol_color
from gonzaga_env.render.palette import Theme, nth
from gonzaga_env.render.shapes import Circle, Label, Paint, Point, Shape, box, fitted, text_width

PANEL_HEIGHT = 286.0
_INSET, _TEXT, _COLUMN = 16.0, 18.0, 98.0
_LEAST_SCALE = 60  # points over the width of a bar, at least


def player_panel(
    edition: Edition,
    view: GameView,
    seat: int,
    at: Point,
    width: float,
    theme: Theme,
) -> Iterator[Shape]:
    """Yields the panel of a player: crest, score by source, rings, fief, cards and objective.

    Args:
        edition: the edition.
        view: the game.
        seat: the player.
        at: the left upper corner.
        width: the width in pixels.
        theme: the colours.
    """
    player, (left, top), right = view.players[seat], at, at[0] + width
    if view.to_act == seat:
        halo = Paint(fill=theme.mark, stroke=theme.on_mark, width=1.5)
        yield box(left - 6, top - 6, right + 6, top + PANEL_HEIGHT + 6, halo)
    paint = Paint(fill=theme.panel, stroke=theme.line, width=1.5)
    yield box(left, top, right, top + PANEL_HEIGHT, paint)
    yield box(left, top, left + 8, top + PANEL_HEIGHT, Paint(fill=nth(theme.players, seat)))
    x, inner = left + _INSET + 8, width - 2 * _INSET - 8
    yield from _title(view, player, x, top + 36, inner, theme)
    yield from _bar(view, player, x, top + 62, inner, theme)
    yield from _rings(player, x, top + 112, theme)
    yield from _objective(edition, player, x, top + 146, theme)
    yield from _fief(edition, player, right - 78, top + 150, theme)
    rows = {
        "group": _group_text(player.largest_group),
        "leagues": ", ".join(player.leagues) or "none",
    }
    if view.stage != "over":
        rows |= {"plan": plan_text(player, view), "locked": locked_text(player)}
    for i, (name, text) in enumerate(rows.items()):
        room = inner - _COLUMN - (130 if i == 0 else 0)
        yield from _row(name, text, x, top + 183 + 29 * i, room, theme)


def _title(
    view: GameView, player: PlayerView, x: float, y: float, width: float, theme: Theme
) -> Iterator[Shape]:
    yield from crest(player.seat, (x + 17, y - 6), 18, theme)
    name = player_name(player)
    name = name[0].upper() + name[1:]
    room = width - 190
    size = fitted(name, 24, room)
    yield Label(name, (x + 46, y), size, theme.ink, bold=True, anchor="start")
    note = _note(view, player)
    yield Label(
        note, (x + 56 + text_width(name, size), y), 17, theme.muted, italic=True, anchor="start"
    )
    yield Label(str(player.score), (x + width, y + 3), 34, theme.ink, bold=True, anchor="end")


def _note(view: GameView, player: PlayerView) -> str:
    if player.won:
        return "winner"
    if player.seat in view.order:
        return PLACES[view.order.index(player.seat)]
    return ""


def _bar(
    view: GameView, player: PlayerView, x: float, y: float, width: float, theme: Theme
) -> Iterator[Shape]:
    """Yields the points by source, on one scale for all players."""
    scale = width / max(_LEAST_SCALE, *(other.score for other in view.players))
    yield box(x, y, x + width, y + 24, Paint(fill=theme.paper, stroke=theme.line, width=1))
    for points, color in zip(player.scores, theme.sources, strict=True):
        if not points:
            continue
        yield box(x, y, x + points * scale, y + 24, Paint(fill=color, stroke=theme.panel))
        if text_width(str(points), 16) < points * scale:
            middle = x + points * scale / 2
            yield Label(str(points), (middle, y + 18), 16, theme.on_source, bold=True)
        x += points * scale


def _rings(player: PlayerView, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    yield Label("rings", (x, y + 6), _TEXT, theme.muted, anchor="start")
    for i in range(NUM_RINGS):
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


def _row(name: str, text: str, x: float, y: float, room: float, theme: Theme) -> Iterator[Shape]:
    yield Label(name, (x, y), _TEXT, theme.muted, anchor="start")
    yield Label(text, (x + _COLUMN, y), fitted(text, _TEXT, room), theme.ink, anchor="start")


def _objective(
    edition: Edition, player: PlayerView, x: float, y: float, theme: Theme
) -> Iterator[Shape]:
    yield Label("objective", (x, y + 6), _TEXT, theme.muted, anchor="start")
    if player.objective is None:
        yield Label("hidden", (x + _COLUMN, y + 6), _TEXT, theme.ink, anchor="start")
        return
    for i, name in enumerate(player.objective.symbols):
        color = symbol_color(edition, name)
        yield from icons.symbol(name, (x + _COLUMN + 15 + 38 * i, y), 14, color)
    held = f"{player.objective.held} of {_cities(edition, player.objective.symbols)}"
    yield Label(held, (x + _COLUMN + 80, y + 6), _TEXT, theme.ink, anchor="start")


def _cities(edition: Edition, symbols: tuple[str, str]) -> int:
    return sum(city.group in symbols for city in edition.cities)


def _group_text(pieces: int) -> str:
    return "none" if not pieces else f"{pieces} piece{'s' * (pieces > 1)} connected"
