"""Agents by name or checkpoint, as command lines name them."""

from __future__ import annotations

from pathlib import Path

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.errors import GonzagaError

from .agent import Agent
from .baselines.greedy import GreedyAgent
from .baselines.random_agent import RandomAgent

NAMES = ("greedy", "random")
CHECKPOINT = "checkpoint.zip"


class AgentError(GonzagaError, ValueError):
    """No agent has that name, and no checkpoint lies there."""


def make_agent(spec: str, config: GameConfig) -> Agent:
    """Returns an agent.

    Args:
        spec: one of `NAMES`, a checkpoint (.zip), or a run's folder with a `checkpoint.zip` in it.
        config: what it is to play.

    Raises:
        AgentError: there is no such agent.
        CheckpointError: the checkpoint is broken, or was trained for another game.
    """
    if spec == "random":
        return RandomAgent(config)
    if spec == "greedy":
        return GreedyAgent(config)
    path = find_checkpoint(spec)
    if path is None:
        raise AgentError(
            f"no agent {spec!r}: it takes {', '.join(NAMES)}, "
            f"a checkpoint (.zip) or a folder with a {CHECKPOINT}"
        )
    from .network.checkpoint import load_agent

    return load_agent(path, config)


def find_checkpoint(spec: str) -> Path | None:
    """Returns the checkpoint that an agent's text points to, None if it points to none."""
    path = Path(spec)
    if spec in NAMES:  # a folder called "random" does not hide the agent
        return None
    if path.is_dir():
        path = path / CHECKPOINT
    return path if path.is_file() else None


def checkpoint_players(spec: str) -> int | None:
    """Returns how many players a checkpoint was trained for, None for an agent's name.

    Raises:
        CheckpointError: the checkpoint is broken.
    """
    path = find_checkpoint(spec)
    if path is None:
        return None
    from .network.checkpoint import read_description

    num_players: int | None = read_description(path).get("num_players")
    return num_players
