"""What all tests of agents share."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

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


@pytest.fixture(scope="session")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a checkpoint for three players whose network is untrained; tests don't change it."""
    from gonzaga_agents.commands.train import TrainOptions, setup_of
    from gonzaga_agents.training.run import Run

    arguments = TrainOptions(players=3, num_games=2)
    out = tmp_path_factory.mktemp("runs") / "untrained"
    return Run(replace(setup_of(arguments), width=16), out, resume=False).save()
