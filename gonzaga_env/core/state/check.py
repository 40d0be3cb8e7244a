"""Whether a state agrees with itself, for states that come from outside.

A state that passes plays to its end: every step from it, every observation and every picture is
well defined, both engines agree on them, and each state on the way passes too. It may still be one
that no game reaches, for a state does not hold its past (`accounts` says what is held to it).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NO_PLAN, NUM_PLANS
from gonzaga_env.core.board.geometry import NUM_ROTATIONS
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import DONATION_POINTS, LEAGUE_HARBORS, NUM_FIEFS, NUM_RINGS
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.accounts import Finding, find_in_accounts
from gonzaga_env.core.state.derive import DERIVED, DERIVED_SOURCES, write_derived
from gonzaga_env.core.state.scoring import score_end
from gonzaga_env.core.state.state import END_SOURCES, PLACE, PLAN, SOURCES, State, empty_state
from gonzaga_env.core.state.turns import legal_plans, turn_order
from gonzaga_env.tabletop.errors import StateError

_DONATIONS = SOURCES.index("donations")
_CHUNK_PIECES = 4096  # fiefs that are looked at together: 20 MB


def check_state(tables: Tables, rules: Rules, state: State) -> None:
    """Checks the values of a state whose arrays have the right dtypes and shapes.

    Raises:
        StateError: a field has a value out of range, or contradicts another one; the message names
            game and field.
    """
    for findings in (_ranges, _cards, _plans, _pieces, _derived, find_in_accounts):
        for field, expected, wrong in findings(tables, rules, state):
            if wrong.any():
                game = int(wrong.reshape(len(wrong), -1).any(axis=1).argmax())
                raise StateError(f"game {game}: {field} {expected}")


def _ranges(tables: Tables, rules: Rules, state: State) -> Iterator[Finding]:
    """Yields values that would not be valid indices."""
    limits = {
        "scenario": (0, len(tables.edition.scenarios) - 1),
        "objective": (0, len(tables.objective_bits) - 1),
        "round": (1, tables.edition.size.rounds),
        "phase": (PLAN, PLACE),
        "num_acted": (0, state.num_players - 1),
        "order": (0, state.num_players - 1),
        "ring_stock": (0, tables.edition.size.rings),
        "ring_cells": (0, tables.num_hexes),
        "piece": (0, NUM_FIEFS + NUM_RINGS),
    }
    for name, (low, high) in limits.items():
        values = getattr(state, name)
        yield name, f"takes {low} to {high}", (values < low) | (values > high)
    for name in ("last_round", "finished", "leagues"):  # bytes can hold other bools than 0 and 1
        yield name, "takes 0 or 1", getattr(state, name).view(np.uint8) > 1


def _cards(tables: Tables, rules: Rules, state: State) -> Iterator[Finding]:
    """Yields faults of decks, objectives and the end of the game."""
    whole = np.arange(NUM_FIEFS)
    yield "deck", "takes each fief, 0 to 11, once", np.sort(state.deck, axis=2) != whole
    left_out = whole[tables.edition.size.fiefs :]
    yield "deck", "ends with the fiefs not played", state.deck[..., left_out] != left_out
    dealt = np.sort(state.objective, axis=1)
    yield "objective", "takes another one for each player", dealt[:, 1:] == dealt[:, :-1]  # R2.2
    over = state.finished
    yield "finished", "comes after the last round (R7)", over & ~state.last_round
    yield (
        "finished",
        "comes at the end of a round",
        over & ((state.phase == PLACE) | (state.num_acted > 0)),
    )


def _plans(tables: Tables, rules: Rules, state: State) -> Iterator[Finding]:
    """Yields faults of plans and of the turn order that follows from them."""
    for name in ("plan", "previous_plan"):
        plans = getattr(state, name)
        played = np.where(plans == NO_PLAN, 0, plans).astype(np.uint64)
        cards = tables.plan_bits[state.scenario, NUM_PLANS, 1][:, None]
        there = cards >> played & np.uint64(1) == 1
        yield name, "takes cards of the scenario (R2.1), or 255", (plans != NO_PLAN) & ~there
    placing, seats = (state.phase == PLACE)[:, None], np.arange(state.num_players)
    planned = placing | (seats < state.num_acted[:, None])
    yield "plan", "is there for the seats that have planned", (state.plan != NO_PLAN) != planned
    known, later = state.previous_plan != NO_PLAN, state.round[:, None] > 1
    yield "previous_plan", "is 255 in the second phase (R3.3)", placing & known
    wrong = ~placing & (known != later)
    yield "previous_plan", "is 255 in the first round, and in no later one (R3.3)", wrong
    wrong = np.zeros_like(planned)
    games, sealed = (planned & ~placing).nonzero()
    legal = legal_plans(tables, state, games, sealed)[:, None]
    wrong[games, sealed] = ~bits.test(legal, state.plan[games, sealed].astype(np.int64))
    yield "plan", "takes cards not played in the round before (R3.3), a ring (R3.4)", wrong
    games = placing[:, 0].nonzero()[0]
    wrong[games] = state.order[games] != turn_order(state, games)
    yield "order", "follows from plans and fief cards (R3.5)", wrong


def _pieces(tables: Tables, rules: Rules, state: State) -> Iterator[Finding]:
    """Yields faults of the pieces on the map."""
    here = state.piece[:, :, :-1]
    yield "piece", "is 0 off the map", state.piece[:, :, -1] != 0
    fiefs = (here > 0) & (here <= NUM_FIEFS)
    yield "piece", "takes one fief on a hex (R4.3)", fiefs.sum(axis=1, dtype=np.uint8) > 1
    yield "piece", "holds fiefs in shapes that they have (R4)", ~_shaped(tables, here)
    slots = np.arange(NUM_RINGS)
    lies = state.ring_cells < tables.num_hexes
    spent = slots < NUM_RINGS - state.ring_stock[..., None]
    yield "ring_cells", "is empty for rings in stock (R5.1)", lies & ~spent
    game, seat, slot = lies.nonzero()
    shown = np.zeros_like(here)
    shown[game, seat, state.ring_cells[lies]] = NUM_FIEFS + 1 + slot
    yield "piece", "shows the rings of ring_cells", np.where(here > NUM_FIEFS, here, 0) != shown
    count = np.zeros((state.num_games, tables.num_hexes), np.int64)
    np.add.at(count, (game, state.ring_cells[lies]), 1)
    yield "ring_cells", "takes one ring on a hex (R5.4)", count > 1


def _shaped(tables: Tables, here: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Returns which players' fiefs [N, P, H] are all in the shape of a legal placement, [N, P]."""
    num_games, num_players, _ = here.shape
    most = tables.placements.cells.shape[1]  # hexes of a fief
    good = np.ones(num_games * num_players * NUM_FIEFS, dtype=np.bool_)
    game, seat, cell = ((here > 0) & (here <= NUM_FIEFS)).nonzero()
    fief = here[game, seat, cell].astype(np.int64) - 1
    piece = (game * num_players + seat) * NUM_FIEFS + fief
    order = piece.argsort(kind="stable")
    pieces, starts, sizes = np.unique(piece[order], return_index=True, return_counts=True)
    for start in range(0, len(pieces), _CHUNK_PIECES):
        chunk = slice(start, start + _CHUNK_PIECES)
        within = np.minimum(np.arange(most), sizes[chunk, None] - 1)
        cells = cell[order][starts[chunk, None] + within]
        fits = _fits(tables, pieces[chunk] % NUM_FIEFS, cells)
        good[pieces[chunk]] = fits & (sizes[chunk] <= most)
    return np.asarray(good.reshape(num_games, num_players, NUM_FIEFS).all(axis=2))


