"""States that a seat cannot tell apart: what it may not know is drawn at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NO_PLAN
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.state.state import PLAN, State
from gonzaga_env.core.state.turns import legal_plans
from gonzaga_env.tabletop.arguments import check_num_samples, check_rng


def resample(
    tables: Tables,
    state: State,
    seats: NDArray[np.int64],
    rng: np.random.Generator,
    num_samples: int,
) -> State:
    """Returns copies in which everything that one seat of each game does not know is drawn.

    Drawn uniformly among the deals that agree with what the seat knows: the other seats'
    objectives, the order of the fiefs left in all decks, and the other seats' sealed plans (any
    legal plan). The seeds of later deals are drawn too. Finished games stay as they are.

    Args:
        tables: the tables of the edition.
        state: N games.
        seats: the seat that knows, [N].
        rng: source of randomness.
        num_samples: K, copies of each game.

    Returns:
        N * K games; those of game i are rows i * K to i * K + K - 1.

    Raises:
        OptionError: K is less than 1, or `rng` is not a generator.
    """
    check_rng(rng)
    check_num_samples(num_samples)
    samples = state.copy() if num_samples == 1 else state.repeat(num_samples)
    seats = seats.repeat(num_samples)
    if not samples.finished.any():
        draw_hidden(tables, samples, seats, rng)
        return samples
    going_on = np.flatnonzero(~samples.finished)
    games = samples.take(going_on)
    draw_hidden(tables, games, seats[going_on], rng)
    samples.put(going_on, games)
    return samples


def draw_hidden(
    tables: Tables, games: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Draws in place what one seat of each unfinished game does not know."""
    games.seed[:] = rng.integers(2**64, size=games.num_games, dtype=np.uint64)
    _deal_objectives(tables, games, seats, rng)
    _shuffle_decks(games, rng)
    _seal_plans(tables, games, seats, rng)


def _deal_objectives(
    tables: Tables, games: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Deals the other seats objectives that are not the own one (R2.2)."""
    rows = np.arange(games.num_games)
    own = games.objective[rows, seats]
    keys = rng.random((games.num_games, len(tables.objective_bits)))
    keys[rows, own] = 2.0  # last, so that the others come first
    games.objective[:] = keys.argsort(axis=1)[:, : games.num_players]
    games.objective[rows, seats] = own


def _shuffle_decks(games: State, rng: np.random.Generator) -> None:
    """Shuffles the fiefs that have not been shown, behind those that have (R3.1)."""
    keys = rng.random(games.deck.shape)
    shown = np.arange(NUM_FIEFS) < games.round[:, None, None]
    keys = np.where(shown, np.arange(NUM_FIEFS) - NUM_FIEFS, keys)
    games.deck[:] = np.take_along_axis(games.deck, keys.argsort(axis=2), axis=2)


def _seal_plans(
    tables: Tables, games: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Draws others' sealed plans among those that their cards and rings allow (R3.2 to R3.4)."""
    sealed = (games.phase == PLAN)[:, None] & (games.plan != NO_PLAN)
    sealed[np.arange(games.num_games), seats] = False
    row, seat = np.nonzero(sealed)
    legal = legal_plans(tables, games, row, seat)[:, None]
    games.plan[row, seat] = bits.draw(legal, rng)
