"""The command `train`: its options, which are read without torch, as its import takes seconds."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

import tyro

from gonzaga_env.tabletop.rewards import Reward

from ..common.command_line import WholeNumber, parse
from ..evaluation.command import GameOptions
from ..network.description import PLANNER, Prior
from .setup import Algorithm, PresetName, Track


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
    opponents: Annotated[str | None, tyro.conf.arg(metavar="NAMES", help_behavior_hint="")] = None
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
    address: Annotated[str | None, tyro.conf.arg(metavar="ADDRESS", help_behavior_hint="")] = None
    """The Ray cluster, such as 10.0.0.1:6379 or auto; by default one is started here."""
    collectors: WholeNumber = 1
    """Sets of games, each of --num-games and played in a process or a Ray actor of its own; every
    update learns from all of them. One gives the same policy locally and on Ray."""
    learners: WholeNumber = 1
    """Processes on the Ray cluster that share each minibatch, as one learner would learn from it
    (within float error)."""
    start: Annotated[str | None, tyro.conf.arg(metavar="PATH", help_behavior_hint="")] = None
    """A checkpoint or a run's folder to start from."""
    exploit: Annotated[str | None, tyro.conf.arg(metavar="PATH", help_behavior_hint="")] = None
    """A checkpoint or a run's folder: learn to beat frozen copies of it, which have all other
    seats. The run starts from its weights and plays the game that it was trained for."""
    checkpoint_every: WholeNumber | None = None
    """Turns between checkpoints (preset)."""
    eval_deals: WholeNumber | None = None
    """Deals against each opponent at each checkpoint, each played once per player; 0 for none
    (preset)."""
    eval_against: Annotated[str | None, tyro.conf.arg(metavar="NAMES", help_behavior_hint="")] = (
        None
    )
    """Opponents at checkpoints, separated by commas; by default greedy and planner, and in Gonzaga,
    whose games are short, search@8 too."""
    sample_games: WholeNumber = 2
    """Games of the policy against itself to record at each checkpoint, in the folder's games, for
    `python -m gonzaga_env show`; 0 for none."""
    final_deals: int = 50
    """Deals of the final evaluation, each played once per player; 0 for none."""
    track: Track = "none"
    """wandb: send what TensorBoard shows to Weights & Biases too (extra "wandb")."""


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
