"""Feeds hostile files to everything that reads files, under limits: `python tools/fuzz.py`.

Each input has to be accepted, and then to play, or to end in one of this project's errors, in a
process of 1 GB of address space, libraries included, and within 5 s of CPU time. An input depends
on its format, the seed and its number alone. The table tells how many inputs did what; each failure
is a line of JSON, and its file is made again by `--formats toml --from NUMBER --write FILE`.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import json
import mmap
import multiprocessing
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # a fork has one thread only
sys.path.append(str(Path(__file__).resolve().parent.parent))

from tools.fuzz_readers import FORMATS, Door

MEMORY, CPU_SECONDS, WALL_SECONDS = 2**30, 5.0, 600.0
ACCEPTED, REFUSED, UNDECLARED, MEMORY_USED, CPU_USED, HUNG, CRASHED = range(1, 8)
KINDS = ("", "accepted", "refused", "undeclared", "over memory", "over CPU", "hung", "crashed")
_SIGNALS = {signal.SIGPROF: CPU_USED, signal.SIGALRM: HUNG, signal.SIGKILL: MEMORY_USED}
_CHUNK = 500  # inputs of a process, so that what one leaves behind does not add up
_NO_MEMORY = re.compile("allocate|bad_alloc|out of memory", re.IGNORECASE)


def input_of(doors: Sequence[Door], name: str, seed: int, number: int) -> tuple[Door, bytes]:
    """Returns an input of a format, and where it goes."""
    rng = Random(f"{name} {seed} {number}")
    door = rng.choice(doors)
    return door, door.make(rng)


def feed(door: Door, content: bytes) -> tuple[int, str]:
    """Returns what became of an input: accepted, refused, undeclared or over memory, and why."""
    try:
        door.read(content)
    except BaseException as error:
        reason = f"{type(error).__name__}: {error}"
        if any(_is_memory(cause) for cause in _causes(error)):
            return MEMORY_USED, reason
        return (REFUSED if isinstance(error, door.errors) else UNDECLARED), reason
    return ACCEPTED, ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_memory(error: BaseException) -> bool:
    """Returns whether memory ran out; Python's parser of literals says so of deep nesting too."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None and trace.tb_frame.f_code.co_filename.endswith("ast.py"):
        return False
    return isinstance(error, MemoryError) or bool(_NO_MEMORY.search(str(error)))


@dataclass
class Outcome:
    """What became of a run of inputs; the arrays are shared with the processes that read them.

    Attributes:
        kinds: of each input, a number in `KINDS`; 0 for one that was not fed.
        seconds: CPU time of each input.
        peak: the most memory of a process, MB.
        reasons: why inputs were refused, with how many were.
    """

    kinds: mmap.mmap
    seconds: memoryview
    peak: float = 0.0
    reasons: Counter[str] = field(default_factory=Counter)

    def counts(self) -> tuple[Counter[int], int, int]:
        """Returns how many inputs are of each kind, how many were fed, and how many failed."""
        count = Counter(self.kinds[:])
        fed = sum(count.values()) - count[0]
        return count, fed, fed - count[ACCEPTED] - count[REFUSED]

    def row(self, name: str) -> str:
        """Returns the row of the table."""
        count, fed, failed = self.counts()
        shares = (f"{n:,} ({n / max(fed, 1):.0%})" for n in (count[ACCEPTED], count[REFUSED]))
        slowest = max(self.seconds)
        cells = name, f"{fed:,}", *shares, f"{failed:,}", f"{slowest:.2f} s", f"{self.peak:,.0f} MB"
        return f"| {' | '.join(cells)} |"


