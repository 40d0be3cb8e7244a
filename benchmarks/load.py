"""Plays at many browser tables, and measures how fast the server answers, attacked or not.

    python benchmarks/load.py                       # 100 tables, two greedy agents at each
    python benchmarks/load.py --tables 20 --think 0.5 --games 2
    python benchmarks/load.py --attack since0       # with an attacker
    python benchmarks/load.py --attack all          # one kind after another, and none first

A real server runs in a process of its own, pinned to one core where the system allows it, with
1,024 descriptors. At each table a client with an address of its own plays whole games: it waits for
its turn by long polling, looks at the position again, thinks, and plays a random legal action. An
attacker (benchmarks/loads/attacks.py) has one address, a process of its own on the clients' core,
and a lower priority than theirs. At the end the server is killed, and what it had
confirmed is compared with its file of tables and with the records of the games, which are replayed.

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
import random
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from time import perf_counter
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.common.command import MISSED, OK
from benchmarks.common.measure import describe_machine, tell
from benchmarks.common.tables import Table, markdown_table
from benchmarks.loads.attacks import ATTACKS
from benchmarks.loads.clients import KINDS, Client, Found, LostError, Party, Played
from benchmarks.loads.server import Server, off_core
from gonzaga_env.command_line import OneLineParser, run_command

GOALS_MS = {"move": 50.0, "look": 100.0}  # of the 95th percentiles
START = "import sys; from gonzaga_table.cli import play; sys.exit(play())"
NONE, ALL = "none", "all"
_ROOT = Path(__file__).resolve().parent.parent
_MAX_TABLES = 500  # of a server by default


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints tables and returns the exit code: 1 if the goal was missed."""
    options = parse(arguments)
    return run_command("load", lambda: _report(options))


