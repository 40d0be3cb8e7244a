"""Worker processes: each answers messages over a connection of its own, and ends with its parent.

A worker is a new interpreter, because torch does not survive a fork. Everything that it gets goes
over a socket whose other end it alone holds, so its death is an error at once, whenever it comes.
`multiprocessing` waits forever in three such cases: its start writes all arguments into a pipe
whose reading end the parent holds too, its queues share locks that die with their holder, and
an incomplete message blocks its reader.

| what happens | what follows |
|---|---|
| the worker is killed, exits or closes its connection, at any time | WorkerDiedError |
| it does not start, read or answer in time | it is killed; WorkerDiedError |
| its function raises | the worker's stderr shows where; WorkerError |
| the parent ends for any reason | the worker ends, even while it works |
| the worker is stopped (SIGSTOP) | a line on standard error after a minute |
| the parent ends by SIGTERM or SIGHUP | a stopped worker ends, too; by SIGKILL: once continued |
| Ctrl-C | the parent decides; workers ignore it from their first moment on |

Windows has neither signal masks nor limits on memory: there Ctrl-C may end a worker that is just
starting, which the parent reports, and `memory` and `lower_priority` have no effect.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import Any, NamedTuple, Self

from gonzaga_env.tabletop.agent import AgentCrashedError
from gonzaga_env.tabletop.errors import GameError

_SIZE = struct.Struct("!Q")  # before each message
_CHECK_SECONDS = 1.0  # between looks at a silent worker; what it started may hold its connection
_END_SECONDS = 5.0  # for a worker without a connection to end
STOPPED_SECONDS = 60.0  # after which it is said that a worker is stopped
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_START = f"import sys; sys.path[:] = sys.argv[1:]; from {__name__} import _work; _work()"

Move = Callable[[memoryview], int]
"""Moves some of the bytes and returns how many: `socket.send` or `socket.recv_into`."""


class WorkerError(GameError, RuntimeError):
    """A worker failed; the message is its error, in one line or with an agent's traceback below."""


class WorkerDiedError(WorkerError):
    """A worker ended, or was ended because it took too long."""


