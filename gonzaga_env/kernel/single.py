"""The engine for one game in plain Python and its position, as far as every game's is the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, SupportsIndex, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import (
    Integers,
    as_action,
    as_seats,
    check_rng,
    checks_names,
    is_integer,
)
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.chance import game_seeds
from gonzaga_env.kernel.config import DEFAULT_RULES, BaseConfig, RuleOptions
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.engine import CONTRADICTIONS, ConfigT, DealT, EngineBase, StateT, ViewT
from gonzaga_env.kernel.errors import OptionError, StateError
from gonzaga_env.kernel.result import Reward, margin, outcome
from gonzaga_env.kernel.state import Origin, StateArrays
from gonzaga_env.kernel.view import Viewer

_INT8, _UINT8 = np.dtype(np.int8), np.dtype(np.uint8)  # numpy takes them faster than the types


class AnyPosition(Protocol):
    """A state of one game in plain Python; its values are those of the state's fields."""

    seed: int
    episode: int
    round: int
    finished: bool
    outcomes: list[Json] | None  # what is drawn in place of chance; None for chance

    @property
    def seat(self) -> int:
        """The seat to act."""

    @property
    def kind(self) -> int:
        """What it decides, an index in `KINDS`."""

    @property
    def scores(self) -> Any:
        """Points by source, [P][S]."""

    def copy(self) -> Self:
        """Returns an independent copy; what never changes is shared."""


PositionT = TypeVar("PositionT", bound=AnyPosition)


