"""Lets the agents at tables move, each when its turn comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.errors import ActionError, GameError

from .agent_queue import AgentQueue
from .room import Failure, Room
from .roster import Roster

RETRY_SECONDS = 60.0  # until an agent that has failed is asked again

Play = Callable[[Room, int, int, int], None]


class AgentMoves:
    """Lets agents move; used from one event loop only.

    An agent decides as soon as its seat may act. Where decisions are sealed, that is while people
    still think: what its seat knows does not depend on theirs.
    """

    def __init__(
        self, roster: Roster, turns: AgentQueue, play: Play, steady: Callable[[], float]
    ) -> None:
        """Takes the agents on offer, whose turn it is to ask them, `Rooms.play`, and a clock."""
        self._roster, self._turns, self._play, self._steady = roster, turns, play, steady

    def start(self, room: Room) -> None:
        """Lets a table's agents move until people are to act, or nobody looks any more."""
        if room.agents is None and self._next(room) is not None:
            room.agents = asyncio.get_running_loop().create_task(self._run(room))

    def _next(self, room: Room) -> int | None:
        """Returns a seat whose agent may move now; None if there is none."""
        now, table = self._steady(), room.session
        agents = (seat for seat in table.deciding if table.seats[seat].agent is not None)
        return next((seat for seat in agents if not room.has_failed(seat, now)), None)

    async def _run(self, room: Room) -> None:
        client = room.client or ""
        try:
            while (seat := self._next(room)) is not None and room.is_watched(self._steady()):
                name, with_people = str(room.session.seats[seat].agent), room.has_people
                turn = self._turns.move(client, name) if with_people else self._turns.show(client)
                try:
                    async with turn:
                        await self._move(room, seat, name)
                except GameError as error:
                    room.failures[seat] = Failure(str(error), self._steady() + RETRY_SECONDS)
                    room.notify()
        finally:
            room.agents = None

    async def _move(self, room: Room, seat: int, name: str) -> None:
        """Plays one move of an agent."""
        table = room.session
        move = table.num_moves
        asked = self._roster.act(name, table.config, *table.question(seat))
        action = await asyncio.wrap_future(asked)
        try:
            self._play(room, seat, move, action)
        except ActionError as error:
            raise AgentError(f"agent {name}: {error}") from error
