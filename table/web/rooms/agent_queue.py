"""Whose question an agent answers next.

A client that asks often hardly delays others: each client has one question at a time
in an agent's queue. Hints and games without people get one core at most: they take turns with each
other, one at a time in the whole server.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from time import monotonic
from weakref import WeakValueDictionary

from ..clients.limits import Rate

EXTRA_RATE, EXTRA_BURST = 0.25, 30.0  # seconds of extra work a second of a client, and saved up
PAUSE_SECONDS = 0.05  # between moves of a client's games without people


class AgentQueue:
    """Lets clients take turns at the agents; used from one event loop only.

    Moves of games with people are never refused. Extra work (hints, and games without people) is
    limited over time.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        self._extra = asyncio.Lock()
        self._spent = Rate(EXTRA_RATE, EXTRA_BURST, clock)

    def move(self, client: str, agent: str) -> AbstractAsyncContextManager[object]:
        """Waits for the client's turn at an agent, for a game with people."""
        return self._lock(client, f"agent {agent}")

    @asynccontextmanager
    async def hint(self, client: str) -> AsyncIterator[None]:
        """Waits for the client's turn to get a hint.

        Raises:
            LimitError: the client has used up its time.
        """
        async with self._lock(client, "hint"):
            self._spent.check(client, "too many hints for this address; ask again later")
            async with self._timed(client):
                yield

    @asynccontextmanager
    async def show(self, client: str) -> AsyncIterator[None]:
        """Waits until it is the client's turn, in a game without people, and it has time left."""
        async with self._lock(client, "show"):
            await asyncio.sleep(self._spent.wait(client))
            async with self._timed(client):
                yield
            await asyncio.sleep(PAUSE_SECONDS)

    def _lock(self, client: str, what: str) -> asyncio.Lock:
        return self._locks.setdefault((client, what), asyncio.Lock())

    @asynccontextmanager
    async def _timed(self, client: str) -> AsyncIterator[None]:
        """Waits until no other extra work is done, and counts the seconds."""
        async with self._extra:
            began = self._clock()
            try:
                yield
            finally:
                self._spent.spend(client, self._clock() - began)
