"""What a game's two engines have in common: configuration, actions, checks, copies, samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices, as_action, check_num_samples, check_rng
from gonzaga_env.kernel.bounded import Recent, short_repr
from gonzaga_env.kernel.errors import ActionError, IllegalActionError, StateError
from gonzaga_env.kernel.result import Reward, check_reward
from gonzaga_env.kernel.state import DealArrays, StateArrays

if TYPE_CHECKING:
    from gonzaga_env.kernel.config import BaseConfig
    from gonzaga_env.kernel.view import View, Viewer

_StateT = TypeVar("_StateT", bound=StateArrays)
_ConfigT = TypeVar("_ConfigT")

#: Draws in place what one seat of each unfinished game does not know, but for the seed.
Draw = Callable[[_StateT, Indices, np.random.Generator], None]


def resampled(
    state: _StateT, seats: Indices, rng: np.random.Generator, num_samples: int, draw: Draw[_StateT]
) -> _StateT:
    """Returns copies in which everything that one seat of each game does not know is drawn.

    The seeds of all later chance are drawn too. Finished games stay as they are.

    Args:
        state: N games; their `finished` says which are over.
        seats: the seat that knows, [N].
        rng: source of randomness.
        num_samples: K, copies of each game.
        draw: draws what is hidden in a game.

    Returns:
        N * K games; those of game i are rows i * K to i * K + K - 1.

    Raises:
        OptionError: K is less than 1, or `rng` is not a generator.
    """
    check_rng(rng)
    check_num_samples(num_samples)
    samples = state.copy() if num_samples == 1 else state.repeat(num_samples)
    running = np.flatnonzero(~samples.finished)
    some_over = len(running) < samples.num_games
    games = samples.take(running) if some_over else samples
    games.seed[:] = rng.integers(2**64, size=len(running), dtype=np.uint64)
    draw(games, seats.repeat(num_samples)[running], rng)
    if some_over:
        samples.put(running, games)
    return samples


def states_reader(
    read: Callable[[_ConfigT, NDArray[np.uint8]], tuple[_StateT, Indices]],
    draw: Callable[[_ConfigT, _StateT, Indices, np.random.Generator], None],
) -> Callable[..., _StateT]:
    """Returns a game's `states_from_observations`, the inverse of `observe`.

    Args:
        read: returns the state that observations show, with anything in place of what is hidden,
            and the seat of each that observes, [M]: `read(config, observations)`.
        draw: draws what is hidden from these seats: `draw(config, games, seats, rng)`.
    """

    def states_from_observations(
        config: _ConfigT,
        observations: NDArray[np.uint8],
        rng: np.random.Generator,
        num_samples: int = 1,
    ) -> _StateT:
        """Returns states that agree with observations; what is hidden is drawn as in `resample`.

        Each state gives the observing seat the same observation and mask as the true game, and
        every legal sequence of actions from it scores the same points up to what was hidden. Where
        the rules treat all seats alike, the observing seat becomes seat 0, and the others follow
        clockwise. Numbers above 255 are taken for 255.

        Args:
            config: what is played; what it leaves open is read from the observations.
            observations: [M, D], of any seats, of games that are not over.
            rng: source of randomness.
            num_samples: K, states drawn for each observation.

        Returns:
            A state of M * K games; those of observation i are rows i * K to i * K + K - 1.

        Raises:
            OptionError: K is less than 1, or the observations have another shape or dtype.
            StateError: an observation of a finished game, or of another edition.
        """
        check_rng(rng)
        check_num_samples(num_samples)
        state, seats = read(config, observations)
        return resampled(state, seats, rng, num_samples, lambda *what: draw(config, *what))

    # A game's description holds it, and is pickled: by the name that it has in the game's module.
    states_from_observations.__module__ = read.__module__
    states_from_observations.__qualname__ = states_from_observations.__name__
    return states_from_observations


class Pictured:
    """Something that a notebook shows as a picture.

    Attributes:
        draw_svg: makes SVG of an instance; set by `gonzaga_env.render.draw`, None without it.
    """

    draw_svg: ClassVar[Callable[[Pictured], str] | None] = None

    def _repr_svg_(self) -> str | None:
        draw_svg = Pictured.draw_svg
        return None if draw_svg is None else draw_svg(self)


class EditionBase(Pictured):
    """What is printed on the components of a game.

    Attributes:
        game: the game's name, as `GameSpec.name`.
        name: the edition's name.
        digest: SHA-256 of the content, as records hold it.
    """

    game: ClassVar[str]
    name: str
    digest: str

    def __repr__(self) -> str:
        return f"<Edition {self.name!r}>"


EditionSource = str | Path | EditionBase  #: a shipped edition's name, a file, or an edition

#: A state of no games for each configuration; making one takes as long as a step of a game.
_NO_GAMES: Recent[Any] = Recent(256)
#: What numpy and Python raise where the values of a state do not fit each other.
CONTRADICTIONS = (ArithmeticError, LookupError, ValueError)

ConfigT = TypeVar("ConfigT", bound="BaseConfig")
StateT = TypeVar("StateT", bound=StateArrays)
DealT = TypeVar("DealT", bound=DealArrays)
ViewT = TypeVar("ViewT", bound="View")


class EngineBase(Pictured, Generic[ConfigT, StateT, DealT, ViewT]):
    """Configuration and what follows from it, which never change.

    A game derives a `GameBase` from this and implements what raises NotImplementedError here.

    Attributes:
        config: what is played.
        num_players: P.
        rules: the options.
        reward: the kind of reward.
        features: the layout of the observations.
        actions: the codec of actions.
        LOOKED_UP: attributes that `_look_up` sets; pickles leave them out, for they are large and
            follow from the configuration.
    """

    LOOKED_UP: ClassVar[tuple[str, ...]] = ("features", "actions", "_no_games")
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
        self._look_up()

    def _look_up(self) -> None:
        self.features, self.actions = self.config.features, self.config.actions
        key = self.config.game, self.edition.digest, self.num_players, self.rules
        self._no_games = _NO_GAMES.get(key, lambda: self._empty(0))

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
            self._check_values(state)

    def _check_values(self, state: StateT) -> None:
        """Raises StateError if values are out of range (see `StateArrays.check_values`)."""
        raise NotImplementedError

    def _empty(self, num_games: int) -> StateT:
        """Returns games before their deal."""
        raise NotImplementedError

    def _draw_deals(self, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> DealT:
        """Returns the deals of M games."""
        raise NotImplementedError

    def _check_deal(self, deal: DealT, num_games: int) -> None:
        """Raises OptionError unless a deal is valid for so many games."""
        raise NotImplementedError

    def _resample(
        self, state: StateT, seats: NDArray[np.int64], rng: np.random.Generator, num_samples: int
    ) -> StateT:
        """Returns `num_samples` states of each game that equal it in all that a seat knows."""
        return resampled(state, seats, rng, num_samples, self._redraw)

    def _redraw(self, games: StateT, seats: NDArray[np.int64], rng: np.random.Generator) -> None:
        """Draws in place what one seat of each unfinished game does not know, but for the seed."""
        raise NotImplementedError

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

    def _illegal_action(self, state: StateT, game: int, action: int) -> IllegalActionError:
        """Returns the error for an illegal action."""
        raise NotImplementedError

    def copy(self) -> Self:
        """Returns an independent copy of the engine; what never changes is shared."""
        raise NotImplementedError

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, object]:
        return {k: v for k, v in self.__dict__.items() if k not in self.LOOKED_UP}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._look_up()


class Codec(Protocol):
    """What every game's action space has: A = `size` actions, with a text for each."""

    size: int

    def to_text(self, action: int) -> str:
        """Returns the text of an action; ActionError if the index is not in the space."""

    def parse(self, text: str) -> int:
        """Returns the index of an action's text; ActionError if the text is not an action."""


class ActionTexts:
    """An action space as the texts of its actions; a game may derive a codec with blocks from it.

    Attributes:
        size: A, the number of actions.
    """

    def __init__(self, texts: Iterable[str], examples: Sequence[str] = ()) -> None:
        """Takes the texts, all different, in the order of the actions.

        Args:
            texts: a text for each action, [A].
            examples: some of them, for messages; the first and the last by default.
        """
        self._texts = tuple(texts)
        self._actions = {text: action for action, text in enumerate(self._texts)}
        self._examples = tuple(examples) or (self._texts[0], self._texts[-1])
        self.size = len(self._texts)

    def to_text(self, action: int) -> str:
        """Returns the text of an action.

        Raises:
            ActionError: the index is not in the space.
        """
        return self._texts[as_action(action, self.size)]

    def parse(self, text: str) -> int:
        """Returns the index of an action's text; the inverse of `to_text`.

        Raises:
            ActionError: the text is not an action.
        """
        if isinstance(text, str) and text in self._actions:
            return self._actions[text]
        examples = ", ".join(map(repr, self._examples))
        raise ActionError(f"{short_repr(text)} is not an action; actions look like {examples}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {self.size} actions>"
