"""Plays rollouts on a Ray cluster, each as a task of its own.

Between rollouts the object store keeps what each set of games is like, so any node may play the
next one, and Ray plays it again if a worker dies: with the same weights and the same chance.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import ray
import torch

from gonzaga_env.version import __version__

from ..play.jobs import on_node, ray_error
from .collector import Collector, Order, Past, Rollout, RolloutGames, Weights


class _Shared(NamedTuple):
    """An order in the object store, and the network for the league to keep, or None."""

    order: Any
    remember: int | None
    network: Any


class RayCollector(Collector):
    """Has each player's games on the cluster; weights and past selves are stored once."""

    def __init__(self, makes: Sequence[Callable[[], RolloutGames]], past: Sequence[Past]) -> None:
        """Starts nothing yet.

        Args:
            makes: make the games of each player.
            past: past selves that they begin with.
        """
        stored = {turns: ray.put(network) for turns, network in past}
        super().__init__(_RayPlayer(make, stored) for make in makes)

    def _share(self, order: Order) -> _Shared:
        network = None if order.remember is None else ray.put(order.network)
        return _Shared(ray.put(order), order.remember, network)


class _RayPlayer:
    """A `Player` whose games are on the cluster."""

    def __init__(self, make: Callable[[], RolloutGames], past: dict[int, Any]) -> None:
        task: Any = ray.remote(on_node)
        self._play = task.options(num_returns=2, scheduling_strategy="SPREAD")
        self._where = __version__, str(Path.cwd()), play_rollout
        self._make, self._past = ray.put(pickle.dumps(make)), dict(past)
        self._rollout: Any = None
        self._saved: Any = None

    def send(self, shared: _Shared) -> None:
        if shared.remember is not None:
            self._past[shared.remember] = shared.network
        given = self._make, torch.get_num_threads(), shared.order, self._saved, [*self._past]
        answers = self._play.remote(*self._where, *given, *self._past.values())
        self._rollout, self._saved = answers

    def receive(self) -> Rollout:
        try:
            rollout: Rollout = ray.get(self._rollout)
        except ray.exceptions.RayError as error:
            raise ray_error(error) from error
        return rollout

    def stop(self) -> None:
        if self._rollout is not None:
            ray.cancel(self._rollout, force=True)


def play_rollout(
    make: bytes,
    num_threads: int,
    order: Order,
    saved: bytes | None,
    turns: Sequence[int],
    *networks: Weights,
) -> tuple[Rollout, bytes]:
    """Returns a rollout, and the state of the games after it.

    Args:
        make: makes the games, pickled.
        num_threads: of torch.
        order: what is played.
        saved: the state of the games before it (see `RolloutGames.save`); None for new games.
        turns: after which past selves joined the league.
        networks: their weights.
    """
    torch.set_num_threads(num_threads)
    if saved is None:
        _games.cache_clear()  # a try before this one may have begun
    games = _games(make)
    if saved is not None:
        games.restore(saved, dict(zip(turns, networks, strict=True)))
    games.load(order)
    return games.collect(), games.save()


@lru_cache(maxsize=1)
def _games(make: bytes) -> RolloutGames:
    """Returns games that a worker keeps for the next rollout, which restores their state."""
    games: RolloutGames = pickle.loads(make)()
    return games
