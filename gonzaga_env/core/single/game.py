"""One game in plain Python: what `batch.engine` is for many games.

numpy takes about a microsecond a call whatever the size of the arrays, and a step of one game would
need hundreds of calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.base import GameBase
from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.config import GameConfig, Options
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.single.position import Position, SeatObservations, game_tables_for
from gonzaga_env.core.single.transitions import (
    apply_placement,
    apply_plan,
    from_state,
    legal_actions,
    to_state,
    winners,
)
from gonzaga_env.core.state import END_SOURCES, PLAN, Deal, State
from gonzaga_env.core.view import GameView
from gonzaga_env.kernel.arguments import checks_names
from gonzaga_env.kernel.bounded import short_repr
from gonzaga_env.kernel.chance import game_seeds
from gonzaga_env.kernel.engine import EngineBase
from gonzaga_env.kernel.errors import OptionError, RecordError
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.single import SingleGame, unpack_set

#: Cached masks of plans, to be copied: the cards in hand make few different sets.
_plan_mask = lru_cache(maxsize=1024)(unpack_set)


class Game(GameBase, SingleGame[GameConfig, State, Deal, GameView, Position]):
    """One game of Gonzaga: equal to one row of an `Engine` at every step, without array axes.

    Example::

        game = Game(num_players=3, seed=7)
        while not game.finished:
            game.play(game.sample_legal(rng))

    Attributes:
        position: the full state in plain Python, for reading only; `play` changes it and `reset`
            and assigning `state` replace it.
    """

    LOOKED_UP = (*GameBase.LOOKED_UP, "_observations")

    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Options | Mapping[str, Any] | str = Options(),
        seed: int = 0,
        reward: Reward = "outcome",
    ) -> None:
        """Deals a game; the arguments are those of `Engine`.

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        EngineBase.__init__(self, GameConfig(num_players, scenario, edition, rules), reward)
        self.reset(game_seeds(seed, 1))

    def _dealt(
        self, deal: Deal, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]
    ) -> Position:
        tables = game_tables_for(self.tables)
        return Position(tables, deal, seed=int(seeds[0]), episode=int(episodes[0]))

    def _begin(self, position: Position) -> None:
        super()._begin(position)
        self._observations = SeatObservations(position)

    def _to_state(self) -> State:
        return to_state(self.tables, self.position, self._empty(1))

    def _from_state(self, state: State) -> Position:
        # The map is read from `piece` and `ring_cells`; the sets of hexes must agree with these.
        return from_state(self.tables, state)

    @property
    def scores(self) -> list[list[int]]:
        """Points by source (`SOURCES`), [P][S]."""
        return self.position.scores.tolist()

    @property
    def totals(self) -> list[int]:
        """The points that decide the game, [P]; do not change them."""
        return self.position.totals

    def winners(self) -> list[bool]:
        """Returns who would win if the game ended now, [P] (R8.3)."""
        return winners(self.position)

    def _legal_actions(self) -> int:
        return legal_actions(self.position)

    def mask(self) -> NDArray[np.int8]:
        """Returns which actions are legal for the seat to act, [A] (1: legal)."""
        position = self.position
        if position.phase == PLAN:
            return _plan_mask(self.legal_set, position.tables.num_actions).copy()
        return unpack_set(self.legal_set, position.tables.num_actions)

    def _observe(self, seat: int) -> NDArray[np.uint8]:
        return self._observations.observe(seat)

    def _given(self, drawn: Sequence[Any]) -> Position:
        if drawn:
            raise RecordError(f"drawn holds {short_repr(drawn)}; Gonzaga turns up nothing")
        return self.position

    def _set_last(self, seat: int, action: int) -> None:
        if action >= NUM_PLANS:  # plans are sealed
            self._last = seat, action

    def _apply(self, position: Position, action: int) -> None:
        seat = position.seat
        if position.phase == PLAN:
            apply_plan(position, action)
            self._observations.on_plan(position, seat)
        else:
            fief = position.fief[seat] if action < position.tables.ring_start else None
            cells = apply_placement(position, self.rules, action)
            self._observations.on_placement(position, seat, cells, fief)

    def _gained(self) -> list[int]:
        position, gained = self.position, [0] * self.num_players
        if position.points and self._last is not None:
            gained[self._last[0]] = position.points
        if position.finished:
            end = position.scores[:, END_SOURCES].sum(axis=1).tolist()
            gained = [points + more for points, more in zip(gained, end, strict=True)]
        return gained

    def turn_up_next(self, fiefs: Sequence[int]) -> None:
        """Chooses which fiefs the next round turns up, in place of those on top (R3.1).

        Args:
            fiefs: a fief (0 to 11) of each player, [P].

        Raises:
            OptionError: a player's deck does not hold the fief any more.
        """
        position, decks = self.position, []
        num_fiefs = position.tables.size.fiefs
        for seat, (deck, fief) in enumerate(zip(position.decks, fiefs, strict=True)):
            passed, to_come = deck[: position.round], deck[position.round : num_fiefs]
            if fief not in {*to_come}:
                raise OptionError(f"fief {fief!r} of seat {seat} is not to come (R3.1)")
            to_come = bytes([fief]) + to_come.replace(bytes([fief]), b"")
            decks.append(passed + to_come + deck[num_fiefs:])
        position.decks = tuple(decks)

    def copy(self) -> Self:
        """Returns an independent copy of the game; the tables are shared."""
        twin = super().copy()
        twin._observations = self._observations.copy()
        return twin
