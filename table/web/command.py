"""The server of `gonzaga play`: it serves tables to browsers."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import webbrowser
from collections.abc import Sequence
from contextlib import closing
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import uvicorn
from gonzaga_agents.registry import make_agent

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.errors import GameError, OptionError

from .app import make_app
from .games import find_editions
from .guard import ANY_HOST
from .options import NAME, PlayOptions, has_desktop
from .password import Password, random_password, read_password
from .rooms.rooms import Rooms
from .rooms.roster import Roster
from .rooms.store import Store

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
        """Answers all waiting requests, including those that are still arriving."""
        while True:
            self._rooms.close_waiting()
            await asyncio.sleep(_POLL_SECONDS)


def serve_tables(options: PlayOptions) -> int:
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
        address = _address(options.host, listening.getsockname()[1])
        if password is not None and options.password_file is None:
            address += f"/#password={password}"
        print(f"{NAME}: {address} (tables in {data}; Ctrl-C ends it)", flush=True)
        if has_desktop() and not options.no_open:
            webbrowser.open(address)
        _serve(Rooms(store, roster, editions), listening, options, password)
    return 0


def _password(options: PlayOptions, listening: socket.socket) -> str | None:
    """Returns the password; None if the server is for this machine alone and has none."""
    if options.password_file is not None:
        return read_password(options.password_file)
    is_local = ip_address(listening.getsockname()[0].partition("%")[0]).is_loopback
    return None if is_local else random_password()


def _serve(
    rooms: Rooms, listening: socket.socket, options: PlayOptions, password: str | None
) -> None:
    """Serves until it is interrupted."""
    checked = None if password is None else Password(password)
    config = uvicorn.Config(
        make_app(rooms, options.host, options.name, checked),
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
    logging.basicConfig(format=f"{NAME}: %(message)s")
    _Server(config, rooms).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
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
