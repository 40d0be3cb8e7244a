"""The commands `python -m gonzaga_agents bot check` and `bot serve`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro

from gonzaga_env.command_line import FAILED, OK
from gonzaga_env.games import game_spec, registered_games
from gonzaga_env.tabletop.errors import OptionError

from ..common.command_line import parse, run_verb, shown
from .check import check
from .serve import serve
from .spec import parse_command

_USAGE = """\
usage: python -m gonzaga_agents bot check cmd:./bot    says whether a bot keeps the protocol
       python -m gonzaga_agents bot serve planner      plays an agent as a bot

docs/bots.md specifies the protocol; each of them takes --help."""


@dataclass(frozen=True)
class CheckArguments:
    """Plays a bot and says, a line a finding, how it keeps the protocol; exit code 2 for a fault.

    Example:
        python -m gonzaga_agents bot check "cmd:python examples/bots/random_bot.py"
    """

    bot: Annotated[str, tyro.conf.Positional, shown("BOT")]
    """The bot, as "cmd:./bot --flag"."""
    game: Annotated[str | None, shown("NAME")] = None
    """A game; by default all that are registered."""
    players: Annotated[int | None, shown("INT")] = None
    """Players; by default the fewest."""


@dataclass(frozen=True)
class ServeArguments:
    """Plays an agent of this package as a bot, on standard input and output."""

    agent: Annotated[str, tyro.conf.Positional, shown("AGENT")]
    """random, greedy, planner, search, learned, a checkpoint, module:Class or file.py:Class."""
    edition: Annotated[str | None, shown("PATH")] = None
    """The edition's folder or file, if it is not a shipped one."""


def main() -> int:
    """Runs the subcommand; returns the exit code, 2 for a mistake or a fault.

    Raises:
        GameError: an argument has a value that it does not take.
    """
    return run_verb("bot", {"check": _check, "serve": _serve}, _USAGE, {})


def _check() -> int:
    arguments = parse(CheckArguments, verb="bot check")
    command = parse_command(arguments.bot)
    if command is None:
        raise OptionError(f"{arguments.bot!r} is no bot; try cmd:{arguments.bot}")
    games = registered_games() if arguments.game is None else (arguments.game,)
    faults = 0
    for game in games:
        spec = game_spec(game)
        players = min(spec.players) if arguments.players is None else arguments.players
        for finding in check(command, spec.config(num_players=players)):
            faults += not finding.is_right
            print(f"{'ok   ' if finding.is_right else 'FAULT'} {game}: {finding.text}", flush=True)
    print("no faults" if not faults else f"{faults} fault{'s' * (faults > 1)}")
    return FAILED if faults else OK


def _serve() -> int:
    arguments = parse(ServeArguments, verb="bot serve")
    return serve(arguments.agent, arguments.edition)
