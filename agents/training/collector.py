"""Collects experience in parallel with the learner: here, in processes, or on a Ray cluster.

While one rollout is learned from, the next one is played by the policy as it was before. All ways
give the same experience.

On Ray each rollout is a task of its own. Between rollouts the object store keeps the state of each
set of games, so any node may play the next one, and Ray plays it again if a worker dies: with the
same weights and the same chance.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gonzaga_env.version import __version__

from ..executors import ProcessPool, attempt, on_node, ray_error
from ..processes import WorkerError, describe, keep_freed_memory
from .self_play import (
    MapGames,
    RolloutGames,
    RolloutRequest,
    RolloutResult,
    Snapshot,
    join,
)
from .setup import Setup


class LocalWorker:
    """Plays in this process, when the rollout is asked for."""

    def __init__(self, make: Callable[[], RolloutGames]) -> None:
        with torch.random.fork_rng(devices=[]):  # keeps the learner's RNG apart from theirs
            games = make()
        self.send, self.receive = games.load, games.collect

    def stop(self) -> None:
        """Does nothing."""


_games: RolloutGames  # of a process that plays


class ProcessWorker:
    """Plays in a process of its own."""

    def __init__(self, make: Callable[[], RolloutGames]) -> None:
        self._pool = ProcessPool(1)
        self._begun = self._pool.submit(attempt, _begin, make, torch.get_num_threads())
        self._rollout: Future[RolloutResult]

    def send(self, request: RolloutRequest) -> None:
        """Starts a rollout."""
        self._rollout = self._pool.submit(attempt, _play, request)

    def receive(self) -> RolloutResult:
        """Returns the rollout, once it is played."""
        self._begun.result()
        rollout = self._rollout.result()
        del self._rollout  # its arrays are large
        return rollout

    def stop(self) -> None:
        """Ends the process at once."""
        self._pool.shutdown()


def _begin(make: Callable[[], RolloutGames], num_threads: int) -> None:
    global _games
    keep_freed_memory()
    torch.set_num_threads(num_threads)
    _games = make()


def _play(request: RolloutRequest) -> RolloutResult:
    _games.load(request)
    return _games.collect()


class RayWorker:
    """Plays on the cluster."""

    def __init__(self, make: Callable[[], RolloutGames]) -> None:
        import ray

        self._ray: Any = ray
        task = self._ray.remote(on_node)
        self._play = task.options(num_returns=2, scheduling_strategy="SPREAD")
        self._where = __version__, str(Path.cwd()), play_rollout
        self._make = ray.put(pickle.dumps(make))
        self._rollout: Any = None
        self._saved: Any = None

    def send(self, request: RolloutRequest) -> None:
        """Starts a rollout."""
        given = self._make, torch.get_num_threads(), request, self._saved
        self._rollout, self._saved = self._play.remote(*self._where, *given)

    def receive(self) -> RolloutResult:
        """Returns the rollout, once it is played."""
        try:
            rollout: RolloutResult = self._ray.get(self._rollout)
        except self._ray.exceptions.RayError as error:
            raise ray_error(error) from error
        return rollout

    def stop(self) -> None:
        """Cancels the task."""
        if self._rollout is not None:
            self._ray.cancel(self._rollout, force=True)


def play_rollout(
    make: bytes, num_threads: int, request: RolloutRequest, saved: bytes | None
) -> tuple[RolloutResult, bytes]:
    """Returns a rollout, and the state of the games after it.

    `make` is pickled; `saved` is the state before the rollout, None for new games.
    """
    torch.set_num_threads(num_threads)
    if saved is None:
        _games_of.cache_clear()  # a try before this one may have begun
    games = _games_of(make)
    if saved is not None:
        games.restore(saved)
    games.load(request)
    return games.collect(), games.save()


@lru_cache(maxsize=1)
def _games_of(make: bytes) -> RolloutGames:
    """Returns games that a worker keeps for the next rollout, which restores their state."""
    games: RolloutGames = pickle.loads(make)()
    return games


class Collector:
    """Collects rollouts from one or more workers.

    Each `start` is followed by one `finish`, so that rollouts are played with the same weights by
    all of them, and are joined in the workers' order: their speed changes nothing.
    """

    def __init__(self, setup: Setup, seed: int, past: Sequence[Snapshot]) -> None:
        """Starts the workers; for Ray, this process must be connected to a cluster.

        Raises:
            WorkerError: a process cannot be started.
        """
        new_games: Any = MapGames if setup.maps else RolloutGames
        more = range(1, setup.collectors)
        seeds = [seed, *(np.random.SeedSequence([seed, k]).generate_state(1)[0] for k in more)]
        makes = [partial(new_games, setup, int(own), past) for own in seeds]
        kind: type[LocalWorker | ProcessWorker | RayWorker] = ProcessWorker
        if setup.executor == "ray":
            kind = RayWorker
        elif setup.num_processes == 1:
            kind = LocalWorker
        with worker_errors():
            self._workers = [kind(make) for make in makes]

    def start(self, request: RolloutRequest) -> None:
        """Has the next rollouts played; raises WorkerError if a worker failed."""
        with worker_errors():
            for worker in self._workers:
                worker.send(request)

    def finish(self) -> RolloutResult:
        """Returns the rollouts as one; raises WorkerError if games could not be played on."""
        with worker_errors():
            return join([worker.receive() for worker in self._workers])

    def stop(self) -> None:
        """Ends without finishing."""
        for worker in self._workers:
            worker.stop()


@contextmanager
def worker_errors() -> Iterator[None]:
    """Reports in one line that playing games failed; the traceback is for the opponent's author."""
    try:
        yield
    except BrokenProcessPool as error:
        raise WorkerError("a process that plays games died (is there enough memory?)") from error
    except Exception as error:
        raise WorkerError(f"playing games failed: {describe(error)}") from error
