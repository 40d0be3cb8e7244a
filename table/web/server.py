"""The server of `gonzaga play`: sockets, and an end at which nobody is left waiting."""

from __future__ import annotations

import asyncio
import logging
import socket

import uvicorn
from starlette.types import ASGIApp

from gonzaga_env.kernel.errors import OptionError

from .guard import ANY_HOST
from .rooms import Rooms

SHUTDOWN_SECONDS = 5  # for answers that are under way
MAX_CONNECTIONS = 1000
MAX_HEADER = 16 * 1024  # bytes of a request before its body
_POLL_SECONDS = 0.1  # between looks for requests that wait although the server ends


class _Server(uvicorn.Server):
    """A server that answers all waiting requests before it ends."""

    def __init__(self, config: uvicorn.Config, rooms: Rooms) -> None:
        super().__init__(config)
        self._rooms = rooms

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        telling = asyncio.create_task(self._close_waiting())
        await asyncio.sleep(0)  # it has answered those who wait already
        try:
            await super().shutdown(sockets)
        finally:
            telling.cancel()

    async def _close_waiting(self) -> None:
        while True:
            self._rooms.close_waiting()
            await asyncio.sleep(_POLL_SECONDS)


def serve(app: ASGIApp, rooms: Rooms, listening: socket.socket) -> None:
    """Serves an application until it is interrupted, and raises KeyboardInterrupt then."""
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        h11_max_incomplete_event_size=MAX_HEADER,
        limit_concurrency=MAX_CONNECTIONS,
        proxy_headers=False,
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    logging.basicConfig(format="gonzaga play: %(message)s")
    _Server(config, rooms).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """Returns a socket that listens; OSError names the address."""
    if not 0 <= port <= 65535:
        raise OptionError(f"port is {port}; it takes 0 to 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen()
        except OSError:
            listening.close()
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from None
    return listening


def address_of(host: str, port: int) -> str:
    if host in ANY_HOST:
        host = _network_address(socket.AF_INET6 if ":" in host else socket.AF_INET)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _network_address(family: socket.AddressFamily) -> str:
    """Returns the address under which the network reaches this machine, or the loopback's."""
    outside, loopback = {
        socket.AF_INET: ("192.0.2.1", "127.0.0.1"),
        socket.AF_INET6: ("2001:db8::1", "::1"),
    }[family]
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((outside, 9))  # sends nothing; the system chooses the own address
        except OSError:
            return loopback
        return str(probe.getsockname()[0])
