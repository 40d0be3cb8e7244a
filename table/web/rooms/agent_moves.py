"""Lets the agents at tables move, each when its turn comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from gonzaga_agents.registry import agent_names

from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.errors import ActionError, GameError

from ...session import SessionError
from .agent_queue import AgentQueue
from .room import AgentFailure, Room

if TYPE_CHECKING:
    from .rooms import Rooms

RETRY_SECONDS = 60.0  # until an agent that has failed is asked again
SUBSTITUTES = "greedy", "random"  # of which the game has one, for an agent that failed twice


class AgentMoves:
    """Lets agents move; used from one event loop only.

    An agent decides as soon as its seat may act. Where decisions are sealed, that is while people
    still think: what its seat knows does not depend on theirs. An agent that fails is asked again
    after a minute; if it fails again, another one takes its seat, so that the game continues.
    """

    def __init__(self, rooms: Rooms, turns: AgentQueue, steady: Callable[[], float]) -> None:
        self._rooms, self._turns, self._steady = rooms, turns, steady

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
            SessionError: the seat's agent has not failed, or the game is rated.
            AgentError: the agent is not on offer, or does not play this game.
            WorkerError: its process failed.
        """
        if seat not in room.failures:
            raise SessionError(f"the agent of seat {seat} has not failed")
        if name != room.session.seats[seat].agent:
            if room.rated:
                raise SessionError("a rated game keeps its agents; resign, which costs nothing now")
            self._rooms.roster.check(name)
            config = room.session.config
            async with self._turns.move(room.client or "", name):
                await asyncio.wrap_future(self._rooms.roster.ask(name, "prepare", config))
            room.session.replace_agent(seat, name)
            self._rooms.save(room)
            room.rewrite()
        room.failures.pop(seat, None)
        room.notify()
        self.start(room)

    def _next(self, room: Room) -> int | None:
        """Returns a seat whose agent may move now; None if there is none, or people negotiate."""
        now, table = self._steady(), room.session
        if room.undo is not None:
            return None
        agents = (seat for seat in table.deciding if table.seats[seat].agent is not None)
        return next((seat for seat in agents if not room.has_failed(seat, now)), None)

    async def _run(self, room: Room) -> None:
        client = room.client or ""
        try:
            while (seat := self._next(room)) is not None and room.is_watched(self._steady()):
                name, with_people = str(room.session.seats[seat].agent), bool(room.hashes)
                turn = self._turns.move(client, name) if with_people else self._turns.show(client)
                try:
                    async with turn:
                        await self._move(room, seat, name)
                except GameError as error:
                    await self._fail(room, seat, error)
        finally:
            if room.agents is asyncio.current_task():
                room.agents = None

    async def _move(self, room: Room, seat: int, name: str) -> None:
        """Plays one move of an agent."""
        table = room.session
        move = table.num_moves
        asked = self._rooms.roster.ask(name, "act", table.config, *table.question(seat))
        action = await asyncio.wrap_future(asked)
        try:
            self._rooms.play(room, seat, move, action)
        except ActionError as error:
            raise AgentError(f"agent {name}: {error}") from error

    async def _fail(self, room: Room, seat: int, error: GameError) -> None:
        """Notes that an agent has failed; at the second time, another one takes its seat."""
        times = room.failures[seat].times + 1 if seat in room.failures else 1
        room.failures[seat] = AgentFailure(str(error), self._steady() + RETRY_SECONDS, times)
        own = agent_names(room.session.config.game)
        substitute = next(name for name in SUBSTITUTES if name in own)
        if times > 1 and room.session.seats[seat].agent != substitute:
            with suppress(GameError):  # the first failure is the one to report
                if room.rated and len(room.hashes) > 1:
                    self._rooms.void(room, "failed")
                await self.replace(room, seat, substitute)
        room.notify()
