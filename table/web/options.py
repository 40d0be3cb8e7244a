"""The verb `gonzaga play`: its options. They can be read without the packages of a server."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gonzaga_env.command_line import parse

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
    """Serves tables until it is interrupted, or plays at the terminal; returns the exit code.

    Raises:
        GameError: an option has an invalid value, or the file of tables cannot be used.
        OSError: the address cannot be used.
    """
    if list(arguments[:1]) == ["terminal"]:
        return terminal.main(arguments[1:])
    options = parse(PlayOptions, arguments, NAME)
    from .command import serve_tables  # it needs an extra, the help does not

    return serve_tables(options)


def has_desktop() -> bool:
    """Returns whether a browser window can be opened on this machine's screen."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
