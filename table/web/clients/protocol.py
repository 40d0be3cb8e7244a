"""uvicorn's HTTP protocol, with limits on what clients send and on how long they take.

uvicorn only closes idle connections. The other time-outs are enforced by `BoundedProtocol.check`,
which the server calls for all connections twice a second; this adds no cost to a request.

| a client that | is cut off |
|---|---|
| sends more than `MAX_HEADER`, `MAX_LINES` or `MAX_TARGET` | with 431 or 414 |
| sends a body in chunks, or something other than HTTP | with 411 or 400 |
| sends nothing, or an incomplete header | after `header_seconds` |
| sends a body slower than `body_rate` | after `body_seconds` |
| reads its answer slower than `body_rate` | after `answer_seconds` |
| keeps sending the body of a refused request | after `MAX_IGNORED` bytes |
| is idle after an answer | by uvicorn |
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any, ClassVar, NoReturn

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from gonzaga_env.tabletop.bounded import MIB

from ..requests import client_key
from .limits import Limits
from .refusals import log_refusal

MAX_HEADER = 16 * 1024  # bytes of a request before its body
MAX_LINES = 100  # of them
MAX_TARGET = 2000  # bytes of a path with its query
MAX_IGNORED = 8 * MIB  # bytes of a refused request's body; closing earlier could lose the refusal
_BLANK_LINE = re.compile(rb"\n\r?\n")


class BoundedParser(h11.Connection):
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
    """uvicorn's protocol with time limits, which `check` enforces; call it regularly."""

    limits: ClassVar[Limits]
    conn: BoundedParser

    def connection_made(self, transport: Any) -> None:
        """Starts a connection; its first request is awaited."""
        super().connection_made(transport)
        self.conn = BoundedParser(h11.SERVER, MAX_HEADER)
        self._awaited: str | None = "header"
        self._since = self._unsent_since = self.loop.time()
        self._received = 0  # bytes of what is awaited
        self._unsent = 0  # most bytes of answers that waited to be sent since `_unsent_since`

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
        """Continues with the next request."""
        super().on_response_complete()
        self._note()

    def send_400_response(self, msg: str) -> None:
        """Refuses an unreadable request."""
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

    @property
    def answering(self) -> bool:
        """Whether an answer is under way."""
        return self.cycle is not None and not self.cycle.response_complete

    def check(self, now: float) -> None:
        """Ends the connection if its client takes too long; `now` is the loop's time."""
        limits, since = self.limits, now - self._since
        unsent = self.transport.get_write_buffer_size()
        self._unsent = max(self._unsent, unsent)
        if not unsent or self._unsent - unsent >= limits.body_rate * limits.answer_seconds:
            self._unsent, self._unsent_since = unsent, now
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
    """Returns the protocol with the given limits."""
    return type("LimitedProtocol", (BoundedProtocol,), {"limits": limits})
