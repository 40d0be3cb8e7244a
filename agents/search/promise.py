"""What a position promises: each player's expected share of the victory, learned from games.

Its weights were fitted to positions of the planner's games and how these games ended: who has more
of what counts may expect more of the victory.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.bounded.limits import VALUE_BYTES
from gonzaga_env.tabletop.rewards import win_shares
from gonzaga_env.tabletop.spec import Engine

from ..common.array_files import read_arrays
from ..common.arrays import Floats, Indices

Features = Callable[[Any, Any], tuple[Floats, Floats]]
"""A function of configuration and state: what each player has, [N, P, F], and how far the game has
come, [N], from 0 to 1."""


class Promise:
    """A softmax over the players' promise, which is linear in their features.

    The weight of a feature is a parabola in how far the game has come, since things are worth less
    the fewer turns are left.
    """

    def __init__(self, config: Any, features: Features, weights: NDArray[np.floating]) -> None:
        """Takes the weights, [3, F]."""
        self._config, self._features = config, features
        self._weights = weights.astype(np.float32)

    @classmethod
    def load(cls, config: Any, features: Features, path: Path) -> Self:
        """Returns the value of a file for the number of players.

        Raises:
            AgentError: it cannot be read, or has none for this number.
        """
        arrays, name = read_arrays(path, VALUE_BYTES), f"players_{config.num_players}"
        if name not in arrays:
            raise AgentError(f"{path}: {name} is missing")
        return cls(config, features, arrays[name])

    def shares(self, engine: Any) -> Floats:
        """Returns the share of the victory that each player may expect, [N, P].

        Those of finished games are the winners'.
        """
        promise = by_progress(*self._features(self._config, engine.state)) @ self._weights.ravel()
        shares = np.exp(promise - promise.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        over = engine.state.finished
        shares[over] = win_shares(engine.winners()[over])
        return shares.astype(np.float32)


def by_progress(own: Floats, progress: Floats) -> Floats:
    """Returns features [N, P, F] times 1, progress [N] and its square, [N, P, 3 * F]."""
    times = np.stack([np.ones_like(progress), progress, progress**2], axis=1)
    product = times[:, None, :, None] * own[:, :, None]
    return product.reshape(*own.shape[:2], 3 * own.shape[2]).astype(np.float32)


def collect(
    engine: Engine,
    begins: Callable[[Indices], Indices],
    read: Callable[[Any], tuple[Floats, ...]],
    choose: Callable[[Indices], Indices],
) -> tuple[list[Floats], Floats, Indices]:
    """Plays games to their end and returns positions of them.

    Args:
        engine: N games, without autoreset.
        begins: which of the running games, [M], are at a position to learn from.
        read: returns arrays of states, [L, ...] each.
        choose: returns the actions of the running games, [M].

    Returns:
        The arrays that were read, [L, ...]; the share of the victory of each player in the games of
        these positions, [L, P]; and which games those are, [L].
    """
    found, games = [], []
    while len(live := (engine.seats >= 0).nonzero()[0]):
        if len(rows := begins(live)):
            found.append(read(engine.state.take(rows)))
            games.append(rows)
        actions = np.zeros(engine.num_games, np.int64)
        actions[live] = choose(live)
        engine.step(actions)
    rows = np.concatenate(games)
    shares = win_shares(engine.winners()).astype(np.float32)
    return [np.concatenate(arrays) for arrays in zip(*found, strict=True)], shares[rows], rows
