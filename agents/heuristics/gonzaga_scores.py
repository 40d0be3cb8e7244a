"""Scores plans and placements by what they bring now and what they promise.

Scores read only what the scored seat knows: the map, the public cards and its own objective.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import Rules
from gonzaga_env.core.edition import NUM_ROTATIONS
from gonzaga_env.core.state import State, current_fiefs, held_bits, legal_plans

from ..arrays import Indices

NUM_COUNTS = 5  # a placement covers 0 to 4 harbors of a sea
_REGIONS = np.arange(c.NUM_REGIONS)


@dataclass(frozen=True)
class Candidates:
    """T placements that geometry allows and that cover a site, sorted by region and action card.

    A placement that touches two regions is listed twice.
    """

    starts: Indices  # where each run of one region and action card starts, [R]
    plans: Indices  # region * 3 + action of each run, [R]
    num_rings: Indices  # rings that each takes, [T]
    run: Indices  # the run of each, [T]
    place: NDArray[np.int16]  # 0 to T - 1, [T, 1] int16
    rows: Indices  # row of each in the table of placements, [T]
    # bit in the sets of blocked placements of the fief, or of blocked weddings, [T]
    number: Indices
    cells: Indices  # hexes covered, [4, T]; H for none
    sites: Indices  # sites covered, [n, T], n at most 4; S for none
    seas: Indices  # sea * 5 + harbors covered there, for each of at most n seas, [n, T]; 0 for none


class CandidateTables:
    """Tables that heuristics look up: S cities and harbors ("sites"), K placements, H hexes.

    Attributes:
        tables: the edition's tables.
        num_sites: S.
        site_cells: hex of each site, [S].
        site_values: points for covering each site, by scenario, [scenarios, S + 1] (R6.1).
        objective_sites: 1 for the cities of each objective, [O, S + 1] (R1.4).
        placement_sites: sites under every placement, [K, C]; S for none, which come last.
        placement_seas: as `Candidates.seas`, [K, n].
        most_sites: the largest number of sites under a placement.
        cells: hexes of every placement, [K, 4]; H for none.
        neighbors: hexes next to each, [H + 1, 6]; H for none.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        is_site = tables.city_mask | (tables.harbor_sea[:-1] < c.NUM_SEAS)
        self.site_cells: Indices = is_site.nonzero()[0]
        self.num_sites = len(self.site_cells)
        no_site = ((0, 0), (0, 1))
        self.site_values = np.pad(tables.site_value[:, self.site_cells].astype(np.float32), no_site)
        wanted = tables.objective_planes[:, self.site_cells].astype(np.float32)
        self.objective_sites = np.pad(wanted, no_site)
        site = np.full(tables.num_hexes + 1, self.num_sites)
        site[self.site_cells] = np.arange(self.num_sites)
        self.cells: Indices = tables.placements.cells.astype(np.int64)
        self.placement_sites: Indices = np.sort(site[self.cells], axis=1)
        self.most_sites = int((self.placement_sites < self.num_sites).sum(axis=1).max())
        self.placement_seas = _seas(tables)
        off_map = np.full((1, 6), tables.num_hexes)
        self.neighbors: Indices = np.vstack([tables.edition.grid.neighbors, off_map])

    @cached_property
    def fiefs(self) -> list[Candidates]:
        """The placements of each fief."""
        by_fief = np.arange(self._num_fief_rows).reshape(c.NUM_FIEFS, -1)
        return [self._candidates(rows, is_wedding=False) for rows in by_fief]

    @cached_property
    def weddings(self) -> Candidates:
        """The weddings."""
        rows = np.arange(self._num_fief_rows, len(self.cells) - 1)
        return self._candidates(rows, is_wedding=True)

    @cached_property
    def promising(self) -> Words:
        """All actions except weddings with a ring on no site (a set, see `LegalSets.pack`)."""
        tables = self.tables
        mask = np.ones(tables.actions.size, dtype=np.bool_)
        weddings = tables.actions.weddings
        rows = tables.placements.row(0, np.arange(weddings.start, weddings.stop) - NUM_PLANS)
        num_rings = (self.cells[rows] < tables.num_hexes).sum(axis=1)
        mask[weddings] = (self.placement_sites[rows] < self.num_sites).sum(axis=1) == num_rings
        return tables.legal_sets.pack(mask)

    @property
    def _num_fief_rows(self) -> int:
        return c.NUM_FIEFS * NUM_ROTATIONS * self.tables.num_hexes

    def _candidates(self, rows: Indices, is_wedding: bool) -> Candidates:
        tables, first = self.tables, rows[0]
        rows = rows[tables.placements.fault[rows] == PlacementFault.NONE]
        rows = rows[self.placement_sites[rows, 0] < self.num_sites]
        cities, harbors = tables.num_cities[rows] > 0, tables.num_harbors[rows] > 0
        action = np.where(harbors, np.where(cities, c.ALLIANCE, c.HARBORS), c.CITIES)  # R4.2
        if is_wedding:
            action[:] = c.ALLIANCE  # R5.1
        regions = tables.region[self.cells[rows]]
        touched, candidate = np.nonzero((regions == _REGIONS[:, None, None]).any(axis=2))
        plan = touched * c.NUM_ACTION_CARDS + action[candidate]
        order = plan.argsort(kind="stable")
        plans, starts = np.unique(plan[order], return_index=True)
        rows = rows[candidate[order]]
        sites = self.placement_sites[rows].T
        return Candidates(
            starts=starts,
            plans=plans,
            num_rings=(self.cells[rows] < tables.num_hexes).sum(axis=1) * is_wedding,
            run=np.repeat(np.arange(len(starts)), np.diff([*starts, len(rows)])),
            place=np.arange(len(rows), dtype=np.int16)[:, None],
            rows=rows,
            number=rows - first if is_wedding else tables.placements.number[rows].astype(np.int64),
            cells=np.ascontiguousarray(self.cells[rows].T),
            sites=np.ascontiguousarray(sites[(sites < self.num_sites).any(axis=1)]),
            seas=np.ascontiguousarray(self.placement_seas[rows].T),
        )


