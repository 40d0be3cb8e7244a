"""Kills parts of a Ray cluster under a program: `python tools/chaos_ray.py --runs 10`.

A cluster of two nodes runs on this machine. While a tournament is played on it or, with
`--training`, a policy is trained by two collectors and two learners, again and again one of the
program's processes is killed (SIGKILL), Ray ends a task or an actor by force, or the node without
the command's own process is killed and replaced. What comes of it equals that of an undisturbed
run: games and table of one in this process, or a policy of one on Ray, bit for bit. The table
counts the faults; a difference ends with exit code 1. Needs the extra "ray", and "train" for
trainings; runs on Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import sys
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

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
_NODES = ({"num_cpus": 1}, {"num_cpus": 2})


class OnRay(ABC):
    """A program on a cluster of two nodes on this machine, and what can happen to it.

    Attributes:
        faults: what makes each fault happen, by its name. It takes what Ray runs, and returns
            whether there was anything to disturb.
        lost: what a tournament has reported; a training says it on stderr alone.
    """

    title: ClassVar[bytes]  # of its processes, how it begins
    unit: ClassVar[str]  # what is run once, in the plural
    by_force: ClassVar[str]  # what Ray ends

    def __init__(self) -> None:
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")  # its lines about what is killed
        from ray.cluster_utils import Cluster

        self.rng, self.lost = Random(0), list[str]()
        self.cluster = Cluster(initialize_head=True, head_node_args=_NODES[0])
        # Its signal handlers would be set by the thread that disturbs, which may not.
        self.cluster._shutdown_at_exit = False
        self._other = self.cluster.add_node(**_NODES[1])
        self.faults: dict[str, Callable[[Any], bool]] = {
            "process killed": self._kill_process,
            self.by_force: self._end_by_force,
            "node killed": self._kill_node,
        }

    @abstractmethod
    def undisturbed(self) -> Any:
        """Returns what comes of the program without faults."""

    @abstractmethod
    def disturbed(self, disturber: Disturber) -> Any:
        """Returns what comes of the program while it is disturbed."""

    @abstractmethod
    def _end_by_force(self, running: Any) -> bool: ...

    def _kill_process(self, _running: Any) -> bool:
        """Kills one of its processes, if there is one."""
        found = processes(self.title, *self.cluster.list_all_nodes())
        if found:
            os.kill(self.rng.choice(found), signal.SIGKILL)
        return bool(found)

    def _kill_node(self, _running: Any) -> bool:
        """Kills a node that runs it, with all its processes, and starts another one."""
        if not processes(self.title, self._other):
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


@dataclass
class Disturber:
    """Makes a fault happen again and again, until it has happened often enough.

    Attributes:
        fault: what makes it happen.
        left: how often it still has to happen.
        rng: decides when.
    """

    fault: Callable[[Any], bool]
    left: int
    rng: Random

    def disturb(self, running: Any) -> bool:
        """Makes it happen once; returns whether it did."""
        happened = self.fault(running)
        self.left -= happened
        return happened


class TournamentOnRay(OnRay):
    """A tournament; its games in a fixed order, and its table."""

    title, unit, by_force = b"ray::plays", "tournaments", "task cancelled by force"

    def __init__(self, place: Path, deals: int) -> None:
        super().__init__()
        self._place, self._deals = place, deals
        CHUNK_DEALS[2] = max(10, deals // 400)  # many chunks, so that faults meet them

    def undisturbed(self) -> tuple[list[str], str]:
        """Plays in this process."""
        games, table = self._play(ThisProcess())
        # The first lines are the header and the session.
        print(f"Each tournament has {len(games) - 2:,} games.")
        return games, table

    def disturbed(self, disturber: Disturber) -> tuple[list[str], str]:
        """Plays on the cluster; up to 3 seconds lie between two faults."""
        again = 0.0
        with open_executor("ray", address=self.cluster.address, on_lost=self.lost.append) as ray:

            def on_progress(done: float, total: int) -> None:
                nonlocal again
                if disturber.left and time.monotonic() > again and done < total:
                    disturber.disturb(ray)
                    again = time.monotonic() + disturber.rng.uniform(0.2, 3)

            return self._play(ray, on_progress)

    def _play(
        self, executor: Executor, on_progress: OnProgress = lambda done, total: None
    ) -> tuple[list[str], str]:
        out = Path(tempfile.mkdtemp(dir=self._place))
        entrants, session = tuple(identify_all(_AGENTS)), Session("2026-11-22", None)
        tournament = Tournament((GameConfig(2),), entrants, 7, out, executor, session, on_progress)
        table = json.dumps(as_json(*tournament.rank(self._deals)))
        return sorted((out / GAMES).read_text().splitlines()), table

    def _end_by_force(self, running: RayCluster) -> bool:
        """Cancels a task, if there is one; tournaments have no actors."""
        import ray

        tasks = list(running.running)
        if tasks:
            ray.cancel(self.rng.choice(tasks), force=True)
        return bool(tasks)


class TrainingOnRay(OnRay):
    """A training of some 15 updates; the policy's weights."""

    title, unit, by_force = b"ray::Door", "trainings", "actor killed"

    def __init__(self) -> None:
        import torch
        from gonzaga_agents.training.command import setup_of
        from gonzaga_agents.training.options import Arguments
        from gonzaga_agents.training.run import Run

        super().__init__()
        torch.set_num_threads(1)
        arguments = Arguments(
            players=2, timesteps=4000, num_games=8, minibatch=64, width=8,
            opponents="greedy,past", self_play=0.6, eval_deals=0, eval_against="", sample_games=0,
            device="cpu", executor="ray", address=self.cluster.address, collectors=2,
            learners=2,
        )  # fmt: skip
        self._new_run = lambda out: Run(setup_of(arguments), out, resume=False)

    def undisturbed(self) -> dict[str, bytes]:
        """Trains on the cluster."""
        return self._train(lambda run: None)

    def disturbed(self, disturber: Disturber) -> dict[str, bytes]:
        """Trains, disturbed by a thread, each time after some progress."""

        def disturb(run: Any) -> None:
            seen = 0
            while run.turns < run.setup.timesteps and disturber.left:
                time.sleep(disturber.rng.uniform(0.01, 0.5))
                if run.turns > seen and run._collector is not None and disturber.disturb(run):
                    seen = run.turns

        return self._train(disturb)

    def _train(self, disturb: Callable[[Any], None]) -> dict[str, bytes]:
        with tempfile.TemporaryDirectory() as folder:
            run = self._new_run(Path(folder))
            thread = threading.Thread(target=disturb, args=[run], daemon=True)
            thread.start()
            run.learn()
            thread.join()
            weights = run.model.policy.state_dict()
            return {name: tensor.numpy().tobytes() for name, tensor in weights.items()}

    def _end_by_force(self, running: Any) -> bool:
        """Kills an actor through Ray, if there is one."""
        import ray

        players: list[Any] = getattr(running._collector, "_players", [])
        remotes = [player._remote for player in players]
        remotes += running._learners._others if running._learners else []
        if remotes:
            ray.kill(self.rng.choice(remotes).actor)
        return bool(remotes)


