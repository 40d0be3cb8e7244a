"""Gonzaga's facts of placements: what they cover and touch, and what lies around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import Rules
from gonzaga_env.core.state import State, current_fiefs

from ..arrays import Arrays, Floats, Indices
from .gonzaga_scores import (
    NUM_COUNTS,
    candidate_tables,
    league_harbors,
    near_pieces,
    touched_by_placements,
)

#: What is said of each site that a placement covers.
_SITE = (
    "a site in a flourishing region",  # R6.1
    "a site in an inactive region",
    *(f"a city of the own objective, {n} held before" for n in range(6)),  # R8.2
    "a city of the own objective, 1/3 for each that others hold",
    *(f"a city of a symbol of which a rival holds {n}" for n in ("1", "2", "3 or more")),
    "a harbor",
    "a harbor of a sea where a rival lacks 1 for the league",  # R6.2
    "a harbor of a sea where a rival lacks 2 for the league",
    "a site within 2 hexes of others' pieces, 1/3 for each of them",
    "a site within 2 hexes of own pieces",
    "a harbor of a sea without own harbors",
    "a city of the own objective where another's ring lies",
    "a city of the own objective within 2 hexes of others' pieces, 1/3 for each",
)
OBJECTIVE = slice(2, 9), slice(18, 20)  # of these: secret
#: The stages of a sea for one seat (R6.2).
_STAGES = (
    "where no own league is possible",
    "without own harbors",
    "with 1 own harbor and 2 free ones",
    "with 1 own harbor and 3 or more free ones",
    "with 2 own harbors and 1 free one",
    "with 2 own harbors and 2 or more free ones",
)
_ADDED = "1 harbor", "2 or more harbors"
_SEA = tuple(f"{number} of a sea {stage}" for stage in _STAGES for number in _ADDED)
MOST_ADDED = len(_ADDED)
_TOUCHED = ("only smaller own groups", "the largest own group", "both")
_OTHER = (
    *(f"next to {which}" for which in _TOUCHED),  # R8.1
    *(f"next to {which}, 1/3 for each piece ahead" for which in _TOUCHED),
    "a donation",  # R3.7
    "a wedding with 1 ring",  # R5
    "a wedding with 2 rings",
    "a ring spent, 1/6 for each ring left",
    "free hexes around it, 1/8 for each",
    "hexes of others around it, 1/4 for each",
    "a free city of the own objective beside it",
    "2 sites covered",
    "3 or more sites covered",
)
PLACEMENT = (*_SITE, *_SEA, *_OTHER)
"""The facts of a placement."""
NUM_SITE = len(_SITE)
TOUCH, RACE, DONATION, RING, STOCK, _AROUND = (
    NUM_SITE + len(_SEA) + start for start in (0, 3, 6, 7, 9, 10)
)
"""Where groups of them begin."""


class FactTables:
    """What facts are looked up in, for one edition; S cities and harbors ("sites")."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.table = tables, candidate_tables(tables)
        table, sites = self.table, self.table.site_cells
        self.sea = tables.harbor_sea[sites].astype(np.int64)  # of each site, [S]; 6 for a city
        symbols, grid = tables.edition.symbols, tables.edition.grid
        symbol = np.full(tables.num_hexes, len(symbols))
        for city in tables.edition.cities:
            symbol[grid.index[city.at]] = symbols.index(city.group)
        self.symbol = symbol[sites]  # of each site, [S]
        self.symbol_bits = bits.pack(symbol == np.arange(len(symbols))[:, None])
        seas = np.arange(c.NUM_SEAS)[:, None]
        self.sea_bits = bits.pack(tables.harbor_sea[:-1] == seas)  # [6, W]
        near = np.eye(tables.num_hexes + 1, dtype=np.float32)
        near[np.arange(len(near))[:, None], table.neighbors] = 1
        near[-1] = near[:, -1] = 0
        self.reach = bits.pack((near @ near)[sites, :-1] > 0)  # hexes at most 2 away, [S, W]
        kinds = c.FLOURISHING_POINTS, c.INACTIVE_POINTS
        values = table.site_values[:, :, None] == kinds
        self.value = values.astype(np.float32)  # [scenarios, S + 1, 2]
        #: The placements that are considered: those on a site, by fief, [12, words].
        self.considered = np.repeat(table.promising[None], c.NUM_FIEFS, axis=0)
        on_site = table.placement_sites[:, 0] < table.num_sites
        by_number = tables.placements.by_number(on_site & (tables.placements.fault == 0))
        self.considered[:, tables.legal_sets.fief_words] = by_number
        num_sites = (table.weddings.sites < table.num_sites).sum(axis=0)
        self.unlikely = table.weddings.num_rings > num_sites  # weddings that are not considered


