"""Hints at tables: requested by the seat to act, cancelled when it stops waiting."""

from __future__ import annotations

import asyncio
from functools import partial

from gonzaga_env.kernel.agent import Considered

from ...hints import Hint, as_hint, reasons_for
from ...session import SessionError, StaleMoveError
from .room import Room
from .roster import Roster


class Hints:
    """Agents' hints to people, computed one at a time; used from one event loop only."""

    def __init__(self, roster: Roster) -> None:
        self._roster, self._turn = roster, asyncio.Lock()

    async def ask(self, room: Room, seat: int, name: str) -> Hint:
        """Returns what an agent considers for the seat to act, from what that seat knows.

        Raises:
            SessionError: the seat is not to act.
            AgentError: the agent is not on offer, cannot say, or its process failed.
            StaleMoveError: a newer hint for the seat, or a move, came first.
        """
        turn = room.session.turn(seat)
        if turn is None:
            raise SessionError("hints are for the seat to act")
        self._roster.check(name)
        if (older := room.hints.get(seat)) is not None:
            older.cancel()
        config, (observation, mask) = room.session.config, room.session.question(seat)

        async def find() -> Considered:
            async with self._turn:
                found: Considered = await self._roster.ask(
                    name, "consider", config, observation, mask
                )
                return found

        task = room.hints[seat] = asyncio.create_task(find())
        try:
            await asyncio.wait([task])
        finally:
            task.cancel()  # the client may have left
            if room.hints.get(seat) is task:
                del room.hints[seat]
        if task.cancelled():
            raise StaleMoveError("another hint or a move came first; look again")
        why = partial(reasons_for, config, observation, seat, turn)
        return await asyncio.to_thread(as_hint, name, task.result(), turn, why)
