"""The command `gonzaga-play`: serves tables to browsers."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import uvicorn

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import MAX_PLAYERS, MIN_PLAYERS
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.editions.files import load_edition, shipped_editions
from gonzaga_env.core.errors import GonzagaError, OptionError

from ...agent import AgentError
from ...registry import make_agent
from .app import make_app
from .rooms import Rooms
from .roster import Roster
from .store import Store

NAME = "gonzaga-play"
MAX_CONNECTIONS = 2000
SHUTDOWN_SECONDS = 5  # for answers that are under way
SWITCH_SECONDS = 0.0005
KEEP_ALIVE_SECONDS = 30  # of a connection without requests


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


class _Server(uvicorn.Server):
    """A server that answers all who wait for news before it ends."""

    def __init__(self, config: uvicorn.Config, rooms: Rooms) -> None:
        super().__init__(config)
        self._rooms = rooms

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._rooms.close_waiting()
        await super().shutdown(sockets)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves tables until it is interrupted, and returns the exit code.

    Args:
        arguments: the command line without the program; None for `sys.argv[1:]`.

    Raises:
        GonzagaError: an option has an invalid value, or the file of tables cannot be used.
        OSError: the address cannot be used.
        KeyboardInterrupt: the server was interrupted, and has ended in order.
    """
    options = _parser().parse_args(arguments)
    _check(options)
    editions = find_editions(options.edition)
    roster = Roster(offered_agents(options.agent, editions))
    data = default_data() if options.data is None else options.data
    with closing(Store(data)) as store, closing(listen(options.host, options.port)) as listening:
        rooms = Rooms(store, roster, editions, options.max_tables, options.keep_days)
        address = _address(options.host, listening.getsockname()[1])
        print(f"{NAME}: {address} (tables in {data}; Ctrl-C ends it)", flush=True)
        if options.open:
            webbrowser.open(address)
        _serve(rooms, listening, options)
    return 0


def _serve(rooms: Rooms, listening: socket.socket, options: argparse.Namespace) -> None:
    """Serves until it is interrupted."""
    config = uvicorn.Config(
        make_app(rooms, options.host, options.name),
        log_level="warning",
        access_log=False,
        ws="none",
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    # Agents think in threads. Python lets one run for 5 ms before another gets its turn, and an
    # answer takes several turns.
    sys.setswitchinterval(SWITCH_SECONDS)
    _Server(config, rooms).run(sockets=[listening])


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
            listening.listen(1024)
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
    (folder / "gonzaga").mkdir(parents=True, exist_ok=True)
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
            except GonzagaError as error:
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
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"


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
    add("--max-tables", type=int, default=500, help="tables at once, finished ones too (500)")
    add("--keep-days", type=int, default=30, help="days that an unused table is kept (30)")
    add(
        "--open",
        action=argparse.BooleanOptionalAction,
        default=_has_desktop(),
        help="open the browser",
    )
    return parser
