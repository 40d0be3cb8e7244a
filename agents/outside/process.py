"""A bot's process: it is limited, and answers a line with a line, in time or not at all.

| what happens | failure |
|---|---|
| it ends or closes its output | died |
| it does not answer in time | hung |
| it writes more than it may | flooded |

In each case the process and all that it started in its session are killed and waited for.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from contextlib import suppress
from typing import Literal

from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.bounded import MIB
from gonzaga_env.kernel.messages import printable, short

from .spec import Command

Failure = Literal["died", "hung", "flooded", "nonsense", "illegal"]
_END_SECONDS = 2.0  # for a process that has closed its output, or was told goodbye
_CHUNK = 1 << 16
_KEPT = 4000  # bytes of its standard error
#: Sets limits and becomes the bot: memory in bytes, whether it dies with us, the words.
_LAUNCH = """\
import ctypes, os, resource, sys
memory, bound, *words = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
if int(memory):
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = int(memory) if hard == -1 else min(int(memory), hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
if int(bound) and sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
try:
    os.execvp(words[0], words)
except OSError as error:
    sys.exit(f"{words[0]}: {error.strerror}")
"""


class BotFailure(Exception):  # noqa: N818 - it is counted, and is no error of the caller
    """A bot has failed; the message says how."""

    def __init__(self, kind: Failure, message: str) -> None:
        super().__init__(message)
        self.kind: Failure = kind


class BotProcess:
    """A running bot. Use it from one thread at a time."""

    def __init__(self, command: Command, goodbye: bytes = b"") -> None:
        """Starts the program, looked up as a shell does, or raises AgentError.

        A goodbye is a line that it is sent when nobody needs it any longer.
        """
        words, memory = command.words, command.limits.memory
        if shutil.which(words[0]) is None:
            raise AgentError(f"bot {words[0]!r}: there is no such program, or it is not executable")
        started = [*words]
        if sys.platform != "win32":
            # A process dies with the thread that started it, so only the main thread may ask this.
            bound = int(threading.current_thread() is threading.main_thread())
            launch = [sys.executable, "-I", "-S", "-c", _LAUNCH]
            started = [*launch, str(memory * MIB), str(bound), *words]
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                started,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                bufsize=0,
                env=command.environment,
                start_new_session=True,
            )
        except OSError as error:
            raise AgentError(f"bot {words[0]!r} cannot be started: {error.strerror}") from error
        self.pid, self._name = self._process.pid, words[0]
        self._stop = weakref.finalize(self, _end, self._process, goodbye)
        self._read, self._errors, self._written = bytearray(), bytearray(), 0
        streams = self._process.stdin, self._process.stdout, self._process.stderr
        self._input, self._output, self._said = (stream for stream in streams if stream is not None)
        for stream in (self._input, self._output, self._said):
            os.set_blocking(stream.fileno(), False)
        if sys.platform == "linux":
            import fcntl

            with suppress(OSError):  # a batch of observations in one piece
                fcntl.fcntl(self._input.fileno(), fcntl.F_SETPIPE_SZ, MIB)

    def send(self, content: bytes, seconds: float) -> None:
        """Sends lines, and what follows them; BotFailure if the bot does not take them in time."""
        self._written = 0
        self._exchange(memoryview(content), time.monotonic() + seconds, MIB, wait=False)

    def receive(self, seconds: float, most: int) -> bytes:
        """Returns the next line that it writes.

        Raises BotFailure if it takes longer, has ended, or writes more bytes since the last `send`.
        """
        if b"\n" not in self._read:
            self._exchange(memoryview(b""), time.monotonic() + seconds, most, wait=True)
        line, _, rest = self._read.partition(b"\n")
        self._read = rest
        return bytes(line)

    def close(self) -> int | None:
        """Says goodbye and ends the process; returns its exit code, None if it had to be killed."""
        return self._stop()

    def stop(self) -> None:
        """Kills the process and all of its session; a second call does nothing."""
        if self._stop.detach() is not None:
            _end(self._process)

    def _exchange(self, left: memoryview, deadline: float, most: int, *, wait: bool) -> None:
        """Writes bytes, or waits for a line, while it reads all that the bot writes."""
        if not self._stop.alive:
            raise BotFailure("died", "has ended")
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._said, selectors.EVENT_READ)
            if left:
                selector.register(self._input, selectors.EVENT_WRITE)
            while left or (wait and b"\n" not in self._read):
                seconds = deadline - time.monotonic()
                if seconds <= 0:
                    raise self._failed("hung", "did not answer in time")
                for key, _ in selector.select(seconds):
                    if key.fileobj is self._input:
                        left = self._write(left)
                        if not left:
                            selector.unregister(self._input)
                    elif key.fileobj is self._output:
                        self._take(most)
                    elif not self._take_errors():
                        selector.unregister(key.fileobj)

    def _write(self, left: memoryview) -> memoryview:
        try:
            return left[os.write(self._input.fileno(), left) :]
        except BlockingIOError:
            return left
        except OSError:
            raise self._died() from None

    def _take(self, most: int) -> None:
        try:
            found = os.read(self._output.fileno(), _CHUNK)
        except BlockingIOError:
            return
        if not found:
            raise self._died()
        self._read += found
        self._written += len(found)
        if self._written > most:
            raise self._failed("flooded", f"wrote more than {most:,} bytes for one answer")

    def _take_errors(self) -> bool:
        try:
            found = os.read(self._said.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        self._errors = (self._errors + found)[-_KEPT:]
        return bool(found)

    def _died(self) -> BotFailure:
        has_ended = _has_ended(self._process, _END_SECONDS)
        self._take_errors()
        self.stop()
        code = self._process.returncode
        how = f"ended with exit code {code}" if code >= 0 else f"was killed by signal {-code}"
        return self._failed("died", how if has_ended else "closed its output")

    def _failed(self, kind: Failure, how: str) -> BotFailure:
        self.stop()
        lines = bytes(self._errors).decode(errors="replace").strip().splitlines() or [""]
        line = next((line for line in reversed(lines) if "rror" in line), lines[-1])
        return BotFailure(kind, how + (f"; it said: {short(printable(line))}" if line else ""))


def _has_ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Waits until a process has ended, for some seconds; it stays to be waited for, if possible.

    As long as it does, its number is no other process's, so its session can be killed by it.
    """
    if sys.platform == "win32":
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return process.returncode is not None
    until = time.monotonic() + seconds
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    while (found := os.waitid(os.P_PID, process.pid, flags)) is None and time.monotonic() < until:
        time.sleep(0.002)
    return found is not None


def _end(process: subprocess.Popen[bytes], goodbye: bytes = b"") -> int | None:
    """Kills a process with its session and waits for it, so that no zombie stays.

    Returns the exit code; None if it had to be killed.
    """
    has_ended = False
    if goodbye:
        with suppress(OSError):  # it has ended, or does not read
            os.write(process.stdin.fileno(), goodbye)  # type: ignore[union-attr]
        with suppress(OSError):
            process.stdin.close()  # type: ignore[union-attr]
        has_ended = _has_ended(process, _END_SECONDS)
    if sys.platform != "win32":
        with suppress(OSError):  # the number of the session is taken while anything in it lives
            os.killpg(process.pid, signal.SIGKILL)
    with suppress(OSError):
        process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        with suppress(OSError):
            stream.close()  # type: ignore[union-attr]
    return process.returncode if has_ended else None
