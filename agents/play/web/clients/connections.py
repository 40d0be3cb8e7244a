"""Connections: how many there may be, what a header may hold, and how long clients may take.

uvicorn has no time-out but that of idle connections. `bounded_protocol` adds the others by looking
at all connections now and then, which costs a request nothing.

| a connection that | ends |
|---|---|
| is one too many for its client | at once, before anything is read |
| is one too many in all | likewise, or it takes the place of a client's that has more of them |
| sends a header beyond `MAX_HEADER`, `MAX_LINES` or `MAX_TARGET` | with 431 or 414 |
| sends a body in chunks, or something other than HTTP | with 411 or 400 |
| sends nothing, or half a header | after `header_seconds` |
| sends a body slower than `body_rate` | after `body_seconds` |
| does not read its answer | after `answer_seconds` |
| goes on sending the body of a request that was refused | after `MAX_IGNORED` bytes |
| is idle after an answer | as uvicorn has it |
"""

from __future__ import annotations

import re
import socket
from collections.abc import Collection
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, NoReturn

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from gonzaga_env.core.bounded import MIB
from gonzaga_env.core.errors import OptionError

from ..requests import client_key
from .limits import LimitError, Limits, Share
from .refusals import log_refusal

MAX_IGNORED = 8 * MIB  # of a body whose request was refused; reading it lets the refusal arrive
MAX_HEADER = 16 * 1024  # bytes of a request before its body: its first line and header lines
MAX_LINES = 100  # of it
MAX_TARGET = 2000  # bytes of a path with its query
_AT_A_TIME = 10  # connections that are refused before others get their turn
_ENDING = 8  # connections that end for others at a time; fewer than `_SPARE_FILES`
_FILES_EACH = 2  # a connection's socket, and the page that is sent over it
_SPARE_FILES = 16  # for the event loop, the database's journals and the editor's process
_FEWEST = 4
_BLANK_LINE = re.compile(rb"\n\r?\n")


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
    then writes thousands of tracebacks a second. Where all are taken, the client with the most
    makes room for one that has fewer.
    """

    _share: Share | None = None
    _proxies: frozenset[str] = frozenset()

    def limit(self, limits: Limits, proxies: Collection[str] = ()) -> None:
        """Sets the limits; the connections of proxies count in all alone."""
        self._proxies = frozenset(proxies)
        self._share = Share(limits.connections, limits.connections_each, "connections")
        self._open: set[_Connection] = set()

    def accept(self) -> tuple[socket.socket, Any]:
        """Returns the next connection that there is room for, as `socket.accept`."""
        for _ in range(_AT_A_TIME):
            accepted, address = super().accept()
            if self._share is None:
                return accepted, address
            client = client_key(address[0])
            # The addresses behind a proxy are limited by their requests.
            key = f"{client}:{address[1]}" if client in self._proxies else client
            if self._share.full:
                self._make_room(key)
            try:
                self._share.take(key)
            except LimitError as error:
                accepted.close()
                log_refusal(client, 429, str(error))
            else:
                return _Connection(accepted, key, self._open, self._share), address
        raise BlockingIOError

    def _make_room(self, key: str) -> None:
        """Ends the longest idle connection of the client with the most, for one that has fewer."""
        assert self._share is not None
        most = self._share.largest()
        ending = sum(connection.ended for connection in self._open)
        if self._share.used(key) + 1 < self._share.used(most) and ending < _ENDING:
            theirs = (c for c in self._open if c.key == most and not c.ended)
            min(theirs, key=lambda connection: connection.active).end()


class _Connection(socket.socket):
    """A connection that counts until it ends.

    Attributes:
        key: whom it counts for.
        active: when something was last sent or received.
        ended: whether it only waits to be closed.
    """

    def __init__(
        self, accepted: socket.socket, key: str, all_open: set[_Connection], share: Share
    ) -> None:
        family, kind, protocol = accepted.family, accepted.type, accepted.proto
        super().__init__(family, kind, protocol, fileno=accepted.detach())
        self.key, self.active, self.ended = key, monotonic(), False
        self._all, self._share = all_open, share
        all_open.add(self)

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        self.active = monotonic()
        return super().recv(bufsize, flags)

    def send(self, data: Any, flags: int = 0, /) -> int:
        self.active = monotonic()
        return super().send(data, flags)

    def end(self) -> None:
        """Makes the event loop find that the client has left, and counts no longer."""
        if not self.ended:
            self.ended = True
            self._share.give_back(self.key)
            with suppress(OSError):  # the client has left
                self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Closes the connection."""
        self.end()
        self._all.discard(self)
        super().close()


