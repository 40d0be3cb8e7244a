"""A Ray cluster that cannot be used: one line, in time, and nothing lost."""

import errno
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from gonzaga_agents.cli import evaluate
from gonzaga_agents.units import Report, Work, open_executor
from gonzaga_agents.units.work import Packer, code_digest

from gonzaga_env.version import __version__

ray = pytest.importorskip("ray", reason="needs the extra ray: nox -s ray")
from gonzaga_agents.common.processes import WorkerError  # noqa: E402
from gonzaga_agents.units import ray_cluster  # noqa: E402  which needs it
from gonzaga_agents.units.ray_cluster import ClusterError, connect  # noqa: E402

QUICK = ("--tournament", "--deals", 60, "--date", "2026-11-22", "--commit", "x", "--json")


def double(unit: int, report: Report) -> int:
    return 2 * unit


def fill_disk(unit: Path, report: Report) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(unit))


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    disconnect = connect(num_cpus=2)
    yield
    disconnect()


@pytest.fixture
def closed_port() -> Iterator[int]:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))  # but does not listen
        yield bound.getsockname()[1]


@pytest.mark.parametrize("prefix", ["", "ray://"])
def test_an_address_where_nothing_listens(closed_port: int, prefix: str) -> None:
    address = f"{prefix}127.0.0.1:{closed_port}"
    with pytest.raises(ClusterError, match=f"no Ray cluster at {address} .Connection refused.; "):
        open_executor("ray", address=address)


@pytest.mark.parametrize("address", ["nonsense", "10.0.0.1:", "host:many"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(ClusterError, match=f"address is {address}; it takes HOST:PORT"):
        open_executor("ray", address=address)


def test_the_command_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    closed_port: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["random", "greedy", *QUICK, "--executor", "ray", "--address", f"::1:{closed_port}"]
    monkeypatch.setattr(sys, "argv", ["evaluate.py", *map(str, given)])
    assert evaluate() == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert not list(tmp_path.iterdir())


def test_nodes_say_that_they_have_another_version_or_other_code() -> None:
    packer = Packer(Work(double))
    do, given = ray_cluster._door(), (tuple(packer.work), packer.pack(3), ".")
    assert do(*given, __version__, code_digest()) == (None, 6)
    complaint, _ = do(*given, "0.0.1", code_digest())
    assert f"of the Ray cluster has gonzaga_env {__version__}, this process 0.0.1" in complaint
    complaint, _ = do(*given, __version__, "another")
    assert f"has other code or editions of gonzaga_env {__version__}; install the same" in complaint


def test_another_version_ends_the_run(cluster: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "__version__", "0.0.1")
    with open_executor("ray") as executor, pytest.raises(ClusterError, match=r"process 0\.0\.1"):
        list(executor.run(Work(double), [1, 2]))


def test_a_full_disk_of_a_worker_ends_the_run(cluster: None, tmp_path: Path) -> None:
    with (
        open_executor("ray") as executor,
        pytest.raises(WorkerError, match=r"No space left on device.*/full'$"),
    ):
        list(executor.run(Work(fill_disk), [tmp_path / "full"]))


@pytest.mark.parametrize(("kind", "words"), [("OutOfDiskError", "has no room"), ("", "failed")])
def test_errors_of_ray_end_the_run_in_one_line(kind: str, words: str) -> None:
    task = ray_cluster.Task(1, b"")
    cause = getattr(ray.exceptions, kind or "RaySystemError")("it\n  is so")
    error = ray.exceptions.RayTaskError("do", "", cause).as_instanceof_cause()
    with open_executor("ray") as executor, pytest.raises(ClusterError, match=words) as caught:
        executor._lose(task, error, "works")
    assert "\n" not in str(caught.value)


def test_a_tournament_on_ray_gives_the_same_bytes_and_nothing_else(
    cluster: None,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    found = []
    for given in (["--workers", 1], ["--executor", "ray"]):
        out = tmp_path / str(len(found))
        words = ["random", "greedy", *QUICK, "--seed", 2**70, "--out", out, *given]
        monkeypatch.setattr(sys, "argv", ["evaluate.py", *map(str, words)])
        assert evaluate() == 0
        shown = capfd.readouterr()
        assert shown.err == ""
        lines = sorted((out / "games.jsonl").read_bytes().splitlines())
        found.append((shown.out, lines, (out / "standings.json").read_bytes()))
    assert found[0] == found[1]


def test_no_token_is_left_below_the_home_directory(cluster: None) -> None:
    assert not (Path.home() / ".ray").exists()
