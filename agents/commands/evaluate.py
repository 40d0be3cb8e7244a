"""`gonzaga evaluate`: plays agents against each other and shows who does how well."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import tyro

from gonzaga_env.command_line import FAILED, OK, WholeNumber, option_help, parse
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config
from gonzaga_env.progress import progress

from ..executors import open_executor
from ..locks import RecordsFile
from ..play.compare import compare, compared_lines
from ..play.evaluate import draw_seed, evaluate_in, players_for
from ..play.judge import judge_agents, judged_lines, make_judge
from ..play.summary import GUESSABLE_SEEDS, as_json, describe_game, game_text
from .game_options import GameOptions


@dataclass(frozen=True)
class EvaluateOptions(GameOptions):
    """Plays agents against each other; every deal in all seat rotations, so that all have equal
    chances.

    Examples:
        gonzaga evaluate planner greedy
        gonzaga evaluate search@64 planner --players 4 --deals 25 --records games.jsonl
        gonzaga evaluate random greedy planner --deals 4 --judge search@64
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, option_help("AGENT ...")]
    """random, greedy, planner, search, learned, a checkpoint (.zip), a run's folder, module:Class,
    file.py:Class or cmd:./bot, a program in any language. The last agent fills the other seats."""
    players: Annotated[int | None, option_help("INT")] = None
    """Players; by default a checkpoint's number, else the number of agents, 4 for one agent."""
    deals: WholeNumber = 100
    """Deals; each is played once per player."""
    seed: Annotated[WholeNumber | None, option_help("INT")] = None
    """Decides deals and agents' choices; by default secret bits, which are printed at the end."""
    compare: Annotated[bool, option_help()] = False
    """Compare the first two agents: each plays one seat against the others, on the same deals."""
    judge: Annotated[str | None, option_help("SEARCH")] = None
    """Also say what the agents' decisions lost, as a search such as search@64 judges them."""
    json: Annotated[bool, option_help()] = False
    """Print one JSON object instead of tables."""
    records: Annotated[Path | None, option_help("FILE")] = None
    """Write every game to this file as it ends, one JSON line a game."""
    workers: int = 1
    """Processes; each plays parts of 1,024 games."""


def main(arguments: Sequence[str]) -> int:
    """Plays and prints; returns the exit code, 2 if not all records could be written."""
    options = parse(EvaluateOptions, arguments, "gonzaga evaluate")
    records = None if options.records is None else RecordsFile(options.records)
    specs, deals, by = options.agents, options.deals, options.judge
    players = players_for(specs[options.compare :], options.players, options.game_name)
    config = options.config(specs, players)
    if options.compare:
        return _compare(options, config)
    judge = None if by is None else make_judge(by, config)
    judged = None
    try:
        with open_executor(workers=options.workers) as executor, progress("playing") as move:
            seed, on_progress = options.seed, lambda done: move(done, 1)
            summary = evaluate_in(config, specs, deals, seed, records, on_progress, executor)
            if judge is not None:
                judged = judge_agents(config, specs, judge, deals, summary.seed or 0, on_progress)
    except KeyboardInterrupt:
        if records is None or not records.num_games:
            raise
        raise KeyboardInterrupt(f"{records.num_games:,} games are in {records.path}") from None
    if options.json:
        lost = {} if judged is None else {"judge": by, "judged": list(map(asdict, judged))}
        print(json.dumps(as_json(config, summary) | lost))
    else:
        about = describe_game(config)
        print(game_text(about, config.edition.name, f"{config.num_players} players"))
        print(*summary.lines(), sep="\n")
        if by is not None and judged is not None:
            print(*judged_lines(by, judged), sep="\n")
    warn_of_guesses(options.seed)
    if records is None or records.error is None:
        return OK
    print(f"gonzaga evaluate: records: {records.error}", file=sys.stderr)
    return FAILED


def _compare(options: EvaluateOptions, config: Config) -> int:
    """Compares the first two agents and prints how they differ."""
    if options.judge is not None or options.records is not None:
        raise OptionError("compare takes neither --judge nor --records")
    seed = draw_seed() if options.seed is None else options.seed
    with open_executor(workers=options.workers) as executor, progress("playing") as move:
        given = config, options.agents, options.deals, seed
        found = compare(*given, lambda done: move(done, 1), executor)
    if options.json:
        *compared, difference = map(asdict, found)
        others = {"opponents": options.agents[2:], "players": config.num_players}
        played = {**describe_game(config), **others, "deals": options.deals, "seed": seed}
        print(json.dumps({**played, "compared": compared, "difference": difference}))
    else:
        print(
            game_text(describe_game(config), config.edition.name, f"{config.num_players} players")
        )
        print(*compared_lines(found), sep="\n")
        print(
            f"{options.deals} deals in {config.num_players} seat rotations; seed {seed} repeats it"
        )
    warn_of_guesses(options.seed)
    return OK


def warn_of_guesses(seed: int | None, command: str = "evaluate") -> None:
    """Warns if a seed is given that is small enough for agents to guess."""
    if seed is not None and 0 <= seed < GUESSABLE_SEEDS:
        print(
            f"gonzaga {command}: agents may guess a small --seed, and with it the deals; without "
            "--seed they are secret",
            file=sys.stderr,
        )
