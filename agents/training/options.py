"""The options of `train`, and the setup of a run that follows from them.

Both are read without torch, whose import takes seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

from gonzaga_env.tabletop.rewards import Reward
from gonzaga_env.tabletop.spec import Config

from ..common.command_line import WholeNumber, parse, shown
from ..evaluation.command import GameOptions
from ..network.description import LEAST_WIDTH, MOST_WIDTH, PLANNER, Prior
from ..units.opening import num_cores

RANGES = {
    **dict.fromkeys(("imitate", "critic_first", "seed"), (0, 2**62)),
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


@dataclass(frozen=True)
class Arguments(GameOptions):
    """Trains a policy in self-play and against other agents; Ctrl-C saves and stops. --version
    prints the version.

    Examples:
        gonzaga-train --out runs/first
        gonzaga-train --out runs/first --resume --timesteps 2e6
        gonzaga-train --game signorie --players 2 --out runs/signorie
    """

    out: Path = Path("runs/ppo")
    """Folder for checkpoints, the curve of strength and TensorBoard's logs."""
    resume: bool = False
    """Continue from the folder's checkpoint, with its arguments where none are given."""
    preset: PresetName = "quick"
    """How long and how large: quick (some minutes on two cores), standard (an hour), long
    (a day), gpu (long, with a larger network and batch). The options marked "preset" follow it."""
    prior: Prior = PLANNER
    """What the network knows before it learns: planner (the choices that the planner scores best,
    in its order), geometry (where things lie on the board and what actions are about, but nothing
    of good play), or none (observations and masks, for any game)."""
    algorithm: Algorithm = "ppo"
    """ppo: masked PPO in self-play; expert: expert iteration, imitating search with the policy's
    own candidates."""
    timesteps: WholeNumber | None = None
    """The learner's turns in all, rounded up to whole rollouts; those before a --resume count too
    (preset)."""
    imitate: WholeNumber = 0
    """The first of these turns, in which it imitates search."""
    players: int = 4
    """Players."""
    opponents: Annotated[str | None, shown("NAMES")] = None
    """Opponents of the learner in games that are not self-play, with the same chance each:
    random, greedy, planner, search, learned, past (its past selves), checkpoints, module:Class
    or file.py:Class, separated by commas; by default greedy,planner,past, and past unless the
    prior is planner."""
    self_play: float = 0.7
    """Share of the games in which the learner has all seats."""
    seats: Literal["every", "one"] = "every"
    """Whether it learns from all its seats, or from one in each game."""
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
    processes: Literal["auto", "1", "2"] = "auto"
    """2 plays games in a second process, in parallel with learning; auto does so if there are two
    cores. Both give the same policy."""
    executor: Literal["local", "ray"] = "local"
    """Where games are played: on this machine, or on a Ray cluster (docs/training.md)."""
    address: Annotated[str | None, shown("ADDRESS")] = None
    """The Ray cluster, such as 10.0.0.1:6379 or auto; by default one is started here."""
    collectors: WholeNumber = 1
    """Sets of games, each of --num-games and played in a process or a Ray actor of its own; every
    update learns from all of them. One gives the same policy locally and on Ray."""
    learners: WholeNumber = 1
    """Processes on the Ray cluster that share each minibatch, as one learner would learn from it
    (within float error)."""
    start: Annotated[str | None, shown("PATH")] = None
    """A checkpoint or a run's folder to start from."""
    critic_first: WholeNumber = 0
    """Turns in which the critic alone learns, before the policy does: a strong policy must
    not follow a critic that knows nothing yet."""
    learning_rate: float = 1e-3
    """The optimizer's step at the start; it falls to a tenth. Take less to go on from a policy that
    is strong already."""
    exploit: Annotated[str | None, shown("PATH")] = None
    """A checkpoint or a run's folder: learn to beat frozen copies of it, which have all other
    seats. The run starts from its weights and plays the game that it was trained for."""
    checkpoint_every: WholeNumber | None = None
    """Turns between checkpoints (preset)."""
    eval_deals: WholeNumber | None = None
    """Deals against each opponent at each checkpoint, each played once per player; 0 for none
    (preset)."""
    eval_against: Annotated[str | None, shown("NAMES")] = None
    """Opponents at checkpoints, separated by commas; by default greedy and planner, and in Gonzaga,
    whose games are short, search@8 too."""
    sample_games: WholeNumber = 2
    """Games of the policy against itself to record at each checkpoint, in the folder's games, for
    `python -m gonzaga_env show`; 0 for none."""
    final_deals: int = 50
    """Deals of the final evaluation, each played once per player; 0 for none."""
    track: Track = "none"
    """wandb: send what TensorBoard shows to Weights & Biases too (extra "wandb")."""


@dataclass(frozen=True)
class Setup(Preset):
    """What a run is made of."""

    # as they were given, with what `exploit` implies; sizes of the preset are those of this class
    options: Arguments
    config: Config  # what is played
    opponents: tuple[str, ...]  # specs of agents (see `make_agent`), or "past" for past selves
    eval_against: tuple[str, ...]  # specs of agents
    start: Path | None  # a checkpoint to start from
    arguments: dict[str, Any]  # kept in checkpoints, for resuming
    # editions that are learned on, if it is not that of `config` alone; it is the first of them
    maps: tuple[str, ...] = ()

    @property
    def imitates(self) -> bool:
        """Whether it learns from search, at least at the start."""
        return self.options.algorithm == "expert" or self.options.imitate > 0

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

    @property
    def num_processes(self) -> int:
        """How many processes train: 2 play games in parallel with learning."""
        chosen = self.options.processes
        return min(num_cores(), 2) if chosen == "auto" else int(chosen)


def main() -> int:
    """Parses the command line and trains.

    Returns:
        The exit code (see `command.train`).
    """
    arguments = parse(Arguments)
    if arguments.track == "wandb" and find_spec("wandb") is None:
        raise ModuleNotFoundError(name="wandb")  # before anything is written
    from .command import run_command  # it imports torch

    return run_command(arguments)
