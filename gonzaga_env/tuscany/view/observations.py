"""What seats know of games, from their arrays (layout: `state.features`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany.board.geometry import JOINTS
from gonzaga_env.tuscany.board.regions import LAYOUT_JOINTS, region_tables
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import (
    BONUS_COPIES,
    KINDS,
    NUM_CELLS,
    NUM_COLOURS,
    NUM_OWN_TILES,
    NUM_PIECE_KINDS,
)
from gonzaga_env.tuscany.state.state import (
    NO_LAYOUT,
    NOT_FINAL,
    STARTING_BONUS,
    State,
)

_LARGEST = 255
_LOWER = np.array(JOINTS)


def observe(config: GameConfig, state: State, seats: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Returns what one seat of each game knows, [M, D].

    Args:
        config: what is played.
        state: M games.
        seats: the seat that looks, [M].
    """
    table = config.features
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
