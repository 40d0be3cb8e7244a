"""Games that the page shows as blocks of drawings: their look, positions and choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any
from urllib.parse import urlencode

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.sentences import say
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import Theme, nth
from gonzaga_env.render.pictures import Block, GamePictures, Spot, one_line_each
from gonzaga_env.render.shapes import Layer, Point
from gonzaga_env.render.svg import compact_elements, elements

from ..choices import Deciding
from .values import as_json

MOST_MOVED = 2  # places
_CREST = 40.0  # width of a crest


@lru_cache(maxsize=32)
def look(edition: Any, theme: Theme) -> dict[str, Any]:
    """Returns what stays the same of a game in plain values (see docs/play.md)."""
    spec = game_spec(edition.game)
    first, last, _ = spec.counted.indices(len(spec.sources))
    return {
        "title": say("{game}: {edition}", game=spec.title, edition=say(edition.name)),
        "reconstruction": edition.reconstruction,
        "sources": [say(source.replace("_", " ")) for source in spec.sources],
        "counted": [first, last],
        "colors": page_colors(theme, max(spec.players)),
        "crests": crests(theme, max(spec.players)),
    }


def blocks_json(edition: Any, before: Any, view: Any, theme: Theme) -> str:
    """Returns the blocks of a position as a JSON list; those that stay the same have no drawing
    and no lines.

    Args:
        edition: the edition.
        before: the view before the last move; None draws all blocks.
        view: the position as a viewer may see it.
        theme: the colours.
    """
    pictures = game_pictures(edition.game)
    blocks = pictures.blocks or partial(_whole, pictures)
    known = [] if before is None else [*blocks(edition, before)]
    return f"[{','.join(_block(block, block in known, theme) for block in blocks(edition, view))}]"


def _whole(pictures: GamePictures, edition: Any, view: Any) -> Iterator[Block]:
    """Yields the only block of a game that has no others: its whole picture."""
    lines = one_line_each(pictures.text(edition, view).splitlines())
    yield Block("board", None, pictures.board, (edition, view), lines)


def _block(block: Block, known: bool, theme: Theme) -> str:
    head = {"name": block.name, "seat": block.seat}
    if known:
        return as_json(head)
    drawing = _drawing(block.draw, block.values, theme)
    told = [[*_box(place.points), place.words] for place in block.places]
    return f"{as_json(head | {'lines': block.lines, 'places': told})[:-1]},{drawing}}}"


def _box(points: Sequence[Point]) -> list[int]:
    """Returns left, top, right and bottom of corners."""
    xs, ys = zip(*points, strict=True)
    return [round(value) for value in (min(xs), min(ys), max(xs), max(ys))]


@lru_cache(maxsize=1 << 10)  # of up to 30 kB
def _drawing(draw: Any, values: tuple[Any, ...], theme: Theme) -> str:
    """Returns the members of a JSON object that hold a drawing."""
    scene = draw(*values, theme)
    shown = {"width": scene.width, "height": scene.height, "svg": compact_elements(scene.shapes)}
    return as_json(shown)[1:-1]


def frame_texts(view: Any, game: str) -> dict[str, Any]:
    """Returns what a page says of a position: the view, its stage and end, and what decides."""
    pictures = game_pictures(game)
    return {
        "view": vars(view),
        "stage": pictures.stage(view),
        "note": pictures.note(view),
        "totals": [player.score for player in view.players],
        "tallies": [pictures.tallies(player) for player in view.players],
    }


def turn_json(turn: Deciding, edition: Any, view: Any) -> str:
    """Returns legal choices with the places in the drawings that stand for them."""
    pictures = game_pictures(edition.game)
    actions = {choice.text: choice.action for choice in turn.choices}
    spots, refused = [], []
    for spot in pictures.spots(view):
        if legal := [actions[text] for text in spot.actions if text in actions]:
            spots.append(_spot(spot) | {"actions": legal, "first": spot.first})
        elif why := pictures.reason(edition, view, spot):
            place = {"block": spot.block, "seat": spot.seat}
            refused.append(place | {"box": _box(spot.points), "why": why})
    previewed = pictures.preview(edition, view, turn.choices[0].text) is not None
    shown = {word: _spot(place) for word, place in pictures.shown_words(view)}
    marked = {"spots": spots, "refused": refused, "previewed": previewed, "shown": shown}
    return as_json({**vars(turn), **marked})


def _spot(spot: Spot) -> dict[str, Any]:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in spot.points)
    return {"block": spot.block, "seat": spot.seat, "points": points}


def moved(before: Any, after: Any, game: str) -> list[dict[str, Any]]:
    """Returns the places that the one move between two views of a viewer was about, at most two.

    They are those that stand for the fewest actions, such as a hex and the stored tile that came
    from there; none where the viewer may not know the move.
    """
    move = after.last
    if move is None or before.to_act != move.seat:
        return []
    found = [spot for spot in game_pictures(game).spots(before) if move.action in spot.actions]
    fewest = sorted(found, key=lambda spot: len(spot.actions))[:MOST_MOVED]
    return [_spot(spot) for spot in found if spot in fewest]


def preview_json(turn: Deciding, action: int, edition: Any, view: Any, theme: Theme) -> str:
    """Returns the blocks that an action would change, as far as the view tells; mostly none."""
    text = next((choice.text for choice in turn.choices if choice.action == action), "")
    after = game_pictures(edition.game).preview(edition, view, text)
    return "[]" if after is None else blocks_json(edition, view, after, theme)


def board_address(edition_id: str, edition: Any, scenario: str | None) -> str:
    """Returns where the page finds a board; the address changes with the edition's content."""
    query = {"edition": edition_id, "scenario": scenario, "v": edition.digest[:8]}
    return f"/api/board?{urlencode({name: value for name, value in query.items() if value})}"


def page_colors(theme: Theme, num_seats: int) -> dict[str, Any]:
    """Returns the colours that pages take from the drawings."""
    names = "paper", "ink", "frame", "muted", "mark", "players", "sources"
    players = [nth(theme.players, seat) for seat in range(num_seats)]
    return {name: getattr(theme, name) for name in names} | {"players": players}


def crests(theme: Theme, num_seats: int) -> list[str]:
    """Returns the crest of each seat as SVG elements."""
    return [_crest(seat, theme) for seat in range(num_seats)]


def _crest(seat: int, theme: Theme) -> str:
    middle = _CREST / 2
    shapes = tuple(crest(seat, (middle, middle), 0.43 * _CREST, theme))
    return elements([Layer(shapes)])
