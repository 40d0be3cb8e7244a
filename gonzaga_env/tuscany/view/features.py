"""Observations: everything that a seat may know of a game, as flat uint8.

Players are listed from the observing seat on, clockwise. Hidden are the other seats' hands, and
until all have chosen, their boards, layouts and starting castles (T2.4, T12.2). Piles have no order
(see `tuscany.state`), so nothing else is.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.features import FeatureRow, FeatureTable
from gonzaga_env.tuscany.board.geometry import JOINTS
from gonzaga_env.tuscany.board.regions import LAYOUT_JOINTS, region_tables
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import (
    BONUS_COPIES,
    BONUS_TYPES,
    CROPS,
    NUM_CELLS,
    NUM_COLOURS,
    NUM_LAYOUTS,
    NUM_OWN_TILES,
    NUM_PIECE_KINDS,
    NUM_TILE_KINDS,
)
from gonzaga_env.tuscany.state.state import (
    KINDS,
    NO_LAYOUT,
    NOT_FINAL,
    SOURCES,
    STARTING_BONUS,
    State,
)

#: Version of the layout; checkpoints of another version are refused.
OBSERVATIONS_VERSION = 1
_LARGEST = 255
_LOWER = np.array(JOINTS)


def _layout(p: int, num_yields: int) -> list[FeatureRow]:
    """Returns name, shape, scale and meaning of every feature; "player" axes have length P."""
    return [
        ("colours", (p, NUM_COLOURS, NUM_CELLS), 1, "cells of each colour; zero while unknown"),
        ("covered", (p, NUM_CELLS), 1, "covered cells"),
        ("wooden", (p, NUM_CELLS), 1, "cells covered by a wooden hexagon"),
        ("crops", (p, len(CROPS), NUM_CELLS), 1, "cells whose tile shows each crop"),
        ("joints", (p, 2), 1, "the next board lies lower; zero while unknown"),
        ("boards", (p, 3, 4), 1, "boards A, B, C by number; zero while unknown"),
        ("layout", (p,), NUM_LAYOUTS, "number of the layout, from 1; 0 while unknown"),
        ("storage", (p, NUM_PIECE_KINDS), 2, "pieces in storage, wooden hexagons last"),
        ("marble", (p,), 4, "marble"),
        ("workers", (p,), 4, "workers"),
        ("bonus", (p, len(BONUS_TYPES)), 2, "bonus tiles"),
        ("turned", (p,), NUM_OWN_TILES, "own tiles turned"),
        ("stacks", (p, NUM_TILE_KINDS), 4, "own tiles still face down"),
        ("hand_size", (p,), 10, "region cards in hand"),
        ("complete", (p, NUM_COLOURS), 1, "colours completely covered"),
        ("green", (p,), 50, "green points"),
        ("red", (p,), 100, "red points, 255 at most"),
        ("scores", (p, len(SOURCES)), 50, "points by source"),
        ("start", (p,), 1, "the starting player"),
        ("to_act", (p,), 1, "the seat to act; zero where the game is over"),
        ("kind", (len(KINDS),), 1, "what it decides; zero where the game is over"),
        ("cell", (NUM_CELLS,), 1, "the cell that is being covered"),
        ("piece", (NUM_PIECE_KINDS,), 1, "the piece that is being taken or placed"),
        ("marble_used", (1,), 1, "this is the second action of the turn"),
        ("new_hexagons", (1,), 2, "wooden hexagons won in this turn"),
        ("round", (1,), 3, "the running round"),
        ("lap", (1,), 100, "the running lap"),
        ("final", (1,), 1, "a third stack is empty"),
        ("turns_left", (1,), 8, "turns until the end, once a third stack is empty"),
        ("finished", (1,), 1, "the game is over"),
        ("truncated", (1,), 1, "the game was cut off"),
        ("hand", (NUM_COLOURS,), 4, "own region cards"),
        ("display", (NUM_TILE_KINDS,), 2, "tiles on display"),
        ("neutral", (NUM_TILE_KINDS,), 4, "neutral tiles face down"),
        ("aside", (NUM_TILE_KINDS,), 4, "tiles set aside by sweeps"),
        ("deck_size", (1,), 122, "region cards in the deck"),
        ("discards", (NUM_COLOURS,), 10, "region cards discarded"),
        ("yield_deck", (num_yields,), 3, "yield cards in the deck"),
        ("bonus_stock", (len(BONUS_TYPES),), BONUS_COPIES, "bonus tiles in stock"),
    ]


@cache
def feature_table(config: GameConfig) -> FeatureTable:
    """Returns the layout, built once for each configuration."""
    return FeatureTable(_layout(config.num_players, len(config.edition.yield_cards)))


def observe(config: GameConfig, state: State, seats: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Returns what one seat of each game knows, [M, D].

    Args:
        config: what is played.
        state: M games.
        seats: the seat that looks, [M].
    """
    table = feature_table(config)
    observations = np.empty((state.num_games, table.size), np.uint8)
    values = _players(config, state, seats) | _common(state, seats)
    for feature in table:
        value = values[feature.name]
        target = table.view(observations, feature.name)
        target[...] = np.minimum(value, _LARGEST).reshape(target.shape)
    return observations


