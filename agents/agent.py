"""What an agent is: one function over a batch of seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.errors import OptionError
from gonzaga_env.core.observation.features import feature_table


class Agent(Protocol):
    """Anything that chooses actions from observations; many seats of many games at once.

    Attributes:
        name: how tables and records call it.
    """

    name: str

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Returns a legal action of each row, [M].

        Args:
            observations: [M, D], as `Engine.observe` gives them; rows may be of any phase.
            masks: [M, A], True for legal, with one at least in each row.
            rng: where chance comes from.
        """
        ...


@dataclass(frozen=True)
class InputSize:
    """The width of observations and masks that an agent was made for.

    Attributes:
        num_players: P.
        num_features: D.
        num_actions: A.
    """

    num_players: int
    num_features: int
    num_actions: int

    @classmethod
    def of(cls, config: GameConfig) -> Self:
        """Returns the widths of a game."""
        actions = config.tables.actions
        features = feature_table(actions.num_hexes, config.num_players)
        return cls(config.num_players, features.size, actions.size)

    def check(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> None:
        """Raises OptionError unless observations and masks have these widths."""
        shapes = np.shape(observations), np.shape(masks)
        expected = (self.num_features,), (self.num_actions,)
        if tuple(shape[1:] for shape in shapes) != expected or shapes[0][0] != shapes[1][0]:
            raise OptionError(
                f"observations and masks have shapes {shapes[0]} and {shapes[1]}; this agent was "
                f"made for {self.num_players} players: [M, {self.num_features}] and "
                f"[M, {self.num_actions}]"
            )
