"""The full state of N games of P players, hidden information included, as numpy arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import NO_PLAN, NUM_PLANS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_FIEFS, NUM_PIECES, NUM_RINGS, NUM_SEAS
from gonzaga_env.core.options import Rules
from gonzaga_env.tabletop.rows import RowKey, Rows
from gonzaga_env.tabletop.state import ArrayLayout, Origin, StateArrays, layout_of

KINDS = ("plan", "place")  # the kinds of decisions
PLAN, PLACE = 0, 1
SOURCES = ("cities", "harbors", "leagues", "donations", "group", "objective")
END_SOURCES = slice(4, 6)  # those of final scoring (R8)


@dataclass(eq=False, repr=False)
class State(StateArrays):
    """The arrays; the game axis comes first everywhere."""

    MAGIC = b"gonzaga-state-4\n"
    RULES = Rules
    BY_PLAYER = "objective"

    seed: NDArray[np.uint64]  #: [N] uint64; with `episode` it decides the deal
    episode: NDArray[np.uint32]  #: games played before in this row, [N] uint32
    scenario: NDArray[np.uint8]  #: index in the edition, [N] uint8
    objective: NDArray[np.uint8]  #: index in the edition, [N, P] uint8, secret (R2.2)
    #: Fiefs (0 to 11) in order of drawing, [N, P, 12] uint8; round r shows entry r - 1. Those that
    #: a small edition leaves out come last, in order.
    deck: NDArray[np.uint8]
    round: NDArray[np.uint8]  #: from 1, [N] uint8
    phase: NDArray[np.uint8]  #: PLAN or PLACE, [N] uint8
    num_acted: NDArray[np.uint8]  #: seats that have acted in this phase, [N] uint8
    last_round: NDArray[np.bool_]  #: whether this round is the last (R7), [N] bool
    finished: NDArray[np.bool_]  #: [N] bool
    #: This round's plan, [N, P] uint8, 255 while none; secret until the phase is PLACE.
    plan: NDArray[np.uint8]
    #: The plan of the round before, whose cards are not available until this round's plans are
    #: revealed, [N, P] uint8, 255 for none (R3.3).
    previous_plan: NDArray[np.uint8]
    #: Seat by place in the turn order, [N, P] uint8; valid in phase PLACE (R3.5).
    order: NDArray[np.uint8]
    ring_stock: NDArray[np.uint8]  #: rings unspent, [N, P] uint8
    fiefs: Words  #: hexes held by fiefs, [N, P, W] uint64
    rings: Words  #: hexes held by rings, [N, P, W] uint64
    sea_harbors: NDArray[np.uint8]  #: harbors held of each sea, [N, P, 6] uint8
    leagues: NDArray[np.bool_]  #: sea leagues founded, [N, P, 6] bool (R6.2)
    scores: NDArray[np.int16]  #: points by source (`SOURCES`), [N, P, 6] int16
    # Derived from the others and updated at every step, because legality and groups need them
    # (`core.batch.legal` explains `blocked`, `ring_blocked` and `ring_cells`):
    #: Placements of each fief, by number, that overlap a fief on the map (R4.3), [N, 12, fief
    #: words] uint64.
    blocked: Words
    ring_blocked: Words  #: weddings that R5.4 forbids each player, [N, P, ring words] uint64
    #: Hex of each ring by slot, [N, P, 6] uint16; H where none lies. A ring takes slot 6 -
    #: `ring_stock`; the slot of a ring that paid for King's Privilege stays empty.
    ring_cells: NDArray[np.uint16]
    #: The player's piece on each hex, [N, P, H + 1] uint8; 0 for none, 1 to 12 for a fief by
    #: number, 13 to 18 for a ring by slot.
    piece: NDArray[np.uint8]
    #: The pieces connected with each piece, as bits, [N, P, 18] uint32 (R8.1); bit i and entry i
    #: stand for piece i + 1. 0 for a piece that is not on the map.
    group: NDArray[np.uint32]
    largest_group: NDArray[np.uint8]  #: pieces in the largest connected group, [N, P] uint8
    #: The edition and the options; None for a state that was put together by hand.
    origin: Origin | None = None

    @property
    def totals(self) -> NDArray[np.int16]:
        """Scores over all sources, [N, P]."""
        return self.scores.sum(axis=2, dtype=np.int16)


_layouts: dict[tuple[str, int], dict[str, ArrayLayout]] = {}


def state_layout(tables: Tables, num_players: int) -> dict[str, ArrayLayout]:
    """Returns the layout of every field by name, in the order of the fields."""
    key = tables.edition.digest, num_players
    if key not in _layouts:
        _layouts[key] = _layout(tables, num_players)
    return _layouts[key]


def _layout(tables: Tables, p: int) -> dict[str, ArrayLayout]:
    h, placements = tables.num_hexes, tables.placements
    by_player = "objective", "plan", "previous_plan", "order", "ring_stock", "largest_group"
    shapes = {
        **dict.fromkeys(by_player, (p,)),
        **dict.fromkeys(("fiefs", "rings"), (p, len(tables.site_bits))),
        **dict.fromkeys(("sea_harbors", "leagues"), (p, NUM_SEAS)),
        **{"deck": (p, NUM_FIEFS), "scores": (p, len(SOURCES)), "ring_cells": (p, NUM_RINGS)},
        "blocked": placements.fief_conflicts.shape[1:],
        "ring_blocked": (p, placements.ring_conflicts.shape[1]),
        **{"piece": (p, h + 1), "group": (p, NUM_PIECES)},
    }
    plans = dict.fromkeys(("plan", "previous_plan"), NO_PLAN)
    size = tables.edition.size
    fills = {"round": 1, **plans, "ring_stock": size.rings, "ring_cells": h}
    fills["last_round"] = size.rounds == 1
    values = {
        "scenario": (0, len(tables.edition.scenarios) - 1),
        "objective": (0, len(tables.objective_bits) - 1),
        "deck": (0, NUM_FIEFS - 1),
        "round": (1, size.rounds),
        "phase": (PLAN, PLACE),
        **dict.fromkeys(("num_acted", "order"), (0, p - 1)),
        **dict.fromkeys(("plan", "previous_plan"), (0, NUM_PLANS - 1, NO_PLAN)),
        "ring_stock": (0, size.rings),
        "ring_cells": (0, h),
        "piece": (0, NUM_PIECES),
    }
    return layout_of(State, shapes, fills, values)


def empty_state(tables: Tables, num_games: int, num_players: int, rules: Rules) -> State:
    """Returns games before their first round: nothing dealt, nothing on the map (R2.3)."""
    origin = Origin(tables.edition.digest, rules)
    return State.empty(state_layout(tables, num_players), num_games, origin)


def current_fiefs(state: State, key: RowKey = slice(None)) -> NDArray[np.int64]:
    """Returns this round's fief (0 to 11) of every player in some games, [M, P] (R3.1)."""
    deck, shown = state.deck[key], state.round[key].astype(np.int64) - 1
    top = np.arange(0, deck.size, NUM_FIEFS).reshape(deck.shape[:2])
    return deck.reshape(-1).take(top + shown[:, None]).astype(np.int64)


def acting_fiefs(state: State, rows: Rows, seat_rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns this round's fief of one seat per game, [M] (see `Rows.seat_rows`)."""
    shown = state.round[rows.key] - np.int64(1)
    return state.deck.reshape(-1)[seat_rows * NUM_FIEFS + shown].astype(np.int64)
