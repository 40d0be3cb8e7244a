"""What can go wrong under a program: kills of it or its worker, full disks, damaged files."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from random import Random

from gonzaga_agents import cli
from gonzaga_table.cli import play


def learn_small_value() -> int:
    """Learns a value from parts of a few games."""
    value_learning = import_module("gonzaga_agents.training.value_learning")
    learned = value_learning.play
    value_learning.play = lambda *given: learned(*given[:3], 12, *given[4:])
    value_learning._BATCH = 32
    return cli.run_command("search_value", "gonzaga_agents.training.value_learning")


COMMANDS: dict[str, Callable[[], int]] = {
    "train": cli.train,
    "evaluate": cli.evaluate,
    "gonzaga-play": play,
    "search_value": learn_small_value,
}
for _module in (  # imported once, before any fork
    *(f"gonzaga_agents.{room}.command" for room in ("evaluation", "tournament", "training")),
    *("gonzaga_agents.tournament.figure", "gonzaga_agents.training.run"),
    *("gonzaga_agents.training.value_learning", "gonzaga_agents.network.agent"),
    *("gonzaga_table.web.command", "uvicorn.loops.auto", "uvicorn.protocols.http.auto"),
    *("uvicorn.lifespan.on", "torch._dynamo"),  # torch's optimizers import the last one
):
    import_module(_module)
_LONGEST = 300.0  # seconds that a program may take
PAGE = 4096  # bytes; small disks are made of these


class LostError(Exception):
    """A fault had a consequence that it must not have."""


class Program:
    """A command that runs in its own process.

    The process is forked, because importing torch would take longer than everything else. Nothing
    before the fork may start threads.

    Attributes:
        pid: the process.
        code: its exit code, minus the signal's number if one killed it; None while it runs.
    """

    def __init__(
        self, name: str, arguments: Sequence[str], log: Path, most_bytes: int | None = None
    ) -> None:
        """Starts it.

        Args:
            name: a key of `COMMANDS`.
            arguments: the command line without the command.
            log: a path, to which ".out" and ".err" are added for what it prints.
            most_bytes: the size that its files may have, for want of a small disk.
        """
        self._name, self._log = name, log
        self.code: int | None = None
        sys.stdout.flush()
        with Path(f"{log}.out").open("w") as out, Path(f"{log}.err").open("w") as err:
            self.pid = os.fork()
            if not self.pid:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                self._run(arguments, most_bytes)

    def _run(self, arguments: Sequence[str], most_bytes: int | None) -> None:
        """Runs the command in the forked process, which then ends."""
        code = 1
        try:
            os.setpgid(0, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.chdir(self._log.parent)
            if most_bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
            sys.argv = [self._name, *arguments]
            code = COMMANDS[self._name]()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            with suppress(OSError):
                sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    @property
    def out(self) -> str:
        """What it has printed so far."""
        return Path(f"{self._log}.out").read_text()

    @property
    def complaint(self) -> str:
        """What it has printed to stderr so far."""
        return Path(f"{self._log}.err").read_text()

    @property
    def is_running(self) -> bool:
        """Whether it still runs."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is None

    def wait(self) -> int:
        """Waits for its end and returns the exit code.

        Raises:
            LostError: it or a process that it started does not end, or it has printed a traceback,
                or more or something else than one line about what went wrong.
        """
        wait_until(lambda: not self.is_running, f"ending {self._name}", _LONGEST)
        wait_until(lambda: not _members(self.pid), f"ending {self._name} with all its processes")
        self.check_messages(self.code)
        return self.code

    def check_messages(self, code: int) -> None:
        """Raises LostError unless the messages suit an exit code (see `wait`)."""
        if code == -signal.SIGKILL:
            return  # Python's own helper processes complain that it is gone
        lines = [line for line in self.complaint.splitlines() if line.strip()]
        errors = [line for line in lines if not self._may_always_say(line)]
        is_named = all(line.startswith(f"{self._name}: ") for line in errors)
        if not is_named or len(errors) != (1 if code == 2 else 0):
            raise LostError(f"{self._name} ended with {code} and said: {' / '.join(lines)[-600:]}")

    def _may_always_say(self, line: str) -> bool:
        """Returns whether a line is a warning, or shows the progress of a training."""
        is_progress = re.match(r"[\d,]+ of [\d,]+ turns: ", line)
        warnings = ("warning: ", f"{self._name}: warning: ")  # of a library, and of the command
        return line.startswith(warnings) or is_progress is not None

    def end(self, number: int = signal.SIGTERM) -> None:
        """Ends it if it still runs."""
        if self.is_running:
            os.kill(self.pid, number)
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def _members(group: int) -> list[str]:
    """Returns the living processes of a group; none where there is no /proc to look at."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
            if int(its_group) == group and state not in "ZX":
                found.append(path.parent.name)
    return found


@contextmanager
def killing(program: Program, seconds: float) -> Iterator[None]:
    """Kills a program by SIGKILL when some time has passed within the block."""

    def kill(*_: object) -> None:
        if program.code is None:
            with suppress(ProcessLookupError):  # it has ended, and is just being waited for
                os.kill(program.pid, signal.SIGKILL)

    before = signal.signal(signal.SIGALRM, kill)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-4))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def kill_worker(program: Program, seconds: float, rng: Random) -> bool:
    """Kills one of a program's workers some time after the first one appears, if any is left."""
    wait_until(lambda: workers_of(program) or not program.is_running, "starting workers", _LONGEST)
    time.sleep(seconds)
    workers = workers_of(program)
    if workers:
        with suppress(ProcessLookupError):  # it has just ended
            os.kill(rng.choice(workers), signal.SIGKILL)
    return bool(workers)


