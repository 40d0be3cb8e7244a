"""The server's other processes as tests want them: beside other work, they would wait for minutes.

Processes import this module, so it imports little.
"""

import sys
from collections.abc import Callable
from typing import Any

SECONDS = 600.0  # for what a process does


class AtUsualPriority:
    """A function of a process, which lets no other process go first."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function

    def __call__(self, *given: Any) -> None:
        module: Any = sys.modules[self.function.__module__]
        module.lower_priority = lambda steps: None
        self.function(*given)
