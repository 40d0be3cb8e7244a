"""A process of its own for slow work, so that the server goes on answering."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from typing import Any

from gonzaga_env.kernel.agent import AgentError


class Here:
    """Calls functions in a thread of this process, one at a time."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1)  # a browser runs the function itself

    async def call(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Any:
        """Returns what a function returns; `seconds` mean nothing here."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, function, *arguments)

    def close(self) -> None:
        """Lets the thread end."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Apart:
    """Calls functions in a process of its own, one at a time.

    In a thread of the server, an agent would hold up all answers: whenever the server has waited
    for a socket or a file, it waits again until the thread hands over Python's lock. The process
    starts with the first call, and again after a failure.
    """

    def __init__(self, niceness: int) -> None:
        """Takes how much the process lets others go first (see `os.nice`)."""
        self._niceness, self._turn = niceness, asyncio.Lock()
        self._pool: Executor | None = None
        self._process = 0

    async def call(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Any:
        """Returns what a function returns, or raises what it raises.

        Raises:
            AgentError: the process failed or took more than `seconds`.
        """
        async with self._turn:
            try:
                if self._pool is None:
                    await self._start()
                assert self._pool is not None
                asked = asyncio.wrap_future(self._pool.submit(function, *arguments))
                return await asyncio.wait_for(asked, seconds)
            except (BrokenExecutor, TimeoutError, OSError) as error:
                self.close()
                raise AgentError("its process failed or took too long") from error

    async def _start(self) -> None:
        from gonzaga_agents.play.jobs import ProcessPool  # a browser has no processes

        self._pool = ProcessPool(1)
        await asyncio.wrap_future(self._pool.submit(_be_nice, self._niceness))

    def close(self) -> None:
        """Ends the process, even while it works."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False)


def _be_nice(niceness: int) -> None:
    """Lets others go first."""
    if sys.platform != "win32":
        os.nice(niceness)
