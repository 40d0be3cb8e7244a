"""Games on many maps: those of a set of generated editions, a few at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import torch

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.editions.generating import permuted
from gonzaga_env.core.editions.land import Draws
from gonzaga_env.core.editions.loading import load_edition

from .collector import MOST_PAST, Order, Past, Rollout, RolloutGames, joined
from .options import Setup

MAPS_AT_ONCE = 8
"""Maps that share the games of a batch. After each rollout the oldest one is replaced, so each is
played for eight of them, about three games in a row."""


class MapGames:
    """Plays rollouts as `RolloutGames` does, on maps that are drawn from the setup's.

    The regions and seas of each are put in a random order, so that the network learns nothing of
    their numbers.
    """

    def __init__(self, setup: Setup, seed: int, past: Sequence[Past]) -> None:
        """Deals the games (see `new_collector`)."""
        self._setup, self._past = setup, list(past)
        self._draws = Draws(f"maps {seed}")
        self._parts = deque(self._new_part() for _ in range(MAPS_AT_ONCE))

    def _new_part(self) -> RolloutGames:
        """Returns games on a map that is drawn."""
        whole, draws, given = self._setup, self._draws, self._setup.config
        edition = permuted(load_edition(draws.choice(whole.maps)), draws)
        config = GameConfig(given.num_players, edition=edition, rules=given.rules.as_dict())
        part = replace(whole, config=config, num_games=whole.num_games // MAPS_AT_ONCE)
        with torch.random.fork_rng(devices=[]):  # keeps the learner's RNG apart from theirs
            return RolloutGames(part, draws.below(2**62), self._past)

    def load(self, order: Order) -> None:
        """Takes over weights, and adds them to the leagues if requested."""
        if order.remember is not None:
            copied = {name: array.copy() for name, array in order.network.items()}
            self._past = [*self._past, Past(order.remember, copied)][-MOST_PAST:]
        for part in self._parts:
            part.load(order)

    def collect(self) -> Rollout:
        """Plays a rollout on all maps, and replaces the oldest map."""
        rollout = joined([part.collect() for part in self._parts])
        self._parts.popleft()
        self._parts.append(self._new_part())
        return rollout
