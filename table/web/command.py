"""The server of `gonzaga-play`: it serves tables to browsers."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import uvicorn
from gonzaga_agents.registry import make_agent

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.errors import GameError, OptionError

from .app import make_app
from .clients.connections import Listener, room_for_connections
from .clients.limits import LIMITS, Clients, Limits
from .clients.password import Password, random_password, read_password
from .clients.protocol import BoundedProtocol, bounded_protocol
from .clients.refusals import BoundedHandler
from .games import find_editions
from .guard import ANY_HOST
from .options import NAME
from .rooms.rooms import Rooms
from .rooms.roster import Roster
from .rooms.store import Store

SHUTDOWN_SECONDS = 5  # for answers that are under way
SWITCH_SECONDS = 0.0005
KEEP_ALIVE_SECONDS = 30  # of a connection without requests
_BACKLOG = 256  # connections that wait to be accepted, and that are accepted at a time
_POLL_SECONDS = 0.1  # between looks for requests that wait although the server ends
_TICKS = 5  # tenths of a second between looks at the connections


class _Server(uvicorn.Server):
    """A server that enforces time limits, and answers all waiting requests before it ends."""

    def __init__(
        self,
        config: uvicorn.Config,
        rooms: Rooms,
        log: BoundedHandler,
        listening: Listener | None = None,
    ) -> None:
        super().__init__(config)
        self._rooms, self._log, self._listening = rooms, log, listening

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS == 0:
            now = asyncio.get_running_loop().time()
            bounded = (c for c in self.server_state.connections if isinstance(c, BoundedProtocol))
            connections = list(bounded)
            for connection in connections:
                connection.check(now)
            if self._listening is not None:
                busy = (c.transport for c in connections if c.answering)
                self._listening.answering = {t.get_extra_info("socket").fileno() for t in busy}
            self._log.tell_dropped()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        telling = asyncio.create_task(self._close_waiting())
        await asyncio.sleep(0)  # it has answered those who wait already
        try:
            await super().shutdown(sockets)
        finally:
            telling.cancel()

    async def _close_waiting(self) -> None:
        """Answers all waiting requests, including those that are still arriving."""
        while True:
            self._rooms.close_waiting()
            await asyncio.sleep(_POLL_SECONDS)


def serve_tables(options: argparse.Namespace) -> int:
    """Serves tables until it is interrupted, and returns the exit code.

    Raises:
        GameError: an option has an invalid value, or the file of tables cannot be used.
        OSError: the address cannot be used.
        KeyboardInterrupt: the server was interrupted, and has ended in order.
    """
    editions = find_editions(options.edition)
    roster = Roster(offered_agents(options.agent, editions), apart=True)
    data = default_data() if options.data is None else options.data
    with closing(Store(data)) as store, closing(listen(options.host, options.port)) as listening:
        password = _password(options, listening)
        limits = replace(LIMITS, connections=room_for_connections(LIMITS.connections))
        listening.limit(limits, _forms(options.proxy))
        rooms = Rooms(store, roster, editions, options.max_tables, options.keep_days)
        address = _address(options.host, listening.getsockname()[1])
        if password is not None and options.password_file is None:
            address += f"/#password={password}"
        print(f"{NAME}: {address} (tables in {data}; Ctrl-C ends it)", flush=True)
        if options.open:
            webbrowser.open(address)
        _serve(rooms, listening, options, limits, password)
    return 0


def _password(options: argparse.Namespace, listening: socket.socket) -> str | None:
    """Returns the lobby's password; None if the lobby is open to everybody."""
    if options.password_file is not None:
        return read_password(options.password_file)
    is_local = ip_address(listening.getsockname()[0].partition("%")[0]).is_loopback
    if options.no_password or (is_local and not options.proxy):
        return None
    return random_password()


def _serve(
    rooms: Rooms,
    listening: Listener,
    options: argparse.Namespace,
    limits: Limits,
    password: str | None,
) -> None:
    """Serves until it is interrupted."""
    app = make_app(
        rooms,
        options.host,
        options.name,
        Clients(limits),
        None if password is None else Password(password),
        # A local server without a password must not be exposed by a forgotten proxy.
        takes_forwarded=bool(options.proxy or options.no_password or password),
    )
    config = uvicorn.Config(
        app,
        http=bounded_protocol(limits),
        loop="asyncio",  # uvloop does not call `Listener.accept`
        ws="none",
        backlog=_BACKLOG,
        proxy_headers=bool(options.proxy),
        forwarded_allow_ips=_forms(options.proxy),
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    log = BoundedHandler(NAME)
    logging.basicConfig(handlers=[log], format="%(message)s")
    # Threads make records. Python lets one run for 5 ms before another gets its turn, and an answer
    # takes several turns.
    sys.setswitchinterval(SWITCH_SECONDS)
    _Server(config, rooms, log, listening).run(sockets=[listening])


def listen(host: str, port: int) -> Listener:
    """Returns a socket that listens.

    Raises:
        OSError: the address is in use or not this machine's; it names the address.
    """
    if not 0 <= port <= 65535:
        raise OptionError(f"port is {port}; it takes 0 to 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = Listener(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(_BACKLOG)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from None
    return listening


def default_data() -> Path:
    """Returns the file of tables in the user's folder for data, and makes the folder."""
    home = os.environ.get("XDG_DATA_HOME")
    folder = Path(home) if home else Path.home() / ".local" / "share"
    (folder / "gonzaga").mkdir(0o700, parents=True, exist_ok=True)
    return folder / "gonzaga" / "tables.sqlite"


def offered_agents(specs: Sequence[str], editions: dict[str, Any]) -> tuple[str, ...]:
    """Returns the agents that the owner offers.

    Raises:
        AgentError: one of them plays no number of players on no edition.
    """
    return tuple(_checked_agent(spec, editions) for spec in specs)


def _checked_agent(spec: str, editions: dict[str, Any]) -> str:
    faults = []
    for edition in editions.values():
        game = game_spec(edition.game)
        for num_players in game.players:
            try:
                make_agent(spec, game.config(num_players=num_players, edition=edition))
            except GameError as error:
                faults.append(str(error).partition("\n")[0])
            else:
                return spec
    raise AgentError(faults[0])


def _address(host: str, port: int) -> str:
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


def _forms(proxies: Sequence[str]) -> list[str]:
    """Returns proxies' addresses in all forms that a socket reports: IPv6 ones also serve IPv4."""
    return [*proxies, *(f"::ffff:{proxy}" for proxy in proxies if ":" not in proxy)]
