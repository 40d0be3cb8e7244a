"""Where work is done, as commands take it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Annotated

import tyro

from ..common.command_line import shown
from .opening import Kind, open_executor
from .work import Executor

Workers = Annotated[
    int | None, tyro.conf.arg(metavar="INT", aliases=["--processes"], help_behavior_hint="")
]


@dataclass(frozen=True, kw_only=True)
class ExecutorOptions:
    """The options that say where work is done."""

    executor: Kind = "local"
    """Where games are played: in processes of this machine, or on a Ray cluster (docs/scale.md).
    The result does not depend on it, except for agents that think for a fixed time."""
    workers: Workers = None
    """How many play at the same time; by default one for each core (also: --processes)."""
    address: Annotated[str | None, shown("ADDRESS")] = None
    """The Ray cluster, such as 10.0.0.1:6379 or auto; by default one is started here."""

    def open_executor(self) -> Executor:
        """Returns the executor (see `open_executor`)."""
        return open_executor(self.executor, self.workers, self.address)

    def open_other(self) -> AbstractContextManager[Executor | None]:
        """Returns the executor if there is one other than this process, which is the default."""
        is_here = self.executor == "local" and self.workers in (None, 1) and self.address is None
        return nullcontext() if is_here else self.open_executor()
