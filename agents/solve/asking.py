"""The probabilities with which agents of any kind play."""

from __future__ import annotations

from typing import Any

import numpy as np

from gonzaga_env.tabletop.agent import is_uniform

from ..common.arrays import TIE, Floats, Masks
from .tree import Ask


def ask_of(agent: Any) -> Ask:
    """Returns a function that gives the probabilities of an agent's actions.

    They are exact for agents that say them (by `probabilities` or `evaluate`), that draw uniformly,
    or that take the best by a score and break ties at random. Others are asked once each position,
    so what is measured is one strategy among those that they may play.
    """
    if callable(getattr(agent, "probabilities", None)):
        return agent.probabilities
    if callable(getattr(agent, "evaluate", None)):
        return lambda observations, masks: agent.evaluate(observations, masks).probabilities
    if is_uniform(agent.act):
        return lambda observations, masks: masks / masks.sum(axis=1, keepdims=True)
    rng = np.random.default_rng(0)
    if callable(getattr(agent, "score", None)):
        return lambda observations, masks: _best(masks, *agent.score(observations, masks, rng))
    return lambda observations, masks: np.eye(masks.shape[1])[agent.act(observations, masks, rng)]


def _best(masks: Masks, rows: Any, actions: Any, scores: Any) -> Floats:
    """Returns equal probabilities for the actions of the best score in each row."""
    best = np.full(len(masks), -np.inf)
    np.maximum.at(best, rows, scores)
    found = np.zeros(masks.shape)
    found[rows, actions] = scores >= best[rows] - TIE
    return np.asarray(found / found.sum(axis=1, keepdims=True))
