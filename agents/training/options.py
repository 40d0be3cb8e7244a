"""The options of `train`, and the setup of a run that follows from them.

Both are read without torch, whose import takes seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from gonzaga_env.command_line import WholeNumber, parse, shown
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.spec import Config

from ..network.description import PLANNER, Prior
from ..network.layers import LEAST_WIDTH, MOST_WIDTH
from ..play.game_options import GameOptions

NAME = "gonzaga train"
RANGES = {
    **dict.fromkeys(("imitate", "seed"), (0, 2**62)),
    "timesteps": (1, 2**62),
    "eval_deals": (0, 10**6),
    "num_games": (1, 2**16),  # a rollout of so many takes some 40 GB
    "collectors": (1, 2**12),
    "minibatch": (2, 2**24),  # advantages are divided by their spread
    "width": (LEAST_WIDTH, MOST_WIDTH),
}
"""The lowest and the highest value of arguments of a run."""
AGENTS = ("opponents", "exploit")
"""TrainOptions that name agents; on resuming, a checkpoint's count only if they are built in."""
OF_MACHINE = ("device", "executor", "collectors")
"""TrainOptions that say where a run takes place: each command gives its own, and no file does."""

PresetName = Literal["quick", "standard", "long", "gpu"]
OF_PRIOR: dict[Prior, dict[str, int]] = {
    "planner": {},
    "geometry": {
        "num_games": 32,
        "minibatch": 128,
    },  # what starts from nothing learns by more steps
    "none": {"width": 128},  # its layers read thousands of numbers
}
"""What a network takes in place of a preset's sizes."""
_REWARD_SCALE: dict[Reward, float] = {"outcome": 1.0, "score": 1 / 30, "margin": 1 / 30}


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
    "long": Preset(60_000_000, 256, 2048, 64, 2_000_000, 100),
    "gpu": Preset(60_000_000, 2048, 16_384, 128, 2_000_000, 100),
}
MOST_STORED = {
    name: max(getattr(preset, name) for preset in PRESETS.values())
    for name in ("num_games", "minibatch", "width", "eval_deals")
}
"""The highest values that a checkpoint decides; larger ones, which cost memory, are given again."""


@dataclass(frozen=True)
class TrainOptions(GameOptions):
    """Trains a policy in self-play and against other agents; Ctrl-C saves and stops.

    Examples:
        gonzaga train --out runs/first
        gonzaga train --out runs/first --resume --timesteps 2e6
        gonzaga train --game signorie --players 2 --out runs/signorie
    """

    out: Path = Path("runs/ppo")
    """Folder for checkpoints, the curve of strength and TensorBoard's logs."""
    resume: bool = False
    """Continue from the folder's checkpoint, with its arguments where none are given."""
    preset: PresetName = "quick"
    """How long and how large: quick (some minutes on two cores), standard (an hour), long
    (a day), gpu (long, with a larger network and batch). The options marked "preset" follow it."""
    prior: Prior = PLANNER
    """What the network knows before it learns: planner (the planner's candidates), geometry (where
    things lie on the board), or none (observations and masks)."""
    timesteps: WholeNumber | None = None
    """The learner's turns in all, those before a --resume included (preset)."""
    imitate: WholeNumber = 0
    """The first of these turns, in which it imitates search; all of them for expert iteration."""
    players: int = 4
    """Players."""
    opponents: Annotated[str | None, shown("NAMES")] = None
    """Opponents in games that are not self-play, separated by commas: agents, and past (its past
    selves); by default greedy,planner,past, and past unless the prior is planner."""
    self_play: float = 0.7
    """Share of the games in which the learner has all seats."""
    num_games: WholeNumber | None = None
    """Games in the batch (preset; 32 with prior geometry)."""
    minibatch: WholeNumber | None = None
    """Turns that one step of the optimizer learns from (preset; 128 with prior geometry)."""
    width: WholeNumber | None = None
    """Units of the network's layers (preset; 128 with prior none)."""
    reward: Reward = "margin"
    """What is learned: outcome (to win), score (own points) or margin (points ahead)."""
    seed: int = 0
    """Decides everything: the same seed gives the same policy, on one machine without a GPU."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where the network is trained; nothing needs a GPU."""
    executor: Literal["local", "ray"] = "local"
    """Where games are played: on this machine, or on the Ray cluster of RAY_ADDRESS."""
    collectors: WholeNumber = 1
    """Sets of games, each of --num-games and played in a process or a Ray actor of its own."""
    start: Annotated[str | None, shown("PATH")] = None
    """A checkpoint or a run's folder to start from."""
    learning_rate: float = 1e-3
    """The optimizer's step at the start; it falls to a tenth."""
    exploit: Annotated[str | None, shown("PATH")] = None
    """A checkpoint or a run's folder: learn to beat frozen copies of it on all other seats. The run
    starts from its weights and plays the game that it was trained for."""
    eval_deals: WholeNumber | None = None
    """Deals against each opponent at each checkpoint, each played once per player; 0 for no
    evaluation (preset)."""


@dataclass(frozen=True)
class Setup(Preset):
    """What a run is made of."""

    # as they were given, with what `exploit` implies; sizes of the preset are those of this class
    options: TrainOptions
    config: Config  # what is played
    opponents: tuple[str, ...]  # specs of agents (see `make_agent`), or "past" for past selves
    eval_against: tuple[str, ...]  # specs of agents
    start: Path | None  # a checkpoint to start from
    arguments: dict[str, Any]  # kept in checkpoints, for resuming
    # editions that are learned on, if it is not that of `config` alone; it is the first of them
    maps: tuple[str, ...] = ()
    num_processes: int = 1  # see `setup_of`

    @property
    def self_play(self) -> float:
        """The share of the games in which the learner has all seats."""
        return self.options.self_play if self.options.exploit is None else 0.0

    @property
    def reward_scale(self) -> float:
        """What rewards are multiplied by."""
        return _REWARD_SCALE[self.options.reward]

    @property
    def torch_device(self) -> str:
        """The name of the device that torch uses."""
        if self.options.device == "auto":
            import torch  # the command line is parsed without it

            return "cuda" if torch.cuda.is_available() else "cpu"
        return self.options.device


def main(arguments: Sequence[str]) -> int:
    """Parses the command line and trains.

    Returns:
        The exit code (see `command.train`).
    """
    options = parse(TrainOptions, arguments, NAME)
    from .command import run_command  # it imports torch

    return run_command(options, arguments)
