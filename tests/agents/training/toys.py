"""Small things that tests of training share."""

import errno
import os
from dataclasses import replace
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.commands.train import TrainOptions, setup_of
from gonzaga_agents.network.gonzaga import GonzagaInputs, GonzagaReader
from gonzaga_agents.network.networks import trainable_network
from gonzaga_agents.training.ppo import PPO, Experience, Policy
from gonzaga_agents.training.resume import stored_options
from gonzaga_agents.training.setup import Setup

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.kernel.spec import Config

TOY = TrainOptions(players=2, timesteps=64, num_games=4, eval_deals=0)
"""A run of one rollout: 4 rounds of 2 decisions of all seats, 64 turns in 4 games."""


def inputs_of_play(config: GameConfig, num_steps: int, num_games: int = 8) -> GonzagaInputs:
    """Returns what seats saw in some steps of random play."""
    engine, rng = Engine.from_config(config, num_games, seed=5), np.random.default_rng(5)
    reader, parts = GonzagaReader(config), []
    for _ in range(num_steps):
        games, legal = np.arange(num_games), engine.legal_actions()
        parts.append(reader.read(engine.state, engine.observe(), games, engine.seats, *legal))
        engine.step(engine.sample_legal(rng))
    return GonzagaInputs.concatenate(parts)


def setup_for(config: Config, **changes: Any) -> Setup:
    """Returns a toy setup with changes."""
    return replace(setup_of(TOY, 1), config=config, minibatch=32, width=8, **changes)


def small_ppo(config: GameConfig, minibatch: int = 32, epochs: int = 0, **settings: Any) -> PPO:
    """Returns PPO of a narrow network, with changed settings."""
    reader = GonzagaReader(config)
    torch.manual_seed(0)
    policy = Policy(trainable_network(config), reader.sizes, 8)
    defaults = replace(reader.training, epochs=epochs or reader.training.epochs)
    return PPO(policy, defaults, learning_rate=1e-2, minibatch=minibatch, **settings)


def sample(policy: Policy, inputs: GonzagaInputs) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns choices, their log-probabilities and the critic's values."""
    return policy.sample(inputs, torch.Generator().manual_seed(0))


def stored(out: Path) -> tuple[TrainOptions, dict[str, Any]]:
    """Returns the options that a folder holds, and what it may not decide."""
    return stored_options(out, TrainOptions(out=out))


def experience_of(policy: Policy, inputs: GonzagaInputs) -> Experience:
    """Returns experience with random advantages, as if the policy had just decided."""
    rng, size = np.random.default_rng(0), len(inputs)
    chosen, log_probs, values = sample(policy, inputs)
    advantages = rng.normal(size=size).astype(np.float32)
    kinds, rounds = rng.integers(2, size=size), rng.integers(1, 13, size)
    returns = values + advantages
    numbers = kinds.astype(np.uint8), rounds.astype(np.uint8)
    return Experience(inputs, chosen, log_probs, values, advantages, returns, *numbers)


class _FullFile(FileIO):
    """A file on a disk that is full after half of what is written."""

    def write(self, data: bytes) -> int:  # type: ignore[override]
        super().write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def fill_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets checkpoints meet a full disk."""
    opened = Path.open

    def open_full(path: Path, mode: str = "r", *more: Any, **options: Any) -> Any:
        is_checkpoint = ".zip" in path.name and mode in ("wb", "xb")
        return _FullFile(path, mode) if is_checkpoint else opened(path, mode, *more, **options)

    monkeypatch.setattr(Path, "open", open_full)
