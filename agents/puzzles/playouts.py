"""What choices are worth by playing on to the end, many times from what the seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import Agent
from gonzaga_env.tabletop.rewards import win_shares

from ..statistics.estimates import mean_interval

_AT_ONCE = 512  # games


def play_on(
    game: Any, actions: Sequence[int], agent: Agent, num_playouts: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Returns the shares of the victory of the seat to act, [choices, playouts].

    Column k of all choices has the same deal of what the seat does not know, so differences between
    choices have less variance than the shares.

    Args:
        game: the position.
        actions: the choices that are compared.
        agent: plays all seats afterwards.
        num_playouts: for each choice.
        rng: the source of all randomness.
    """
    parts = []
    for start in range(0, num_playouts, _AT_ONCE):
        deals = game.resample(game.seat, rng, min(_AT_ONCE, num_playouts - start))
        parts.append(np.stack([_shares(game, deals, action, agent, rng) for action in actions]))
    return np.concatenate(parts, axis=1)


def _shares(
    game: Any, deals: Any, action: int, agent: Agent, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Returns the shares of the seat to act after an action on each deal, [K]."""
    spec, seat = game_spec(game.config.game), game.seat
    engine = spec.engine.from_state(game.config, deals.copy(), autoreset=False, check=False)
    engine.step(np.full(engine.num_games, action))
    while len(running := (engine.seats >= 0).nonzero()[0]):
        seen, masks = engine.observe(rows=running), engine.legal_action_mask(running)
        engine.step(agent.act(seen, masks, rng), running)
    return win_shares(engine.winners())[:, seat].astype(np.float64)


def lead(shares: NDArray[np.float64]) -> tuple[float, float]:
    """Returns how far the best choice leads over the next one, and the interval's lower end.

    Args:
        shares: as `play_on` returns them.
    """
    best, second = np.argsort(-shares.mean(axis=1))[:2]
    found = mean_interval(shares[best] - shares[second])
    assert found.low is not None  # of several playouts
    return found.mean, found.low
