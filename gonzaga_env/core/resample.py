"""States that a seat can't tell apart: what it may not know, dealt anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import bits
from gonzaga_env.core.actions import NO_PLAN
from gonzaga_env.core.legal import legal_plans
from gonzaga_env.core.rules import NUM_FIEFS
from gonzaga_env.core.state import PLAN, State
from gonzaga_env.core.tables import Tables


def resample(
    tables: Tables, state: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> State:
    """Returns a copy in which all that one seat of each game does not know is dealt anew.

    Drawn uniformly among the deals that agree with what the seat knows: the others' objectives,
    the order of what is left of all decks, and others' sealed plans (any legal plan). The seeds
    of later deals are drawn anew too. Games that are over stay as they are.

    Args:
        tables: the edition's tables.
        state: N games.
        seats: the seat that looks, [N].
        rng: where chance comes from.
    """
    going_on = np.flatnonzero(~state.finished)
    games, seats = state.take(going_on), seats[going_on]
    games.seed = rng.integers(2**64, size=games.num_games, dtype=np.uint64)
    _deal_objectives(tables, games, seats, rng)
    _shuffle_decks(games, rng)
    _seal_plans(tables, games, seats, rng)
    resampled = state.copy()
    resampled.put(going_on, games)
    return resampled


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
