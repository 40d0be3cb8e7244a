"""Processes of the server: each starts with its first question, and again after a failure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gonzaga_agents.common.processes import Worker, WorkerError

START_SECONDS = 60.0  # in which a process must be ready
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class ProcessApart:
    """A process that answers questions; only one thread at a time may ask.

    Attributes:
        worker: the process; None while there is none.
    """

    def __init__(
        self, serve: Callable[..., None], *arguments: Any, name: str, memory: int | None = None
    ) -> None:
        """Takes what runs in the process, which first sends "ready" (see `Worker`)."""
        self._serve, self._arguments, self._name = serve, arguments, name
        self._memory = memory
        self.worker: Worker | None = None

    def ask(self, question: Any, seconds: float) -> Any:
        """Returns the answer to a question.

        Raises:
            WorkerError: the process failed or took too long; the next question starts another one.
        """
        try:
            if self.worker is None:
                self._start()
            assert self.worker is not None
            return self.worker.ask(question, seconds)
        except WorkerError:
            self.close()
            raise

    def _start(self) -> None:
        # Without much memory, each thread of a library would take too much of it.
        environment = None if self._memory is None else _ONE_THREAD
        self.worker = Worker(  # known before it is ready, so that `close` ends it
            self._serve,
            *self._arguments,
            name=self._name,
            memory=self._memory,
            environment=environment,
        )
        self.worker.receive(START_SECONDS)  # "ready"

    def close(self) -> None:
        """Ends the process."""
        worker, self.worker = self.worker, None
        if worker is not None:
            worker.stop()
