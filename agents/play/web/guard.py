"""What every request passes: its host, its origin, the headers of its answer, and errors."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gonzaga_env.core.errors import ActionError, GonzagaError

from ...agent import AgentError
from ..table import SavedTableError, StaleMoveError, TableError, WrongSeatError
from .answers import as_json
from .requests import MalformedError, TooLargeError
from .rooms import ForbiddenError, TooManyError, UnknownTableError
from .store import StoreError

#: Code and status of every error of the protocol; the first class that fits counts.
_ERRORS: tuple[tuple[type[GonzagaError], str, int], ...] = (
    (TooLargeError, "too_large", 413),
    (MalformedError, "malformed", 400),
    (UnknownTableError, "not_found", 404),
    (TooManyError, "too_many", 429),
    (ForbiddenError, "forbidden", 403),
    (StoreError, "failed", 500),
    (SavedTableError, "failed", 500),
    (StaleMoveError, "stale", 409),
    (WrongSeatError, "forbidden", 403),
    (TableError, "forbidden", 403),
    (ActionError, "illegal", 400),
    (AgentError, "illegal", 400),
    (GonzagaError, "malformed", 400),
)
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_ANY_HOST = ("0.0.0.0", "::")  # addresses that mean all of a machine's


class Guard:
    """Refuses requests under foreign names or from foreign pages, and adds security headers.

    A web page anywhere may make its own name point at 127.0.0.1 ("DNS rebinding") and then read
    what this server says. So the name must be one that belongs to the server.
    """

    def __init__(self, app: ASGIApp, host: str, names: Collection[str] = ()) -> None:
        """Takes the application, the address that it is served on, and further names of it."""
        self._app = app
        self._names = {"localhost", "127.0.0.1", "::1", host, *names}
        self._any_address = host in _ANY_HOST

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or passes it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._fault(Headers(scope=scope))
        if refused:
            answer = error_response("forbidden", refused, 403)
            await answer(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _fault(self, headers: Headers) -> str | None:
        """Returns what is wrong with a request's host or origin; None if nothing."""
        host = headers.get("host", "")
        name = urlsplit(f"//{host}").hostname or ""
        if name not in self._names and not (self._any_address and _is_address(name)):
            return f"this server does not answer to the name {name!r}; start it with --name"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return "requests from pages of other sites are refused"
        return None


def _is_address(name: str) -> bool:
    """Returns whether a host is a number; nobody can make a number point elsewhere."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def error_response(code: str, message: str, status: int) -> Response:
    """Returns an error as the protocol writes it."""
    text = as_json({"error": {"code": code, "message": message}})
    return Response(text, status, media_type="application/json")


async def on_error(request: Request, error: Exception) -> Response:
    """Answers a request that failed; it has changed nothing."""
    if isinstance(error, HTTPException):
        code = {404: "not_found", 405: "malformed"}.get(error.status_code, "malformed")
        return error_response(code, str(error.detail), error.status_code)
    for kind, code, status in _ERRORS:
        if isinstance(error, kind):
            return error_response(code, str(error).partition("\n")[0], status)
    return error_response("failed", "the server failed; its terminal says why", 500)
