"""Worker processes: messages both ways, and an error in one line whatever dies when."""

import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from gonzaga_agents.common import processes
from gonzaga_agents.common.processes import (
    Channel,
    Worker,
    WorkerDiedError,
    WorkerError,
    ready,
    stopped_below,
)
from gonzaga_agents.units import ray_cluster

LARGE = bytes(10**7)  # more than the buffers of any connection


def answer(channel: Channel, *words: str) -> None:
    """Does what it is told."""
    while True:
        task, content = channel.receive()
        channel.send((*words, TASKS[task](content)))


def fail(error: Exception) -> None:
    raise error


def fork(_: None) -> int:
    """Starts a process that holds the connection too."""
    pid = os.fork()
    if not pid:
        time.sleep(600)
        os._exit(0)
    return pid


TASKS: dict[str, Any] = {
    "size": len,
    "zeros": bytes,
    "exit": os._exit,
    "raise": fail,
    "sleep": time.sleep,
    "variable": os.environ.get,
    "standard input": lambda _: sys.stdin.read(),
    "function": lambda _: lambda: None,
    "fork": fork,
    "signal": lambda number: os.kill(os.getpid(), number),
}


def worker(*words: str, **options: Any) -> Worker:
    return Worker(answer, *words, name="the helper", **options)


def test_messages_of_any_size_go_both_ways() -> None:
    with worker("here", environment={"COLOUR": "red"}) as helper:
        assert helper.ask(("size", LARGE)) == ("here", len(LARGE))
        assert helper.ask(("zeros", len(LARGE))) == ("here", LARGE)
        assert helper.ask(("variable", "COLOUR")) == ("here", "red")
        assert helper.ask(("standard input", None)) == ("here", "")


def test_several_are_waited_for_at_once() -> None:
    with worker("1") as first, worker("2") as second:
        assert [helper.ask(("size", b"")) for helper in (first, second)] == [("1", 0), ("2", 0)]
        assert ready([first, second], 0) == []
        second.send(("size", b""))
        assert ready([first, second], 60) == [second]
        assert second.receive() == ("2", 0)
        os.kill(first.pid, signal.SIGKILL)
        assert ready([first, second], 60) == [first]


@pytest.mark.parametrize(
    ("task", "content", "message"),
    [
        ("raise", WorkerError("no room"), "no room"),
        ("raise", ValueError("no idea"), "ValueError: no idea"),
        ("function", None, "AttributeError: Can't (pickle|get) local object"),
        ("exit", 3, "the helper ended with exit code 3"),
        ("signal", signal.SIGKILL, r"the helper was killed by signal 9 \(Killed"),
    ],
)
def test_its_end_is_told_in_one_line(task: str, content: Any, message: str) -> None:
    with worker() as helper, pytest.raises(WorkerError, match=message) as caught:
        helper.ask((task, content))
    assert "\n" not in str(caught.value)


def test_a_failure_is_told_even_if_more_is_sent() -> None:
    with worker() as helper:
        helper.send(("raise", ValueError("no idea\nat all")))
        ready([helper], 60)
        helper.send(("size", LARGE))
        with pytest.raises(WorkerError, match=r"^ValueError: no idea$"):
            helper.receive()


def test_where_it_failed_is_on_its_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    with worker() as helper, pytest.raises(WorkerError):
        helper.ask(("raise", ValueError("no idea")))
    assert "in fail\n" in capfd.readouterr().err


def test_ctrl_c_is_left_to_the_parent() -> None:
    with worker() as helper:
        os.kill(helper.pid, signal.SIGINT)  # while it starts
        helper.ask(("size", b""))
        os.kill(helper.pid, signal.SIGINT)
        assert helper.ask(("size", b"")) == (0,)


