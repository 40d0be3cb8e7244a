"""Positions of tables as they are sent, made once for each viewer and theme; and records.

A finished game has some hundred positions, together 2 to 4 MB, and each takes about a millisecond
to make. So they are kept within a budget, sent in pages, and old ones are made one at a time: while
somebody reads a whole game, players wait for one position at most.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Protocol
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.sentences import say
from gonzaga_env.kernel.view import Frame, View, Viewer
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import Theme, nth
from gonzaga_env.render.pictures import Block, Spot
from gonzaga_env.render.shapes import Layer, Point, Scene
from gonzaga_env.render.svg import compact_elements, elements

from ..choices import Deciding
from ..gonzaga import page as gonzaga_page
from ..session import GameSession, StaleMoveError
from .learn.first_games import is_first_game, lesson_of
from .learn.lessons import SEAT
from .protocol import as_json
from .room import Room


class GamePage(Protocol):
    """A module that draws a game's own page, and answers its questions."""

    def board(self, edition: Any, scenario: str | None, theme: Theme) -> dict[str, object]: ...

    def pieces_json(self, edition: Any, view: Any, theme: Theme) -> str: ...

    def refusal_json(self, table: GameSession, seat: int, query: QueryParams) -> str:
        """Returns why a seat may not play something, or null if it may."""
        ...

    def overview_json(self, table: GameSession, viewer: Viewer) -> str: ...


#: The games with a page of their own; others are shown as blocks of drawings.
GAME_PAGES: dict[str, GamePage] = {"gonzaga": gonzaga_page}
CACHED_BYTES = 64 << 20  # of all tables
ENTRY_BYTES = 512  # that a text takes beside its own
PAGE_FRAMES = 32
PAGE_BYTES = 256 << 10  # the frame that exceeds them is the last of its page
MOST_MOVED = 2  # places that are marked
_CREST = 40.0  # width of a crest
_COLORS = "paper", "ink", "frame", "muted", "mark", "sources"  # of drawings, that pages use
RECENT = 4  # moves shown immediately; older ones wait in the queue


