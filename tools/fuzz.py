"""Feeds hostile files to everything that reads files, under limits: `python tools/fuzz.py`.

Each input has to be accepted, and then to play, or to end in one of this project's errors, in a
process of 1 GB of address space, libraries included, and within 5 s of CPU time. An input depends
on its format, the seed and its number alone. The table counts the outcomes; each failure is a
line of JSON, and `--formats toml --from NUMBER --write FILE` writes its file again.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import json
import multiprocessing
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # a fork has one thread only
sys.path.append(str(Path(__file__).resolve().parent.parent))

from tools.fuzzing.readers import FORMATS, Target

MEMORY, CPU_SECONDS, WALL_SECONDS = 2**30, 5.0, 600.0
_SIGNALS = {signal.SIGPROF: "over CPU", signal.SIGALRM: "hung", signal.SIGKILL: "over memory"}
Report = Callable[[dict[str, Any]], object]
_CHUNK = 500  # inputs of a process, so that leaks do not add up
_NO_MEMORY = re.compile("allocate|bad_alloc|out of memory", re.IGNORECASE)


def input_of(targets: Sequence[Target], name: str, seed: int, number: int) -> tuple[Target, bytes]:
    """Returns an input of a format, and where it goes."""
    rng = Random(f"{name} {seed} {number}")
    target = rng.choice(targets)
    return target, target.make(rng)


def feed(target: Target, content: bytes) -> tuple[str, str]:
    """Returns an input's outcome (accepted, refused, undeclared, over memory) and its reason."""
    try:
        target.read(content)
    except BaseException as error:
        reason = f"{type(error).__name__}: {error}"[:500]
        if any(_is_memory(cause) for cause in _causes(error)):
            return "over memory", reason
        return ("refused" if isinstance(error, target.errors) else "undeclared"), reason
    return "accepted", ""


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


