"""The panels beside a board: the head, with round, turn order and last move, and one a player."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.state import SOURCES
from gonzaga_env.core.view.game_log import PLACES
from gonzaga_env.core.view.game_view import GameView, PlayerView
from gonzaga_env.render import icons
from gonzaga_env.render.gonzaga.marks import draw_shape, symbol_color
from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import Theme, nth
from gonzaga_env.render.panels import INSET, bar, ground, head, key, turns, viewer_words
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Paint,
    Point,
    Shape,
    paragraph,
)
from gonzaga_env.tabletop.records.log import called

HEADER_HEIGHT, PANEL_WIDTH, PANEL_HEIGHT = 318.0, 500.0, 286.0
_HEADER_TEXT, _TEXT = 19.0, 18.0
_COLUMN = 98.0


def header(view: GameView, at: Point, width: float, theme: Theme) -> Iterator[Shape]:
    """Yields the head of the panels."""
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
    """Yields the players' crests in the turn order; a dot marks who is to act."""
    if view.stage == "over":
        names = " and ".join(called(player) for player in view.players if player.won)
        yield Label(f"won by {names}", (left, y + 6), 20, theme.ink, bold=True, anchor="start")
        return
    placing = view.stage == "placing"
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
    rows = {
        "group": _group_text(player.largest_group),
        "leagues": ", ".join(player.leagues) or "none",
    }
    if view.stage != "over":
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


def _group_text(pieces: int) -> str:
    return "none" if not pieces else f"{pieces} piece{'s' * (pieces > 1)} connected"


def stage_text(view: GameView) -> str:
    """Returns round and stage, such as "Round 6, the last: placing"."""
    if view.stage == "over":
        return f"Over after {view.round} rounds"
    last = ", the last" if view.last_round else ""
    return f"Round {view.round}{last}: {view.stage}"


def sites_text(view: GameView) -> str:
    """Returns how many flourishing sites are open, and what that means for the end (R7.1)."""
    text = f"{view.open_sites} flourishing sites open"
    if view.stage == "over" or view.last_round:
        return text
    return f"{text}; at {view.open_sites_at_end}, one round is left"


def plan_text(player: PlayerView, view: GameView) -> str:
    """Returns a player's plan of this round, as far as the viewer knows it."""
    if player.plan is not None:
        return player.plan.words + (", sealed" if view.stage == "planning" else "")
    return "sealed" if player.planned else "not yet"


def locked_text(player: PlayerView) -> str:
    """Returns the cards that are not available in this round (R3.3)."""
    return "none" if player.locked is None else ", ".join(player.locked.cards)
