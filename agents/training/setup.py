"""What a training run is made of, and presets of how long and large it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gonzaga_env.tabletop.rewards import Reward

from ..network.description import LEAST_WIDTH, MOST_WIDTH, Prior

RANGES = {
    **dict.fromkeys(("imitate", "seed"), (0, 2**62)),
    **dict.fromkeys(("timesteps", "checkpoint_every"), (1, 2**62)),
    **dict.fromkeys(("eval_deals", "final_deals", "sample_games"), (0, 10**6)),
    "num_games": (1, 2**16),  # a rollout of so many takes some 40 GB
    "collectors": (1, 2**12),
    "learners": (1, 2**8),
    "minibatch": (2, 2**24),  # advantages are divided by their spread
    "width": (LEAST_WIDTH, MOST_WIDTH),
}
"""The lowest and the highest value of arguments of a run."""

Algorithm = Literal["ppo", "expert"]
PresetName = Literal["quick", "standard", "long", "gpu"]
Track = Literal["none", "wandb"]
"""Where figures go besides TensorBoard."""
OF_PRIOR: dict[Prior, dict[str, int]] = {
    "planner": {},
    "geometry": {
        "num_games": 32,
        "minibatch": 128,
    },  # who starts from nothing learns by small steps
    "none": {"width": 128},  # its layers read thousands of numbers
}
"""What a network takes in place of a preset's sizes."""
_REWARD_SCALE: dict[Reward, float] = {"outcome": 1.0, "score": 1 / 30, "margin": 1 / 30}


@dataclass(frozen=True)
class Preset:
    """How long and how large a run is.

    Attributes:
        timesteps: the learner's turns in all.
        num_games: games in the batch.
        minibatch: turns that one step of the optimizer learns from.
        width: of the network.
        checkpoint_every: turns between checkpoints.
        eval_deals: deals against each opponent at each checkpoint; 0 plays none.
    """

    timesteps: int
    num_games: int
    minibatch: int
    width: int
    checkpoint_every: int
    eval_deals: int


@dataclass(frozen=True)
class Setup(Preset):
    """What a run is made of, apart from the sizes of `Preset`.

    Attributes:
        config: what is played.
        prior: what the network knows before it learns.
        algorithm: "ppo", or "expert" for learning from search to the end.
        imitate: turns at the start in which it learns from search; "expert" does so in all.
        opponents: specs of agents (see `make_agent`), or "past" for past selves.
        self_play: share of the games in which the learner has all seats.
        every_seat: whether it learns from all its seats, or from one in each game.
        reward: what is learned.
        seed: decides everything.
        device: where the network is trained.
        num_processes: 2 if games are played in parallel with learning, else 1.
        executor: where games are played: on this machine, or on a Ray cluster.
        address: of the Ray cluster; None takes the environment's, or starts one here.
        collectors: sets of games, each played apart from the others.
        learners: processes that learn together.
        eval_against: specs of agents.
        sample_games: games to record at each checkpoint; 0 records none.
        start: a checkpoint to start from.
        arguments: kept in checkpoints, for resuming.
        track: where figures go besides TensorBoard.
    """

    config: Any
    prior: Prior
    algorithm: Algorithm
    imitate: int
    opponents: Sequence[str]
    self_play: float
    every_seat: bool
    reward: Reward
    seed: int
    device: Literal["auto", "cpu", "cuda"]
    num_processes: int
    executor: Literal["local", "ray"]
    address: str | None
    collectors: int
    learners: int
    eval_against: Sequence[str]
    sample_games: int
    start: Path | None
    arguments: dict[str, Any]
    track: Track = "none"

    @property
    def imitates(self) -> bool:
        """Whether it learns from search, at least at the start."""
        return self.algorithm == "expert" or self.imitate > 0

    @property
    def reward_scale(self) -> float:
        """What rewards are multiplied by."""
        return _REWARD_SCALE[self.reward]

    @property
    def torch_device(self) -> str:
        """The name of the device that torch uses."""
        if self.device == "auto":
            import torch  # the command line is parsed without it

            return "cuda" if torch.cuda.is_available() else "cpu"
        return self.device


PRESETS: dict[PresetName, Preset] = {
    "quick": Preset(400_000, 128, 1024, 64, 100_000, 25),
    "standard": Preset(6_000_000, 256, 2048, 64, 500_000, 50),
    "long": Preset(60_000_000, 256, 2048, 64, 2_000_000, 100),
    "gpu": Preset(60_000_000, 2048, 16_384, 128, 2_000_000, 100),
}