class Fuzzer:
    """Feeds inputs of a format, in processes under the limits.

    Attributes:
        kinds: how many inputs were "accepted", "refused", or failed in some other way.
        seconds: CPU time of all inputs, without making them.
        slowest: CPU time of the slowest one, s.
        peak: the most memory of a process, MB.
    """

    def __init__(self, name: str, targets: Sequence[Target], seed: int) -> None:
        self.kinds: Counter[str] = Counter()
        self.seconds = self.slowest = self.peak = 0.0
        self._input_of = partial(input_of, targets, name, seed)
        self._about = {"format": name, "seed": seed}
        self._running: dict[int, range] = {}

    @property
    def failed(self) -> int:
        """The number of inputs that were neither accepted nor refused."""
        return self.kinds.total() - self.kinds["accepted"] - self.kinds["refused"]

    def row(self) -> str:
        """Returns the row of the table."""
        fed, kinds = max(self.kinds.total(), 1), ("accepted", "refused")
        shares = " | ".join(
            f"{self.kinds[kind]:,} ({self.kinds[kind] / fed:.0%})" for kind in kinds
        )
        times = f"{1000 * self.seconds / fed:.1f} ms | {self.slowest:.2f} s | {self.peak:,.0f} MB"
        name = self._about["format"]
        return f"| {name} | {self.kinds.total():,} | {shares} | {self.failed:,} | {times} |"

    def run(self, numbers: range, jobs: int, report: Report) -> None:
        """Feeds inputs by their numbers; Ctrl-C leaves the counts of those that were fed."""
        starts = range(numbers.start, numbers.stop, _CHUNK)
        waiting = deque(range(start, min(start + _CHUNK, numbers.stop)) for start in starts)
        gc.collect()
        gc.freeze()  # so that processes do not copy what they share
        with tempfile.TemporaryDirectory() as folder:
            try:
                while waiting or self._running:
                    while waiting and len(self._running) < jobs:
                        self._start(waiting.popleft(), Path(folder))
                    for ended in self._ended():
                        if rest := self._end(ended, Path(folder), report):
                            waiting.appendleft(rest)
            finally:
                for pid in [*self._running]:
                    os.kill(pid, signal.SIGTERM)
                    self._end(os.wait4(pid, 0), Path(folder), report)

    def _ended(self) -> list[tuple[int, int, Any]]:
        """Waits a little; returns which processes have ended, and how."""
        time.sleep(0.01)
        return [ended for pid in self._running if (ended := os.wait4(pid, os.WNOHANG))[0]]

    def _start(self, numbers: range, folder: Path) -> None:
        """Starts a process that writes a line for each input that it has fed."""
        sys.stdout.flush()
        if pid := os.fork():
            self._running[pid] = numbers
            return
        code = 1
        try:
            _limit()
            os.chdir(tempfile.mkdtemp(dir=folder))
            with Path(folder, str(os.getpid())).open("w", buffering=1) as log:
                for number in numbers:
                    kind, seconds, reason = self._feed(number)
                    print(json.dumps([kind, seconds, reason]), file=log)
                    if kind == "over memory":
                        break  # its remains could make the next input fail
            code = 0
        finally:
            os._exit(code)  # the parent does the rest

    def _feed(self, number: int) -> tuple[str, float, str]:
        target, content = self._input_of(number)
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS)
        started = time.process_time()
        kind, reason = feed(target, content)
        return kind, time.process_time() - started, reason

    def _end(self, ended: tuple[int, int, Any], folder: Path, report: Report) -> range:
        """Counts what a process has done; returns the numbers of what it has left."""
        pid, status, usage = ended
        numbers, log = self._running.pop(pid), Path(folder, str(pid))
        lines = log.read_text().splitlines() if log.exists() else []
        found = [json.loads(line) for line in lines]
        end = os.waitstatus_to_exitcode(status)
        self.peak = max(self.peak, usage.ru_maxrss / 1024)
        if end < 0 and -end != signal.SIGTERM and len(found) < len(numbers):
            seconds = CPU_SECONDS * (-end == signal.SIGPROF)
            found.append([_SIGNALS.get(-end, "crashed"), seconds, signal.Signals(-end).name])
        for number, (kind, seconds, reason) in zip(numbers, found, strict=False):
            self._count(number, kind, seconds, reason, report)
        if end > 0:
            self._input_of(numbers[len(found)])  # raises the reason
            raise RuntimeError(f"input {numbers[len(found)]} could not be fed")
        return numbers[len(found) :]

    def _count(self, number: int, kind: str, seconds: float, reason: str, report: Report) -> None:
        self.kinds[kind] += 1
        self.seconds, self.slowest = self.seconds + seconds, max(self.slowest, seconds)
        if kind not in ("accepted", "refused"):
            target, content = self._input_of(number)
            of_input = {"input": number, "target": target.name, "bytes": len(content)}
            report({**self._about, **of_input, "failed": kind, "reason": reason[:300]})


def _limit() -> None:
    """Limits this process, and lets signals end it."""
    for name in (signal.SIGPROF, signal.SIGALRM, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    faulthandler.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)  # onnxruntime prints its refusals


def _fuzz(name: str, options: argparse.Namespace) -> None:
    """Fuzzes one format and prints its row; the exit code says whether an input failed."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    fuzzer, code = Fuzzer(name, FORMATS[name](), options.seed), 0

    def report(failure: dict[str, Any]) -> None:
        with options.failures.open("a") as file:
            file.write(json.dumps(failure) + "\n")

    try:
        fuzzer.run(range(options.start, options.start + options.inputs), options.jobs, report)
    except KeyboardInterrupt:
        code = 130
    print(fuzzer.row(), flush=True)
    sys.exit(code or int(fuzzer.failed > 0))


def main() -> int:
    """Fuzzes formats and prints the table; the exit code is 1 if an input failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS, help="(all)")
    parser.add_argument("--inputs", type=int, default=1000, help="of each format (1,000)")
    parser.add_argument("--from", type=int, default=0, dest="start", help="number of the first (0)")
    parser.add_argument("--seed", type=int, default=0, help="decides the inputs (0)")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (2)")
    parser.add_argument("--failures", type=Path, default=Path("fuzz.jsonl"), help="(fuzz.jsonl)")
    parser.add_argument("--write", type=Path, help="writes the first input here, and ends")
    options = parser.parse_args()
    if options.write:
        name = next(iter(options.formats))
        target, content = input_of(FORMATS[name](), name, options.seed, options.start)
        options.write.write_bytes(content)
        print(f"{options.write}: {len(content):,} bytes for {target.name}")
        return 0
    print("| format | inputs | accepted | refused | failed | CPU an input | slowest | memory |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
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
