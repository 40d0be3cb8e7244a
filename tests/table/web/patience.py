"""The server's other processes as tests want them: beside other work, they would wait for minutes.

Processes import this module, so it imports little.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

SECONDS = 600.0  # for what a process does


class AtUsualPriority:
    """A function of a process, which lets no other process go first."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.module, self.name = function.__module__, function.__name__

    def __call__(self, *given: Any) -> None:
        module: Any = import_module(self.module)
        module.lower_priority = lambda steps: None
        getattr(module, self.name)(*given)
