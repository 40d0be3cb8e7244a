"""The attackers: clients that use up resources, each in one way.

    python -m benchmarks.loads.attacks KIND PORT ADDRESSES

says that it has begun, runs until its input ends, and prints what it got as a JSON object of
counts. The input begins with a JSON object on a line: `finished`, the id of a finished table, and
`record`, its record. Each further line is the id of a table where honest people play.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import random
import socket
import sys
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count, cycle
from typing import Any

from benchmarks.loads.clients import connect, read_answer

LATE = 20.0  # seconds after which an attacker stops waiting
_MB = 1 << 20
_JSON = "Content-Type: application/json\r\n"


class Attacker:
    """What all attackers share.

    Attributes:
        port: of the server.
        finished: the id of a finished table.
        record: its record.
        honest: ids of the tables where honest people play, which grow in number.
        got: how often something happened, by a status or a word.
    """

    def __init__(self, port: int, num_addresses: int, known: Mapping[str, Any]) -> None:
        """Takes the server's port, the number of own addresses, and what outsiders know."""
        self.finished, self.record = known["finished"], known["record"]
        self.honest: list[str] = []
        self.got: Counter[str] = Counter()
        self.port = port
        self._addresses = cycle(f"127.9.9.{9 + number}" for number in range(num_addresses))

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Opens a connection for a block, from each of the own addresses in turn."""
        reader, writer = await connect(self.port, next(self._addresses))
        self.got["connections"] += 1
        try:
            yield reader, writer
        finally:
            writer.close()

    async def ask(self, method: str, path: str, body: bytes = b"", head: str = "") -> bytes:
        """Returns the body of an answer, and counts its status."""
        async with self.connected() as (reader, writer):
            writer.write(request(method, path, body, head))
            return await self.answer(reader)

    async def answer(self, reader: asyncio.StreamReader, late: float = LATE) -> bytes:
        """Reads an answer, and counts its status."""
        async with asyncio.timeout(late):
            status, body = await read_answer(reader)
        self.got[str(status)] += 1
        return body

    async def hold(self, reader: asyncio.StreamReader) -> None:
        """Waits until the server closes a connection; counts what it said before."""
        with suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                if data.startswith(b"HTTP/1.1 "):
                    self.got[data[9:12].decode()] += 1
        self.got["closed"] += 1

    async def again(self, attempt: Callable[[], Awaitable[Any]], pause: float = 0.0) -> None:
        """Repeats an attempt forever, whether it succeeds or not."""
        while True:
            try:
                await attempt()
            except TimeoutError:
                self.got["late"] += 1
            except (OSError, EOFError, ValueError, asyncio.LimitOverrunError):
                self.got["broken off"] += 1
                await asyncio.sleep(0.1)
            await asyncio.sleep(pause)

    async def together(
        self, number: int, attempt: Callable[[], Awaitable[Any]], pause: float = 0.0
    ) -> None:
        """Repeats an attempt forever, several times concurrently."""
        async with asyncio.TaskGroup() as group:
            for _ in range(number):
                group.create_task(self.again(attempt, pause))
                await asyncio.sleep(0.002)

    async def flood(
        self, number: int, requests: Iterator[tuple[str | bytes, ...]], pause: float = 0.0
    ) -> None:
        """Makes requests (the arguments of `ask`) forever, several concurrently."""

        async def attempt() -> None:
            await self.ask(*next(requests))  # type: ignore[arg-type]

        await self.together(number, attempt, pause)


def request(method: str, path: str, body: bytes = b"", head: str = "") -> bytes:
    """Returns a request as it is sent."""
    host = "" if "Host:" in head else "Host: localhost\r\n"
    has_length = "Content-Length" in head or "chunked" in head or (method == "GET" and not body)
    length = "" if has_length else f"Content-Length: {len(body)}\r\n"
    return f"{method} {path} HTTP/1.1\r\n{host}{head}{length}\r\n".encode() + body


async def since0(attacker: Attacker) -> None:
    """Asks for a whole finished game, 150 times at once, in all themes."""
    path = f"/api/tables/{attacker.finished}?since=0&theme="
    await attacker.flood(150, cycle([("GET", path + "light"), ("GET", path + "dark")]))


async def slow_headers(attacker: Attacker) -> None:
    """Sends the headers of 500 requests by one byte every three seconds."""

    async def attempt() -> None:
        async with attacker.connected() as (reader, writer):
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            held = asyncio.create_task(attacker.hold(reader))
            while not held.done():
                writer.write(b"a")
                await asyncio.wait([held], timeout=3.0)

    await attacker.together(500, attempt, 1.0)


_ROUTES = {
    "/api/records": 4 * _MB,
    "/api/editor/open": _MB,
    "/api/editor/check": _MB,
    "/api/editor/picture": _MB,
    "/api/tables": 16 * 1024,
}


async def slow_bodies(attacker: Attacker) -> None:
    """Begins 150 bodies on each route that takes large ones, sends all but the end, and waits."""
    routes = cycle(_ROUTES.items())

    async def attempt() -> None:
        path, length = next(routes)
        async with attacker.connected() as (reader, writer):
            held = asyncio.create_task(attacker.hold(reader))
            try:
                head = f"{_JSON}Content-Length: {length}\r\n"
                writer.write(request("POST", path, b'{"text": "', head))
                for _ in range((length - 100) // 65536):
                    writer.write(b" " * 65536)
                    async with asyncio.timeout(LATE):
                        await writer.drain()
                await held
            finally:
                held.cancel()
                writer.transport.abort()

    await attacker.together(150 * len(_ROUTES), attempt, 1.0)


async def slow_reads(attacker: Attacker) -> None:
    """Asks for the longest answers on 200 connections, 20 times on each, and never reads."""
    paths = cycle((f"/api/tables/{attacker.finished}?since=0", "/api/editor/look", "/api/options"))
    loop = asyncio.get_running_loop()

    async def attempt() -> None:
        with socket.socket() as unread:
            unread.setblocking(False)
            unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            if sys.platform == "linux":
                unread.bind(("127.9.9.9", 0))
            await loop.sock_connect(unread, ("127.0.0.1", attacker.port))
            attacker.got["connections"] += 1
            for _ in range(20):
                await loop.sock_sendall(unread, request("GET", next(paths)))
            while True:  # the server has closed it once it takes no more bytes
                await asyncio.sleep(2.0)
                await loop.sock_sendall(unread, b"\r\n")

    await attacker.together(200, attempt, 1.0)


async def hints(attacker: Attacker) -> None:
    """Asks for 1,500 hints at the own table, and leaves without reading one."""
    content = {"edition": "europe", "num_players": 4, "seats": ["human"] * 4}
    table = json.loads(await attacker.ask("POST", "/api/tables", json.dumps(content).encode()))
    path, agents = f"/api/tables/{table['table']}", cycle(("search@16", "planner", "greedy"))
    for seat in table["seats"]:
        head = f"Authorization: Bearer {seat['token']}\r\n"
        if json.loads(await attacker.ask("GET", path, head=head))["turn"]:
            break

    async def attempt() -> None:
        try:
            async with attacker.connected() as (_, writer):
                writer.write(request("GET", f"{path}/hint?agent={next(agents)}", head=head))
                await asyncio.sleep(0.05)  # so that the server has begun
        except OSError:
            attacker.got["broken off"] += 1

    while True:
        async with asyncio.TaskGroup() as group:
            for _ in range(1500):
                group.create_task(attempt())
                await asyncio.sleep(0.002)
        await asyncio.sleep(1.0)


async def waits(attacker: Attacker) -> None:
    """Lets 64 strangers wait at each of ten honest tables, again as soon as they are answered."""
    number = count()

    async def attempt() -> None:
        async with attacker.connected() as (reader, writer):
            while True:
                known = attacker.honest[:10] or [attacker.finished]
                path = f"/api/tables/{known[next(number) % len(known)]}?since=1000&wait=25"
                writer.write(request("GET", path))
                await attacker.answer(reader, LATE + 25)

    await attacker.together(640, attempt)


async def joins(attacker: Attacker) -> None:
    """Streams the news of an honest table 28 times, and joins and leaves it as fast as it can."""

    async def stream(until: Callable[[asyncio.StreamReader], Awaitable[None]]) -> None:
        table = (attacker.honest or [attacker.finished])[0]
        async with attacker.connected() as (reader, writer):
            writer.write(request("GET", f"/api/tables/{table}/events"))
            await until(reader)

    async def join(reader: asyncio.StreamReader) -> None:
        async with asyncio.timeout(LATE):
            attacker.got[(await reader.readline())[9:12].decode()] += 1
            await reader.readuntil(b"data: ")

    while not attacker.honest:
        await asyncio.sleep(0.1)
    async with asyncio.TaskGroup() as group:
        group.create_task(attacker.together(28, lambda: stream(attacker.hold), 1.0))
        group.create_task(attacker.together(4, lambda: stream(join)))


async def tables(attacker: Attacker) -> None:
    """Keeps opening tables with all rules and agents, where only agents play."""
    contents = (
        {
            "edition": "europe",
            "num_players": 2 + n % 3,
            "seats": [("search@16", "planner", "greedy")[n // 3 % 3]] * (2 + n % 3),
            "rules": {"first_check_round": 1 + n % 12},
        }
        for n in count()
    )
    asked = (("POST", "/api/tables", json.dumps(content).encode()) for content in contents)
    await attacker.flood(8, asked, 0.05)


async def connections(attacker: Attacker) -> None:
    """Opens up to 2,000 connections and sends nothing."""

    async def attempt() -> None:
        async with attacker.connected() as (reader, _):
            await attacker.hold(reader)

    await attacker.together(2000, attempt, 1.0)


async def editor(attacker: Attacker) -> None:
    """Sends the editor maps that take long to parse, check, draw or unpack."""
    sent = [("POST", f"/api/editor/{path}", *rest) for path, *rest in _editor_requests()]
    await attacker.flood(8, cycle(sent))


def _editor_requests() -> Iterator[tuple[str, bytes, str]]:
    """Yields route, body and header of hostile requests."""
    dotted = ".".join("a" * 3500) + " = 1"
    deep, long = "a = " + "[" * 5000 + "]" * 5000, f'x = "{"a" * 900_000}"'
    for text in (dotted, f"[{dotted[:-4]}]", deep, long):
        yield "open", json.dumps({"files": {"board.toml": text}}).encode(), _JSON
    model = large_model()
    yield "check", json.dumps({"model": model}).encode(), _JSON
    yield "picture", json.dumps({"model": model, "theme": "dark"}).encode(), _JSON
    yield "keep", json.dumps({"model": model}).encode(), _JSON
    yield "save", json.dumps({"model": model}).encode(), _JSON
    yield "check", b'{"model": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", _JSON
    yield "open", _bomb(), "Content-Type: application/zip\r\n"


def large_model() -> dict[str, Any]:
    """Returns a map of the largest size with as much on it as the editor takes."""
    rng, size = random.Random(1), 60
    return {
        "name": "a" * 120,
        "reconstruction": False,
        "map": [[rng.choice("BCDEFG12345678") for _ in range(size)] for _ in range(size)],
        "regions": [[mark, f"Region {mark}" * 10] for mark in "BCDEFG"],
        "seas": [[mark, f"Sea {mark}" * 10] for mark in "12345678"],
        "city": [
            {"name": f"City {i} " * 10, "at": [i, i], "symbol": f"symbol {i}"} for i in range(40)
        ],
        "harbor": [
            {"name": f"Port {i} " * 10, "at": [i, i + 1], "sea": f"Sea {i}"} for i in range(40)
        ],
        "barrier": [
            {"name": f"Alps {i}", "edges": [[[i, j], [i, j + 1]] for j in range(10)]}
            for i in range(40)
        ],
        "fief": [
            {"number": i + 1, "cells": [[j, i] for j in range(12)], "castles": list(range(12))}
            for i in range(20)
        ],
        "scenario": [
            {"name": f"Scenario {i}", "players": 2, "flourishing": [f"Region {i}"] * 40}
            for i in range(100)
        ],
        "objective": [[f"symbol {i}", f"symbol {i + 1}"] for i in range(100)],
    }


def _bomb() -> bytes:
    """Returns a .zip file of many entries, one of which grows a thousandfold."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("board.toml", b" " * (8 * _MB))
        for number in range(5000):
            archive.writestr(f"{number}/x", b"")
    return target.getvalue()


