"""One row of speed.py in one process: `python -P -m benchmarks.rows ROW`.

`PYTHONPATH` says which version plays, so this uses only names that 1.0.0 had, too. For each number
of seconds on a line of stdin it plays so long and prints its agent steps a second.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import rate

ENVS = {"gonzaga": "gonzaga_v0", "tuscany": "castles_of_tuscany_v0", "signorie": "signorie_v0"}
_SPREAD = 300  # steps after which games of one deal differ
_STEPS = 16
_TRAINING = "--num-games 32 --eval-deals 0"
_TURNS_A_SECOND = 4000  # at most, to choose how long a training is


def batch(game: str, num_games: int) -> Callable[[], int]:
    """Returns a function that plays some steps of N games, with mask and observation."""
    from gonzaga_env.games import game_spec

    spec, rng = game_spec(game), np.random.default_rng(0)
    engine = spec.engine.from_config(spec.config(num_players=4), num_games)
    mask = np.empty((num_games, engine.actions.size), dtype=np.bool_)
    observation = np.empty((num_games, engine.features.size), dtype=np.uint8)

    def play() -> int:
        for _ in range(_STEPS):
            engine.legal_action_mask(out=mask)
            engine.observe(out=observation)
            engine.step(engine.sample_legal(rng))
        return _STEPS * num_games

    for _ in range(_SPREAD // _STEPS):
        play()
    return play


def raw_env(game: str) -> Callable[[], int]:
    """Returns a function that plays one game of the PettingZoo environment."""
    return aec_games(import_module(f"gonzaga_env.envs.{ENVS[game]}").raw_env(num_players=4))


def aec_games(env: Any) -> Callable[[], int]:
    """Returns a function that plays one game of a PettingZoo environment and returns its steps."""
    env.reset(seed=0)
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)

    def play() -> int:
        steps = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            steps += 1
        return steps

    play()
    return play


def make_vec(num_envs: int) -> Callable[[], int]:
    """Returns a function that plays one step of a learner in N games of Gymnasium's `make_vec`."""
    import gymnasium

    import gonzaga_env  # noqa: F401  registers the environment

    envs = gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=num_envs)
    rng, infos = np.random.default_rng(0), envs.reset(seed=0)[1]

    def play() -> int:
        nonlocal infos
        masks = np.stack(infos["action_mask"])
        *_, infos = envs.step((rng.random(masks.shape, np.float32) * masks).argmax(axis=1))
        return num_envs

    return play


def sb3_vec(num_envs: int) -> Callable[[], int]:
    """Returns a function that plays one step of a learner in N games of Stable-Baselines3."""
    from sb3_contrib.common.maskable.utils import get_action_masks

    from gonzaga_env.envs.sb3 import make_sb3_vec

    envs = make_sb3_vec(num_envs, num_players=4, opponents="planner", seed=0)
    rng = np.random.default_rng(0)
    envs.reset()

    def play() -> int:
        masks = get_action_masks(envs)
        envs.step((rng.random(masks.shape, np.float32) * masks).argmax(axis=1))
        return num_envs

    return play


def training(seconds: float) -> float:
    """Trains for about some seconds in self-play; returns turns of the learner a second."""
    script = next(path for name in sys.path if (path := Path(name, "train.py")).is_file())
    with tempfile.TemporaryDirectory() as folder:
        size = ["--timesteps", str(int(10 * seconds * _TURNS_A_SECOND / 40)), "--out", folder]
        command = [sys.executable, str(script), *_TRAINING.split(), *size]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    speeds = re.findall(r"turns: ([\d,]+)/s", done.stdout + done.stderr)
    return float(speeds[-1].replace(",", ""))


ROWS: dict[str, Callable[[], Callable[[], int]]] = {
    **{
        f"{game}/{name}": partial(function, game, *more)
        for game in ENVS
        for name, function, more in (
            ("engine, N = 1,024", batch, [1024]),
            ("engine, N = 64", batch, [64]),
            ("raw_env", raw_env, []),
        )
    },
    "gonzaga/make_vec, N = 64": partial(make_vec, 64),
    "gonzaga/make_sb3_vec, N = 64": partial(sb3_vec, 64),
}
TRAINING = "gonzaga/training"


def main(row: str) -> None:
    """Answers until stdin ends; the first line says that all is set up."""
    if row == TRAINING:
        measure = training
    else:
        play = ROWS[row]()
        for _ in range(3):
            play()  # tables and caches are set up from now on
        measure = partial(rate, play)
    print("ready", flush=True)
    for line in sys.stdin:
        print(measure(float(line)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
