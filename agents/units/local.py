"""Executors of one machine: this process, and worker processes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from typing import Any, NamedTuple

from ..common.processes import Channel, Worker, WorkerDiedError, ready
from .work import (
    Executor,
    FailedUnit,
    OnLost,
    Packed,
    Packer,
    R,
    Report,
    Task,
    U,
    Work,
    do_unit,
    nothing,
    print_loss,
)

# Workers share the cores already.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_SECONDS = 0.5  # between reports of progress


class ThisProcess(Executor):
    """Runs units one after the other, in order."""

    workers = 1

    def run(
        self, work: Work[U, R], units: Sequence[U], on_progress: Report = nothing
    ) -> Generator[tuple[U, R]]:
        """Yields units with their results (see `Executor.run`); errors are raised as they are."""
        for unit in units:
            yield unit, work.function(unit, on_progress)


class LocalProcesses(Executor):
    """Runs units in processes of this machine, with one thread each."""

    workers: int

    def __init__(self, workers: int, on_lost: OnLost = print_loss) -> None:
        """Starts nothing yet: processes start when there are units for them.

        Args:
            workers: processes; 1 works in this one.
            on_lost: called with a line about each worker that dies.
        """
        self.workers, self.on_lost = workers, on_lost
        self._idle: list[tuple[Worker, str]] = []  # with the digest of the work that they know

    def run(
        self, work: Work[U, R], units: Sequence[U], on_progress: Report = nothing
    ) -> Generator[tuple[U, R]]:
        """Yields units with their results (see `Executor.run`)."""
        if self.workers == 1 or len(units) < 2:
            yield from ThisProcess().run(work, units, on_progress)
            return
        run = _Run(self, work, units)
        try:
            run.hand_out()
            while run.running:
                for task, result in run.answers():
                    run.hand_out()  # workers continue while the caller handles the result
                    yield task.unit, result
                run.hand_out()
                on_progress(sum(task.done for task in run.running.values()))
        finally:
            for worker in run.running:
                worker.stop()

    def take_worker(self, name: str) -> tuple[Worker, str]:
        """Returns a worker without work, and the digest of the work that it knows."""
        if self._idle:
            return self._idle.pop()
        return Worker(_serve, name=f"a process that {name}", environment=_ONE_THREAD), ""

    def give_back(self, worker: Worker, known: str) -> None:
        """Keeps a worker for later units."""
        self._idle.append((worker, known))

    def close(self) -> None:
        """Ends the workers."""
        while self._idle:
            self._idle.pop()[0].stop()


class _Run:
    """Waiting units, and those that workers run."""

    def __init__(self, executor: LocalProcesses, work: Work[Any, Any], units: Sequence[Any]):
        self._executor, self._name, self._packer = executor, work.name, Packer(work)
        self._waiting = deque(Task(unit, self._packer.pack(unit)) for unit in units)
        self.running: dict[Worker, Task] = {}

    def hand_out(self) -> None:
        """Gives units to workers, up to the limit."""
        while self._waiting and len(self.running) < self._executor.workers:
            task, work = self._waiting.popleft(), self._packer.work
            try:
                worker, known = self._executor.take_worker(self._name)
                self.running[worker] = task
                worker.send((None if known == work.digest else work, task.data))
            except WorkerDiedError as error:
                self.running = {w: t for w, t in self.running.items() if t is not task}
                self._lose(task, error)

    def answers(self) -> Iterator[tuple[Task, Any]]:
        """Yields tasks with their results, those that end within some time."""
        for worker in ready(list(self.running), _SECONDS):
            task = self.running[worker]
            try:
                answer = worker.receive()
            except WorkerDiedError as error:
                del self.running[worker]
                self._lose(task, error)
                continue
            if isinstance(answer, FailedUnit):
                raise answer.error
            if isinstance(answer, _Result):
                self._executor.give_back(worker, self._packer.work.digest)
                yield self.running.pop(worker), answer.value
            else:
                task.done = answer

    def _lose(self, task: Task, error: WorkerDiedError) -> None:
        task.lose(str(error), self._executor.on_lost)
        self._waiting.appendleft(task)


class _Result(NamedTuple):
    value: Any


def _serve(channel: Channel) -> None:
    """Runs units as they arrive; sends reports now and then, and the result."""
    work: Packed
    last = 0.0

    def report(done: float) -> None:
        nonlocal last
        if time.monotonic() > last + _SECONDS:
            last = time.monotonic()
            channel.send(done)

    while True:
        given, unit = channel.receive()
        if given is not None:
            work = given
        last = time.monotonic()
        result = do_unit(work, unit, report)
        channel.send(result if isinstance(result, FailedUnit) else _Result(result))