class ByteCache:
    """Texts as bytes within a budget; those unused for longest are dropped first."""

    def __init__(self, budget: int) -> None:
        self._budget, self._kept = budget, OrderedDict[Hashable, bytes]()
        self.size = 0

    def get(self, key: Hashable) -> bytes | None:
        """Returns what is kept under a key; None if nothing is."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def add(self, key: Hashable, text: bytes) -> None:
        """Keeps a text, and drops others where the budget is exceeded."""
        if (old := self._kept.pop(key, None)) is not None:
            self.size -= len(old) + ENTRY_BYTES
        self.size += len(text) + ENTRY_BYTES
        self._kept[key] = text
        while self.size > self._budget:
            self.size -= len(self._kept.popitem(last=False)[1]) + ENTRY_BYTES


class FrameCache:
    """The frames of all tables, each under its room, viewer and theme; used from one event loop."""

    def __init__(self, budget: int = CACHED_BYTES) -> None:
        self.cache = ByteCache(budget)
        self._turn, self._record_turn = asyncio.Lock(), asyncio.Lock()

    async def page(self, room: Room, viewer: Viewer, theme: Theme, since: int) -> list[bytes]:
        """Returns the frames from `since` on that fit into one answer, at least one if there is."""
        found: list[bytes] = []
        size = 0
        for number in range(since, since + PAGE_FRAMES):
            if number > room.session.num_moves or size >= PAGE_BYTES:
                break
            found.append(await self.frame(room, viewer, theme, number))
            size += len(found[-1])
        return found

    async def last(self, room: Room, viewer: Viewer, theme: Theme) -> bytes:
        """Returns the frame of the position now, which needs no earlier one."""
        while True:
            number, serial = room.session.num_moves, room.serial
            with suppress(StaleMoveError):
                frame = await self.frame(room, viewer, theme, number, whole=True)
                if (number, serial) == (room.session.num_moves, room.serial):
                    return frame  # there was no move in between

    async def frame(
        self, room: Room, viewer: Viewer, theme: Theme, number: int, *, whole: bool = False
    ) -> bytes:
        """Returns the frame of a move that has been made; a `whole` one needs no earlier one."""
        whole = whole and room.session.config.game not in GAME_PAGES
        # The room's own number, not the table's id: a room that is read again may differ.
        key = room.serial, viewer, theme, number, whole
        if (kept := self.cache.get(key)) is not None:
            return kept
        log, moves, serial = room.session.log_of(viewer), room.session.moves, room.serial
        if min(number, log.num_logged) >= len(moves) - RECENT:  # players need not queue
            return self._make(room.session, viewer, theme, number, key, whole)
        while (kept := self.cache.get(key)) is None:
            async with self._turn:
                if room.serial != serial:
                    raise StaleMoveError("the table has changed; look again")
                if log.num_logged >= number:
                    return self._make(room.session, viewer, theme, number, key, whole)
                log.extend(moves, 1)
                await asyncio.sleep(0)
        return kept

    def cached_text(self, room: Room, viewer: Viewer, name: str, make: Callable[[], str]) -> bytes:
        """Returns a text that follows from the position, made once for each viewer."""
        table = room.session
        key = room.serial, viewer, name, table.num_moves, *table.pending.items()
        if (text := self.cache.get(key)) is None:
            text = make().encode()
            self.cache.add(key, text)
        return text

    def _make(
        self,
        table: GameSession,
        viewer: Viewer,
        theme: Theme,
        number: int,
        key: Hashable,
        whole: bool,
    ) -> bytes:
        log = table.log_of(viewer)
        log.extend(table.moves[:number])
        changes = table.config.game not in GAME_PAGES and number > 0 and not whole
        before = log.frame(table.moves, number - 1).view if changes else None
        frame = log.frame(table.moves, number)
        text = frame_json(table.config.edition, frame, theme, before).encode()
        self.cache.add(key, text)
        return text

    async def record(self, room: Room) -> bytes:
        """Returns the record of a finished game as a line of JSON."""
        key = room.serial, "record"
        async with self._record_turn:
            if (kept := self.cache.get(key)) is None:
                # A replay of the whole game, which cannot be made in parts: in a thread, which
                # others interrupt, and one at a time.
                record = await asyncio.to_thread(room.session.record)
                kept = (json.dumps(record, ensure_ascii=False) + "\n").encode()
                self.cache.add(key, kept)
            return kept


#: Returns a text of a viewer, by its name and what makes it (see `FrameCache.cached_text`).
CachedText = Callable[[str, Callable[[], str]], bytes]


def table_json(
    room: Room,
    edition_id: str,
    viewer: Viewer,
    since: int | None,
    frames: Sequence[bytes],
    cached_text: CachedText,
    *,
    with_turn: bool = True,
) -> bytes:
    table, seat = room.session, viewer if isinstance(viewer, int) else None
    edition = table.config.edition
    head = {
        "table": room.id,
        "game": table.config.game,
        "seat": seat,
        "over": table.over,
        "moves": table.num_moves,
        "edition": edition_id,
        "board": board_address(edition_id, edition, table.scenario),
        "rules": table.config.rules,
        "seats": [
            {"seat": i, **vars(seat), "name": name}
            for i, (seat, name) in enumerate(zip(table.seats, table.names, strict=True))
        ],
        "lessons": seat == SEAT and is_first_game(table),
        "deciding": table.deciding,
        "sealed": table.sealed,
        "pending": None if seat is None else table.pending_choice(seat),
        "present": {"seats": room.present, "spectators": room.num_spectators},
        "undo": room.undo,
        "next": room.next,
        "revision": table.revision,
        "problem": room.problem,
        "failed": sorted(room.failures),
        "more": since is not None and since + len(frames) <= table.num_moves,
    }
    parts = [as_json(head)[:-1].encode(), b',"frames":[', b",".join(frames), b"]"]
    if since is None:
        parts += [b',"log":', cached_text("log", lambda: _log_json(table, viewer))]
    if head["lessons"]:
        parts += [b',"lesson":', cached_text("lesson", lambda: as_json(lesson_of(table, seat)))]
    else:
        parts += [b',"lesson":null']
    if with_turn:
        decides = seat in table.deciding
        turn = cached_text("turn", lambda: _turn_json(table, int(viewer))) if decides else b"null"
        parts += [b',"turn":', turn]
    return b"".join((*parts, b"}"))


def _log_json(table: GameSession, viewer: Viewer) -> str:
    log = table.log(viewer)[:-1]
    return as_json([{"move": move, "lines": lines} for move, lines in enumerate(log)])


def frame_json(edition: EditionBase, frame: Frame, theme: Theme, before: View | None = None) -> str:
    """Returns a position with its lines, and its pieces or the blocks changed since `before`."""
    content = {"move": frame.move, "lines": frame.lines, "view": frame.view}
    if (page := GAME_PAGES.get(edition.game)) is not None:
        pieces = page.pieces_json(edition, frame.view, theme)
        return f'{as_json(content)[:-1]},"pieces":{pieces}}}'
    content |= frame_texts(frame.view, edition.game)
    content["moved"] = [] if before is None else moved(before, frame.view, edition.game)
    blocks = blocks_json(edition, before, frame.view, theme)
    return f'{as_json(content)[:-1]},"blocks":{blocks}}}'


def _turn_json(table: GameSession, seat: int) -> str:
    turn = table.turn(seat)
    if isinstance(turn, Deciding):
        return turn_json(turn, table.config.edition, table.view(seat))
    return "null" if turn is None else as_json(turn)


@lru_cache(maxsize=32)
def board_json(edition: EditionBase, scenario: str | None, theme: Theme) -> str:
    """Returns what stays the same of a board (see docs/play.md)."""
    spec = game_spec(edition.game)
    seats, middle = range(max(spec.players)), (_CREST / 2, _CREST / 2)
    drawn = [tuple(crest(seat, middle, 0.43 * _CREST, theme)) for seat in seats]
    colors = {name: getattr(theme, name) for name in _COLORS}
    common = {
        "colors": colors | {"players": [nth(theme.players, seat) for seat in seats]},
        "crests": [elements([Layer(shapes)]) for shapes in drawn],
    }
    if (page := GAME_PAGES.get(edition.game)) is not None:
        return as_json(common | page.board(edition, scenario, theme))
    first, last, _ = spec.counted.indices(len(spec.sources))
    own = {
        "title": say("{game}: {edition}", game=spec.title, edition=say(edition.name)),
        "reconstruction": getattr(edition, "reconstruction", False),
        "sources": [say(source.replace("_", " ")) for source in spec.sources],
        "counted": [first, last],
    }
    return as_json(common | own)


def blocks_json(edition: EditionBase, before: View | None, view: View, theme: Theme) -> str:
    """Returns the blocks of a position as a JSON list; unchanged ones have no drawing nor lines."""
    pictures = game_pictures(edition.game)
    known = [] if before is None else [*pictures.blocks(edition, before)]
    blocks = (_block(block, block in known, theme) for block in pictures.blocks(edition, view))
    return f"[{','.join(blocks)}]"


def _block(block: Block, known: bool, theme: Theme) -> str:
    head = {"name": block.name, "seat": block.seat, "below": block.below}
    if known:
        return as_json(head)
    drawing = _drawing(block.draw, block.values, theme)
    places = [[*_box(place.points), place.words] for place in block.places]
    return f"{as_json(head | {'lines': block.lines, 'places': places})[:-1]},{drawing}}}"


def _box(points: Sequence[Point]) -> list[int]:
    xs, ys = zip(*points, strict=True)
    return [round(value) for value in (min(xs), min(ys), max(xs), max(ys))]


@lru_cache(maxsize=1 << 10)  # of up to 30 kB
def _drawing(draw: Callable[..., Scene], values: tuple[object, ...], theme: Theme) -> str:
    """Returns the members of a JSON object that hold a drawing."""
    scene = draw(*values, theme)
    shown = {"width": scene.width, "height": scene.height, "svg": compact_elements(scene.shapes)}
    return as_json(shown)[1:-1]


def frame_texts(view: View, game: str) -> dict[str, object]:
    """Returns what a page says of a position: the view, its stage and end, and what decides."""
    pictures = game_pictures(game)
    return {
        "view": vars(view),
        "stage": pictures.stage(view),
        "note": pictures.note(view),
        "totals": [player.score for player in view.players],
        "tallies": [pictures.tallies(view, player.seat) for player in view.players],
    }


def turn_json(turn: Deciding, edition: EditionBase, view: View) -> str:
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


def _spot(spot: Spot) -> dict[str, object]:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in spot.points)
    return {"block": spot.block, "seat": spot.seat, "points": points}


def moved(before: View, after: View, game: str) -> list[dict[str, object]]:
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


def preview_json(
    turn: Deciding, action: int, edition: EditionBase, view: View, theme: Theme
) -> str:
    """Returns the blocks that an action would change, as far as the view shows them."""
    text = next((choice.text for choice in turn.choices if choice.action == action), "")
    after = game_pictures(edition.game).preview(edition, view, text)
    return "[]" if after is None else blocks_json(edition, view, after, theme)


def board_address(edition_id: str, edition: EditionBase, scenario: str | None) -> str:
    """Returns where the page finds a board; the address changes with the edition's content."""
    query = {"edition": edition_id, "scenario": scenario, "v": edition.digest[:8]}
    return f"/api/board?{urlencode({name: value for name, value in query.items() if value})}"
