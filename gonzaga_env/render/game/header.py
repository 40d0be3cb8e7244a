"""The head of the panels: round, scenario, open sites, turn order, last move and key of points."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.core.state.state import SOURCES
from gonzaga_env.core.view.game_view import GameView
from gonzaga_env.render.game.crest import crest
from gonzaga_env.render.game.words import (
    paragraph,
    player_name,
    sites_text,
    stage_text,
)
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Line,
    Paint,
    Point,
    Shape,
    box,
    fitted,
)

HEADER_HEIGHT = 318.0
_TITLE, _TEXT = 30.0, 19.0


def header(view: GameView, at: Point, width: float, theme: Theme) -> Iterator[Shape]:
    """Yields the head of the panels.

    Args:
        view: the game.
        at: the left upper corner.
        width: the width in pixels.
        theme: the colours.
    """
    left, top = at
    title = stage_text(view)
    size = fitted(title, _TITLE, width)
    yield Label(title, (left, top + 30), size, theme.frame, bold=True, anchor="start")
    yield Label(_viewer(view), (left + width, top + 58), 16, theme.muted, italic=True, anchor="end")
    yield Label(view.scenario, (left, top + 62), 22, theme.ink, bold=True, anchor="start")
    inactive = f"inactive: {', '.join(view.inactive)}" if view.inactive else "all regions flourish"
    yield from paragraph(inactive, (left, top + 90), _TEXT, theme.ink, width, 2)
    sites = sites_text(view)
    size = fitted(sites, _TEXT, width)
    yield Label(sites, (left, top + 136), size, theme.ink, anchor="start")
    yield from _turns(view, left, top + 168, theme)
    yield from _last(view, left, top + 204, width, theme)
    yield from _key(left, top + HEADER_HEIGHT - 40, width, theme)


def _viewer(view: GameView) -> str:
    """Returns who looks, since a picture of one seat's knowledge must not pass for the whole."""
    if isinstance(view.viewer, int):
        return f"as player {view.viewer} sees it"
    return "what lies open" if view.viewer == "public" else "everything is shown"


def _turns(view: GameView, left: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Yields the players' crests in the turn order; a dot marks who is to act."""
    if view.stage == "over":
        names = " and ".join(player_name(player) for player in view.players if player.won)
        yield Label(f"won by {names}", (left, y + 6), 20, theme.ink, bold=True, anchor="start")
        return
    placing = view.stage == "placing"
    text = "turn order" if placing else "planning"
    yield Label(text, (left, y + 6), _TEXT, theme.muted, anchor="start")
    x = left + 130.0
    for seat in view.order if placing else range(len(view.players)):
        if seat == view.to_act:
            yield Circle((x, y), 21, Paint(fill=theme.mark, stroke=theme.on_mark, width=2))
        yield from crest(seat, (x, y), 13, theme)
        x += 62
        if seat != (view.order[-1] if placing else len(view.players) - 1):
            arrow = (x - 34, y - 6), (x - 27, y), (x - 34, y + 6)
            yield Line(arrow, Paint(stroke=theme.muted, width=2.4))


def _last(view: GameView, left: float, y: float, width: float, theme: Theme) -> Iterator[Shape]:
    yield Label("last move", (left, y + 6), _TEXT, theme.muted, anchor="start")
    if view.last is None:
        yield Label("none", (left + 118, y + 6), _TEXT, theme.ink, anchor="start")
        return
    yield from crest(view.last.seat, (left + 130, y), 13, theme)
    yield from paragraph(view.last.words, (left + 154, y + 6), 18, theme.ink, width - 154, 3)


def _key(left: float, y: float, width: float, theme: Theme) -> Iterator[Shape]:
    """Yields the key of the bars: the sources of points, in two rows."""
    half = len(SOURCES) // 2
    for i, name in enumerate(SOURCES):
        x, row = left + (i % half) * width / half, y + (i // half) * 26
        yield box(x, row - 12, x + 16, row + 4, Paint(fill=theme.sources[i]))
        yield Label(name, (x + 24, row + 2), 17, theme.ink, anchor="start")
