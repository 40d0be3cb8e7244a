"""Runs units of work, in this process, in processes of this machine, or on a Ray cluster.

A unit is a small description of work, such as a seed and a lineup. Its result depends on
it alone, so it may be computed anywhere, in any order, and repeatedly.

    with open_executor("local", workers=4) as executor:
        for unit, result in executor.run(Work(play, shared=(config,)), units):
            ...

| | `ThisProcess` | `LocalProcesses` | `RayCluster` |
|---|---|---|---|
| a worker is | this process | a process | a CPU of any node |
| a worker dies | so does this process | its unit is done again by a new one | the same |
| a unit fails | its error is raised | the same; other units are dropped | the same |
| progress within units | reported at once | twice a second | not reported |
"""

from .local import LocalProcesses, ThisProcess
from .opening import open_executor
from .work import Executor, Report, Work, print_loss

__all__ = [
    "Executor",
    "LocalProcesses",
    "Report",
    "ThisProcess",
    "Work",
    "open_executor",
    "print_loss",
]
