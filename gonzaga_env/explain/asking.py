"""Asks agents what they consider and what positions are worth to them.

They are given what the seat to act may know, nothing else, as in a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.errors import OptionError

PROBABILITY = "probability"  # the unit of agents that draw their actions


@dataclass(frozen=True)
class Answer:
    """The choices that an agent considers in one position, best first.

    Attributes:
        actions: legal actions, [C].
        values: what the agent holds of each, [C].
        unit: what the values count.
        simulations: simulations spent on each, [C]; None if the agent runs none.
    """

    actions: NDArray[np.int64]
    values: NDArray[np.float64]
    unit: str
    simulations: NDArray[np.int64] | None = None


def find_agent(agent: Any, config: GameConfig) -> tuple[Any, str]:
    """Returns an agent and its name.

    Args:
        agent: an agent, or what `gonzaga_agents.make_agent` takes.
        config: what is played.

    Raises:
        OptionError: the agents' package is missing, or something that the agent needs.
        GonzagaError: there is no such agent.
    """
    if not isinstance(agent, str):
        return agent, str(getattr(agent, "name", type(agent).__name__))
    try:  # by its name only here: nothing else in the environment needs the agents
        return import_module("gonzaga_agents").make_agent(agent, config), agent
    except ModuleNotFoundError as error:  # an extra; the message says what to install
        raise OptionError(str(error)) from error


def ask_choices(agent: Any, name: str, engine: Engine, seed: int) -> Answer:
    """Returns what an agent considers in the one game of an engine, after a check.

    It is asked by its method `consider`, or by `evaluate` where it has no other.

    Raises:
        OptionError: it has neither, or answers with anything but legal actions and values.
    """
    observation, mask = engine.observe()[0], engine.legal_action_mask()[0]
    found: Any
    if callable(getattr(agent, "consider", None)):
        found = agent.consider(observation, mask, np.random.default_rng(seed))
        answer = _checked(found, name, mask)
        return Answer(*answer, str(found.unit), found.simulations)
    if callable(getattr(agent, "evaluate", None)):
        found = agent.evaluate(observation[None], mask[None])
        shares = np.asarray(found.probabilities)[0]
        legal = np.flatnonzero(mask)
        legal = legal[np.argsort(-shares[legal], kind="stable")]
        return Answer(legal, shares[legal].astype(np.float64), PROBABILITY)
    raise OptionError(
        f"agent {name} cannot tell what it considers: it has no method "
        "consider(observation, mask, rng); greedy has one"
    )


def _checked(
    found: Any, name: str, mask: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    actions, values = np.asarray(found.actions), np.asarray(found.values)
    whole = actions.ndim == 1 and actions.shape == values.shape and actions.dtype.kind in "iu"
    if not whole or not len(actions) or not np.isin(actions, np.flatnonzero(mask)).all():
        raise OptionError(
            f"agent {name} considers {found!r}; it takes legal actions and as many values"
        )
    return actions, values


def ask_values(
    agent: Any, name: str, engines: Sequence[Engine], seed: int
) -> tuple[list[float], str]:
    """Returns what positions are worth to an agent in the place of the seat to act, and the unit.

    These are the values of `evaluate`, or those of the best choices of `consider`.

    Args:
        agent: the agent.
        name: its name, for messages.
        engines: one game each.
        seed: decides what the agent draws.

    Raises:
        OptionError: it has neither method, or only probabilities, or answers with anything but
            numbers.
    """
    if callable(getattr(agent, "evaluate", None)):
        observations = np.concatenate([engine.observe() for engine in engines])
        masks = np.concatenate([engine.legal_action_mask() for engine in engines])
        found = agent.evaluate(observations, masks)
        values, unit = np.asarray(found.values, dtype=float), str(found.unit)
    else:
        answers = [ask_choices(agent, name, engine, seed) for engine in engines]
        if any(answer.unit == PROBABILITY for answer in answers):
            raise OptionError(
                f"agent {name} cannot tell what positions are worth: it has probabilities only; "
                "greedy and search have values"
            )
        values, unit = np.array([answer.values.max() for answer in answers]), answers[0].unit
    if values.shape != (len(engines),) or not np.isfinite(values).all():
        raise OptionError(f"agent {name} gives values {values!r}; they take a number a position")
    return values.tolist(), unit
