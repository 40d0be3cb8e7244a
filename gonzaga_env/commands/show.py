"""`gonzaga show`: one recorded game to watch, in the terminal or as a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro

from gonzaga_env.command_line import parse
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.records import record_files
from gonzaga_env.kernel.view import Viewer
from gonzaga_env.kernel.writing import check_writable, write_aside
from gonzaga_env.progress import Progress
from gonzaga_env.render.draw import Picture
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.show.film import film, film_frames
from gonzaga_env.show.game import ShownGame, Stepper, load_game, transcript
from gonzaga_env.show.page import page


@dataclass(frozen=True)
class ShowOptions:
    """Shows a recorded game: step by step in the terminal (? lists the commands), or in a file.

    Examples:
        gonzaga show games.jsonl
        gonzaga show runs/first --game 2 --out game.html
    """

    file: tyro.conf.Positional[Path]
    """A file of records, or a folder with them, such as a training run's: its newest file."""
    game: int = 1
    """The game: a line of the file, from 1."""
    move: int = 0
    """The move to start with; 0 is the deal."""
    viewer: str = "spectator"
    """Who looks: a seat from 0; public, who sees what lies open; spectator, who sees everything."""
    edition: str | None = None
    """The edition's folder, where it is not found by the name in the records."""
    out: Path | None = None
    """Writes a page (.html), a film (.gif), the game as text (.txt), or the move (.svg, .png)."""


def main(arguments: Sequence[str]) -> int:
    """Shows a game of a file, or writes it to one, and returns the exit code, 0."""
    options = parse(ShowOptions, arguments, "gonzaga show")
    if options.out is not None and options.out.suffix not in _WRITERS:
        raise OptionError(f"--out is {str(options.out)!r}; it ends in {', '.join(_WRITERS)}")
    game = load_game(options.file, options.game, _viewer(options.viewer), options.edition)
    game.check_move(options.move)
    if options.out is None:
        color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        Stepper(game, sys.stdout, color).run(sys.stdin, options.move)
    else:
        check_writable(options.out, record_files(options.file))  # now rather than when all is drawn
        _WRITERS[options.out.suffix](game, options.out, options.move)
        print(f"wrote {options.out}")
    game.check_right()
    return 0


def _viewer(text: str) -> Viewer:
    """Returns the viewer of a text; which seats there are is checked with the game."""
    if text in ("public", "spectator"):
        return "public" if text == "public" else "spectator"
    if not text.isdecimal() or len(text) > 2:
        raise OptionError(f"viewer is {short_repr(text)}; it takes a seat, public or spectator")
    return int(text)


def _write_film(game: ShownGame, path: Path, move: int) -> None:
    total = len(film_frames(game.edition, game.frames))
    with Progress("drawing", total) as progress:
        content = film(
            game.edition,
            game.frames,
            on_progress=lambda drawn: progress.update(drawn, f"{drawn} of {total} pictures"),
        )
    write_aside(path, content)


def _write_picture(game: ShownGame, path: Path, move: int) -> None:
    draw_scene = game_pictures(game.edition.game).scene
    Picture(draw_scene(game.edition, game.frames[move].view, LIGHT, True)).save(path)


_WRITERS: dict[str, Callable[[ShownGame, Path, int], None]] = {
    ".html": lambda game, path, move: write_aside(
        path, page(game.edition, game.frames, game.title, move)
    ),
    ".gif": _write_film,
    ".txt": lambda game, path, move: write_aside(path, transcript(game)),
    ".svg": _write_picture,
    ".png": _write_picture,
}
