"""`gonzaga speedrun`: how many CPU seconds a training needs to pass the hand-written planner."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro

from gonzaga_env.command_line import FAILED, OK, option_help, parse
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.spec import Config

from ..play.evaluate import draw_seed, play_match, players_for
from ..registry import make_agent
from ..statistics import SequentialTest, sequential_test
from .game_options import GameOptions

OPPONENT = "planner"
_RUNS = 3
_MOST_DEALS, _DEALS_AT_ONCE = 2000, 20
_SEEDS = 2**31  # which every library takes
_STDERR = 2  # what a training prints goes there


@dataclass(frozen=True, kw_only=True)
class SpeedrunOptions(GameOptions):
    """Runs a training from random weights on fresh seeds, and counts the CPU seconds of all its
    processes. A run passes once its agent is better than planners in all other seats, by a
    sequential test of 95 % on deals drawn after the training; the mean of the runs counts.

    Examples:
        gonzaga speedrun "gonzaga train --learner linear --timesteps 9e5 --eval-deals 0"
        gonzaga speedrun "python mine.py" --game tuscany --players 2
    """

    command: Annotated[str, tyro.conf.Positional, option_help("COMMAND")]
    """The training; --seed and --out are added, and --out must then hold the agent."""
    players: Annotated[int | None, option_help("INT")] = None
    """Players; by default the most."""


def main(arguments: Sequence[str]) -> int:
    """Runs and prints; returns the exit code, 2 if a run did not pass."""
    options = parse(SpeedrunOptions, arguments, "gonzaga speedrun")
    try:
        words = shlex.split(options.command)
    except ValueError as error:
        raise OptionError(f"command {short_repr(options.command)}: {error}") from error
    if not words:
        raise OptionError("command is empty; it takes a training")
    players = players_for((OPPONENT,), options.players, options.game_name)
    config = options.config((OPPONENT,), players)
    seconds, passed = list[float](), True
    with tempfile.TemporaryDirectory() as folder:
        for number in range(_RUNS):
            out, seed = Path(folder) / str(number), draw_seed() % _SEEDS
            seconds.append(_train(words, seed, out))
            found = _test(config, out)
            better = found.decided and found.mean > found.fair_share
            passed &= better
            print(
                f"seed {seed}: {seconds[-1]:.1f} CPU seconds; {found.mean:.1%} ({found.low:.1%} to "
                f"{found.high:.1%}) against {OPPONENT} after {found.deals:,} deals: "
                f"{'passed' if better else 'not better'}",
                flush=True,
            )
    verdict = "" if passed else "; no record, since not all runs passed"
    print(f"mean {np.mean(seconds):.1f} CPU seconds{verdict}")
    return OK if passed else FAILED


def _train(words: Sequence[str], seed: int, out: Path) -> float:
    """Runs a training and returns the CPU seconds of its processes."""
    command = shlex.join(words)
    words = [*words, "--seed", str(seed), "--out", str(out)]
    before = _children_seconds()
    try:
        code = subprocess.run(words, stdout=_STDERR, check=False).returncode
    except OSError as error:
        raise OptionError(f"command {short_repr(command)}: {error.strerror}") from error
    if code:
        raise OptionError(f"command {short_repr(command)} ended with exit code {code}")
    return _children_seconds() - before


def _children_seconds() -> float:
    used = os.times()
    return used.children_user + used.children_system


def _test(config: Config, out: Path) -> SequentialTest:
    """Compares an agent with planners on fresh deals, until it is decided who is better."""
    agents = [make_agent(out, config), make_agent(OPPONENT, config)]
    lineup = [0] + [1] * (config.num_players - 1)
    shares = np.empty(0)
    while len(shares) < _MOST_DEALS:
        match = play_match(config, agents, lineup, num_deals=_DEALS_AT_ONCE, seed=draw_seed())
        own = np.where(match.seating == 0, match.win_shares, 0).sum(axis=2)
        shares = np.append(shares, own.mean(axis=1))
        found = sequential_test(shares, 1 / config.num_players)
        if found.decided:
            break
    return found