@pytest.mark.parametrize(
    ("number", "message"),
    [(signal.SIGKILL, "was killed by signal 9"), (signal.SIGSTOP, "did not start within 0.2 s")],
)
def test_no_start_ends_in_one_line(
    number: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F4: 0.6.0 waited for ever for a process that died before it had read its arguments."""
    started = []

    class Popen(subprocess.Popen[bytes]):
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **options)
            os.kill(self.pid, number)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Popen)
    seconds = 0.2 if number == signal.SIGSTOP else 60
    with pytest.raises(WorkerDiedError, match=f"the helper {message}"):
        worker(start_seconds=seconds).ask(("size", b""))
    assert started[0].returncode == -signal.SIGKILL


def test_what_cannot_be_started_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(WorkerDiedError, match="the helper cannot be started: No such file"):
        worker()


@pytest.mark.parametrize("task", [("sleep", 600), ("zeros", len(LARGE)), ("size", LARGE)])
def test_one_that_stops_in_any_message_is_ended(task: tuple[str, Any]) -> None:
    with worker() as helper:
        helper.ask(("size", b""))
        os.kill(helper.pid, signal.SIGSTOP)
        with pytest.raises(WorkerDiedError, match=r"within 0\.2 s"):
            helper.ask(task, 0.2)
        assert not helper.is_alive


@pytest.mark.parametrize("task", [("sleep", 600), ("zeros", len(LARGE))])
def test_one_that_is_killed_in_an_answer_is_told(task: tuple[str, Any]) -> None:
    with worker() as helper:
        helper.send(task)
        ready([helper], 0.2)  # the second one is amid its message by then
        os.kill(helper.pid, signal.SIGKILL)
        with pytest.raises(WorkerDiedError, match="was killed by signal 9"):
            helper.receive()


def test_its_death_counts_even_if_another_process_holds_the_connection() -> None:
    with worker() as helper:
        (other,) = helper.ask(("fork", None))
        try:
            os.kill(helper.pid, signal.SIGKILL)
            with pytest.raises(WorkerDiedError, match="was killed by signal 9"):
                helper.receive()
        finally:
            os.kill(other, signal.SIGKILL)


STOPPED = """
assert helper.ask(("size", b"abc")) == (3,)
os.kill(helper.pid, signal.SIGSTOP)
"""


@pytest.mark.parametrize(
    ("task", "end"),
    [
        ('helper.send(("sleep", 600))', signal.SIGKILL),
        ('helper.send(("zeros", 10**7))', signal.SIGKILL),
        (STOPPED, signal.SIGTERM),
        (STOPPED, signal.SIGHUP),
    ],
)
def test_it_ends_with_its_parent(task: str, end: signal.Signals) -> None:
    code = f"""
import os, signal
from {__name__} import worker
if {int(end)} != signal.SIGKILL:
    signal.signal({int(end)}, signal.SIG_DFL)  # under nohup the signal is ignored
helper = worker()
{task}
print(helper.pid, flush=True)
os.kill(os.getpid(), {int(end)})
"""
    command = [sys.executable, "-c", code]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(  # returns when the worker has closed standard output, too
        command, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == -end
    assert done.stdout.strip().isdigit(), done.stderr


def test_one_that_is_stopped_is_named_once_and_goes_on(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "STOPPED_SECONDS", 0.0)
    with worker() as helper, worker() as other:
        assert helper.ask(("size", b"abc")) == other.ask(("size", b"abc")) == (3,)
        os.kill(helper.pid, signal.SIGSTOP)
        helper.send(("size", b"abcd"))
        other.send(("size", b"abcde"))
        told = f"the helper is stopped and waited for; continue it with: kill -CONT {helper.pid}\n"
        while not (said := capfd.readouterr().err):
            assert helper not in ready([helper, other], 0.05)
        assert ready([helper, other], 0.05) == [other]
        assert (said, capfd.readouterr().err) == (told, "")
        os.kill(helper.pid, signal.SIGCONT)
        assert (helper.receive(), other.receive()) == ((4,), (5,))
        helper.tell_stopped()  # it is not any more
        monkeypatch.setattr(processes, "_CHECK_SECONDS", 0.05)
        os.kill(helper.pid, signal.SIGSTOP)
        threading.Timer(1.0, os.kill, (helper.pid, signal.SIGCONT)).start()
        assert helper.ask(("size", b"")) == (0,)
        assert capfd.readouterr().err == told


def test_stopped_ones_are_found_below_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Ray worker is a grandchild, of which nobody is told."""
    told: list[str] = []
    monkeypatch.setattr(ray_cluster, "check_address", lambda address: None)
    monkeypatch.setattr(ray_cluster, "_STOPPED_SECONDS", 0.0)
    cluster = ray_cluster.RayCluster(on_lost=told.append)
    with worker() as helper:
        (other,) = helper.ask(("fork", None))
        try:
            assert other not in stopped_below(os.getpid())
            os.kill(other, signal.SIGSTOP)
            while other not in stopped_below(os.getpid()):
                time.sleep(0.01)
            for _ in range(3):
                cluster.tell_stopped("plays")
            assert told == [
                "a Ray worker that plays is stopped and waited for; continue it with: "
                f"kill -CONT {other}"
            ]
            cluster._disconnect = lambda: None
            cluster.close()
            while other in stopped_below(os.getpid()):
                time.sleep(0.01)
        finally:
            os.kill(other, signal.SIGKILL)


def test_its_memory_is_limited() -> None:
    with worker(memory=2**32) as helper, pytest.raises(WorkerError, match="MemoryError"):
        helper.ask(("zeros", 2**33))


def test_training_and_tournaments_import_where_there_is_no_unix() -> None:
    """Windows has no modules `resource` and `fcntl`, no signal masks and no niceness."""
    code = (
        "import os, signal, sys\n"
        "sys.modules.update(resource=None, fcntl=None)\n"
        "del signal.pthread_sigmask, os.nice\n"
        "import gonzaga_agents.evaluation.command, gonzaga_agents.tournament.command\n"
        "from gonzaga_agents.common.processes import lower_priority\n"
        "lower_priority(5)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
