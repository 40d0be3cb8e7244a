"""Tables and records as the JSON that is sent. Values that stay the same are made once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.render.palette import Theme
from gonzaga_env.tabletop.records.log import Frame, Viewer

from ..session import GameSession
from .board import board_address, pieces_json
from .rooms.room import Room


def as_json(value: Any) -> str:
    """Returns a value as compact JSON; dataclasses become objects."""
    return json.dumps(value, default=vars, ensure_ascii=False, separators=(",", ":"))


def table_json(
    room: Room, edition_id: str, viewer: Viewer, since: int | None, frames: Sequence[bytes]
) -> bytes:
    """Returns the position of a table, as a seat or the public may see it.

    Args:
        room: the table.
        edition_id: what the server calls the edition.
        viewer: a seat or "public".
        since: the first frame wanted; None for the last, with the log of those before it.
        frames: the frames from there on, or as many of them as one answer holds.
    """
    table, seat = room.session, viewer if isinstance(viewer, int) else None
    edition = table.config.edition
    head = {
        "table": room.id,
        "seat": seat,
        "over": table.over,
        "moves": table.num_moves,
        "edition": edition_id,
        "board": board_address(edition_id, edition, table.scenario),
        "rules": table.config.rules,
        "seats": [{"seat": i, **vars(seat)} for i, seat in enumerate(table.seats)],
        "problem": room.problem,
        "more": since is not None and since + len(frames) <= table.num_moves,
    }
    if since is None:
        told = table.log(viewer)[:-1]
        head["log"] = [{"move": move, "lines": lines} for move, lines in enumerate(told)]
    turn = "null" if seat is None else _turn_json(table, seat)
    parts = (as_json(head)[:-1].encode(), b',"frames":[', b",".join(frames))
    return b"".join((*parts, b'],"turn":', turn.encode(), b"}"))


def frame_json(edition: Edition, frame: Frame, theme: Theme) -> str:
    """Returns a position with its lines and pieces."""
    content = as_json({"move": frame.move, "lines": frame.lines, "view": frame.view})
    return f'{content[:-1]},"pieces":{pieces_json(edition, frame.view, theme)}}}'


def _turn_json(table: GameSession, seat: int) -> str:
    turn = table.turn(seat)
    return "null" if turn is None else as_json(turn)