def _report(options: argparse.Namespace) -> int:
    kinds = [NONE, *ATTACKS] if options.attack == ALL else [options.attack]
    reports = []
    for kind in kinds:
        with tempfile.TemporaryDirectory() as folder, off_core():
            reports.append(asyncio.run(measure(options, kind, Path(folder))))
        if not options.json:
            show(reports[-1])
    if options.json:
        found = reports if options.attack == ALL else reports[0]
        print(json.dumps(found, indent=1, ensure_ascii=False))
    elif options.attack == ALL:
        print(compare(reports))
    return MISSED if any(missed(report, options.any_speed) for report in reports) else OK


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Returns the options; exits with code 2 for a mistake."""
    parser = OneLineParser(prog="load")
    add = parser.add_argument
    add("--tables", metavar="N", type=int, default=100, help="at once (100)")
    add("--games", metavar="N", type=int, default=1, help="one after another at each table (1)")
    add("--players", metavar="N", type=int, default=3, help="one of them the client (3)")
    add("--agent", metavar="SPEC", default="greedy", help="on the other seats (greedy)")
    add("--think", metavar="SECONDS", type=float, default=5.0, help="before a move, on average (5)")
    add(
        "--seconds", metavar="N", type=float, help="end then, in mid-game (when all games are over)"
    )
    add("--attack", metavar="KIND", default=NONE, help=f"{NONE}, {ALL}, {', '.join(ATTACKS)}")
    add("--addresses", metavar="N", type=int, default=1, help="of the attacker (1)")
    add("--server", metavar="COMMAND", help="that serves tables (gonzaga-play of this folder)")
    add("--memory", metavar="GB", type=float, help="address space of the server (no limit)")
    add("--any-speed", action="store_true", help="only what is lost counts, not how long it took")
    add("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args(arguments)
    if min(options.tables, options.games) < 1 or options.players not in (2, 3, 4):
        parser.error("--tables and --games take 1 or more, --players takes 2 to 4")
    if options.think < 0:
        parser.error("--think takes 0 or more")
    if options.attack not in (NONE, ALL, *ATTACKS):
        parser.error(f"--attack is {options.attack}; it takes {NONE}, {ALL}, {', '.join(ATTACKS)}")
    if not 1 <= options.addresses <= 200:
        parser.error("--addresses takes 1 to 200")
    return options


async def measure(options: argparse.Namespace, kind: str, folder: Path) -> dict[str, Any]:
    """Returns the figures of one run with one kind of attacker."""
    command = shlex.split(options.server) if options.server else [sys.executable, "-c", START]
    # Where all clients have one address, it may open a fifth of the tables.
    num_tables = max(_MAX_TABLES, 5 * (options.tables * options.games + 1))
    command += ["--max-tables", str(num_tables)]
    server = Server(command, folder, options.memory)
    try:
        known = await _finished_game(server.port)
        watching = asyncio.create_task(server.watch())
        began, cpu = perf_counter(), server.cpu_seconds()
        async with _attacker(kind, server.port, known, options.addresses) as (opened, got):
            found = await _play(options, server.port, opened)
        seconds = perf_counter() - began
        cpu = server.cpu_seconds() - cpu
        watching.cancel()
        if server.died() is not None:
            found.lost["the server died"] += 1
    finally:
        server.kill()
    verify(found.tables, server.data)
    return {
        "machine": describe_machine(("starlette", "uvicorn")),
        "attack": kind,
        "tables": options.tables,
        "players": options.players,
        "agent": options.agent,
        "think": options.think,
        "games": sum(table.record is not None for table in found.tables),
        "moves": sum(len(table.confirmed) for table in found.tables),
        "seconds": round(seconds, 1),
        "busy": round(cpu / seconds, 2),
        "memory": round(server.memory),
        "descriptors": server.descriptors,
        "log": len(server.log_lines()),
        "log_ends": server.log_lines()[-3:],
        "lost": dict(found.lost),
        "got": got,
        **{name: percentiles(values) for name, values in found.seconds.items()},
    }


async def _finished_game(port: int) -> dict[str, Any]:
    """Plays a game without thinking, and returns what an attacker learns of it."""
    found, party = Found(), Party(4, "greedy", 0.0)
    await Client(port, 0, party, found, random.Random(0)).play_games()
    return {"finished": found.tables[0].id, "record": found.tables[0].record}


async def _play(options: argparse.Namespace, port: int, opened: Any) -> Found:
    """Lets the honest clients play, and returns what they measured."""
    found, rng = Found(), random.Random(1)
    party = Party(options.players, options.agent, options.think, options.games)
    clients = [
        Client(port, 1 + number, party, found, rng, opened) for number in range(options.tables)
    ]
    with suppress(TimeoutError):
        async with asyncio.timeout(options.seconds):
            await asyncio.gather(*(client.play_games() for client in clients))
    return found


@asynccontextmanager
async def _attacker(
    kind: str, port: int, known: dict[str, Any], num_addresses: int
) -> AsyncIterator[tuple[Any, dict[str, int]]]:
    """Runs an attacker meanwhile; yields what gives it a table, and what it got in the end."""
    got: dict[str, int] = {}
    if kind == NONE:
        yield (lambda table: None), got
        return
    command = [sys.executable, "-m", "benchmarks.loads.attacks", kind, str(port)]
    process = await asyncio.create_subprocess_exec(
        *command, str(num_addresses), cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{json.dumps(known)}\n".encode())
    await process.stdout.readline()  # it has begun
    try:
        yield (lambda table: process.stdin.write(f"{table}\n".encode())), got
    finally:
        process.stdin.close()  # ends it
        output, _ = await process.communicate()
        got.update(json.loads(output or "{}"))


def verify(played: Sequence[Played], data: Path) -> None:
    """Checks that the file, and every record, hold every move that was confirmed.

    Raises:
        LostError: a move is missing.
    """
    from gonzaga_env.core.records import replay

    with closing(sqlite3.connect(data)) as file:
        query = "SELECT table_id, number, action FROM moves"
        stored = {(table, number): action for table, number, action in file.execute(query)}
    for table in played:
        game = replay(table.record) if table.record else None
        for number, action in table.confirmed:
            if stored.get((table.id, number)) != action:
                raise LostError(f"move {number} was confirmed, and is not in the file")
            if game and table.record:
                recorded = game.actions.parse(table.record["moves"][number]["action"])
                if recorded != action:
                    raise LostError(f"move {number} was confirmed, and is not in the record")
    tell(f"{len(played)} tables checked: every confirmed move is in the file and in the record")


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """Returns number, median, 95th and 99th percentile and maximum, in milliseconds."""
    ordered = sorted(1000 * value for value in seconds)

    def at(part: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1) if ordered else 0

    return {"number": len(ordered), "p50": at(0.5), "p95": at(0.95), "p99": at(0.99), "max": at(1)}


def missed(report: dict[str, Any], any_speed: bool = False) -> bool:
    """Returns whether anything was lost or, unless any speed will do, answers were too slow."""
    rows = [(report[kind], goal) for kind, goal in GOALS_MS.items()]
    slow = any(not row["number"] or row["p95"] > goal for row, goal in rows)
    return bool(report["lost"]) or (slow and not any_speed)


def show(report: dict[str, Any]) -> None:
    """Prints the figures of one run."""
    print(
        f"attack: {report['attack']}; {report['tables']} tables, {report['players']} players "
        f"({report['agent']} on the other seats), {report['think']:g} s of thinking; "
        f"{report['games']} games, {report['moves']} moves in {report['seconds']} s; the server's "
        f"core was busy {report['busy']:.0%}"
    )
    print(f"{'':<8}{'number':>8}{'median':>9}{'95 %':>9}{'99 %':>9}{'longest':>9}  (ms)")
    for kind in KINDS:
        row = report[kind]
        figures = "".join(f"{row[name]:>9}" for name in ("p50", "p95", "p99", "max"))
        print(f"{kind:<8}{row['number']:>8}{figures}")
    print(
        f"server: {report['memory']} MB, {report['descriptors']} descriptors, {report['log']} "
        f"lines of log; lost: {_counts(report['lost'])}; the attacker got: {_counts(report['got'])}"
    )


def compare(reports: Sequence[dict[str, Any]]) -> str:
    """Returns the runs as one table in Markdown."""
    headings = ["attack", "moves", "median", "95 %", "99 %", "longest", "look 95 %", "create 95 %"]
    headings += ["lost", "MB", "core", "descriptors", "log", "the attacker got"]
    return markdown_table(Table("Attacks", headings, [_line(report) for report in reports]))


def _line(report: dict[str, Any]) -> list[str]:
    move = report["move"]
    cells = [move["number"], *(move[name] for name in ("p50", "p95", "p99", "max"))]
    cells += [report["look"]["p95"], report["create"]["p95"], sum(report["lost"].values())]
    cells += [report["memory"], f"{report['busy']:.0%}", report["descriptors"], report["log"]]
    return [report["attack"], *map(str, cells), _counts(report["got"])]


def _counts(counts: dict[str, int]) -> str:
    """Returns counts in words, the largest first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{number:,} {what}" for what, number in ordered) or "nothing"


if __name__ == "__main__":
    sys.exit(main())
