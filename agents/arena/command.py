"""The command `python -m gonzaga_agents.arena`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.tabletop.errors import OptionError

from ..common.command_line import WholeNumber, parse, progress, run_verb, shown
from ..evaluation.command import GameOptions
from ..evaluation.game import players_for
from ..evaluation.report import wide_console
from .arena import Arena, ArenaFolder
from .report import report

_HELP = """\
python -m gonzaga_agents.arena run AGENT ... --out FOLDER    values the decisions of agents
python -m gonzaga_agents.arena report FOLDER                 sums up what was valued

Each of them takes --help; docs/arena.md explains them."""


@dataclass(frozen=True)
class RunArguments(GameOptions):
    """Asks each agent for decisions in the positions of the same games, and values them by search;
    each also plays games of its own. The same command continues where it was interrupted; one with
    more agents or deals adds them.

    Examples:
        python -m gonzaga_agents.arena run random greedy planner --deals 4 --out runs/arena
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, shown("AGENT ...")]
    """Who is valued, one after the other, named as evaluate.py names them."""
    out: Annotated[Path, shown("FOLDER")]
    """The folder for the games."""
    deals: WholeNumber = 8
    """Deals. Each is a game whose positions are asked about, and one game in each seat."""
    players: Annotated[int | None, shown("INT")] = None
    """Players; by default a checkpoint's number, else as many as the game takes."""
    against: Annotated[str, shown("AGENT")] = "planner"
    """Who plays the games of the positions, and the other seats."""
    no_games: Annotated[bool, shown(), tyro.conf.FlagCreatePairsOff] = False
    """Play no games with the agents; wins and points stay unknown then."""
    judge: Annotated[str, shown("AGENT")] = "search@256:learned"
    """The search that values decisions."""
    seed: WholeNumber = 0
    """Decides the deals, and what agents and the judge draw."""


@dataclass(frozen=True)
class ReportArguments:
    """Sums up an arena: what decisions lost, beside wins and points.

    Examples:
        python -m gonzaga_agents.arena report runs/arena
    """

    folder: Annotated[Path, tyro.conf.Positional, shown("FOLDER")]
    """The arena's folder."""
    markdown: Annotated[bool, shown()] = False
    """Print a table in Markdown."""
    json: Annotated[bool, shown()] = False
    """Print one JSON object."""


def main() -> int:
    """Runs the subcommand that the command line names.

    Returns:
        The exit code: 0, 2 for a mistake, or 130 after Ctrl-C.

    Raises:
        GameError: an argument has a value that it does not take.
    """
    verbs = {"run": _run, "report": _report}
    return run_verb("arena", verbs, _HELP, {"run": "the same command continues"})


def _run() -> None:
    arguments = parse(RunArguments, verb="run")
    if arguments.deals < 1 or not arguments.agents:
        raise OptionError("name an agent or more, and --deals of 1 or more")
    players = players_for(arguments.agents[:1], arguments.players, arguments.game_name)
    config = arguments.config(arguments.agents[:1], players)
    own = not arguments.no_games
    arena = Arena(config, arguments.against, arguments.judge, arguments.seed, own)
    arena.check(arguments.agents)
    folder = ArenaFolder(arguments.out)
    folder.open(arena)
    with folder, progress("valuing ") as move:
        there = {(one.agent, one.deal) for one in folder.valued()}
        for deal in range(arguments.deals):
            move(deal / arguments.deals, 1)
            if missing := [name for name in arguments.agents if (name, deal) not in there]:
                for valued in arena.value(missing, deal):
                    folder.add(valued)
    _show(arguments.out)


def _report() -> None:
    arguments = parse(ReportArguments, verb="report")
    _show(arguments.folder, arguments.markdown, arguments.json)


def _show(path: Path, markdown: bool = False, as_json: bool = False) -> None:
    folder = ArenaFolder(path)
    plan = folder.plan()
    kinds = game_spec(plan.get("game", DEFAULT_GAME)).kinds
    found = report(folder.valued(), kinds)
    if as_json:
        print(json.dumps({"plan": plan, **found.as_json()}))
    elif markdown:
        print(found.markdown())
    else:
        judge, against = plan["judge"]["spec"], plan["against"]["spec"]
        print(f"valued by {judge}, against {against}, {found.deals} deals")
        wide_console().print(found.table())
        print(found.note)