def _seas(tables: Tables) -> Indices:
    """Returns sea * 5 + harbors of each sea that a placement covers, most first, [K, n]."""
    counts = tables.sea_harbors.astype(np.int64)
    num_seas = (counts > 0).sum(axis=1).max()
    order = (-counts).argsort(axis=1, kind="stable")[:, :num_seas]
    most = np.take_along_axis(counts, order, axis=1)
    return np.where(most > 0, order * NUM_COUNTS + most, 0)


def candidate_tables(tables: Tables) -> CandidateTables:
    """Returns the tables of an edition, built once; they are kept as long as its `Tables`."""
    return tables.derived(CandidateTables)


_IMPOSSIBLE = np.float32(-100)
_NUM_PLAN_CARDS = c.NUM_REGION_CARDS * c.NUM_ACTION_CARDS
CHUNK = 256  # seats scored together, so that their tables fit into a processor's second cache
Scores = NDArray[np.float32]


@dataclass(frozen=True)
class Weights:
    """Values of positions beyond their points, in points.

    In the last round objectives, leagues and rings count as they score.

    Attributes:
        objective: holding 0 to 6 cities of the objective (R8.2); None does not look at objectives.
        league: holding 0, 1 or 2 harbors of a sea in which a league is possible.
        group: a placement that touches no own piece, one outside the largest group, the largest
            group, both (R8.1).
        ring: the cost of spending a ring in a wedding.
        privilege: the cost of King's Privilege, whose ring is spent and whose card is locked.
        donation: a donation (R3.7). Less than its points, so that an equal placement is preferred.
    """

    objective: tuple[float, ...] | None = c.OBJECTIVE_POINTS
    league: tuple[float, ...] = (0.0, 0.0, 0.0)
    group: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    ring: float = 0.1
    privilege: float = 100.0
    donation: float = c.DONATION_POINTS - 0.5


IMMEDIATE = Weights()
"""Points now and those of the objective; spends no ring without need, none on privileges."""


@dataclass(frozen=True)
class SeatValues:
    """Values of hexes to one seat of each of M games."""

    games: Indices  # row in the state, [M]
    seats: Indices  # [M]
    fiefs: Indices  # this round's fief of each, [M]
    sites: Scores  # worth of covering each site, [M, S + 1]; 0 in the last column
    leagues: Scores  # worth of 0 to 4 more harbors of each sea, [M, 6 * 5]
    # own pieces next to each hex, [M, H + 1]: 1 for one outside the largest group, 2 for the
    # largest group, 3 for both; None where groups have no weight
    near: NDArray[np.uint8] | None
    ring: Scores  # cost of a ring, [M]