class Worker:
    """A process that answers messages, and ends with its parent.

    Use it from one thread at a time; only `stop` may be called from another one.

    Attributes:
        name: what messages call it, such as "the process that plays the games".
        pid: the process.
        end: becomes readable with an answer, or when the process has ended.
    """

    def __init__(
        self,
        serve: Callable[..., None],
        *arguments: Any,
        name: str,
        start_seconds: float = 60.0,
        memory: int | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Starts the process; the first `send` or `receive` waits until it runs.

        Args:
            serve: called in the process as `serve(channel, *arguments)`, with a `Channel`. It
                must pickle, and so must the arguments; neither may be of the module `__main__`.
            arguments: of `serve`.
            name: what messages call the process.
            start_seconds: how long it may take to start, before it imports what `serve` needs.
            memory: bytes of address space that it may use (where the platform can limit it).
            environment: variables that it gets in addition to those of this process.

        Raises:
            WorkerDiedError: it cannot be started.
        """
        self.name = name
        self._first: tuple[Any, ...] | None = (memory, serve, arguments)
        self._start_seconds, self._began = start_seconds, time.monotonic()
        self.end, theirs = socket.socketpair()
        try:
            with theirs, _signals_held():
                self._process = _start(theirs, os.environ | (environment or {}))
        except BaseException as error:
            self.end.close()
            if isinstance(error, OSError):
                raise WorkerDiedError(f"{name} cannot be started: {error.strerror}") from error
            raise
        self.pid = self._process.pid
        self._stopped: float | None = None  # since when; infinity once it was said
        self._stop = weakref.finalize(self, _end, self._process, self.end)
        kill_at_the_end(self._process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def tell_stopped(self) -> None:
        """Says on standard error, once, if the process has been stopped for a minute."""
        if not _is_stopped(self.pid):
            self._stopped = None
        elif self._stopped is None:
            self._stopped = time.monotonic()
        elif time.monotonic() - self._stopped >= STOPPED_SECONDS:
            self._stopped = inf
            print(
                f"{self.name} is stopped and waited for; continue it with: kill -CONT {self.pid}",
                file=sys.stderr,
                flush=True,
            )

    def send(self, message: Any, seconds: float = inf) -> None:
        """Sends a message.

        Raises:
            WorkerDiedError: the process has ended, or did not take the message in time.
        """
        self._wait_until_it_runs()
        self._send(message, seconds, f"did not take a message within {seconds:g} s")

    def receive(self, seconds: float = inf) -> Any:
        """Waits for the next answer and returns it.

        Raises:
            WorkerDiedError: the process has ended, or did not answer in time.
            WorkerError: its function raised an error; the process has ended.
        """
        self._wait_until_it_runs()
        message = self._receive(seconds, f"did not answer within {seconds:g} s")
        if isinstance(message, _FatalError):
            self.stop()
            raise WorkerError(message.text)
        return message

    def ask(self, message: Any, seconds: float = inf) -> Any:
        """Sends a message and returns the answer (see `send` and `receive`)."""
        self.send(message, seconds)
        return self.receive(seconds)

    def stop(self) -> None:
        """Ends the process immediately, as garbage collection does; a second call does nothing."""
        self._stop()

    def _wait_until_it_runs(self) -> None:
        """Receives its greeting and sends it the function to run, the first time."""
        if self._first is not None:
            first, self._first = self._first, None
            left = self._start_seconds - (time.monotonic() - self._began)
            late = f"did not start within {self._start_seconds:g} s"
            self._receive(left, late)
            self._send(first, left, late)

    def _send(self, message: Any, seconds: float, late: str) -> None:
        body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        with self._supervised(self.end.send, seconds, late) as move:
            _send_bytes(move, body)

    def _receive(self, seconds: float, late: str) -> Any:
        with self._supervised(self.end.recv_into, seconds, late) as move:
            return pickle.loads(_receive_bytes(move))

    @contextmanager
    def _supervised(self, move: Move, seconds: float, late: str) -> Iterator[Move]:
        """Yields a function that moves bytes while the process lives and there is time."""
        try:
            yield partial(self._move, move, time.monotonic() + seconds)
        except TimeoutError as error:
            self.stop()
            raise WorkerDiedError(f"{self.name} {late}") from error
        except (EOFError, OSError) as error:
            raise WorkerDiedError(f"{self.name} {self._how_it_ended()}") from error

    def _move(self, move: Move, deadline: float, data: memoryview) -> int:
        while True:
            left = deadline - time.monotonic()
            self.end.settimeout(max(min(left, _CHECK_SECONDS), 1e-3))
            try:
                return move(data)
            except TimeoutError:
                if not self.is_alive:
                    raise EOFError from None
                if left < 0:
                    raise
                self.tell_stopped()

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its connection"
        finally:
            self.stop()
        if code < 0:
            return f"was killed by signal {-code} ({signal.strsignal(-code)})"
        return f"ended with exit code {code}"


def ready(workers: Sequence[Worker], seconds: float) -> list[Worker]:
    """Returns the workers that have an answer or have ended, after at most some seconds."""
    from multiprocessing.connection import wait  # browsers have none

    readable = wait([each.end for each in workers], seconds)
    for each in workers:
        if each.end not in readable:
            each.tell_stopped()
    return [each for each in workers if each.end in readable or not each.is_alive]


def _end(process: subprocess.Popen[bytes], end: socket.socket) -> None:
    process.kill()
    process.wait()
    forget(process)
    end.close()


_running: set[subprocess.Popen[bytes]] = set()


def kill_at_the_end(process: subprocess.Popen[bytes]) -> None:
    """Kills a process when a signal ends this one: a stopped one could not end itself."""
    _running.add(process)
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        return  # only the main thread may set handlers
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # else it does not end this process
            signal.signal(number, _end_by_signal)


def forget(process: subprocess.Popen[bytes]) -> None:
    """Takes back `kill_at_the_end`, once a process has ended."""
    _running.discard(process)


def _end_by_signal(number: int, _frame: FrameType | None) -> None:
    """Kills all workers, and lets the signal end this process as it would have."""
    for process in tuple(_running):
        if process.returncode is None:  # else its number may be another process's
            with suppress(OSError):
                os.kill(process.pid, signal.SIGKILL)
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _is_stopped(pid: int) -> bool:
    """Returns whether a child is stopped, where the platform tells it."""
    if sys.platform == "win32":
        return False
    try:
        found = os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:  # it has ended
        return False
    return found is not None


class Channel:
    """The worker's end of the connection."""

    def __init__(self, end: socket.socket) -> None:
        self._end, self._inbox = end, SimpleQueue[bytearray]()
        threading.Thread(target=self._read, daemon=True).start()

    def receive(self) -> Any:
        """Waits for the next message and returns it."""
        return pickle.loads(self._inbox.get())

    def send(self, message: Any) -> None:
        """Sends an answer."""
        body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        try:
            _send_bytes(self._end.send, body)
        except OSError:  # the parent has ended
            os._exit(1)

    def _read(self) -> None:
        """Reads ahead, and ends this process as soon as the parent has ended."""
        try:
            while True:
                self._inbox.put(_receive_bytes(self._end.recv_into))
        finally:
            os._exit(1)


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


class _FatalError(NamedTuple):
    """The error that ended a worker's function."""

    text: str


def _start(end: socket.socket, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Starts a worker that holds one end of a connection."""
    command = [sys.executable, "-P", "-c", _START, *map(str, sys.path)]
    if sys.platform == "win32":
        process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
        with process.stdin as pipe:  # it takes some hundred bytes without waiting
            pipe.write(end.share(process.pid))
        return process
    # As standard input, Popen hands it over even with close_fds.
    return subprocess.Popen(command, stdin=end.fileno(), env=environment)


def _own_end() -> socket.socket:
    """Returns the end of the connection that `_start` has handed over."""
    if sys.platform == "win32":
        end = socket.fromshare(sys.stdin.buffer.read())
    else:
        end = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    return end


def _work() -> None:
    """Runs a worker: the main function of its process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    sys.argv[1:] = []
    channel = Channel(_own_end())
    channel.send("hello")
    try:
        memory, serve, arguments = channel.receive()
        if memory is not None:
            _limit_memory(memory)
        serve(channel, *arguments)
    except Exception as error:
        channel.send(_FatalError(describe(error)))
        threading.Event().wait()  # the parent reads it at its next receive, and ends this process


def _limit_memory(most: int) -> None:
    """Bounds the address space of this process, where the platform can."""
    # A lower limit may hold already; Windows has no module `resource`.
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))


@contextmanager
def _signals_held() -> Iterator[None]:
    """Delivers signals after the block; a process that starts in it holds them until it is up."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def stopped_below(pid: int) -> list[int]:
    """Returns the stopped processes that descend from a process; none where /proc is missing."""
    children: dict[int, list[tuple[int, bool]]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            children.setdefault(int(parent), []).append((int(path.parent.name), state == "T"))
    found, below = list[int](), [pid]
    for one in below:
        below += [child for child, _ in children.get(one, ())]
        found += [child for child, is_stopped in children.get(one, ()) if is_stopped]
    return sorted(found)


def _send_bytes(move: Move, body: bytes) -> None:
    _move_all(move, memoryview(_SIZE.pack(len(body))))
    _move_all(move, memoryview(body))


def _receive_bytes(move: Move) -> bytearray:
    size = bytearray(_SIZE.size)
    _move_all(move, memoryview(size))
    body = bytearray(_SIZE.unpack(size)[0])
    _move_all(move, memoryview(body))
    return body


def _move_all(move: Move, data: memoryview) -> None:
    """Moves all bytes; EOFError at the end of the connection."""
    while data:
        moved = move(data)
        if not moved:
            raise EOFError
        data = data[moved:]
