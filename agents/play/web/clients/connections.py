"""Connections: how many there may be, and how long a client may take to send and to read.

uvicorn has no time-out but that of idle connections. `bounded_protocol` adds the others by looking
at all connections now and then, which costs a request nothing.

| a connection that | ends |
|---|---|
| is one too many, in all or for its client | at once, before anything is read |
| sends nothing, or half a header | after `header_seconds` |
| sends a body slower than `body_rate` | after `body_seconds` |
| does not read its answer | after `answer_seconds` |
| goes on sending the body of a request that was refused | after `MAX_IGNORED` bytes |
| is idle after an answer | as uvicorn has it |
"""

from __future__ import annotations

import socket
from collections.abc import Collection
from pathlib import Path
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from gonzaga_env.core.bounded import MIB
from gonzaga_env.core.errors import OptionError

from ..requests import client_key
from .limits import LimitError, Limits, Share
from .refusals import log_refusal

MAX_IGNORED = 8 * MIB  # of a body whose request was refused; reading it lets the refusal arrive
_AT_A_TIME = 100  # connections that are refused before others get their turn
_FILES_EACH = 2  # a connection's socket, and the page that is sent over it
_SPARE_FILES = 16  # for the event loop, the database's journals and the editor's process
_FEWEST = 4

_TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


def room_for_connections(most: int) -> int:
    """Returns how many connections the limit of open files leaves room for, at most `most`.

    The limit is raised first, as far as this process may and needs to.

    Raises:
        OptionError: it is too low for any use.
    """
    try:
        import resource
    except ImportError:  # Windows, where sockets are no files
        return most
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    others = _open_files() + _SPARE_FILES
    wanted = _FILES_EACH * most + others
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    room = most if soft == resource.RLIM_INFINITY else (soft - others) // _FILES_EACH
    if room < _FEWEST:
        raise OptionError(f"{soft} open files are too few; raise the limit (ulimit -n 256)")
    return min(most, room)


def _open_files() -> int:
    for folder in ("/proc/self/fd", "/dev/fd"):
        if Path(folder).is_dir():
            return sum(1 for _ in Path(folder).iterdir())
    return _SPARE_FILES


class Listener(socket.socket):
    """A listening socket that accepts as many connections as there is room for.

    Those beyond are closed at once: asyncio accepts whatever comes, runs out of descriptors, and
    then writes thousands of tracebacks a second.
    """

    _open: Share | None = None
    _proxies: frozenset[str] = frozenset()

    def limit(self, limits: Limits, proxies: Collection[str] = ()) -> None:
        """Sets the limits; the connections of proxies count in all alone."""
        self._proxies = frozenset(proxies)
        self._open = Share(limits.connections, limits.connections_each, "connections")

    def accept(self) -> tuple[socket.socket, Any]:
        """Returns the next connection that there is room for, as `socket.accept`."""
        for _ in range(_AT_A_TIME):
            accepted, address = super().accept()
            if self._open is None:
                return accepted, address
            client = client_key(address[0])
            # The addresses behind a proxy are limited by their requests.
            key = f"{client}:{address[1]}" if client in self._proxies else client
            try:
                self._open.take(key)
            except LimitError as error:
                accepted.close()
                log_refusal(client, 429, str(error))
            else:
                return _Counted(accepted, self._open, key), address
        raise BlockingIOError


class _Counted(socket.socket):
    """A connection that counts until it is closed."""

    def __init__(self, accepted: socket.socket, counted: Share, key: str) -> None:
        family, kind, protocol = accepted.family, accepted.type, accepted.proto
        super().__init__(family, kind, protocol, fileno=accepted.detach())
        self._counted: Share | None = counted
        self._key = key

    def close(self) -> None:
        """Closes the connection."""
        super().close()
        counted, self._counted = self._counted, None
        if counted is not None:
            counted.give_back(self._key)


class BoundedProtocol(H11Protocol):
    """uvicorn's protocol with limits of time; `check` must be called now and then."""

    limits: ClassVar[Limits]

    def connection_made(self, transport: Any) -> None:
        """Starts a connection; its first request is awaited."""
        super().connection_made(transport)
        self._awaited: str | None = "header"
        self._since = self._unsent_since = self.loop.time()
        self._received = 0  # bytes of what is awaited

    def data_received(self, data: bytes) -> None:
        """Takes what the client sent."""
        self._received += len(data)
        super().data_received(data)
        self._note()
        is_ignored = self._awaited == "body" and self.cycle.response_complete
        if is_ignored and self._received > MAX_IGNORED:
            self.transport.abort()

    def on_response_complete(self) -> None:
        """Goes on to the next request."""
        super().on_response_complete()
        self._note()

    def send_400_response(self, msg: str) -> None:
        """Refuses what is no HTTP."""
        log_refusal(self._client, 400, "what was sent is no HTTP request")
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # an answer is under way, or has been given
            self.transport.abort()

    def check(self, now: float) -> None:
        """Ends the connection if its client takes too long; `now` is the loop's time."""
        if not self.transport.get_write_buffer_size():
            self._unsent_since = now
        limits, since = self.limits, now - self._since
        if now - self._unsent_since > limits.answer_seconds:
            log_refusal(self._client, 408, "the answer is read too slowly")
            self.transport.abort()
        elif self._awaited == "header" and since > limits.header_seconds:
            self._time_out("the header takes too long")
        elif self._awaited == "body" and since > limits.body_seconds:
            if self._received < limits.body_rate * limits.body_seconds:
                self._time_out("the body takes too long")
            self._since, self._received = now, 0

    def _note(self) -> None:
        """Notes what is awaited from the client, and since when."""
        awaited = None
        if self.conn.their_state is h11.SEND_BODY:
            awaited = "body"
        elif self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            awaited = "header"
        if awaited != self._awaited:
            self._awaited, self._since, self._received = awaited, self.loop.time(), 0

    def _time_out(self, message: str) -> None:
        if self.transport.is_closing():
            return
        is_silent = self._awaited == "header" and not self.conn.trailing_data[0]
        if not is_silent:  # browsers open connections in advance
            log_refusal(self._client, 408, message)
            if self.cycle is None or not self.cycle.response_started or self._awaited == "header":
                self.transport.write(_TIMEOUT)
        self.transport.close()

    @property
    def _client(self) -> str:
        return client_key(self.client[0] if self.client else "")


def bounded_protocol(limits: Limits) -> type[BoundedProtocol]:
    """Returns the protocol with some limits."""
    return type("LimitedProtocol", (BoundedProtocol,), {"limits": limits})