def _fits(tables: Tables, fiefs: NDArray[np.int64], cells: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns which fiefs [M] have a legal placement on just their hexes [M, 4], [M]."""
    placements, num_hexes = tables.placements, tables.num_hexes
    held = np.zeros((len(cells), num_hexes), dtype=np.bool_)
    np.put_along_axis(held, cells, True, axis=1)
    anchors = np.arange(NUM_ROTATIONS)[:, None] * num_hexes + cells[:, None]  # of one of its hexes
    rows = (fiefs[:, None] * NUM_ROTATIONS * num_hexes) + anchors.reshape(len(cells), -1)
    piece, i = (placements.fault[rows] == PlacementFault.NONE).nonzero()
    same = (placements.bits[rows[piece, i]] == bits.pack(held)[piece]).all(axis=1)
    fits = np.zeros(len(cells), dtype=np.bool_)
    fits[piece[same]] = True
    return fits


def _derived(tables: Tables, rules: Rules, state: State) -> Iterator[Finding]:
    """Yields what does not follow from the pieces."""
    fresh = empty_state(tables, state.num_games, state.num_players, rules)
    for name in ("scenario", "piece", "leagues", "objective"):
        setattr(fresh, name, getattr(state, name))
    write_derived(tables, fresh)
    for name in DERIVED:
        yield name, "does not follow from piece", getattr(state, name) != getattr(fresh, name)
    founded = fresh.sea_harbors >= LEAGUE_HARBORS
    if rules.sea_league == "first_only":  # R6.3
        wrong = (state.leagues & ~founded) | (
            state.leagues.sum(axis=1, keepdims=True) != founded.any(axis=1, keepdims=True)
        )
    else:
        wrong = state.leagues != founded
    yield "leagues", "does not follow from sea_harbors (R6.2)", wrong
    score_end(tables, fresh, state.finished.nonzero()[0])
    for sources in (DERIVED_SOURCES, END_SOURCES):
        found = state.scores[..., sources] != fresh.scores[..., sources]
        yield "scores", "differs from a recount (R6, R8)", found
    donated = state.scores[..., _DONATIONS]
    yield (
        "scores",
        "takes 3 points a donation (R3.7)",
        (donated < 0) | (donated % DONATION_POINTS != 0),
    )
