"""A baseline that plays a uniformly random legal action."""

from __future__ import annotations

import numpy as np

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import Considered
from gonzaga_env.tabletop.spec import Config

from .agent import SizedAgent
from .common.arrays import Indices, Masks, Observations


class RandomAgent(SizedAgent):
    """Plays a uniformly random legal action.

    Attributes:
        name: "random".
    """

    name = "random"

    def __init__(self, config: Config | None = None) -> None:
        """Takes what is played, in any game; by default Gonzaga with four players on "europe"."""
        super().__init__(config or game_spec().config())

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        return choose_among(masks, rng)

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        return Considered.ranked(mask, mask / mask.sum(), "probability")


def choose_among(masks: Masks, rng: np.random.Generator) -> Indices:
    """Returns a uniformly random legal action for each row of masks [M, A], [M]."""
    rows, actions = np.nonzero(masks)
    num_choices = np.bincount(rows, minlength=len(masks))
    first = np.cumsum(num_choices) - num_choices
    return actions[first + rng.integers(num_choices)]
