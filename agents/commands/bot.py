"""`gonzaga bot`: checks bots, and plays agents as bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro

from gonzaga_env.command_line import FAILED, OK, choose_verb, option_help, parse
from gonzaga_env.games import game_spec, registered_games
from gonzaga_env.kernel.errors import OptionError

from ..outside.bots import check, serve
from ..outside.spec import parse_command

_VERBS = {
    "check": "play a bot and say how it keeps the protocol",
    "serve": "play an agent as a bot",
}


@dataclass(frozen=True)
class CheckOptions:
    """Plays a bot and says, a line a finding, how it keeps the protocol; exit code 2 for a fault.

    Examples:
        gonzaga bot check "cmd:python examples/bots/random_bot.py"
    """

    bot: Annotated[str, tyro.conf.Positional, option_help("BOT")]
    """The bot, as "cmd:./bot --flag"."""
    game: Annotated[str | None, option_help("NAME")] = None
    """A game; by default all that are registered."""


@dataclass(frozen=True)
class ServeOptions:
    """Plays an agent of this package as a bot, on standard input and output."""

    agent: Annotated[str, tyro.conf.Positional, option_help("AGENT")]
    """An agent, as `gonzaga evaluate` takes it."""
    edition: Annotated[str | None, option_help("PATH")] = None
    """The edition's folder or file, if it is not a shipped one."""


def main(arguments: Sequence[str]) -> int:
    """Runs the verb that comes first; returns the exit code, 2 for a fault of a bot."""
    prog, rest = "gonzaga bot", arguments[1:]
    verb = choose_verb(arguments, _VERBS, prog, "Bots in any language (docs/bots.md).")
    if verb == "check":
        return _check(parse(CheckOptions, rest, f"{prog} check"))
    if verb == "serve":
        options = parse(ServeOptions, rest, f"{prog} serve")
        return serve(options.agent, options.edition)
    return OK


def _check(options: CheckOptions) -> int:
    command = parse_command(options.bot)
    if command is None:
        raise OptionError(f"{options.bot!r} is not a bot; try cmd:{options.bot}")
    faults = 0
    for game in registered_games() if options.game is None else (options.game,):
        spec = game_spec(game)
        for finding in check(command, spec.config(num_players=min(spec.players))):
            faults += not finding.ok
            print(f"{'ok   ' if finding.ok else 'FAULT'} {game}: {finding.text}", flush=True)
    print("no faults" if not faults else f"{faults} fault{'s' * (faults > 1)}")
    return FAILED if faults else OK
