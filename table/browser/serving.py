"""The server of one page: answers its requests, which come as messages instead of over sockets.

A static site rarely has its own host, so the table's addresses are moved below a path. Pages,
scripts and answers name addresses such as "/table/ID" as texts. In served content, each is prefixed
with the path. `tests/table/browser` checks that no address in the table's files is missed.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import Protocol
from urllib.parse import unquote

from starlette.types import ASGIApp, Message

from ..web.agents import Roster
from ..web.app import find_editions, make_app
from ..web.rooms import Rooms
from ..web.store import Store

_DROPPED = (b"content-length", b"content-security-policy")  # texts grow; the page frames the table
_HOST = "localhost"
_OWN = ("host", "origin")  # a service worker asks for the pages of its own site alone


_NAMES = "api|game|learn|puzzle|record|rules|static|table"
_NAMED = re.compile(rf"""(?<=["'`}}(])/(?=(?:{_NAMES})\b)""")
_LOBBY = re.compile(
    r"""(?<=href=")/(?=")|(?<=href: ["`])/(?=["?])|(?<=assign\(["`])/(?=["?])|(?<="", ")/(?="\))"""
)
_TEXTS = ("text/html", "text/css", "text/javascript", "text/event-stream", "application/json")


class Answer(Protocol):
    """Where an answer goes: to the page's script."""

    def start(self, status: int, headers: str) -> None:
        """Begins the answer; headers are a JSON list of pairs."""
        ...

    def send(self, content: bytes) -> None: ...

    def end(self) -> None: ...


class Server:
    """Answers requests; used from one event loop only."""

    def __init__(self, path: str, app: ASGIApp | None = None) -> None:
        self._path = path
        self._app = app or make_app(Rooms(Store(":memory:"), Roster(), find_editions([])))
        self._left: dict[int, asyncio.Event] = {}

    async def answer(
        self, number: int, method: str, target: str, headers: str, body: bytes, answer: Answer
    ) -> None:
        left = self._left[number] = asyncio.Event()
        path, _, query = target.partition("?")
        sent = [(name.lower(), value) for name, value in json.loads(headers)]
        sent = [("host", _HOST), *(pair for pair in sent if pair[0] not in _OWN)]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in sent],
            "client": (_HOST, 1),
            "server": (_HOST, 80),
        }
        exchange = _Exchange(self._path, body, left, answer)
        try:
            await self._app(scope, exchange.receive, exchange.send)
        finally:
            del self._left[number]
            exchange.end()

    def leave(self, number: int) -> None:
        """Notes that nobody waits for the answer to a request any more."""
        if number in self._left:
            self._left[number].set()


class _Exchange:
    """One request and its answer."""

    def __init__(self, path: str, body: bytes, left: asyncio.Event, answer: Answer) -> None:
        self._path, self._body, self._left, self._answer = path, body, left, answer
        self._is_read = self._is_text = self._goes_on = self._started = False
        self._kept = b""  # of a text, whose parts may end amid an address

    async def receive(self) -> Message:
        if self._is_read:
            await self._left.wait()
            return {"type": "http.disconnect"}
        self._is_read = True
        return {"type": "http.request", "body": self._body, "more_body": False}

    async def send(self, message: Message) -> None:
        if self._left.is_set():
            return
        if message["type"] == "http.response.start":
            found = dict(message["headers"])
            kind = found.get(b"content-type", b"").decode()
            self._is_text, self._goes_on = is_text(kind), kind.startswith("text/event-stream")
            headers = [(a.decode(), b.decode()) for a, b in found.items() if a not in _DROPPED]
            self._answer.start(message["status"], json.dumps(headers))
            self._started = True
            return
        self._kept += message.get("body", b"")
        if self._kept and (self._goes_on or not self._is_text or not message.get("more_body")):
            self._answer.send(below(self._path, self._kept) if self._is_text else self._kept)
            self._kept = b""

    def end(self) -> None:
        """Ends the answer; one that never began is an error of the application."""
        if not self._started and not self._left.is_set():
            self._answer.start(500, "[]")
        self._answer.end()


def is_text(content_type: str) -> bool:
    """Returns whether content of a type can hold addresses."""
    return content_type.partition(";")[0].strip().lower() in _TEXTS


def below(path: str, content: bytes) -> bytes:
    """Returns a text whose addresses begin with a path."""
    text = content.decode()
    return _LOBBY.sub(f"{path}/", _NAMED.sub(f"{path}/", text)).encode()
