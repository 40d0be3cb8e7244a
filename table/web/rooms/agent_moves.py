"""Lets the agents at tables move, each when its turn comes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from gonzaga_agents.registry import agent_names

from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.errors import ActionError, GameError
from gonzaga_env.kernel.sentences import say

from ...session import SessionError
from .room import AgentFailure, Room

if TYPE_CHECKING:
    from .rooms import Rooms

RETRY_SECONDS = 60.0  # until an agent that has failed is asked again
PAUSE_SECONDS = 0.05  # between moves of a game without people
SUBSTITUTES = "greedy", "random"  # of which the game has one, for an agent that failed twice


class AgentMoves:
    """Lets agents move; used from one event loop only.

    An agent decides as soon as its seat may act. Where decisions are sealed, that is while people
    still think: what its seat knows does not depend on theirs. An agent that fails is asked again
    after a minute; if it fails again, another one takes its seat, so that the game continues.
    """

    def __init__(self, rooms: Rooms) -> None:
        self._rooms, self._show = rooms, asyncio.Lock()

    def start(self, room: Room) -> None:
        """Lets a table's agents move until it is people's turn, or nobody watches any more."""
        if room.agents is None and self._next(room) is not None:
            room.agents = asyncio.get_running_loop().create_task(self._run(room))

    def stop(self, room: Room) -> None:
        """Cancels what a table's agents are computing."""
        if room.agents is not None:
            room.agents.cancel()
        room.agents = None

    async def replace(self, room: Room, seat: int, name: str) -> None:
        """Lets an agent play for one that has failed; the same one is asked again.

        Raises:
            SessionError: the seat's agent has not failed.
            AgentError: the agent is not on offer, does not play this game, or its process failed.
        """
        if seat not in room.failures:
            raise SessionError(say("the agent of seat {n} has not failed", n=seat, place=seat + 1))
        if name != room.session.seats[seat].agent:
            self._rooms.roster.check(name)
            await self._rooms.roster.ask(name, "prepare", room.session.config)
            room.session.replace_agent(seat, name)
            self._rooms.save(room)
            room.rewrite()
        room.failures.pop(seat, None)
        room.notify()
        self.start(room)

    def _next(self, room: Room) -> int | None:
        """Returns a seat whose agent may move now; None if there is none, or people negotiate."""
        now, table = self._rooms.steady(), room.session
        if room.undo is not None:
            return None
        agents = (seat for seat in table.deciding if table.seats[seat].agent is not None)
        return next((seat for seat in agents if not room.has_failed(seat, now)), None)

    async def _run(self, room: Room) -> None:
        try:
            while (seat := self._next(room)) is not None and room.is_watched(self._rooms.steady()):
                name = str(room.session.seats[seat].agent)
                try:
                    if room.hashes:
                        await self._move(room, seat, name)
                    else:  # games without people take turns
                        async with self._show:
                            await self._move(room, seat, name)
                            await asyncio.sleep(PAUSE_SECONDS)
                except GameError as error:
                    await self._fail(room, seat, error)
        finally:
            if room.agents is asyncio.current_task():
                room.agents = None

    async def _move(self, room: Room, seat: int, name: str) -> None:
        """Plays one move of an agent."""
        table = room.session
        move = table.num_moves
        action = await self._rooms.roster.ask(name, "act", table.config, *table.question(seat))
        try:
            self._rooms.play(room, seat, move, action)
        except ActionError as error:
            raise AgentError(say("agent {x}: {why}", x=name, why=str(error))) from error

    async def _fail(self, room: Room, seat: int, error: GameError) -> None:
        """Notes that an agent has failed; at the second time, another one takes its seat."""
        times = room.failures[seat].times + 1 if seat in room.failures else 1
        room.failures[seat] = AgentFailure(str(error), self._rooms.steady() + RETRY_SECONDS, times)
        own = agent_names(room.session.config.game)
        substitute = next(name for name in SUBSTITUTES if name in own)
        if times > 1 and room.session.seats[seat].agent != substitute:
            with suppress(GameError):  # the first failure is the one to report
                await self.replace(room, seat, substitute)
        room.notify()
