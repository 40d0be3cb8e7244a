"""The command `train` at toy sizes."""

from collections.abc import Callable
from typing import Any

import pytest
from gonzaga_agents import cli

Train = Callable[..., tuple[int, str, str]]
# A rollout is 4 rounds of 2 decisions of all seats: 64 turns of two players in 4 games.
SIZES = {
    "players": 2,
    "num_games": 4,
    "minibatch": 32,
    "width": 8,
    "timesteps": 128,
    "imitate": 0,
    "self_play": 1.0,
    "eval_deals": 0,
    "sample_games": 0,
    "final_deals": 0,
    "device": "cpu",
    "processes": 1,
}


def options(**changes: object) -> list[str]:
    """Returns a toy run's arguments, with changes."""
    found = SIZES | changes
    pairs = ((f"--{k.replace('_', '-')}", str(v)) for k, v in found.items())
    return [word for pair in pairs for word in pair]


@pytest.fixture
def run(call: Train) -> Train:
    """Returns a function that runs `train` with arguments: (exit code, stdout, stderr)."""
    return lambda *words: call(cli.train, *words)


@pytest.fixture
def train(run: Train) -> Train:
    """Returns a function that trains at toy sizes, with changes, into a folder."""

    def toy(out: object, **changes: Any) -> tuple[int, str, str]:
        return run(*options(**changes), "--out", out)

    return toy
