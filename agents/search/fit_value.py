"""Fits the value that `search` ends its playouts with where no policy ships, to planners' games.

python -m gonzaga_agents.search.fit_value --game tuscany --players 4 --games 2000
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.command_line import OneLineParser, examples, run_command
from gonzaga_env.extras import extra_needed
from gonzaga_env.games import game_name, game_spec
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.spec import load_part

from ..common.arrays import Floats, Indices
from .budget import NAME as SEARCH
from .promise import by_progress, collect, cross_entropy, log_softmax, save
from .turns import TurnGame, TurnSearch

_NAME = "python -m gonzaga_agents.search.fit_value"
_EXPLORATION, _KEPT = 0.05, 0.1  # shares of random actions, and of turns that are learned from
_SHRINKAGE = 1e-5  # of weights
_FEWEST_GAMES = 10


def turn_game(name: str) -> TurnGame:
    """Returns what a game brings to its search.

    Raises:
        OptionError: its search is of another kind, or it has none.
    """
    search = load_part(game_spec(name).parts.agents.get(SEARCH))
    if not (isinstance(search, type) and issubclass(search, TurnSearch)):
        raise OptionError(
            f"game is {name!r}; this fits the value of an agent {SEARCH!r} that is a TurnSearch "
            "(gonzaga_agents.search.turns), which the game has not"
        )
    return search.game


def play(
    game: TurnGame, config: object, num_games: int, seed: int
) -> tuple[Floats, Floats, Indices]:
    """Returns features of turns' beginnings, how their games ended, and which games they are of.

    Shapes are [L, P, 3 * F], [L, P] and [L].
    """
    engine = game.spec.engine.from_config(config, num_games, seed=seed, autoreset=False)
    rng, planner = np.random.default_rng(seed), game.planner(config)
    before = np.full(num_games, -1)

    def begins(live: Indices) -> Indices:
        turns = live[engine.seats[live] != before[live]]
        before[:] = engine.seats
        return turns[rng.random(len(turns)) < _KEPT]

    def read(state: Any) -> tuple[Floats]:
        return (by_progress(*game.features(config, state)),)

    def choose(live: Indices) -> Indices:
        actions = planner.act(engine.observe(rows=live), engine.legal_action_mask(live), rng)
        explored = (rng.random(len(live)) < _EXPLORATION).nonzero()[0]
        if len(explored):
            actions[explored] = engine.sample_legal(rng, live[explored])
        return actions

    (inputs,), shares, games = collect(engine, begins, read, choose)
    return inputs, shares, games


def fit(inputs: Floats, shares: Floats) -> Floats:
    """Returns the weights [F] whose softmax over players [L, P, F] predicts shares [L, P] best."""
    with extra_needed():
        from scipy.optimize import minimize

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = log_softmax(inputs @ weights.astype(np.float32))
        error = (np.exp(odds) - shares) / len(shares)
        gradient = np.tensordot(error, inputs, 2) + 2 * _SHRINKAGE * weights
        return cross_entropy(odds, shares) + _SHRINKAGE * float(weights @ weights), gradient

    start = np.zeros(inputs.shape[2])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return found.x.astype(np.float32)


def main(words: Sequence[str] | None = None) -> int:
    """Fits a value, adds it to the game's file and says how well it predicts games held out.

    Raises:
        OptionError: the game takes no such value or number of players, or there are too few games.
        AgentError: the file that is there can't be read.
    """
    parser = OneLineParser(prog=_NAME, description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("--game", type=game_name, default="tuscany", help="any registered game (%(default)s)")
    add("--players", type=int, default=4, help="2 to 4 (%(default)s)")
    add("--games", type=int, default=2000, help="how many are played (%(default)s)")
    add("--seed", type=int, default=0, help="decides the games (%(default)s)")
    add("--out", type=Path, help="the value's file (the one that ships)")
    parser.epilog = examples(f"{_NAME} --game tuscany --players 4 --games 2000")
    given = parser.parse_args(words)
    if given.games < _FEWEST_GAMES:
        raise OptionError(f"games is {given.games}; it takes {_FEWEST_GAMES} or more")
    game, config = turn_game(given.game), game_spec(given.game).config(num_players=given.players)
    out = game.weights if given.out is None else given.out
    inputs, shares, games = play(game, config, given.games, given.seed)
    held_out = games % 5 == 0
    weights = fit(inputs[~held_out], shares[~held_out])
    error = cross_entropy(log_softmax(inputs[held_out] @ weights), shares[held_out])
    save(out, given.players, weights.reshape(3, -1))
    print(f"wrote {out}: cross-entropy {error:.4f} on games held out, {len(games)} turns")
    return 0


if __name__ == "__main__":
    sys.exit(run_command(_NAME, main))
