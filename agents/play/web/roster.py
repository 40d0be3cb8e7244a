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

from ...agent import AgentError, Considered
from ...policies.learned import NAME as LEARNED
from ...registry import BASELINES
from ..table import one_line
from .clients.limits import LimitError
from .thinking import ThinkerApart, ThinkerHere

LADDER = (*BASELINES, "search@16")
MAX_HINTS = 32  # that wait for an agent

_Task = tuple[Future[Any], Callable[[], Any]]


class Roster:
    """The agents on offer, each with a thread of its own.

    Each is asked from its own thread alone, so agents need no locks, and a slow one holds up only
    the tables where it sits.

    Attributes:
        names: the specs on offer.
    """

    def __init__(self, more: Sequence[str] = (), *, apart: bool = False) -> None:
        """Takes what is on offer.

        Args:
            more: the specs that the owner adds to the ladder.
            apart: whether each agent thinks in a process of its own.
        """
        learned = (LEARNED,) if find_spec("onnxruntime") else ()
        self.names = tuple(dict.fromkeys((*LADDER, *learned, *more)))
        thinker = ThinkerApart if apart else ThinkerHere
        self._threads = {name: _AgentThread(name, thinker(name)) for name in self.names}

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
        return thread.run(lambda: thread.thinker.ask("prepare", config))

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
        return thread.run(lambda: thread.thinker.ask("act", config, observation, mask))

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
        return thread.consider(lambda: thread.thinker.ask("consider", config, observation, mask))

    def close(self) -> None:
        """Lets the threads end once they have answered."""
        for thread in self._threads.values():
            thread.close()


class _AgentThread:
    """The thread from which an agent is asked: for moves first, then for hints."""

    def __init__(self, name: str, thinker: ThinkerHere | ThinkerApart) -> None:
        self._name, self.thinker = name, thinker
        self._pool = ThreadPoolExecutor(1, f"agent {name}")
        self._lock = Lock()
        self._moves: deque[_Task] = deque()
        self._hints: deque[_Task] = deque()

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
        self.thinker.close()
