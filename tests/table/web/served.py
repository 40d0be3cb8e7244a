"""A real server in a process of its own, and sockets that talk to it as badly as they like."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DEADLINE = 60.0  # seconds that a loaded machine may take for anything
START = "import sys; from gonzaga_env.cli import main; sys.exit(main(sys.argv[1:]))"


class Served:
    """A running server.

    Attributes:
        line: what it printed when it started.
        port: its port on 127.0.0.1.
        process: its process.
    """

    def __init__(self, process: subprocess.Popen[str], errors: Path) -> None:
        self.process, self._errors = process, errors
        self.line = process.stdout.readline()
        assert "http://" in self.line, errors.read_text()
        self.port = int(self.line.split("http://")[1].split()[0].split("/")[0].rsplit(":", 1)[1])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), DEADLINE)
        connection.settimeout(DEADLINE)
        return connection

    def send(self, data: bytes) -> bytes:
        """Sends bytes on a connection of their own, and returns all that comes back."""
        with self.connect() as connection:
            connection.sendall(data)
            return read_all(connection)

    def get(self, path: str, *headers: str) -> int:
        """Returns the status of an answer."""
        return status(self.send(request("GET", path, *headers)))

    def log(self) -> str:
        return self._errors.read_text()

    def wait_for_log(self, text: str) -> None:
        """Waits until the server has written something to standard error."""
        until = time.monotonic() + DEADLINE
        while text not in self.log():
            assert time.monotonic() < until, f"no {text!r} in:\n{self.log()}"
            time.sleep(0.05)


@contextmanager
def serving(
    folder: Path,
    *arguments: str,
) -> Iterator[Served]:
    """Starts a server, and fails if it has written a traceback when it is ended.

    Args:
        folder: for its files.
        arguments: of the command.
    """
    command = [sys.executable, "-c", START, "play"]
    command += ["--port", "0", "--no-open", "--data", str(folder / "tables.sqlite"), *arguments]
    errors = folder / "stderr.txt"
    with (
        errors.open("w") as stderr,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True) as process,
    ):
        try:
            yield Served(process, errors)
        finally:
            process.kill()
    assert "Traceback" not in errors.read_text()


def request(method: str, path: str, *headers: str, body: bytes | None = None) -> bytes:
    """Returns a request after which the server closes the connection."""
    lines = [f"{method} {path} HTTP/1.1", "Connection: close", *headers]
    if not any(line.startswith("Host:") for line in headers):
        lines.append("Host: localhost")
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


def read_all(connection: socket.socket) -> bytes:
    """Reads until the server closes the connection."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def status(answer: bytes) -> int:
    """Returns the status of an answer; 0 for a connection that was closed without one."""
    return int(answer.split()[1]) if answer else 0
