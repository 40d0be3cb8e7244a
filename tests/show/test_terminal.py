"""Stepping through a game in the terminal."""

import io
import re
from dataclasses import replace

import pytest

from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.render.draw import draw_text
from gonzaga_env.show.game import ShownGame, Stepper


def stepped(game: ShownGame, *commands: str, move: int = 0) -> str:
    """Returns what is written for some commands."""
    output = io.StringIO()
    lines = io.StringIO("".join(f"{command}\n" for command in commands))
    Stepper(game, output, color=False).run(lines, move)
    return output.getvalue()


def moves(text: str) -> list[int]:
    """Returns the moves that are shown."""
    return [int(move) for move in re.findall(r"^games.jsonl, game 1: move (\d+) of", text, re.M)]


def test_the_first_picture_is_the_deal(game) -> None:
    text = stepped(game)
    assert text.startswith(draw_text(game.edition, game.frames[0].view, coordinates=True))
    assert text.endswith(f"\ngames.jsonl, game 1: move 0 of {game.last}\n")


@pytest.mark.parametrize(
    ("commands", "shown"),
    [
        (["n", "n", "n"], [0, 1, 2, 3]),
        (["", " n ", "p", "p"], [0, 1, 2, 1, 0]),
        (["20", "n", "0"], [0, 20, 21, 0]),
        (["r", "r", "R", "R", "R"], [0, 6, 12, 6, 0, 0]),
        (["8", "r", "R", "R"], [0, 8, 12, 6, 0]),
        (["r", "n", "R"], [0, 6, 7, 6]),
        (["1", "q", "2"], [0, 1]),
        (["1", "?", "x"], [0, 1]),
    ],
)
def test_commands_choose_the_move(game, commands, shown) -> None:
    assert moves(stepped(game, *commands)) == shown


def test_lines_of_the_move_are_told_in_words(game) -> None:
    for frame in game.frames[1:]:
        told = " ".join(stepped(game, move=frame.move).split(f" of {game.last}\n")[1].split())
        names = [
            f"player {i} ({p.name.replace(chr(0x2028), chr(0xFFFD))})"
            for i, p in enumerate(frame.view.players)
        ]
        lines = [
            line.text if line.seat is None else f"{names[line.seat]}: {line.text}"
            for line in frame.lines
        ]
        assert told == " ".join(" ".join(lines).replace("\u2028", "\ufffd").split())


def test_both_ends_are_said(game) -> None:
    assert "this is the deal; n shows the next move" in stepped(game, "p")
    end = stepped(game, "n", move=game.last)
    assert f"the game is over; it has moves 0 to {game.last}" in end
    assert moves(end) == [game.last]
    assert moves(stepped(game, "r", move=game.last - 1)) == [game.last - 1, game.last]
    assert f"it has moves 0 to {game.last}" in stepped(game, "999")


def test_a_record_that_is_wrong_is_shown_up_to_there(game) -> None:
    wrong = replace(game, frames=game.frames[:5], fault="move 4, points: wrong")
    assert "the record is wrong here: move 4, points: wrong" in stepped(wrong, "5")


@pytest.mark.parametrize("command", ["x", "-1", "1.5", "²", "9" * 5000, "\x1b[2J"])
def test_unknown_commands_are_one_line(game, command) -> None:
    written = stepped(game, command)[len(stepped(game)) :]
    assert written.count("\n") == 1
    assert len(written) < 120
    assert "\x1b" not in written


def test_a_terminal_is_cleared_and_prompted(game) -> None:
    output = Terminal()
    Stepper(game, output, color=True).run(io.StringIO("n\n"))
    text = output.getvalue()
    assert text.count("\x1b[2J") == 2
    assert f"move 1 of {game.last} (? for help) > " in text
    assert draw_text(game.edition, game.frames[1].view, color=True, coordinates=True) in text


def test_moves_and_commands_are_checked(game) -> None:
    with pytest.raises(
        OptionError, match=f"there is no move 99; games.jsonl, game 1 has 0 to {game.last}"
    ):
        stepped(game, move=99)
    commands = io.TextIOWrapper(io.BytesIO(b"n\n\xff\n"), "utf-8")
    with pytest.raises(OptionError, match="not text"):
        Stepper(game, io.StringIO(), color=False).run(commands)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True
