"""Measures board games of other libraries and this engine; docs/speed.md has the figures.

    pip install catanatron chess envpool jax open-spiel pgx pygame-ce tyro
    python benchmarks/peers.py --page

Libraries that are not installed are left out.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.measure import measured_on, rate, spread, table, use_one_core, write

#: Plays a game, or a step of a batch, and returns the agent steps; then, for the figure's name,
#: the number of actions and the shape of an observation.
Player = tuple[Callable[[], int], int, tuple[int, ...]]


def engine(num_games: int) -> Player:
    from benchmarks.rows import batch
    from gonzaga_env.core import GameConfig

    config = GameConfig(4)
    return batch("gonzaga", num_games), config.actions.size, (config.features.size,)


def aec(module: str) -> Player:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # stdout is for results
    from benchmarks.rows import aec_games

    env = import_module(module).raw_env()
    space = env.observation_space(env.possible_agents[0])
    return aec_games(env), space["action_mask"].shape[0], space["observation"].shape


def openspiel(name: str, module: str = "pyspiel") -> Player:
    """Plays OpenSpiel from Python; its observer writes to one numpy array.

    A module registers the game if it is one in Python. Events of chance are no agent steps.
    """
    import pyspiel
    from open_spiel.python.observation import make_observation

    import_module(module)
    game, rng = pyspiel.load_game(name), random.Random(0)
    observer = make_observation(game)
    has_chance = game.max_chance_outcomes() > 0

    def play_game() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if has_chance and state.is_chance_node():
                state.apply_action(rng.choice(state.legal_actions()))
                continue
            state.legal_actions_mask()
            observer.set_from(state, state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return play_game, game.num_distinct_actions(), observer.tensor.shape


def envpool(task: str, num_games: int) -> Player:
    """Plays EnvPool; every step gives the observations of both players."""
    import envpool
    import numpy as np

    rng = np.random.default_rng(0)
    env = envpool.make(task, env_type="gymnasium", num_envs=num_games, num_threads=1)
    mask = env.reset()[1]["legal_action_mask"]

    def play_step() -> int:
        nonlocal mask
        actions = (rng.random(mask.shape, dtype=np.float32) * mask).argmax(axis=1)
        *_, terminated, truncated, info = env.step(actions.astype(np.int32))
        mask = info["legal_action_mask"]
        return num_games - int((terminated | truncated).sum())  # their next step only resets

    return play_step, env.action_space.n, env.observation_space.shape


def pgx(name: str, num_games: int) -> Player:
    """Plays pgx; choosing, stepping and resetting are one compiled function."""
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def choose_and_step(state: Any, key: Any) -> tuple[Any, Any]:
        key, act_key, step_key = jax.random.split(key, 3)
        actions = act_randomly(act_key, state.legal_action_mask)
        return step(state, actions, jax.random.split(step_key, num_games)), key

    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, num_games))

    def play_step() -> int:
        nonlocal state, key
        state, key = jax.block_until_ready(choose_and_step(state, key))
        return num_games

    return play_step, env.num_actions, env.observation_shape


def catanatron() -> Player:
    """Plays Catanatron with four players; it lists legal actions and makes no observation."""
    from catanatron import Color, Game, RandomPlayer
    from catanatron.game import TURNS_LIMIT

    def play_game() -> int:
        game, steps = Game([RandomPlayer(color) for color in Color]), 0
        while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
            game.play_tick()
            steps += 1
        return steps

    return play_game, 0, ()


REPETITIONS, SECONDS = 5, 1.0  # of each measurement
DOMINOES = "python_team_dominoes"  # of those in Python the one with four players
OURS = "gonzaga_env.envs.open_spiel"

#: Library, game, and how to build its player. EnvPool and pgx play in the batches that were fastest
#: when sizes from 16 on were tried.
PEERS: tuple[tuple[str, str, Callable[[], Player]], ...] = (
    ("gonzaga", "Engine, N = 1,024", partial(engine, 1024)),
    ("gonzaga", "Engine, N = 64", partial(engine, 64)),
    ("gonzaga", "raw_env", partial(aec, "gonzaga_env.envs.gonzaga_v0")),
    ("PettingZoo", "connect_four", partial(aec, "pettingzoo.classic.connect_four.connect_four")),
    ("PettingZoo", "chess", partial(aec, "pettingzoo.classic.chess.chess")),
    ("OpenSpiel", "connect_four", partial(openspiel, "connect_four")),
    ("OpenSpiel", "hive", partial(openspiel, "hive")),
    ("OpenSpiel", "chess", partial(openspiel, "chess")),
    ("OpenSpiel", DOMINOES, partial(openspiel, DOMINOES, "open_spiel.python.games.team_dominoes")),
    ("OpenSpiel", "python_gonzaga", partial(openspiel, "python_gonzaga", OURS)),
    ("EnvPool", "ConnectFour-v1, N = 256", partial(envpool, "ConnectFour-v1", 256)),
    ("EnvPool", "Hex-v1, N = 256", partial(envpool, "Hex-v1", 256)),
    ("EnvPool", "Othello-v1, N = 256", partial(envpool, "Othello-v1", 256)),
    ("EnvPool", "Chess-v1, N = 16", partial(envpool, "Chess-v1", 16)),
    ("pgx", "connect_four, N = 16,384", partial(pgx, "connect_four", 16384)),
    ("pgx", "hex, N = 1,024", partial(pgx, "hex", 1024)),
    ("pgx", "chess, N = 64", partial(pgx, "chess", 64)),
    ("Catanatron", "4 players", catanatron),
)


@dataclass
class PeersOptions:
    """Measures board games of other libraries and this engine."""

    only: str = ""
    """Measure only this library, such as "pgx"."""
    page: bool = False
    """Write the table into docs/speed.md."""


def main(options: PeersOptions) -> None:
    players: dict[tuple[str, str, str], Callable[[], int]] = {}
    for library, game, build in PEERS:
        if options.only in library:
            try:
                play, num_actions, shape = build()
            except ModuleNotFoundError as error:
                print(f"peers: {library} {game} is left out: {error}", file=sys.stderr)
                continue
            size = f"{num_actions:,} actions, {'x'.join(map(str, shape))}" if shape else ""
            players[library, game, size] = play
            rate(play, SECONDS)  # warms up
    found: dict[tuple[str, str, str], list[float]] = {key: [] for key in players}
    for _ in range(REPETITIONS):
        for key, play in players.items():
            found[key].append(rate(play, SECONDS))
    lines = [[*key, spread(values)] for key, values in found.items()]
    note = measured_on("python benchmarks/peers.py")
    text = f"{table(['library', 'game', 'size', 'agent steps/s'], lines)}\n\n{note}"
    print(text)
    if options.page:
        write("peers", text)


if __name__ == "__main__":
    import tyro

    given = tyro.cli(PeersOptions)
    use_one_core()  # before anything imports numpy or jax
    main(given)
