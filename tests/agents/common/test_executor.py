"""Executors: every unit's result once, whatever workers do; errors as they were raised."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from gonzaga_agents.common.executor import Executor, Report, ThisProcess, Work, open_executor
from gonzaga_agents.common.executor.work import Packer
from gonzaga_agents.common.processes import WorkerDiedError, WorkerError

from gonzaga_env.core import GameConfig
from gonzaga_env.tabletop.agent import AgentCrashedError, AgentError
from gonzaga_env.tabletop.errors import IllegalActionError, OptionError

TABLE = {i: i**2 for i in range(1000)}


def square(unit: tuple[int, dict[int, int]], report: Report) -> tuple[int, int]:
    number, table = unit
    report(0.5)
    return table[number], os.getpid()


def same(unit: tuple[GameConfig, GameConfig], report: Report) -> tuple[str, bool]:
    return unit[0].edition.digest, unit[0] is unit[1]


def slow(unit: int, report: Report) -> str:
    time.sleep(0.7)
    report(unit)
    time.sleep(0.7)
    return os.environ["OMP_NUM_THREADS"]


def die_once(unit: Path, report: Report) -> str:
    """Dies where a file is missing, which it makes before."""
    if not unit.exists():
        unit.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return unit.name


def die(unit: int, report: Report) -> None:
    if unit:
        os._exit(7)
    time.sleep(5)


def fail(unit: Exception | str, report: Report) -> None:
    if unit == "illegal":
        raise IllegalActionError("no", game=0, seat=1, action=2, rule="R1")
    if isinstance(unit, Exception):
        raise unit
    time.sleep(5)


@pytest.fixture(scope="module", params=["this process", "local"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with ThisProcess() if request.param == "this process" else open_executor("local", 2) as opened:
        yield opened


@pytest.fixture
def losses() -> list[str]:
    return []


@pytest.fixture
def two(losses: list[str]) -> Iterator[Executor]:
    with open_executor("local", 2, on_lost=losses.append) as opened:
        yield opened


def test_every_unit_ends_once_and_workers_stay(executor: Executor) -> None:
    work, units = Work(square, shared=(TABLE,)), [(i, TABLE) for i in range(6)]
    runs = [[*executor.run(work, units)] for _ in range(2)]
    for found in runs:
        assert sorted((unit[0], result[0]) for unit, result in found) == [
            (i, i**2) for i in range(6)
        ]
    processes = [{result[1] for _, result in found} for found in runs]
    assert len(processes[0] | processes[1]) <= 2


def test_units_share_large_objects_and_name_them_by_digest(executor: Executor) -> None:
    config = GameConfig(2)
    work = Work(same, shared=(config,))
    found = executor.run(work, [(config, config)] * 3)
    assert {result for _, result in found} == {(config.edition.digest, True)}
    packer = Packer(work)
    assert len(packer.pack((config, config))) < 200
    (data,) = packer.work.shared.values()
    assert len(data) > 5_000


@pytest.mark.parametrize(
    "error", [AgentError("wrong"), AgentCrashedError("wrong", "line 1\nline 2")]
)
def test_errors_arrive_as_they_are(executor: Executor, error: AgentError) -> None:
    with pytest.raises(type(error), match=r"^wrong$") as caught:
        list(executor.run(Work(fail), [error, "wait"]))
    assert vars(caught.value) == vars(error)


def test_errors_that_cannot_be_sent_arrive_in_one_line(two: Executor) -> None:
    with pytest.raises(WorkerError, match=r"^no$"):
        list(two.run(Work(fail), ["illegal", "wait"]))
    with pytest.raises(WorkerError, match=r"^ZeroDivisionError: hm$"):
        list(two.run(Work(fail), [ZeroDivisionError("hm\nmore"), "wait"]))


def test_progress_is_told_and_workers_have_one_thread(two: Executor) -> None:
    told: list[float] = []
    found = [result for _, result in two.run(Work(slow), [1, 2], told.append)]
    assert found == ["1", "1"]
    assert max(told) >= 1
    assert told[-1] == 0, "of units that are not done"


def test_the_unit_of_a_lost_worker_is_done_again(
    two: Executor, losses: list[str], tmp_path: Path
) -> None:
    units = [tmp_path / str(i) for i in range(3)]
    found = dict(two.run(Work(die_once, name="counts"), units))
    assert found == {unit: unit.name for unit in units}
    assert losses == [
        "a process that counts was killed by signal 9 (Killed); its work is done again"
    ] * len(units)


def test_a_unit_that_kills_its_workers_ends_the_run(two: Executor, losses: list[str]) -> None:
    with pytest.raises(WorkerDiedError, match="exit code 7; so did 2 before with the same work"):
        list(two.run(Work(die), [1, 0]))
    assert len(losses) == 2


def test_one_unit_needs_no_process(two: Executor) -> None:
    ((_, (_, process)),) = two.run(Work(square), [(3, TABLE)])
    assert process == os.getpid()


def test_closing_drops_what_is_being_done(two: Executor) -> None:
    running = two.run(Work(square), [(i, TABLE) for i in range(6)])
    _, (_, process) = next(running)
    running.close()
    two.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_bad_options_are_named() -> None:
    with pytest.raises(OptionError, match="workers is 0; it takes 1 or more"):
        open_executor("local", 0)
    with pytest.raises(OptionError, match="address is x:1; it takes executor ray"):
        open_executor("local", address="x:1")
    with pytest.raises(OptionError, match="it takes local or ray"):
        open_executor("slurm")  # type: ignore[arg-type]
