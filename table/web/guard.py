"""Checks every request (host, origin, password), and turns errors into answers."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import secrets
import stat
from collections.abc import Collection
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.errors import ActionError, GameError, OptionError
from gonzaga_env.kernel.messages import short_repr

from ..session import SessionError, StaleMoveError
from .protocol import RequestError, bearer, error_json, json_answer
from .store import StoreError

#: Code of each status of a `RequestError`.
_CODES = {
    401: "password",
    403: "forbidden",
    404: "not_found",
    409: "revealed",
    413: "too_large",
    429: "too_many",
}
#: Code and status of the other errors of the protocol; the first class that fits counts.
_ERRORS: tuple[tuple[type[GameError], str, int], ...] = (
    (StoreError, "failed", 500),
    (StaleMoveError, "stale", 409),
    (SessionError, "forbidden", 403),
    (ActionError, "illegal", 400),
    (AgentError, "illegal", 400),
    (GameError, "malformed", 400),
)
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_HOST = re.compile(
    r"(?:(?P<name>[\w.-]{1,255})|\[(?P<number>[\da-f:.]{2,45})\])(?::\d{1,5})?", re.ASCII | re.I
)
ANY_HOST = ("0.0.0.0", "::")  # addresses that mean all of a machine's
_LOGGER = logging.getLogger("gonzaga_table.web")


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


class Guard:
    """Refuses requests under foreign names, from foreign pages, or without the password.

    Any web page may make its own name point at 127.0.0.1 ("DNS rebinding") and then read this
    server's answers, so the name must be one of the server's own. All answers get security headers.
    """

    def __init__(
        self, app: ASGIApp, host: str, names: Collection[str] = (), password: Password | None = None
    ) -> None:
        self._app = app
        self._names = {name.lower() for name in ("localhost", "127.0.0.1", "::1", host, *names)}
        self._any_address = host in ANY_HOST
        self._password = password

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or passes it on."""
        app = self._app
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        answer = _Answer(scope["path"], send)
        try:
            headers = Headers(scope=scope)
            self._check_names(headers)
            if not scope["path"].isprintable():  # a route may match a line break at the end
                raise RequestError("there is no such address", 404)
            if self._password is not None:
                await self._password.check(scope["path"], headers)
        except GameError as error:
            app = error_answer(error)
        try:
            await app(scope, receive, answer.send)
        except asyncio.CancelledError:  # the server ends, and has waited long enough
            if not answer.started:
                refusal = error_response("failed", "the server has ended", 503)
                await refusal(scope, receive, answer.send)

    def _check_names(self, headers: Headers) -> None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_own(host):
            name = short_repr(host)
            raise RequestError(
                f"this server does not answer to the name {name}; start it with --name", 403
            )
        own = f"http://{host.lower()}", f"https://{host.lower()}"
        if origin is not None and origin.lower() not in own:
            raise RequestError("requests from pages of other sites are refused", 403)
        # A server for this machine alone must not be opened to all by a proxy.
        if self._password is None and "x-forwarded-for" in headers:
            raise RequestError(
                "this request came through a proxy; start the server with --password-file", 403
            )

    def _is_own(self, host: str) -> bool:
        """Returns whether a header Host holds a name or number of this server."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = (found["name"] or found["number"]).lower()
        return name in self._names or (self._any_address and _is_address(name))


class _Answer:
    """Sends an answer with the headers that all answers have."""

    def __init__(self, path: str, send: Send) -> None:
        self._is_page, self._send = not path.startswith("/api/"), send
        self.started = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            if not self._is_page:
                headers.setdefault("Cache-Control", "no-store")
        await self._send(message)


def _is_address(name: str) -> bool:
    """Returns whether a host is a numeric address, which nobody can make point elsewhere."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def error_response(code: str, message: str, status: int) -> Response:
    return json_answer(error_json(code, message), status)


def error_answer(error: GameError) -> Response:
    message = str(error)
    if "\n" in message:
        message = message.partition("\n")[0]
    if isinstance(error, RequestError):
        return error_response(_CODES.get(error.status, "malformed"), message, error.status)
    code, status = next((code, status) for kind, code, status in _ERRORS if isinstance(error, kind))
    if isinstance(error, StoreError):  # it names a file, which is for the terminal
        _LOGGER.error("%s", message)
        message = "the tables cannot be stored or read; the server's terminal says why"
    return error_response(code, message, status)


async def on_error(request: Request, error: Exception) -> Response:
    """Answers a request that failed; it has changed nothing."""
    if isinstance(error, HTTPException):
        code = {404: "not_found", 405: "malformed"}.get(error.status_code, "malformed")
        return error_response(code, str(error.detail), error.status_code)
    if isinstance(error, ClientDisconnect):
        return Response(status_code=400)  # the client has left
    if isinstance(error, GameError):
        return error_answer(error)
    return error_response("failed", "the server failed; its terminal says why", 500)


class Password:
    """Checks the server's password; links to tables work without it."""

    def __init__(self, text: str) -> None:
        self._text = text.encode()

    async def check(self, path: str, headers: Headers) -> None:
        """Checks a request's password, which is a bearer token."""
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
    return secrets.token_urlsafe(12)


def read_password(file: Path) -> str:
    """Returns the password in a file that nobody else may read: its only line."""
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
