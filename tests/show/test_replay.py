"""`gonzaga replay`: every wrong line is told, and the others are verified."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from gonzaga_env.core import Engine
from gonzaga_env.kernel.records import write_records
from tests.conftest import Answer, complaint_of
from tests.core.test_records import record_games


@pytest.fixture
def file(tmp_path) -> Path:
    write_records(tmp_path / "games.jsonl", record_games(Engine(3, 2, seed=1), 3))
    return tmp_path / "games.jsonl"


@pytest.fixture
def replay(gonzaga) -> Callable[..., Answer]:
    return partial(gonzaga, "replay")


def test_all_games_are_verified(replay, file) -> None:
    assert replay(file) == (0, f"{file}: 3 games verified, 0 wrong\n", "")
    assert replay(file, "--edition", "europe")[0] == 0


def test_a_wrong_line_is_told_and_the_next_ones_are_verified(replay, file) -> None:
    first, second, third = file.read_text("utf-8").split("\n")[:3]
    forged = json.loads(first)
    forged["moves"][2]["points"] += 1
    file.write_text(f"{json.dumps(forged)}\n{second}\n{third[:-30]}", "utf-8")
    code, out, err = replay(file)
    lines = err.splitlines()
    assert (code, out, len(lines)) == (2, "", 3)
    assert lines[0].startswith("line 1: move 3, points: the record says ")
    assert lines[1].startswith("line 3: is not JSON: ")
    assert lines[2] == f"gonzaga replay: {file}: 1 game verified, 2 wrong"


def test_only_the_first_wrong_lines_are_told(replay, file) -> None:
    file.write_text(file.read_text("utf-8") + "{}\n" * 25, "utf-8")
    code, _, err = replay(file)
    lines = err.splitlines()
    assert (code, len(lines)) == (2, 22)
    assert lines[-3].startswith("line 23: ")
    assert lines[-2:] == [
        "and 5 more",
        f"gonzaga replay: {file}: 3 games verified, 25 wrong",
    ]


def test_a_reason_is_one_printable_line(replay, file) -> None:
    record = json.loads(file.read_text("utf-8").split("\n")[0])
    file.write_text(json.dumps(record | {"edition": "\x1b[2J\n" + "x" * 9000}), "utf-8")
    code, _, err = replay(file)
    assert (code, err.count("\n")) == (2, 2)
    assert "\x1b" not in err
    assert len(err.splitlines()[0]) < 550


def test_files_without_games_are_one_line(replay, tmp_path) -> None:
    (tmp_path / "empty").touch()
    told = complaint_of(replay(tmp_path / "empty"))
    assert told == f"gonzaga replay: {tmp_path / 'empty'}: holds no games\n"
    for name in ("missing", "."):
        assert "can't be read" in complaint_of(replay(tmp_path / name))


@pytest.mark.parametrize(
    "text", ["# A text\n\nof several\nlines\n", '{\n "wins": 3\n}\n', "{}\n" * 50]
)
def test_another_file_is_one_line(replay, tmp_path, text) -> None:
    (tmp_path / "other").write_text(text, "utf-8")
    told = complaint_of(replay(tmp_path / "other"))
    assert told.startswith(f"gonzaga replay: {tmp_path / 'other'}: holds no games; line 1: ")


def test_a_missing_edition_is_one_line(replay, file) -> None:
    assert "atlantis" in complaint_of(replay(file, "--edition", "atlantis"))


def test_a_file_may_hold_several_games(replay, file) -> None:
    corpus = Path(__file__).parents[1] / "tuscany/games/referee.jsonl"
    lines = corpus.read_text("utf-8").splitlines()[:3]
    wrong = json.loads(lines[0]) | {"truncated": True}
    unknown = json.loads(lines[0]) | {"game": "chess"}
    text = file.read_text("utf-8") + "\n".join([*lines, json.dumps(wrong), json.dumps(unknown)])
    file.write_text(text, "utf-8")
    code, _, err = replay(file)
    first, second, summary = err.splitlines()
    assert code == 2
    assert first.startswith("line 7: truncated: the record says True")
    assert second == "line 8: game is 'chess'; known: gonzaga, tuscany, signorie"
    assert summary.endswith("6 games verified, 2 wrong")


def test_an_edition_is_of_one_game(replay, file) -> None:
    other = {"game": "signorie", "moves": []}
    file.write_text(f"{file.read_text()}{json.dumps(other)}\n")
    code, out, err = replay(file, "--edition", "europe")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "edition is of one game, but there are records of 'gonzaga' and 'signorie'" in err
