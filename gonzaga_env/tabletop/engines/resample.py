"""States that a seat cannot tell apart: what it may not know is drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Indices, check_num_samples, check_rng
from gonzaga_env.tabletop.state import StateArrays

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