async def records(attacker: Attacker) -> None:
    """Uploads files of records of 4 MB: many games, long games, deep ones, and none."""
    line = json.dumps(attacker.record)
    long = json.dumps({**attacker.record, "moves": attacker.record["moves"] * 100})
    many = "\n".join([line] * (4 * _MB // len(line) - 20))
    texts = [line, many, long, "[" * 400_000, "\n" * 3_000_000]
    bodies = (
        json.dumps({"text": text, **game}).encode() for text in texts for game in ({}, {"game": 1})
    )
    await attacker.flood(8, cycle([("POST", "/api/records", body, _JSON) for body in bodies]))


async def parsing(attacker: Attacker) -> None:
    """Sends requests that take long to parse: 12,000 headers, 30,000 parameters, 1-byte chunks."""
    chunks = b"1\r\na\r\n" * 100_000 + b"0\r\n\r\n"
    sent = cycle(
        [
            request("GET", "/api/options", head="a:b\r\n" * 12_000),
            request("GET", "/api/board?edition=europe" + "&a" * 30_000),
            request("GET", "/static" + "/a" * 30_000),
            request("POST", "/api/records", head="Transfer-Encoding: chunked\r\n") + chunks,
        ]
    )

    async def attempt() -> None:
        async with attacker.connected() as (reader, writer):
            try:
                writer.write(next(sent))
                await attacker.answer(reader)
            finally:
                writer.transport.abort()

    await attacker.together(8, attempt)


async def requests(attacker: Attacker) -> None:
    """Sends small requests on 20 connections as fast as they are answered."""
    sent = [
        request("GET", "/api/options"),
        request("GET", "/"),
        request("GET", "/api/nothing/here"),
        request("GET", "/", head="Host: evil.example\r\n"),
        request("GET", "/api/tables/unknown"),
        request("GET", f"/api/tables/{attacker.finished}", head="Authorization: Bearer x\r\n"),
        request("GET", "/api/board?edition=europe&theme=dark"),
        request("DELETE", "/api/tables"),
        request("GET", "/", head="Host: [\r\n"),
    ]

    async def attempt() -> None:
        async with attacker.connected() as (reader, writer):
            for asked in cycle(sent):
                writer.write(asked)
                await attacker.answer(reader)

    await attacker.together(20, attempt)


async def play_on(attacker: Attacker) -> None:
    """Takes its share of tables, and then asks for 120 more from the end of a game at once."""
    moves, players = len(attacker.record["moves"]), attacker.record["num_players"]
    content = {"seat": 0, "move": moves - 1, "agents": ["greedy"] * players}
    await _take_share(attacker)
    path, body = f"/api/games/{attacker.finished}/tables", json.dumps(content).encode()
    await attacker.flood(120, cycle([("POST", path, body)]))


async def puzzles(attacker: Attacker) -> None:
    """Takes its share of tables, and then asks for 120 more that go on from puzzles at once."""
    found = json.loads(await attacker.ask("GET", "/api/puzzles"))["puzzles"]
    await _take_share(attacker)
    bodies = [json.dumps({"puzzle": puzzle["id"]}).encode() for puzzle in found]
    await attacker.flood(120, cycle([("POST", "/api/tables", body) for body in bodies]))


async def _take_share(attacker: Attacker) -> None:
    """Opens tables until no more are granted."""
    content = {"edition": "europe", "num_players": 2, "seats": ["human", "human"]}
    while not attacker.got["429"]:
        await attacker.ask("POST", "/api/tables", json.dumps(content).encode())


async def ladder(attacker: Attacker) -> None:
    """Opens rated games under new keys, and asks for the ratings of each key."""

    def asked() -> Iterator[tuple[str, str, bytes]]:
        for number in count():
            content = {"edition": "europe", "num_players": 2, "seats": ["human", "greedy"]}
            rated = json.dumps({**content, "rated": f"{number:032}"}).encode()
            yield "POST", "/api/tables", rated
            yield "POST", "/api/ladder", json.dumps({"key": f"{number:032}"}).encode()

    await attacker.flood(8, asked(), 0.02)


async def lobby(attacker: Attacker) -> None:
    """Lets tables wait for people, sits down everywhere and leaves, and lists them all the time."""

    def asked() -> Iterator[tuple[str | bytes, ...]]:
        content = {"edition": "europe", "num_players": 2, "seats": ["human", "human"], "name": "x"}
        for number in count():
            opened = {**content, "seat": 0, "public": number % 2 == 0, "anybody": number % 7 == 0}
            if number % 3 == 0:
                opened |= {"rated": f"{number:032}", "pace": {"per": "move", "seconds": 60}}
            yield "POST", "/api/lobby", json.dumps(opened).encode()
            yield "GET", "/api/lobby"
            yield "POST", "/api/lobby/unknown/join", b'{"seat": 1, "name": "x"}'

    await attacker.flood(8, asked(), 0.02)


async def absences(attacker: Attacker) -> None:
    """Asks for agents in place of others, and for the own seat back, at a table with a clock."""
    content = {"edition": "europe", "num_players": 4, "seats": ["human"] * 4, "away": 60}
    pace = {"per": "move", "seconds": 10, "agent": "planner"}
    body = json.dumps({**content, "pace": pace}).encode()
    table = json.loads(await attacker.ask("POST", "/api/tables", body))
    asked = [
        ("POST", f"/api/tables/{table['table']}/{what}", b'{"act": "ask", "seat": 3}', head)
        for seat in table["seats"][:3]
        for head in (f"Authorization: Bearer {seat['token']}\r\n",)
        for what in ("absent", "return")
    ]
    await attacker.flood(8, cycle(asked), 0.02)


async def chatter(attacker: Attacker) -> None:
    """Says the longest lines at 20 own tables where 16 streams listen, and reads them all again."""
    content = {"edition": "europe", "num_players": 4, "seats": ["human"] * 4}
    body, asked, streams = json.dumps(content).encode(), [], []
    line = json.dumps({"text": "\U0001d518" * 200}).encode()
    for number in range(20):
        table = json.loads(await attacker.ask("POST", "/api/tables", body))
        path = f"/api/tables/{table['table']}"
        for seat in table["seats"]:
            head = f"Authorization: Bearer {seat['token']}\r\n"
            asked += [("POST", f"{path}/chat", line, head), ("GET", f"{path}/chat", b"", head)]
            streams += [("GET", f"{path}/events", b"", head)] * (4 if number < 4 else 0)

    async def listen() -> None:
        async with attacker.connected() as (reader, writer):
            writer.write(request(*heard.pop()))
            await attacker.hold(reader)

    heard = [*streams]
    async with asyncio.TaskGroup() as group:
        for _ in streams:
            group.create_task(listen())
        group.create_task(attacker.flood(8, cycle(asked), 0.02))


#: By the name that `load.py --attack` takes.
ATTACKS: dict[str, Callable[[Attacker], Awaitable[None]]] = {
    attack.__name__: attack
    for attack in (
        *(since0, slow_headers, slow_bodies, slow_reads, hints, waits, joins),
        *(tables, connections, editor, records, parsing, requests, ladder),
        *(play_on, puzzles, lobby, absences, chatter),
    )
}


async def attack(kind: str, port: int, num_addresses: int) -> Counter[str]:
    """Runs an attacker until the input ends, and returns what it got."""
    reader = asyncio.StreamReader(limit=1 << 24)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    attacker = Attacker(port, num_addresses, json.loads(await reader.readline()))
    attacking = asyncio.create_task(ATTACKS[kind](attacker))
    print("begun", flush=True)
    while line := await reader.readline():
        attacker.honest.append(line.decode().strip())
    if attacking.done() and attacking.exception():
        attacker.got[f"ended: {attacking.exception()!r:.100}"] += 1
    attacking.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await attacking
    return attacker.got


def main() -> None:
    """Runs the attacker that the command line names."""
    kind, port, num_addresses = sys.argv[1:]
    if hasattr(os, "nice"):
        os.nice(10)  # honest clients share the core
    found = asyncio.run(attack(kind, int(port), int(num_addresses)))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
