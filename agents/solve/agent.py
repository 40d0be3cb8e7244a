"""The agent `equilibrium`, which plays the solution of a small edition."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gonzaga_env.core.config import GameConfig
from gonzaga_env.tabletop.agent import PROBABILITY, AgentError, Considered

from ..agent import SizedAgent
from ..common.arrays import Floats, Indices, Masks, Observations
from .solution import Solution
from .tree import check_solvable

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
        self.solution = Solution.load(solution_file(config), config)

    def probabilities(self, observations: Observations, masks: Masks) -> Floats:
        """Returns the probabilities of all actions, [M, A]."""
        return self.solution.probabilities_of(observations, masks)

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
    raise AgentError(
        f"there is no solution of edition {label}; python -m gonzaga_agents.solve {label} makes one"
    )