class Heuristic:
    """Scores with one set of weights, for an edition and its rules."""

    def __init__(self, tables: Tables, rules: Rules, weights: Weights) -> None:
        self.tables, self.rules, self.weights = tables, rules, weights
        self._table = candidate_tables(tables)
        # By whether it is the last round, then by what is held.
        objective = np.zeros((2, len(c.OBJECTIVE_POINTS)), dtype=np.float32)
        if weights.objective is not None:
            objective[:] = weights.objective, c.OBJECTIVE_POINTS
        self._objective_steps = np.pad(np.diff(objective, axis=1), ((0, 0), (0, 1)))
        self._league_gains = np.stack([_league_gains(weights.league), _league_gains((0, 0, 0))])
        self._ring = np.array([weights.ring, min(weights.ring, IMMEDIATE.ring)], dtype=np.float32)
        self._group = np.array(weights.group, dtype=np.float32)

    def values(
        self,
        state: State,
        games: Indices,
        seats: Indices,
        near: NDArray[np.uint8] | None = None,
    ) -> SeatValues:
        """Returns what hexes are worth to one seat of each of M games.

        `near` is what `near_pieces` returns for these seats, where it is known.
        """
        table, last = self._table, state.last_round[games].astype(np.int64)
        objective = state.objective[games, seats]
        held = state.fiefs[games, seats] | state.rings[games, seats]
        count = bits.count(held & self.tables.objective_bits[objective])
        sites = table.objective_sites[objective]
        sites *= self._objective_steps[last, count][:, None]
        sites += table.site_values[state.scenario[games]]
        leagues = self._league_gains[last[:, None], self.league_stages(state, games, seats)]
        if near is None and self._group.any():
            near = near_pieces(table, state, games, seats, held)
        fiefs = current_fiefs(state, games)[np.arange(len(games)), seats]
        leagues = leagues.reshape(len(games), -1)
        return SeatValues(games, seats, fiefs, sites, leagues, near, self._ring[last])

    def league_stages(self, state: State, games: Indices, seats: Indices) -> Indices:
        """Returns harbors of one seat of each of M games (see `league_harbors`), [M, 6]."""
        harbors = league_harbors(state, self.rules, games)
        return harbors[np.arange(len(games)), seats].astype(np.int64)

    def placements(self, values: SeatValues, rows: Indices, actions: Indices) -> Scores:
        """Returns the scores of placing actions, [L], for rows [L] of M seats."""
        tables, table = self.tables, self._table
        placement = tables.placements.row(values.fiefs[rows], actions - NUM_PLANS)
        sites = table.placement_sites.take(placement, axis=0)[:, : table.most_sites]
        scores = sum_over(values.sites, rows, sites)
        scores += sum_over(values.leagues, rows, table.placement_seas.take(placement, axis=0))
        cells = table.cells.take(placement, axis=0)
        if values.near is not None:
            scores += self._group.take(touched_by_placements(values.near, rows, cells))
        weddings = tables.actions.weddings
        rings = ((actions >= weddings.start) & (actions < weddings.stop)).nonzero()[0]
        num_rings = (cells[rings, :2] < tables.num_hexes).sum(axis=1)
        scores[rings] -= values.ring[rows[rings]] * num_rings
        scores[actions == tables.actions.donate] = self.weights.donation
        return scores

    def legal_plans(
        self,
        state: State,
        games: Indices,
        seats: Indices,
        near: NDArray[np.uint8] | None = None,
    ) -> Scores:
        """Returns the score of every plan, [M, 42] (see `values`); -inf for illegal ones."""
        scores = self.plans(state, self.values(state, games, seats, near))
        legal = legal_plans(self.tables, state, games, seats)[:, None]
        scores[bits.unpack(legal, NUM_PLANS) == 0] = -np.inf
        return scores

    def plans(self, state: State, values: SeatValues) -> Scores:
        """Returns the best score that each plan opens on this map, [M, 42].

        Whether cards allow a plan is not checked. Placements that cover no site are left out:
        they are rarely worth more than a donation.
        """
        plans = self._best(state, values)
        plans[:, -1] = self._inactive(state, values, plans).max(axis=1)  # R4.1
        region, action, privilege = PLAN_CARDS.T
        return plans[:, region, action] - np.float32(self.weights.privilege) * privilege

    def best_placements(self, state: State, values: SeatValues) -> tuple[Scores, Indices]:
        """Returns the best placement or wedding that each pair of cards opens on this map.

        Returns:
            Scores and rows in the table of placements, both [M, 7, 3]. Where nothing is better
            than a donation, the score is that of a donation and the row is the last one.
        """
        rows = np.full((_NUM_PLAN_CARDS, len(values.games)), len(self._table.cells) - 1)
        pairs = self._best(state, values, rows)
        found = np.ascontiguousarray(rows.T).reshape(pairs.shape)
        inactive = self._inactive(state, values, pairs)
        region = inactive.argmax(axis=1)[:, None]
        pairs[:, -1:] = np.take_along_axis(inactive, region, axis=1)  # R4.1
        found[:, -1:] = np.take_along_axis(found, region, axis=1)
        found[pairs <= self.weights.donation] = len(self._table.cells) - 1
        return pairs, found

    def _inactive(self, state: State, values: SeatValues, pairs: Scores) -> Scores:
        """Returns the scores of pairs of cards, [M, 6, 3], in regions that do not flourish."""
        flourishing = self.tables.flourishing[state.scenario[values.games]][:, :, None]
        return np.where(flourishing, self.weights.donation, pairs[:, :-1])

    def _best(self, state: State, values: SeatValues, rows: Indices | None = None) -> Scores:
        """Returns the best score of each pair of cards, [M, 7, 3]; `rows` [21, M] takes its row."""
        best = np.full(
            (_NUM_PLAN_CARDS, len(values.games)), self.weights.donation, dtype=np.float32
        )
        self._add_fiefs(best, state, values, rows)
        self._add_weddings(best, state, values, rows)
        return np.ascontiguousarray(best.T).reshape(-1, c.NUM_REGION_CARDS, c.NUM_ACTION_CARDS)

    def _add_fiefs(
        self, best: Scores, state: State, values: SeatValues, rows: Indices | None
    ) -> None:
        """Raises the scores of plans, [21, M], to those of this round's fief."""
        seats = values.games, values.seats, values.fiefs
        for fief, key, blocked in by_fief(self.tables, state, *seats):
            candidates = self._table.fiefs[fief]
            scores = self._candidate_scores(values, key, candidates)
            _raise(best, key, candidates, scores, blocked, rows)

    def _add_weddings(
        self, best: Scores, state: State, values: SeatValues, rows: Indices | None
    ) -> None:
        """Raises the scores of plans, [21, M], to those of weddings (R5)."""
        stock = state.ring_stock[values.games, values.seats]
        able, candidates = stock.nonzero()[0], self._table.weddings
        num_rings = candidates.num_rings[:, None]
        for start in range(0, len(able), CHUNK):
            key = able[start : start + CHUNK]
            scores = self._candidate_scores(values, key, candidates)
            scores -= num_rings * values.ring[key]
            scores[num_rings > stock[key]] = _IMPOSSIBLE
            blocked = state.ring_blocked[values.games[key], values.seats[key]]
            _raise(best, key, candidates, scores, blocked, rows)

    def _candidate_scores(self, values: SeatValues, key: Indices, candidates: Candidates) -> Scores:
        """Returns the scores of T candidates for m of the seats, [T, m]."""
        scores = candidate_scores(values.sites[key], values.leagues[key], candidates)
        if values.near is not None:
            scores += self._group.take(touched_by_candidates(values.near[key], candidates))
        return scores


