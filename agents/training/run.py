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

from ..agent import Agent, AgentError
from ..network.agent import NetworkAgent
from ..network.checkpoint import OPTIMIZER, WEIGHTS, check_fits, read_weights, save_checkpoint
from ..network.network import Network
from ..registry import CHECKPOINT, make_agent
from .callbacks import Every, Report, Snapshots
from .final_evaluation import results_against
from .policy import BoolMaskBuffer, GonzagaPolicy
from .vec_env import GonzagaVecEnv

SELF = "self"  # among opponents: snapshots of the learner
_NETWORK: dict[str, Any] = {"width": 64}
_NUM_SNAPSHOTS, _SNAPSHOT_EVERY = 2, 20_000
_LEARNING_RATE, _LAST_LEARNING_RATE = 1e-3, 1e-4
_ROLLOUT = 16  # turns a game
_MINIBATCH = 512  # tensors of larger ones exceed what malloc keeps, and are allocated each time
_PPO: dict[str, Any] = {
    "n_epochs": 4,
    "gamma": 1.0,  # games are short, and a point counts the same whenever it is scored
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
        opponents: specs of agents (see `make_agent`) or "self", all with the same chance.
        num_games: N.
        reward: what is learned.
        seed: decides everything.
        device: where the network is trained.
        checkpoint_every: turns between checkpoints.
        eval_deals: deals against greedy agents at each checkpoint; 0 plays none.
        arguments: kept in checkpoints, for resuming.
    """

    config: GameConfig
    timesteps: int
    opponents: Sequence[str]
    num_games: int
    reward: Reward
    seed: int
    device: Literal["auto", "cpu", "cuda"]
    checkpoint_every: int
    eval_deals: int
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
            resume: whether to continue from the folder's checkpoint.

        Raises:
            GonzagaError: an opponent or an option that does not exist, or a checkpoint that does
                not fit.
        """
        self.setup, self.out = setup, out
        config, checkpoint = setup.config, out / CHECKPOINT
        done = 0
        if resume:
            description = check_fits(checkpoint, config)
            done = int(description["timesteps"])
            if done >= setup.timesteps:
                raise OptionError(f"{done} turns of {setup.timesteps} are done; raise --timesteps")
        # A resumed run plays other deals than the first part.
        seed = int(np.random.SeedSequence([setup.seed, done]).generate_state(1)[0])
        self._snapshots = Snapshots(self._new_snapshots())
        self.model = self._new_model(seed)
        self._report = Report(setup.timesteps)
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
        """Returns the agent that plays the current policy."""
        reward = self.setup.reward
        return NetworkAgent(self.network, "learner", True, reward, _REWARD_SCALE[reward])

    def learn(self) -> None:
        """Trains to the end.

        Raises:
            KeyboardInterrupt: training was interrupted; the model keeps what it has learned.
        """
        setup, model = self.setup, self.model
        model.set_logger(configure(str(self.out / "tensorboard"), ["tensorboard"]))
        refresh = Every(_SNAPSHOT_EVERY, lambda: self._snapshots.refresh(self.network.state_dict()))
        callbacks = [self._report, refresh, Every(setup.checkpoint_every, self._checkpoint)]
        try:
            remaining = setup.timesteps - model.num_timesteps
            model.learn(remaining, callbacks, log_interval=1, reset_num_timesteps=False)
            self._evaluate()
            model.logger.dump(model.num_timesteps)
        finally:
            self._report.stop()
            model.logger.close()

    def save(self) -> Path:
        """Writes a checkpoint, numbered by turns and as the latest; returns the latter's path."""
        numbered = self.out / "checkpoints" / f"{self.model.num_timesteps:010d}.zip"
        reward = self.setup.reward
        for path in (numbered, self.out / CHECKPOINT):
            save_checkpoint(
                path,
                self.model,
                config=self.setup.config,
                network=_NETWORK,
                reward=reward,
                reward_scale=_REWARD_SCALE[reward],
                arguments=self.setup.arguments,
            )
        return self.out / CHECKPOINT

    def _checkpoint(self) -> None:
        self.save()
        self._evaluate()

    def _evaluate(self) -> None:
        """Logs and shows the win share against greedy agents, always on the same deals."""
        deals, config = self.setup.eval_deals, self.setup.config
        if not deals:
            return
        own, _ = results_against("greedy", config, self.learner(), num_deals=deals)
        self.model.logger.record("eval/greedy_win_share", own.win_share.mean)
        self.model.logger.record("eval/greedy_score", own.score.mean)
        games = deals * config.num_players
        self._report.print(f"wins {own.win_share.mean:.1%} of {games} games against greedy")

    def _new_snapshots(self) -> list[NetworkAgent]:
        config, device = self.setup.config, _device(self.setup.device)
        count = _NUM_SNAPSHOTS if SELF in self.setup.opponents else 0
        networks = [Network(config.tables, config.num_players, **_NETWORK) for _ in range(count)]
        return [NetworkAgent(network.to(device).eval(), SELF) for network in networks]

    def _new_model(self, seed: int) -> MaskablePPO:
        setup = self.setup
        return MaskablePPO(
            GonzagaPolicy,
            self._new_env(seed),
            learning_rate=_learning_rate,
            n_steps=_ROLLOUT,
            batch_size=min(_MINIBATCH, _ROLLOUT * setup.num_games),
            rollout_buffer_class=BoolMaskBuffer,
            policy_kwargs={"config": setup.config, "network": _NETWORK},
            seed=seed,
            device=_device(setup.device),
            **_PPO,
        )

    def _new_env(self, seed: int) -> GonzagaVecEnv:
        setup = self.setup
        engine = Engine.from_config(setup.config, setup.num_games, seed=seed, reward=setup.reward)
        agents: list[Agent] = []
        probabilities: list[float] = []
        for spec in setup.opponents:
            group = self._opponents(spec)
            agents += group
            probabilities += [1 / len(setup.opponents) / len(group)] * len(group)
        scale = _REWARD_SCALE[setup.reward]
        return GonzagaVecEnv(
            engine, agents, probabilities=probabilities, seed=seed, reward_scale=scale
        )

    def _opponents(self, spec: str) -> Sequence[Agent]:
        if spec == SELF:
            return self._snapshots.agents
        try:
            return [make_agent(spec, self.setup.config)]
        except AgentError as error:
            raise AgentError(f"{error} (--opponents also takes self)") from error


def _learning_rate(remaining: float) -> float:
    """Returns the learning rate when this fraction of the training remains, 1 to 0.

    Turns are rounded up to whole rollouts, after which less than nothing remains.
    """
    return _LAST_LEARNING_RATE + (_LEARNING_RATE - _LAST_LEARNING_RATE) * max(remaining, 0.0)


def _device(name: str) -> str:
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return name
