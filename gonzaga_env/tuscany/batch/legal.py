"""The legal actions of many games: one function for each kind of decision."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.rows import row_sums
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.batch.draws import colour_counts
from gonzaga_env.tuscany.batch.games import Games
from gonzaga_env.tuscany.board.actions import ACTIONS
from gonzaga_env.tuscany.board.regions import Cells
from gonzaga_env.tuscany.state.payments import affordable

Mask = NDArray[np.bool_]


def update(games: Games, rows: Indices) -> None:
    """Finds the legal actions of some games, and their number; none where a game is over."""
    if not len(rows):
        return
    masks = np.zeros((len(rows), ACTIONS.size), np.bool_)
    kinds = games.state.kind.take(rows)
    order = kinds.argsort(kind="stable")
    rows, start = rows.take(order), 0
    for kind, number in enumerate(np.bincount(kinds).tolist()):
        if number and kind != c.OVER:
            _RULES[kind](games, rows[start : start + number], masks[start : start + number])
        start += number
    games.legal[rows] = masks
    # 264 bytes of 0 and 1 are 33 words.
    games.num_legal[rows] = row_sums(np.bitwise_count(masks.view(np.uint64)))


def update_kind(games: Games, kind: int, rows: Indices) -> Mask:
    """Finds the legal actions of games that wait for one kind of decision; returns them, [M, A]."""
    masks = np.zeros((len(rows), ACTIONS.size), np.bool_)
    _RULES[kind](games, rows, masks)
    games.legal[rows] = masks
    games.num_legal[rows] = row_sums(np.bitwise_count(masks.view(np.uint64)))
    return masks


def _layout(games: Games, rows: Indices, masks: Mask) -> None:
    masks[:, ACTIONS.layout] = True


def _starting_castle(games: Games, rows: Indices, masks: Mask) -> None:
    """The region's castle hexes (T2.4)."""
    region = games.region[games.seats(rows)]
    masks[:, ACTIONS.tile] = cells_mask(games.regions.colour_cells[region, c.CASTLE])


def _bonus(games: Games, rows: Indices, masks: Mask) -> None:
    """Types of bonus tiles in stock (T8.2)."""
    taken = np.einsum("ijk->ik", games.state.bonus.take(rows, axis=0))
    masks[:, ACTIONS.bonus] = taken < c.BONUS_COPIES


def _main(games: Games, rows: Indices, masks: Mask) -> None:
    """Draw (T4), take (T5) or place (T6)."""
    state, seats = games.state, games.seats(rows)
    masks[:, ACTIONS.draw] = True
    masks[:, ACTIONS.take] = state.display.take(rows, axis=0)
    storage = games.storage.take(seats, axis=0)
    new = 0 if games.config.rules.hexagon_same_turn else state.new_hexagons.take(rows)
    hexagon = storage[:, c.HEXAGON] > new  # B8
    hand = games.hand.take(seats, axis=0)
    pairs = hand >> 1
    # Of the hex's own colour, each card is a unit; of the others, each pair (T6.2).
    units = (games.workers.take(seats) + row_sums(pairs))[:, None] + (hand - pairs)
    payable = units >= 2
    cells = games.regions.colour_cells.take(games.region.take(seats), axis=0)
    cells *= payable
    tiles = np.bitwise_or.reduce(cells * (colour_counts(storage) > 0), axis=1)
    masks[:, ACTIONS.tile] = cells_mask(tiles & _open_cells(games, seats))  # T6.1
    if hexagon.any():
        any_colour = np.bitwise_or.reduce(cells, axis=1) * hexagon
        masks[:, ACTIONS.hexagon] = cells_mask(any_colour & _open_cells(games, seats))  # T6.3


def _remove(games: Games, rows: Indices, masks: Mask) -> None:
    """What is stored (T5.2)."""
    masks[:, ACTIONS.remove] = games.storage.take(games.seats(rows), axis=0)


def _crop(games: Games, rows: Indices, masks: Mask) -> None:
    """The stored kinds of agriculture."""
    masks[:, ACTIONS.crop] = games.storage[games.seats(rows), c.FIRST_CROP_KIND : c.HEXAGON]


def _castle_crop(games: Games, rows: Indices, masks: Mask) -> None:
    """The kinds of agriculture on display."""
    masks[:, ACTIONS.crop] = games.state.display[rows, c.FIRST_CROP_KIND :]


def _payment(games: Games, rows: Indices, masks: Mask) -> None:
    """Two units (T6.2)."""
    seats = games.seats(rows)
    colours = games.regions.colours[games.region.take(seats), games.state.cell.take(rows)]
    masks[:, ACTIONS.pay] = affordable(
        games.hand.take(seats, axis=0), games.workers.take(seats), colours
    )


def _castle(games: Games, rows: Indices, masks: Mask) -> None:
    """A display tile on a legal hex, or nothing (T8.1, B10)."""
    seats = games.seats(rows)
    there = colour_counts(games.state.display.take(rows, axis=0)) > 0
    cells = games.regions.colour_cells.take(games.region.take(seats), axis=0) * there
    cells = np.bitwise_or.reduce(cells, axis=1) & _open_cells(games, seats)
    masks[:, ACTIONS.tile] = cells_mask(cells)
    masks[:, ACTIONS.end] = True


def _marble(games: Games, rows: Indices, masks: Mask) -> None:
    """Another action for a marble, or the end of the turn (T3.2)."""
    masks[:, ACTIONS.marble :] = True


def _open_cells(games: Games, seats: Indices) -> Cells:
    """Returns the empty cells that touch a covered one (T6.1), [M] sets."""
    return games.near.take(seats) & ~games.covered.take(seats)


def cells_mask(cells: Cells) -> NDArray[np.bool_]:
    """Returns sets of cells [...] as booleans [..., 30]."""
    # Flat, which is five times as fast as along an axis.
    bits = np.unpackbits(np.ascontiguousarray(cells).ravel().view(np.uint8), bitorder="little")
    return bits.view(np.bool_).reshape(*cells.shape, 32)[..., : c.NUM_CELLS]


#: By kind of decision, in the order of `KINDS`.
_RULES: tuple[Callable[[Games, Indices, Mask], None], ...] = (
    *(_layout, _starting_castle, _bonus),
    *(_main, _remove, _crop, _payment),
    *(_bonus, _castle, _castle_crop),
    _marble,
)
