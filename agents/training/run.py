"""One training run: environment, model, snapshots and checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.errors import OptionError
from gonzaga_env.core.rules.rewards import Reward

from ..agent import Agent
from ..network.agent import NetworkAgent
from ..network.checkpoint import OPTIMIZER, WEIGHTS, check_fits, read_weights, save_checkpoint
from ..network.network import Network
from ..registry import CHECKPOINT, AgentError, make_agent
from .callbacks import Every, Report, Snapshots
from .policy import BoolMaskBuffer, GonzagaPolicy
from .vec_env import GonzagaVecEnv

SELF = "self"  # among opponents: snapshots of the learner
_NETWORK: dict[str, Any] = {"width": 64}
_NUM_SNAPSHOTS, _SNAPSHOT_EVERY = 2, 20_000
_LEARNING_RATE, _LAST_LEARNING_RATE = 1e-3, 1e-4
_ROLLOUT = 16  # turns a game
_MINIBATCH = 512  # tensors of larger ones are so big that the system is asked for each anew
_PPO: dict[str, Any] = {
    "n_epochs": 4,
    "gamma": 1.0,  # games are short, and a point counts alike whenever it comes
    "gae_lambda": 0.95,
    "ent_coef": 0.005,
}
_REWARD_SCALE: dict[Reward, float] = {"outcome": 1.0, "score": 0.05, "margin": 0.05}


@dataclass(frozen=True)
class Setup:
    """What a run is made of.

    Attributes:
        config: what is played.
        timesteps: the learner's turns in all.
        opponents: names of agents, checkpoints or "self", each with the same chance.
        num_games: N.
        reward: what is learned.
        seed: decides everything.
        device: where the network is trained.
        checkpoint_every: turns between checkpoints.
        arguments: what a checkpoint keeps, to go on with the same.
    """

    config: GameConfig
    timesteps: int
    opponents: Sequence[str]
    num_games: int
    reward: Reward
    seed: int
    device: Literal["auto", "cpu", "cuda"]
    checkpoint_every: int
    arguments: dict[str, Any]


class Run:
    """Training in one folder.

    Attributes:
        setup: what it is made of.
        out: the folder.
        model: stable-baselines3's model.
    """

    def __init__(self, setup: Setup, out: Path, *, resume: bool) -> None:
        """Builds everything; nothing is written yet.

        Args:
            setup: what it is made of.
            out: the folder.
            resume: go on from the folder's checkpoint.

        Raises:
            GonzagaError: an opponent or an option that does not exist, or a checkpoint that does
                not fit.
        """
        self.setup, self.out = setup, out
        config, checkpoint = setup.config, out / CHECKPOINT
        done = 0
        if resume:
            described = check_fits(checkpoint, config)
            done = int(described["timesteps"])
            if done >= setup.timesteps:
                raise OptionError(f"{done} turns of {setup.timesteps} are done; raise --timesteps")
        # Later parts of a run play other deals than its start.
        seed = int(np.random.SeedSequence([setup.seed, done]).generate_state(1)[0])
        self._snapshots = Snapshots(self._new_snapshots())
        self.model = self._new_model(seed)
        if resume:
            self.model.policy.load_state_dict(read_weights(checkpoint, WEIGHTS))
            self.model.policy.optimizer.load_state_dict(read_weights(checkpoint, OPTIMIZER))
            self.model.num_timesteps = done
        self._snapshots.fill(self.network.state_dict())

    @property
    def network(self) -> Network:
        """The network that learns."""
        network: Network = self.model.policy.network  # type: ignore[assignment]
        return network

    def learner(self) -> NetworkAgent:
        """Returns the agent that plays what has been learned."""
        return NetworkAgent(self.network, "learner", deterministic=True)

    def learn(self) -> bool:
        """Trains; returns whether it came to its end without being interrupted."""
        setup, model = self.setup, self.model
        report = Report(setup.timesteps)
        model.set_logger(configure(str(self.out / "tensorboard"), ["tensorboard"]))
        refresh = Every(_SNAPSHOT_EVERY, lambda: self._snapshots.refresh(self.network.state_dict()))
        callbacks = [report, refresh, Every(setup.checkpoint_every, self.save)]
        try:
            left = setup.timesteps - model.num_timesteps
            model.learn(left, callbacks, log_interval=1, reset_num_timesteps=False)
        except KeyboardInterrupt:
            return False
        finally:
            report.stop()
            model.logger.close()
        return True

    def save(self) -> Path:
        """Writes a checkpoint, under its number of turns and as the latest; returns the latter."""
        numbered = self.out / "checkpoints" / f"{self.model.num_timesteps:010d}.zip"
        for path in (numbered, self.out / CHECKPOINT):
            save_checkpoint(
                path,
                self.model,
                config=self.setup.config,
                network=_NETWORK,
                arguments=self.setup.arguments,
            )
        return self.out / CHECKPOINT

    def _new_snapshots(self) -> list[NetworkAgent]:
        config, device = self.setup.config, _device(self.setup.device)
        count = _NUM_SNAPSHOTS if SELF in self.setup.opponents else 0
        networks = [Network(config.tables, config.num_players, **_NETWORK) for _ in range(count)]
        return [NetworkAgent(network.to(device).eval(), SELF) for network in networks]

    def _new_model(self, seed: int) -> MaskablePPO:
        setup, config = self.setup, self.setup.config
        return MaskablePPO(
            GonzagaPolicy,
            self._new_env(seed),
            learning_rate=_learning_rate,
            n_steps=_ROLLOUT,
            batch_size=min(_MINIBATCH, _ROLLOUT * setup.num_games),
            rollout_buffer_class=BoolMaskBuffer,
            policy_kwargs={
                "config": config,
                "network": _NETWORK,
            },
            seed=seed,
            device=_device(setup.device),
            **_PPO,
        )

    def _new_env(self, seed: int) -> GonzagaVecEnv:
        setup, config = self.setup, self.setup.config
        engine = Engine.from_config(config, setup.num_games, seed=seed, reward=setup.reward)
        agents: list[Agent] = []
        probabilities: list[float] = []
        for name in setup.opponents:
            group = self._opponents(name)
            agents += group
            probabilities += [1 / len(setup.opponents) / len(group)] * len(group)
        scale = _REWARD_SCALE[setup.reward]
        return GonzagaVecEnv(
            engine, agents, probabilities=probabilities, seed=seed, reward_scale=scale
        )

    def _opponents(self, name: str) -> Sequence[Agent]:
        if name == SELF:
            return self._snapshots.agents
        try:
            return [make_agent(name, self.setup.config)]
        except AgentError as error:
            raise OptionError(
                f"opponents, separated by commas, may also be 'self'; {error}"
            ) from error


def _learning_rate(remaining: float) -> float:
    """Returns the learning rate when a part of the training remains, 1 to 0."""
    return _LAST_LEARNING_RATE + (_LEARNING_RATE - _LAST_LEARNING_RATE) * remaining


def _device(name: str) -> str:
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return name
