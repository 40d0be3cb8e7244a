"""Converts one game between `Position` and `State`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.bits import WORD, Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_FIEFS, NUM_RINGS, NUM_SEAS
from gonzaga_env.core.options import Rules
from gonzaga_env.core.single.position import Position
from gonzaga_env.core.single.tables import game_tables_for
from gonzaga_env.core.single.transitions import place_fief, place_ring, share_victory
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.core.state.derive import write_blocked
from gonzaga_env.core.state.state import State, empty_state
from gonzaga_env.core.state.turns import acting_seats


def to_state(tables: Tables, rules: Rules, position: Position) -> State:
    """Returns a position as a state of one game; `from_state` is the inverse."""
    state, p = empty_state(tables, 1, position.num_players, rules), position.num_players
    for name in ("seed", "episode", "scenario", "round", "phase", "num_acted"):
        getattr(state, name)[0] = getattr(position, name)
    state.last_round[0], state.finished[0] = position.last_round, position.finished
    state.objective[0] = position.objectives
    state.deck[0] = [list(deck) for deck in position.decks]
    for name in ("plan", "previous_plan", "order", "ring_stock", "largest_group"):
        getattr(state, name)[0] = np.frombuffer(getattr(position, name), np.uint8)
    state.fiefs[0] = _words(position.fiefs, state.fiefs.shape[2])
    state.rings[0] = _words(position.rings, state.rings.shape[2])
    state.sea_harbors[0] = np.frombuffer(position.sea_harbors, np.uint8).reshape(p, NUM_SEAS)
    state.leagues[0] = np.frombuffer(position.leagues, np.bool_).reshape(p, NUM_SEAS)
    state.scores[0] = position.scores
    state.ring_cells[0] = np.reshape(position.ring_cells, (p, NUM_RINGS))
    fiefs, rings = (bits.unpack(held, tables.num_hexes) > 0 for held in (state.fiefs, state.rings))
    write_blocked(tables, state, fiefs, rings)
    _write_pieces(position, state)
    return state


def _write_pieces(position: Position, state: State) -> None:
    """Writes the number of the piece on each hex, and the groups (see `State`)."""
    for seat in range(position.num_players):
        piece = state.piece[0, seat]
        for fief, cells in position.pieces[seat]:
            piece[list(cells)] = fief + 1
        for slot, cell in enumerate(state.ring_cells[0, seat].tolist()):
            if cell < len(piece) - 1:
                piece[cell] = NUM_FIEFS + slot + 1
        for _, pieces in position.groups[seat]:
            members = [int(piece[cells[0]]) - 1 for cells in pieces]
            state.group[0, seat, members] = sum(1 << member for member in members)


def _words(sets: list[int], num_words: int) -> Words:
    """Returns sets of hexes as words, [P, W]."""
    content = b"".join(held.to_bytes(num_words * 8, "little") for held in sets)
    return np.frombuffer(content, WORD).reshape(len(sets), num_words)


def from_state(tables: Tables, state: State) -> Position:
    """Returns the position that a state of one game holds."""
    deal = Deal(state.scenario, state.deck, state.objective)
    position = Position(
        game_tables_for(tables), deal, seed=int(state.seed[0]), episode=int(state.episode[0])
    )
    _place_pieces(position, state.piece[0], state.ring_cells[0])
    for name in ("round", "phase", "num_acted"):
        setattr(position, name, int(getattr(state, name)[0]))
    position.last_round = bool(state.last_round[0])
    position.finished = bool(state.finished[0])
    position.seat = int(acting_seats(state)[0])
    position.fief = bytearray(deck[position.round - 1] for deck in position.decks)
    for name in ("plan", "previous_plan", "order", "ring_stock", "sea_harbors", "leagues"):
        setattr(position, name, bytearray(getattr(state, name)[0].tobytes()))
    position.scores = state.scores[0].copy()
    position.totals = state.totals[0].tolist()
    if position.finished:
        share_victory(position)
    return position


def _place_pieces(
    position: Position, piece: NDArray[np.uint8], ring_cells: NDArray[np.uint16]
) -> None:
    """Places every fief and ring of a state [P, H + 1] on the empty map."""
    for seat in range(position.num_players):
        for number in np.unique(piece[seat]).tolist():
            if 0 < number <= NUM_FIEFS:
                cells = tuple(np.flatnonzero(piece[seat] == number).tolist())
                place_fief(position, seat, number - 1, cells)
        for cell in ring_cells[seat].tolist():
            if cell < piece.shape[1] - 1:
                place_ring(position, seat, cell)
    # Slots of rings that paid for King's Privilege stay empty (R3.4).
    position.ring_cells = ring_cells.ravel().tolist()
