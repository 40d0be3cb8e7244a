"""The command `python -m gonzaga_agents.puzzles`: cuts puzzles from games and packs a choice."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro

from gonzaga_env.tabletop.bounded import parse_json, short_repr
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.writing import write_aside

from ..common.command_line import WholeNumber, parse, progress, run_verb, shown
from ..evaluation.command import GameOptions
from ..evaluation.game import players_for
from ..registry import make_agent
from ..units.log import Log, read_log
from ..units.play import play_units
from .cut import CutGame, Judges
from .puzzle import SEARCHED, Puzzle, PuzzleError, questions

_HELP = """\
python -m gonzaga_agents.puzzles cut AGENT ... --games N --out FILE        finds puzzles
python -m gonzaga_agents.puzzles pack FILE ... --choice FILE --out FILE    packs some of them

Each of them takes --help; docs/learn.md explains them."""


@dataclass(frozen=True)
class CutArguments(GameOptions):
    """Plays games and writes down the positions in which one choice is the best. The same command
    continues where it was interrupted.

    Examples:
        python -m gonzaga_agents.puzzles cut planner --games 100 --out found.jsonl
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, shown("AGENT ...")]
    """Who plays: random, greedy, planner, search, learned, ... The last agent fills the remaining
    seats."""
    out: Annotated[Path, shown("FILE")]
    """The file for what is found, one JSON line a game."""
    games: Annotated[WholeNumber, shown("INT")]
    """Games in all."""
    players: Annotated[int | None, shown("INT")] = None
    """Players; by default the number of agents, 4 for one agent."""
    seed: Annotated[WholeNumber, shown("INT")] = 1
    """Seed of the first deal; the next games have the next ones."""
    questions: tuple[str, ...] = ()
    """The questions; by default all that the rules alone answer. "best" is answered by playouts."""
    from_round: WholeNumber = 1
    """The first round with questions; playouts of later ones take less time."""
    searches: str = "search@256"
    """Who picks the choices that "best" compares, and has to agree with the playouts."""
    plays_on: str = "planner"
    """Who plays all seats in the playouts of "best"."""


@dataclass(frozen=True)
class PackArguments:
    """Packs puzzles into one file, the easier ones first.

    Examples:
        python -m gonzaga_agents.puzzles pack found.jsonl --choice choice.txt --out puzzles.jsonl
    """

    files: Annotated[tuple[Path, ...], tyro.conf.Positional, shown("FILE ...")]
    """Files that cut or pack wrote."""
    choice: Annotated[Path, shown("FILE")]
    """A file with a line for each puzzle: its id in the files, the id it gets, and its level."""
    out: Annotated[Path, shown("FILE")]
    """The file for the puzzles, one JSON line each."""


def main() -> int:
    """Runs the subcommand that the command line names.

    Returns:
        The exit code: 0, 2 for a mistake, or 130 after Ctrl-C.

    Raises:
        GameError: an argument has a value that it does not take.
    """
    verbs = {"cut": _cut, "pack": _pack}
    return run_verb("puzzles", verbs, _HELP, {"cut": "the same command continues"})


def _cut() -> None:
    arguments = parse(CutArguments, verb="cut")
    players = players_for(arguments.agents, arguments.players, arguments.game_name)
    config = arguments.config(arguments.agents, players)
    asked = arguments.questions or tuple(questions(arguments.game_name))
    if unknown := {*asked} - {SEARCHED, *questions(arguments.game_name)}:
        raise OptionError(f"questions: {arguments.game_name} has no {short_repr(min(unknown))}")
    specs = [*arguments.agents, *arguments.agents[-1:] * (players - len(arguments.agents))]
    agents = [make_agent(spec, config) for spec in specs]
    named = arguments.searches, arguments.plays_on
    judges = Judges(*(make_agent(spec, config) for spec in named)) if SEARCHED in asked else None
    with progress("cutting") as move, Log(arguments.out, "cut", PuzzleError) as log:
        read_found(arguments.out)  # raises PuzzleError where a line is something else
        done, half = read_log(arguments.out, PuzzleError)
        if not done and half and not half.startswith(b"["):
            raise PuzzleError(f"{arguments.out}: holds something else; take another --out")
        log.keep(sum(len(line) + 1 for line in done))
        seeds = range(arguments.seed + len(done), arguments.seed + arguments.games)
        common = agents, asked, judges, arguments.from_round
        games = [CutGame(config, seed, *common) for seed in seeds]
        for _, found in play_units(games, on_progress=move, done=len(done)):
            log.write(json.dumps([json.loads(puzzle.as_json()) for puzzle in found]))
    print(f"{len(read_found(arguments.out))} puzzles are in {arguments.out}")


def _pack() -> None:
    arguments = parse(PackArguments, verb="pack")
    files = (read_found(path, packed=True) for path in arguments.files)
    found = {puzzle.id: puzzle for puzzles in files for puzzle in puzzles}
    chosen = []
    lines, _ = read_log(arguments.choice, PuzzleError)
    for line in filter(None, (line.decode(errors="replace").split() for line in lines)):
        if len(line) != 3 or line[0] not in found:
            raise PuzzleError(f"{arguments.choice}: {short_repr(' '.join(line))} is no choice")
        chosen.append(replace(found[line[0]], id=line[1], level=int(line[2])))
    chosen.sort(key=lambda puzzle: puzzle.level)
    text = "".join(f"{puzzle.as_json()}\n" for puzzle in chosen)
    write_aside(arguments.out, text)
    print(f"{len(chosen)} puzzles are in {arguments.out}")


def read_found(path: Path, *, packed: bool = False) -> list[Puzzle]:
    """Returns the puzzles in a file that `cut` wrote, or, if `packed`, in one of `pack`.

    Raises:
        PuzzleError: it cannot be read, or holds something else.
    """
    puzzles = []
    for number, line in enumerate(read_log(path, PuzzleError)[0], start=1):
        try:
            found = parse_json(line)
            found = [found] if packed and isinstance(found, dict) else found
            if not isinstance(found, list):
                raise PuzzleError("holds no list of puzzles")
            puzzles += [Puzzle.from_json(json.dumps(one)) for one in found]
        except (TypeError, ValueError) as error:
            raise PuzzleError(f"{path}, line {number}: {error}") from error
    return puzzles
