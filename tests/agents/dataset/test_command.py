"""The command: what its user sees, and one line for every mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gonzaga_agents.cli import run_command
from gonzaga_agents.common.extras import install_hint
from gonzaga_agents.dataset import Dataset, open_dataset

Call = Callable[..., tuple[int, str, str]]


def main() -> int:
    return run_command("dataset", "gonzaga_agents.dataset.command")


def write(call: Call, out: Path, *more: object) -> tuple[int, str, str]:
    options = ("--players", 2, "--games", 6, "--workers", 1, "--out", out)
    return call(main, "write", "random", "greedy", *options, *more)


def test_it_writes_and_continues_with_the_seed_of_the_folder(call: Call, tmp_path: Path) -> None:
    code, out, err = write(call, tmp_path)
    assert (code, err) == (0, "")
    assert f"6 games are in {tmp_path}, " in out
    seed = open_dataset(tmp_path).about["seed"]
    assert seed >= 2**64
    (tmp_path / "games/00000.games").unlink()
    assert write(call, tmp_path) == (0, out, "")
    assert open_dataset(tmp_path).about["seed"] == seed


def test_a_small_seed_is_warned_of(call: Call, tmp_path: Path) -> None:
    code, _, err = write(call, tmp_path, "--seed", 3)
    assert code == 0
    assert err.startswith("dataset: agents may guess a small --seed")


def test_another_game_works_too(call: Call, tmp_path: Path) -> None:
    options = ("--game", "tuscany", "--players", 2, "--games", 2, "--out", tmp_path)
    code, _, err = call(main, "write", "random", *options)
    assert (code, err) == (0, "")
    assert "The Castles of Tuscany" in (tmp_path / "README.md").read_text("utf-8")


def test_parquet(call: Call, dataset: Dataset, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason='needs pyarrow: pip install ".[data]"')
    code, out, err = call(main, "parquet", dataset.path, "--out", tmp_path)
    assert (code, err) == (0, "")
    assert out.endswith(f" decisions of 30 games are in {tmp_path}\n")


@pytest.mark.parametrize(
    ("package", "hint"),
    [
        ("pyarrow", 'pip install "gonzaga-env[data]"'),
        ("minari", 'pip install "minari[create,hdf5]" pillow'),
        ("polars", "pip install polars"),
    ],
)
def test_a_missing_package_is_named(package: str, hint: str) -> None:
    found = install_hint(ModuleNotFoundError(name=package))
    assert found == f"{package} is not installed; run: {hint}"
