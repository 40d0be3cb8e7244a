"""Where work is done, as commands take it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro

from .opening import Kind, open_executor
from .work import Executor


@dataclass(frozen=True, kw_only=True)
class ExecutorOptions:
    """The options that say where work is done."""

    executor: Kind = "local"
    """Where work is done: in processes of this machine, or on a Ray cluster (docs/scale.md). The
    result does not depend on it, except for agents that think for a fixed time."""
    workers: Annotated[
        int | None, tyro.conf.arg(metavar="INT", aliases=["--processes"], help_behavior_hint="")
    ] = None
    """How many play at the same time; by default one for each core (also: --processes)."""
    address: Annotated[str | None, tyro.conf.arg(metavar="ADDRESS", help_behavior_hint="")] = None
    """The Ray cluster, such as 10.0.0.1:6379 or auto; by default one is started here."""

    def open_executor(self, workers: int | None = None) -> Executor:
        """Returns the executor (see `open_executor`).

        Args:
            workers: without --workers, of a local executor; None takes one for each core.
        """
        return open_executor(
            self.executor,
            workers if self.workers is None and self.executor == "local" else self.workers,
            self.address,
        )
