"""What an agent considers, in words: hints for the seat to act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.agent import AgentError, Considered

from .choices import Turn

MAX_CHOICES = 12


@dataclass(frozen=True)
class HintChoice:
    """A choice that an agent considers.

    Attributes:
        action: index in the action space.
        words: the action in words.
        value: what it is worth to the agent.
        share: part of the simulations that it got, 0 to 1; None if the agent runs none.
    """

    action: int
    words: str
    value: float
    share: float | None


@dataclass(frozen=True)
class Hint:
    """The choices that an agent considers, best first, at most `MAX_CHOICES`.

    Attributes:
        agent: its name.
        unit: what the values count.
        choices: the choices.
    """

    agent: str
    unit: str
    choices: tuple[HintChoice, ...]


def ask(
    agent: Any, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
) -> Considered:
    """Returns what an agent considers for the seat to act, after a check.

    Args:
        agent: an agent.
        observation: what the seat knows, [D].
        mask: its legal actions, [A].
        rng: the source of all randomness.

    Raises:
        AgentError: the agent cannot say, or names something else than legal actions and values.
    """
    if not callable(getattr(agent, "consider", None)):
        raise AgentError("it cannot say what it considers; greedy can")
    found = agent.consider(observation, mask, rng)
    actions, values = np.asarray(found.actions), np.asarray(found.values)
    whole = actions.ndim == 1 and actions.shape == values.shape and actions.dtype.kind in "iu"
    if not whole or not len(actions) or not np.isin(actions, np.flatnonzero(mask)).all():
        raise AgentError("what it considers is not a list of legal actions and as many values")
    return Considered(actions, values, str(found.unit), found.simulations)


def as_hint(name: str, considered: Considered, turn: Turn) -> Hint:
    """Returns what an agent considers in words.

    Args:
        name: the agent's.
        considered: its choices.
        turn: the legal choices of the same position.
    """
    words = {choice.action: choice.words for choice in turn.choices}
    spent = considered.simulations
    shares = None if spent is None else spent / max(1, int(np.sum(spent)))
    best = range(min(MAX_CHOICES, len(considered.actions)))
    return Hint(
        name,
        considered.unit,
        tuple(
            HintChoice(
                action=int(considered.actions[i]),
                words=words[int(considered.actions[i])],
                value=float(considered.values[i]),
                share=None if shares is None else float(shares[i]),
            )
            for i in best
        ),
    )
