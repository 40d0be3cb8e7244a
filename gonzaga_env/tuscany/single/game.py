"""One game in plain Python: what `batch.engine` is for many games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Integers, as_action, as_seats, check_rng, is_integer
from gonzaga_env.tabletop.chance import game_seeds
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.rewards import Reward, margin, outcome
from gonzaga_env.tuscany.base import GameBase, illegal_action
from gonzaga_env.tuscany.board.actions import ACTIONS
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.editions.edition import Edition
from gonzaga_env.tuscany.options import Options
from gonzaga_env.tuscany.single.legal import legal_actions
from gonzaga_env.tuscany.single.observations import observe
from gonzaga_env.tuscany.single.position import Position
from gonzaga_env.tuscany.single.transitions import apply_action, winners
from gonzaga_env.tuscany.state.deals import Deal, check_deal, draw_deals
from gonzaga_env.tuscany.state.resample import resample
from gonzaga_env.tuscany.state.state import RED, State, empty_state, start_games
from gonzaga_env.tuscany.view.game_view import GameView, Viewer, view_game

_MASK_BYTES = -(-ACTIONS.size // 8)


class Game(GameBase):
    """One game of The Castles of Tuscany: equal to one row of an `Engine` at every step.

    Example:
        game = Game(num_players=3, seed=7)
        while not game.finished:
            game.play(game.sample_legal(rng))

    Attributes:
        position: the full state in plain Python, for reading only; `play` changes it and `reset`
            and assigning `state` replace it.
    """

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

    @classmethod
    def from_config(cls, config: GameConfig, seed: int = 0, reward: Reward = "outcome") -> Self:
        """Returns a game that plays what a configuration says."""
        return cls(config.num_players, config.edition, config.rules, seed, reward)

    def reset(self, seed: int | Integers | None = None, deal: Deal | None = None) -> None:
        """Deals a game.

        Args:
            seed: an integer; None deals the next episode of the last seed.
            deal: a deal of one game to play instead of the drawn one.

        Raises:
            OptionError: invalid seed or deal.
        """
        if seed is None:
            seeds, episode = np.array([self.position.seed], np.uint64), self.position.episode + 1
        else:
            seeds, episode = game_seeds(seed, 1), 0
        episodes = np.array([episode % 2**32], np.uint32)
        if deal is None:
            deal = draw_deals(self.edition, self.num_players, seeds, episodes)
        else:
            check_deal(self.edition, deal, 1, self.num_players)
        state = empty_state(self.config, 1)
        start_games(self.config, state, slice(None), seeds, episodes, deal)
        self._begin(state)

    def _begin(self, state: State) -> None:
        self.position = Position(self.config, state)
        self._legal = legal_actions(self.position)
        #: Seat and action of the last answer.
        self._last: tuple[int, int] | None = None

    @property
    def state(self) -> State:
        """A snapshot of the game as a state [1]; assigning a state goes back to it.

        Raises:
            StateError: on assigning a state of more than one game, another number of players,
                edition or options, or one whose values contradict the rules or each other.
        """
        return self.position.to_state()

    @state.setter
    def state(self, state: State) -> None:
        self.check(state, one=True)
        self._begin(state)

    @property
    def seed(self) -> int:
        """What decides all chance, with `episode`."""
        return self.position.seed

    @property
    def episode(self) -> int:
        """Games dealt from this seed before."""
        return self.position.episode

    @property
    def seat(self) -> int:
        """The seat to act; -1 where the game is over."""
        return -1 if self.position.finished else self.position.seat

    @property
    def kind(self) -> int:
        """What it decides, an index in `KINDS`; -1 where the game is over."""
        return -1 if self.position.finished else self.position.kind

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.position.finished

    @property
    def truncated(self) -> bool:
        """Whether the game is over because it was cut off after `max_laps`."""
        return self.position.truncated

    @property
    def scores(self) -> list[list[int]]:
        """Points by source (`SOURCES`), [P][S]; do not change them."""
        return self.position.scores

    @property
    def totals(self) -> list[int]:
        """Red points, which decide the game (T11.3), [P]."""
        return [sum(scores[RED]) for scores in self.position.scores]

    @property
    def round(self) -> int:
        """The running round, 1 to 3; the last one where the game is over."""
        return self.position.round

    def winners(self) -> list[bool]:
        """Returns who would win if the game ended now, [P] (T11.3)."""
        return winners(self.position)

    @property
    def legal_set(self) -> int:
        """The legal actions of the seat to act as a set: bit i stands for action i."""
        return self._legal

    def mask(self) -> NDArray[np.int8]:
        """Returns which actions are legal for the seat to act, [A] (1: legal)."""
        packed = np.frombuffer(self._legal.to_bytes(_MASK_BYTES, "little"), np.uint8)
        return np.unpackbits(packed, None, ACTIONS.size, "little").view(np.int8)

    def num_legal(self) -> int:
        """Returns the number of legal actions."""
        return self._legal.bit_count()

    def is_legal(self, action: SupportsIndex) -> bool:
        """Returns whether an action is legal; False where the game is over.

        Raises:
            ActionError: the action is not in the space.
        """
        return bool(self._legal >> as_action(action, ACTIONS.size) & 1)

    def sample_legal(self, rng: np.random.Generator) -> int:
        """Returns a uniformly random legal action; 0 where the game is over."""
        check_rng(rng)
        legal = self.mask().view(np.bool_).nonzero()[0]  # of bools: four times as fast as of int8
        return int(legal[rng.integers(len(legal))]) if len(legal) else 0

    def observation(self, seat: int | None = None) -> NDArray[np.uint8]:
        """Returns what a seat knows, [D] uint8 (layout: `features`).

        Args:
            seat: the seat; None for the seat to act (zeros where the game is over).

        Raises:
            OptionError: there is no such seat.
        """
        if seat is None:
            if self.position.finished:
                return np.zeros(self.features.size, dtype=np.uint8)
            seat = self.position.seat
        elif not is_integer(seat) or not 0 <= seat < self.num_players:
            raise OptionError(f"seat is {seat!r}; seats are 0 to {self.num_players - 1}")
        return np.frombuffer(observe(self.position, seat), np.uint8)

    def describe(self, action: int) -> str:
        """Returns an action in words.

        Raises:
            ActionError: the action is not in the space.
        """
        return ACTIONS.to_text(action)

    def view(self, viewer: Viewer = "spectator", *, names: Sequence[str] = ()) -> GameView:
        """Returns what a viewer knows of the game, in plain values (see `GameView`).

        Args:
            viewer: a seat; "public", who knows only what lies open; or "spectator", who knows
                everything.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such viewer, or the number of names is wrong.
        """
        return view_game(self.config, self.state, 0, viewer, last=self._last, names=names)

    def play(self, action: SupportsIndex, drawn: Sequence[str] | None = None) -> list[float]:
        """Plays an action for the seat to act; where the game is over, the action is ignored.

        Args:
            action: index in the action space.
            drawn: what is turned up in place of chance, in the texts of records.

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
        index = as_action(action, ACTIONS.size)
        if not self._legal >> index & 1:
            raise illegal_action(0, position.seat, position.kind, index)
        seat = position.seat
        if drawn is not None:
            position = position.copy()
            position.outcomes = list(drawn)
        self._legal = apply_action(position, index)
        position.outcomes = None
        self.position, self._last = position, (seat, index)
        if not position.finished and (self.reward == "outcome" or not any(position.red)):
            return [0.0] * self.num_players
        return self._rewards()

    def _rewards(self) -> list[float]:
        if self.reward == "outcome":
            return outcome(np.array([self.winners()]))[0].tolist()
        gained = np.array([self.position.red], np.float64)
        return (margin(gained) if self.reward == "margin" else gained)[0].tolist()

    def resample(
        self, seat: int | Integers, rng: np.random.Generator, num_samples: int = 1
    ) -> State:
        """Returns states that equal the game in all that a seat knows (see `Engine.resample`)."""
        seats = as_seats(seat, 1, self.num_players)
        return resample(self.config, self.state, seats, rng, num_samples)

    def __repr__(self) -> str:
        return f"<Game, {self.config.summary}, lap {self.position.lap}>"

    def copy(self) -> Self:
        """Returns an independent copy of the game; what never changes is shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.position = self.position.copy()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        # A position refers to regions; a state holds all of it.
        return super().__getstate__() | {"position": self.state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._begin(state["position"])
        self._last = state["_last"]
