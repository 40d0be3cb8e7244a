"""Processes: signals that stop one, memory, and workers, which end with their parent.

Python's `multiprocessing` starts workers as new interpreters, because torch does not survive a
fork.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
import threading
import traceback
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NamedTuple

from gonzaga_env.tabletop.agent import AgentCrashedError
from gonzaga_env.tabletop.errors import GameError

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
    """Has this process keep the memory of large arrays that were freed, for those that follow.

    By default glibc hands each of them back at once. Training makes and frees arrays of the same
    sizes again and again, and then spends up to a fifth of its time on pages that the system clears
    anew.

    Returns:
        Whether it does so; False where there is no glibc.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # such as musl
        return False
    return bool(mallopt(_MMAP_THRESHOLD, _LARGEST_MMAP) and mallopt(_TRIM_THRESHOLD, _LARGEST_TRIM))


_END_SECONDS = 5.0  # for a process that has closed its connection to end
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_SAFE_PATH = "PYTHONSAFEPATH"  # keeps a new interpreter from importing files of the current folder
_OURS = "gonzaga"


class WorkerError(GameError, RuntimeError):
    """A worker failed, died or took too long; the message says which."""


class Worker:
    """A process that answers messages. Use it from one thread at a time; any may call `stop`.

    Attributes:
        name: what messages call it, such as "the process that plays the games".
        pid: the process.
    """

    def __init__(
        self, serve: Callable[..., None], *arguments: Any, name: str, memory: int | None = None
    ) -> None:
        """Starts the process.

        Args:
            serve: called in the process as `serve(channel, *arguments)`, with a `Channel`.
            arguments: of `serve`.
            name: what messages call the process.
            memory: bytes of address space that it may use, where the platform can limit it.

        Raises:
            WorkerError: it cannot be started.
        """
        import multiprocessing  # browsers have no processes

        self.name, context = name, multiprocessing.get_context("spawn")
        self._end, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        with theirs, spawning():
            try:
                self._process.start()
            except OSError as error:
                raise WorkerError(f"{name} cannot be started: {error.strerror}") from error
        self.pid = self._process.pid
        self._stop = weakref.finalize(self, _kill, self._process, self._end)
        self.send((memory, serve, arguments))

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.is_alive()

    def send(self, message: Any) -> None:
        """Sends a message.

        Raises:
            WorkerError: the process has failed or ended.
        """
        body = pickle.dumps(message)  # what cannot be sent is an error of the caller
        try:
            self._end.send_bytes(body)
        except OSError as error:
            with suppress(EOFError, OSError):
                while self._end.poll(0):
                    self._failure_in(self._end.recv())
            raise self._death() from error

    def receive(self, seconds: float | None = None) -> Any:
        """Waits for the next answer and returns it.

        Raises:
            WorkerError: the process failed, ended, or did not answer in time; it is over then.
        """
        try:
            if not self._end.poll(seconds):
                self.stop()
                raise WorkerError(f"{self.name} did not answer within {seconds:g} s")
            return self._failure_in(self._end.recv())
        except (EOFError, OSError) as error:
            raise self._death() from error

    def ask(self, message: Any, seconds: float | None = None) -> Any:
        """Sends a message and returns the answer (see `send` and `receive`)."""
        self.send(message)
        return self.receive(seconds)

    def stop(self) -> None:
        """Ends the process at once, as garbage collection does; a second call does nothing."""
        self._stop()

    def _failure_in(self, message: Any) -> Any:
        """Returns a message, unless it says that the function has failed, which is raised."""
        if isinstance(message, _Failure):
            self.stop()
            raise WorkerError(message.text)
        return message

    def _death(self) -> WorkerError:
        """Returns the error that says how the process ended."""
        self._process.join(_END_SECONDS)
        code = self._process.exitcode
        self.stop()
        if code is None:
            return WorkerError(f"{self.name} closed its connection")
        if code < 0:
            reason = f"signal {-code} ({signal.strsignal(-code)})"
            return WorkerError(f"{self.name} was killed by {reason}; is there enough memory?")
        return WorkerError(f"{self.name} ended with exit code {code}")


class Channel:
    """The worker's end of the connection."""

    def __init__(self, end: Any) -> None:
        self._end = end

    def receive(self) -> Any:
        """Waits for the next message and returns it."""
        try:
            return self._end.recv()
        except (EOFError, OSError):  # the parent has ended
            os._exit(1)

    def send(self, message: Any) -> None:
        """Sends an answer."""
        self._end.send(message)


class _Failure(NamedTuple):
    """Says that a worker's function has raised."""

    text: str


def _kill(process: Any, end: Any) -> None:
    process.kill()
    process.join()
    end.close()


def _work(end: Any) -> None:
    """Runs a worker: the main function of its process."""
    begin_worker()
    channel = Channel(end)
    try:
        memory, serve, arguments = channel.receive()
        if memory is not None:
            _limit_memory(memory)
        serve(channel, *arguments)
    except Exception as error:
        with suppress(OSError):
            channel.send(_Failure(describe(error)))


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


def lower_priority(steps: int) -> None:
    """Lowers this process's priority, where the platform can."""
    with suppress(AttributeError, OSError):  # Windows has no niceness
        os.nice(steps)


def _limit_memory(most: int) -> None:
    """Bounds the address space of this process, where the platform can."""
    # A lower limit may hold already; Windows has no module `resource`.
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
