"""What lies in the middle of the table: the round, the display, piles, tracks and the key."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from gonzaga_env.kernel.sentences import told
from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import Theme, ink_on
from gonzaga_env.render.panels import kept_layer, key, part_title, turns, viewer_words
from gonzaga_env.render.shapes import (
    Label,
    Layer,
    Line,
    Paint,
    Point,
    Polygon,
    Shape,
    box,
    fitted,
)
from gonzaga_env.render.tuscany import icons
from gonzaga_env.render.tuscany.pieces import corners, tile, tile_color
from gonzaga_env.render.tuscany.player import PARTS, bonus_tiles
from gonzaga_env.tuscany.constants import COLOURS, DISPLAY_SIZE
from gonzaga_env.tuscany.edition import Edition
from gonzaga_env.tuscany.view import COLOUR_NAMES, GameView, action_words, end_words, stage_words

WIDTH = 470.0
_TEXT, _LANE = 17.0, 19.0
RADIUS = 47.0  # of the tiles on display
_LEAST_TRACK = 50  # points, the length of the printed track


def table_height(num_players: int) -> float:
    """Returns the height of what `table` draws."""
    return 792.0 + 2 * (num_players * _LANE + 34)


def table(
    edition: Edition, view: GameView, at: Point, height: float, theme: Theme
) -> Iterator[Layer]:
    """Yields the table, `WIDTH` wide; what is more than `table_height` goes between its parts."""
    left, y = at
    gap, track = (
        (height - table_height(len(view.players))) / 6,
        len(view.players) * _LANE + 34,
    )
    yield Layer(tuple(_head(view, left, y, theme)))
    yield kept_layer(display, view.display, left, y := y + 182 + gap, theme)
    yield kept_layer(piles, pile_words(view), left, y := y + 206 + gap, theme)
    yield kept_layer(stock, view.bonus_stock, left, y := y + 104 + gap, theme)
    green, red = (tuple(getattr(p, name) for p in view.players) for name in ("green", "red"))
    yield kept_layer(_track, "green", green, theme.green, left, y := y + 98 + gap, theme)
    yield kept_layer(_track, "red", red, theme.red, left, y := y + track, theme)
    y += track + 8 + gap
    yield kept_layer(colours, view.colour_points, finishers(view), left, y, theme)
    yield kept_layer(key, PARTS, (left, y + 162 + gap), 158, 3, theme)


def _head(view: GameView, left: float, top: float, theme: Theme) -> Iterator[Shape]:
    """Yields round and decision, who looks, whose turn it is, and the last answer."""
    stage, end = stage_words(view), end_words(view)
    yield Label(stage, (left, top + 26), 28, theme.frame, bold=True, anchor="start").within(WIDTH)
    yield Label(end, (left, top + 56), 19, theme.ink, anchor="start").within(300)
    right = left + WIDTH
    yield Label(viewer_words(view), (right, top + 56), 15, theme.muted, italic=True, anchor="end")
    over = view.to_act is None
    shown = [player.seat for player in view.players if player.won or not over]
    name = "won by" if over else "turn"
    yield Label(name, (left, top + 96), _TEXT, theme.muted, anchor="start")
    yield from turns(shown, view.to_act, (left + 96, top + 90), theme, arrows=False)
    if view.second_action:
        yield Label("second action", (right, top + 96), 15, theme.muted, italic=True, anchor="end")
    yield Label("last", (left, top + 138), _TEXT, theme.muted, anchor="start")
    if view.last is not None:
        yield from crest(view.last.seat, (left + 96, top + 132), 12, theme)
        words = told(action_words(view.last.action, view))
        size = fitted(words, _TEXT, WIDTH - 120)
        yield Label(words, (left + 120, top + 138), size, theme.ink, anchor="start")


def display_place(i: int, left: float, top: float) -> Point:
    """Returns the centre of a place of the display, by its number."""
    return left + 60 + 117 * (i % 4), top + 54 + 88 * (i // 4)


def display(tiles: tuple[str, ...], left: float, top: float, theme: Theme) -> Iterator[Shape]:
    """Yields the display."""
    yield part_title("display", (left, top), theme)
    for i in range(DISPLAY_SIZE):
        at = display_place(i, left, top)
        if i < len(tiles):
            yield from tile(tiles[i], at, RADIUS, theme)
        else:
            paint = Paint(stroke=theme.muted, width=1.4, dash=(5, 5))
            yield Polygon(corners(at, RADIUS * 0.9), paint)


def pile_words(view: GameView) -> tuple[tuple[str, str], ...]:
    """Returns the names of the piles, with what is left of them."""
    aside = [f"{view.aside.count(kind)} {kind}" for kind in dict.fromkeys(view.aside)]
    return (
        ("region cards", f"{view.deck} face down, {view.discards} discarded"),
        ("yield cards", f"{view.yields} face down"),
        ("neutral tiles", f"{view.neutral} face down; set aside: {', '.join(aside) or 'none'}"),
    )


def piles(
    words: tuple[tuple[str, str], ...], left: float, top: float, theme: Theme
) -> Iterator[Shape]:
    """Yields the piles (`pile_words`), a line each."""
    for i, (name, text) in enumerate(words):
        y = top + 12 + 25 * i
        yield Label(name, (left, y), _TEXT, theme.muted, anchor="start")
        yield Label(text, (left + 130, y), _TEXT, theme.ink, anchor="start").within(WIDTH - 130)


def stock(numbers: tuple[int, ...], left: float, top: float, theme: Theme) -> Iterator[Shape]:
    """Yields the stock of bonus tiles."""
    yield part_title("bonus tiles in stock", (left, top), theme)
    yield from bonus_tiles(numbers, left, top + 14, theme)


def _track(
    name: str, points: tuple[int, ...], color: str, left: float, top: float, theme: Theme
) -> Iterator[Shape]:
    """Yields a track as lanes, one for each player, with the crest where the marker is."""
    length = next(n for n in count(_LEAST_TRACK, 10) if n >= max(points))
    scale = (WIDTH - 116) / length
    start, bottom = left + 80, top + len(points) * _LANE
    yield part_title(name, (left, top + 14), theme)
    for tens in range(0, length + 1, 10):
        x = start + tens * scale
        yield Line(((x, top - 2), (x, bottom)), Paint(stroke=theme.line, width=1.2))
        if length <= 80 or tens % 20 == 0:
            yield Label(str(tens), (x, bottom + 15), 13.5, theme.muted)
    for seat, value in enumerate(points):
        x, y = start + value * scale, top + _LANE * (seat + 0.5)
        yield box(start, y - 4, x, y + 4, Paint(fill=color))
        yield from crest(seat, (x, y), 9, theme)
        yield Label(str(value), (x + 13, y + 6), 15, theme.ink, bold=True, anchor="start")


def finishers(view: GameView) -> tuple[tuple[int, ...], ...]:
    """Returns the seats that have completed each colour (T7.2)."""
    return tuple(
        tuple(p.seat for p in view.players if p.region and letter not in p.region)
        for letter in COLOURS
    )


def colours(
    bonus: tuple[tuple[int, int], ...],
    done: tuple[tuple[int, ...], ...],
    left: float,
    top: float,
    theme: Theme,
) -> Iterator[Shape]:
    """Yields the key of colours, with the points for who completes them and who has (T7.2)."""
    for i, (letter, name) in enumerate(zip(COLOURS, COLOUR_NAMES, strict=True)):
        x, y = left + 238 * (i // 4), top + 14 + 34 * (i % 4)
        color = tile_color(letter, theme)
        at = x + 15, y
        yield Polygon(corners(at, 15), Paint(fill=color, stroke=theme.hex_line, width=1.2))
        yield from icons.colour(letter, at, 8.5, ink_on(color), color)
        yield Label(letter, (x + 38, y + 6), _TEXT, theme.ink, bold=True, anchor="start")
        yield Label(name, (x + 64, y + 6), _TEXT, theme.ink, anchor="start")
        for k, seat in enumerate(done[i]):
            yield from crest(seat, (x + 190 - 17 * k, y), 8, theme)
        left_over = bonus[i][len(done[i]) :]
        text = "/".join(map(str, left_over)) or "-"
        yield Label(text, (x + 226, y + 6), _TEXT, theme.muted, anchor="end")
