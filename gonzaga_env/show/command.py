"""The command `python -m gonzaga_env show`: one recorded game to watch."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from gonzaga_env.command_line import add_records, examples, file_ending
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import theme_of
from gonzaga_env.render.svg import to_svg
from gonzaga_env.show.film import SECONDS, WIDTH, film, film_frames
from gonzaga_env.show.game import ShownGame, load_game
from gonzaga_env.show.page import page
from gonzaga_env.show.progress import Progress
from gonzaga_env.show.terminal import Stepper
from gonzaga_env.tabletop.records.log import Viewer
from gonzaga_env.tabletop.writing import check_writable, write_aside


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser, and the function that runs it."""
    parser.description = (
        "Show a recorded game: step by step in the terminal (? lists the commands), or as a page, "
        "a film or pictures, with --html, --gif or --svg."
    )
    add = parser.add_argument
    add_records(parser)
    add("--game", metavar="N", type=int, default=1, help="a game, from 1 (1)")
    add(
        "--move",
        metavar="M",
        type=int,
        default=0,
        help="the move to start with, from 1 as explain counts them; 0 is the deal (0)",
    )
    add(
        "--viewer",
        metavar="WHO",
        type=viewer_of,
        default="spectator",
        help="who looks: a seat from 0; public, who sees what lies open; or spectator, who sees "
        "everything (spectator)",
    )
    add(
        "--html",
        metavar="FILE",
        type=file_ending(".html", ".htm"),
        help="write a page for browsers",
    )
    add("--gif", metavar="FILE", type=file_ending(".gif"), help="write a film; it needs Pillow")
    add("--svg", metavar="DIR", type=Path, help="write a picture of each move")
    add("--theme", default="light", help="of films and pictures: light or dark (light)")
    add("--width", metavar="PIXELS", type=int, default=WIDTH, help=f"of the film ({WIDTH})")
    add("--seconds", type=float, default=SECONDS, help=f"of each picture of the film ({SECONDS})")
    parser.epilog = examples(
        "python -m gonzaga_env show games.jsonl",
        "python -m gonzaga_env show games.jsonl --game 2 --html game.html",
    )
    parser.set_defaults(run=show)


def show(options: argparse.Namespace) -> int:
    """Shows a game, and returns the exit code, 0.

    Raises:
        GameError: there is no such game, move or viewer, or the record is wrong.
        OSError: a file cannot be written.
    """
    game = load_game(options.file, options.game, options.viewer, options.edition)
    game.check_move(options.move)
    theme_of(options.theme)
    wanted = {name: getattr(options, name) for name in _WRITERS if getattr(options, name)}
    if wanted:
        for name in wanted.keys() & {"html", "gif"}:
            check_writable(wanted[name])  # now rather than when all is drawn
        game.check_right()
        for name, path in wanted.items():
            _WRITERS[name](game, path, options)
            print(f"wrote {path}")
        return 0
    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    Stepper(game, sys.stdout, color).run(sys.stdin, options.move)
    game.check_right()
    return 0


def _write_page(game: ShownGame, path: Path, options: argparse.Namespace) -> None:
    write_aside(path, page(game.edition, game.frames, game.title, options.move))


def _write_film(game: ShownGame, path: Path, options: argparse.Namespace) -> None:
    total = len(film_frames(game.edition, game.frames))
    with Progress("drawing", total) as progress:
        content = film(
            game.edition,
            game.frames,
            theme_of(options.theme),
            options.width,
            options.seconds,
            lambda drawn: progress.update(drawn, f"{drawn} of {total} pictures"),
        )
    write_aside(path, content)


def _write_pictures(game: ShownGame, folder: Path, options: argparse.Namespace) -> None:
    theme, total = theme_of(options.theme), len(game.frames)
    draw_scene = game_pictures(game.edition.game).scene
    folder.mkdir(parents=True, exist_ok=True)
    with Progress("drawing", total) as progress:
        for frame in game.frames:
            scene = draw_scene(game.edition, frame.view, theme, True)
            write_aside(folder / f"move_{frame.move:03d}.svg", to_svg(scene))
            progress.update(frame.move + 1, f"{frame.move + 1} of {total} pictures")


_WRITERS = {"html": _write_page, "gif": _write_film, "svg": _write_pictures}


def viewer_of(text: str) -> Viewer:
    """Returns the viewer of a text; which seats there are is checked with the game."""
    if text in ("public", "spectator"):
        return "public" if text == "public" else "spectator"
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"viewer is {text!r}; it takes a seat, public or spectator"
        ) from None
