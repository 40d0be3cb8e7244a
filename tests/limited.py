"""Runs Python in a process of bounded memory and time, for input that once took all of both."""

import resource
import subprocess
import sys

_GIB = 2**30


def run_limited(code: str, *arguments: object, memory: int = _GIB, seconds: int = 5) -> str:
    """Returns what some code prints.

    Args:
        code: the code.
        arguments: its `sys.argv[1:]`.
        memory: bytes of address space.
        seconds: of CPU time.

    Raises:
        AssertionError: it fails, or takes more; the message is the end of its standard error.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit, check=False)
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr[-1000:]}"
    return done.stdout
