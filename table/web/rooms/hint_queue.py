"""Hints at tables: requested by the seat to act, cancelled when it stops waiting."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable
from functools import partial
from math import inf

from gonzaga_env.tabletop.agent import Considered
from gonzaga_env.tabletop.errors import GameError

from ...hints import Hint, as_hint, reasons_for
from ...session import SessionError, StaleMoveError, WrongSeatError
from ..clients.limits import Share
from .agent_queue import AgentQueue
from .room import Room
from .roster import Roster

CLIENT_HINTS = 16  # of a client at all tables, until they are computed or given up


class HintQueue:
    """Agents' hints to people; used from one event loop only."""

    def __init__(self, roster: Roster, turns: AgentQueue) -> None:
        self._roster, self._turns = roster, turns
        self._waiting = Share(inf, CLIENT_HINTS, "hints")
        self._tasks: set[asyncio.Task[None]] = set()  # the event loop keeps no reference

    async def ask(self, room: Room, seat: int, name: str, client: str) -> Hint:
        """Returns what an agent considers for the seat to act, from what that seat knows.

        Raises:
            SessionError: the game is rated.
            WrongSeatError: the seat is not to act.
            AgentError: the agent is not on offer, or cannot say.
            WorkerError: the agent's process failed.
            StaleMoveError: a newer hint for the seat, or a move, came first.
            LimitError: the client waits for too many hints, or has had too many.
        """
        if room.rated:
            raise SessionError("a rated game has no hints")
        room.check_plays(seat)
        turn = room.session.turn(seat)
        if turn is None:
            raise WrongSeatError("hints are for the seat to act")
        found: asyncio.Future[Considered] = asyncio.get_running_loop().create_future()
        if (older := room.hints.get(seat)) is not None:
            older.cancel()
        room.hints[seat] = found
        self._roster.check(name)
        config, (observation, mask) = room.session.config, room.session.question(seat)
        ask = partial(self._roster.ask, name, "consider", config, observation, mask)
        task = asyncio.create_task(self._find(found, client, ask))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            await asyncio.wait([found])
        finally:
            found.cancel()  # the client may have left
            if room.hints.get(seat) is found:
                del room.hints[seat]
        if found.cancelled():
            raise StaleMoveError("another hint or a move came first; look again")
        why = partial(reasons_for, config, observation, seat, turn)
        return await asyncio.to_thread(as_hint, name, found.result(), turn, why)

    async def _find(
        self,
        found: asyncio.Future[Considered],
        client: str,
        ask: Callable[[], concurrent.futures.Future[Considered]],
    ) -> None:
        """Asks an agent, unless nobody waits for the hint when its turn comes.

        The turn lasts until the agent has answered, even if nobody waits any more.
        """
        try:
            with self._waiting.held(client):
                async with self._turns.hint(client):
                    if not found.done():
                        considered = await asyncio.wrap_future(ask())
                        if not found.done():
                            found.set_result(considered)
        except GameError as error:
            if not found.done():
                found.set_exception(error)
        finally:
            found.cancel()
