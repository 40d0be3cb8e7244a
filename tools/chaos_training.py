"""Kills parts of a Ray cluster in mid-training: `python tools/chaos_training.py --runs 10`.

A cluster of two nodes runs on this machine. While a policy is trained on it by two collectors and
two learners, again and again a process of theirs is killed (SIGKILL), an actor is killed by Ray, or
the node without the command's own process is killed and replaced. After each training the policy
equals that of an undisturbed one on Ray, bit for bit. The table counts the faults; the exit code is
1 after a difference. Needs the extras "ray" and "train"; runs on Linux.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import torch
from gonzaga_agents.training.command import setup_of
from gonzaga_agents.training.options import Arguments
from gonzaga_agents.training.run import Run

from tools.chaos_ray import LostError, Nodes, processes

_ACTORS = b"ray::Door"  # the title of their processes
_ARGUMENTS: dict[str, Any] = {
    "players": 2,
    "timesteps": 4000,  # some 15 updates
    "num_games": 8,
    "minibatch": 64,
    "width": 8,
    "opponents": "greedy,past",
    "self_play": 0.6,
    "eval_deals": 0,
    "eval_against": "",
    "sample_games": 0,
    "device": "cpu",
    "executor": "ray",
    "collectors": 2,
}


class TrainingNodes(Nodes):
    """What can happen to a training on two nodes."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.cluster._shutdown_at_exit = False  # signal handlers, which threads may not set

    def kill_process(self, _run: Run) -> bool:
        """Kills a process of a collector or of a learner, if there is one."""
        actors = processes(_ACTORS, *self.cluster.list_all_nodes())
        if actors:
            os.kill(self._rng.choice(actors), signal.SIGKILL)
        return bool(actors)

    def kill_actor(self, run: Run) -> bool:
        """Kills an actor through Ray, if there is one."""
        import ray

        players: list[Any] = getattr(run._collector, "_players", [])
        remotes = [player._remote for player in players]
        remotes += run._learners._others if run._learners else []
        if remotes:
            ray.kill(self._rng.choice(remotes).actor)
        return bool(remotes)

    def lose_node(self, _run: Run) -> bool:
        """Kills a node with all its processes, if it has an actor, and starts another one."""
        if not processes(_ACTORS, self._other):
            return False
        self.cluster.remove_node(self._other, allow_graceful=False)
        self._other = self.cluster.add_node(num_cpus=2)
        return True


FAULTS: dict[str, Callable[[TrainingNodes, Run], bool]] = {
    "process killed": TrainingNodes.kill_process,
    "actor killed": TrainingNodes.kill_actor,
    "node killed": TrainingNodes.lose_node,
}


def train(nodes: TrainingNodes, learners: int, disturb: Callable[[Run], Any]) -> dict[str, Any]:
    """Trains, disturbed by a thread, and returns the policy's weights."""
    address = nodes.cluster.address
    arguments = Arguments(**_ARGUMENTS, address=address, learners=learners)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(setup_of(arguments), Path(folder), resume=False)
        thread = threading.Thread(target=disturb, args=[run], daemon=True)
        thread.start()
        run.learn()
        thread.join()
        return {name: tensor.clone() for name, tensor in run.model.policy.state_dict().items()}


class Disturber:
    """Injects a fault repeatedly, each time after some progress.

    Attributes:
        faults: how often it happened.
    """

    def __init__(self, fault: Callable[[Run], bool], most: int, rng: Random) -> None:
        self._fault, self._most, self._rng, self.faults = fault, most, rng, 0

    def __call__(self, run: Run) -> None:
        """Injects faults until a run ends."""
        seen = 0
        while run.turns < run.setup.timesteps and self.faults < self._most:
            time.sleep(self._rng.uniform(0.01, 0.5))
            if run.turns > seen and run._collector is not None and self._fault(run):
                seen, self.faults = run.turns, self.faults + 1


def survive(nodes: TrainingNodes, name: str, runs: int, learners: int, wanted: Any) -> str:
    """Trains until a fault has happened some times; returns counts as cells of a table.

    Raises:
        LostError: the policy differs.
    """
    rng, faults, trainings, began = Random(name), 0, 0, time.monotonic()
    while faults < runs:
        disturber = Disturber(lambda run: FAULTS[name](nodes, run), runs - faults, rng)
        found = train(nodes, learners, disturber)
        faults, trainings = faults + disturber.faults, trainings + 1
        if not all(torch.equal(found[key], tensor) for key, tensor in wanted.items()):
            raise LostError(f"{name}: the policy differs from the undisturbed one")
    return f"{faults} | {trainings} | {time.monotonic() - began:.0f}"


def main() -> int:
    """Runs the faults and prints a table; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10, help="faults of each kind (10)")
    parser.add_argument("--learners", type=int, default=2, help="learners (2)")
    parser.add_argument("--fault", choices=FAULTS, action="append", help="by default all")
    given = parser.parse_args()
    torch.set_num_threads(1)
    nodes = TrainingNodes(Random(0))
    try:
        wanted = train(nodes, given.learners, lambda run: None)
        print("| fault | times | trainings | seconds |\n|---|---|---|---|")
        for name in given.fault or FAULTS:
            cells = survive(nodes, name, given.runs, given.learners, wanted)
            print(f"| {name} | {cells} |", flush=True)
        print("All policies were equal.")
    except LostError as error:
        print(f"chaos_training: {error}", file=sys.stderr)
        return 1
    finally:
        nodes.cluster.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
