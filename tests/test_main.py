"""`python -m gonzaga_env`, as a user calls it (the edition commands: core/editions/test_files)."""

from pathlib import Path

import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.records import write_records
from gonzaga_env.version import __version__
from tests.core.test_records import record_games


@pytest.fixture
def file(tmp_path) -> Path:
    write_records(tmp_path / "games.jsonl", record_games(Engine(2, 2, seed=1), 2))
    return tmp_path / "games.jsonl"


def test_the_version_is_printed(gonzaga) -> None:
    assert gonzaga("--version") == (0, f"gonzaga-env {__version__}\n", "")


def test_ctrl_c_is_one_line(gonzaga, file, monkeypatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gonzaga_env.show.replay.verify", interrupt)
    assert gonzaga("replay", file) == (130, "", "python -m gonzaga_env: interrupted\n")


@pytest.mark.parametrize(
    "command", [["edition", "draw"], ["replay"], ["show"], ["analyse"], ["explain"], ["play"]]
)
def test_every_command_has_help(gonzaga, command) -> None:
    code, out, _ = gonzaga(*command, "--help")
    assert code == 0
    assert out.startswith(f"usage: python -m gonzaga_env {' '.join(command)} ")


def test_an_unknown_option_is_refused_by_its_subcommand(gonzaga, file) -> None:
    told = "unrecognized arguments: --bye x (see python -m gonzaga_env stats --help)"
    assert gonzaga("stats", file, "--bye", "x") == (2, "", f"python -m gonzaga_env stats: {told}\n")