def by_fief(
    tables: Tables, state: State, games: Indices, seats: Indices, fiefs: Indices
) -> Iterator[tuple[int, Indices, Words]]:
    """Yields a fief, the seats that have it, some at a time, and the placements barred to each."""
    order = fiefs.argsort(kind="stable")
    bounds = np.searchsorted(fiefs[order], np.arange(c.NUM_FIEFS + 1))
    for fief in range(c.NUM_FIEFS):
        conflicts = tables.placements.fief_conflicts[:, fief]
        for start in range(bounds[fief], bounds[fief + 1], CHUNK):
            key = order[start : min(start + CHUNK, bounds[fief + 1])]
            blocked = state.blocked[games[key], fief]
            rings = state.ring_cells[games[key], seats[key]]  # R4.3: own rings
            for cell in rings.T:
                blocked |= conflicts.take(cell.astype(np.int64), axis=0)
            yield fief, key, blocked


# With the seats in the last axis, looking up a site copies a row for all of them.


def candidate_scores(sites: Scores, leagues: Scores, candidates: Candidates) -> Scores:
    """Returns what the sites of candidates are worth to m seats (see `SeatValues`), [T, m]."""
    by_site, by_sea = np.ascontiguousarray(sites.T), np.ascontiguousarray(leagues.T)
    scores = by_site.take(candidates.sites[0], axis=0)
    for covered in candidates.sites[1:]:
        scores += by_site.take(covered, axis=0)
    for seas in candidates.seas:
        scores += by_sea.take(seas, axis=0)
    return scores


