"""Signals that stop a long run, such as a training."""

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
def first_signal_raises() -> Iterator[None]:
    """Lets the first Ctrl-C or SIGTERM raise, and ignores further ones to the end of the block.

    So the block can complete its clean-up, such as saving, after the first one. Ctrl-C raises
    KeyboardInterrupt and SIGTERM `Terminated`. Where Ctrl-C is ignored, as in a shell's background
    jobs, it stays so.
    """
    if threading.current_thread() is not threading.main_thread():  # only it may set handlers
        yield
        return
    came = False

    def handle(number: int, _frame: FrameType | None) -> None:
        nonlocal came
        if not came:
            came = True
            raise Terminated if number == signal.SIGTERM else KeyboardInterrupt

    numbers = [signal.SIGTERM]
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        numbers.append(signal.SIGINT)
    previous = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """Returns the exit code after an interrupt: 143 for SIGTERM, 130 for Ctrl-C."""
    return TERMINATED if isinstance(interrupt, Terminated) else CTRL_C
