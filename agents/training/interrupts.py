"""Signals that stop a training run."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

CTRL_C, TERMINATED = 130, 143  # exit codes: 128 + the number of the signal


class Terminated(KeyboardInterrupt):
    """SIGTERM, which job schedulers send before they kill a process."""


@contextmanager
def sigterm_raises() -> Iterator[None]:
    """Turns SIGTERM into `Terminated`, as Python turns Ctrl-C into KeyboardInterrupt."""
    if threading.current_thread() is not threading.main_thread():  # only it may set handlers
        yield
        return
    previous = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise Terminated


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """Returns the exit code after an interrupt: 143 for SIGTERM, 130 for Ctrl-C."""
    return TERMINATED if isinstance(interrupt, Terminated) else CTRL_C
