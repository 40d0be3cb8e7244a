"""Features of the cities and harbors, as a seat sees them when it decides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import CARDS
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import Rules
from gonzaga_env.core.constants import (
    FLOURISHING_POINTS,
    INACTIVE_CARD,
    LEAGUE_HARBORS,
    NUM_REGIONS,
    NUM_SEAS,
)
from gonzaga_env.core.state import PLACE, State
from gonzaga_env.tabletop.rows import merge_seats

from ...common.arrays import Floats
from ..candidates import candidate_tables
from ..heuristic import SeatValues, league_harbors

POINTS = np.float32(10)  # the unit in which points are given to the network
SITE_FEATURES = (
    "value",  # points for covering it (R6.1); 0 if the seat holds it
    "free",
    "own",
    "fiefs_of_others",
    "rings_of_others",
    "objective",  # a city of the own objective
    "worth",  # to the planner, in `POINTS`
    *(
        f"own_harbors_{count}" for count in range(LEAGUE_HARBORS + 1)
    ),  # of its sea; 3 for its founder
    "others_near_league",  # others who hold two harbors of its sea
    "others_in_sea",  # others who hold one
    "next_to_largest",  # own group
    "next_to_small",  # own group
    "flourishing",
    "locked",  # the own card of its region was played in the last round (R3.3)
    "locked_for_others",
    "attention",  # others who are expected to place in its region, or who will
    "symbol_of_others",  # the most cities of its symbol that another player holds, of 3
    "free_in_sea",  # free harbors of its sea, of 4
    "free_in_region",  # free sites of its region, of 8
    *(f"region_{region}" for region in range(NUM_REGIONS)),
    "harbor",
    "placing",  # the phase
)


class SiteReader:
    """Reads the features of S sites for an edition."""

    def __init__(self, tables: Tables, rules: Rules) -> None:
        self._tables, self._table = tables, candidate_tables(tables)
        self._rules = rules
        cells = self._table.site_cells
        self._region = tables.region[cells].astype(np.int64)
        self._sea = tables.harbor_sea[cells].astype(np.int64)  # 6 for cities
        self._is_harbor = self._sea < NUM_SEAS
        regions = self._region == np.arange(NUM_REGIONS)[:, None]
        static = np.vstack([regions, self._is_harbor]).T
        self._static = np.zeros((len(cells), len(SITE_FEATURES)), dtype=np.float32)
        self._static[:, -1 - static.shape[1] : -1] = static
        self._of_region = regions.T.astype(np.float32)  # [S, 6]
        seas = self._sea == np.arange(NUM_SEAS + 1)[:, None]
        self._of_sea = (seas.T & self._is_harbor[:, None]).astype(np.float32)  # [S, 7]
        symbols = _symbols(tables)[:, cells]  # [8, S]
        self._of_symbol = symbols.T.astype(np.float32)
        self._symbol = np.where(symbols.any(axis=0), symbols.argmax(axis=0), len(symbols))

    def __len__(self) -> int:
        """S."""
        return len(self._region)

    def read(self, state: State, values: SeatValues, attention: Floats) -> Floats:
        """Returns the features of the sites, [M, S, F].

        Args:
            state: N games.
            values: what hexes are worth to the deciding seats of M decisions, with groups.
            attention: how many others go for each region, [M, 6].
        """
        num_players, scenario = state.num_players, state.scenario[values.games]
        games = values.games[:, None]
        everyone = (values.seats[:, None] + np.arange(num_players)) % num_players
        at = games * num_players + everyone
        fiefs, rings = (self._held(merge_seats(sets)[at]) for sets in (state.fiefs, state.rings))
        held = fiefs | rings  # [M, P, S]
        own, free = held[:, 0], 1 - np.bitwise_or.reduce(held, axis=1)
        free_sites = free.astype(np.float32)
        objective = state.objective[values.games, values.seats]
        harbors = self._harbors(state, at)
        own_harbors, others_harbors = np.where(self._is_harbor, harbors[:, 0], 255), harbors[:, 1:]
        near = self._near(values)
        flourishing = self._tables.flourishing[scenario]
        locked = _locked_regions(state, games, everyone, flourishing)
        locked_for_others = _sum_seats(locked[:, 1:])
        out = np.empty((len(at), *self._static.shape), dtype=np.float32)
        out[:] = self._static
        planes = (
            self._table.site_values[scenario][:, :-1] * (own == 0) / FLOURISHING_POINTS,
            free,
            own,
            _sum_seats(fiefs[:, 1:]),
            _sum_seats(rings[:, 1:]),
            self._table.objective_sites[objective][:, :-1],
            values.sites[:, :-1] / POINTS,
            *(own_harbors == count for count in range(LEAGUE_HARBORS + 1)),
            _sum_seats(others_harbors == LEAGUE_HARBORS - 1),
            _sum_seats(others_harbors == 1),
            near >> 1,
            near & 1,
            flourishing[:, self._region],
            locked[:, 0].take(self._region, axis=1),
            locked_for_others.take(self._region, axis=1),
            attention.take(self._region, axis=1),
            self._symbols_of_others(held),
            (free_sites @ self._of_sea).take(self._sea, axis=1) / 4,
            (free_sites @ self._of_region).take(self._region, axis=1) / 8,
        )
        for index, plane in enumerate(planes):
            out[..., index] = plane
        out[..., -1] = (state.phase[values.games] == PLACE)[:, None]
        return out

    def _held(self, sets: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """Returns the sites in sets of hexes [M, P, W], [M, P, S]."""
        hexes = bits.unpack(sets, self._tables.num_hexes)
        return hexes.take(self._table.site_cells, axis=2)

    def _harbors(self, state: State, at: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Returns harbors held of the sea of each site, 3 where no league can follow, [M, P, S]."""
        harbors = merge_seats(league_harbors(state, self._rules))[at]
        return np.pad(harbors, ((0, 0), (0, 0), (0, 1))).take(self._sea, axis=2)

    def _near(self, values: SeatValues) -> NDArray[np.uint8]:
        if values.near is None:
            raise ValueError("the values have no groups; the weights of a planner have")
        return values.near.take(self._table.site_cells, axis=1)

    def _symbols_of_others(self, held: NDArray[np.uint8]) -> Floats:
        """Returns the most cities of the symbol of each site that another seat holds, [M, S]."""
        counts = (held[:, 1:].astype(np.float32) @ self._of_symbol).max(axis=1)
        padded: Floats = np.pad(counts, ((0, 0), (0, 1)))
        return padded.take(self._symbol, axis=1) / np.float32(3)


def _sum_seats(planes: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Returns small numbers [M, P, S] summed over the seats, [M, S]."""
    return np.add.reduce(planes, axis=1, dtype=np.uint8)


def _locked_regions(
    state: State,
    games: NDArray[np.int64],
    everyone: NDArray[np.int64],
    flourishing: NDArray[np.bool_],
) -> NDArray[np.uint8]:
    """Returns the regions whose card each player may not use, [M, P, 6] (R3.3)."""
    cards = CARDS[state.previous_plan[games, everyone]]
    inactive = cards[:, :, INACTIVE_CARD, None] & ~flourishing[:, None]
    return cards[:, :, :NUM_REGIONS] | inactive


def _symbols(tables: Tables) -> NDArray[np.bool_]:
    """Returns where the cities of each symbol lie, [8, H]: on all objectives that show it."""
    planes = tables.objective_planes.astype(np.bool_)
    shown = tables.objective_symbols.T  # [8, O]
    return np.stack([planes[objectives].all(axis=0) for objectives in shown])
