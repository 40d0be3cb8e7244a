"""Fits the value that `search` ends its playouts with, to games that planners play.

python -m gonzaga_agents.tuscany.fit_value --players 4 --games 2000
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.rewards import win_shares
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import MAX_PLAYERS, MIN_PLAYERS
from gonzaga_env.tuscany.state.state import MAIN

from ..common.extras import extra_needed
from .planner import PlannerAgent
from .value import FILE, Floats, features

_EXPLORATION, _KEPT = 0.05, 0.1  # shares of random actions, and of turns that are learned from
_SHRINKAGE = 1e-5  # of weights


def play(config: GameConfig, num_games: int, seed: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Returns features of turns' beginnings, how their games ended, and which games they are of.

    Shapes are [L, P, F], [L, P] and [L].
    """
    engine = Engine(num_games, config.num_players, seed=seed, autoreset=False)
    rng, planner = np.random.default_rng(seed), PlannerAgent(config)
    found, games = [], []
    while len(live := (engine.seats >= 0).nonzero()[0]):
        state = engine.state
        begins = live[(state.kind[live] == MAIN) & ~state.marble_used[live]]
        kept = begins[rng.random(len(begins)) < _KEPT]
        found.append(features(config, state.take(kept)))
        games.append(kept)
        actions = np.zeros(num_games, np.int64)
        actions[live] = planner.act(engine.observe(rows=live), engine.legal_action_mask(live), rng)
        explored = live[rng.random(len(live)) < _EXPLORATION]
        if len(explored):
            actions[explored] = engine.sample_legal(rng, explored)
        engine.step(actions)
    rows = np.concatenate(games)
    shares = win_shares(engine.winners()).astype(np.float32)
    return np.concatenate(found), shares[rows], rows


def fit(inputs: Floats, shares: Floats) -> Floats:
    """Returns the weights [F] whose softmax over players [L, P, F] predicts shares [L, P] best."""
    with extra_needed():
        from scipy.optimize import minimize

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = log_softmax(inputs @ weights.astype(np.float32))
        error = (np.exp(odds) - shares) / len(shares)
        gradient = np.tensordot(error, inputs, 2) + 2 * _SHRINKAGE * weights
        return float(
            -(shares * odds).sum() / len(shares) + _SHRINKAGE * weights @ weights
        ), gradient

    start = np.zeros(inputs.shape[2])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    weights: Floats = found.x.astype(np.float32)
    return weights


def log_softmax(promise: Floats) -> Floats:
    """Returns logarithms of shares of what players promise, [L, P]."""
    shifted = promise - promise.max(axis=1, keepdims=True)
    found: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return found


def main() -> int:
    """Fits a value, adds it to the file and says how well it predicts games held out."""
    parser = argparse.ArgumentParser(prog="fit_value", description=__doc__.partition("\n")[0])
    numbers = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    parser.add_argument("--players", type=int, choices=numbers, default=MAX_PLAYERS)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args()
    inputs, shares, games = play(GameConfig(given.players), given.games, given.seed)
    held_out = games % 5 == 0
    weights = fit(inputs[~held_out], shares[~held_out])
    odds = log_softmax(inputs[held_out] @ weights)
    error = -(shares[held_out] * odds).sum(axis=1).mean()
    values = dict(np.load(given.out)) if given.out.exists() else {}
    values[f"players_{given.players}"] = weights.reshape(3, -1)
    np.savez(given.out, **values)
    print(f"wrote {given.out}: cross-entropy {error:.4f} on games held out, {len(games)} turns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
