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


def draw_hidden(
    tables: Tables, games: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Draws in place what one seat of each unfinished game does not know, but for the seed.

    Drawn uniformly among the deals that agree with what the seat knows: the other seats'
    objectives, the order of the fiefs left in all decks, and the other seats' sealed plans (any
    legal plan).
    """
    _deal_objectives(tables, games, seats, rng)
    _shuffle_decks(games, tables.edition.size.fiefs, rng)
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
    # Where there are only as many as players, the own one was drawn, too.
    (again,) = (games.objective[:, -1] == own).nonzero()
    games.objective[again, -1] = games.objective[again, seats[again]]
    games.objective[rows, seats] = own


def _shuffle_decks(games: State, num_fiefs: int, rng: np.random.Generator) -> None:
    """Shuffles the fiefs that have not been shown, behind those that have (R3.1)."""
    keys = rng.random(games.deck.shape)
    shown = np.arange(NUM_FIEFS) < games.round[:, None, None]
    keys = np.where(shown, np.arange(NUM_FIEFS) - NUM_FIEFS, keys)
    keys[..., num_fiefs:] = np.arange(num_fiefs, NUM_FIEFS)  # not played: they stay last
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
