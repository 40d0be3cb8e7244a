"""Checks states that come from outside: what would break a rule or an index is named."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.chance import MOST_EVENTS
from gonzaga_env.tabletop.errors import StateError
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.regions import CELL_BITS, NUM_TRIPLES, region_numbers, region_tables
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.editions.bounds import (
    MOST,
    MOST_ZONE_POINTS,
    ToCome,
    most_to_come,
)
from gonzaga_env.tuscany.state.payments import affordable
from gonzaga_env.tuscany.state.state import State

_ZONE_POINTS = np.array(c.ZONE_POINTS)
_Found = tuple[str, NDArray[np.bool_]]


def check_state(config: GameConfig, state: State) -> None:
    """Raises StateError unless the values of a state fit each other."""
    for what, wrong in chain(_ranges(config, state), _contradictions(config, state)):
        if wrong.any():
            raise StateError(f"game {int(wrong.nonzero()[0][0])}: {what}")


def _ranges(config: GameConfig, state: State) -> Iterator[_Found]:
    """Yields what is out of range, with where it is, [N, ...]."""
    p, laps = config.num_players, config.rules.max_laps
    yield "seat or start is not a seat", (state.seat >= p) | (state.start >= p)
    yield "kind is not a kind of decision", state.kind > c.OVER
    yield "there is no such cell or piece", (state.cell > c.NO_CELL) | (state.piece > c.NO_PIECE)
    yield "round is not 1 to 3", (state.round < 1) | (state.round > c.NUM_ROUNDS)
    yield f"lap is not 1 to {laps}", (state.lap < 1) | (state.lap > laps)
    over_final = (state.turns_left != c.NOT_FINAL) & (state.turns_left >= 2 * p)
    yield "turns_left is too large (T10.3)", over_final
    yield "the game ends with turns_left 0", (state.turns_left == 0) & ~state.finished
    yield "finished and kind differ", state.finished != (state.kind == c.OVER)
    yield "a game is cut off, but not finished", state.truncated & ~state.finished
    yield f"event is not below {MOST_EVENTS}", state.event >= MOST_EVENTS
    yield "a board does not exist", state.boards >= NUM_TRIPLES
    yield "a layout does not exist", state.layout > c.NO_LAYOUT
    sets = (state.covered, state.wooden, state.crops)
    for cells in sets:
        yield "a cell does not exist", cells >= np.uint32(1 << c.NO_CELL)
    for numbers in (state.marble, state.workers, state.scores):
        yield f"a number is not 0 to {MOST}", (numbers < 0) | (numbers > MOST)


def _contradictions(config: GameConfig, state: State) -> Iterator[_Found]:
    """Yields what contradicts the rules or other values, [N, ...]; ranges have been checked."""
    yield from _piles(config, state)
    games = np.arange(state.num_games)
    from_start = (np.arange(config.num_players) - state.start[:, None]) % config.num_players
    acting = from_start[games, state.seat][:, None]
    setup = (state.kind < c.STARTING_BONUS)[:, None]
    done = ~setup | (from_start < acting)
    choosing = (state.kind == c.STARTING_CASTLE)[:, None] & (from_start == acting)
    chosen, built = state.layout != c.NO_LAYOUT, state.covered != 0
    yield "layouts and kind of decision differ (T2.4)", chosen != done | choosing
    yield "castles and kind of decision differ (T2.4)", built != done
    tables = region_tables(config.edition.boards)
    region = region_numbers(state.boards, state.layout)
    castles = tables.colour_cells[region, c.CASTLE]
    yield "a region lacks its starting castle (T2.4)", built & ~(castles & state.covered > 0)
    loose = (state.wooden | np.bitwise_or.reduce(state.crops, axis=2)) & ~state.covered
    yield "a cell has a hexagon or a crop, but is not covered", loose
    yield from _pending(config, state, region)
    yield from _large_numbers(state, to_come(config, state, region))


def to_come(config: GameConfig, state: State, region: NDArray[np.int64]) -> ToCome:
    """Returns what every seat can win at most from now on, [N, P]."""
    tables, p = region_tables(config.edition.boards), config.num_players
    built = state.layout != c.NO_LAYOUT
    cells = np.bitwise_count(tables.colour_cells[region] & ~state.covered[..., None])
    empty = np.where(built[..., None], cells, config.edition.region_colours).astype(np.int64)
    zones = tables.zones[region]
    # A zone that is not complete counts at its lowest cell (T7.1).
    counts = (zones & ~state.covered[..., None] > 0) & (zones & -zones == CELL_BITS)
    points = (counts * _ZONE_POINTS[np.bitwise_count(zones)]).sum(axis=2)
    points = np.where(built, points, MOST_ZONE_POINTS)
    seats, seat, kind = np.arange(p), state.seat[:, None].astype(int), state.kind[:, None]
    from_start = (seats - state.start[:, None]) % p
    waiting = from_start >= np.take_along_axis(from_start, seat, axis=1)
    at_start = (kind < c.STARTING_BONUS) | (kind == c.STARTING_BONUS) & waiting
    choices = empty[..., c.CITY] + at_start + ((kind == c.CITY_BONUS) & (seats == seat))
    edition, bonus = config.edition, state.bonus.astype(np.int64)
    return most_to_come(edition.yield_cards, edition.colour_bonus, empty, points, bonus, choices)


def _large_numbers(state: State, coming: ToCome) -> Iterator[_Found]:
    """Yields numbers that could become too large in a game."""
    scores = state.scores.astype(np.int64)
    held = {
        "marble": state.marble,
        "workers": state.workers,
        "green": scores[..., c.GREEN].sum(axis=2),
        "yield_red": scores[..., c.YIELD_RED],
        "full_storage": scores[..., c.FULL_STORAGE],
    }
    for name, number in held.items():
        yield f"{name} could become more than {MOST}", number + getattr(coming, name) > MOST


def _piles(config: GameConfig, state: State) -> Iterator[_Found]:
    """Yields cards, tiles and bonus tiles that are too many or too few (T1)."""
    edition, p = config.edition, config.num_players
    cards = state.deck.astype(int) + state.discards + state.hand.sum(axis=1)
    yield "not all region cards are there (T1.4)", cards != edition.region_cards
    yields = state.yield_deck.astype(int) + state.yield_discards
    copies = [copies for *_, copies in edition.yield_cards]
    yield "not all yield cards are there (T1.4)", yields != copies
    own, neutral = np.array(edition.player_tiles), np.array(edition.neutral_tiles)
    yield "stacks hold tiles that a player does not have (T1.2)", state.stacks > own
    tiles = state.neutral.astype(int) + state.aside + state.display
    tiles += (state.storage[..., : c.HEXAGON].astype(int) + state.stacks).sum(axis=1)
    yield "there are more tiles than the edition has (T1.2)", tiles > p * own + neutral
    bonus = state.bonus.sum(axis=1)
    yield "there are more bonus tiles than five of a type (T1.3)", bonus > c.BONUS_COPIES
    space = state.bonus[..., c.BONUS_STORAGE] + 1
    yield "a storage is too full (T9.1)", state.storage.sum(axis=2) > space
    most = np.where(state.kind < c.MAIN, 0, c.DISPLAY_SIZE)
    yield "too many tiles are on display (T2.4)", state.display.sum(axis=1) > most


def _pending(config: GameConfig, state: State, region: NDArray[np.int64]) -> Iterator[_Found]:
    """Yields answers that were begun and cannot be finished (T5.2, T6)."""
    games, seat, kind = np.arange(state.num_games), state.seat, state.kind
    tables = region_tables(config.edition.boards)
    own = region[games, seat]
    waits = np.isin(kind, (c.CROP, c.PAYMENT, c.CASTLE_CROP))
    yield "cell and kind of decision differ", (state.cell < c.NO_CELL) != waits
    holds = np.isin(kind, (c.REMOVE, c.PAYMENT))
    yield "piece and kind of decision differ", (state.piece < c.NO_PIECE) != holds
    cell = state.cell * waits
    open_cells = tables.neighbours[own, cell] & state.covered[games, seat]
    closed = (open_cells == 0) | (state.covered[games, seat] >> cell & 1 == 1)
    yield "the cell is covered or touches no covered one (T6.1)", waits & closed
    colour, storage = tables.colours[own, cell], state.storage[games, seat]
    crop = np.isin(kind, (c.CROP, c.CASTLE_CROP))
    yield "the cell is not one of agriculture", crop & (colour != c.AGRICULTURE)
    offered = np.where((kind == c.CROP)[:, None], storage[:, : c.HEXAGON], state.display)
    none = offered[:, c.FIRST_CROP_KIND :].sum(axis=1) == 0
    yield "there is no tile of agriculture to place", crop & none
    piece = state.piece * holds
    paying, taking = kind == c.PAYMENT, kind == c.REMOVE
    fits = (piece == c.HEXAGON) | (np.append(c.TILE_COLOURS, c.NUM_COLOURS)[piece] == colour)
    stored = storage[games, piece] > 0
    yield "the piece is not stored or of another colour (T6.1)", paying & ~(fits & stored)
    payable = affordable(state.hand[games, seat], state.workers[games, seat], colour).any(axis=1)
    yield "the piece cannot be paid (T6.2)", (paying | (kind == c.CROP)) & ~payable
    taken = piece[:, None] == np.arange(c.NUM_TILE_KINDS)
    there = (state.display * taken).any(axis=1)
    full = storage.sum(axis=1) > state.bonus[games, seat, c.BONUS_STORAGE]
    yield "there is nothing to remove a piece for (T5.2)", taking & ~(there & full)
    empty = state.bonus.sum(axis=(1, 2)) == c.BONUS_COPIES * len(c.BONUS_TYPES)
    yield "no bonus tile is in stock (T8.2)", (kind == c.CITY_BONUS) & empty
    spent = (kind == c.MARBLE) & ((state.marble[games, seat] == 0) | state.marble_used)
    yield "there is no marble to spend (T3.2)", spent
