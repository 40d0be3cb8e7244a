"""Training on a Ray cluster of this machine, against training in this process."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from gonzaga_agents.commands.train import setup_of
from gonzaga_agents.executors import connect
from gonzaga_agents.training.curve import FILE, read_curve
from gonzaga_agents.training.run import Run

from tests.agents.training.toys import TOY

ray = pytest.importorskip("ray", reason="needs the extra ray: nox -s ray")
pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own: sockets, and what it deprecates

ARGUMENTS = replace(TOY, timesteps=600, num_games=8, opponents="greedy,past")
Weights = dict[str, torch.Tensor]


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    disconnect = connect(num_cpus=3)
    yield
    disconnect()


def trained(out: Path, **changes: Any) -> Weights:
    """Returns the weights of a policy."""
    run = Run(setup_of(replace(ARGUMENTS, **changes)), out, resume=False)
    with torch.random.fork_rng(devices=[]):
        run.learn()
    return {name: tensor.clone() for name, tensor in run.ppo.policy.state_dict().items()}


def assert_same(first: Weights, second: Weights) -> None:
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("collectors", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_ray_gives_the_policy_of_this_process(tmp_path: Path, collectors: int) -> None:
    changes = {"collectors": collectors, "timesteps": 600 * collectors}
    here = trained(tmp_path / "here", **changes)
    assert_same(here, trained(tmp_path / "ray", executor="ray", **changes))


@pytest.mark.usefixtures("cluster")
def test_the_curve_is_that_of_this_process(tmp_path: Path) -> None:
    trained(tmp_path / "here", eval_deals=2)
    trained(tmp_path / "ray", executor="ray", eval_deals=2)
    here, on_ray = (read_curve(tmp_path / name / FILE) for name in ("here", "ray"))
    assert [point.against for point in here] == [point.against for point in on_ray]
    assert len(here) >= 2