@dataclass(frozen=True)
class SeatFacts(Arrays):
    """What M seats see; all arrays begin with [M]."""

    games: Indices
    seats: Indices
    fiefs: Indices  # this round's fief
    stock: Indices  # rings
    bases: Floats  # [M, B]
    lead: Floats  # in the size of the largest group, -1 to 1
    sites: Floats  # what is said of each site, [M, S + 1, 20]; 0 in the last row
    stages: Indices  # of each sea (see `_STAGES`), [M, 6]
    near: NDArray[np.uint8]  # see `near_pieces`, [M, H + 1]
    free: Words  # hexes, [M, W]
    others: Words  # hexes that others hold alone, [M, W]
    goal: Words  # free cities of the own objective, [M, W]

    @classmethod
    def read(
        cls, tables: FactTables, rules: Rules, state: State, games: Indices, seats: Indices
    ) -> Self:
        """Reads what some seats see in some games."""
        table, each = tables.table, np.arange(len(games))
        scenario = state.scenario[games]
        fiefs = state.fiefs[games]
        all_held = fiefs | state.rings[games]  # [M, P, W]
        held = all_held[each, seats]
        taken = np.bitwise_or.reduce(all_held, axis=1)
        num_open = bits.count(tables.tables.flourishing_bits[scenario] & ~taken)
        objective = state.objective[games, seats]
        goal = tables.tables.objective_bits[objective]
        others = taken & ~held
        largest = state.largest_group[games].astype(np.int64)
        mine = largest[each, seats]
        largest[each, seats] = -1
        lead = (mine - largest.max(axis=1)).clip(-3, 3) / np.float32(3)
        sites = np.zeros((len(games), table.num_sites + 1, NUM_SITE), np.float32)
        sites[:, :, :2] = tables.value[scenario]
        own_city = table.objective_sites[objective]
        count = bits.count(held & goal)
        lost = bits.count(goal & np.bitwise_or.reduce(fiefs, axis=1) & ~held)
        sites[each, :, 2 + np.minimum(count, 5)] = own_city
        sites[:, :, 8] = own_city * (lost[:, None] / np.float32(3))
        symbols = bits.count(all_held[:, :, None] & tables.symbol_bits)  # [M, P, symbols]
        symbols[each, seats] = 0
        most = np.pad(symbols.max(axis=1), ((0, 0), (0, 1)))[:, tables.symbol]  # [M, S]
        on_map = sites[:, :-1]
        on_map[..., 9], on_map[..., 10], on_map[..., 11] = most == 1, most == 2, most >= 3
        on_map[..., 12] = tables.sea < c.NUM_SEAS
        harbors = league_harbors(state, rules, games).astype(np.int64)
        stages = _read_seas(tables, harbors, seats, taken, on_map)
        in_reach = _overlaps(tables.reach, all_held)  # [M, P, S]
        own = in_reach[each, seats].astype(np.float32)
        on_map[..., 16] = own
        on_map[..., 15] = (in_reach.sum(axis=1) - own) / np.float32(3)
        at_sites = bits.unpack(others, tables.tables.num_hexes)[:, table.site_cells]
        on_map[..., 18] = own_city[:, :-1] * at_sites
        on_map[..., 19] = own_city[:, :-1] * on_map[..., 15]
        return cls(
            games,
            seats,
            current_fiefs(state, games)[each, seats],
            state.ring_stock[games, seats].astype(np.int64),
            _bases(num_open, state.last_round[games]),
            lead,
            sites,
            stages,
            near_pieces(table, state, games, seats, held),
            ~taken,
            others,
            goal & ~taken,
        )


BASES = ("always", "by progress", "in the last round", "near the end", "by late progress")


