"""The agents that a server offers: who may sit at a table or give hints, and how they are asked.

Specs can run code, so the owner lists them when the server starts, and a request can only name one
of the list.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.util import find_spec
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.config import GameConfig

from ...agent import Agent, AgentError, Considered
from ...policies.learned import NAME as LEARNED
from ...registry import BASELINES, make_agent
from ..hints import ask
from ..table import choose, one_line
from .clients.limits import LimitError

LADDER = (*BASELINES, "search@16")
MAX_CACHED = 12  # configurations for which an agent is kept
MAX_HINTS = 32  # that wait for an agent

_Task = tuple[Future[Any], Callable[[], Any]]


class Roster:
    """The agents on offer, each with a thread of its own.

    An agent's thread makes it, asks it and keeps it, so agents need no locks, and a slow one holds
    up only the tables where it sits.

    Attributes:
        names: the specs on offer.
    """

    def __init__(self, more: Sequence[str] = ()) -> None:
        """Takes the specs that the owner adds to the ladder."""
        learned = (LEARNED,) if find_spec("onnxruntime") else ()
        self.names = tuple(dict.fromkeys((*LADDER, *learned, *more)))
        self._threads = {name: _AgentThread(name) for name in self.names}

    def check(self, name: Any) -> str:
        """Returns the name of an agent on offer.

        Raises:
            AgentError: it is not on offer.
        """
        if name not in self.names:
            raise AgentError(f"there is no agent {name!r} here; there are {', '.join(self.names)}")
        return str(name)

    def prepare(self, name: str, config: GameConfig) -> Future[None]:
        """Makes an agent; the future raises GonzagaError if it does not play this game."""
        thread = self._threads[self.check(name)]
        return thread.run(lambda: (thread.agent(config), None)[1])

    def act(
        self,
        name: str,
        config: GameConfig,
        observation: NDArray[np.uint8],
        mask: NDArray[np.bool_],
    ) -> Future[int]:
        """Asks an agent for an action.

        Args:
            name: of an agent on offer.
            config: what is played.
            observation: of the seat to act, [D].
            mask: its legal actions, [A].

        Returns:
            A future with the action, or with an AgentError that says how the agent failed.
        """
        thread = self._threads[self.check(name)]
        return thread.run(lambda: choose(thread.agent(config), observation, mask, thread.rng))

    def consider(
        self,
        name: str,
        config: GameConfig,
        observation: NDArray[np.uint8],
        mask: NDArray[np.bool_],
    ) -> Future[Considered]:
        """Asks an agent what it considers, after all moves (arguments and errors as for `act`).

        Once the future is cancelled, the agent is not asked any more.

        Raises:
            AgentError: there is no such agent on offer.
            LimitError: `MAX_HINTS` are waited for.
        """
        thread = self._threads[self.check(name)]
        return thread.consider(lambda: ask(thread.agent(config), observation, mask, thread.rng))

    def close(self) -> None:
        """Lets the threads end once they have answered."""
        for thread in self._threads.values():
            thread.close()


class _AgentThread:
    """A thread with an agent for each game that it plays."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._pool = ThreadPoolExecutor(1, f"agent {name}")
        self._agents: dict[GameConfig, Agent] = {}
        self._lock = Lock()
        self._moves: deque[_Task] = deque()
        self._hints: deque[_Task] = deque()
        self.rng = np.random.default_rng()

    def agent(self, config: GameConfig) -> Agent:
        """Returns the agent of a game; called in the thread only."""
        # The observation tells the scenario, so one agent plays all of them.
        game = GameConfig(config.num_players, None, config.edition, config.rules)
        if game not in self._agents:
            if len(self._agents) >= MAX_CACHED:
                self._agents.pop(next(iter(self._agents)))
            self._agents[game] = make_agent(self._name, game)
        return self._agents[game]

    def run(self, ask: Callable[[], Any]) -> Future[Any]:
        """Runs a function in the thread; whatever goes wrong becomes a GonzagaError."""
        return self._add(self._moves, ask)

    def consider(self, ask: Callable[[], Any]) -> Future[Any]:
        """Runs a function as `run` does, once there is nothing else to do.

        Raises:
            LimitError: too many such functions wait.
        """
        with self._lock:  # those that nobody waits for
            waiting = [one for one in self._hints if not one[0].cancelled()]
            self._hints = deque(waiting)
        if len(waiting) >= MAX_HINTS:
            raise LimitError(f"too many hints of {self._name} at once; try again soon")
        return self._add(self._hints, ask)

    def _add(self, queue: deque[_Task], ask: Callable[[], Any]) -> Future[Any]:
        future: Future[Any] = Future()
        with self._lock:
            queue.append((future, ask))
        self._pool.submit(self._run_next)
        return future

    def _run_next(self) -> None:
        """Answers a question, one of those for moves if there is any."""
        with self._lock:
            queue = self._moves or self._hints
            if not queue:  # it was cancelled
                return
            future, ask = queue.popleft()
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(ask())
        except BaseException as error:  # an agent may be anybody's code, and somebody waits
            failure = AgentError(f"agent {self._name}: {one_line(error)}")
            failure.__cause__ = error
            future.set_exception(failure)

    def close(self) -> None:
        """Lets the thread end."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            for future, _ in (*self._moves, *self._hints):
                future.cancel()
