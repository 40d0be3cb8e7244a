"""One game in plain Python: what `batch.engine` is for many games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.base import GameBase
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.editions.edition import Edition
from gonzaga_env.signorie.options import Options
from gonzaga_env.signorie.single.legal import legal_actions
from gonzaga_env.signorie.single.observations import observe
from gonzaga_env.signorie.single.position import Event, Position
from gonzaga_env.signorie.single.transitions import apply_action, winners
from gonzaga_env.signorie.state.deals import Deal
from gonzaga_env.signorie.state.state import State, start_games
from gonzaga_env.signorie.view.game_view import GameView
from gonzaga_env.tabletop.arguments import as_action
from gonzaga_env.tabletop.chance import game_seeds
from gonzaga_env.tabletop.engines.single import SingleGame
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tabletop.rewards import Reward


class Game(GameBase, SingleGame[GameConfig, State, Deal, GameView]):
    """One game of Signorie: equal to one row of an `Engine` at every step.

    Example:
        game = Game(num_players=3, seed=7)
        while not game.finished:
            game.play(game.sample_legal(rng))

    Attributes:
        position: the full state in plain Python, for reading only; `play` changes it and `reset`
            and assigning `state` replace it.
    """

    position: Position

    def __init__(
        self,
        num_players: int = 4,
        edition: str | Path | Edition = "reconstruction",
        rules: Options | Mapping[str, Any] = Options(),
        seed: int = 0,
        reward: Reward = "outcome",
    ) -> None:
        """Deals a game; the arguments are those of `Engine`.

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        super().__init__(GameConfig(num_players, edition, rules), reward)
        self.reset(game_seeds(seed, 1))

    def _dealt(
        self, deal: Deal, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]
    ) -> Position:
        state = self._empty(1)
        start_games(self.config, state, slice(None), seeds, episodes, deal)
        return self._from_state(state)

    def _to_state(self) -> State:
        return self.position.to_state()

    def _from_state(self, state: State) -> Position:
        return Position(self.config, state)

    @property
    def seat(self) -> int:
        """The seat to act; -1 where the game is over."""
        return -1 if self.position.finished else self.position.seat

    @property
    def kind(self) -> int:
        """What it decides, an index in `KINDS`; -1 where the game is over."""
        return -1 if self.position.finished else self.position.kind

    @property
    def scores(self) -> list[list[int]]:
        """Points by source (`SOURCES`), [P][S]; do not change them."""
        return self.position.scores

    @property
    def totals(self) -> list[int]:
        """VP, which decide the game (S12.3), [P]."""
        return [sum(scores) for scores in self.position.scores]

    @property
    def round(self) -> int:
        """The running round, 1 to 7; the last one where the game is over."""
        return self.position.round

    def winners(self) -> list[bool]:
        """Returns who would win if the game ended now, [P] (S12.3)."""
        return winners(self.position)

    def _legal_actions(self) -> int:
        return legal_actions(self.position)

    def _observe(self, seat: int) -> NDArray[np.uint8]:
        return np.frombuffer(observe(self.position, seat), np.uint8)

    def play(self, action: SupportsIndex, drawn: Sequence[Event] | None = None) -> list[float]:
        """Plays an action for the seat to act; where the game is over, the action is ignored.

        Args:
            action: index in the action space.
            drawn: the events that happen in place of chance, as records hold them (N4).

        Returns:
            The reward of every seat, [P].

        Raises:
            ActionError: the action is not in the space.
            IllegalActionError: the rules forbid the action; nothing has changed.
            RecordError: this cannot be drawn; nothing has changed.
        """
        position = self.position
        if position.finished:
            return [0.0] * self.num_players
        index = as_action(action, self.actions.size)
        if not self.legal_set >> index & 1:
            raise self._illegal_action(self.state, 0, index)
        seat = position.seat
        if drawn is None:
            legal = apply_action(position, index)
        else:
            position = position.copy()
            legal = _apply_drawn(position, index, drawn)
        self.position, self._legal, self._last = position, legal, (seat, index)
        if not position.finished and (self.reward == "outcome" or not any(position.points)):
            return [0.0] * self.num_players
        return self._rewards(lambda: np.array([position.points], np.float64))


def _apply_drawn(position: Position, action: int, drawn: Sequence[Event]) -> int:
    """Plays an action with given events of chance; RecordError if they are none."""
    position.outcomes = list(drawn)
    try:
        legal = apply_action(position, action)
    except (TypeError, ValueError, LookupError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(f"drawn: {drawn!r}"[:80] + " are no events that happen here") from error
    position.outcomes = None
    return legal
