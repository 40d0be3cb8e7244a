"""What values are learned from: positions of games, and how these games ended.

A value is a softmax over the players: who has more of what counts may expect more of the victory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gonzaga_env.tabletop.rewards import win_shares
from gonzaga_env.tabletop.spec import Engine

from ..common.arrays import Floats, Indices


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


def log_softmax(promise: Floats) -> Floats:
    """Returns logarithms of shares of what players promise, [L, P]."""
    shifted = promise - promise.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def cross_entropy(odds: Floats, shares: Floats) -> float:
    """Returns the mean over positions, given logarithms of expected shares, and shares, [L, P]."""
    return float(-(shares * odds).sum() / len(shares))
