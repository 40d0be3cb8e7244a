"""Checks every request (host, origin, limits, password), and turns errors into answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection
from functools import partial
from ipaddress import ip_address
from math import ceil

from gonzaga_agents.common.processes import WorkerError
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.errors import ActionError, GameError

from ..session import SavedSessionError, SessionError, StaleMoveError, WrongSeatError
from .clients.limits import Clients, LimitError
from .clients.password import Password, PasswordError
from .clients.refusals import log_refusal
from .ladder.results import RatedError
from .learn.routes import UnknownPuzzleError
from .requests import MalformedError, TooLargeError, client_of, shown
from .rooms.changes import RevealedError
from .rooms.room import ForbiddenError
from .rooms.rooms import UnknownTableError
from .rooms.store import StoreError, TooManyError
from .values import error_json, json_answer


class ForeignError(GameError, PermissionError):
    """A request came from another site's page, or under a name that is not this server's."""


#: Code and status of every error of the protocol; the first class that fits counts.
_ERRORS: tuple[tuple[type[GameError], str, int], ...] = (
    (LimitError, "too_many", 429),
    (PasswordError, "password", 401),
    (ForeignError, "forbidden", 403),
    (TooLargeError, "too_large", 413),
    (MalformedError, "malformed", 400),
    (UnknownTableError, "not_found", 404),
    (UnknownPuzzleError, "not_found", 404),
    (TooManyError, "too_many", 429),
    (ForbiddenError, "forbidden", 403),
    (RatedError, "rated", 409),
    (StoreError, "failed", 500),
    (WorkerError, "failed", 503),
    (SavedSessionError, "failed", 500),
    (StaleMoveError, "stale", 409),
    (RevealedError, "revealed", 409),
    (WrongSeatError, "forbidden", 403),
    (SessionError, "forbidden", 403),
    (ActionError, "illegal", 400),
    (AgentError, "illegal", 400),
    (GameError, "malformed", 400),
)
_LOGGED = (400, 401, 403, 413, 429, 500, 503)  # not stale moves and unknown tables
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


class Guard:
    """Refuses requests beyond the limits, under foreign names, from foreign pages, or unauthorised.

    Any web page may make its own name point at 127.0.0.1 ("DNS rebinding") and then read this
    server's answers, so the name must be one of the server's own. All answers get security headers.
    """

    def __init__(
        self,
        app: ASGIApp,
        host: str,
        names: Collection[str] = (),
        clients: Clients | None = None,
        password: Password | None = None,
        takes_forwarded: bool = True,
    ) -> None:
        self._app = app
        self._names = {name.lower() for name in ("localhost", "127.0.0.1", "::1", host, *names)}
        self._any_address = host in ANY_HOST
        self._clients = Clients() if clients is None else clients
        self._password = password
        self._takes_forwarded = takes_forwarded

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or passes it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = client_of(Request(scope))
        answer = _Answer(scope["path"], send, partial(self._clients.send, client))
        try:
            self._clients.enter(client)
        except LimitError as error:
            await error_answer(client, error)(scope, receive, answer.send)
            return
        try:
            await self._answer(client, scope, receive, answer.send)
        except asyncio.CancelledError:  # the server ends, and has waited long enough
            if not answer.started:
                refusal = error_response("failed", "the server has ended", 503)
                await refusal(scope, receive, answer.send)
        finally:
            self._clients.leave(client)

    async def _answer(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        try:
            await self._check(client, scope)
        except GameError as error:
            app = error_answer(client, error)
        await app(scope, receive, send)

    async def _check(self, client: str, scope: Scope) -> None:
        """Raises a GameError if a request must be refused."""
        try:
            self._clients.count(client)
        except LimitError:
            await asyncio.sleep(self._clients.limits.refusal_seconds)
            raise
        headers = Headers(scope=scope)
        self._check_names(headers)
        if self._password is not None:
            self._password.check(client, scope["path"], headers)

    def _check_names(self, headers: Headers) -> None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_own(host):
            raise ForeignError(
                f"this server does not answer to the name {shown(host)}; start it with --name"
            )
        if origin is not None and origin.lower() not in _origins(host):
            raise ForeignError("requests from pages of other sites are refused")
        if not self._takes_forwarded and "x-forwarded-for" in headers:
            raise ForeignError("this request came through a proxy; start the server with --proxy")

    def _is_own(self, host: str) -> bool:
        """Returns whether a header Host holds a name or number of this server."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = (found["name"] or found["number"]).lower()
        return name in self._names or (self._any_address and _is_address(name))


class _Answer:
    """Sends an answer: adds the headers that all answers have, and counts bytes."""

    def __init__(self, path: str, send: Send, count: Callable[[int], float]) -> None:
        self._is_page = not path.startswith("/api/")
        self._send, self._count = send, count
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
            return
        await self._send(message)
        seconds = self._count(len(message.get("body", b"")))
        if seconds and message.get("more_body"):  # a long answer must not exceed the rate
            await asyncio.sleep(seconds)


def _origins(host: str) -> tuple[str, str]:
    """Returns the origins of this site's own pages."""
    return f"http://{host.lower()}", f"https://{host.lower()}"


def _is_address(name: str) -> bool:
    """Returns whether a host is a numeric address, which nobody can make point elsewhere."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def error_response(code: str, message: str, status: int) -> Response:
    """Returns an error as the protocol writes it."""
    return json_answer(error_json(code, message), status)


def error_answer(client: str, error: GameError) -> Response:
    """Returns the answer to a request that failed; refusals are logged."""
    message = str(error).partition("\n")[0]
    code, status = next((code, status) for kind, code, status in _ERRORS if isinstance(error, kind))
    if status in _LOGGED:
        log_refusal(client, status, message)
    if isinstance(error, StoreError):  # it names a file, which is for the terminal
        message = "the tables cannot be stored or read; the server's terminal says why"
    answer = error_response(code, message, status)
    if isinstance(error, LimitError):
        answer.headers["Retry-After"] = str(ceil(error.seconds))
    return answer


async def on_error(request: Request, error: Exception) -> Response:
    """Answers a request that failed; it has changed nothing."""
    if isinstance(error, HTTPException):
        code = {404: "not_found", 405: "malformed"}.get(error.status_code, "malformed")
        return error_response(code, str(error.detail), error.status_code)
    if isinstance(error, ClientDisconnect):
        return Response(status_code=400)  # the client has left
    if isinstance(error, GameError):
        return error_answer(client_of(request), error)
    return error_response("failed", "the server failed; its terminal says why", 500)