def survive(program: OnRay, fault: str, wanted: Any, num_faults: int) -> str:
    """Runs a program until a fault has happened some times; returns counts as cells of a table.

    Raises:
        SystemExit: something else comes of it.
    """
    disturber = Disturber(program.faults[fault], num_faults, Random(fault))
    runs, began = 0, time.monotonic()
    program.lost.clear()
    while disturber.left:
        if program.disturbed(disturber) != wanted:
            sys.exit(f"chaos_ray: {fault}: what came of it differs from an undisturbed run")
        runs += 1
    return f"{num_faults} | {len(program.lost)} | {runs} | {time.monotonic() - began:.0f}"


def main() -> int:
    """Runs the faults and prints a table; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10, help="faults of each kind (10)")
    parser.add_argument("--training", action="store_true", help="trains, instead of a tournament")
    parser.add_argument("--deals", type=int, default=400, help="of the three pairs (400)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        training, place = given.training, Path(folder)
        program = TrainingOnRay() if training else TournamentOnRay(place, given.deals)
        try:
            wanted = program.undisturbed()
            print(f"| fault | times | reported | {program.unit} | seconds |\n|---|---|---|---|---|")
            for fault in program.faults:
                cells = survive(program, fault, wanted, given.runs)
                print(f"| {fault} | {cells} |", flush=True)
            print(f"All {program.unit} gave the same.")
        finally:
            program.cluster.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
