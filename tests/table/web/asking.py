"""Requests of many clients to one application, without sockets: some of them leave."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from gonzaga_table.web.agents import Roster
from gonzaga_table.web.app import make_app
from gonzaga_table.web.rooms import Rooms
from gonzaga_table.web.store import Store

from gonzaga_env.core.editions.loading import load_edition
from tests.table.web.conftest import choices

SECONDS = 60.0  # generous: a test that waits so long has failed


def scope_of(
    method: str, path: str, headers: Sequence[Any] = (), query: str = ""
) -> dict[str, Any]:
    """Returns what an application is told of a request."""
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [*headers],
        "client": ("192.0.2.1", 5),
        "root_path": "",
    }


class Listening:
    """A client that reads a stream.

    Attributes:
        sent: what the server has sent.
        leaves: set it, and the client leaves.
        task: the request.
    """

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.leaves = asyncio.Event()
        self.task: asyncio.Task[None]

    async def leave(self) -> None:
        self.leaves.set()
        await self.task

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def events(self) -> list[dict[str, Any]]:
        """The answers that have come."""
        text = b"".join(message.get("body", b"") for message in self.sent).decode()
        parts = text.split("\n\n")[:-1]
        return [json.loads(part[6:]) for part in parts if part.startswith("data: ")]


class Site:
    """An application in the event loop of a test.

    Attributes:
        rooms: its tables.
    """

    def __init__(self, data: str | Path = ":memory:", agents: tuple[str, ...] = ()) -> None:
        editions = {"europe": load_edition("europe")}
        self.rooms = Rooms(Store(data), Roster(agents), editions)
        self._app = make_app(self.rooms)

    async def ask(
        self,
        path: str,
        token: str | None = None,
        body: Any = None,
        leaves: asyncio.Event | None = None,
    ) -> tuple[int, Any]:
        """Returns status and content of an answer; the client leaves at an event."""
        sent: list[Any] = []
        request = self._request(path, token, body, leaves or asyncio.Event(), sent)
        await asyncio.wait_for(request, SECONDS)
        content = b"".join(message.get("body", b"") for message in sent)
        return sent[0]["status"], json.loads(content) if content else None

    async def listen(self, path: str, token: str | None = None, query: str = "") -> Listening:
        """Opens the stream of a table, and waits for what it begins with."""
        listening = Listening()
        request = self._request(
            f"{path}/events?{query}", token, None, listening.leaves, listening.sent
        )
        listening.task = asyncio.create_task(request)
        await soon()
        return listening

    def asking(self, *given: Any, **more: Any) -> asyncio.Task[tuple[int, Any]]:
        """Asks while the test goes on, see `ask`."""
        return asyncio.create_task(self.ask(*given, **more))

    async def _request(
        self,
        path: str,
        token: str | None,
        body: Any,
        leaves: asyncio.Event,
        sent: list[Any],
    ) -> None:
        """Sends a request, and collects the messages of its answer."""
        address, _, query = path.partition("?")
        headers = [(b"host", b"127.0.0.1")]
        if token is not None:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        method = "GET" if body is None else "POST"
        scope = scope_of(method, address, headers, query)
        asked = [
            {"type": "http.request", "body": b"" if body is None else json.dumps(body).encode()}
        ]

        async def receive() -> Any:
            if asked:
                return asked.pop()
            await leaves.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self._app(scope, receive, send)

    async def play_first(self, path: str, token: str) -> None:
        """Plays the first legal action."""
        _, position = await self.ask(path, token)
        body = {"move": position["moves"], "action": choices(position["turn"])[0]}
        assert (await self.ask(f"{path}/moves", token, body=body))[0] == 200
        await soon()

    async def open(self, *seats: str) -> tuple[str, list[str]]:
        """Opens a table; returns its path and the tokens of its people."""
        asked = {"edition": "europe", "num_players": len(seats), "seats": seats}
        status, made = await self.ask("/api/tables", body=asked)
        assert status == 201, made
        return f"/api/tables/{made['table']}", [seat["token"] for seat in made["seats"]]


@contextmanager
def running(data: str | Path = ":memory:", agents: tuple[str, ...] = ()) -> Iterator[Site]:
    """Yields an application, and closes it."""
    site = Site(data, agents)
    yield site
    site.rooms.close()


async def soon() -> None:
    """Lets all other tasks go on until they wait."""
    for _ in range(50):
        await asyncio.sleep(0)


def play_out(table: Any, rng: np.random.Generator) -> None:
    """Plays a table to its end by random legal actions."""
    while not table.over:
        legal = np.flatnonzero(table.question()[1])
        table.play(table.to_act, table.num_moves, int(rng.choice(legal)))
