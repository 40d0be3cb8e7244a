"""Agents for Gonzaga, matches between them, and self-play training.

| name | what it is |
|---|---|
| `make_agent` | makes an agent from a name, a checkpoint or a class |
| `evaluate` | plays agents against each other; returns a `MatchSummary` |
| `RandomAgent`, `GreedyAgent`, `PlannerAgent`, `SearchAgent` | agents that need no training |
| `load_agent` | loads the `NetworkAgent` of a checkpoint |
| `Agent` | what an agent is |
| `Considered`, `Evaluation` | what its methods `consider` and `evaluate` return, if it has them |

`evaluate` needs the extra "evaluate"; "learned" is faster with "learned"; `load_agent` and
checkpoints need "train". docs/agents.md shows how to write an agent of your own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gonzaga_env.tabletop.agent import Agent, AgentError, Considered, Evaluation

from .common.extras import extra_needed
from .gonzaga.greedy import GreedyAgent
from .gonzaga.planner import PlannerAgent
from .gonzaga.search import SearchAgent
from .random_agent import RandomAgent
from .registry import make_agent

if TYPE_CHECKING:
    from .evaluation.evaluate import evaluate
    from .evaluation.summary import MatchSummary
    from .network.agent import NetworkAgent
    from .network.checkpoint import CheckpointError, load_agent

__all__ = [
    "Agent",
    "AgentError",
    "CheckpointError",
    "Considered",
    "Evaluation",
    "GreedyAgent",
    "MatchSummary",
    "NetworkAgent",
    "PlannerAgent",
    "RandomAgent",
    "SearchAgent",
    "evaluate",
    "load_agent",
    "make_agent",
]

# Imported on first use, so that the baselines need none of the extras.
_LAZY = {
    "CheckpointError": ".network.checkpoint",
    "MatchSummary": ".evaluation.summary",
    "NetworkAgent": ".network.agent",
    "evaluate": ".evaluation.evaluate",
    "load_agent": ".network.checkpoint",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with extra_needed():
        return getattr(import_module(_LAZY[name], __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
