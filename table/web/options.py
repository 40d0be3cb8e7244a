"""The command `gonzaga-play`: its options. They can be read without the packages of a server."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from gonzaga_env.command_line import OneLineParser, examples

NAME = "gonzaga-play"


def main() -> int:
    """Serves tables until it is interrupted, and returns the exit code (see `serve_tables`)."""
    options = _parser().parse_args()
    from .command import serve_tables  # it needs an extra, the help does not

    return serve_tables(options)


def _has_desktop() -> bool:
    """Returns whether a browser window can be opened on this machine's screen."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=NAME,
        description="Play a game in the browser, alone against agents or with friends.",
        epilog=examples(
            "gonzaga-play",
            "gonzaga-play --host 0.0.0.0 --agent search@64 --data tables.sqlite",
        ),
    )
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="the address to serve on; 0.0.0.0 for your network")
    add("--port", type=int, default=8000, help="the port, 0 for any that is free (8000)")
    add(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="a further name under which browsers reach this machine, such as a proxy's",
    )
    add(
        "--password-file",
        type=Path,
        metavar="FILE",
        help="holds the password (for a network: a new one at each start, in the address)",
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
        help="one more edition to offer: a folder of Gonzaga's, or another game's file",
    )
    add(
        "--open",
        action=argparse.BooleanOptionalAction,
        default=_has_desktop(),
        help="open the browser",
    )
    return parser