def _players(
    config: GameConfig, state: State, seats: NDArray[np.int64]
) -> dict[str, NDArray[np.generic]]:
    """Returns what is known of each player, in the observing seat's order."""
    p, tables = state.num_players, region_tables(config.edition.boards)
    games = np.arange(state.num_games)[:, None]
    order = (seats[:, None] + np.arange(p)) % p
    key = games, order
    # Until all have chosen, a seat sees only its own boards (T2.4).
    known = (state.kind >= STARTING_BONUS)[:, None] | (np.arange(p) == 0)
    covered, boards, layout = state.covered[key], state.boards[key], state.layout[key]
    chosen = known & (layout != NO_LAYOUT)
    layout = np.where(chosen, layout, 0)
    colours = tables.colours[boards, layout][:, :, None] == np.arange(NUM_COLOURS)[:, None]
    cells = tables.colour_cells[boards, layout]
    numbers = np.stack([boards // 16, boards // 4 % 4, boards % 4], axis=2)
    return {
        "colours": colours & chosen[..., None, None],
        "covered": _cells(covered) & chosen[..., None],
        "wooden": _cells(state.wooden[key]),
        "crops": _cells(state.crops[key]),
        "joints": _LOWER[LAYOUT_JOINTS[layout]] & chosen[..., None],
        "boards": (numbers[..., None] == np.arange(4)) & known[..., None, None],
        "layout": np.where(chosen, layout + 1, 0),
        "storage": state.storage[key],
        "marble": state.marble[key],
        "workers": state.workers[key],
        "bonus": state.bonus[key],
        "turned": NUM_OWN_TILES - state.stacks[key].sum(axis=2),
        "stacks": state.stacks[key],
        "hand_size": state.hand[key].sum(axis=2),
        "complete": ((cells & ~covered[..., None]) == 0) & chosen[..., None],
        "green": state.green[key],
        "red": state.totals[key],
        "scores": state.scores[key],
        "start": order == state.start[:, None],
        "to_act": (order == state.seat[:, None]) & ~state.finished[:, None],
    }


def _common(state: State, seats: NDArray[np.int64]) -> dict[str, NDArray[np.generic]]:
    final = state.turns_left != NOT_FINAL
    return {
        "kind": state.kind[:, None] == np.arange(len(KINDS)),
        "cell": state.cell[:, None] == np.arange(NUM_CELLS),
        "piece": state.piece[:, None] == np.arange(NUM_PIECE_KINDS),
        "marble_used": state.marble_used,
        "new_hexagons": state.new_hexagons,
        "round": state.round,
        "lap": state.lap,
        "final": final,
        "turns_left": np.where(final, state.turns_left, 0),
        "finished": state.finished,
        "truncated": state.truncated,
        "hand": state.hand[np.arange(state.num_games), seats],
        "display": state.display,
        "neutral": state.neutral,
        "aside": state.aside,
        "deck_size": state.deck.sum(axis=1),
        "discards": state.discards,
        "yield_deck": state.yield_deck,
        "bonus_stock": BONUS_COPIES - state.bonus.sum(axis=1),
    }


def _cells(sets: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Returns sets of cells [...] as booleans [..., 30]."""
    return (sets[..., None] >> np.arange(NUM_CELLS, dtype=np.uint32) & np.uint32(1)).astype(bool)
