"""The command `evaluate`: plays agents against each other and shows who does how well."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated

import tyro

from gonzaga_env.command_line import FAILED, INTERRUPTED, OK
from gonzaga_env.core.options import SeaLeague
from gonzaga_env.games import DEFAULT_GAME, edition_game, game_name
from gonzaga_env.tabletop.spec import Config

from ..common.command_line import WholeNumber, parse, progress, shown
from ..outside.spec import OnFailure, with_on_failure
from ..registry import Spec, for_any_edition
from ..units.options import ExecutorOptions, Workers
from .evaluate import evaluate_in
from .game import config_for, players_for
from .match import GUESSABLE_SEEDS
from .records_file import RecordsFile
from .report import as_json, show, wide_console

_GONZAGA_RULES = ("sea_league", "first_check_round")


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """The options that say which game is played."""

    game: Annotated[str | None, shown("NAME")] = None
    """The game: gonzaga, tuscany (or castles_of_tuscany), signorie, or one that is registered; by
    default that of the edition's file, else gonzaga."""
    edition: Annotated[str | None, shown("EDITION")] = None
    """A shipped edition's name or a folder; by default a checkpoint's, else the game's."""
    scenario: Annotated[str | None, shown("NAME")] = None
    """A scenario's name; by default one is drawn for each deal."""
    sea_league: SeaLeague = "each_player"
    """Gonzaga: whether each player may found a league in each sea, or one player a sea (R6.3)."""
    first_check_round: int = 6
    """Gonzaga: round after which the end is checked first (R7.3)."""
    rules: Annotated[tuple[str, ...], shown("PRESET|NAME=VALUE ...")] = ()
    """Options of the rules: a preset, such as The Castles of Tuscany's online, or options by the
    names that records have, such as draw_base=3."""

    @property
    def game_name(self) -> str:
        """The name of the game that is played."""
        if self.game is None:
            return edition_game(self.edition) or DEFAULT_GAME
        return game_name(self.game)

    def config(self, agents: Sequence[Spec], players: int) -> Config:
        """Returns what agents play (see `config_for`).

        Raises: what `config_for` raises.
        """
        usual = {field.name: field.default for field in fields(GameOptions)}
        rules = {name: getattr(self, name) for name in _GONZAGA_RULES}
        changed = {name: value for name, value in rules.items() if value != usual[name]}
        own = [f"{name}={json.dumps(value)}" for name, value in changed.items()]
        text = " ".join((*own, *self.rules)) or None
        return config_for(agents, players, self.game_name, self.edition, self.scenario, text)


@dataclass(frozen=True, kw_only=True)
class BotOptions:
    """What is done where a bot outside fails."""

    on_failure: Annotated[OnFailure | None, shown()] = None
    """What follows where a bot (cmd:...) hangs, dies, floods or names no legal action twice: lose
    (it loses the game; the default), random (random actions replace it) or stop (the run ends)."""


@dataclass(frozen=True)
class Arguments(GameOptions, ExecutorOptions, BotOptions):
    """Plays agents against each other; every deal in all seat rotations, so that luck cancels.
    --tournament rates any number of agents, and --until-decided plays until one is shown to be
    better (--tournament --help lists their options). --version prints the version.

    Examples:
        gonzaga-evaluate planner greedy
        gonzaga-evaluate search@64 planner --players 4 --deals 25 --records games.jsonl
        gonzaga-evaluate planner greedy --game tuscany
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, shown("AGENT ...")]
    """random, greedy, planner, search, learned, a checkpoint (.zip), a run's folder, module:Class,
    file.py:Class or cmd:./bot, a program in any language. The last agent fills the other seats."""
    players: Annotated[int | None, shown("INT")] = None
    """Players; by default a checkpoint's number, else the number of agents, 4 for one agent."""
    deals: WholeNumber = 100
    """Deals; each is played once per player."""
    seed: Annotated[WholeNumber | None, shown("INT")] = None
    """Decides deals and agents' choices; the same seed gives the same output. Without one, secret
    bits do, which are printed at the end."""
    any_edition: Annotated[bool, shown()] = False
    """Let policies play an edition that they were not trained on; their names then say so."""
    json: Annotated[bool, shown()] = False
    """Print one JSON object instead of tables."""
    records: Annotated[Path | None, shown("FILE")] = None
    """Write every game to this file as it ends, one JSON line a game; with several workers, after
    each part of 1,024 games."""
    workers: Workers = field(default=None, kw_only=True)
    """How many parts of 1,024 games are played at the same time (1)."""


def main() -> int:
    """Parses the command line, plays and prints.

    Returns:
        The exit code: 0, 2 if not all records could be written, or 130 after Ctrl-C.

    Raises:
        GameError: an argument has a value that it does not take.
    """
    arguments = parse(Arguments)
    records = None if arguments.records is None else RecordsFile(arguments.records)
    specs = arguments.agents
    if arguments.any_edition:
        specs = for_any_edition(specs)
    specs = with_on_failure(specs, arguments.on_failure)
    players = players_for(specs, arguments.players, arguments.game_name)
    config = arguments.config(specs, players)
    try:
        with arguments.open_other() as executor, progress("playing") as move:
            summary = evaluate_in(
                config,
                specs,
                arguments.deals,
                arguments.seed,
                records,
                lambda done: move(done, 1),
                executor,
            )
    except KeyboardInterrupt:
        kept = "" if records is None else f"; {records.num_games:,} games are in {records.path}"
        print(f"evaluate: interrupted{kept}", file=sys.stderr)
        return INTERRUPTED
    if arguments.json:
        print(json.dumps(as_json(config, summary)))
    else:
        show(config, summary, wide_console())
    warn_of_guesses(arguments.seed)
    if records is None or records.error is None:
        return OK
    print(f"evaluate: records: {records.error}", file=sys.stderr)
    return FAILED


def warn_of_guesses(seed: int | None, command: str = "evaluate") -> None:
    """Warns if a seed is given that is small enough for agents to guess."""
    if seed is not None and 0 <= seed < GUESSABLE_SEEDS:
        print(
            f"{command}: agents may guess a small --seed, and with it the deals; without --seed "
            "they are secret",
            file=sys.stderr,
        )
