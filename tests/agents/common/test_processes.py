"""Workers: messages come and go, and whatever ends a worker is one error."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from typing import Any

import pytest
from gonzaga_agents.common.processes import Channel, Worker, WorkerError


def serve(channel: Channel, plus: int = 1) -> None:
    """Answers numbers, and does what words say."""
    while True:
        message = channel.receive()
        if message == "exit":
            os._exit(7)
        if message == "raise":
            raise ValueError("no idea")
        if message == "sleep":
            time.sleep(60)
        if message == "much":
            message = bytearray(2**30)
        channel.send(message + plus)


def worker(**more: Any) -> Worker:
    return Worker(serve, name="the helper", **more)


def test_messages_are_answered_in_order() -> None:
    helper = Worker(serve, 10, name="the helper")
    for number in range(3):
        helper.send(number)
    assert [helper.receive() for _ in range(3)] == [10, 11, 12]
    assert helper.ask(5) == 15
    assert helper.is_alive
    helper.stop()
    helper.stop()
    assert not helper.is_alive


@pytest.mark.parametrize(
    ("message", "words"), [("exit", "exit code 7"), ("raise", "ValueError: no idea")]
)
def test_however_it_ends_is_one_error(message: str, words: str) -> None:
    helper = worker()
    with pytest.raises(WorkerError, match=words):
        helper.ask(message)
    with pytest.raises(WorkerError):
        helper.ask(1)


def test_a_killed_worker_and_a_late_one_are_errors() -> None:
    helper = worker()
    assert helper.ask(1) == 2
    os.kill(helper.pid, signal.SIGKILL)
    with pytest.raises(WorkerError, match="signal 9"):
        helper.ask(1)
    helper = worker()
    with pytest.raises(WorkerError, match="within"):
        helper.ask("sleep", 0.2)
    assert not helper.is_alive


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit memory")
def test_memory_is_limited() -> None:
    helper = worker(memory=2**30)
    with pytest.raises(WorkerError, match="MemoryError"):
        helper.ask("much")


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
def test_a_worker_ends_with_its_parent_even_while_it_works() -> None:
    code = """
        import os, signal
        from tests.agents.common.test_processes import worker
        if __name__ == "__main__":
            helper = worker()
            helper.ask(1)
            helper.send("sleep")
            print(helper.pid, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    pid = int(done.stdout)
    for _ in range(100):
        if not os.path.exists(f"/proc/{pid}"):  # noqa: PTH110
            return
        time.sleep(0.05)
    pytest.fail("the worker goes on")
