"""How long a search may take: a number of playouts, or milliseconds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gonzaga_env.tabletop.agent import AgentError

NAME = "search"
_SPEC = re.compile(rf"{NAME}(?:@(?P<number>[0-9]+(?:\.[0-9]+)?)(?P<unit>ms)?)?(?::(?P<policy>.+))?")


@dataclass(frozen=True)
class Budget:
    """The budget of one decision; exactly one of both is set."""

    playouts: int | None = None  # how many
    # time, shared with the other decisions of a batch: M decisions together take M times as long.
    # What is chosen then depends on the machine
    milliseconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("playouts", "milliseconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise AgentError(f"{name} is {value!r}; it takes a number above 0")
        if (self.playouts is None) == (self.milliseconds is None):
            raise AgentError("a budget takes either playouts or milliseconds")

    def __str__(self) -> str:
        return f"{self.playouts}" if self.playouts else f"{self.milliseconds:g}ms"


DEFAULT_BUDGET = Budget(64)


@dataclass(frozen=True)
class SearchSpec:
    """What "search@64", "search@10ms" or "search@64:learned" ask for."""

    budget: Budget  # of one decision
    policy: str | None  # "learned", a checkpoint or the folder of a run; None for the planner


def parse_search(spec: str) -> SearchSpec | None:
    """Returns what a spec asks for, None if it names another agent.

    Raises:
        AgentError: it names a search with a budget that cannot be.
    """
    if not re.match(rf"{NAME}([@:]|$)", spec):
        return None
    found = _SPEC.fullmatch(spec)
    number = found["number"] if found and found["number"] else "1"
    if found is None or float(number) == 0 or ("." in number and not found["unit"]):
        raise AgentError(
            f"there is no agent {spec!r}; write {NAME}, {NAME}@64 (playouts), {NAME}@10ms, or "
            f"one of these with a policy: {NAME}@64:learned, {NAME}@64:runs/first"
        )
    if found["number"] is None:
        budget = DEFAULT_BUDGET
    elif found["unit"]:
        budget = Budget(milliseconds=float(found["number"]))
    else:
        budget = Budget(int(found["number"]))
    return SearchSpec(budget, found["policy"])
