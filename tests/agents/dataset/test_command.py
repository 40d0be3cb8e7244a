"""The command: what its user sees, and one line for every mistake."""

from collections.abc import Callable
from pathlib import Path

import pytest
from gonzaga_agents.dataset import Dataset, open_dataset

from tests.agents.conftest import output_of

Command = Callable[..., tuple[int, str, str]]


def write(command: Command, out: Path, *more: object) -> tuple[int, str, str]:
    options = ("--players", 2, "--games", 6, "--workers", 1, "--out", out)
    return command("dataset", "write", "random", "greedy", *options, *more)


def test_it_writes_and_continues_with_the_seed_of_the_folder(
    command: Command, tmp_path: Path
) -> None:
    out = output_of(write(command, tmp_path))
    assert f"6 games are in {tmp_path}, " in out
    seed = open_dataset(tmp_path).about["seed"]
    assert seed >= 2**64
    (tmp_path / "games/00000.games").unlink()
    assert write(command, tmp_path) == (0, out, "")
    assert open_dataset(tmp_path).about["seed"] == seed


def test_a_small_seed_is_warned_of(command: Command, tmp_path: Path) -> None:
    code, _, err = write(command, tmp_path, "--seed", 3)
    assert code == 0
    assert err.startswith("dataset: agents may guess a small --seed")


def test_another_game_works_too(command: Command, tmp_path: Path) -> None:
    options = ("--game", "tuscany", "--players", 2, "--games", 2, "--out", tmp_path)
    output_of(command("dataset", "write", "random", *options))
    assert "The Castles of Tuscany" in (tmp_path / "README.md").read_text("utf-8")


def test_parquet(command: Command, dataset: Dataset, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason='needs pyarrow: pip install ".[data]"')
    out = output_of(command("dataset", "parquet", dataset.path, "--out", tmp_path))
    assert out.endswith(f" decisions of 30 games are in {tmp_path}\n")
