"""The command `python -m gonzaga_env record text`: one recorded game as a text to read."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from gonzaga_env.command_line import add_records, examples
from gonzaga_env.show.command import viewer_of
from gonzaga_env.show.game import line_words, load_game
from gonzaga_env.tabletop.bounded import printable
from gonzaga_env.tabletop.records.log import Frame
from gonzaga_env.tabletop.writing import write_aside
from gonzaga_env.text.views import view_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the commands about records to their parser."""
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    text = commands.add_parser("text", help="write a game as text")
    text.description = (
        "Write a recorded game as one text: the position before each round and at the end, and "
        "every move in words."
    )
    add_records(text)
    text.add_argument("--game", metavar="N", type=int, default=1, help="a game, from 1 (1)")
    text.add_argument(
        "--viewer",
        metavar="WHO",
        type=viewer_of,
        default="spectator",
        help="who looks: a seat from 0; public; or spectator, who sees everything (spectator)",
    )
    text.add_argument(
        "--positions", action="store_true", help="tell the position before every move"
    )
    text.add_argument("--out", metavar="FILE", type=Path, help="write it to a file")
    text.epilog = examples(
        "python -m gonzaga_env record text games.jsonl",
        "python -m gonzaga_env record text games.jsonl --game 2 --viewer 0 --out game.txt",
    )
    text.set_defaults(run=write_text)


def write_text(options: argparse.Namespace) -> int:
    """Writes a game as text, and returns the exit code, 0.

    Raises:
        GameError: there is no such game or viewer, or the record is wrong.
        OSError: the file cannot be written.
    """
    game = load_game(options.file, options.game, options.viewer, options.edition)
    text = f"{printable(game.title)}\n\n"
    text += transcript(game.frames, game.edition, positions=options.positions)
    if options.out is None:
        print(text, end="")
    else:
        write_aside(options.out, text)
        print(f"wrote {options.out}")
    game.check_right()
    return 0


def transcript(frames: Sequence[Frame], edition: object, *, positions: bool = False) -> str:
    """Returns a game as text: each move in words, and positions between.

    Args:
        frames: the game's positions, the deal first, as `gonzaga_env.games.record_frames` gives
            them for one viewer, whose knowledge the text holds.
        edition: what is played.
        positions: whether to tell the position before every move; else before the first of each
            round, and at the end.
    """
    return "\n".join(_parts(frames, edition, positions)) + "\n"


def _parts(frames: Sequence[Frame], edition: object, positions: bool) -> Iterator[str]:
    told_round = 0
    for frame in frames:
        for number, line in enumerate(frame.lines):
            start = f"{frame.move}." if number == 0 else "  "
            yield f"{start} {line_words(line, frame.view.players)}"
        is_last, starts = frame is frames[-1], frame.view.round > told_round
        if positions or starts or is_last:
            told_round = frame.view.round
            yield f"\n{view_text(frame.view, edition)}"
