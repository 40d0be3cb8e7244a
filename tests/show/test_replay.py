"""`python -m gonzaga_env replay`: every wrong line is told, and the others are verified."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonzaga_env.__main__ import main
from gonzaga_env.core import Engine
from gonzaga_env.core.records import Record, write_records
from tests.core.test_records import record_games


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return record_games(Engine(3, 2, seed=1), 3)


@pytest.fixture
def file(tmp_path: Path, records: list[Record]) -> Path:
    write_records(tmp_path / "games.jsonl", records)
    return tmp_path / "games.jsonl"


def replay(file: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str, str]:
    code = main(["replay", str(file), *more])
    return code, *capsys.readouterr()


def test_all_games_are_verified(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(file, capsys) == (0, f"{file}: 3 games verified, 0 wrong\n", "")
    assert replay(file, capsys, "--edition", "europe")[0] == 0


def test_a_wrong_line_is_told_and_the_next_ones_are_verified(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third = file.read_text("utf-8").split("\n")[:3]
    forged = json.loads(first)
    forged["moves"][2]["points"] += 1
    file.write_text(f"{json.dumps(forged)}\n{second}\n{third[:-30]}", "utf-8")
    code, out, err = replay(file, capsys)
    lines = err.splitlines()
    assert (code, out, len(lines)) == (2, "", 3)
    assert lines[0].startswith("line 1: move 3, points: the record says ")
    assert lines[1].startswith("line 3: is not JSON: ")
    assert lines[2] == f"python -m gonzaga_env: {file}: 1 game verified, 2 wrong"


def test_only_the_first_wrong_lines_are_told(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(file.read_text("utf-8") + "{}\n" * 25, "utf-8")
    code, _, err = replay(file, capsys)
    lines = err.splitlines()
    assert (code, len(lines)) == (2, 22)
    assert lines[-3].startswith("line 23: ")
    assert lines[-2:] == [
        "and 5 more",
        f"python -m gonzaga_env: {file}: 3 games verified, 25 wrong",
    ]


def test_a_reason_is_one_printable_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(file.read_text("utf-8").split("\n")[0])
    file.write_text(json.dumps(record | {"edition": "\x1b[2J\n" + "x" * 9000}), "utf-8")
    code, _, err = replay(file, capsys)
    assert (code, err.count("\n")) == (2, 2)
    assert "\x1b" not in err
    assert len(err.splitlines()[0]) < 550


def test_files_without_games_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").touch()
    code, _, err = replay(tmp_path / "empty", capsys)
    assert (code, err) == (2, f"python -m gonzaga_env: {tmp_path / 'empty'}: holds no games\n")
    for name in ("missing", "."):
        code, _, err = replay(tmp_path / name, capsys)
        assert (code, err.count("\n")) == (2, 1)
        assert "can't be read" in err


@pytest.mark.parametrize(
    "text", ["# A text\n\nof several\nlines\n", '{\n "wins": 3\n}\n', "{}\n" * 50]
)
def test_another_file_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "other").write_text(text, "utf-8")
    code, out, err = replay(tmp_path / "other", capsys)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"python -m gonzaga_env: {tmp_path / 'other'}: holds no games; line 1: ")


def test_lines_before_the_first_record_are_told(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text("{}\n" + file.read_text("utf-8"), "utf-8")
    code, _, err = replay(file, capsys)
    assert code == 2
    assert [line.partition(":")[0] for line in err.splitlines()] == [
        "line 1",
        "python -m gonzaga_env",
    ]


def test_a_missing_edition_is_one_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = replay(file, capsys, "--edition", "atlantis")
    assert (code, err.count("\n")) == (2, 1)
    assert "atlantis" in err


def test_a_file_may_hold_several_games(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = Path(__file__).parents[1] / "tuscany/games/referee.jsonl"
    lines = corpus.read_text("utf-8").splitlines()[:3]
    wrong = json.loads(lines[0]) | {"truncated": True}
    unknown = json.loads(lines[0]) | {"game": "chess"}
    text = file.read_text("utf-8") + "\n".join([*lines, json.dumps(wrong), json.dumps(unknown)])
    file.write_text(text, "utf-8")
    code, _, err = replay(file, capsys)
    first, second, summary = err.splitlines()
    assert code == 2
    assert first.startswith("line 7: truncated: the record says True")
    assert second == "line 8: game is 'chess'; there are: gonzaga, tuscany"
    assert summary.endswith("6 games verified, 2 wrong")
