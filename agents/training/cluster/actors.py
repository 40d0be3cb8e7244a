"""Ray actors: objects that live on a cluster, and are replaced when they are lost."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import ray
import torch
from ray.exceptions import RayError, RayTaskError

from gonzaga_env.version import __version__

from ...common.processes import WorkerDiedError
from ...units.ray_cluster import ClusterError, node_check
from ...units.work import code_digest, print_loss

_MOST_LOSSES = 5  # of an object in the same work

LOSSES = RayError
"""What `ray.get` raises where a process or a node has been lost."""


class Remote:
    """An object on a cluster.

    Attributes:
        actor: Ray's handle of the process that has it.
    """

    def __init__(self, make: Callable[[], Any], name: str) -> None:
        """Starts a process, which makes the object.

        Args:
            make: makes it; it must pickle, by names that other processes can import.
            name: what messages call the process.
        """
        self._make, self._name, self._num_losses = pickle.dumps(make), name, 0
        self._start()

    def _start(self) -> None:
        # Without a CPU of its own it always finds room, also when a node has gone.
        new: Any = ray.remote(_door()).options(num_cpus=0, scheduling_strategy="SPREAD")
        self.actor = new.remote()
        where = str(Path.cwd()), __version__, code_digest()
        self._opened = self.actor.open.remote(self._make, torch.get_num_threads(), *where)

    def call(self, method: str, *arguments: Any) -> Any:
        """Calls a method of the object; returns a reference to the result.

        References among the arguments reach it as what they refer to.
        """
        return self.actor.call.remote(method, *arguments)

    def check(self) -> None:
        """Waits for the object to be made.

        Raises:
            ClusterError: its node has another version of this package.
            RayError: the process was lost.
        """
        if (complaint := ray.get(self._opened)) is not None:
            raise ClusterError(complaint)

    def replace(self, error: Exception) -> None:
        """Starts a process in place of one that was lost, which it reports.

        Raises:
            Exception: the error is the object's own.
            WorkerDiedError: too many processes were lost one after the other.
        """
        if isinstance(error, RayTaskError):
            raise error.cause from error
        reason = f"{self._name} was lost ({type(error).__name__})"
        self._num_losses += 1
        if self._num_losses == _MOST_LOSSES:
            raise WorkerDiedError(f"{reason}, {_MOST_LOSSES} times in the same work") from error
        print_loss(f"{reason}; its work is done again")
        self.stop()
        self._start()

    def succeed(self) -> None:
        """Notes that a piece of work has succeeded."""
        self._num_losses = 0

    def stop(self) -> None:
        """Ends the process."""
        with suppress(Exception):  # the cluster may have gone
            ray.kill(self.actor)


def _door() -> type:
    """Returns the class of actors, which travels by value (see `node_check`)."""
    check = node_check("torch")

    class Door:
        def open(self, make: bytes, num_threads: int, *where: str) -> str | None:
            import pickle

            if (complaint := check(*where)) is not None:
                return complaint
            import torch

            torch.set_num_threads(num_threads)
            self.made = pickle.loads(make)()
            return None

        def call(self, method: str, *arguments: object) -> object:
            return getattr(self.made, method)(*arguments)

    return Door
