"""The agents that a server offers, in processes of their own: who they are, and asking them.

Agents can be anybody's code, so the owner lists them when the server starts, and a request can only
name one of the list.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Literal, TypeVar
from unicodedata import normalize

import numpy as np
from gonzaga_agents.network.learned import NAME as LEARNED
from gonzaga_agents.registry import BASELINES, NAMES, agent_names, make_agent, spec_for_map
from numpy.typing import NDArray

from gonzaga_env.games import game_names, registered_games
from gonzaga_env.kernel.agent import Agent, AgentError, Considered
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.sentences import say
from gonzaga_env.kernel.spec import Config

from ..hints import Hint, as_hint, ask, reasons_for
from ..session import SeatPlayer, SessionError, StaleMoveError, choose, human, one_line
from .learn.first_games import FIRST_GAMES
from .room import Room

Question = Literal["prepare", "act", "consider"]
MAX_CACHED = 12  # configurations for which an agent is kept
_RNG = np.random.default_rng()
ANSWER_SECONDS = 120.0  # that an agent may take
_NICENESS = 5  # answers to browsers come first
OFFERED = (*BASELINES, "search@16", LEARNED)  # of this package's games

T = TypeVar("T")


class ThreadWorker:
    """Calls functions in a thread of this process, one at a time."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1)  # a browser runs the function itself

    async def call(self, function: Callable[..., T], *arguments: object, seconds: float) -> T:
        """Returns what a function returns; `seconds` is ignored."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, function, *arguments)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


class ProcessWorker:
    """Calls functions in a process of its own, one at a time.

    In a thread of the server, an agent would hold up all answers: whenever the server has waited
    for a socket or a file, it waits again until the thread hands over Python's lock. The process
    starts with the first call, and again after a failure.
    """

    def __init__(self, niceness: int) -> None:
        self._niceness, self._turn = niceness, asyncio.Lock()
        self._pool: Executor | None = None
        self._process = 0

    async def call(self, function: Callable[..., T], *arguments: object, seconds: float) -> T:
        """Returns what a function returns; AgentError if the process fails or takes too long."""
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
        from gonzaga_agents.executors import ProcessPool  # a browser has no processes

        self._pool = ProcessPool(1)
        await asyncio.wrap_future(self._pool.submit(_be_nice, self._niceness))

    def close(self) -> None:
        """Ends the process, even while it works."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False)


def _be_nice(niceness: int) -> None:
    if sys.platform != "win32":
        os.nice(niceness)


def think(name: str, question: Question, config: Config, *arrays: NDArray[Any]) -> Any:
    """Returns an agent's answer; AgentError, whatever the agent's code has raised."""
    try:
        game: Any = config
        if hasattr(config, "scenario"):  # the observation shows it, and one agent plays all
            game = replace(game, scenario=None)
        agent = agent_of(name, game)
        if question == "prepare":
            return None
        observation, mask = arrays
        return (choose if question == "act" else ask)(agent, observation, mask, _RNG)
    except BaseException as error:  # an agent may be anybody's code
        raise AgentError(say("agent {x}: {why}", x=name, why=one_line(error))) from None


@lru_cache(maxsize=MAX_CACHED)
def agent_of(name: str, config: Config) -> Agent:
    """Returns the agent of a game, the same one as long as it is kept."""
    return make_agent(spec_for_map(name, config), config)


class Roster:
    """The agents on offer.

    Each answers one question at a time, so agents need no locks, and a slow one holds up only the
    tables where it sits.
    """

    def __init__(self, more: Sequence[str] = (), *, in_processes: bool = False) -> None:
        others = [game for game in registered_games() if game not in game_names()]
        own = [name for game in others for name in agent_names(game)]
        self.names = tuple(dict.fromkeys((*OFFERED, *own, *more)))
        self._own = {*NAMES, *own}  # names of agents that a game may lack
        self.in_processes = in_processes
        teachers = {first.opponent for first in FIRST_GAMES.values()}  # others are not offered them
        names = {*self.names, *teachers}
        self._workers = {
            name: ProcessWorker(_NICENESS) if in_processes else ThreadWorker() for name in names
        }
        self._folded = {name.casefold() for name in names}

    def names_for(self, game: str) -> list[str]:
        """Returns the specs on offer for a game: its own agents, and what the owner adds."""
        own = agent_names(game)
        return [
            name
            for name in self.names
            if (base := name.partition("@")[0]) in own or base not in self._own
        ]

    def check(self, name: object) -> str:
        """Returns the name of an agent that a request asks for."""
        if name not in self.names:
            names = ", ".join(self.names)
            template = "there is no agent {x} here; there are {names}"
            raise AgentError(say(template, x=repr(name), names=names))
        return str(name)

    def person(self, name: str) -> SeatPlayer:
        """Returns the seat of a person, whom nobody takes for an agent."""
        seat = human(name)
        folded = normalize("NFKC", seat.name).casefold()
        if (
            folded.partition("@")[0].partition(":")[0].strip() in self._own
            or folded in self._folded
        ):
            raise OptionError(
                say("{x} is an agent's name; take another one", x=short_repr(seat.name))
            )
        return seat

    async def ask(
        self, name: str, question: Question, config: Config, *arrays: NDArray[Any]
    ) -> Any:
        """Returns what an agent on offer answers (see `think`)."""
        if name not in self._workers:  # a table of an earlier start may name one that is gone
            self.check(name)
        arguments = name, question, config, *arrays
        try:
            return await self._workers[name].call(think, *arguments, seconds=ANSWER_SECONDS)
        except AgentError as error:
            text = str(error)
            if not text.startswith("agent "):
                text = say("agent {x}: {why}", x=name, why=text)
            raise AgentError(text) from error

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()


class Hints:
    """Agents' hints to people, computed one at a time; used from one event loop only."""

    def __init__(self, roster: Roster) -> None:
        self._roster, self._turn = roster, asyncio.Lock()

    async def ask(self, room: Room, seat: int, name: str) -> Hint:
        """Returns what an agent considers for the seat to act, from what that seat knows."""
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
