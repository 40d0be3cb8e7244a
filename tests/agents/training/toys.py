"""Small things that tests of training share."""

import errno
import os
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.network.gonzaga_reader import InputReader, Inputs
from gonzaga_agents.network.parts import network_parts
from gonzaga_agents.training.collector import SampledPolicy
from gonzaga_agents.training.options import TrainOptions
from gonzaga_agents.training.policy import SelfPlayPPO
from gonzaga_agents.training.self_play import Experience
from stable_baselines3.common.logger import Logger

from gonzaga_env.core import Engine, GameConfig

TOY = TrainOptions(
    players=2,
    timesteps=64,
    num_games=4,
    minibatch=32,
    width=8,
    eval_deals=0,
    device="cpu",
)
"""A run of one rollout: 4 rounds of 2 decisions of all seats, 64 turns in 4 games."""


def inputs_of_play(config: GameConfig, num_steps: int, num_games: int = 8) -> Inputs:
    """Returns what seats saw in some steps of random play."""
    engine, rng = Engine.from_config(config, num_games, seed=5), np.random.default_rng(5)
    reader, parts = InputReader(config), []
    for _ in range(num_steps):
        games, legal = np.arange(num_games), engine.legal_actions()
        parts.append(reader.read(engine.state, engine.observe(), games, engine.seats, *legal))
        engine.step(engine.sample_legal(rng))
    return Inputs.concatenate(parts)


def small_model(config: GameConfig, batch_size: int = 32, **options: object) -> SelfPlayPPO:
    """Returns a model with a narrow network, which logs nothing."""
    reader = InputReader(config)
    model = SelfPlayPPO(
        network_parts(config),
        reader,
        8,
        **{"learning_rate": 1e-2, "batch_size": batch_size, "seed": 0, "device": "cpu", **options},
    )
    model.set_logger(Logger(None, []))
    return model


def sampled(model: SelfPlayPPO) -> SampledPolicy:
    """Returns what games are played with while a model learns."""
    return SampledPolicy(model.policy.network, model.policy.critic, seed=0)


def experience_of(model: SelfPlayPPO, inputs: Inputs) -> Experience:
    """Returns experience with random advantages, as if the policy had just decided."""
    rng, size = np.random.default_rng(0), len(inputs)
    chosen, log_probs, values = sampled(model)(inputs)
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
        is_checkpoint = ".zip" in path.name and mode == "wb"
        return _FullFile(path, mode) if is_checkpoint else opened(path, mode, *more, **options)

    monkeypatch.setattr(Path, "open", open_full)
