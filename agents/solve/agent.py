"""The agent `equilibrium`, which plays solutions, and the probabilities of agents of any kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gonzaga_env.core.config import GameConfig
from gonzaga_env.tabletop.agent import PROBABILITY, AgentError, Considered, is_uniform

from ..agent import SizedAgent
from ..common.arrays import TIE, Floats, Indices, Masks, Observations
from .solution import Solution
from .tree import Ask, check_solvable

SHIPPED = Path(__file__).parent / "solutions"
MADE = Path("runs/solve")  # where the command writes by default


class EquilibriumAgent(SizedAgent):
    """Draws its actions from an optimal strategy, which nobody can beat in the long run.

    It plays small editions whose solution ships, or lies in `runs/solve`. In positions that its own
    actions never lead to it draws any legal action.
    """

    name = "equilibrium"

    def __init__(self, config: GameConfig) -> None:
        """Loads the solution.

        Raises:
            OptionError: the game cannot be solved.
            AgentError: there is no solution, or it is broken or of another game.
        """
        super().__init__(config)
        check_solvable(config)
        #: Returns the probabilities of all actions [M, A] for observations and masks.
        self.probabilities = Solution.load(solution_file(config), config).probabilities_of

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        chances = self.probabilities(observations, masks).cumsum(axis=1)
        drawn = rng.random(len(masks))[:, None] * chances[:, -1:]
        return np.asarray((chances > drawn).argmax(axis=1))

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        chances = self.probabilities(observation[None], mask[None])[0]
        return Considered.ranked(mask, chances, PROBABILITY)


def file_name(config: GameConfig) -> str:
    """Returns the name of the file of a game's solution."""
    return f"{Path(config.edition.label).name}.npz"


def solution_file(config: GameConfig) -> Path:
    """Returns the file of a game's solution: one that was made here, else the one that ships.

    Raises:
        AgentError: there is none.
    """
    for folder in (MADE, SHIPPED):
        if (folder / file_name(config)).is_file():
            return folder / file_name(config)
    label = config.edition.label
    raise AgentError(f"there is no solution of edition {label}; gonzaga solve {label} makes one")


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
