"""Tables and records as the JSON that is sent. Values that stay the same are made once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gonzaga_env.kernel.view import Frame, Viewer
from gonzaga_env.render.palette import Theme

from ..choices import Deciding
from ..gonzaga import page
from ..session import GameSession
from .learn.first_game import is_first_game, lesson_of
from .learn.lessons import SEAT
from .picture import blocks_json, board_address, frame_texts, moved, turn_json
from .rooms.room import Room
from .values import as_json

_PAGES = {"gonzaga": page}  # games with a page of their own
#: Returns a text of a viewer, by its name and what makes it (see `Frames.kept`).
Kept = Callable[[str, Callable[[], str]], bytes]


def table_json(
    room: Room,
    edition_id: str,
    viewer: Viewer,
    since: int | None,
    frames: Sequence[bytes],
    kept: Kept,
    *,
    with_turn: bool = True,
) -> bytes:
    """Returns the position of a table, as a seat or the public may see it.

    Args:
        room: the table.
        edition_id: what the server calls the edition.
        viewer: a seat or "public".
        since: the first frame wanted; None for the last, with the log of those before it.
        frames: the frames from there on, or as many of them as one answer holds.
        kept: keeps what takes long to make.
        with_turn: whether the seat's legal choices are sent.
    """
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
        parts += [b',"log":', kept("log", lambda: _log_json(table, viewer))]
    if head["lessons"]:
        parts += [b',"lesson":', kept("lesson", lambda: as_json(lesson_of(table, seat)))]
    else:
        parts += [b',"lesson":null']
    if with_turn:
        decides = seat in table.deciding
        turn = kept("turn", lambda: _turn_json(table, int(viewer))) if decides else b"null"
        parts += [b',"turn":', turn]
    return b"".join((*parts, b"}"))


def _log_json(table: GameSession, viewer: Viewer) -> str:
    """Returns the lines of all frames but the last one."""
    told = table.log(viewer)[:-1]
    return as_json([{"move": move, "lines": lines} for move, lines in enumerate(told)])


def own_page(game: str) -> Any:
    """Returns the module that draws a game's own page; None if blocks of drawings show it."""
    return _PAGES.get(game)


def frame_json(edition: Any, frame: Frame, theme: Theme, before: Any = None) -> str:
    """Returns a position with its lines and pieces, or with its blocks.

    Args:
        edition: the edition.
        frame: the position.
        theme: the colours.
        before: the view before the last move, if blocks that it did not change are left out.
    """
    content = {"move": frame.move, "lines": frame.lines, "view": frame.view}
    if (page := own_page(edition.game)) is not None:
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
