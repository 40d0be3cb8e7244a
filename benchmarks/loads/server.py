"""The server that is measured: started as its command starts it, and watched from outside."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.loads.clients import LostError

DESCRIPTORS = 1024  # that a process may open, as systems have it by default
_LOOK = 0.2  # seconds between two looks at the server's processes
_CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
_MB = 1024  # lines of /proc/PID/status are in kB


class Server:
    """A server in a process of its own, on one core where the system allows it.

    Attributes:
        port: where it answers.
        data: its file of tables.
        memory: MB at most of all its processes together.
        descriptors: open at most in its first process.
    """

    def __init__(self, command: Sequence[str], folder: Path, max_memory: float | None) -> None:
        """Starts it.

        Args:
            command: that serves tables; the options for port and file are added.
            folder: where its file and its log are written.
            max_memory: GB of address space that it may use; None for all.

        Raises:
            LostError: it did not start.
        """
        self.data, self.memory, self.descriptors = folder / "tables.sqlite", 0.0, 0
        self._log = folder / "log.txt"
        self._max_memory = max_memory
        asked = [*command, "--port", "0", "--data", str(self.data), "--no-open"]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                asked, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=self._bound
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if "http://" not in line:
            raise LostError(f"the server did not start: {self._log.read_text()[-500:]}")
        self.port = int(line.split("http://")[1].split()[0].rsplit(":", 1)[1])

    def _bound(self) -> None:
        """Sets the bounds of the new process, which its children inherit."""
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
        if self._max_memory is not None:
            amount = int(self._max_memory * 1e9)
            resource.setrlimit(resource.RLIMIT_AS, (amount, amount))
        if len(_CORES) > 1:
            os.sched_setaffinity(0, {max(_CORES)})

    async def watch(self) -> None:
        """Looks at memory and descriptors until it is cancelled."""
        while True:
            family = self._family()
            self.memory = max(self.memory, sum(map(_memory, family)))
            self.descriptors = max(self.descriptors, _descriptors(self._process.pid))
            await asyncio.sleep(_LOOK)

    def _family(self) -> list[int]:
        """Returns the processes of the server that live."""
        found = [self._process.pid]
        for pid in found:
            for listed in Path(f"/proc/{pid}/task").glob("*/children"):
                found += map(int, _read(listed).split())
        return found

    def cpu_seconds(self) -> float:
        """Returns the processor time of all its processes, dead ones included."""
        return sum(map(_cpu_seconds, self._family()))

    def log_lines(self) -> list[str]:
        """Returns the lines of its log."""
        return self._log.read_text(errors="replace").splitlines()

    def died(self) -> int | None:
        """Returns the exit code of a server that has ended; None while it runs."""
        return self._process.poll()

    def kill(self) -> None:
        """Kills it, as a power failure would."""
        self._process.kill()
        self._process.communicate()


@contextmanager
def off_core() -> Iterator[None]:
    """Keeps this process and its new children off the server's core, if there is another."""
    if len(_CORES) > 1:
        os.sched_setaffinity(0, _CORES - {max(_CORES)})
    try:
        yield
    finally:
        if len(_CORES) > 1:
            os.sched_setaffinity(0, _CORES)


def _read(path: Path) -> str:
    """Returns a file of /proc; nothing if the process is gone or the system has none."""
    try:
        return path.read_text()
    except OSError:
        return ""


def _memory(pid: int) -> float:
    """Returns the MB that a process had in memory at most."""
    lines = _read(Path(f"/proc/{pid}/status")).splitlines()
    return sum(int(line.split()[1]) / _MB for line in lines if line.startswith("VmHWM"))


def _descriptors(pid: int) -> int:
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return 0


def _cpu_seconds(pid: int) -> float:
    """Returns the processor time of a process and of those of its children that have ended."""
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
