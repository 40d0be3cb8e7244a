"""Injects faults into programs that write files: `python tools/chaos.py --runs 100`.

A training, learning a value, an evaluation with records, a tournament and a browser table are
killed at random moments, or one of their workers is, from its first moment on; they get a full
disk, a read-only folder, a damaged file or a second writer. After each fault

- everything that was confirmed loads, but for a last line that was cut short,
- no process of the program is left,
- the next start completes, and leaves no temporary file, and
- messages are one line each, without tracebacks.

The table counts what happened; failures are reported on stderr. As root, small disks in memory
are mounted. Other users get a bound on the size of files for a full disk. Runs on Linux and macOS.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from random import Random

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from gonzaga_env.command_line import run_command
from tools.chaos_programs import (
    BrowserTable,
    Case,
    Evaluation,
    LostError,
    Program,
    TournamentCase,
    TournamentInTwo,
    Training,
    TrainingInTwo,
    ValueLearning,
    wait_until,
)

_ALONE = (Training, ValueLearning, Evaluation, TournamentCase, BrowserTable)
CASES: dict[str, type[Case]] = {
    case.name: case for case in (*_ALONE, TrainingInTwo, TournamentInTwo)
}
MOUNTED = 64 * 2**20  # bytes that a disk has when it is not full
PAGE = 4096  # bytes; small disks are made of these
LONGEST = 300.0  # seconds until a program has workers, or has ended them


class SkipError(Exception):
    """This machine does not allow the fault; the message says why."""


class Chaos:
    """Faults of one case.

    Attributes:
        rng: decides moments, sizes and damages.
    """

    def __init__(self, kind: type[Case], place: Path, rng: Random) -> None:
        """Runs the case without a fault, to know how long it takes and how much it writes."""
        self._kind, self._place, self.rng = kind, place, rng
        if kind.processes != "1":
            self._new_folder()
            program = (case := self._case()).start()
            self._worker_seconds = seconds_of_workers(program)
            case.work(program)
        with disk_on(self._new_folder()):
            case = self._case()
            self._finish(case)
            sizes = [len(content) for content in snapshot(case.folder).values()]
        self._num_bytes, self._largest = sum(sizes), max(sizes)

    def _new_folder(self) -> Path:
        self._folder = Path(tempfile.mkdtemp(dir=self._place)) / "files"
        self._folder.mkdir()
        return self._folder

    def _case(self) -> Case:
        return self._kind(self._folder, self._folder.parent / "log")

    def run(self, fault: str) -> str:
        """Injects a fault once, and returns the outcome in a few words.

        Raises:
            LostError: it had a consequence that it must not have.
            SkipError: it cannot be made to happen here.
        """
        with disk_on(self._new_folder()) as disk:
            return FAULTS[fault](self, self._case(), disk)

    def _finish(self, case: Case) -> None:
        """Starts again without a fault; raises LostError unless the work completes."""
        case.when_full, began = None, time.monotonic()
        program = case.start()
        if code := case.work(program):
            raise LostError(f"the next start ended with {code}: {program.complaint.strip()}")
        self._seconds = time.monotonic() - began  # measured each time: the machine may be busy
        case.check()
        case.check_done()
        if left := [path.name for path in case.folder.rglob(".*.tmp")]:
            raise LostError(f"left behind: {left}")

    def _start_and_kill(self, case: Case) -> int:
        program = case.start()
        with killing(program, self.rng.random() * self._seconds):
            return case.work(program)

    def kill(self, case: Case, _disk: Disk | None) -> str:
        """Kills the program, and now and then the one that continues too."""
        killed = self._start_and_kill(case) < 0
        case.check()
        if self.rng.random() < 0.3:
            killed = self._start_and_kill(case) < 0 or killed
            case.check()
        self._finish(case)
        return "killed" if killed else "ended before"

    def kill_worker(self, case: Case, _disk: Disk | None) -> str:
        """Kills one worker alone; half of them within a second of their first moment."""
        if case.processes == "1":
            raise SkipError("it has no workers")
        program = case.start()
        try:
            longest = min(self._worker_seconds, self.rng.choice((1.0, inf)))
            killed = kill_worker(program, self.rng.random() * longest, self.rng)
            code = case.work(program)
        finally:
            program.end(signal.SIGKILL)
        if code not in (0, 2) or (code and not killed):
            raise LostError(f"exit code {code} after {'a' if killed else 'no'} worker was killed")
        case.check()
        if not code:
            case.check_done()
        is_done_again = "done again" in program.complaint  # which the next start overwrites
        self._finish(case)
        if not code and killed:
            return "done again" if is_done_again else "not needed any more"
        return "reported" if code else "ended before"

    def fill_disk(self, case: Case, disk: Disk | None) -> str:
        """Gives the program a disk that is too small, and enlarges it later."""
        if disk is None:
            code = case.work(case.start(self.rng.randrange(self._largest)))
        else:
            disk.resize(self.rng.randrange(self._num_bytes))
            case.when_full = lambda: disk.resize(MOUNTED)
            code = case.work(case.start())
        is_refused = code == 2 or case.when_full is None
        if code not in (0, 2):
            raise LostError(f"exit code {code}")
        case.check()
        if disk is not None:
            disk.resize(MOUNTED)
        self._finish(case)
        return "reported" if is_refused else "enough room"

    def forbid_writing(self, case: Case, disk: Disk | None) -> str:
        """Makes the folder read-only, empty or after a kill, and writable again."""
        if disk is None and os.getuid() == 0:
            raise SkipError("root may write everywhere, and may not mount here")
        if is_begun := self.rng.random() < 0.7:
            self._start_and_kill(case)
            case.check()
        before = snapshot(case.folder)
        _set_read_only(case.folder, disk, True)
        try:
            code = case.work(case.start())
        finally:
            _set_read_only(case.folder, disk, False)
        if code != 2:
            raise LostError(f"exit code {code} in a folder that is read-only")
        if snapshot(case.folder) != before:
            raise LostError("files have changed")
        self._finish(case)
        return f"reported {'on continuing' if is_begun else 'at once'}"

    def corrupt(self, case: Case, _disk: Disk | None) -> str:
        """Damages the newest file after a kill or the end, and starts again."""
        self._start_and_kill(case)
        case.check()
        if case.newest() is None:
            self._finish(case)
        case.spoiled = case.newest()
        assert case.spoiled is not None
        how = spoil(case.spoiled, self.rng)
        before = case.spoiled.read_bytes()
        program = case.start()
        code = case.work(program)
        if code == 2:
            # SQLite takes a damaged log away before it looks at the file itself.
            changed = case.spoiled.exists() and case.spoiled.read_bytes() != before
            named = str(case.spoiled).removesuffix("-wal")
            if changed or named not in program.complaint:
                raise LostError(f"{how}: changed or not named: {program.complaint}")
            for path in case.folder.glob(f"**/{Path(named).name}*"):
                path.rename(path.with_name(f"damaged-{path.name}"))
            self._finish(case)
            return "refused"
        if code:
            raise LostError(f"{how}: exit code {code}")
        case.check()
        case.check_done()
        return "went on"

    def write_twice(self, case: Case, _disk: Disk | None) -> str:
        """Starts a second program in the same folder."""
        first = case.start()
        time.sleep(self.rng.random() ** 2 * self._seconds)
        second = case.again()
        try:
            codes = sorted((case.work(first), case.work(second)))
        finally:
            first.end()
            second.end()
        if codes not in ([0, 0], [0, 2]):
            raise LostError(f"exit codes {codes}")
        case.check()
        self._finish(case)
        return "one refused" if codes[1] else "one after the other"


FAULTS: dict[str, Callable[[Chaos, Case, Disk | None], str]] = {
    "SIGKILL": Chaos.kill,
    "worker killed": Chaos.kill_worker,
    "full disk": Chaos.fill_disk,
    "read-only folder": Chaos.forbid_writing,
    "damaged file": Chaos.corrupt,
    "two writers": Chaos.write_twice,
}


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
    wait_until(lambda: workers_of(program) or not program.is_running, "starting workers", LONGEST)
    time.sleep(seconds)
    workers = workers_of(program)
    if workers:
        with suppress(ProcessLookupError):  # it has just ended
            os.kill(rng.choice(workers), signal.SIGKILL)
    return bool(workers)


def seconds_of_workers(program: Program) -> float:
    """Returns how long a program has workers; LostError if it never has any."""
    wait_until(lambda: workers_of(program), "starting workers", LONGEST)
    began = time.monotonic()
    wait_until(lambda: not workers_of(program), "ending workers", LONGEST)
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


def _set_read_only(folder: Path, disk: Disk | None, read_only: bool) -> None:
    if disk is not None:
        disk.set_read_only(read_only)
        return
    for path in (folder, *folder.rglob("*")):
        path.chmod((0o555 if path.is_dir() else 0o444) | (0 if read_only else 0o200))


def survey(chaos: Chaos, fault: str, num_runs: int) -> tuple[Counter[str], list[str]]:
    """Injects a fault several times.

    Returns:
        How often what happened, and the failures.
    """
    found, failures = Counter[str](), []
    for _ in range(num_runs):
        try:
            found[chaos.run(fault)] += 1
        except LostError as error:
            failures.append(str(error))
        except SkipError as reason:
            found[f"skipped: {reason}"] = num_runs
            break
    return found, failures


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs all faults on all cases and prints the table; the exit code is 1 if one did harm."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--runs", type=int, default=100, help="of each fault on each case (100)")
    add("--faults", nargs="+", choices=FAULTS, default=list(FAULTS), help="some of them (all)")
    add("--cases", nargs="+", choices=CASES, default=list(CASES), help="some of them (all)")
    options = parser.parse_args(arguments)
    if options.runs < 1:
        parser.error("--runs takes 1 or more")
    print("| fault | case | runs | did harm | what happened |\n|---|---|---:|---:|---|", flush=True)
    harm, began = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.cases:
            rng = Random(name)
            chaos = Chaos(CASES[name], Path(folder), rng)
            for fault in options.faults:
                found, failures = survey(chaos, fault, options.runs)
                harm += len(failures)
                counts = ", ".join(f"{what} {number}" for what, number in found.most_common())
                print(
                    f"| {fault} | {name} | {options.runs} | {len(failures)} | {counts} |",
                    flush=True,
                )
                for reason, number in Counter(failures).most_common(9):
                    print(f"  {number} times {reason[:600]}", file=sys.stderr, flush=True)
    print(f"\n{time.monotonic() - began:.0f} s")
    return 1 if harm else 0


if __name__ == "__main__":
    sys.exit(run_command("chaos", main))
