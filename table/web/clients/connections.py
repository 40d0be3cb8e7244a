"""Connections: how many there may be, in all and of one client."""

from __future__ import annotations

import socket
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from gonzaga_env.tabletop.errors import OptionError

from ..requests import client_key
from .limits import LimitError, Limits, Share
from .refusals import log_refusal

_AT_A_TIME = 10  # connections refused before the event loop does something else
_ENDING = 8  # connections being ended for others; they still hold files, of `_SPARE_FILES`
_FILES_EACH = 2  # a connection's socket, and the page that is sent over it
_SPARE_FILES = 16  # for the event loop, the database's journals and the editor's process
_FEWEST = 4


def room_for_connections(most: int) -> int:
    """Returns how many connections the limit on open files leaves room for, at most `most`.

    Raises the limit first, as far as needed and allowed.

    Raises:
        OptionError: the limit is too low.
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

    Further ones are closed at once: asyncio would accept them all, run out of descriptors, and
    then write thousands of tracebacks a second. When all are taken, the client with the most loses
    its longest idle one to a client that has fewer; one that is being answered, such as a stream of
    news, only if it has no others.

    Attributes:
        answering: the descriptors of connections that are being answered.
    """

    answering: Collection[int] = ()

    _share: Share | None = None
    _proxies: frozenset[str] = frozenset()

    def limit(self, limits: Limits, proxies: Collection[str] = ()) -> None:
        """Sets the limits; connections from the addresses of proxies count only in all."""
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
            # Clients behind a proxy are limited by their requests instead.
            key = f"{client}:{address[1]}" if address[0] in self._proxies else client
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
        """Ends the longest idle connection of the client with the most, for a client with fewer."""
        assert self._share is not None
        most = self._share.largest()
        ending = sum(connection.ended for connection in self._open)
        if self._share.used(key) + 1 < self._share.used(most) and ending < _ENDING:
            theirs = (c for c in self._open if c.key == most and not c.ended)
            min(theirs, key=lambda c: (c.fileno() in self.answering, c.active)).end()


class _Connection(socket.socket):
    """A connection that counts until it ends.

    Attributes:
        key: whom it counts for.
        active: when something was last sent or received.
        ended: whether it no longer counts, and is only to be closed.
    """

    def __init__(
        self, accepted: socket.socket, key: str, all_open: set[_Connection], share: Share
    ) -> None:
        family, kind, protocol = accepted.family, accepted.type, accepted.proto
        super().__init__(family, kind, protocol, fileno=accepted.detach())
        self.key, self.active, self.ended = key, monotonic(), False
        self._all, self._share = all_open, share
        all_open.add(self)

    # The two that asyncio calls.
    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        self.active = monotonic()
        return super().recv(bufsize, flags)

    def send(self, data: Any, flags: int = 0, /) -> int:
        self.active = monotonic()
        return super().send(data, flags)

    def end(self) -> None:
        """Ends the connection; the event loop then closes it as if the client had left."""
        self._stop_counting()
        with suppress(OSError):  # the client has left
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Closes the connection."""
        self._stop_counting()
        self._all.discard(self)
        super().close()

    def _stop_counting(self) -> None:
        if not self.ended:
            self.ended = True
            self._share.give_back(self.key)
