"""`python -m gonzaga_env play`: its options, and how it ends."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gonzaga_agents.registry import make_agent, usual_agent

from gonzaga_env.command_line import examples
from gonzaga_env.games import DEFAULT_GAME, edition_game, game_spec
from gonzaga_env.tabletop.chance import agent_generators
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.records import write_records

from ..session import GameSession, SeatPlayer, agent_seat, human
from .game import TerminalGame

OK, INTERRUPTED = 0, 130
HUMAN = "human"
HELP = "play a game at the terminal"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser, and the function that runs it."""
    parser.description = (
        "Play a game at the terminal, against agents or with others at the same keyboard. In the "
        "game, help lists what you can type. For a table in the browser see gonzaga-play."
    )
    add = parser.add_argument
    add(
        "--game",
        metavar="NAME",
        help="gonzaga, tuscany (or castles_of_tuscany), signorie, or one that is registered (the "
        "game of the edition's file, else gonzaga)",
    )
    add("--players", metavar="N", type=int, help="2 to 4 (2, or as many as --seats)")
    add(
        "--seats",
        metavar="WHO",
        nargs="+",
        help="who plays each seat: human, or an agent such as greedy or planner (human planner)",
    )
    add("--scenario", metavar="NAME", help="Gonzaga's scenario; one is drawn without it")
    add("--edition", metavar="PATH", help="a name, or where an edition is (the one that ships)")
    add("--agent", metavar="AGENT", help="the agent that gives hints (planner)")
    add("--seed", metavar="INT", type=int, help="deals the same game again; it reveals the deal")
    add("--record", metavar="FILE", type=Path, help="writes the finished game to this file")
    parser.epilog = examples(
        "python -m gonzaga_env play",
        "python -m gonzaga_env play --seats human greedy planner --game signorie",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Plays a game and returns the exit code: 0, or 130 after Ctrl-C.

    Raises:
        GameError: an option has an invalid value, an agent needs a package that is missing (the
            message says which), or it fails.
    """
    if options.seed is not None and options.seed < 0:
        raise OptionError(f"seed is {options.seed}; it takes 0 or more")
    try:
        return _play(options)
    except ModuleNotFoundError as error:  # an extra
        raise OptionError(str(error)) from error


def _play(options: argparse.Namespace) -> int:
    game = game_spec(options.game or edition_game(options.edition) or DEFAULT_GAME)
    usual = usual_agent(game.name)
    specs = seat_specs(options.players, options.seats, usual)
    given = {"scenario": options.scenario, "edition": options.edition}
    chosen = {name: value for name, value in given.items() if value is not None}
    if "scenario" in chosen and game.name != DEFAULT_GAME:
        raise OptionError(f"--scenario is {options.scenario}; {game.title} has no scenarios")
    config = game.config(num_players=len(specs), **chosen)
    table = GameSession(config, _seats(specs), options.seed)
    agents = {seat: make_agent(spec, config) for seat, spec in enumerate(specs) if spec != HUMAN}
    adviser = options.agent or usual, make_agent(options.agent or usual, config)
    # Agents could tell the deal from a generator that shows its seed.
    (rng,) = agent_generators(table.seed.to_bytes(8, "little"), 1)
    played = TerminalGame(table, agents, adviser, rng, color=sys.stdout.isatty())
    try:
        played.run()
    except EOFError:
        print(f"\nThe game was left after {table.num_moves} moves; nothing was recorded.")
        return OK
    except KeyboardInterrupt:
        print(f"\nplay: interrupted after {table.num_moves} moves", file=sys.stderr)
        return INTERRUPTED
    if options.record is not None:
        write_records(options.record, [table.record()])
        print(f"wrote {options.record}")
    return OK


def seat_specs(
    players: int | None, seats: Sequence[str] | None, usual: str = "planner"
) -> list[str]:
    """Returns who plays each seat: "human" or an agent's spec.

    Args:
        players: the number of players; None for that of the seats.
        seats: who plays; None for a person against `usual` on all other seats.
        usual: the agent on the seats that nobody names.

    Raises:
        OptionError: the two contradict each other, or nobody is human.
    """
    if seats is None:
        return [HUMAN, *[usual] * ((players or 2) - 1)]
    if players not in (None, len(seats)):
        raise OptionError(f"--players is {players}, but --seats names {len(seats)}")
    if HUMAN not in seats:
        raise OptionError("--seats takes one human at least; evaluate.py plays agents alone")
    return list(seats)


def _seats(specs: Sequence[str]) -> list[SeatPlayer]:
    return [human() if spec == HUMAN else agent_seat(spec) for spec in specs]
