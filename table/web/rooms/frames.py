"""Positions of tables as bytes, made once for each viewer and theme, and records.

A finished game has some hundred positions, together 2 to 4 MB, and each takes about a millisecond
to make. So they are kept within a budget, sent in pages, and old ones are made one at a time: while
somebody reads a whole game, players wait for one position at most.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress

from gonzaga_env.kernel.view import Viewer
from gonzaga_env.render.palette import Theme

from ...session import GameSession, StaleMoveError
from ..answers import frame_json, own_page
from .room import Room

CACHED_BYTES = 64 << 20  # of all tables
ENTRY_BYTES = 512  # that a text takes beside its own
PAGE_FRAMES = 32
PAGE_BYTES = 256 << 10  # the frame that exceeds them is the last of its page
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


class Frames:
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
        self,
        room: Room,
        viewer: Viewer,
        theme: Theme,
        number: int,
        *,
        whole: bool = False,
    ) -> bytes:
        """Returns the frame of a move that has been made; a `whole` one needs no earlier one."""
        whole = whole and own_page(room.session.config.game) is None
        # The room's own number, not the table's id: a room that is read again may differ.
        key = room.serial, viewer, theme, number, whole
        if (kept := self.cache.get(key)) is not None:
            return kept
        told, moves, serial = room.session.log_of(viewer), room.session.moves, room.serial
        if min(number, told.num_logged) >= len(moves) - RECENT:  # players need not queue
            return self._make(room.session, viewer, theme, number, key, whole)
        while (kept := self.cache.get(key)) is None:
            async with self._turn:
                if room.serial != serial:
                    raise StaleMoveError("the table has changed; look again")
                if told.num_logged >= number:
                    return self._make(room.session, viewer, theme, number, key, whole)
                told.extend(moves, 1)
                await asyncio.sleep(0)
        return kept

    def kept(self, room: Room, viewer: Viewer, name: str, make: Callable[[], str]) -> bytes:
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
        told = table.log_of(viewer)
        told.extend(table.moves[:number])
        changes = own_page(table.config.game) is None and number > 0 and not whole
        before = told.frame(table.moves, number - 1).view if changes else None
        frame = told.frame(table.moves, number)
        text = frame_json(table.config.edition, frame, theme, before).encode()
        self.cache.add(key, text)
        return text

    async def record(self, room: Room) -> bytes:
        """Returns the record of a finished game as a line of JSON.

        Raises:
            SessionError: the game is not over.
        """
        key = room.serial, "record"
        async with self._record_turn:
            if (kept := self.cache.get(key)) is None:
                # A replay of the whole game, which cannot be made in parts: in a thread, which
                # others interrupt, and one at a time.
                record = await asyncio.to_thread(room.session.record)
                kept = (json.dumps(record, ensure_ascii=False) + "\n").encode()
                self.cache.add(key, kept)
            return kept
