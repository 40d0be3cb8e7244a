"""The full state of one game in plain Python: no rules, and nothing about what seats see."""

from __future__ import annotations

from typing import Self

import numpy as np

from gonzaga_env.core.board.actions import NO_PLAN
from gonzaga_env.core.constants import NUM_RINGS, NUM_SEAS
from gonzaga_env.core.single.tables import GameTables
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.core.state.state import PLAN, SOURCES

_MUTABLE = (list, bytearray, np.ndarray)

#: A connected group of a player: the hexes next to its pieces, as a set, and the pieces themselves.
Group = tuple[int, tuple[tuple[int, ...], ...]]


class Position:
    """One game of P players. Sets of hexes and actions are integers (see `single.tables`).

    Attributes:
        tables: the tables of the edition.
        num_players: P.
        seed, episode, scenario, round, phase, num_acted, last_round, finished: as in `State`.
        decks: fiefs in order of drawing, [P] bytes.
        objectives: index in the edition, [P].
        seat: the seat to act; -1 where the game is over.
        fief: this round's fief of every player, [P].
        plan, previous_plan, order, ring_stock, largest_group: as in `State`, [P].
        fiefs, rings: hexes held, [P] sets.
        covered: hexes held by anybody, a set.
        open_sites: flourishing cities and harbors nobody covers (R7.1).
        sea_harbors, leagues: as in `State`, [P * 6].
        scores: points by source, as in `State`, [P, 6] int16.
        totals: points over all sources, [P].
        points: points that the last action scored immediately.
        win_shares: share of the victory, 0 before the end (R8.3), [P].
        blocked: placements that overlap a fief on the map, in the layout of `tables.conflicts`.
        ring_fiefs: placements that overlap an own ring, [P], in the same layout.
        ring_blocked: weddings that R5.4 forbids, [P] sets of actions.
        ring_cells: as in `State`, [P * 6].
        pieces: fief (0 to 11) and hexes of every fief on the map, [P] tuples.
        groups: connected pieces, [P] tuples of `Group` (R8.1).
    """

    def __init__(self, tables: GameTables, deal: Deal, seed: int, episode: int) -> None:
        """Starts a game from a deal: nothing scored, all rings unspent (R2.2, R2.3)."""
        p = deal.decks.shape[1]
        self.tables, self.num_players = tables, p
        self.seed, self.episode, self.scenario = seed, episode, int(deal.scenario[0])
        self.decks = tuple(map(bytes, deal.decks[0].tolist()))
        self.objectives = tuple(deal.objectives[0].tolist())
        self.round, self.phase, self.num_acted, self.seat = 1, PLAN, 0, 0
        self.last_round, self.finished = tables.size.rounds == 1, False
        self.fief = bytearray(deck[0] for deck in self.decks)  # R3.1
        self.plan, self.previous_plan = bytearray([NO_PLAN]) * p, bytearray([NO_PLAN]) * p
        self.order, self.ring_stock = bytearray(p), bytearray([tables.size.rings]) * p
        self.largest_group = bytearray(p)
        self.fiefs, self.rings, self.covered = [0] * p, [0] * p, 0
        self.open_sites = tables.flourishing_sites[self.scenario].bit_count()
        self.sea_harbors, self.leagues = bytearray(p * NUM_SEAS), bytearray(p * NUM_SEAS)
        self.scores = np.zeros((p, len(SOURCES)), dtype=np.int16)
        self.totals, self.points, self.win_shares = [0] * p, 0, [0.0] * p
        self.blocked, self.ring_fiefs, self.ring_blocked = 0, [0] * p, [0] * p
        self.ring_cells = [tables.num_hexes] * (p * NUM_RINGS)
        self.pieces: list[tuple[tuple[int, tuple[int, ...]], ...]] = [()] * p
        self.groups: list[tuple[Group, ...]] = [()] * p

    def copy(self) -> Self:
        """Returns an independent copy; the tables are shared."""
        twin = object.__new__(type(self))
        # All other values are never changed in place.
        twin.__dict__ = {
            name: value.copy() if isinstance(value, _MUTABLE) else value
            for name, value in self.__dict__.items()
        }
        return twin
