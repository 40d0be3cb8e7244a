"""The setup of a run: its sizes, what is played, and what is learned. Read without torch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.spec import Config

from ..network.description import Prior

PresetName = Literal["quick", "standard"]
Executor = Literal["local", "ray"]


@dataclass(frozen=True)
class Preset:
    """How long and how large a run is."""

    timesteps: int  # the learner's turns in all
    num_games: int  # games in the batch
    minibatch: int  # turns that one step of the optimizer learns from
    width: int  # of the network
    checkpoint_every: int  # turns between checkpoints
    eval_deals: int  # deals against each opponent at each checkpoint; 0 plays none


PRESETS: dict[PresetName, Preset] = {
    "quick": Preset(400_000, 128, 512, 64, 100_000, 25),
    "standard": Preset(6_000_000, 256, 2048, 64, 500_000, 50),
}
UNPLANNED_WIDTH = 128
"""Of the network with prior "none", whose layers read thousands of numbers."""
MAPS_AT_ONCE = 8
"""Maps that share the games of a batch. After each rollout the oldest one is replaced, so each is
played for eight of them, about three games in a row."""
LOCAL = ("out", "resume", "executor", "collectors")
"""Options that say where a run takes place: each command gives its own, and no file does."""
PAST = "past"
"""Past selves, among the opponents of a run."""
_REWARD_SCALE: dict[Reward, float] = {"outcome": 1.0, "score": 1 / 30, "margin": 1 / 30}


@dataclass(frozen=True)
class Setup(Preset):
    """The configuration of a training run."""

    config: Config  # what is played
    maps: tuple[str, ...]  # editions that are learned on, if not `config`'s alone: the first one
    prior: Prior
    reward: Reward
    learning_rate: float  # at the start
    entropy: tuple[float, ...]  # its weight at the start and at the end; none for the prior's
    average: bool  # whether the mean of the weights plays
    self_play: float  # the share of the games in which the learner has all seats
    opponents: tuple[str, ...]  # specs of agents (see `make_agent`), or "past" for past selves
    eval_against: tuple[str, ...]  # specs of agents
    start: Path | None  # a checkpoint to start from
    seed: int
    executor: Executor
    collectors: int
    num_processes: int  # 1, or 2 to play games while the policy learns
    arguments: dict[str, Json]  # kept in checkpoints, for resuming

    @property
    def reward_scale(self) -> float:
        """What rewards are multiplied by."""
        return _REWARD_SCALE[self.reward]


def split_names(listed: str) -> tuple[str, ...]:
    """Returns the names in a list that is separated by commas."""
    return tuple(name.strip() for name in listed.split(",") if name.strip())
