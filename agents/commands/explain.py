"""`gonzaga explain`: shows what each fact of a choice is worth to a linear agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import tyro

from gonzaga_env.command_line import OK, option_help, parse
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.text_table import text_table

from ..heuristics.linear import LinearAgent
from ..play.evaluate import players_for
from ..registry import make_agent
from .game_options import GameOptions


@dataclass(frozen=True)
class ExplainOptions(GameOptions):
    """Shows what each fact of a choice is worth to a linear agent, in points, as the game goes on.

    Examples:
        gonzaga explain linear
        gonzaga explain runs/linear --players 2
    """

    agent: Annotated[str, tyro.conf.Positional, option_help("AGENT")] = "linear"
    """linear, or the folder of a run with --learner linear."""
    players: Annotated[int | None, option_help("INT")] = None
    """Players; by default those of the run, else the most."""


def main(arguments: Sequence[str]) -> int:
    """Prints the table and returns the exit code."""
    options = parse(ExplainOptions, arguments, "gonzaga explain")
    players = players_for((options.agent,), options.players, options.game_name)
    agent = make_agent(options.agent, options.config((options.agent,), players))
    if not isinstance(agent, LinearAgent):
        raise OptionError(
            f"agent is {short_repr(options.agent)}, which weighs no facts; "
            "take linear, or a run of gonzaga train --learner linear"
        )
    reader, weights = agent.reader, agent.policy.weights
    moments = reader.MOMENTS or dict(zip(reader.BASES, np.eye(len(reader.BASES)), strict=True))
    worth = weights @ np.array([*moments.values()]).T
    rows = zip(reader.NAMES, worth.tolist(), strict=True)
    table = [(name, *(f"{points:+.1f}" for points in row)) for name, row in rows]
    print(*text_table([("points for", *moments), *table]), sep="\n")
    return OK
