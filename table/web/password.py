"""The password of a server on a network, needed to open tables and to read records."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import stat
from hmac import compare_digest
from pathlib import Path

from starlette.datastructures import Headers

from gonzaga_env.kernel.errors import OptionError

from .requests import RequestError, bearer

SHORTEST, LONGEST = 8, 200  # characters
WRONG_SECONDS = 1.0  # until a wrong password is refused
#: What is on offer is not secret, and tables are open to those who know their address. Pages and
#: static files lie outside the API.
_OPEN = re.compile(
    r"/api/(options|board|puzzles"
    r"|puzzles/[\w-]+(/(answer|preview|refusal|overview))?"
    r"|tables/[\w-]+(/(events|moves|name|undo|agent|rematch|hint|preview|refusal|overview|record))?"
    r"|games/[\w-]+(/(drawn|record|analysis))?)",
    re.ASCII,
)


class Password:
    """Checks the server's password; links to tables work without it."""

    def __init__(self, text: str) -> None:
        self._text = text.encode()

    async def check(self, path: str, headers: Headers) -> None:
        """Checks a request's password, which is a bearer token.

        Raises:
            RequestError: it needs one, and has none or a wrong one.
        """
        if not needs_password(path):
            return
        given = bearer(headers)
        if given is None:
            raise RequestError("the password is missing", 401)
        if not compare_digest(given.encode(), self._text):
            await asyncio.sleep(WRONG_SECONDS)
            raise RequestError("the password is wrong", 401)


def needs_password(path: str) -> bool:
    """Returns whether a path needs the password: all of the API but what `_OPEN` lists."""
    return path.startswith("/api/") and _OPEN.fullmatch(path) is None


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
