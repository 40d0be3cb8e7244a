"""Plays rollouts on a Ray cluster.

The driver keeps what each set of games was like before the rollout on its way. So an actor that
dies is replaced, and the rollout is played again with the same weights and the same chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import ray

from ..collector import Collector, Order, Past, Rollout, RolloutGames, Weights
from .actors import LOSSES, Remote


class _Shared(NamedTuple):
    """An order in the object store, and the network for the league to keep, or None."""

    order: Any
    remember: int | None
    network: Any


class RayCollector(Collector):
    """Has each player's games on an actor of its own; weights and past selves are stored once."""

    def __init__(self, makes: Sequence[Callable[[], RolloutGames]], past: Sequence[Past]) -> None:
        """Starts the actors.

        Args:
            makes: make the games of each.
            past: past selves that they begin with.
        """
        stored = {turns: ray.put(network) for turns, network in past}
        super().__init__(
            _RayPlayer(make, f"the actor of collector {number}", stored)
            for number, make in enumerate(makes)
        )

    def _share(self, order: Order) -> _Shared:
        network = None if order.remember is None else ray.put(order.network)
        return _Shared(ray.put(order), order.remember, network)


class ReplayableGames:
    """Games on an actor."""

    def __init__(self, make: Callable[[], RolloutGames]) -> None:
        self._games = make()

    def play(
        self,
        order: Order,
        saved: bytes | None = None,
        turns: Sequence[int] = (),
        *networks: Weights,
    ) -> tuple[Rollout, bytes]:
        """Returns a rollout, and the state of the games after it.

        What was saved is restored first (see `RolloutGames.restore`).
        """
        if saved is not None:
            self._games.restore(saved, dict(zip(turns, networks, strict=True)))
        self._games.load(order)
        return self._games.collect(), self._games.save()


class _RayPlayer:
    """A `Player` whose games are on an actor."""

    def __init__(self, make: Callable[[], RolloutGames], name: str, past: dict[int, Any]) -> None:
        self._remote = Remote(partial(ReplayableGames, make), name)
        self._saved: bytes | None = None
        self._past = dict(past)
        self._order: Any = None
        self._answer: Any = None

    def send(self, shared: _Shared) -> None:
        self._order = shared.order
        if shared.remember is not None:
            self._past[shared.remember] = shared.network
        self._answer = self._remote.call("play", self._order)

    def receive(self) -> Rollout:
        while True:
            try:
                self._remote.check()
                rollout, self._saved = ray.get(self._answer)
            except LOSSES as error:
                self._remote.replace(error)
                past = list(self._past), *self._past.values()
                self._answer = self._remote.call("play", self._order, self._saved, *past)
            else:
                self._remote.succeed()
                return rollout

    def stop(self) -> None:
        self._remote.stop()
