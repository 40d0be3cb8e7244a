"""The command `gonzaga-play`: serves tables to browsers."""

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
from typing import NoReturn

import uvicorn
from gonzaga_agents.registry import make_agent

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import MAX_PLAYERS, MIN_PLAYERS
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.editions.loading import load_edition, shipped_editions
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.errors import GameError, OptionError

from .app import make_app
from .clients.connections import Listener, room_for_connections
from .clients.limits import LIMITS, Clients, Limits
from .clients.password import Password, random_password, read_password
from .clients.protocol import BoundedProtocol, bounded_protocol
from .clients.refusals import BoundedHandler
from .guard import ANY_HOST
from .tables.rooms import Rooms
from .tables.roster import Roster
from .tables.store import Store

NAME = "gonzaga-play"
SHUTDOWN_SECONDS = 5  # for answers that are under way
SWITCH_SECONDS = 0.0005
KEEP_ALIVE_SECONDS = 30  # of a connection without requests
_BACKLOG = 256  # connections that wait to be accepted, and that are accepted at a time
_POLL_SECONDS = 0.1  # between looks for requests that wait although the server ends
_TICKS = 5  # tenths of a second between looks at the connections


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


class _Server(uvicorn.Server):
    """A server that enforces time limits, and answers everybody who waits before it ends."""

    def __init__(self, config: uvicorn.Config, rooms: Rooms, log: BoundedHandler) -> None:
        super().__init__(config)
        self._rooms, self._log = rooms, log

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS == 0:
            now = asyncio.get_running_loop().time()
            for connection in list(self.server_state.connections):
                if isinstance(connection, BoundedProtocol):
                    connection.check(now)
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
        """Answers all who wait, including requests that are still arriving."""
        while True:
            self._rooms.close_waiting()
            await asyncio.sleep(_POLL_SECONDS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves tables until it is interrupted, and returns the exit code.

    Args:
        arguments: the command line without the program; None for `sys.argv[1:]`.

    Raises:
        GameError: an option has an invalid value, or the file of tables cannot be used.
        OSError: the address cannot be used.
        KeyboardInterrupt: the server was interrupted, and has ended in order.
    """
    options = _parser().parse_args(arguments)
    _check(options)
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
    """Returns the lobby's password, None if anybody who reaches the server may use the lobby."""
    if options.password_file is not None:
        return read_password(options.password_file)
    is_local = ip_address(listening.getsockname()[0].partition("%")[0]).is_loopback
    if options.no_password or (is_local and not options.proxy):
        return None
    return random_password()


def _serve(
    rooms: Rooms,
    listening: socket.socket,
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
    _Server(config, rooms, log).run(sockets=[listening])


def find_editions(paths: Sequence[str]) -> dict[str, Edition]:
    """Returns the shipped editions and those of some folders, by the ids that pages use.

    Raises:
        EditionError: an edition cannot be found or has faults.
        OptionError: two folders have the same name.
    """
    found = {name: load_edition(name) for name in shipped_editions()}
    for path in paths:
        edition = load_edition(path)
        name = path if path in found else Path(path).resolve().name
        if found.setdefault(name, edition) != edition:
            raise OptionError(f"there are two editions named {name!r}; rename a folder")
    return found


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


def offered_agents(specs: Sequence[str], editions: dict[str, Edition]) -> tuple[str, ...]:
    """Returns the agents that the owner offers.

    Raises:
        AgentError: one of them plays no number of players on no edition.
    """
    return tuple(_checked_agent(spec, editions) for spec in specs)


def _checked_agent(spec: str, editions: dict[str, Edition]) -> str:
    faults = []
    for edition in editions.values():
        for num_players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
            try:
                make_agent(spec, GameConfig(num_players, edition=edition))
            except GameError as error:
                faults.append(str(error).partition("\n")[0])
            else:
                return spec
    raise AgentError(faults[0])


def _check(options: argparse.Namespace) -> None:
    for name in ("max_tables", "keep_days"):
        if getattr(options, name) < 1:
            text = name.replace("_", "-")
            raise OptionError(f"--{text} is {getattr(options, name)}; it takes 1 or more")


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


def _proxy(text: str) -> str:
    """Returns the address of a proxy as it is compared."""
    try:
        return str(ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an IP address; give the proxy's, such as 127.0.0.1"
        ) from None


def _forms(proxies: Sequence[str]) -> list[str]:
    """Returns proxies' addresses in all forms that a socket reports: IPv6 ones also serve IPv4."""
    return [*proxies, *(f"::ffff:{proxy}" for proxy in proxies if ":" not in proxy)]


def _has_desktop() -> bool:
    """Returns whether a browser's window can be opened for somebody who looks."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=NAME,
        description="Play Gonzaga in the browser, against agents or with other people.",
    )
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="the address to serve on; 0.0.0.0 for your network")
    lobby = parser.add_mutually_exclusive_group()
    lobby.add_argument(
        "--password-file",
        type=Path,
        metavar="FILE",
        help="holds the lobby's password (for a network: a new one at each start, in the address)",
    )
    lobby.add_argument(
        "--no-password",
        action="store_true",
        help="let anybody who reaches this server open tables",
    )
    add(
        "--proxy",
        action="append",
        default=[],
        type=_proxy,
        metavar="ADDRESS",
        help="the address of a proxy whose X-Forwarded-For is believed",
    )
    add("--port", type=int, default=8000, help="the port, 0 for any that is free (8000)")
    add(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="a further name under which browsers reach this machine",
    )
    add(
        "--data",
        type=Path,
        metavar="FILE",
        help="where tables are kept (gonzaga/tables.sqlite in your folder for data)",
    )
    add(
        "--agent",
        action="append",
        default=[],
        metavar="SPEC",
        help="one more agent to offer: a checkpoint, a run's folder, module:Class, search@64, ...",
    )
    add(
        "--edition",
        action="append",
        default=[],
        metavar="PATH",
        help="one more edition to offer: its folder",
    )
    add("--max-tables", type=int, default=500, help="most tables, finished ones too (500)")
    add("--keep-days", type=int, default=30, help="days that an unused table is kept (30)")
    add(
        "--open",
        action=argparse.BooleanOptionalAction,
        default=_has_desktop(),
        help="open the browser",
    )
    return parser