def touched_by_candidates(near: NDArray[np.uint8], candidates: Candidates) -> NDArray[np.uint8]:
    """Returns which own pieces of m seats candidates touch (see `near_pieces`), [T, m]."""
    by_hex = np.ascontiguousarray(near.T)
    touched = by_hex.take(candidates.cells[0], axis=0)
    for cells in candidates.cells[1:]:
        touched |= by_hex.take(cells, axis=0)
    return touched


def touched_by_placements(
    near: NDArray[np.uint8], rows: Indices, cells: Indices
) -> NDArray[np.uint8]:
    """Returns which own pieces placements on cells [L, C] of M seats touch, [L]."""
    flat, start = near.reshape(-1), rows * near.shape[1]
    touched = flat.take(start + cells[:, 0])
    for cell in cells.T[1:]:
        touched |= flat.take(start + cell)
    return touched


def league_harbors(
    state: State, rules: Rules, games: Indices | slice = slice(None)
) -> NDArray[np.uint8]:
    """Returns harbors held of each sea, 3 where no league can follow, [M, P, 6] (R6.2, R6.3)."""
    held, closed = state.sea_harbors[games], state.leagues[games]
    if rules.sea_league == "first_only":
        closed = np.logical_or.reduce(closed, axis=1, keepdims=True)
    harbors = np.where(closed, c.LEAGUE_HARBORS, held).astype(np.uint8)
    return np.minimum(harbors, np.uint8(c.LEAGUE_HARBORS))


def near_pieces(
    table: CandidateTables, state: State, games: Indices, seats: Indices, held: Words
) -> NDArray[np.uint8]:
    """Returns which own pieces of M seats, which hold [M, W], lie next to each hex, [M, H + 1]."""
    num_cells = len(table.neighbors)
    row, cell = bits.members(held)
    piece = state.piece[games[row], seats[row], cell]
    sizes = np.bitwise_count(state.group[games, seats])
    is_small = np.zeros((len(held), c.NUM_PIECES + 1), dtype=np.bool_)
    is_small[:, 1:] = sizes < state.largest_group[games, seats, None]
    small = is_small.reshape(-1).take(row * (c.NUM_PIECES + 1) + piece)
    # With the seats in the last axis, looking at a neighbor copies a row for all of them.
    held_by = np.zeros((num_cells, len(held)), dtype=np.uint8)
    held_by.reshape(-1)[cell * len(held) + row] = np.uint8(2) - small
    near = held_by.take(table.neighbors[:, 0], axis=0)
    for neighbor in table.neighbors.T[1:]:
        near |= held_by.take(neighbor, axis=0)
    return np.ascontiguousarray(near.T)


def near_all_seats(table: CandidateTables, state: State) -> NDArray[np.uint8]:
    """Returns `near_pieces` of all seats of N games, [N * P, H + 1]."""
    games, seats = np.indices(state.objective.shape).reshape(2, -1)
    return near_pieces(table, state, games, seats, held_bits(state)[games, seats])


def _league_gains(worth: tuple[float, ...]) -> Scores:
    """Returns the worth of 0 to 4 more harbors of a sea, by harbors held, [4, 5]."""
    by_number = np.array([*worth, *[c.LEAGUE_POINTS] * (NUM_COUNTS + 1)], dtype=np.float32)
    held, more = np.arange(c.LEAGUE_HARBORS + 1)[:, None], np.arange(NUM_COUNTS)
    return by_number[held + more] - by_number[held]


def sum_over(table: Scores, rows: Indices, columns: Indices) -> Scores:
    """Returns the sums over entries [L, n] of rows [L] of a table, [L]; flat `take` is fastest."""
    flat, start = table.reshape(-1), rows * table.shape[1]
    total = flat.take(start + columns[:, 0])
    for column in columns.T[1:]:
        total += flat.take(start + column)
    return total


def _raise(
    best: Scores,
    key: Indices,
    candidates: Candidates,
    scores: Scores,
    blocked: Words,
    rows: Indices | None,
) -> None:
    """Raises the scores of plans, [21, M], of m seats to those of the best free candidate.

    Where a score rises, `rows` [21, M], if given, takes the candidate's row.
    """
    is_blocked = bits.unpack(blocked, blocked.shape[1] * 64).T[candidates.number]
    scores += is_blocked * _IMPOSSIBLE
    most = np.maximum.reduceat(scores, candidates.starts, axis=0)
    at = candidates.plans[:, None], key
    if rows is not None:
        is_most = scores == most[candidates.run]
        place = np.maximum.reduceat(is_most * candidates.place, candidates.starts, axis=0)
        rows[at] = np.where(most > best[at], candidates.rows[place], rows[at])
    best[at] = np.maximum(best[at], most)
