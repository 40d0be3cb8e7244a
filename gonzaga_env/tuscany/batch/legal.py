"""Legal actions and observations of many games."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.rows import Rows, flat_rows, row_sums
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.batch.games import Games, colour_counts
from gonzaga_env.tuscany.board import (
    ACTIONS,
    JOINTS,
    LAYOUT_JOINTS,
    NOT_BUILT,
    NUM_TRIPLES,
    Cells,
    region_tables,
)
from gonzaga_env.tuscany.state import affordable

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


#: Index of a region of which nothing is known, after those that are not built.
_UNKNOWN = NOT_BUILT + NUM_TRIPLES
_CELLS, _PAIR, _REST = np.uint64(c.NUM_CELLS), np.uint64(2 * c.NUM_CELLS), np.uint64(4)
_SIZES = {"kind": len(c.KINDS), "cell": c.NUM_CELLS, "piece": c.NUM_PIECE_KINDS}
_ONE_HOT = {name: np.eye(size + 1, size, dtype=np.uint8) for name, size in _SIZES.items()}
#: The seats clockwise from each, for each number of players, [P, P].
_CLOCKWISE = [
    np.add.outer(np.arange(p), np.arange(p)) % max(p, 1) for p in range(c.MAX_PLAYERS + 1)
]


@lru_cache(maxsize=16)
def _region_features(boards: tuple[tuple[int, ...], ...]) -> dict[str, NDArray[np.integer]]:
    """Returns what a seat sees of each region (see `_UNKNOWN`) by feature, [R, ...]."""
    cells = np.pad(region_tables(boards).colour_cells, ((0, 1), (0, 0)))
    layout = np.arange(NOT_BUILT) % c.NUM_LAYOUTS
    triple = np.append(np.arange(NOT_BUILT) // c.NUM_LAYOUTS, np.arange(NUM_TRIPLES))
    numbers = np.stack([triple // 16, triple // 4 % 4, triple % 4], axis=1)
    nothing = (0, _UNKNOWN + 1 - NOT_BUILT)
    return {
        "colours": cells_mask(cells).reshape(len(cells), -1).astype(np.uint8),
        "boards": np.pad(np.eye(4, dtype=np.uint8)[numbers].reshape(-1, 12), ((0, 1), (0, 0))),
        "joints": np.pad(np.array(JOINTS, np.uint8)[LAYOUT_JOINTS[layout]], (nothing, (0, 0))),
        "layout": np.pad((layout + 1).astype(np.uint8), nothing),
        "covered": cells,
    }


def observe(games: Games, rows: Rows, seats: Indices, out: NDArray[np.uint8]) -> None:
    """Writes what one seat of each game knows, [M, D]."""
    parts = {name: out[:, columns] for name, columns in games.config.features.slices.items()}
    _players(games, rows, seats, parts)
    _common(games, rows, seats, parts)


def _players(games: Games, rows: Rows, seats: Indices, out: dict[str, NDArray[np.uint8]]) -> None:
    """Writes what is known of each player, in the observing seat's order."""
    state, p, m = games.state, games.num_players, len(rows)
    order = _CLOCKWISE[p].take(seats, axis=0)
    players = rows.indices[:, None] * p + order
    region, covered = games.region.take(players), games.covered.take(players)
    secret = (state.kind[rows.key] < c.STARTING_BONUS).nonzero()[0]
    if len(secret):  # a seat sees only its own boards (T2.4)
        region[secret, 1:] = _UNKNOWN
    features = _region_features(games.config.edition.boards)
    for name in ("colours", "boards", "joints", "layout"):
        out[name][:] = flat_rows(features[name].take(region, axis=0))
    chosen = region < NOT_BUILT
    sets = np.zeros((m, 2 + p, 4), np.uint64)
    sets[:, 0, :p], sets[:, 1, :p] = covered * chosen, games.wooden.take(players)
    sets[:, 2:] = games.crops.take(players, axis=0)
    planes = _planes(sets)
    out["covered"][:], out["wooden"][:] = planes[:, :2, : p * c.NUM_CELLS].swapaxes(0, 1)
    crops = planes[:, 2:, : len(c.CROPS) * c.NUM_CELLS]
    out["crops"][:] = flat_rows(crops)
    for name in ("storage", "bonus", "stacks"):
        out[name][:] = flat_rows(getattr(games, name).take(players, axis=0))
    for name in ("marble", "workers", "turned"):
        out[name][:] = getattr(games, name).take(players)
    out["hand_size"][:] = np.einsum("ijk->ij", games.hand.take(players, axis=0))
    cells = features["covered"].take(region, axis=0)
    complete = (cells & ~covered[..., None] == 0) & chosen[..., None]
    out["complete"][:] = flat_rows(complete)
    scores = games.scores.take(players, axis=0)
    out["green"][:] = np.minimum(np.einsum("ijk->ij", scores[..., c.GREEN]), 255)
    out["red"][:] = np.minimum(np.einsum("ijk->ij", scores[..., c.RED]), 255)
    out["scores"][:] = flat_rows(np.minimum(scores, 255))
    out["start"][:] = order == state.start[rows.key][:, None]
    out["to_act"][:] = order == np.where(state.finished, p, state.seat)[rows.key][:, None]


def _common(games: Games, rows: Rows, seats: Indices, out: dict[str, NDArray[np.uint8]]) -> None:
    """Writes what is known of the table, and the seat's own hand."""
    state, key = games.state, rows.key
    for name, planes in _ONE_HOT.items():
        out[name][:] = planes.take(getattr(state, name)[key], axis=0)
    for name in ("marble_used", "new_hexagons", "round", "lap", "finished", "truncated"):
        out[name][:, 0] = getattr(state, name)[key]
    turns_left = state.turns_left[key]
    out["final"][:, 0] = final = turns_left != c.NOT_FINAL
    out["turns_left"][:, 0] = turns_left * final
    out["hand"][:] = games.hand.take(rows.seat_rows(seats, games.num_players), axis=0)
    for name in ("display", "neutral", "aside", "discards", "yield_deck"):
        out[name][:] = getattr(state, name)[key]
    out["deck_size"][:, 0] = row_sums(state.deck[key])
    out["bonus_stock"][:] = c.BONUS_COPIES - np.einsum("ijk->ik", state.bonus[key])


def _planes(sets: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Returns four sets of cells [..., 4] as planes without gaps, [..., 4 * 30 and 8 more].

    They are joined to 128 bits first: long copies are several times as fast as those of 30 bytes.
    """
    pairs = sets[..., ::2] | sets[..., 1::2] << _CELLS
    joined = np.empty_like(pairs)
    joined[..., 0] = pairs[..., 0] | pairs[..., 1] << _PAIR
    joined[..., 1] = pairs[..., 1] >> _REST
    bits = np.unpackbits(joined.view(np.uint8).ravel(), bitorder="little")
    return bits.reshape(*sets.shape[:-1], 128)
