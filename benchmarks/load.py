"""Plays at many browser tables at once, and measures how fast the server answers.

    python benchmarks/load.py                       # 100 tables, two greedy agents at each
    python benchmarks/load.py --tables 20 --think 0.5 --games 2

A real server runs in a process of its own, pinned to one core where the system allows it. At each
table a client plays whole games: it waits for its turn by long polling, looks at the position
again, thinks, and plays a random legal action. At the end the server is killed, and what every
client was told is compared with the record of its game, which is replayed.

| row | from the request to the last byte of the answer |
|---|---|
| move | a move: played, stored, and answered with the new position |
| look | the position, without waiting, with all legal actions |
| create | a new table |
| turn | from the own move to the own next turn: the agents' decisions and the polls between them |
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.common.command import INTERRUPTED, MISSED, MISTAKE, OK, Parser
from benchmarks.common.measure import describe_machine, tell

GOAL_MS = 100.0  # of the 95th percentile of moves and looks
KINDS = ("move", "look", "create", "turn")
START = "import sys; from gonzaga_agents.cli import play; sys.exit(play())"


class LostError(Exception):
    """The server refused or lost something."""


@dataclass
class Found:
    """What the clients measured.

    Attributes:
        seconds: of all answers, by kind.
        num_games: games played to their end.
        num_moves: moves that were confirmed.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: {k: [] for k in KINDS})
    num_games: int = 0
    num_moves: int = 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints a table and returns the exit code: 1 if the goal was missed."""
    options = parse(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            report = asyncio.run(measure(options, Path(folder) / "tables.sqlite"))
    except KeyboardInterrupt:
        print("load: interrupted", file=sys.stderr)
        return INTERRUPTED
    except (LostError, OSError) as error:
        print(f"load: {error}", file=sys.stderr)
        return MISTAKE
    show(report, options.json)
    slow = [kind for kind in ("move", "look") if report[kind]["p95"] > GOAL_MS]
    return MISSED if slow else OK


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Returns the options; exits with code 2 for a mistake."""
    parser = Parser(prog="load")
    add = parser.add_argument
    add("--tables", metavar="N", type=int, default=100, help="at once (100)")
    add("--games", metavar="N", type=int, default=1, help="one after another at each table (1)")
    add("--players", metavar="N", type=int, default=3, help="one of them the client (3)")
    add("--agent", metavar="SPEC", default="greedy", help="on the other seats (greedy)")
    add("--think", metavar="SECONDS", type=float, default=5.0, help="before a move, on average (5)")
    add("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(arguments)
    if min(options.tables, options.games) < 1 or options.players not in (2, 3, 4):
        parser.error("--tables and --games take 1 or more, --players takes 2 to 4")
    if options.think < 0:
        parser.error("--think takes 0 or more")
    return options


async def measure(options: argparse.Namespace, data: Path) -> dict[str, Any]:
    """Returns the figures of one run."""
    process, port = start_server(data, options.tables * options.games)
    found, rng = Found(), random.Random(1)
    try:
        began = perf_counter()
        clients = [Client(port, options, found, rng) for _ in range(options.tables)]
        await asyncio.gather(*(client.play_games() for client in clients))
        seconds = perf_counter() - began
        cpu = cpu_seconds(process.pid)
    finally:
        process.kill()
        process.communicate()
    verify([record for client in clients for record in client.played])
    rows = {kind: percentiles(values) for kind, values in found.seconds.items()}
    return {
        "machine": describe_machine(("starlette", "uvicorn")),
        "tables": options.tables,
        "players": options.players,
        "agent": options.agent,
        "think": options.think,
        "games": found.num_games,
        "moves": found.num_moves,
        "seconds": round(seconds, 1),
        "busy": None if cpu is None else round(cpu / seconds, 2),
        **rows,
    }


def start_server(data: Path, num_tables: int) -> tuple[subprocess.Popen[str], int]:
    """Starts a server on one core, and returns its process and port."""
    command = [sys.executable, "-c", START, "--port", "0", "--data", str(data), "--no-open"]
    # All clients have one address, which may open a fifth of the tables, or ten.
    command += ["--max-tables", str(5 * num_tables)]
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else set()
    if cores:
        os.sched_setaffinity(0, {max(cores)})  # a child keeps it
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    if cores:
        os.sched_setaffinity(0, (cores - {max(cores)}) or cores)
    assert process.stdout is not None
    line = process.stdout.readline()
    if "http://" not in line:
        raise LostError("the server did not start")
    return process, int(line.split("http://")[1].split()[0].rsplit(":", 1)[1])


def cpu_seconds(pid: int) -> float | None:
    """Returns the processor time of a process; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Client:
    """A person at one table after another.

    Attributes:
        played: of every game its record and the moves that were confirmed.
    """

    def __init__(
        self, port: int, options: argparse.Namespace, found: Found, rng: random.Random
    ) -> None:
        self._port, self._options, self._found, self._rng = port, options, found, rng
        self.played: list[tuple[dict[str, Any], list[tuple[int, int]]]] = []

    async def play_games(self) -> None:
        """Plays all games."""
        await asyncio.sleep(self._rng.uniform(0, 1 + self._options.think))  # people come one by one
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            for _ in range(self._options.games):
                await self._play_game()
        finally:
            self._writer.close()

    async def _play_game(self) -> None:
        others = [self._options.agent] * (self._options.players - 1)
        asked = {
            "edition": "europe",
            "num_players": self._options.players,
            "seats": ["human", *others],
        }
        made = await self._timed("create", "POST", "/api/tables", asked)
        path, token = f"/api/tables/{made['table']}", made["seats"][0]["token"]
        confirmed: list[tuple[int, int]] = []
        position, since = await self._ask("GET", path, token=token), perf_counter()
        while not position["over"]:
            if position["turn"] is None:
                query = f"?since={position['moves'] + 1}&wait=25"
                position = await self._ask("GET", path + query, token=token)
                continue
            if confirmed:
                self._found.seconds["turn"].append(perf_counter() - since)
            position = await self._timed("look", "GET", path, token=token)
            await asyncio.sleep(self._rng.uniform(0.5, 1.5) * self._options.think)
            since = perf_counter()
            position = await self._move(path, token, position, confirmed)
        self._found.num_games += 1
        self.played.append((await self._ask("GET", f"{path}/record", token=token), confirmed))

    async def _move(
        self, path: str, token: str, position: dict[str, Any], confirmed: list[tuple[int, int]]
    ) -> dict[str, Any]:
        turn, number = position["turn"], position["moves"]
        action = self._rng.choice(turn.get("plans") or turn["placements"])["action"]
        asked = {"move": number, "action": action}
        answer = await self._timed("move", "POST", f"{path}/moves", asked, token)
        confirmed.append((number, action))
        self._found.num_moves += 1
        return answer

    async def _timed(self, kind: str, *request: Any, **more: Any) -> dict[str, Any]:
        began = perf_counter()
        body = await self._send(*request, **more)
        self._found.seconds[kind].append(perf_counter() - began)
        return json.loads(body)

    async def _ask(self, *request: Any, **more: Any) -> dict[str, Any]:
        return json.loads(await self._send(*request, **more))

    async def _send(
        self, method: str, path: str, content: Any = None, token: str | None = None
    ) -> bytes:
        """Sends a request on the connection that stays open, and returns the answer's body.

        HTTP libraries would take longer than the server.
        """
        body = b"" if content is None else json.dumps(content).encode()
        head = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
        if token is not None:
            head.append(f"Authorization: Bearer {token}")
        self._writer.write("\r\n".join([*head, "", ""]).encode() + body)
        status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines if line)
        answer = await self._reader.readexactly(int(headers["content-length"]))
        if status.split()[1] not in ("200", "201"):
            raise LostError(f"{method} {path}: {status}: {answer.decode()}")
        return answer


def verify(played: Sequence[tuple[dict[str, Any], list[tuple[int, int]]]]) -> None:
    """Checks that every record is right and holds every move that was confirmed."""
    from gonzaga_env.core.records import replay

    for record, confirmed in played:
        engine = replay(record)
        for number, action in confirmed:
            if engine.actions.parse(record["moves"][number]["action"]) != action:
                raise LostError(f"move {number} was confirmed, and is not in the record")
    tell(f"{len(played)} records replayed: every confirmed move is in them")


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """Returns number, median, 95th and 99th percentile and maximum, in milliseconds."""
    ordered = sorted(1000 * value for value in seconds)

    def at(part: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1)

    return {"number": len(ordered), "p50": at(0.5), "p95": at(0.95), "p99": at(0.99), "max": at(1)}


def show(report: dict[str, Any], as_json: bool) -> None:
    """Prints the figures."""
    if as_json:
        print(json.dumps(report, indent=1, ensure_ascii=False))
        return
    print(
        f"{report['tables']} tables, {report['players']} players ({report['agent']} on the other "
        f"seats), {report['think']:g} s of thinking; {report['games']} games, {report['moves']} "
        f"moves in {report['seconds']} s; the server's core was busy {report['busy'] or 0:.0%}"
    )
    print(f"{'':<8}{'number':>8}{'median':>9}{'95 %':>9}{'99 %':>9}{'longest':>9}  (ms)")
    for kind in KINDS:
        row = report[kind]
        figures = "".join(f"{row[name]:>9}" for name in ("p50", "p95", "p99", "max"))
        print(f"{kind:<8}{row['number']:>8}{figures}")


if __name__ == "__main__":
    sys.exit(main())
