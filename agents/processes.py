"""Processes: signals that stop one, memory, and workers, which end with their parent.

Python's `multiprocessing` starts workers as new interpreters, because torch does not survive a
fork.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from gonzaga_env.kernel.agent import AgentCrashedError
from gonzaga_env.kernel.errors import GameError

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


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of glibc's mallopt
_LARGEST_MMAP = 2**25  # bytes; older releases refuse more
_LARGEST_TRIM = 2**30


def keep_freed_memory() -> bool:
    """Has this process keep the memory of large arrays that were freed; False without glibc.

    By default glibc hands each of them back at once. Training makes and frees arrays of the same
    sizes again and again, and then spends up to a fifth of its time on pages that the system clears
    anew.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # such as musl
        return False
    return bool(mallopt(_MMAP_THRESHOLD, _LARGEST_MMAP) and mallopt(_TRIM_THRESHOLD, _LARGEST_TRIM))


_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_SAFE_PATH = "PYTHONSAFEPATH"  # keeps a new interpreter from importing files of the current folder
_OURS = "gonzaga"


class WorkerError(GameError, RuntimeError):
    """A worker failed, died or took too long; the message says which."""


def begin_worker() -> None:
    """Lets this process ignore Ctrl-C, which the parent handles, and end with its parent."""
    import multiprocessing
    from multiprocessing.connection import wait

    if os.environ.get(_SAFE_PATH) == _OURS:
        del os.environ[_SAFE_PATH]  # programs that agents start import what lies beside them
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def spawning() -> Iterator[None]:
    """Starts processes with one thread each, that hold signals back until they are up.

    No file of the current folder stands in for one of Python's modules.
    """
    wanted = {**dict.fromkeys(_THREADS, "1"), _SAFE_PATH: _OURS}
    added = {name: value for name, value in wanted.items() if name not in os.environ}
    os.environ.update(added)
    can_hold = sys.platform != "win32"
    signals = [signal.SIGINT, signal.SIGTERM]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals) if can_hold else None
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def describe(error: Exception) -> str:
    """Returns an error's message; if that may not suffice, prints a traceback first."""
    if isinstance(error, AgentCrashedError):
        return f"{error}\n{error.traceback}"
    if isinstance(error, GameError):
        return str(error)
    traceback.print_exception(error)
    return f"{type(error).__name__}: {error}".partition("\n")[0]