class SingleGame(
    EngineBase[ConfigT, StateT, DealT, ViewT], Generic[ConfigT, StateT, DealT, ViewT, PositionT]
):
    """One game; a game's `Game` derives from this and its `GameBase`.

    It equals one row of an engine for batches at every step. A game gives `winners` and the methods
    that raise NotImplementedError.

    Attributes:
        position: the full state in plain Python, for reading only; `play` changes it and `reset`
            and assigning `state` replace it.
    """

    position: PositionT
    _legal: int | None  # the legal actions; None where they have to be computed
    _last: tuple[int, int] | None  # seat and action of the last public move

    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        edition: EditionSource | None = None,
        rules: RuleOptions | Mapping[str, object] | str = DEFAULT_RULES,
        seed: int = 0,
        reward: Reward = "outcome",
    ) -> None:
        """Deals a game; the arguments are those of `Engine`.

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        EngineBase.__init__(self, self.CONFIG(num_players, edition, rules), reward)
        self.reset(game_seeds(seed, 1))

    @classmethod
    def from_config(cls, config: ConfigT, seed: int = 0, reward: Reward = "outcome") -> Self:
        """Returns a game that plays what a configuration says."""
        game = object.__new__(cls)
        EngineBase.__init__(game, config, reward)
        game.reset(game_seeds(seed, 1))
        return game

    def reset(self, seed: int | Integers | None = None, deal: DealT | None = None) -> None:
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
            deal = self._draw_deals(seeds, episodes)
        else:
            self.check_deal(deal, 1)
        self._begin(self._dealt(deal, seeds, episodes))

    def _dealt(
        self, deal: DealT, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]
    ) -> PositionT:
        """Returns the position of a game that was dealt."""
        state = self._empty(1)
        self._start_games(state, slice(None), seeds, episodes, deal)
        return self._from_state(state)

    def _begin(self, position: PositionT) -> None:
        self.position, self._legal, self._last = position, None, None

    @property
    def state(self) -> StateT:
        """A snapshot of the game as a state [1]; assigning a state goes back to it.

        Raises:
            StateError: on assigning a state of more than one game, another number of players,
                edition or options, or one with values out of range.
        """
        return self._to_state()

    @state.setter
    def state(self, state: StateT) -> None:
        self.check(state, one=True)
        before = vars(self).copy()
        try:
            self._begin(self._from_state(state))
        except CONTRADICTIONS as error:
            vars(self).update(before)
            raise StateError(f"values of the state contradict each other: {error}") from error

    def _to_state(self) -> StateT:
        arrays = {
            name: np.array(getattr(self.position, name), field.dtype).reshape(1, *field.shape)
            for name, field in self.layout().items()
        }
        return self.STATE(**arrays, origin=Origin.of(self.config))  # type: ignore[call-arg]

    def _from_state(self, state: StateT) -> PositionT:
        """Returns the position that a state of one game holds."""
        raise NotImplementedError

    @property
    def seed(self) -> int:
        """What decides all chance, with `episode`."""
        return self.position.seed

    @property
    def episode(self) -> int:
        """Games dealt from this seed before."""
        return self.position.episode

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.position.finished

    @property
    def seat(self) -> int:
        """The seat to act; -1 where the game is over."""
        return -1 if self.position.finished else self.position.seat

    @property
    def kind(self) -> int:
        """What it decides, an index in `KINDS`; -1 where the game is over."""
        return -1 if self.position.finished else self.position.kind

    @property
    def round(self) -> int:
        """The running round, from 1; the last one where the game is over."""
        return self.position.round

    @property
    def scores(self) -> list[list[int]]:
        """Points by source (`SOURCES`), [P][S]; do not change them."""
        return self.position.scores

    @property
    def totals(self) -> list[int]:
        """The points that decide the game, [P]; do not change them."""
        return [sum(scores[self.TOTAL]) for scores in self.position.scores]

    def winners(self) -> list[bool]:
        """Returns who would win if the game ended now, [P]."""
        raise NotImplementedError

    @property
    def legal_set(self) -> int:
        """The legal actions of the seat to act as a set, where bit i stands for action i."""
        if self._legal is None:
            self._legal = self._legal_actions()
        return self._legal

    def _legal_actions(self) -> int:
        raise NotImplementedError

    def mask(self) -> NDArray[np.int8]:
        """Returns which actions are legal for the seat to act, [A] (1: legal)."""
        return unpack_set(self.legal_set, self.actions.size)

    def num_legal(self) -> int:
        """Returns the number of legal actions."""
        return self.legal_set.bit_count()

    def is_legal(self, action: SupportsIndex) -> bool:
        """Returns whether an action is legal; False where the game is over.

        Raises:
            ActionError: the action is not in the space.
        """
        return bool(self.legal_set >> as_action(action, self.actions.size) & 1)

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
        return self._observe(seat)

    def _observe(self, seat: int) -> NDArray[np.uint8]:
        raise NotImplementedError

    def describe(self, action: int) -> str:
        """Returns an action of the seat to act in words.

        Raises:
            ActionError: the action is not in the space.
        """
        return self._describe(self.state, action)

    def view(self, viewer: Viewer = "spectator", *, names: Sequence[str] = ()) -> ViewT:
        """Returns what a viewer knows of the game, in plain values (see `GameView`).

        Args:
            viewer: a seat; "public", who knows only what lies open; or "spectator", who knows
                everything.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such viewer, or the number of names is wrong.
        """
        return self._view(self.state, 0, viewer, self._last, names)

    def play(self, action: SupportsIndex, drawn: Sequence[Json] | None = None) -> list[float]:
        """Plays an action for the seat to act; where the game is over, the action is ignored.

        Args:
            action: index in the action space.
            drawn: outcomes to use instead of chance, in the format of records.

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
        if drawn is not None:
            position = self._with_outcomes(drawn)
        self._legal = self._apply(position, index)
        if drawn is not None:
            position.outcomes = None
        self.position = position
        self._set_last(seat, index)
        if self.reward == "outcome":
            if not position.finished:
                return [0.0] * self.num_players
            return outcome(np.array([self.winners()]))[0].tolist()
        gained = self._gained()
        if self.reward == "score" or not any(gained):
            return [float(points) for points in gained]
        return margin(np.array([gained], np.float64))[0].tolist()

    def _apply(self, position: PositionT, action: int) -> int | None:
        """Plays a legal action; returns the legal actions of the next decision, as a set.

        None leaves them to be computed when somebody asks for them.
        """
        raise NotImplementedError

    def _with_outcomes(self, drawn: Sequence[Json]) -> PositionT:
        """Returns a copy of the position that uses these outcomes instead of chance."""
        position = self.position.copy()
        position.outcomes = list(drawn)
        return position

    def _gained(self) -> Sequence[int]:
        """Returns what every player gained by the last action, [P]."""
        raise NotImplementedError

    def _set_last(self, seat: int, action: int) -> None:
        """Keeps a move as the last one, if all have seen it."""
        self._last = seat, action

    def resample(
        self, seat: int | Integers, rng: np.random.Generator, num_samples: int = 1
    ) -> StateT:
        """Returns states that equal the game in all that a seat knows (see `Engine.resample`)."""
        return self._resample(self.state, as_seats(seat, 1, self.num_players), rng, num_samples)

    def resampled(self, seat: int, rng: np.random.Generator) -> Self:
        """Returns a copy of the game in which what a seat does not know is drawn (`resample`)."""
        return self._with_state(self.resample(seat, rng))

    def reseeded(self, seed: int) -> Self:
        """Returns a copy of the game whose events to come follow from another seed."""
        state = self._to_state()
        state.seed[:] = game_seeds(seed, 1)
        return self._with_state(state)

    def _with_state(self, state: StateT) -> Self:
        twin = self.copy()
        twin._begin(self._from_state(state))  # a check would take longer than all else
        twin._last = self._last
        return twin

    def __repr__(self) -> str:
        return f"<Game, {self.config.summary}, round {self.position.round}>"

    def copy(self) -> Self:
        """Returns an independent copy of the game; what never changes is shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.position = self.position.copy()
        return twin

    def __getstate__(self) -> dict[str, object]:
        # A position refers to tables; a state holds all of it.
        return super().__getstate__() | {"position": self.state}

    def __setstate__(self, state: dict[str, object]) -> None:
        super().__setstate__(state)
        last = self._last
        self._begin(self._from_state(cast(StateT, state["position"])))
        self._last = last


def sample_sets(
    sets: Sequence[int], num_actions: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Returns a random action of each set, [M], as `sample_legal` draws them set by set."""
    size = -(-num_actions // 8)
    packed = np.frombuffer(b"".join([legal.to_bytes(size, "little") for legal in sets]), _UINT8)
    places = np.unpackbits(packed, bitorder="little").view(np.bool_).nonzero()[0]
    counts = np.array([legal.bit_count() for legal in sets])
    return places[counts.cumsum() - counts + rng.integers(counts)] % (8 * size)


def unpack_set(legal: int, num_actions: int) -> NDArray[np.int8]:
    """Returns a set of actions as a mask, [A] (1: legal)."""
    packed = np.frombuffer(legal.to_bytes(-(-num_actions // 8), "little"), _UINT8)
    return np.unpackbits(packed, None, num_actions, "little").view(_INT8)


@cache
def one_hot_bytes(size: int) -> tuple[bytes, ...]:
    """Returns a one at each place, and then no one, for `NO_...` values."""
    return tuple(bytes(i == place for i in range(size)) for place in range(size + 1))


AnyGame = SingleGame[Any, Any, Any, Any, Any]  # one game in plain Python, of any game


class BasePosition:
    """A state of one game; a game derives its `Position` from this.

    Every field of the state is here under its name, as integers, truths and (nested) lists.

    Attributes:
        config: what is played.
        num_players: P.
    """

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Returns a field of the state."""

        def __setattr__(self, name: str, value: Any) -> None:
            """Changes a field of the state."""

    def __init__(self, config: BaseConfig, state: StateArrays) -> None:
        self.config, self.num_players = config, config.num_players
        for name, array in state.arrays().items():
            setattr(self, name, array[0].tolist())

    def copy(self) -> Self:
        """Returns an independent copy; what never changes is shared."""
        twin = object.__new__(type(self))
        twin.__dict__ = {
            name: [v.copy() if type(v) is list else v for v in value]
            if type(value) is list
            else value
            for name, value in self.__dict__.items()
        }
        return twin
