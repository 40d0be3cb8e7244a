"""The base of a game's two engines: configuration, actions, checks, copies, samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Generic, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices, as_num_games, check_rng
from gonzaga_env.kernel.cache import LRUCache
from gonzaga_env.kernel.config import BaseConfig
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import IllegalActionError, StateError
from gonzaga_env.kernel.notebooks import SvgReprMixin
from gonzaga_env.kernel.result import Reward, check_reward
from gonzaga_env.kernel.rows import RowKey
from gonzaga_env.kernel.state import ArrayLayout, DealArrays, Origin, StateArrays
from gonzaga_env.kernel.view import View, Viewer

ConfigT = TypeVar("ConfigT", bound=BaseConfig)
StateT = TypeVar("StateT", bound=StateArrays)
DealT = TypeVar("DealT", bound=DealArrays)
ViewT = TypeVar("ViewT", bound=View)

#: Draws in place what one seat of each unfinished game does not know, but for the seed.
Draw = Callable[[StateT, Indices, np.random.Generator], None]


def resampled(
    state: StateT, seats: Indices, rng: np.random.Generator, num_samples: int, draw: Draw[StateT]
) -> StateT:
    """Returns copies in which everything that one seat of each of N games does not know is drawn.

    The seeds of all later chance are drawn too. Finished games stay as they are. Of the N * K
    games, those of game i are rows i * K to i * K + K - 1; `draw` draws what is hidden in them.
    """
    check_rng(rng)
    as_num_games(num_samples, "num_samples")
    samples = state.copy() if num_samples == 1 else state.repeat(num_samples)
    running = np.flatnonzero(~samples.finished)
    some_over = len(running) < samples.num_games
    games = samples.take(running) if some_over else samples
    games.seed[:] = rng.integers(2**64, size=len(running), dtype=np.uint64)
    draw(games, seats.repeat(num_samples)[running], rng)
    if some_over:
        samples.put(running, games)
    return samples


#: A state of no games for each configuration; making one takes as long as a step of a game.
_NO_GAMES: LRUCache[StateArrays] = LRUCache(256)
#: What numpy and Python raise where the values of a state do not fit each other.
CONTRADICTIONS = (ArithmeticError, LookupError, ValueError)


class EngineBase(SvgReprMixin, Generic[ConfigT, StateT, DealT, ViewT]):
    """The base of a game's two engines: its configuration, and what follows from it.

    A game derives a `GameBase` from this, and from that its `Engine` and its `Game`. It gives
    `CONFIG`, `STATE`, `KINDS` and `SOURCES`, and the methods that raise NotImplementedError here.

    Attributes:
        CONFIG: the class of the configuration.
        STATE: the class of the state.
        KINDS: the kinds of decisions.
        SOURCES: the sources of points.
        VERSIONS: of the actions and the observations; files of another version are refused.
        TOTAL: the sources of points that decide the game.
        NOT_PICKLED: attributes that `_set_tables` sets; pickles leave them out, for they are large
            and follow from the configuration.
        config: what is played.
        num_players: P.
        rules: the options.
        reward: the kind of reward.
        features: the layout of the observations.
        actions: the codec of actions.
    """

    CONFIG: type[ConfigT]
    STATE: type[StateT]
    KINDS: ClassVar[tuple[str, ...]]
    SOURCES: ClassVar[tuple[str, ...]]
    VERSIONS: ClassVar[Mapping[str, int]] = MappingProxyType({"actions": 1, "observations": 1})
    TOTAL: ClassVar[slice] = slice(None)
    NOT_PICKLED: ClassVar[tuple[str, ...]] = ("features", "actions", "_no_games")
    config: ConfigT
    _no_games: StateT  # a state of no games

    def __init__(self, config: ConfigT, reward: Reward) -> None:
        """Looks up layouts and tables.

        Raises:
            OptionError: there is no such kind of reward.
        """
        check_reward(reward)
        self.config, self.reward = config, reward
        self.num_players = self.config.num_players
        self.rules = self.config.rules
        self._set_tables()

    def _set_tables(self) -> None:
        self.features, self.actions = self.config.features, self.config.actions
        key = self.config.game, self.edition.digest, self.num_players, self.rules
        self._no_games = cast(StateT, _NO_GAMES.get(key, lambda: self._empty(0)))

    @property
    def edition(self) -> EditionBase:
        """The edition."""
        return self.config.edition

    def check(self, state: object, *, one: bool = False, values: bool = True) -> None:
        """Checks a state that is to be played here.

        Args:
            state: the state.
            one: whether it must hold one game.
            values: False trusts the values of the arrays.

        Raises:
            StateError: the state is of another edition, number of players or options, or has
                values that are out of range.
        """
        kind = type(self._no_games)
        if not isinstance(state, kind):
            raise StateError(f"state is {state!r}; it takes a {kind.__name__}")
        state.check_like(self._no_games, f"{self.num_players} players")
        if one and state.num_games != 1:
            raise StateError(f"the state holds {state.num_games} games; a Game takes one")
        if values:
            state.check_values(self.layout())

    def layout(self) -> Mapping[str, ArrayLayout]:
        """Returns the layout of the state's arrays by name, in their order."""
        raise NotImplementedError

    def _empty(self, num_games: int) -> StateT:
        """Returns games before their deal."""
        return self.STATE.empty(self.layout(), num_games, Origin.of(self.config))

    def _draw_deals(self, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> DealT:
        """Returns the deals of M games."""
        raise NotImplementedError

    def check_deal(self, deal: DealT, num_games: int) -> None:
        """Raises OptionError unless a deal is valid for so many games."""
        raise NotImplementedError

    def _start_games(
        self,
        state: StateT,
        rows: RowKey,
        seeds: NDArray[np.uint64],
        episodes: NDArray[np.uint32],
        deal: DealT,
    ) -> None:
        """Overwrites some games with dealt ones."""
        state.clear(rows, self.layout())
        state.seed[rows], state.episode[rows] = seeds, episodes
        self._write_deal(state, rows, deal)

    def _write_deal(self, state: StateT, rows: RowKey, deal: DealT) -> None:
        """Writes a deal into games whose arrays have their first values."""
        raise NotImplementedError

    def _redraw(self, games: StateT, seats: Indices, rng: np.random.Generator) -> None:
        """Draws in place what one seat of each unfinished game does not know, but for the seed."""
        raise NotImplementedError

    def _resample(
        self, state: StateT, seats: Indices, rng: np.random.Generator, num_samples: int
    ) -> StateT:
        """Returns `num_samples` states of each game that equal it in all that a seat knows."""
        return resampled(state, seats, rng, num_samples, self._redraw)

    def _view(
        self,
        state: StateT,
        row: int,
        viewer: Viewer,
        last: tuple[int, int] | None,
        names: Sequence[str],
    ) -> ViewT:
        """Returns what a viewer knows of one game; `last` is seat and action of the last move."""
        raise NotImplementedError

    def _describe(self, state: StateT, action: int) -> str:
        """Returns an action in a state of one game in words."""
        raise NotImplementedError

    def _reason(self, kind: int, action: int) -> str:
        """Returns why an action is illegal, with the rule's number in brackets at the end."""
        raise NotImplementedError

    def _illegal_action(self, state: StateT, game: int, action: int) -> IllegalActionError:
        """Returns the error for an illegal action."""
        seat, kind = int(state.seat[game]), int(state.kind[game])
        reason, text = self._reason(kind, action), self.actions.to_text(action)
        rule = reason.rpartition("(")[2][:-1].split(",")[0]
        return IllegalActionError(
            f"game {game}, seat {seat}: {text!r} is illegal ({self.KINDS[kind]}): {reason}",
            game=game,
            seat=seat,
            action=action,
            rule=rule,
        )

    def copy(self) -> Self:
        """Returns an independent copy of the engine; what never changes is shared."""
        raise NotImplementedError

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, object]:
        return {k: v for k, v in self.__dict__.items() if k not in self.NOT_PICKLED}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._set_tables()
