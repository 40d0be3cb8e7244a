"""A baseline that plays a uniformly random legal action."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import Considered, uniform
from gonzaga_env.tabletop.spec import Config

from .agent import InputSize, SizedAgent


class RandomAgent(SizedAgent):
    """Plays a uniformly random legal action.

    Attributes:
        name: "random".
    """

    name = "random"

    def __init__(self, config: Config | None = None) -> None:
        """Takes what is played, in any game; by default Gonzaga with four players on "europe"."""
        self._size = InputSize.of(config or game_spec().config())

    @uniform
    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Returns a random legal action for each row, [M] (see `Agent.act`).

        Raises:
            OptionError: the observations or masks are of another game.
        """
        self._size.check(observations, masks)
        return choose_among(masks, rng)

    def consider(
        self, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
    ) -> Considered:
        """Returns all legal actions, all with the same probability (see `ConsideringAgent`).

        Raises:
            OptionError: the observation or mask is of another game.
        """
        self._size.check(observation[None], mask[None])
        return Considered.ranked(mask, mask / mask.sum(), "probability")


def choose_among(masks: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """Returns a uniformly random legal action for each row of masks [M, A], [M]."""
    rows, actions = np.nonzero(masks)
    num_choices = np.bincount(rows, minlength=len(masks))
    first = np.cumsum(num_choices) - num_choices
    chosen: NDArray[np.int64] = actions[first + rng.integers(num_choices)]
    return chosen
