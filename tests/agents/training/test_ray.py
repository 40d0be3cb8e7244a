"""Training on a Ray cluster of this machine, against training in this process."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from gonzaga_agents.training.collector import CollectingError
from gonzaga_agents.training.command import setup_of
from gonzaga_agents.training.options import Arguments
from gonzaga_agents.training.reports.curve import FILE, read_curve
from gonzaga_agents.training.run import Run
from gonzaga_agents.units import ray_cluster

ray = pytest.importorskip("ray", reason="needs the extra ray: nox -s ray")
pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own: sockets, and what it deprecates

ARGUMENTS = Arguments(
    players=2,
    timesteps=600,
    num_games=8,
    minibatch=32,
    width=8,
    opponents="greedy,past",
    self_play=0.6,
    eval_deals=0,
    eval_against="",
    sample_games=0,
    device="cpu",
    processes="1",
)
Weights = dict[str, torch.Tensor]


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    disconnect = ray_cluster.connect("local", num_cpus=3)
    yield
    disconnect()


def trained(out: Path, disturb: Callable[[Run], None] | None = None, **changes: Any) -> Weights:
    """Returns the weights of a policy; the training is disturbed after each update."""
    run = Run(setup_of(replace(ARGUMENTS, **changes)), out, resume=False)
    update, updates = run._update, 0

    def watched() -> Any:
        nonlocal updates
        updates += 1
        if disturb is not None and updates in (2, 4):
            disturb(run)
        return update()

    run._update = watched  # type: ignore[method-assign]
    with torch.random.fork_rng(devices=[]):
        run.learn()
    assert updates >= 3
    return {name: tensor.clone() for name, tensor in run.model.policy.state_dict().items()}


def assert_same(first: Weights, second: Weights) -> None:
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("collectors", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_ray_gives_the_policy_of_this_process(tmp_path: Path, collectors: int) -> None:
    changes = {"collectors": collectors, "timesteps": 600 * collectors}
    here = trained(tmp_path / "here", **changes)
    assert_same(here, trained(tmp_path / "ray", executor="ray", **changes))


@pytest.mark.nightly
@pytest.mark.usefixtures("cluster")
def test_a_lost_actor_plays_its_rollout_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def kill_actor(run: Run) -> None:
        ray.kill(run._collector._players[0]._remote.actor)  # type: ignore[union-attr, attr-defined]

    here = trained(tmp_path / "here")
    assert_same(here, trained(tmp_path / "ray", kill_actor, executor="ray"))
    assert capfd.readouterr().err.count("the actor of collector 0 was lost") >= 1


@pytest.mark.nightly
@pytest.mark.usefixtures("cluster")
def test_two_learners_learn_what_one_learns(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def kill_learner(run: Run) -> None:
        ray.kill(run._learners._others[0].actor)  # type: ignore[union-attr]

    one = trained(tmp_path / "one")
    two = trained(tmp_path / "two", executor="ray", learners=2)
    again = trained(tmp_path / "again", kill_learner, executor="ray", learners=2)
    for name, tensor in one.items():
        torch.testing.assert_close(two[name], tensor, atol=1e-3, rtol=1e-3)
    assert_same(two, again)
    assert "the actor of learner 1 was lost" in capfd.readouterr().err


@pytest.mark.nightly
@pytest.mark.usefixtures("cluster")
def test_a_node_with_another_version_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gonzaga_agents.training.cluster.actors.__version__", "0.0.1")
    with pytest.raises(CollectingError, match=r"this process 0\.0\.1; install the same"):
        trained(tmp_path / "run", executor="ray")


@pytest.mark.usefixtures("cluster")
def test_the_curve_is_that_of_this_process(tmp_path: Path) -> None:
    changes: dict[str, Any] = {"eval_deals": 2, "eval_against": "greedy,random"}
    trained(tmp_path / "here", **changes)
    trained(tmp_path / "ray", executor="ray", **changes)
    here, on_ray = (read_curve(tmp_path / name / FILE) for name in ("here", "ray"))
    assert [point.against for point in here] == [point.against for point in on_ray]
    assert len(here) >= 2
