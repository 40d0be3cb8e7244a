"""Measures the table in the browser under many people: `python benchmarks/load.py --tables 100`.

It starts the server and plays one game at each table over HTTP, a person against a `planner`. A
person thinks for some seconds, looks at the position and moves. Requests that fail or take longer
than 15 s are lost, and tried again.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.measure import amount, measured_on, table

THINK = 3.0  # seconds before a move, on average
LATE, WAIT = 15.0, 20  # seconds of a request; of a long poll, beside these
KINDS = ("create", "look", "move")


@dataclass
class LoadOptions:
    """Measures the table in the browser under many people."""

    tables: int = 50
    """Tables at a time, with one person each."""
    seconds: float = 60.0
    """How long they play."""


class Server:
    """A server in a process of its own, with its port and its memory."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-P", "-m", "gonzaga_env", "play", "--port", "0", "--no-open"]
        self._process = subprocess.Popen(
            [*command, "--data", str(folder / "tables.sqlite")], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if "http://" not in line:
            raise SystemExit("load: the server did not start")
        self.port = int(line.split("http://")[1].split()[0].split("/")[0].rsplit(":", 1)[1])

    def memory(self) -> float:
        """Returns the MB that it had in memory at most."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

    def kill(self) -> None:
        """Kills it, as a power failure would."""
        self._process.kill()
        self._process.communicate()


class Person:
    """Someone who plays game after game over one connection."""

    def __init__(self, port: int, seconds: dict[str, list[float]], seed: int) -> None:
        self._port, self._seconds = port, seconds
        self._rng, self.lost = random.Random(seed), Counter[str]()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def play(self) -> None:
        await asyncio.sleep(self._rng.uniform(0, THINK))
        while True:
            made = await self._insist("create", "POST", "/api/tables", asked=new_table())
            path, token = f"/api/tables/{made['table']}", made["seats"][0]["token"]
            while not await self._decide(path, token):
                pass

    async def _decide(self, path: str, token: str) -> bool:
        """Waits for the own turn and moves; returns whether the game is over."""
        position = await self._insist("look", "GET", path, token)
        while not position["over"] and position["turn"] is None:
            since = f"{path}?since={position['moves'] + 1}&wait={WAIT}"
            position = await self._insist("wait", "GET", since, token)
        if position["over"]:
            return True
        await asyncio.sleep(self._rng.uniform(0.5, 1.5) * THINK)
        turn = position["turn"]
        action = self._rng.choice(turn.get("plans") or turn["placements"])["action"]
        asked = {"move": position["moves"], "action": action}
        await self._insist("move", "POST", f"{path}/moves", token, asked)
        return False

    async def _insist(
        self, kind: str, method: str, path: str, token: str = "", asked: Any = None
    ) -> Any:
        """Returns the object of an answer, asked for again after a loss."""
        while True:
            began = time.perf_counter()
            try:
                async with asyncio.timeout(LATE + WAIT * (kind == "wait")):
                    status, content = await self._ask(method, path, token, asked)
                if status in (200, 201):
                    self._seconds.setdefault(kind, []).append(time.perf_counter() - began)
                    return json.loads(content)
                self.lost[f"{kind}: {status}"] += 1
            except (OSError, EOFError) as error:  # a TimeoutError is an OSError
                self.lost[f"{kind}: {type(error).__name__}"] += 1
            if self._streams is not None:
                self._streams[1].close()
                self._streams = None
            await asyncio.sleep(0.5)

    async def _ask(self, method: str, path: str, token: str, asked: Any) -> tuple[int, bytes]:
        """Sends a request; HTTP libraries would take longer than the server."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        body = b"" if asked is None else json.dumps(asked).encode()
        head = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
        head += [f"Authorization: Bearer {token}"] if token else []
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines if line)
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        return int(status.split()[1]), content


def new_table() -> dict[str, Any]:
    """Returns what a person asks for: Gonzaga for two against a planner."""
    return {"edition": "europe", "num_players": 2, "seats": ["human", "planner"]}


async def play(port: int, options: LoadOptions) -> tuple[dict[str, list[float]], Counter[str]]:
    """Lets people play; returns the seconds of answers by kind, and what was lost."""
    seconds: dict[str, list[float]] = {}
    people = [Person(port, seconds, seed) for seed in range(options.tables)]
    playing = [asyncio.create_task(person.play()) for person in people]
    done, _ = await asyncio.wait(playing, timeout=options.seconds)
    for task in playing:
        task.cancel()
    for task in done:  # only a fault of this program ends one
        task.result()
    return seconds, sum((person.lost for person in people), Counter[str]())


def main(options: LoadOptions) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            seconds, lost = asyncio.run(play(server.port, options))
            memory = server.memory()
        finally:
            server.kill()
    lines = []
    for kind in (kind for kind in KINDS if kind in seconds):
        times = sorted(1000 * value for value in seconds[kind])
        parts = (times[int(share * (len(times) - 1))] for share in (0.5, 0.95, 0.99, 1))
        lines.append([kind, f"{len(times):,}", *(amount(part) for part in parts)])
    headings = ["request", "number", "median, ms", "95 %", "99 %", "longest"]
    said = ", ".join(f"{number} {what}" for what, number in lost.items()) or "nothing"
    note = f"{options.tables} tables, {THINK:g} s to think, {options.seconds:g} s; "
    note += f"lost: {said}; memory at most {memory:.0f} MB. "
    print(f"{table(headings, lines)}\n\n{note}{measured_on('python benchmarks/load.py')}")


if __name__ == "__main__":
    import tyro

    main(tyro.cli(LoadOptions))
