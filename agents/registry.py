"""Agents by name or checkpoint, as command lines name them."""

from __future__ import annotations

from pathlib import Path

from gonzaga_env.core.edition import Edition
from gonzaga_env.core.errors import GonzagaError

from .agent import Agent
from .greedy import GreedyAgent
from .random_agent import RandomAgent

NAMES = ("greedy", "random")
CHECKPOINT = "checkpoint.zip"


class AgentError(GonzagaError, ValueError):
    """No agent has that name, and no checkpoint lies there."""


def make_agent(spec: str, *, edition: Edition, num_players: int) -> Agent:
    """Returns an agent.

    Args:
        spec: one of `NAMES`, a checkpoint (.zip), or a run's folder with a `checkpoint.zip` in it.
        edition: the edition that it is to play.
        num_players: P.

    Raises:
        AgentError: there is no such agent.
        CheckpointError: the checkpoint is broken, or was trained for another game.
    """
    if spec == "random":
        return RandomAgent()
    if spec == "greedy":
        return GreedyAgent(edition, num_players)
    path = find_checkpoint(spec)
    if path is None:
        raise AgentError(
            f"no agent {spec!r}: it takes {', '.join(NAMES)}, "
            f"a checkpoint (.zip) or a folder with a {CHECKPOINT}"
        )
    from .checkpoint import load_agent  # torch is slow to import, and only needed here

    return load_agent(path, edition=edition, num_players=num_players)


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
    from .checkpoint import read_description

    num_players: int | None = read_description(path).get("num_players")
    return num_players
