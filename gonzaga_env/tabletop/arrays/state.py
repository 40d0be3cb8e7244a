"""What a game on arrays holds, and the events of chance in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Indices, is_integer
from gonzaga_env.tabletop.bounded import Json, short_repr
from gonzaga_env.tabletop.chance import event_words, stream_starts
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tabletop.rows import flat_rows
from gonzaga_env.tabletop.state import DecisionArrays, StateArrays


@dataclass(eq=False, repr=False)
class ArrayState(DecisionArrays):
    """What every such game holds; a game adds arrays of its own, and `origin` last."""

    BY_PLAYER = "scores"

    seed: NDArray[np.uint64]  # [N]; with `episode` it decides all chance. Hidden
    episode: NDArray[np.uint32]  # [N], games played before in this row
    event: NDArray[np.uint32]  # [N], the next event of chance
    moves: NDArray[np.uint32]  # [N], actions played
    round: NDArray[np.uint8]  # [N], from 1
    seat: NDArray[np.uint8]  # [N], the seat to act
    kind: NDArray[np.uint8]  # [N], what it decides, index in `KINDS`
    finished: NDArray[np.bool_]  # [N]
    scores: NDArray[np.int16]  # [N, P, S], points by source


ArrayStateT = TypeVar("ArrayStateT", bound=ArrayState)


class Events:
    """The outcomes of chance in M games.

    Attributes:
        given: outcomes that replace chance in one game, as records hold them; None for chance.
        drawn: the outcomes so far, game by game.
    """

    def __init__(self, state: ArrayState, given: Sequence[Json] | None = None) -> None:
        """Takes the games, whose `event` is counted on."""
        self._state, self.drawn = state, list[int]()
        self.given = None if given is None else list(given)

    def draw(self, places: NDArray[np.bool_], outcomes: range) -> NDArray[np.int64]:
        """Returns one of the outcomes for each place, [M, ...]; 0 at places that are False.

        Args:
            places: True where an outcome is drawn, such as the dice that are rolled, [M, ...].
            outcomes: the possible outcomes, equally likely.

        Raises:
            RecordError: the given ones are too few, or not among the outcomes.
        """
        state, flat = self._state, flat_rows(places)
        events = state.event[:, None] + flat.cumsum(axis=1) - 1
        words = event_words(stream_starts(state.seed, state.episode)[:, None], events)
        found = np.where(flat, outcomes.start + (words % len(outcomes)).astype(np.int64), 0)
        state.event += flat.sum(axis=1).astype(np.uint32)
        if self.given is not None:
            found[flat] = self._given(int(flat.sum()), outcomes)
        self.drawn += found[flat].tolist()
        return found.reshape(places.shape)

    def _given(self, number: int, outcomes: range) -> list[int]:
        assert self.given is not None
        taken, self.given = self.given[:number], self.given[number:]
        if len(taken) < number or not all(is_integer(one) and one in outcomes for one in taken):
            raise RecordError(
                f"drawn holds {short_repr(taken)}; it takes {number} numbers from "
                f"{outcomes[0]} to {outcomes[-1]}"
            )
        return taken


def put_back(state: StateArrays, rows: Indices | slice, games: StateArrays) -> None:
    """Writes games back to their rows; their arrays may have other types by now."""
    for name, array in state.arrays().items():
        array[rows] = getattr(games, name)
