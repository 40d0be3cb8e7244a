"""The commands of `python -m gonzaga_env`: those of editions, and where the others come from."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from gonzaga_env.command_line import FAILED, OK, OneLineParser, examples, file_ending
from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.editions.loading import faults_error, load_edition, read_edition
from gonzaga_env.core.editions.validate import find_warnings
from gonzaga_env.games import file_edition, game_spec
from gonzaga_env.render.draw import draw as draw_picture
from gonzaga_env.render.gonzaga.drawable import drawable
from gonzaga_env.show.command import add_arguments as add_show
from gonzaga_env.show.record_text import add_arguments as add_record
from gonzaga_env.show.replay import add_arguments as add_replay
from gonzaga_env.stats.command import add_arguments as add_stats
from gonzaga_env.tabletop.errors import EditionError
from gonzaga_env.version import __version__

_NAME = "python -m gonzaga_env"


def check_edition(options: argparse.Namespace) -> int:
    """Prints a summary of an edition and its warnings, or all its faults (R9.2)."""
    try:
        edition = file_edition(options.path) or load_edition(options.path)
    except EditionError as error:
        if not error.faults:
            raise
        print(error)
        return FAILED
    print(f"edition {edition.name}: no faults\n{summary(edition)}")
    for warning in find_warnings(edition) if isinstance(edition, Edition) else ():
        print(f"warning: {warning}")
    return OK


def draw(options: argparse.Namespace) -> int:
    """Writes the picture of an edition to a file; faults are printed after that (R9.2)."""
    other = file_edition(options.path)
    edition, faults = read_edition(options.path) if other is None else (other, [])
    picture = drawable(edition) if other is None else other
    if picture is not None:
        drawn = draw_picture(picture)
        drawn.save(options.out)
        print(f"wrote {options.out}")
    if faults:
        raise faults_error(edition, faults)
    return OK


def summary(edition: Any) -> str:
    """Returns a summary of an edition, one line for each kind of content."""
    if not isinstance(edition, Edition):
        return f"  {'game':<10} {game_spec(edition.game).title}\n  {'digest':<10} {edition.digest}"
    num_hexes = len(edition.grid)
    num_land = sum(edition.mark(cell) in edition.regions for cell in edition.grid.cells)
    players = [scenario.players for scenario in edition.scenarios]
    lines = {
        "map": f"{num_hexes} hexes, {num_land} of them land"
        + (" (a reconstruction, not the printed map)" if edition.reconstruction else ""),
        "regions": ", ".join(edition.regions.values()),
        "seas": ", ".join(edition.seas.values()),
        "sites": f"{len(edition.cities)} cities, {len(edition.harbors)} harbors",
        "barriers": ", ".join(barrier.name for barrier in edition.barriers),
        "fiefs": f"{len(edition.fiefs)}, of 3 hexes "
        f"{sum(len(fief.cells) == 3 for fief in edition.fiefs)}",
        "scenarios": ", ".join(f"{players.count(n)} for {n}" for n in sorted(set(players)))
        + " players",
        "objectives": f"{len(edition.objectives)}",
        "digest": edition.digest,
    }
    if edition.is_small:
        size = asdict(edition.size)
        lines["size"] = ", ".join(f"{key.replace('_', ' ')} {size[key]}" for key in size)
    return "\n".join(f"  {what:<10} {text}" for what, text in lines.items())


def command_parser() -> argparse.ArgumentParser:
    """Returns the parser of all commands; `run` of what it parses is the command's function."""
    parser = OneLineParser(
        prog=_NAME,
        description="Play, check and draw editions, show and verify records, explain moves.",
    )
    parser.add_argument("--version", action="version", version=f"gonzaga-env {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_edition(commands.add_parser("edition", help="check or draw an edition"))
    add_replay(commands.add_parser("replay", help="verify the games of a file of records"))
    add_record(commands.add_parser("record", help="write a recorded game as text"))
    add_show(commands.add_parser("show", help="watch a recorded game"))
    add_stats(commands.add_parser("stats", help="sum up recorded games"))
    for added in sorted(entry_points(group="gonzaga_env.commands"), key=lambda entry: entry.name):
        module = import_module(added.module)
        added.load()(commands.add_parser(added.name, help=module.HELP))
    return parser


def _add_edition(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    check = commands.add_parser("check", help="list every fault of an edition")
    check.epilog = examples(
        "python -m gonzaga_env edition check europe",
        "python -m gonzaga_env edition check my_edition",
    )
    check.set_defaults(run=check_edition)
    drawing = commands.add_parser("draw", help="draw an edition's board, even with faults")
    drawing.add_argument(
        "--out",
        metavar="FILE",
        type=file_ending(".svg", ".png"),
        required=True,
        help="the picture, .svg or .png",
    )
    drawing.epilog = examples("python -m gonzaga_env edition draw europe --out europe.png")
    drawing.set_defaults(run=draw)
    for command in (check, drawing):
        command.add_argument(
            "path", metavar="PATH", help="an edition's folder or file, or a shipped name"
        )
