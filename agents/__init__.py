"""Agents for Gonzaga, matches between them, and self-play training.

| name | what it is |
|---|---|
| `make_agent` | an agent by name, checkpoint or class |
| `evaluate` | plays agents against each other |
| `GreedyAgent`, `RandomAgent` | agents that need no training |
| `load_agent` | the agent of a checkpoint (needs torch) |

"Your own agent" in docs/agents.md says what an agent is given and what it returns.
"""

from __future__ import annotations

from .agent import Agent
from .baselines.greedy import GreedyAgent
from .baselines.random_agent import RandomAgent
from .registry import AgentError, make_agent

__all__ = ["Agent", "AgentError", "GreedyAgent", "RandomAgent", "make_agent"]