class Fuzzer:
    """Feeds a range of inputs of a format, in processes under the limits."""

    def __init__(self, name: str, doors: Sequence[Door], seed: int, numbers: range) -> None:
        self.name, self.doors, self.seed, self.numbers = name, doors, seed, numbers
        size = max(len(numbers), 1)
        seconds = memoryview(mmap.mmap(-1, 4 * size)).cast("f")
        self.outcome = Outcome(mmap.mmap(-1, size), seconds)
        self._folder = tempfile.TemporaryDirectory()
        self._notes = Path(self._folder.name, "notes")  # what processes say, as lines of JSON
        self._notes.touch()
        self._read = 0  # bytes of the notes
        self._running: dict[int, range] = {}

    def run(self, jobs: int) -> Iterator[dict[str, Any]]:
        """Feeds all inputs; Ctrl-C leaves the outcome of those that were fed.

        Yields:
            The inputs that failed, for the file of failures.
        """
        chunks = range(0, len(self.numbers), _CHUNK)
        waiting = deque(range(start, min(start + _CHUNK, len(self.numbers))) for start in chunks)
        gc.collect()
        gc.freeze()  # so that processes do not copy what they share
        try:
            while waiting or self._running:
                while waiting and len(self._running) < jobs:
                    self._start(waiting.popleft())
                if rest := self._wait():
                    waiting.appendleft(rest)
                yield from self._collect()
        finally:
            for pid in self._running:
                os.kill(pid, signal.SIGKILL)
                self._measure(os.wait4(pid, 0)[2])
            self._folder.cleanup()

    def _start(self, places: range) -> None:
        sys.stdout.flush()
        if pid := os.fork():
            self._running[pid] = places
            return
        code = 1
        try:
            _limit()
            os.chdir(tempfile.mkdtemp(dir=self._folder.name))
            self._work(places)
            code = 0
        finally:
            os._exit(code)  # the rest is the parent's to do

    def _work(self, places: range) -> None:
        kinds, seconds = self.outcome.kinds, self.outcome.seconds
        for place in places:
            door, content = input_of(self.doors, self.name, self.seed, self.numbers[place])
            signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
            signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS)
            started = time.process_time()
            kind, reason = feed(door, content)
            seconds[place] = time.process_time() - started
            self._note(place, kind, reason)
            kinds[place] = kind
            if kind == MEMORY_USED:
                return  # what is left of it could fail the next input

    def _wait(self) -> range | None:
        """Waits for a process to end; returns the inputs that it has left."""
        pid, status, usage = os.wait4(-1, 0)
        places = self._running.pop(pid)
        self._measure(usage)
        left = next((place for place in places if not self.outcome.kinds[place]), places.stop)
        if os.WIFSIGNALED(status) and left < places.stop:
            ended = signal.Signals(os.WTERMSIG(status))
            self.outcome.kinds[left] = kind = _SIGNALS.get(ended, CRASHED)
            self.outcome.seconds[left] = CPU_SECONDS if kind == CPU_USED else 0.0
            self._note(left, kind, ended.name)
            left += 1
        elif status:
            input_of(self.doors, self.name, self.seed, self.numbers[left])  # raises the reason
            raise RuntimeError(f"input {self.numbers[left]} could not be fed")
        return range(left, places.stop) or None

    def _measure(self, usage: resource.struct_rusage) -> None:
        self.outcome.peak = max(self.outcome.peak, usage.ru_maxrss / 1024)

    def _note(self, place: int, kind: int, reason: str) -> None:
        if kind != ACCEPTED:
            with self._notes.open("a") as notes:
                notes.write(json.dumps([self.numbers[place], kind, reason[:2000]]) + "\n")

    def _collect(self) -> Iterator[dict[str, Any]]:
        """Counts the reasons of what was refused since, and yields what failed."""
        with self._notes.open() as notes:
            notes.seek(self._read)
            whole = notes.read().rpartition("\n")[0]  # another process may be writing
        self._read += len(whole) + bool(whole)
        for number, kind, reason in map(json.loads, whole.splitlines()):
            if kind == REFUSED:
                self.outcome.reasons[_without_values(reason)] += 1
                continue
            door, content = input_of(self.doors, self.name, self.seed, number)
            yield {
                "format": self.name, "seed": self.seed, "input": number, "door": door.name,
                "bytes": len(content), "failed": KINDS[kind], "reason": reason[:300],
            }  # fmt: skip


def _limit() -> None:
    """Limits this process, and lets signals of the timers end it."""
    for name in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(name, signal.SIG_DFL)
    faulthandler.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)  # onnxruntime writes what it refuses


def _without_values(reason: str) -> str:
    """Returns a reason without what is special to one input."""
    line = reason.partition("\n")[0]
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", line))[:110]


def _fuzz(name: str, options: argparse.Namespace) -> None:
    """Fuzzes one format and prints its row; the exit code says whether an input failed."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    numbers = range(options.start, options.start + options.inputs)
    fuzzer, is_stopped = Fuzzer(name, FORMATS[name](), options.seed, numbers), False
    try:
        for failure in fuzzer.run(options.jobs):
            with options.failures.open("a") as file:
                file.write(json.dumps(failure) + "\n")
    except KeyboardInterrupt:
        is_stopped = True
    print(fuzzer.outcome.row(name), flush=True)
    if options.reasons:
        for reason, count in fuzzer.outcome.reasons.most_common(options.reasons):
            print(f"  {count:,} {reason}", file=sys.stderr)
    sys.exit(130 if is_stopped else 1 if fuzzer.outcome.counts()[2] else 0)


def _write(name: str, options: argparse.Namespace) -> int:
    """Writes an input to a file."""
    door, content = input_of(FORMATS[name](), name, options.seed, options.start)
    options.write.write_bytes(content)
    print(f"{options.write}: {len(content):,} bytes for {door.name}")
    return 0


def main() -> int:
    """Fuzzes formats and prints the table; the exit code is 1 if an input failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS, help="(all)")
    parser.add_argument("--inputs", type=int, default=1000, help="of each format (1,000)")
    parser.add_argument("--from", type=int, default=0, dest="start", help="number of the first (0)")
    parser.add_argument("--seed", type=int, default=0, help="decides the inputs (0)")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (2)")
    parser.add_argument("--failures", type=Path, default=Path("fuzz.jsonl"), help="(fuzz.jsonl)")
    parser.add_argument("--reasons", type=int, default=0, help="how many reasons are told (0)")
    parser.add_argument("--write", type=Path, help="writes the first input here, and ends")
    options = parser.parse_args()
    if options.write:
        return _write(options.formats[0], options)
    print("| format | inputs | accepted | refused | failed | slowest | memory |")
    print("|---|---|---|---|---|---|---|", flush=True)
    codes = []
    for name in options.formats:  # each in a process, as libraries take room of the limit
        process = multiprocessing.get_context("fork").Process(target=_fuzz, args=(name, options))
        process.start()
        while process.exitcode is None:
            try:
                process.join()
            except KeyboardInterrupt:
                continue  # the process gets it too, and prints what it has
        codes.append(process.exitcode)
        if process.exitcode == 130:
            break
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
