"""News of a table as a continuing answer: server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gonzaga_env.kernel.view import Viewer

from ...session import StaleMoveError
from ..requests import while_connected
from .room import Room
from .rooms import Rooms

QUIET_SECONDS = 10.0  # after which an empty event shows that the server is there

#: Returns the position from a frame on, or all of it for None; with a seat's turn or without.
Tell = Callable[[int | None, bool], Awaitable[tuple[bytes, int]]]


class Seen(NamedTuple):
    """What a page has seen: moves, and the revision of the table."""

    moves: int
    revision: int


class EventStream(Response):
    """Sends the news of a table until the client leaves or the table is read again.

    Each event holds an answer as `table_json` makes it. `turn` is left out while it stays the same.
    After a change of names or of the history, an event holds the whole position.
    """

    media_type = "text/event-stream"

    def __init__(
        self, rooms: Rooms, room: Room, viewer: Viewer, seen: Seen | None, tell: Tell
    ) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._rooms, self._room, self._viewer = rooms, room, viewer
        self._seen, self._tell = seen, tell
        self._turn: Any = None  # which turn was sent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the news (errors as `Room.attended`, before anything is sent)."""
        with self._room.attended(self._viewer), self._room.shown(self._viewer):
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            with suppress(ClientDisconnect):
                await while_connected(receive, self._send_news(send))

    async def _send_news(self, send: Send) -> None:
        room = self._room
        while not room.ended:
            news = room.news
            with suppress(StaleMoveError):  # the history has changed in between
                whole = await self._send_position(send)
                if not whole or news.is_set():
                    continue
                await self._wait(news, send)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _wait(self, news: asyncio.Event, send: Send) -> None:
        """Waits for news; now and then sends a sign of life and notes that the page is open."""
        while not news.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(QUIET_SECONDS):
                    await news.wait()
            if not news.is_set():
                await _send(send, b":\n\n")
                self._rooms.look_at(self._room)

    async def _send_position(self, send: Send) -> bool:
        """Sends what is new; returns whether that was all."""
        table, seen = self._room.session, self._seen
        if seen is not None and (seen.revision != table.revision or seen.moves > table.num_moves):
            seen = None
        mine = self._viewer in table.deciding and self._viewer in self._room.people
        turn = table.revision, table.stage, mine
        text, number = await self._tell(
            None if seen is None else seen.moves + 1, turn != self._turn
        )
        await _send(send, b"data: " + text + b"\n\n")
        self._seen, self._turn = Seen(number, turn[0]), turn
        return number == table.num_moves


async def _send(send: Send, text: bytes) -> None:
    await send({"type": "http.response.body", "body": text, "more_body": True})
