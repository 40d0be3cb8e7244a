"""`python -m gonzaga_env play`: a game at the terminal.

The players are in gonzaga_agents, which is imported only when the command runs.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from gonzaga_env.core.errors import OptionError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser, and the function that runs it."""
    parser.description = (
        "Play a game at the terminal, against agents or with others at the same keyboard. In the "
        "game, help lists what you can type. For a table in the browser see gonzaga-play."
    )
    add = parser.add_argument
    add("--players", metavar="N", type=int, help="2 to 4 (2, or as many as --seats)")
    add(
        "--seats",
        metavar="WHO",
        nargs="+",
        help="who plays each seat: human, or an agent such as greedy or planner (human planner)",
    )
    add("--scenario", metavar="NAME", help="the scenario; one is drawn if it is left out")
    add("--edition", metavar="PATH", default="europe", help="a name or an edition's folder")
    add("--agent", metavar="AGENT", default="planner", help="the agent that gives hints (planner)")
    add("--seed", metavar="INT", type=int, help="deals the same game again; it tells the deal")
    add("--record", metavar="FILE", type=Path, help="writes the finished game to this file")
    parser.set_defaults(run=play)


def play(options: argparse.Namespace) -> int:
    """Plays a game and returns the exit code: 0, or 130 after Ctrl-C.

    Raises:
        GonzagaError: an option has an invalid value, or an agent fails.
    """
    if options.seed is not None and options.seed < 0:
        raise OptionError(f"seed is {options.seed}; it takes 0 or more")
    try:  # by its name only here: the environment itself needs no agents
        return int(import_module("gonzaga_agents.play.terminal.command").run(options))
    except ModuleNotFoundError as error:  # an extra; the message says what to install
        raise OptionError(str(error)) from error
