"""What all tests of agents share."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import torch
from gonzaga_agents import cli

from tests.conftest import Answer


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Keeps torch to one thread; on busy cores two of them mostly wait for each other."""
    torch.set_num_threads(1)


def output_of(answer: Answer) -> str:
    """Returns what a command prints that succeeds: exit code 0 and nothing on standard error."""
    code, out, err = answer
    assert (code, err) == (0, "")
    return out


def _main(name: str, module: str) -> Callable[[], int]:
    return partial(cli.run_command, name, f"gonzaga_agents.{module}")


#: Runs a command with `sys.argv`, by its name.
MAINS: dict[str, Callable[[], int]] = {
    "evaluate": cli.evaluate,
    "train": cli.train,
    "dataset": _main("dataset", "dataset.command"),
}


@pytest.fixture
def command(call: Callable[..., Answer]) -> Callable[..., Answer]:
    """Returns a function that runs a command by its name: (exit code, stdout, stderr)."""
    return lambda name, *words: call(MAINS[name], *words)


@pytest.fixture(scope="session")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a checkpoint for three players whose network is untrained; tests don't change it."""
    from gonzaga_agents.training.command import setup_of
    from gonzaga_agents.training.options import TrainOptions
    from gonzaga_agents.training.run import Run

    arguments = TrainOptions(players=3, width=16, num_games=2, device="cpu")
    out = tmp_path_factory.mktemp("runs") / "untrained"
    return Run(setup_of(arguments), out, resume=False).save()
