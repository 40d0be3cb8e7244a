"""One game in plain Python: what `batch.engine` is for many games.

numpy takes about a microsecond a call whatever the size of the arrays, and a step of one game would
need hundreds of calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.base import GameBase
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.options import Rules
from gonzaga_env.core.single.conversion import from_state, to_state
from gonzaga_env.core.single.legal import legal_actions
from gonzaga_env.core.single.observations import SeatObservations
from gonzaga_env.core.single.position import Position
from gonzaga_env.core.single.tables import game_tables_for
from gonzaga_env.core.single.transitions import apply_placement, apply_plan, winners
from gonzaga_env.core.state.deals import Deal, check_deal, draw_deals
from gonzaga_env.core.state.resample import resample
from gonzaga_env.core.state.state import END_SOURCES, PLAN, State
from gonzaga_env.core.view.describe import describe_action
from gonzaga_env.core.view.game_view import GameView, Viewer
from gonzaga_env.core.view.illegal import explain_illegal
from gonzaga_env.core.view.read import view_game
from gonzaga_env.tabletop.arguments import Integers, as_action, as_seats, check_rng, is_integer
from gonzaga_env.tabletop.chance import game_seeds
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.rewards import Reward, margin, outcome

_INT8, _UINT8 = np.dtype(np.int8), np.dtype(np.uint8)  # numpy takes them faster than the types


class Game(GameBase):
    """One game of Gonzaga: equal to one row of an `Engine` at every step, without array axes.

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
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Rules | Mapping[str, Any] = Rules(),
        seed: int = 0,
        reward: Reward = "outcome",
    ) -> None:
        """Deals a game; the arguments are those of `Engine`.

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        super().__init__(GameConfig(num_players, scenario, edition, rules), reward)
        self.reset(game_seeds(seed, 1))

    @classmethod
    def from_config(cls, config: GameConfig, seed: int = 0, reward: Reward = "outcome") -> Self:
        """Returns a game that plays what a configuration says."""
        return cls(config.num_players, config.scenario, config.edition, config.rules, seed, reward)

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
            deal = draw_deals(self.tables, self.num_players, self._scenarios, seeds, episodes)
        else:
            check_deal(self.tables, deal, 1, self.num_players)
        tables = game_tables_for(self.tables)
        self._begin(Position(tables, deal, seed=int(seeds[0]), episode=int(episodes[0])))

    def _begin(self, position: Position) -> None:
        self.position, self._observations = position, SeatObservations(position)
        self._legal: int | None = None
        #: Seat and action of the last placement, wedding or donation.
        self._last: tuple[int, int] | None = None

    @property
    def state(self) -> State:
        """A snapshot of the game as a state [1]; assigning a state goes back to it.

        After editing a snapshot, assign it. Its map is read from `piece` and `ring_cells`, so the
        sets of hexes must agree with these.

        Raises:
            StateError: on assigning a state of more than one game, another number of players or
                another map.
        """
        return to_state(self.tables, self.rules, self.position)

    @state.setter
    def state(self, state: State) -> None:
        self.check(state, one=True)
        self._begin(from_state(self.tables, state))

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
        return self.position.seat

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.position.finished

    @property
    def kind(self) -> int:
        """Which kind of decision the game waits for (`KINDS`); -1 where it is over."""
        return -1 if self.position.finished else self.position.phase

    def winners(self) -> list[bool]:
        """Returns who would win if the game ended now, [P] (R8.3)."""
        return winners(self.position)

    @property
    def legal_set(self) -> int:
        """The legal actions of the seat to act as a set: bit i stands for action i."""
        if self._legal is None:
            self._legal = legal_actions(self.position)
        return self._legal

    def mask(self) -> NDArray[np.int8]:
        """Returns which actions are legal for the seat to act, [A] (1: legal)."""
        position = self.position
        if position.phase == PLAN:
            return _plan_mask(self.legal_set, position.tables.num_actions).copy()
        return _mask(self.legal_set, position.tables.num_actions)

    def num_legal(self) -> int:
        """Returns the number of legal actions."""
        return self.legal_set.bit_count()

    def is_legal(self, action: SupportsIndex) -> bool:
        """Returns whether an action is legal; False where the game is over.

        Raises:
            ActionError: the action is not in the space.
        """
        return bool(self.legal_set >> as_action(action, self.position.tables.num_actions) & 1)

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
        return self._observations.observe(seat)

    def describe(self, action: int) -> str:
        """Returns an action of the seat to act in words (see `describe_action`).

        Raises:
            ActionError: the action is not in the space.
        """
        return describe_action(self.tables, self.rules, self.state, action)

    def view(self, viewer: Viewer = "spectator", *, names: Sequence[str] = ()) -> GameView:
        """Returns what a viewer knows of the game, in plain values (see `GameView`).

        Args:
            viewer: a seat; "public", who knows only what lies open; or "spectator", who knows
                everything.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such viewer, or the number of names is wrong.
        """
        return view_game(self.tables, self.state, 0, viewer, last=self._last, names=names)

    def play(self, action: SupportsIndex) -> list[float]:
        """Plays an action for the seat to act; where the game is over, the action is ignored.

        Args:
            action: index in the action space.

        Returns:
            The reward of every seat, [P].

        Raises:
            ActionError: the action is not in the space.
            IllegalActionError: the rules forbid the action; nothing has changed.
        """
        position, seat = self.position, self.position.seat
        if position.finished:
            return [0.0] * self.num_players
        index = as_action(action, position.tables.num_actions)
        if not self.legal_set >> index & 1:
            raise explain_illegal(self.tables, self.state, 0, index)
        self._legal = None
        if position.phase == PLAN:
            apply_plan(position, index)
            self._observations.on_plan(position, seat)
        else:
            fief = position.fief[seat] if index < position.tables.ring_start else None
            cells = apply_placement(position, self.rules, index)
            self._observations.on_placement(position, seat, cells, fief)
            self._last = seat, index
        if not position.finished and (self.reward == "outcome" or not position.points):
            return [0.0] * self.num_players
        return self._rewards(seat)

    def _rewards(self, seat: int) -> list[float]:
        position = self.position
        if self.reward == "outcome":
            return outcome(np.array([winners(position)]))[0].tolist()
        gained = np.zeros((1, self.num_players))
        gained[0, seat] = position.points
        if position.finished:
            gained += position.scores[:, END_SOURCES].sum(axis=1)
        return (margin(gained) if self.reward == "margin" else gained)[0].tolist()

    def resample(
        self, seat: int | Integers, rng: np.random.Generator, num_samples: int = 1
    ) -> State:
        """Returns states that equal the game in all that a seat knows (see `Engine.resample`)."""
        seats = as_seats(seat, 1, self.num_players)
        return resample(self.tables, self.state, seats, rng, num_samples)

    def __repr__(self) -> str:
        return f"<Game, {self.config.summary}, round {self.position.round}>"

    def copy(self) -> Self:
        """Returns an independent copy of the game; the tables are shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.position, twin._observations = self.position.copy(), self._observations.copy()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        # A position refers to tables; a state holds all of it.
        return super().__getstate__() | {"position": self.state, "_observations": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        last = self._last
        self._begin(from_state(self.tables, state["position"]))
        self._last = last


def _mask(legal: int, num_actions: int) -> NDArray[np.int8]:
    packed = np.frombuffer(legal.to_bytes(-(-num_actions // 8), "little"), _UINT8)
    return np.unpackbits(packed, None, num_actions, "little").view(_INT8)


#: Cached masks of plans, to be copied: the cards in hand make few different sets.
_plan_mask = lru_cache(maxsize=1024)(_mask)