def seconds_of_workers(program: Program) -> float:
    """Returns how long a program has workers; LostError if it never has any."""
    wait_until(lambda: workers_of(program), "starting workers", _LONGEST)
    began = time.monotonic()
    wait_until(lambda: not workers_of(program), "ending workers", _LONGEST)
    return time.monotonic() - began


def workers_of(program: Program) -> list[int]:
    """Returns the workers that a program has now; none where there is no /proc to look at."""
    found = []
    for path in Path(f"/proc/{program.pid}/task").glob("*/children"):
        with suppress(OSError):  # one has just ended
            found += [int(pid) for pid in path.read_text().split() if _is_worker(pid)]
    return found


def _is_worker(pid: str) -> bool:
    return b"gonzaga_agents.common.processes" in Path(f"/proc/{pid}/cmdline").read_bytes()


class Disk:
    """A file system in memory, mounted on a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def resize(self, num_bytes: int) -> None:
        """Gives it another size."""
        self._remount(f"size={max(num_bytes, PAGE)}")

    def set_read_only(self, read_only: bool) -> None:
        """Forbids or allows writing."""
        self._remount("ro" if read_only else "rw")

    def _remount(self, option: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{option}", self._folder], check=True)


@contextmanager
def disk_on(folder: Path) -> Iterator[Disk | None]:
    """Mounts a file system in memory on a folder; yields None where that is not allowed."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        done = None
    if done is None or done.returncode:
        yield None
        return
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def spoil(path: Path, rng: Random) -> str:
    """Damages a file as crashes and bad disks do, and returns how."""
    content = path.read_bytes()
    start = rng.randrange(len(content) + 1)
    stop = min(len(content), start + rng.choice((1, 16, 512, PAGE)))
    damages = {
        "empty": b"",
        "cut short": content[:start],
        "zeros": content[:start] + bytes(stop - start) + content[stop:],
        "noise": content[:start] + rng.randbytes(stop - start) + content[stop:],
        "all zeros": bytes(len(content)),
    }
    how = rng.choice(list(damages))
    path.write_bytes(damages[how])
    return how


def snapshot(folder: Path) -> dict[str, bytes]:
    """Returns the content of all files of a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def wait_until(condition: Callable[[], object], what: str, seconds: float = 60.0) -> None:
    """Waits for a condition; LostError if it takes too long."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise LostError(f"{what} took more than {seconds:g} s")
        time.sleep(0.002)
