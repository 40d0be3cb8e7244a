"""Opens an executor by its name."""

from __future__ import annotations

import os
from typing import Literal

from gonzaga_env.tabletop.errors import OptionError

from .local import LocalProcesses
from .work import Executor, OnLost, print_loss

Kind = Literal["local", "ray"]


def open_executor(
    kind: Kind = "local",
    workers: int | None = None,
    address: str | None = None,
    on_lost: OnLost = print_loss,
) -> Executor:
    """Returns an executor; use it as a context manager, which ends its workers.

    Args:
        kind: "local" or "ray".
        workers: units at the same time; None takes one for each core, on Ray of all nodes.
        address: of a Ray cluster, such as "10.0.0.1:6379"; None starts one on this machine.
        on_lost: called with a line about each worker that dies.

    Raises:
        OptionError: an option has a value that it does not take.
        ClusterError: the cluster cannot be used.
        ModuleNotFoundError: Ray is not installed.
    """
    if workers is not None and workers < 1:
        raise OptionError(f"workers is {workers}; it takes 1 or more")
    if kind == "ray":
        from .ray_cluster import RayCluster

        return RayCluster(workers, address, on_lost)
    if kind != "local":
        raise OptionError(f"executor is {kind!r}; it takes local or ray")
    if address is not None:
        raise OptionError(f"address is {address}; it takes executor ray")
    return LocalProcesses(num_cores() if workers is None else workers, on_lost)


def num_cores() -> int:
    """Returns the number of cores that this process may use."""
    has_affinity = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
