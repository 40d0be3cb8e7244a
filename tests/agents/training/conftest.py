"""The command `train` at toy sizes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.commands import train as command
from gonzaga_agents.training import run as run_module
from gonzaga_agents.training.setup import PRESETS, Preset

Train = Callable[..., tuple[int, str, str]]
SIZES = {"players": 2}


def touch_samples(path: Path, *_: object) -> None:
    """Stands for `write_samples`, which takes most of a toy run."""
    path.parent.mkdir(exist_ok=True)
    path.touch()


@pytest.fixture(autouse=True, scope="module")
def toy_preset() -> Iterator[None]:
    """Makes runs small: a rollout is 64 turns of two players in 4 games; the second one is last.

    They take one process, which starts faster, and record no sample games.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRESETS, "quick", Preset(128, 4, 32, 8, 64, 0))
        patch.setattr(command, "_FINAL_DEALS", 1)
        patch.setattr(command, "num_cores", lambda: 1)
        patch.setattr(run_module, "write_samples", touch_samples)
        yield


def options(**changes: object) -> list[str]:
    """Returns a toy run's arguments, with changes."""
    found = SIZES | changes
    pairs = ((f"--{k.replace('_', '-')}", str(v)) for k, v in found.items())
    return [word for pair in pairs for word in pair if word != "True"]


@pytest.fixture
def run(gonzaga: Train) -> Train:
    """Returns a function that runs `train` with arguments: (exit code, stdout, stderr)."""
    return lambda *words: gonzaga("train", *words)


@pytest.fixture
def train(run: Train) -> Train:
    """Returns a function that trains at toy sizes, with changes, into a folder."""

    def toy(out: object, **changes: Any) -> tuple[int, str, str]:
        return run(*options(**changes), "--out", out)

    return toy
