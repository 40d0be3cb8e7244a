"""`python -m gonzaga_env`, as a user calls it (the edition commands: core/editions/test_files)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonzaga_env.__main__ import main
from gonzaga_env.core import Engine
from gonzaga_env.core.records import write_records
from gonzaga_env.version import __version__
from tests.core.test_records import record_games


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_records(tmp_path / "games.jsonl", record_games(Engine(2, 2, seed=1), 2))
    return tmp_path / "games.jsonl"


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["--version"])
    assert leaving.value.code == 0
    assert capsys.readouterr().out == f"gonzaga-env {__version__}\n"


def test_replay_verifies_every_game(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file)]) == 0
    assert "2 games" in capsys.readouterr().out


def test_replay_names_the_game_and_what_is_wrong(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = file.read_text("utf-8").rstrip("\n").split("\n")
    forged = json.loads(second)
    forged["moves"][2]["points"] += 1
    file.write_text(f"{first}\n{json.dumps(forged)}\n", "utf-8")
    assert main(["replay", str(file)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "game 2: move 2, points" in captured.err
    assert len(captured.err.splitlines()) == 1


@pytest.mark.parametrize("content", ["", "{}", "[]", "{"])
def test_replay_refuses_files_without_games(
    tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text(content)
    assert main(["replay", str(tmp_path / "file")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
