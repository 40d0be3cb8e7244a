"""MaskablePPO's own MlpPolicy from nothing: observations, masks and its past selves.

pip install -c constraints.txt ".[train]"
python examples/trainers/sb3_tabula_rasa.py --out runs/zero --turns 100000
python evaluate.py runs/zero/agent.py:agent random greedy

No opponent, no feature and no order of actions comes from this package: only the games do. The
model is saved with a file that makes an agent of it, and at each of `--turns` once more, in a
folder of that name. The same command continues a run that was stopped, with new deals, from its
last save.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
import tyro
from sb3_contrib import MaskablePPO
from sb3_self_play import League, PastSelf
from stable_baselines3.common.vec_env import VecNormalize

from gonzaga_env import GameConfig
from gonzaga_env.envs.sb3 import make_sb3_vec

AGENT = '''"""Makes an agent of the model that lies beside this file."""

from pathlib import Path

import torch
from sb3_contrib import MaskablePPO

from gonzaga_env.envs.sb3 import SB3Agent


def agent(config):
    """Returns the agent, which plays the most probable action."""
    torch.set_num_threads(1)
    model = MaskablePPO.load(Path(__file__).with_name("model.zip"), device="cpu")
    return SB3Agent(model, config, deterministic=True)
'''


@dataclass(frozen=True)
class Arguments:
    """Trains, and saves the model at each number of turns."""

    out: Path = Path("runs/zero")
    turns: tuple[int, ...] = (100_000, 1_000_000)
    players: int = 4
    games: int = 128
    steps: int = 24  # of every game in a rollout: about one game of four players
    most_past: int = 4
    width: int = 128
    seed: int = 0
    save_every: int = 50_000  # turns


class PastSelves(League):
    """Lets all opponents remember the policy as `learn` begins, then one before each rollout."""

    def _on_training_start(self) -> None:
        for past in self._past:
            past.remember(self.model, self._config)


def save(model: Any, folder: Path) -> None:
    """Writes a model, aside first, and a file that makes an agent of it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "agent.py").write_text(AGENT)
    model.get_vec_normalize_env().save(str(folder / "scale.pkl"))
    model.save(folder / "next.zip")
    (folder / "next.zip").replace(folder / "model.zip")


def begin(arguments: Arguments, past: list[PastSelf]) -> Any:
    """Returns the model of the last save, or a new one, with games of its own."""
    games = make_sb3_vec(
        arguments.games,
        arguments.players,
        opponents=past,
        seed=arguments.seed,
        reward="margin",
        normalised=True,
    )
    if (arguments.out / "model.zip").is_file():
        scaled = VecNormalize.load(str(arguments.out / "scale.pkl"), games)
        model = MaskablePPO.load(arguments.out / "model.zip", scaled, device="cpu")
        games.seed(arguments.seed + 1_000_003 * model.num_timesteps)  # deals not played before
        return model
    return MaskablePPO(
        "MlpPolicy",
        VecNormalize(games, norm_obs=False, gamma=1.0, clip_reward=100.0),
        n_steps=arguments.steps,
        batch_size=min(1024, arguments.games * arguments.steps),
        n_epochs=3,
        gamma=1.0,
        ent_coef=0.01,
        learning_rate=1e-3,
        seed=arguments.seed,
        device="cpu",
        policy_kwargs={"net_arch": [arguments.width, arguments.width]},
    )


def main(arguments: Arguments) -> Any:
    """Trains up to the last number of turns; returns the model."""
    torch.set_num_threads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "arguments.json").write_text(json.dumps(asdict(arguments), default=str))
    past = [PastSelf() for _ in range(arguments.most_past)]
    model = begin(arguments, past)
    callback = PastSelves(past, GameConfig(arguments.players))
    for goal in sorted(arguments.turns):
        while model.num_timesteps < goal:
            before, started = model.num_timesteps, time.monotonic()
            turns = min(arguments.save_every, goal - before)
            model.learn(turns, callback=callback, reset_num_timesteps=False)
            speed = (model.num_timesteps - before) / (time.monotonic() - started)
            print(f"{model.num_timesteps:,} turns, {speed:,.0f} a second", flush=True)
            save(model, arguments.out)
        if not (arguments.out / f"{goal:010d}" / "model.zip").is_file():
            save(model, arguments.out / f"{goal:010d}")
    return model


if __name__ == "__main__":
    main(tyro.cli(Arguments))
