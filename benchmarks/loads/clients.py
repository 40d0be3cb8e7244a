"""The honest clients: people who play whole games, and what they measured and lost."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeVar

from gonzaga_env.tabletop.errors import GameError

KINDS = ("move", "look", "create", "turn")
WAIT = 25  # seconds of a long poll
LATE = 15.0  # seconds after which a person stops waiting
RETRY = 0.5  # seconds before the next attempt
Result = TypeVar("Result")


class LostError(GameError):
    """The server refused or lost something."""


@dataclass
class Played:
    """A table that a client opened.

    Attributes:
        id: names the table.
        token: of the client's seat.
        confirmed: number and action of each move that the server confirmed.
        record: of the finished game; None before.
        moved: when the last move was sent.
    """

    id: str
    token: str
    confirmed: list[tuple[int, int]] = field(default_factory=list)
    record: dict[str, Any] | None = None
    moved: float | None = None


@dataclass
class Found:
    """What the clients measured.

    Attributes:
        seconds: of all answers, by kind.
        lost: requests that were refused, broken off or late, by what happened.
        tables: those that were opened.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: {k: [] for k in KINDS})
    lost: Counter[str] = field(default_factory=Counter)
    tables: list[Played] = field(default_factory=list)


@dataclass(frozen=True)
class Party:
    """How people play.

    Attributes:
        players: at each table, one of them the client.
        agent: the spec on the other seats.
        think: seconds before a move, on average.
        games: one after another at each table.
    """

    players: int
    agent: str
    think: float
    games: int = 1


class Client:
    """A person with an address of their own, at one table after another.

    Like a browser, a client asks again after a refusal, a broken connection or no answer in time;
    each of these is counted as lost.
    """

    def __init__(
        self,
        port: int,
        number: int,
        party: Party,
        found: Found,
        rng: random.Random,
        opened: Callable[[str], None] = lambda table: None,
    ) -> None:
        """Takes the server's port and the client's number, which gives its address."""
        self._port, self._address = port, f"127.0.{1 + number // 250}.{1 + number % 250}"
        self._party, self._found, self._rng, self._opened = party, found, rng, opened
        self._writer: asyncio.StreamWriter | None = None

    async def play_games(self) -> None:
        """Plays all games."""
        await asyncio.sleep(self._rng.uniform(0, 1 + self._party.think))  # people come one by one
        try:
            for _ in range(self._party.games):
                table = await self._insist(self._open_table)
                while not await self._insist(lambda table=table: self._play_on(table)):
                    pass
        finally:
            self._leave()

    async def _insist(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        """Returns the result of an attempt, made again until it succeeds."""
        while True:
            try:
                return await attempt()
            except LostError as lost:
                self._found.lost[str(lost)] += 1
                self._leave()
                await asyncio.sleep(RETRY)

    async def _open_table(self) -> Played:
        others = [self._party.agent] * (self._party.players - 1)
        asked = {
            "edition": "europe",
            "num_players": self._party.players,
            "seats": ["human", *others],
        }
        made = await self._timed("create", "POST", "/api/tables", asked)
        table = Played(made["table"], made["seats"][0]["token"])
        self._found.tables.append(table)
        self._opened(table.id)
        return table

    async def _play_on(self, table: Played) -> bool:
        """Waits for the own turn and plays it; returns whether the game is over."""
        path, token = f"/api/tables/{table.id}", table.token
        position = await self._ask("GET", path, token=token)
        while not position["over"] and position["turn"] is None:
            query = f"?since={position['moves'] + 1}&wait={WAIT}"
            position = await self._ask("GET", path + query, token=token)
        if position["over"]:
            table.record = await self._ask("GET", f"{path}/record", token=token)
            return True
        if table.moved is not None:
            self._found.seconds["turn"].append(perf_counter() - table.moved)
            table.moved = None
        position = await self._timed("look", "GET", path, token=token)
        await asyncio.sleep(self._rng.uniform(0.5, 1.5) * self._party.think)
        await self._move(table, position["turn"], position["moves"])
        return False

    async def _move(self, table: Played, turn: dict[str, Any], number: int) -> None:
        action = self._rng.choice(turn.get("plans") or turn["placements"])["action"]
        asked = {"move": number, "action": action}
        table.moved = perf_counter()
        await self._timed("move", "POST", f"/api/tables/{table.id}/moves", asked, table.token)
        table.confirmed.append((number, action))

    async def _timed(self, kind: str, *request: Any, **more: Any) -> dict[str, Any]:
        """Returns an answer; its time counts even if the client stops waiting."""
        began = perf_counter()
        try:
            return await self._ask(*request, **more)
        finally:
            self._found.seconds[kind].append(perf_counter() - began)

    async def _ask(
        self, method: str, path: str, content: Any = None, token: str | None = None
    ) -> dict[str, Any]:
        """Returns the JSON object of an answer.

        Raises:
            LostError: the request was refused, broken off or late.
        """
        what, late = _what(path, content), LATE + WAIT * ("wait=" in path)
        try:
            async with asyncio.timeout(late):
                status, answer = await self._send(method, path, content, token)
        except TimeoutError:
            raise LostError(f"{what}: late") from None
        except (OSError, EOFError, asyncio.IncompleteReadError) as error:
            raise LostError(f"{what}: broken off ({type(error).__name__})") from None
        if status not in (200, 201):
            raise LostError(f"{what}: {status}")
        return json.loads(answer)

    async def _send(
        self, method: str, path: str, content: Any, token: str | None
    ) -> tuple[int, bytes]:
        """Sends a request on the connection that stays open; returns status and body.

        HTTP libraries would take longer than the server.
        """
        if self._writer is None:
            self._reader, self._writer = await connect(self._port, self._address)
        body = b"" if content is None else json.dumps(content).encode()
        head = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
        if token is not None:
            head.append(f"Authorization: Bearer {token}")
        self._writer.write("\r\n".join([*head, "", ""]).encode() + body)
        return await read_answer(self._reader)

    def _leave(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _what(path: str, content: Any) -> str:
    """Returns what a request asks for, in one word."""
    if content is not None:
        return "move" if "action" in content else "create"
    return "wait" if "wait=" in path else "record" if path.endswith("/record") else "look"


async def connect(port: int, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connects from an address of this machine; from any where the system has only 127.0.0.1."""
    local = (address, 0) if sys.platform == "linux" else None
    return await asyncio.open_connection("127.0.0.1", port, local_addr=local)


async def read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Returns status and body of an answer.

    Raises:
        IncompleteReadError: the connection ended before.
    """
    status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines if line)
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return int(status.split()[1]), body
