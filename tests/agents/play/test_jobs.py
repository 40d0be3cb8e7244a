"""Jobs in a pool of processes and on Ray: the same results, and one line for what fails."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.executors import open_executor
from gonzaga_agents.play.jobs import OnFraction, play_jobs
from gonzaga_agents.play.tournament_games import Entrant, TournamentJob
from gonzaga_agents.processes import WorkerError

from gonzaga_env.core import GameConfig
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.errors import IllegalActionError, OptionError

KINDS = ["local", "ray"]
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning")


@dataclass(frozen=True)
class Number:
    """A job that returns where it was played."""

    number: int
    num_games = 2

    def play(self, on_progress: OnFraction) -> tuple[int, int, str]:
        on_progress(0.5)
        return self.number**2, os.getpid(), os.environ["OMP_NUM_THREADS"]


@dataclass(frozen=True)
class Failing:
    """A job that fails."""

    how: str
    num_games = 1

    def play(self, on_progress: OnFraction) -> None:
        if self.how == "agent":
            raise AgentError("no idea")
        if self.how == "illegal":  # an error that does not pickle
            raise IllegalActionError("not so", game=0, seat=1, action=2, rule="R1")
        if self.how == "other":
            raise ValueError("quite wrong")
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Starts a Ray cluster of two CPUs, which executors of this process then use."""
    pytest.importorskip("ray", reason="needs the extra ray: nox -s ray")
    from gonzaga_agents.executors import connect

    disconnect = connect(num_cpus=2)
    yield
    disconnect()


@pytest.fixture
def opened(request: pytest.FixtureRequest) -> AbstractContextManager[Executor | None]:
    """Returns two workers of the kind that a test is given."""
    if request.param == "ray":
        request.getfixturevalue("cluster")
    return open_executor(request.param, 2)


@pytest.mark.parametrize("opened", KINDS, indirect=True)
def test_every_job_s_result_comes_once(opened: Any) -> None:
    jobs, told = [Number(i) for i in range(7)], list[tuple[float, int]]()
    with opened as executor:
        found = dict(play_jobs(jobs, executor, lambda *done: told.append(done), done=6))
    assert {index: result[0] for index, result in found.items()} == {i: i**2 for i in range(7)}
    assert os.getpid() not in {result[1] for result in found.values()}
    assert {result[2] for result in found.values()} <= {"1", os.environ.get("OMP_NUM_THREADS")}
    assert told == [(6 + 2 * i, 20) for i in range(8)]


def test_in_this_process_jobs_report_from_within(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    told = list[float]()
    with open_executor(workers=1) as executor:
        found = list(play_jobs([Number(1), Number(2)], executor, lambda done, _: told.append(done)))
    assert [result[1] for _, result in found] == [os.getpid()] * 2
    assert told == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("opened", KINDS, indirect=True)
def test_games_do_not_depend_on_where_they_are_played(opened: Any) -> None:
    entrants = (Entrant("greedy"), Entrant("random"))
    jobs = [TournamentJob(GameConfig(2), entrants, first, 3, seed=1) for first in (0, 3, 6)]
    with opened as executor:
        found = dict(play_jobs(jobs, executor))
    assert found == dict(play_jobs(jobs))


@pytest.mark.parametrize("opened", KINDS, indirect=True)
@pytest.mark.parametrize(
    ("how", "kind", "words"),
    [
        ("agent", AgentError, "no idea"),
        ("illegal", WorkerError, "not so"),
        ("other", WorkerError, "ValueError: quite wrong"),
    ],
)
def test_what_a_job_raises_is_raised(opened: Any, how: str, kind: Any, words: str) -> None:
    with opened as executor, pytest.raises(kind, match=words):
        list(play_jobs([Failing(how), *map(Number, range(3))], executor))


def test_a_worker_that_dies_is_one_error() -> None:
    jobs = [Number(0), Number(1), Failing("kill")]
    with open_executor(workers=2) as executor:
        playing = play_jobs(jobs, executor)
        with pytest.raises(WorkerError, match="died"):
            list(playing)
    assert list(playing) == []


def test_workers_end_with_the_block_whatever_they_do() -> None:
    with open_executor(workers=2) as executor:
        with closing(play_jobs([Number(i) for i in range(50)], executor)) as playing:
            _, (_, pid, _) = next(playing)
        os.kill(pid, 0)
    for _ in range(100):
        if not Path(f"/proc/{pid}").exists():
            return
        time.sleep(0.05)
    pytest.fail("the worker goes on")


@pytest.mark.parametrize(
    ("arguments", "name"),
    [(("local", 0), "workers"), (("cloud",), "executor")],
)
def test_what_no_executor_takes_is_refused(arguments: Any, name: str) -> None:
    with pytest.raises(OptionError, match=name):
        open_executor(*arguments)


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1:1", "127.0.0.1:99999"])
def test_a_cluster_that_is_not_there_is_one_error(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="needs the extra ray: nox -s ray")
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(WorkerError, match=address):
        open_executor("ray")
