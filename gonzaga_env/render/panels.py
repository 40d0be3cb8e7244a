"""What the pictures of all games have in common: titles, players' panels, points and turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from gonzaga_env.render.games import player_name
from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import Theme, nth
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Layer,
    Line,
    Paint,
    Point,
    Shape,
    box,
    fitted,
    text_width,
)

INSET = 24.0  # from a panel's left side to what is in it
_LEAST_SCALE = 60  # points over the width of a bar, at least


@lru_cache(maxsize=512)
def kept(shapes: tuple[Shape, ...]) -> Layer:
    """Returns a layer, the same one for equal shapes: most moves change few panels."""
    return Layer(shapes)


@lru_cache(maxsize=256)
def kept_layer(draw: Callable[..., Iterable[Shape]], *values: Any) -> Layer:
    """Returns the layer of the shapes of `draw(*values)`, the same one for equal values."""
    return Layer(tuple(draw(*values)))


def title(text: str, note: str, middle: float, baseline: float, theme: Theme) -> Iterator[Shape]:
    """Yields the title of a page, and a note below it.

    Args:
        text: the title, which is set in capitals.
        note: such as that the edition is a reconstruction; empty for none.
        middle: x of its centre.
        baseline: y of its letters' feet.
        theme: the colours.
    """
    size = fitted(text.upper(), 38, 2 * middle - 280)
    paint = theme.frame
    yield Label(text.upper(), (middle, baseline), size, paint, bold=True, spacing=round(size / 5.4))
    if note:
        yield Label(note, (middle, baseline + 25), 17, theme.ink, italic=True)


def viewer_words(view: Any) -> str:
    """Returns who looks, since a picture of one seat's knowledge must not pass for the whole."""
    if isinstance(view.viewer, int):
        return f"as player {view.viewer} sees it"
    return "what lies open" if view.viewer == "public" else "everything is shown"


def turns(
    seats: Sequence[int], to_act: int | None, at: Point, theme: Theme, arrows: bool = True
) -> Iterator[Shape]:
    """Yields the crests of seats in a row, in their order; a dot marks who is to act."""
    x, y = at
    for place, seat in enumerate(seats):
        if seat == to_act:
            yield Circle((x, y), 21, Paint(fill=theme.mark, stroke=theme.on_mark, width=2))
        yield from crest(seat, (x, y), 13, theme)
        x += 62
        if arrows and place < len(seats) - 1:
            arrow = (x - 34, y - 6), (x - 27, y), (x - 34, y + 6)
            yield Line(arrow, Paint(stroke=theme.muted, width=2.4))


def key(
    names: Sequence[str], at: Point, step: float, columns: int, theme: Theme
) -> Iterator[Shape]:
    """Yields the key of the players' bars: the colours of the parts, in rows."""
    for i, name in enumerate(names):
        x, y = at[0] + step * (i % columns), at[1] + 26 * (i // columns)
        yield box(x, y - 12, x + 16, y + 4, Paint(fill=nth(theme.sources, i)))
        yield Label(name, (x + 24, y + 2), 17, theme.ink, anchor="start")


def ground(view: Any, seat: int, at: Point, size: Point, theme: Theme) -> Iterator[Shape]:
    """Yields a panel's paper, with a frame around it for the seat to act."""
    (left, top), (width, height) = at, size
    if view.to_act == seat:
        halo = Paint(fill=theme.mark, stroke=theme.on_mark, width=1.5)
        yield box(left - 6, top - 6, left + width + 6, top + height + 6, halo)
    paint = Paint(fill=theme.panel, stroke=theme.line, width=1.5)
    yield box(left, top, left + width, top + height, paint)
    yield box(left, top, left + 8, top + height, Paint(fill=nth(theme.players, seat)))


def head(
    player: Any, note: str, at: Point, width: float, right: float, theme: Theme
) -> Iterator[Shape]:
    """Yields crest, name and a note of a player.

    Args:
        player: the player.
        note: a word or two behind the name.
        at: the left end of the line.
        width: of the line.
        right: what is left free at its right end.
        theme: the colours.
    """
    x, y = at
    yield from crest(player.seat, (x + 17, y - 6), 18, theme)
    name = player_name(player)
    name = name[0].upper() + name[1:]
    size = fitted(name, 24, width - right - 66 - text_width(note, 17))
    yield Label(name, (x + 46, y), size, theme.ink, bold=True, anchor="start")
    after = x + 56 + text_width(name, size)
    yield Label(note, (after, y), 17, theme.muted, italic=True, anchor="start")


def bar(view: Any, points: Sequence[int], at: Point, width: float, theme: Theme) -> Iterator[Shape]:
    """Yields a player's points by source, on one scale for all players."""
    x, y = at
    scale = width / max(_LEAST_SCALE, *(other.score for other in view.players))
    yield box(x, y, x + width, y + 24, Paint(fill=theme.paper, stroke=theme.line, width=1))
    for i, number in enumerate(points):
        if not number:
            continue
        paint = Paint(fill=nth(theme.sources, i), stroke=theme.panel)
        yield box(x, y, x + number * scale, y + 24, paint)
        if text_width(str(number), 16) < number * scale:
            middle = x + number * scale / 2
            yield Label(str(number), (middle, y + 18), 16, theme.on_source, bold=True)
        x += number * scale
