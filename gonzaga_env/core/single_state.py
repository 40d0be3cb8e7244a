"""A single game as the struct of arrays, and back."""

from __future__ import annotations

import numpy as np

from gonzaga_env.core import bits
from gonzaga_env.core.bits import WORD, Words
from gonzaga_env.core.legal import acting_seats
from gonzaga_env.core.rules import NUM_FIEFS, NUM_RINGS, NUM_SEAS, Rules
from gonzaga_env.core.single import SingleGame
from gonzaga_env.core.single_tables import single_tables_for
from gonzaga_env.core.state import MAX_PIECES, PLACE, State
from gonzaga_env.core.tables import Tables


def write_state(tables: Tables, game: SingleGame, state: State) -> None:
    """Writes a game over all arrays of a state [1]."""
    p, words = game.num_players, len(tables.site_bits)
    for name in ("seed", "episode", "scenario", "round", "phase", "position"):
        getattr(state, name)[0] = getattr(game, name)
    state.last_round[0], state.finished[0] = game.last_round, game.finished
    state.objective[0] = game.objectives
    state.deck[0] = [list(deck) for deck in game.decks]
    for name in ("plan", "locked", "order", "ring_stock"):
        getattr(state, name)[0] = np.frombuffer(getattr(game, name), np.uint8)
    state.fiefs[0], state.rings[0] = _words(game.fiefs, words), _words(game.rings, words)
    state.sea_harbors[0] = np.frombuffer(game.sea_harbors, np.uint8).reshape(p, NUM_SEAS)
    state.leagues[0] = np.frombuffer(game.leagues, np.bool_).reshape(p, NUM_SEAS)
    state.scores[0] = game.scores
    _write_derived(tables, game, state)


def _write_derived(tables: Tables, game: SingleGame, state: State) -> None:
    """Writes what a state holds besides the rules' own fields."""
    placements = tables.placements
    fiefs, rings = (bits.unpack(held[0], tables.num_hexes) for held in (state.fiefs, state.rings))
    for seat in range(game.num_players):
        taken = np.flatnonzero(fiefs[seat] | rings.any(axis=0))
        state.ring_blocked[0, seat] = np.bitwise_or.reduce(placements.ring_conflicts[taken])
        state.piece[0, seat] = 0
        for i, cells in enumerate(game.pieces[seat]):
            state.piece[0, seat, list(cells)] = i + 1
        state.group[0, seat] = 0
        for _, members in game.groups[seat]:
            inside = members >> np.arange(MAX_PIECES) & 1 == 1
            state.group[0, seat, inside] = members
    taken = np.flatnonzero(fiefs.any(axis=0))
    state.blocked[0] = np.bitwise_or.reduce(placements.fief_conflicts[taken])
    state.ring_cells[0] = np.reshape(game.ring_cells, (game.num_players, NUM_RINGS))
    state.num_pieces[0] = [len(pieces) for pieces in game.pieces]
    state.largest[0] = np.frombuffer(game.largest, np.uint8)


def read_state(tables: Tables, rules: Rules, state: State) -> SingleGame:
    """Returns the game that a state [1] holds; the inverse of `write_state`."""
    game = SingleGame(
        single_tables_for(tables),
        rules,
        scenario=int(state.scenario[0]),
        decks=state.deck[0].tolist(),
        objectives=state.objective[0].tolist(),
        seed=int(state.seed[0]),
        episode=int(state.episode[0]),
    )
    for name in ("round", "phase", "position"):
        setattr(game, name, int(getattr(state, name)[0]))
    game.last_round, game.finished = bool(state.last_round[0]), bool(state.finished[0])
    game.seat = int(acting_seats(state)[0])
    for name in ("plan", "locked", "order"):
        setattr(game, name, bytearray(getattr(state, name)[0].tobytes()))
    for name in ("sea_harbors", "leagues"):
        getattr(game, name)[:] = getattr(state, name)[0].tobytes()
    game.scores = state.scores[0].copy()
    game.totals = state.totals[0].tolist()
    _read_cards(game)
    _read_map(game, state)
    game.set_clock()
    if game.finished:
        game.share_victory()
    return game


def _read_cards(game: SingleGame) -> None:
    """Works out what cards show, and the scores."""
    cards = game.tables.cards
    game.shown_totals[:] = bytes(min(total, 255) for total in game.totals)
    game.plan_cards[:] = b"".join(cards[plan] for plan in game.plan)
    game.locked_cards[:] = b"".join(cards[plan] for plan in game.locked)
    if game.phase == PLACE:
        for place, seat in enumerate(game.order):
            game.places[seat] = place + 1
    game.draw()
    for seat, deck in enumerate(game.decks):
        for fief in deck[: game.round]:
            game.to_come[seat * NUM_FIEFS + fief] = 0


def _read_map(game: SingleGame, state: State) -> None:
    """Puts every piece on the map again, in the order in which they came there."""
    for seat in range(game.num_players):
        for number in range(1, int(state.num_pieces[0, seat]) + 1):
            cells = tuple(np.flatnonzero(state.piece[0, seat] == number).tolist())
            put = game.wed if cells[0] in state.ring_cells[0, seat] else game.lay
            put(seat, cells)
    # Rings that paid for King's Privilege lie nowhere, but their slots stay empty.
    game.ring_stock[:] = state.ring_stock[0].tobytes()
    game.ring_cells = state.ring_cells[0].ravel().tolist()


def _words(sets: list[int], num_words: int) -> Words:
    """Returns sets of hexes as words, [P, W]."""
    content = b"".join(held.to_bytes(num_words * 8, "little") for held in sets)
    return np.frombuffer(content, WORD).reshape(len(sets), num_words)
