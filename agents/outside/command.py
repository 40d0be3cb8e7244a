"""`gonzaga bot`: checks a bot in any language, or plays an agent as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro

from gonzaga_env.command_line import FAILED, OK, choose_verb, parse, shown
from gonzaga_env.games import game_spec, registered_games
from gonzaga_env.tabletop.errors import OptionError

from .check import check
from .serve import serve
from .spec import parse_command

_VERBS = {
    "check": "say whether a bot keeps the protocol (docs/bots.md)",
    "serve": "play an agent of this package as a bot",
}


@dataclass(frozen=True)
class CheckOptions:
    """Plays a bot and says, a line a finding, how it keeps the protocol; exit code 2 for a fault.

    Examples:
        gonzaga bot check "cmd:python examples/bots/random_bot.py"
    """

    bot: Annotated[str, tyro.conf.Positional, shown("BOT")]
    """The bot, as "cmd:./bot --flag"."""
    game: Annotated[str | None, shown("NAME")] = None
    """A game; by default all that are registered."""
    players: Annotated[int | None, shown("INT")] = None
    """Players; by default the fewest."""


@dataclass(frozen=True)
class ServeOptions:
    """Plays an agent of this package as a bot, on standard input and output."""

    agent: Annotated[str, tyro.conf.Positional, shown("AGENT")]
    """random, greedy, planner, search, learned, a checkpoint, module:Class or file.py:Class."""
    edition: Annotated[str | None, shown("PATH")] = None
    """The edition's folder or file, if it is not a shipped one."""


def main(arguments: Sequence[str]) -> int:
    """Runs `check` or `serve`; returns the exit code, 2 for a mistake or a fault.

    Raises:
        GameError: an argument has a value that it does not take.
    """
    verb = choose_verb(arguments, _VERBS, "gonzaga bot", "Check a bot, or play an agent as one.")
    if verb == "check":
        return _check(parse(CheckOptions, arguments[1:], "gonzaga bot check"))
    if verb == "serve":
        options = parse(ServeOptions, arguments[1:], "gonzaga bot serve")
        return serve(options.agent, options.edition)
    return OK


def _check(arguments: CheckOptions) -> int:
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