def _bases(num_open: Indices, last_round: NDArray[np.bool_]) -> Floats:
    """Returns the bases, from the number of flourishing sites that are open (R7.1), [M, 5]."""
    progress = np.float32(0.5) - ((num_open - np.float32(3)) / 37).clip(0, 1)
    near_end = ((11 - num_open) / np.float32(8)).clip(0, 1)
    ones = np.ones_like(progress)
    columns = ones, progress, last_round, near_end, np.maximum(progress, 0)
    return np.stack(columns, axis=1).astype(np.float32)


def _read_seas(
    tables: FactTables, held: Indices, seats: Indices, taken: Words, sites: Floats
) -> Indices:
    """Writes what is said of harbors, [M, S, 20], and returns the stage of each sea, [M, 6].

    Args:
        tables: of the edition.
        held: harbors of all seats (see `league_harbors`), [M, P, 6].
        seats: those who decide, [M].
        taken: hexes that anybody holds, [M, W].
        sites: to write to.
    """
    each = np.arange(len(seats))
    free = bits.count(tables.sea_bits & ~taken[:, None])  # [M, 6]
    own, lack = held[each, seats], c.LEAGUE_HARBORS - held
    possible = (lack > 0) & (free[:, None] >= lack)
    mine = possible[each, seats]
    stages: Indices = np.where(own == 0, 1, 2 * own + (free > lack[each, seats])) * mine
    possible[each, seats] = False
    by_sea = (possible & (lack == 1)).sum(axis=1), (possible & (lack == 2)).sum(axis=1), own == 0
    for column, number in zip((13, 14, 17), by_sea, strict=True):
        sites[..., column] = np.pad(number, ((0, 0), (0, 1)))[:, tables.sea]
    return stages


def _overlaps(sets: Words, others: Words) -> NDArray[np.bool_]:
    """Returns whether sets [S, W] share a number with others [..., W], [..., S]."""
    found = (others[..., 0, None] & sets[:, 0]) != 0
    for word in range(1, sets.shape[1]):
        found |= (others[..., word, None] & sets[:, word]) != 0
    return found


def placement_facts(
    look_up: FactTables, seen: SeatFacts, rows: Indices, actions: Indices
) -> Floats:
    """Returns the facts of placements of M seats, [L, F]."""
    tables, table = look_up.tables, look_up.table
    placement = tables.placements.row(seen.fiefs[rows], actions - NUM_PLANS)
    facts = np.zeros((len(rows), len(PLACEMENT)), np.float32)
    covered = table.placement_sites.take(placement, axis=0)[:, : table.most_sites]
    of_sites = seen.sites.reshape(-1, NUM_SITE)
    first = rows * (table.num_sites + 1)
    facts[:, :NUM_SITE] = of_sites.take(first + covered[:, 0], axis=0)
    for sites in covered.T[1:]:
        facts[:, :NUM_SITE] += of_sites.take(first + sites, axis=0)
    for seas in table.placement_seas.take(placement, axis=0).T:
        at = seas.nonzero()[0]
        sea, count = np.divmod(seas[at], NUM_COUNTS)
        stage = seen.stages[rows[at], sea]
        facts[at, NUM_SITE + stage * MOST_ADDED + np.minimum(count, MOST_ADDED) - 1] += 1
    touched = touched_by_placements(seen.near, rows, table.cells.take(placement, axis=0))
    for kind in range(1, len(_TOUCHED) + 1):
        facts[:, TOUCH + kind - 1] = touched == kind
        facts[:, RACE + kind - 1] = (touched == kind) * seen.lead[rows]
    donates = actions == tables.actions.donate
    rings = (actions >= tables.actions.ring.start) & ~donates
    two = (actions >= tables.actions.rings.start) & ~donates
    facts[:, DONATION] = donates
    facts[:, RING], facts[:, RING + 1] = rings & ~two, two
    facts[:, STOCK] = (rings + two.astype(np.float32)) * seen.stock[rows] / c.NUM_RINGS
    around = tables.placements.halo_bits.take(placement, axis=0)
    facts[:, _AROUND] = bits.count(around & seen.free[rows]) / np.float32(8)
    facts[:, _AROUND + 1] = bits.count(around & seen.others[rows]) / np.float32(4)
    facts[:, _AROUND + 2] = bits.count(around & seen.goal[rows])
    num_sites = (covered < table.num_sites).sum(axis=1)
    facts[:, _AROUND + 3], facts[:, _AROUND + 4] = num_sites == 2, num_sites >= 3
    return facts
