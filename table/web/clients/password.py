"""The lobby's password, needed to open tables, use the editor and read records."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable
from hmac import compare_digest
from pathlib import Path
from time import monotonic

from starlette.datastructures import Headers

from gonzaga_env.tabletop.errors import GameError, OptionError

from ..requests import bearer
from .limits import Rate

SHORTEST, LONGEST = 8, 200  # characters
_GUESS_RATE, _GUESSES = 0.1, 10.0  # wrong passwords a second in the long run, and at once


class PasswordError(GameError, PermissionError):
    """The lobby's password is missing or wrong."""


class Password:
    """Checks the lobby's password; links to tables work without it."""

    def __init__(self, text: str, clock: Callable[[], float] = monotonic) -> None:
        self._text = text.encode()
        self._wrong = Rate(_GUESS_RATE, _GUESSES, clock)

    def check(self, client: str, path: str, headers: Headers) -> None:
        """Checks a request's password, which is a bearer token.

        Raises:
            PasswordError: it needs one, and has none or a wrong one.
            LimitError: too many wrong ones came from this client; even the right one must wait.
        """
        if not is_lobby(path):
            return
        given = bearer(headers)
        if given is None:
            raise PasswordError("the password of the lobby is missing")
        self._wrong.check(client, "too many wrong passwords of this address; try again later")
        if not compare_digest(given.encode(), self._text):
            self._wrong.spend(client, 1)
            raise PasswordError("the password of the lobby is wrong")


def is_lobby(path: str) -> bool:
    """Returns whether a path needs the password: everything that costs the server much work.

    Tables are open to those who know their address, and what is on offer is not secret.
    """
    plays_on = path.startswith("/api/games/") and path.endswith("/tables")
    lobby = "/api/tables", "/api/lobby", "/api/records", "/api/games"
    return path in lobby or plays_on or path.startswith("/api/editor/")


def random_password() -> str:
    """Returns a new password that nobody can guess."""
    return secrets.token_urlsafe(12)


def read_password(file: Path) -> str:
    """Returns the password in a file: its only line.

    Raises:
        OptionError: others may read the file, or it holds no usable password.
        OSError: it cannot be read.
    """
    with file.open("rb") as opened:
        mode = os.fstat(opened.fileno()).st_mode
        if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
            raise OptionError(f"{file}: others may read or write this file; run chmod 600")
        content = opened.read(LONGEST + 2)
    text = content.removesuffix(b"\n").removesuffix(b"\r").decode("ascii", "replace")
    if not (SHORTEST <= len(text) <= LONGEST and text.isascii() and text.isprintable()):
        raise OptionError(
            f"{file}: a password is one line of {SHORTEST} to {LONGEST} ASCII characters"
        )
    if " " in text:
        raise OptionError(f"{file}: a password has no spaces")
    return text
