"""`gonzaga play terminal`: its options, and how it ends."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path

from gonzaga_agents.locks import Log, check_records, read_log
from gonzaga_agents.registry import default_agent, make_agent

from gonzaga_env.command_line import parse
from gonzaga_env.games import DEFAULT_GAME, edition_game, game_spec
from gonzaga_env.kernel.chance import agent_generators
from gonzaga_env.kernel.errors import OptionError

from ..session import GameSession, agent_seat, human
from .game import TerminalGame

OK, INTERRUPTED = 0, 130
HUMAN = "human"


@dataclass(frozen=True)
class TerminalOptions:
    """Play a game at the terminal, against agents or with others at the same keyboard.

    In the game, help lists what you can type.

    Examples:
        gonzaga play terminal
        gonzaga play terminal --seats human greedy planner --game signorie
    """

    game: str | None = None
    """The game: gonzaga, tuscany, signorie, ...; by default that of the edition, else gonzaga."""
    players: int | None = None
    """2 to 4; by default 2, or as many as --seats."""
    seats: tuple[str, ...] = ()
    """Who plays each seat: human, or an agent such as greedy; by default human planner."""
    scenario: str | None = None
    """Gonzaga's scenario; one is drawn without it."""
    edition: str | None = None
    """A name, or where an edition is; by default the one that ships."""
    agent: str | None = None
    """The agent that gives hints; by default planner."""
    seed: int | None = None
    """Deals the same game again; it reveals the deal."""
    record: Path | None = None
    """Adds the finished game to this file of records."""


def main(arguments: Sequence[str]) -> int:
    """Plays a game and returns the exit code: 0, or 130 after Ctrl-C."""
    options = parse(TerminalOptions, arguments, "gonzaga play terminal")
    if options.seed is not None and options.seed < 0:
        raise OptionError(f"seed is {options.seed}; it takes 0 or more")
    try:
        return _play(options)
    except ModuleNotFoundError as error:  # an extra
        raise OptionError(str(error)) from error


def _play(options: TerminalOptions) -> int:
    if options.record is not None:
        check_records(options.record)
        _, cut_short = read_log(options.record, OptionError)
    game = game_spec(options.game or edition_game(options.edition) or DEFAULT_GAME)
    usual = default_agent(game.name)
    specs = seat_specs(options.players, options.seats, usual)
    given = {"scenario": options.scenario, "edition": options.edition}
    chosen = {name: value for name, value in given.items() if value is not None}
    if "scenario" in chosen and "scenario" not in signature(game.config).parameters:
        raise OptionError(f"--scenario is {options.scenario}; {game.title} has no scenarios")
    config = game.config(num_players=len(specs), **chosen)
    seats = [human() if spec == HUMAN else agent_seat(spec) for spec in specs]
    table = GameSession(config, seats, options.seed)
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
        with Log(options.record, "game") as file:
            begun = [""] if cut_short else []  # ends a line that has none
            file.write(*begun, json.dumps(table.record(), ensure_ascii=False))
        print(f"wrote {options.record}")
    return OK


def seat_specs(players: int | None, seats: Sequence[str], usual: str = "planner") -> list[str]:
    """Returns who plays each seat: "human" or an agent's spec."""
    if not seats:
        return [HUMAN, *[usual] * ((players or 2) - 1)]
    if players not in (None, len(seats)):
        raise OptionError(f"--players is {players}, but --seats names {len(seats)}")
    if HUMAN not in seats:
        raise OptionError("--seats takes one human at least; evaluate.py plays agents alone")
    return list(seats)
