"""Kills parts of a Ray cluster in mid-tournament: `python tools/chaos_ray.py --runs 10`.

A cluster of two nodes runs on this machine. While a tournament is played on it, again and again a
worker is killed (SIGKILL), a task is cancelled by force, or the node without the tournament's own
process is killed and replaced. After each tournament its games and its table equal those of an
undisturbed one in this process. The table counts the faults; a difference ends with exit code 1.
Tournaments have no Ray actors. Needs the extra "ray"; runs on Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from gonzaga_agents.tournament.report import as_json
from gonzaga_agents.tournament.results import Session
from gonzaga_agents.tournament.schedule import CHUNK_DEALS
from gonzaga_agents.tournament.tournament import GAMES, OnProgress, Tournament
from gonzaga_agents.units import Executor, ThisProcess, open_executor
from gonzaga_agents.units.entrants import identify_all
from gonzaga_agents.units.ray_cluster import RayCluster

from gonzaga_env.core import GameConfig

_AGENTS = ("greedy", "planner", "random")
_PLAYS = b"ray::plays"  # the title of a process that plays games
_NODES = ({"num_cpus": 1}, {"num_cpus": 2})


class LostError(Exception):
    """Games are missing, or differ from those of an undisturbed tournament."""


class Nodes:
    """A cluster of two nodes on this machine, and what can happen to it."""

    def __init__(self, rng: Random) -> None:
        """Starts the cluster."""
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")  # its lines about what is killed
        from ray.cluster_utils import Cluster

        self._rng = rng
        self.cluster = Cluster(initialize_head=True, head_node_args=_NODES[0])
        self._other = self.cluster.add_node(**_NODES[1])

    def kill_worker(self, _executor: RayCluster) -> bool:
        """Kills a process that plays games, if there is one; returns whether there was."""
        playing = processes(_PLAYS, *self.cluster.list_all_nodes())
        if playing:
            os.kill(self._rng.choice(playing), signal.SIGKILL)
        return bool(playing)

    def cancel_task(self, executor: RayCluster) -> bool:
        """Cancels a task by force, if there is one; returns whether there was."""
        import ray

        running = list(executor.running)
        if running:
            ray.cancel(self._rng.choice(running), force=True)
        return bool(running)

    def kill_node(self, _executor: RayCluster) -> bool:
        """Kills a node that plays games, with all its processes, and starts another one."""
        if not processes(_PLAYS, self._other):
            return False
        self.cluster.remove_node(self._other, allow_graceful=False)
        self._other = self.cluster.add_node(**_NODES[1])
        return True


def processes(title: bytes, *nodes: Any) -> list[int]:
    """Returns the processes that raylets of some nodes have started, by how their titles begin."""
    raylets = [each.process.pid for node in nodes for each in node.all_processes["raylet"]]
    tasks = (path for pid in raylets for path in Path(f"/proc/{pid}/task").glob("*/children"))
    children = [int(pid) for path in tasks for pid in path.read_text().split()]
    return [pid for pid in children if _command(pid).startswith(title)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return b""


FAULTS: dict[str, Callable[[Nodes, RayCluster], bool]] = {
    "worker killed": Nodes.kill_worker,
    "task cancelled by force": Nodes.cancel_task,
    "node killed": Nodes.kill_node,
}


def play(
    executor: Executor, out: Path, deals: int, on_progress: OnProgress = lambda done, total: None
) -> tuple[list[str], str]:
    """Plays the tournament; returns its games in a fixed order, and its table."""
    entrants = tuple(identify_all(_AGENTS))
    session = Session("2026-11-22", None)
    tournament = Tournament((GameConfig(2),), entrants, 7, out, executor, session, on_progress)
    table = json.dumps(as_json(*tournament.rank(deals)))
    return sorted((out / GAMES).read_text().splitlines()), table


class Disturber:
    """Injects a fault repeatedly while a tournament is played.

    Attributes:
        done: how often it happened.
    """

    def __init__(self, fault: Callable[[], bool], most: int, rng: Random) -> None:
        self._fault, self._most, self._rng = fault, most, rng
        self._next, self.done = 0.0, 0

    def __call__(self, done: float, total: int) -> None:
        """Takes progress; up to 3 seconds lie between two faults."""
        if self.done < self._most and time.monotonic() > self._next and done < total:
            self.done += self._fault()
            self._next = time.monotonic() + self._rng.uniform(0.2, 3)


def survive(
    name: str, nodes: Nodes, wanted: tuple[list[str], str], runs: int, deals: int, place: Path
) -> dict[str, Any]:
    """Plays tournaments until a fault has happened some times; returns counts.

    Raises:
        LostError: games are missing or different.
    """
    rng, faults, tournaments, lost = Random(name), 0, 0, list[str]()
    began = time.monotonic()
    while faults < runs:
        with open_executor("ray", address=nodes.cluster.address, on_lost=lost.append) as executor:
            assert isinstance(executor, RayCluster)
            fault = partial(FAULTS[name], nodes, executor)
            disturber = Disturber(fault, runs - faults, rng)
            found = play(executor, Path(tempfile.mkdtemp(dir=place)), deals, disturber)
            faults, tournaments = faults + disturber.done, tournaments + 1
        if found != wanted:
            raise LostError(f"{name}: the games or the table differ from the undisturbed ones")
    seconds = round(time.monotonic() - began)
    return {"faults": faults, "reported": len(lost), "tournaments": tournaments, "seconds": seconds}


def main() -> int:
    """Runs the faults and prints a table; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10, help="faults of each kind (10)")
    parser.add_argument("--deals", type=int, default=400, help="deals of each table (400)")
    parser.add_argument("--fault", choices=FAULTS, action="append", help="by default all")
    given = parser.parse_args()
    CHUNK_DEALS[2] = 10  # many small chunks, so that faults meet them
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        wanted = play(ThisProcess(), place / "undisturbed", given.deals)
        games = len(wanted[0]) - 2  # without the header and the session
        nodes = Nodes(Random(0))
        try:
            print(f"Each tournament has {games:,} games.")
            print("| fault | times | reported | tournaments | seconds |\n|---|---|---|---|---|")
            for name in given.fault or FAULTS:
                counts = survive(name, nodes, wanted, given.runs, given.deals, place)
                print(f"| {name} | {' | '.join(map(str, counts.values()))} |", flush=True)
            print("All games and tables were equal.")
        except LostError as error:
            print(f"chaos_ray: {error}", file=sys.stderr)
            return 1
        finally:
            nodes.cluster.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
