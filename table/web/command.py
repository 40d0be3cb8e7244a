"""The verb `gonzaga play`: its options, and what it serves.

The options can be read without the packages of a server.
"""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from gonzaga_agents.registry import make_agent

from gonzaga_env.command_line import parse
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import GameError

from ..terminal import command as terminal

NAME = "gonzaga play"


@dataclass(frozen=True)
class PlayOptions:
    """Play a game in the browser, alone against agents or with friends.

    `gonzaga play terminal` plays at the terminal instead.

    Examples:
        gonzaga play
        gonzaga play --host 0.0.0.0 --agent search@64
        gonzaga play terminal --seats human greedy planner
    """

    host: str = "127.0.0.1"
    """The address to serve on; 0.0.0.0 for your network."""
    port: int = 8000
    """The port; 0 for any that is free."""
    name: tuple[str, ...] = ()
    """Further names under which browsers reach this machine, such as a proxy's."""
    password_file: Path | None = None
    """Holds the password; without it, a server for a network makes a new one at each start."""
    data: Path | None = None
    """Where tables are kept; by default gonzaga/tables.sqlite in your folder for data."""
    agent: tuple[str, ...] = ()
    """More agents to offer: a checkpoint, a run's folder, module:Class, search@64, ..."""
    edition: tuple[str, ...] = ()
    """More editions to offer: a folder of Gonzaga's, another game's file, or a name."""
    no_open: bool = False
    """Do not open the browser, as it is done on a desktop."""


def main(arguments: Sequence[str]) -> int:
    """Serves tables until it is interrupted, or plays at the terminal; returns the exit code."""
    if list(arguments[:1]) == ["terminal"]:
        return terminal.main(arguments[1:])
    options = parse(PlayOptions, arguments, NAME)
    # These need an extra, which reading the options does not.
    from .agents import Roster
    from .app import find_editions, make_app
    from .guard import Password, random_password, read_password
    from .rooms import Rooms
    from .server import address_of, listen, serve
    from .store import Store

    editions = find_editions(options.edition)
    roster = Roster(offered_agents(options.agent, editions), in_processes=True)
    data = default_data() if options.data is None else options.data
    with closing(Store(data)) as store, closing(listen(options.host, options.port)) as listening:
        host, port = listening.getsockname()[:2]
        address, password = address_of(options.host, port), None
        if options.password_file is not None:
            password = read_password(options.password_file)
        elif not ip_address(host.partition("%")[0]).is_loopback:
            password = random_password()
            address += f"/#password={password}"
        print(f"{NAME}: {address} (tables in {data}; Ctrl-C ends it)", flush=True)
        if has_desktop() and not options.no_open:
            webbrowser.open(address)
        rooms = Rooms(store, roster, editions)
        checked = None if password is None else Password(password)
        serve(make_app(rooms, options.host, options.name, checked), rooms, listening)
    return 0


def default_data() -> Path:
    """Returns the file of tables in the user's folder for data, and makes the folder."""
    home = os.environ.get("XDG_DATA_HOME")
    folder = Path(home) if home else Path.home() / ".local" / "share"
    (folder / "gonzaga").mkdir(0o700, parents=True, exist_ok=True)
    return folder / "gonzaga" / "tables.sqlite"


def offered_agents(specs: Sequence[str], editions: Mapping[str, EditionBase]) -> tuple[str, ...]:
    return tuple(_checked_agent(spec, editions) for spec in specs)


def _checked_agent(spec: str, editions: Mapping[str, EditionBase]) -> str:
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


def has_desktop() -> bool:
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
