"""Executors: every unit's result once, whatever workers do; errors as they were raised."""

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gonzaga_agents.common.processes import WorkerDiedError, WorkerError
from gonzaga_agents.tournament.games import Chunk
from gonzaga_agents.units import Executor, LocalProcesses, Report, ThisProcess, Work, open_executor
from gonzaga_agents.units.entrants import Entrant, identify
from gonzaga_agents.units.play import play_units
from gonzaga_agents.units.work import Packer

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


@pytest.fixture(scope="module")
def ray() -> Iterator[None]:
    """Starts a Ray cluster of two CPUs, which executors of this process then use."""
    pytest.importorskip("ray", reason="needs the extra ray: nox -s ray")
    from gonzaga_agents.units.ray_cluster import connect

    disconnect = connect(num_cpus=2)
    yield
    disconnect()


@pytest.fixture
def losses() -> list[str]:
    return []


KINDS = ["local", "ray"]


def opened(request: pytest.FixtureRequest, losses: list[str]) -> Executor:
    if request.param == "this process":
        return ThisProcess()
    if request.param == "ray":
        request.getfixturevalue("ray")
    return open_executor(request.param, 2, on_lost=losses.append)


@pytest.fixture(params=["this process", *KINDS])
def executor(request: pytest.FixtureRequest, losses: list[str]) -> Iterator[Executor]:
    with opened(request, losses) as made:
        yield made


@pytest.fixture(params=KINDS)
def two(request: pytest.FixtureRequest, losses: list[str]) -> Iterator[Executor]:
    with opened(request, losses) as made:
        yield made


def test_every_unit_ends_once_and_workers_stay(executor: Executor) -> None:
    work, units = Work(square, shared=(TABLE,)), [(i, TABLE) for i in range(6)]
    runs = [[*executor.run(work, units)] for _ in range(2)]
    for found in runs:
        assert sorted((unit[0], result[0]) for unit, result in found) == [
            (i, i**2) for i in range(6)
        ]
    assert len({result[1] for found in runs for _, result in found}) <= 2


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


def test_workers_have_one_thread(two: Executor) -> None:
    assert [result for _, result in two.run(Work(slow), [1, 2])] == ["1", "1"]


def test_progress_is_told() -> None:
    told: list[float] = []
    with open_executor("local", 2) as two:
        list(two.run(Work(slow), [1, 2], told.append))
    assert max(told) >= 1
    assert told[-1] == 0, "of units that are not done"


def test_the_unit_of_a_lost_worker_is_done_again(
    two: Executor, losses: list[str], tmp_path: Path
) -> None:
    units = [tmp_path / str(i) for i in range(3)]
    found = dict(two.run(Work(die_once, name="counts"), units))
    assert found == {unit: unit.name for unit in units}
    assert len(losses) == len(units)
    for line in losses:
        assert re.fullmatch(r"a .* that counts was killed .*; its work is done again", line)


def test_a_unit_that_kills_its_workers_ends_the_run(two: Executor, losses: list[str]) -> None:
    with pytest.raises(WorkerDiedError, match=r"that works .*; so did 2 before with the same"):
        list(two.run(Work(die), [1, 0]))
    assert len(losses) == 2


def test_one_unit_needs_no_process() -> None:
    with open_executor("local", 2) as two:
        ((_, (_, process)),) = two.run(Work(square), [(3, TABLE)])
    assert process == os.getpid()


def test_closing_ends_the_processes() -> None:
    with open_executor("local", 2) as two:
        running = two.run(Work(square), [(i, TABLE) for i in range(6)])
        _, (_, process) = next(running)
        running.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_run_that_is_dropped_leaves_workers_for_the_next(two: Executor) -> None:
    running = two.run(Work(square), [(i, TABLE) for i in range(6)])
    next(running)
    running.close()
    found = list(two.run(Work(square), [(i, TABLE) for i in range(3)]))
    assert sorted(result[0] for _, result in found) == [0, 1, 4]


def test_what_cannot_be_sent_is_named(two: Executor) -> None:
    with pytest.raises(OptionError, match="can't be sent to workers: "):
        list(two.run(Work(square, shared=(lambda: 1,)), [(1, TABLE), (2, TABLE)]))


def test_without_ray_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ModuleNotFoundError, match=r'run: pip install "gonzaga-env\[ray\]"$'):
        open_executor("ray")


def test_bad_options_are_named() -> None:
    with pytest.raises(OptionError, match="workers is 0; it takes 1 or more"):
        open_executor("local", 0)
    with pytest.raises(OptionError, match="address is x:1; it takes executor ray"):
        open_executor("local", address="x:1")
    with pytest.raises(OptionError, match="it takes local or ray"):
        open_executor("slurm")  # type: ignore[arg-type]


AGENTS = """
import os, time

class Slow:
    def __init__(self, config): ...
    def act(self, observations, masks, rng):
        time.sleep(0.05)
        return masks.argmax(axis=1)

class Dying(Slow):
    def act(self, observations, masks, rng): os._exit(1)
"""
Make = Callable[[str, int], list[Chunk]]


@pytest.fixture
def chunks(tmp_path: Path) -> Make:
    """Returns a function that makes chunks of a deal each with an agent of the file above."""
    (tmp_path / "mine.py").write_text(AGENTS)

    def make(name: str, number: int) -> list[Chunk]:
        mine = identify(f"{tmp_path / 'mine.py'}:{name}")
        table = tuple(sorted((mine, Entrant("random")), key=lambda entrant: entrant.key))
        return [Chunk(GameConfig(2), table, first, 1, seed=0) for first in range(number)]

    return make


def test_every_chunk_is_played_once_and_progress_is_told(chunks: Make) -> None:
    told: list[tuple[float, int]] = []
    before = dict(os.environ)
    with LocalProcesses(2) as two:
        played = [*play_units(chunks("Slow", 3), two, lambda *done: told.append(done), done=4)]
    assert sorted(chunk.first for chunk, _ in played) == [0, 1, 2]
    for chunk, found in played:
        assert [game.id for game in found] == chunk.ids()
    assert (told[0], told[-1]) == ((4, 10), (10, 10))
    assert any(done % 2 for done, _ in told), "of the games that are being played"
    assert dict(os.environ) == before


def test_a_process_that_dies_is_named(chunks: Make) -> None:
    with (
        LocalProcesses(2, on_lost=lambda line: None) as two,
        pytest.raises(AgentError, match="a process that plays games ended with exit code 1"),
    ):
        list(play_units(chunks("Dying", 2), two))
