"""Turns at the agents: each client's, and games that nobody watches (finding F5)."""

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest
from gonzaga_table.web.clients.limits import LimitError
from gonzaga_table.web.rooms import agent_queue as module
from gonzaga_table.web.rooms.agent_queue import EXTRA_BURST, AgentQueue
from gonzaga_table.web.rooms.room import WATCHED_SECONDS

from tests.table.web.asking import SECONDS, soon
from tests.table.web.conftest import Clock, Server, module_of

pytestmark = pytest.mark.anyio


class Queue:
    """Turns that are taken, and end when they are told to."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._ends: list[asyncio.Event] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def add(self, name: str, turn: AbstractAsyncContextManager[object]) -> None:
        self._tasks.append(asyncio.create_task(self._take(name, turn)))
        await soon()

    async def _take(self, name: str, turn: AbstractAsyncContextManager[object]) -> None:
        async with turn:
            self.begun.append(name)
            self._ends.append(asyncio.Event())
            await self._ends[-1].wait()

    async def end(self, number: int) -> None:
        self._ends[number].set()
        await soon()

    async def end_all(self) -> None:
        for number in range(len(self._tasks)):
            await self.end(number)
        await asyncio.gather(*self._tasks)


async def test_a_client_has_one_question_in_an_agents_queue() -> None:
    """F5: on 0.6.0, a move waits behind a hundred of another client's tables."""
    turns, queue = AgentQueue(), Queue()
    for number in range(100):
        await queue.add(f"theirs {number}", turns.move("198.51.100.7", "search@16"))
    await queue.add("ours", turns.move("192.0.2.1", "search@16"))
    await queue.add("another agent's", turns.move("198.51.100.7", "greedy"))
    assert queue.begun == ["theirs 0", "ours", "another agent's"]
    await queue.end_all()


async def test_extra_work_is_done_one_at_a_time_and_each_client_in_turn(monkeypatch) -> None:
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0.0)
    turns, queue = AgentQueue(), Queue()
    for number in range(3):
        await queue.add(f"hint {number}", turns.hint("198.51.100.7"))
        await queue.add(f"shown {number}", turns.show("198.51.100.7"))
    await queue.add("ours", turns.hint("192.0.2.1"))
    for number in range(3):
        assert len(queue.begun) == number + 1
        await queue.end(number)
    assert queue.begun[:3] == ["hint 0", "shown 0", "ours"]
    await queue.end_all()


async def test_extra_work_of_a_client_is_limited_over_time() -> None:
    """F5: on 0.6.0, one client's hints may keep all agents computing for ever."""
    clock = Clock()
    turns = AgentQueue(clock.steady)
    async with turns.hint("198.51.100.7"):
        clock.go_on(EXTRA_BURST + 10)
    with pytest.raises(LimitError, match="too many hints") as caught:
        async with turns.hint("198.51.100.7"):
            pass
    assert caught.value.seconds > 1
    async with turns.hint("192.0.2.1"), turns.move("198.51.100.7", "greedy"):
        pass
    clock.go_on(caught.value.seconds + 1)
    async with turns.hint("198.51.100.7"):
        pass


@pytest.mark.parametrize("seats", [("human", "", ""), ("", "", "")])
def test_agents_pause_where_nobody_looks_and_go_on_when_somebody_does(
    seats, own, mine, clock
) -> None:
    """F5: on 0.6.0, agents play games to their end that nobody looks at."""
    table, people = own.open([seat or mine("Gated") for seat in seats])
    for person in people.values():
        person.play_first()
    module = module_of(own.rooms.roster, mine("Gated"), 3)
    assert module.began.wait(SECONDS)
    clock.go_on(WATCHED_SECONDS + 1)
    module.goes_on.set()
    moves = len(people) + 1
    assert own.client.portal.call(paused, own, table) == moves
    looker = people.get(0) or own.public(table)
    assert looker.look(since=moves + 1, wait=20)["moves"] > moves


async def paused(server: Server, table: str) -> int:
    """Waits until the agents of a table pause; returns the moves made."""
    room = server.rooms._rooms[table]
    if room.agents is not None:
        await asyncio.wait_for(asyncio.shield(room.agents), SECONDS)
    assert room.agents is None
    return room.session.num_moves
