"""Agents for Gonzaga, matches between them, and self-play training.

| name | what it is |
|---|---|
| `make_agent` | makes an agent from a name, a checkpoint or a class |
| `evaluate` | plays agents against each other; returns a `MatchSummary` |
| `RandomAgent`, `GreedyAgent`, `PlannerAgent`, `SearchAgent` | agents that need no training |
| `load_agent` | loads the `NetworkAgent` of a checkpoint |
| `Agent` | what an agent is |
| `Considered`, `Evaluation` | what its methods `consider` and `evaluate` return, if it has them |

`load_agent` and checkpoints need the extra "train". docs/agents.md shows how to write an agent of
your own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gonzaga_env.extras import lazy_names

if TYPE_CHECKING:
    from gonzaga_env.kernel.agent import Agent, AgentError, Considered, Evaluation

    from .agent import RandomAgent
    from .heuristics.gonzaga import GreedyAgent, PlannerAgent
    from .network.agent import NetworkAgent
    from .network.checkpoint import CheckpointError, load_agent
    from .play.evaluate import evaluate
    from .play.summary import MatchSummary
    from .registry import make_agent
    from .search.agent import SearchAgent

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

__getattr__ = lazy_names(
    __name__,
    {
        **dict.fromkeys(
            ("Agent", "AgentError", "Considered", "Evaluation"), "gonzaga_env.kernel.agent"
        ),
        "CheckpointError": ".network.checkpoint",
        "GreedyAgent": ".heuristics.gonzaga",
        "MatchSummary": ".play.summary",
        "NetworkAgent": ".network.agent",
        "PlannerAgent": ".heuristics.gonzaga",
        "RandomAgent": ".agent",
        "SearchAgent": ".search.agent",
        "evaluate": ".play.evaluate",
        "load_agent": ".network.checkpoint",
        "make_agent": ".registry",
    },
)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