class BoundedConnection(h11.Connection):
    """h11's parser; it refuses requests that would take long to parse.

    Attributes:
        refusal: status and reason of the answer to what cannot be read.
    """

    refusal = 400, "what was sent is not an HTTP request"

    def next_event(self) -> Any:
        """Returns the next event (see h11)."""
        if self.their_state is h11.IDLE:
            self._check_header(self.trailing_data[0])
        event = super().next_event()
        if isinstance(event, h11.Request):
            if len(event.target) > MAX_TARGET:
                self._refuse(414, f"the address is longer than {MAX_TARGET} characters")
            # Each chunk is an event, so a few bytes a chunk would stop the loop for seconds.
            if any(name == b"transfer-encoding" for name, _ in event.headers):
                self._refuse(411, "a body needs a Content-Length")
        return event

    def _check_header(self, data: bytes) -> None:
        found = _BLANK_LINE.search(data, 0, MAX_HEADER)
        end = found.end() if found else len(data)
        if end > MAX_HEADER or data.count(b"\n", 0, end) > MAX_LINES:
            self._refuse(431, f"the header is longer than {MAX_HEADER} bytes or {MAX_LINES} lines")

    def _refuse(self, status: int, reason: str) -> NoReturn:
        self.refusal = status, reason
        raise h11.RemoteProtocolError(reason, error_status_hint=status)


class BoundedProtocol(H11Protocol):
    """uvicorn's protocol with limits of time; `check` must be called now and then."""

    limits: ClassVar[Limits]
    conn: BoundedConnection

    def connection_made(self, transport: Any) -> None:
        """Starts a connection; its first request is awaited."""
        super().connection_made(transport)
        self.conn = BoundedConnection(h11.SERVER, MAX_HEADER)
        self._awaited: str | None = "header"
        self._since = self._unsent_since = self.loop.time()
        self._received = 0  # bytes of what is awaited

    def data_received(self, data: bytes) -> None:
        """Takes what the client sent."""
        self._received += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        self._note()
        is_ignored = self._awaited == "body" and self.cycle.response_complete
        if is_ignored and self._received > MAX_IGNORED:
            self.transport.abort()

    def on_response_complete(self) -> None:
        """Goes on to the next request."""
        super().on_response_complete()
        self._note()

    def send_400_response(self, msg: str) -> None:
        """Refuses what cannot be read."""
        status, reason = self.conn.refusal
        log_refusal(self._client, status, reason)
        if self.cycle is None or self.cycle.response_complete:
            self._refuse(status)
        else:  # an answer is under way
            self.transport.abort()

    def shutdown(self) -> None:
        """Ends the connection after the answer that is under way."""
        if not self.transport.is_closing():  # h11 does not know of our refusals
            super().shutdown()

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
                self._refuse(408)
        self.transport.close()

    def _refuse(self, status: int) -> None:
        """Sends a status, and closes the connection."""
        line = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"
        end = "Connection: close\r\nContent-Length: 0\r\n\r\n"
        self.transport.write(f"{line}\r\n{end}".encode())
        self.transport.close()

    @property
    def _client(self) -> str:
        return client_key(self.client[0] if self.client else "")


def bounded_protocol(limits: Limits) -> type[BoundedProtocol]:
    """Returns the protocol with some limits."""
    return type("LimitedProtocol", (BoundedProtocol,), {"limits": limits})
