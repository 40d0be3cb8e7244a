"""`gonzaga show`, as a user calls it."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.conftest import Answer, complaint_of
from tests.show.test_terminal import Terminal

Show = Callable[..., Answer]


@pytest.fixture
def show(file, gonzaga, monkeypatch) -> Show:
    """Returns a function that shows a game."""
    monkeypatch.chdir(file.parent)
    return partial(gonzaga, "show")


def test_commands_come_from_standard_input(show) -> None:
    code, out, err = show("games.jsonl", "--game", 2, typed="n\nn\nq\n")
    assert (code, err) == (0, "")
    assert [f"games.jsonl, game 2: move {i} of 72" in out for i in range(4)] == [True] * 3 + [False]
    assert "\x1b" not in out
    assert show("games.jsonl")[1] == show("games.jsonl", "--game", 1, typed="q")[1]


@pytest.mark.parametrize(("environment", "colored"), [("", True), ("1", False)])
def test_terminals_have_colour_unless_refused(show, monkeypatch, environment, colored) -> None:
    monkeypatch.setenv("NO_COLOR", environment)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert show("games.jsonl")[0] == 0
    assert ("\x1b[0;38;5;16" in terminal.getvalue()) == colored


def test_viewers_see_what_they_may_know(show) -> None:
    def out(viewer: object) -> str:
        return show("games.jsonl", "--viewer", viewer, "--move", 2)[1]

    assert "player 1 (agent\ufffd1): plans " in out("spectator")
    assert "player 1 (agent\ufffd1): plans " in out(1)
    for viewer in (0, 2, "public"):
        assert "player 1 (agent\ufffd1): has planned" in out(viewer)


def test_moves_are_counted_as_in_the_record(game, games) -> None:
    """`--move M` shows the position that `record["moves"][M - 1]` leads to."""
    for number, move in enumerate(games[0]["moves"], start=1):
        assert game.frames[number].move == number
        assert game.frames[number].lines[0].seat == move["seat"]


def test_files_of_all_kinds_are_written(show, file) -> None:
    last = ("--move", 72)
    for name in ("a.html", "a.gif", "a.svg", "a.txt"):
        assert show("games.jsonl", "--out", name, *last) == (0, f"wrote {name}\n", "")
    assert "<!DOCTYPE html>" in (file.parent / "a.html").read_text("utf-8")
    with Image.open(file.parent / "a.gif") as film:
        assert film.size[0] == 900
    assert "Over after" in ElementTree.parse(file.parent / "a.svg").getroot()[0].text
    text = (file.parent / "a.txt").read_text("utf-8")
    assert text.startswith("games.jsonl, game 1\n")
    assert "\n72. player " in text
    names = {path.name for path in file.parent.iterdir()}
    assert names == {"games.jsonl", "a.html", "a.gif", "a.svg", "a.txt"}


def test_of_a_folder_the_newest_games_are_shown(show, file) -> None:
    """As a training run writes them: sample games by turns beside a curve, which holds no games."""
    samples = file.parent / "run" / "games"
    samples.mkdir(parents=True)
    first, second = file.read_text("utf-8").split("\n")[:2]
    (samples / "0000000100.jsonl").write_text(f"{first}\n", "utf-8")
    (samples / "0000000200.jsonl").write_text(f"{second}\n{first}\n", "utf-8")
    (samples.parent / "progress.jsonl").write_text('{"turns": 100}\n')
    code, out, _ = show("run", "--game", 2, typed="q\n")
    assert (code, "0000000200.jsonl, game 2: move 0 of 72" in out) == (0, True)
    (samples / "0000000300\x1b[31m.jsonl").write_text(f"{first}\n", "utf-8")
    code, out, _ = show("run", typed="q\n")
    assert (code, "\x1b" in out) == (0, False)
    (file.parent / "empty").mkdir()
    assert "empty: holds no records" in complaint_of(show("empty"))


def forge(file: Path) -> None:
    first, second = file.read_text("utf-8").split("\n")[:2]
    record = json.loads(second)
    record["moves"][4]["points"] += 1
    file.write_text(f"{first[:-9]}\n{json.dumps(record)}\n", "utf-8")


def test_a_wrong_record_is_shown_up_to_its_fault(show, file) -> None:
    forge(file)
    code, out, err = show("games.jsonl", "--game", 2, "--move", 4, typed="n\n")
    assert (code, err.count("\n")) == (2, 1)
    assert "games.jsonl, game 2: move 4 of 4" in out
    assert "the record is wrong here: move 5, points" in out
    assert "games.jsonl, game 2: move 5, points: the record says" in err
    code, _, err = show("games.jsonl", "--game", 2, "--out", "a.html")
    assert (code, err.count("\n")) == (2, 1)
    assert (file.parent / "a.html").exists(), "what is right of it"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.jsonl"], "missing.jsonl: can't be read"),
        (["games.jsonl", "--game", 3], "has games 1 to 2; there is no game 3"),
        (["games.jsonl", "--game", 0], "there is no game 0"),
        (["games.jsonl", "--game", "x"], "--game"),
        (["games.jsonl", "--move", 73], "there is no move 73; games.jsonl, game 1 has 0 to 72"),
        (["games.jsonl", "--move", -1], "there is no move -1"),
        (["games.jsonl", "--viewer", 3], "viewer is 3; it takes a seat from 0 to 2"),
        (["games.jsonl", "--viewer", "me"], "viewer is 'me'"),
        (["games.jsonl", "--viewer", "9" * 5000], "viewer is"),
        (["games.jsonl", "--out", "a.pdf"], "--out is 'a.pdf'; it ends in .html, .gif"),
        (["games.jsonl", "--out", "no/a.gif"], "no/a.gif: No such file or directory"),
        (["games.jsonl", "--edition", "atlantis"], "atlantis"),
        (["games.jsonl", "--film", "a.gif"], "--film"),
    ],
)
def test_mistakes_are_one_line(show, file, arguments, words) -> None:
    assert words in complaint_of(show(*arguments))
    assert [path.name for path in file.parent.iterdir()] == ["games.jsonl"]


def test_a_broken_line_is_one_line(show, file) -> None:
    forge(file)
    assert "games.jsonl, line 1: is not JSON" in complaint_of(show("games.jsonl"))


def test_a_film_without_pillow_is_one_line(file) -> None:
    code = f"""
import sys
sys.modules["PIL"] = None  # as if it were not installed
from gonzaga_env.__main__ import main
sys.exit(main(["show", {str(file)!r}, "--out", "a.gif"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=file.parent, check=False
    )
    told = complaint_of((done.returncode, done.stdout, done.stderr))
    assert 'Pillow is not installed; run: pip install "gonzaga-env[render]"' in told
